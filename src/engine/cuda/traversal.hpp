// Waves over the graph, in one launch each: a breadth-first search, a search from several sources, and searches whose sources
// start at levels of their own (see docs/definitions.md on offset searches). All blocks stay resident and meet at a barrier
// after every level; the host waits once. Memory: 8 bytes a vertex, 8 for every 256 arcs of a long row, 4 a level.
#pragma once

#include <vector>

#include "engine/cuda/device_graph.hpp"

namespace antipode::cuda {

struct WaveStart {
  Vertex source;
  Distance level;
};

struct WaveControl {
  std::uint64_t entries[3];            // queue entries of this level, the next, and the one being cleared
  Vertex levels;                       // of the search just run
  Vertex farthest;
};

class Traversal {
 public:
  Traversal(const Context& context, const GraphView& graph);
  static std::uint64_t bytes(const Graph& graph);

  Search search(Vertex source, Distance* row);
  // The distance of every vertex to the nearest of the sources, as far as `limit`; others are kUnreached.
  void distances_to_nearest(std::span<const Vertex> sources, Distance limit, Distance* row);
  // Lowers values[v] to the least start + distance, as far as `limit`.
  void offset_search(std::vector<WaveStart> starts, Distance limit, Distance* values);
  // Raises values[v] to the greatest start - distance. Values must change by at most one along an edge.
  void descending_offset_search(std::vector<WaveStart> starts, Distance* values);

  // A shortest path from the row's source, found backwards; empty if there is none.
  std::vector<Vertex> path(const Distance* row, Vertex to);

 private:
  template <bool kRising>
  void run(const std::vector<WaveStart>& starts, Distance limit, Distance* values, bool counting);

  const Context& context_;
  GraphView graph_;
  Buffer<std::uint64_t> queue_;
  Buffer<Vertex> level_sizes_;         // of a search
  Buffer<WaveControl> control_;
  Buffer<WaveStart> starts_;
  Buffer<Vertex> path_;
};

}  // namespace antipode::cuda
