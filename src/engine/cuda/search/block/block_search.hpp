// Searches of graphs with many small levels, such as road networks: one block per search, for one
// source or thousands. The bitmap of visited vertices and a double-buffered queue lie in shared
// memory. The adjacency is packed: one 16-byte read brings all neighbours of most vertices. A level
// costs one such read and one block barrier. If a frontier outgrows its queue, the result says so,
// and the caller uses another kernel. Memory: 44 bytes per vertex; for batches also the leafless
// graph, if there is room.
#pragma once

#include <memory>

#include "engine/cuda/layout/batch_request.hpp"
#include "engine/cuda/layout/packed_adjacency.hpp"
#include "engine/cuda/layout/search_result.hpp"

namespace antipode::cuda {

class Leafless;

// The reached vertices in the order of their visits, and where in it each level begins.
struct BlockTrail {
  Vertex *vertices = nullptr, *begins = nullptr;
};

class BlockSearches {
 public:
  // Whether the graph can be searched so, and it is likely to pay: low degrees, and a bitmap of all
  // vertices that fits one block.
  static bool suits(const Graph& graph);
  static std::uint64_t bytes(const Graph& graph) {
    return std::uint64_t{graph.order()} * (32 + 12);
  }
  BlockSearches(const Context& context, const Graph& host_graph, const GraphView& graph,
                bool has_room);  // for the leafless graph
  ~BlockSearches();

  // On overflow, distances and level_sizes are invalid. The result lives until the next request.
  BlockAnswer search(Vertex source, Distance* distances, Vertex* level_sizes);
  // Distances of several sources, one after the other. False: a queue overflowed, and they are
  // invalid.
  bool search(std::span<const Vertex> sources, Distance* distances);
  // Farthest distances or arrivals of many sources, one result per source. If any overflowed, the
  // arrivals are invalid. The results live until the next request.
  std::span<const BlockResult> search_each(std::span<const Vertex> sources,
                                           const FarthestRequest& request,
                                           const Arrivals& arrivals);

  PackedAdjacency adjacency() const { return {packed_.data(), graph_.order}; }

 private:
  void upload_starts(std::span<const Vertex> sources, const Leafless* leafless);
  const Leafless* leafless();
  BlockResult* results() const { return static_cast<BlockResult*>(context_.pinned_for_batch()); }

  const Context& context_;
  const Graph& host_graph_;
  GraphView graph_;
  bool wants_leafless_;  // build it at the first batch that it helps
  std::unique_ptr<const Leafless> leafless_;
  bool is_connected_ = false;  // the graph is connected: no distances need be cleared
  Buffer<uint4> packed_;
  Buffer<Vertex> sources_;
  Buffer<BlockSource> starts_;         // the same as packed entries
  Buffer<BlockResult> single_result_;  // result of the last single search
  Buffer<unsigned> next_, order_;
  Buffer<Vertex> trail_, trail_begins_;
  // Lower bounds of eccentricities from single searches: sources that search farthest go first.
  Buffer<Distance> eccentricity_bounds_;
};

}  // namespace antipode::cuda
