// Offset searches (docs/definitions.md): searches from several sources, each of which starts at a
// level of its own. A search is one cooperative launch with a grid barrier after every level; it
// uses the queue of the search by the whole GPU. Memory: that queue, and 8 bytes per source.
#pragma once

#include <vector>

#include "engine/cuda/layout/device_graph.hpp"
#include "engine/host/offset_sources.hpp"

namespace antipode::cuda {

struct OffsetControl {
  // Queue entries of this level, of the next, and the counter being cleared.
  unsigned long long entries[3];
};

class OffsetSearches {
 public:
  // `queue`: that of Traversal, with room for one entry per adjacency chunk.
  OffsetSearches(const Context& context, const GraphView& graph, std::uint64_t* queue);

  // The distance of every vertex to the nearest of the sources, as far as `limit`; others are
  // kUnreached.
  void distances_to_nearest(std::span<const Vertex> sources, Distance limit, Distance* distances);
  // Lowers values[v] to the least start + distance, as far as `limit`.
  void offset_search(std::vector<host::OffsetSource> starts, Distance limit, Distance* values);
  // Raises values[v] to the greatest start - distance. Values must change by at most one along an
  // edge.
  void descending_offset_search(std::vector<host::OffsetSource> starts, Distance* values);

 private:
  template <bool kRising>
  void run(const std::vector<host::OffsetSource>& starts, Distance limit, Distance* values);

  const Context& context_;
  GraphView graph_;
  std::uint64_t* queue_;
  Buffer<OffsetControl> control_;
  Buffer<host::OffsetSource> starts_;
};

}  // namespace antipode::cuda
