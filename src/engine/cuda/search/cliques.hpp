// A clique around a vertex, found greedily: its neighbours by descending degree, each taken if it
// is adjacent to all taken before. At most 288 neighbours are tried and 64 vertices taken. Memory:
// 12 KiB.
#pragma once

#include "engine/cuda/layout/device_graph.hpp"

namespace antipode::cuda {

struct CliqueScratch;

class Cliques {
 public:
  Cliques(const Context& context, const GraphView& graph);
  ~Cliques();
  std::vector<Vertex> around(Vertex v, Vertex degree) const;

 private:
  const Context& context_;
  GraphView graph_;
  Buffer<CliqueScratch> scratch_;
};

}  // namespace antipode::cuda
