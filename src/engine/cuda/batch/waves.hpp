// Waves over the graph, in one launch each: searches from several sources, which may start at
// levels of their own (see docs/definitions.md on offset searches). All blocks stay resident and
// meet at a barrier after every level; the host does not wait. Memory: that queue, 16 bytes a
// source.
#pragma once

#include <vector>

#include "engine/cuda/layout/device_graph.hpp"
#include "engine/host/wave_starts.hpp"

namespace antipode::cuda {

struct WaveControl {
  unsigned long long
      entries[3];  // queue entries of this level, the next, and the one being cleared
};

class Waves {
 public:
  // The queue is that of the searches, which have one entry for every stretch of a row.
  Waves(const Context& context, const GraphView& graph, std::uint64_t* queue);

  // The distance of every vertex to the nearest of the sources, as far as `limit`; others are
  // kUnreached.
  void distances_to_nearest(std::span<const Vertex> sources, Distance limit, Distance* row);
  // Lowers values[v] to the least start + distance, as far as `limit`.
  void offset_search(std::vector<host::WaveStart> starts, Distance limit, Distance* values);
  // Raises values[v] to the greatest start - distance. Values must change by at most one along an
  // edge.
  void descending_offset_search(std::vector<host::WaveStart> starts, Distance* values);

 private:
  template <bool kRising>
  void run(const std::vector<host::WaveStart>& starts, Distance limit, Distance* values);

  const Context& context_;
  GraphView graph_;
  std::uint64_t* queue_;
  Buffer<WaveControl> control_;
  Buffer<host::WaveStart> starts_;
};

}  // namespace antipode::cuda
