// Searches from several vertices of a folded graph at once: each has a lane of a line of 64 bytes
// per vertex, 16 lanes of 32 bits or 8 of 64. A climb goes up from the sources, all lanes together;
// a sweep then goes down over all vertices, once through the lists (graph/length_folding.hpp). The
// summaries are made in registers on the way. The instruction set is chosen at run time.
// [Delling, Goldberg, Nowatzyk, Werneck 2011]
#pragma once

#include <cstdint>
#include <span>

#include "antipode/path_engine.hpp"
#include "graph/length_folding.hpp"

namespace antipode::cpu {

template <class Key>
inline constexpr std::size_t kLanes = 64 / sizeof(Key);
// No path: larger than every distance, and no sum with a length wraps round.
template <class Key>
inline constexpr Key kFar = Key{1} << (8 * sizeof(Key) - 1);

// Distances of one lane so far.
template <class Key>
struct LaneTotals {
  alignas(64) Key farthest[kLanes<Key>] = {};
  LengthSum sum[kLanes<Key>] = {};
  std::uint64_t reached[kLanes<Key>] = {};
};

// Lines of the vertices [begin, end).
template <class Key>
struct SweepTask {
  const LengthFolding<Key>& folding;
  Key* lines;                     // kLanes keys per vertex
  std::span<const Vertex> seeds;  // ascending; their lines hold climbs, the others' anything
  Vertex begin, end;
  Key longest;  // no distance is longer
};

template <class Key>
struct SweepKernel {
  // Lowers the lines of the vertices above v. A line that its bit does not know is new.
  void (*climb)(const LengthFolding<Key>& folding, Vertex v, Key* lines, std::uint64_t* known);
  // Distances of vertices outside the core; adds them up. reached_all: nothing is far.
  void (*sweep)(const SweepTask<Key>& task, LaneTotals<Key>& totals);
  void (*sweep_reached_all)(const SweepTask<Key>& task, LaneTotals<Key>& totals);
};

template <class Key>
SweepKernel<Key> portable_sweep();
template <class Key>
SweepKernel<Key> avx2_sweep();
template <class Key>
SweepKernel<Key> avx512_sweep();

template <class Key>
SweepKernel<Key> best_sweep();  // for this machine

}  // namespace antipode::cpu
