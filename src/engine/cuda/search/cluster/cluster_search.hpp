// As a search by one block, for deep and thin graphs that are too large for one: a cluster of
// blocks, which reach into each other's shared memory. The marks of the vertices are dealt over the
// blocks, word by word; whoever finds vertices hands them to the next block in turn, so that all
// have as much to do. A frontier that outgrows the queues is noticed, and the search handed back to
// somebody else. Memory: 32 bytes a vertex.
#pragma once

#include "engine/cuda/layout/packed_rows.hpp"
#include "engine/cuda/layout/search_result.hpp"

namespace antipode::cuda {

class ClusterSearch {
 public:
  static bool suits(const Graph& graph);
  static std::uint64_t bytes(const Graph& graph) { return 32 * std::uint64_t{graph.order()}; }
  ClusterSearch(const Context& context, const GraphView& graph);

  // As BlockSearches::search.
  BlockAnswer search(Vertex source, Distance* row, Vertex* level_sizes);

  PackedRows rows() const { return {rows_.data(), graph_.order}; }

 private:
  const Context& context_;
  GraphView graph_;
  Buffer<uint4> rows_;
};

}  // namespace antipode::cuda
