// A clique around a vertex: its neighbours by falling degree, each taken if it is adjacent to all
// taken before. Memory: a few kilobytes.
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
  Buffer<CliqueScratch> scratch_;  // who is tried, and who of them is whose neighbour
};

}  // namespace antipode::cuda
