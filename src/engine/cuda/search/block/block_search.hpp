// Searches of deep, thin graphs, such as roads: one block a search, for one source as for
// thousands. What the block needs at every level lies in its own shared memory: who was visited (a
// bit a vertex) and the frontier (two queues, of this level and the next). The adjacency is packed
// so that one 16-byte read brings all neighbours of most vertices. A level costs one such read and
// one barrier of the block. A frontier that outgrows its queue is noticed, and the search handed
// back to somebody else. Memory: 44 bytes a vertex; once many sources are searched the graph
// without its leaves, if there is room.
#pragma once

#include <optional>

#include "engine/cuda/layout/batch_request.hpp"
#include "engine/cuda/layout/leafless.hpp"
#include "engine/cuda/layout/search_result.hpp"

namespace antipode::cuda {

// All vertices in the order in which a search came to them, and where in it each level begins.
struct BlockTrail {
  Vertex *vertices = nullptr, *begins = nullptr;
};

class BlockSearches {
 public:
  // Can this graph be searched so, and is it likely to pay? Rows must be short and the marks of all
  // vertices fit one block.
  static bool suits(const Graph& graph);
  static std::uint64_t bytes(const Graph& graph) {
    return std::uint64_t{graph.order()} * (32 + 12);
  }
  BlockSearches(const Context& context, const Graph& host_graph, const GraphView& graph,
                bool has_room);  // … for the graph without its leaves

  // If a queue overflowed, row and level_sizes hold nonsense. What is returned lives until the next
  // request.
  BlockAnswer search(Vertex source, Distance* row, Vertex* level_sizes);
  // Rows of several sources, one after the other. False: a queue overflowed, and they hold
  // nonsense.
  bool search(std::span<const Vertex> sources, Distance* distances);
  // Many sources; as Lanes::reach. Results whose `overflow` is set are missing, and the arrivals
  // nonsense then. What is returned lives until the next request.
  std::span<const BlockResult> reach(std::span<const Vertex> sources,
                                     const FarthestRequest& request, const Arrivals& arrivals);

  PackedRows rows() const { return {rows_.data(), graph_.order}; }

 private:
  void upload_starts(std::span<const Vertex> sources, const Leafless* leafless);
  const Leafless* leafless();
  BlockResult* results() const { return static_cast<BlockResult*>(context_.pinned_for_batch()); }

  const Context& context_;
  const Graph& host_graph_;
  GraphView graph_;
  bool wants_leafless_;  // still
  std::unique_ptr<const Leafless> leafless_;
  bool reaches_all_ = false;  // a search has shown that rows have no gaps
  Buffer<uint4> rows_;
  Buffer<Vertex> sources_;
  Buffer<BlockSource> starts_;  // the same, as searches begin
  Buffer<BlockResult> only_;    // what the last single search has found
  Buffer<unsigned> next_, order_;
  Buffer<Vertex> trail_, trail_begins_;
  Buffer<Distance>
      least_;  // what single searches have shown of eccentricities, so that far sources go first
};

}  // namespace antipode::cuda
