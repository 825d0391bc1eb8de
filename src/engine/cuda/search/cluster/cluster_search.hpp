// As a search by one block, for graphs that are too large for one: a cluster of blocks, which
// access each other's shared memory. The words of the bitmap are distributed cyclically over the
// blocks. New vertices go to the queues of the blocks in turn, so that all expand equally many. If
// a frontier outgrows the queues, the result says so, and the caller uses another kernel. Memory:
// 32 bytes per vertex.
#pragma once

#include "engine/cuda/layout/packed_adjacency.hpp"
#include "engine/cuda/layout/search_result.hpp"

namespace antipode::cuda {

class ClusterSearch {
 public:
  static bool suits(const Graph& graph);
  static std::uint64_t bytes(const Graph& graph) { return 32 * std::uint64_t{graph.order()}; }
  ClusterSearch(const Context& context, const GraphView& graph);

  // As BlockSearches::search.
  BlockAnswer search(Vertex source, Distance* distances, Vertex* level_sizes);

  PackedAdjacency adjacency() const { return {packed_.data(), graph_.order}; }

 private:
  const Context& context_;
  GraphView graph_;
  Buffer<uint4> packed_;
};

}  // namespace antipode::cuda
