// The graph without its leaves, for searches that report no single vertices. Leaves, of which road
// networks have many, are counted when their neighbour is expanded. Memory: the adjacency of the
// other vertices, 33 bytes per such vertex, and 4 bytes per vertex on the host.
#pragma once

#include <memory>

#include "engine/cuda/layout/packed_adjacency.hpp"

namespace antipode::cuda {

class Leafless {
 public:
  // Null if there are too few leaves to pay.
  static std::unique_ptr<const Leafless> of(const Context& context, const Graph& graph);
  static std::uint64_t bytes(const Graph& graph) {
    return DeviceGraph::bytes(graph) + 33 * std::uint64_t{graph.order()};
  }
  GraphView view() const { return graph_.view(); }
  PackedAdjacency adjacency() const { return {packed_.data(), view().order, leaves_.data()}; }
  BlockSource source(Vertex v) const;

 private:
  Leafless(const Context& context, const Graph& whole, const Graph& leafless,
           std::vector<Vertex> numbers, std::vector<unsigned char> leaf_counts);

  Graph whole_;
  std::vector<Vertex> numbers_;             // number in the leafless graph; kNoVertex: a leaf
  std::vector<unsigned char> leaf_counts_;  // leaves of each remaining vertex
  DeviceGraph graph_;
  Buffer<unsigned char> leaves_;  // the same on the GPU
  Buffer<uint4> packed_;
};

}  // namespace antipode::cuda
