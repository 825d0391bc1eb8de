// One level of a search by many warps: pushed from the queue, or pulled over bitmaps; and the frontier from one form to the other.
// What the warps of a grid and those of a single block do alike.
#pragma once

#include "engine/cuda/traversal.hpp"
#include "engine/cuda/warp.hpp"
#include "engine/cuda/waves.hpp"

namespace antipode::cuda {

inline constexpr unsigned kStretch = Waves::kStretch;
inline constexpr Vertex kAlone = 32;               // arcs of a row that one thread looks at in a pull before its warp helps

// What a level found.
struct Found {
  unsigned long long entries, arcs, looked_at;  // queue entries (in a push), arcs of the new vertices, arcs looked at (in a pull)
  unsigned vertices;
};

// Three reports rotate: this level's, the next one's, and the one being cleared.
struct SearchControl {
  Found found[3];
  // When one block goes on alone, it leaves here where the others go on.
  unsigned long long base, count, arcs;
  Vertex level, reached;
  unsigned ended;
  unsigned long long visited_arcs;
  // Results.
  Vertex levels, farthest;
  unsigned in_vain;
};

struct Job {
  GraphView graph;
  Distance* row;
  std::uint64_t* queue;
  unsigned *visited, *frontier, *next;       // bitmaps
  Vertex* level_sizes;
  SearchControl* control;
  TraversalTuning tuning;
  Vertex source;
  bool may_pull;
};

// The frontier as every thread knows it.
struct State {
  Vertex level = 0, reached = 1;
  unsigned long long base = 0, count = 0;    // its entries in the queue
  unsigned long long arcs = 0, visited_arcs = 0;
  bool pulled = false;                       // it is in the bitmap, not in the queue
};

__device__ inline std::uint64_t stretch_of(EdgeOffset begin, unsigned length) { return begin << 9 | length; }

// What one thread counts in a level; atomics on one word by thousands of warps would cost more than the level.
struct Tally {
  unsigned long long arcs = 0, looked_at = 0;
  unsigned vertices = 0;
};

// Entries that a warp has found and not yet put into the queue.
struct Stage {
  std::uint64_t* entries;                    // kStage of them, in shared memory
  unsigned count = 0;                        // the same in all lanes
};
inline constexpr unsigned kStage = 96;

__device__ inline void flush(const Job& job, Stage& stage, unsigned long long base, unsigned long long* counter) {
  if (stage.count == 0) return;
  __syncwarp();
  unsigned long long at = 0;
  if (lane() == 0) at = atomicAdd(counter, static_cast<unsigned long long>(stage.count));
  at = base + __shfl_sync(~0u, at, 0);
  for (unsigned i = lane(); i < stage.count; i += kWarp) job.queue[at + i] = stage.entries[i];
  __syncwarp();
  stage.count = 0;
}

// Appends the rows of vertices just found; a long one as many stretches. All lanes of the warp must come.
__device__ inline void append(const Job& job, bool mine, Vertex v, unsigned long long base, unsigned long long* counter, Stage& stage, Tally& tally) {
  if (!__any_sync(~0u, mine)) return;
  const EdgeOffset begin = mine ? job.graph.begin(v) : 0;
  const unsigned degree = mine ? job.graph.degree(v) : 0;
  if (mine) {
    tally.arcs += degree;
    ++tally.vertices;
  }
  const bool one = degree > 0 && degree <= kStretch;
  const unsigned ones = __ballot_sync(~0u, one);
  if (one) stage.entries[stage.count + __popc(ones & ((1u << lane()) - 1))] = stretch_of(begin, degree);
  stage.count += __popc(ones);
  for (unsigned waiting = __ballot_sync(~0u, degree > kStretch); waiting != 0; waiting &= waiting - 1) {
    const unsigned owner = __ffs(waiting) - 1;
    const EdgeOffset row = __shfl_sync(~0u, begin, owner);
    const unsigned length = __shfl_sync(~0u, degree, owner), count = (length - 1) / kStretch + 1;
    unsigned long long at = 0;
    if (lane() == 0) at = atomicAdd(counter, static_cast<unsigned long long>(count));
    at = base + __shfl_sync(~0u, at, 0);
    for (unsigned i = lane(); i < count; i += kWarp) job.queue[at + i] = stretch_of(row + EdgeOffset{i} * kStretch, min(kStretch, length - i * kStretch));
  }
  if (stage.count > kStage - kWarp) flush(job, stage, base, counter);
}

// Adds what the threads counted to the block's report, in shared memory.
__device__ inline void add_up(const Tally& tally, Found& found) {
  unsigned long long arcs = tally.arcs, looked_at = tally.looked_at;
  const unsigned vertices = __reduce_add_sync(~0u, tally.vertices);
  for (unsigned step = kWarp / 2; step > 0; step /= 2) {
    arcs += __shfl_down_sync(~0u, arcs, step);
    looked_at += __shfl_down_sync(~0u, looked_at, step);
  }
  if (lane() != 0 || (vertices == 0 && looked_at == 0)) return;
  atomicAdd(&found.arcs, arcs);
  atomicAdd(&found.looked_at, looked_at);
  atomicAdd(&found.vertices, vertices);
}

__device__ inline bool visit(const Job& job, Vertex u, Distance level) {
  const unsigned bit = 1u << u % 32;
  if ((job.visited[u / 32] & bit) != 0 || (atomicOr(&job.visited[u / 32], bit) & bit) != 0) return false;
  job.row[u] = level;
  return true;
}

// The warps of a team share the entries of a level. A warp takes up to 32 at a time and its lanes share their arcs evenly.
__device__ inline void push(const Job& job, const State& state, unsigned warp, unsigned warps, unsigned long long* counter, Stage& stage, Tally& tally) {
  const unsigned long long per_warp = min(static_cast<unsigned long long>(kWarp), (state.count + warps - 1) / warps);
  for (unsigned long long first = warp * per_warp; first < state.count; first += warps * per_warp) {
    const bool holds = lane() < per_warp && first + lane() < state.count;
    const std::uint64_t entry = holds ? job.queue[state.base + first + lane()] : 0;
    const unsigned length = static_cast<unsigned>(entry & 511), end = inclusive_sum(length), total = __shfl_sync(~0u, end, kWarp - 1);
    const EdgeOffset begin = entry >> 9;
    for (unsigned k = 0; k < total; k += kWarp) {
      const unsigned mine = min(k + lane(), total - 1);
      unsigned owner = 0;  // the first lane whose stretch ends beyond
      for (unsigned step = kWarp / 2; step > 0; step /= 2) {
        const unsigned ends = __shfl_sync(~0u, end, owner + step - 1);
        if (ends <= mine) owner += step;
      }
      const EdgeOffset row = __shfl_sync(~0u, begin, owner);
      const unsigned row_end = __shfl_sync(~0u, end, owner), row_length = __shfl_sync(~0u, length, owner);
      const bool here = k + lane() < total;
      const Vertex u = here ? job.graph.targets[row + (mine - (row_end - row_length))] : 0;
      append(job, here && visit(job, u, state.level + 1), u, state.base + state.count, counter, stage, tally);
    }
  }
  flush(job, stage, state.base + state.count, counter);
}

// Every vertex not reached looks for a neighbour in the frontier; a warp has 32 consecutive ones, whose bits are one word of each bitmap.
__device__ inline void pull(const Job& job, const State& state, unsigned warp, unsigned warps, Tally& tally) {
  const Vertex words = (job.graph.order + 31) / 32;
  for (Vertex w = warp; w < words; w += warps) {
    const Vertex v = w * 32 + lane();
    const unsigned visited = job.visited[w];
    const bool wants = v < job.graph.order && (visited >> lane() & 1) == 0;
    if (!__any_sync(~0u, wants)) {
      if (lane() == 0) job.next[w] = 0;
      continue;
    }
    const EdgeOffset begin = wants ? job.graph.begin(v) : 0;
    const Vertex degree = wants ? job.graph.degree(v) : 0;
    bool reached = false;
    const Vertex alone = min(degree, kAlone);
    Vertex i = 0;
    for (; i < alone && !reached; ++i) {
      const Vertex u = job.graph.targets[begin + i];
      reached = (job.frontier[u / 32] >> u % 32 & 1) != 0;
    }
    tally.looked_at += i;
    for (unsigned waiting = __ballot_sync(~0u, !reached && degree > kAlone); waiting != 0; waiting &= waiting - 1) {
      const unsigned owner = __ffs(waiting) - 1;
      const EdgeOffset row = __shfl_sync(~0u, begin, owner);
      const Vertex length = __shfl_sync(~0u, degree, owner);
      bool hit = false;
      for (Vertex k = kAlone; k < length && !hit; k += kWarp) {
        const Vertex u = k + lane() < length ? job.graph.targets[row + k + lane()] : 0;
        hit = __any_sync(~0u, k + lane() < length && (job.frontier[u / 32] >> u % 32 & 1) != 0);
        if (lane() == 0) tally.looked_at += kWarp;
      }
      if (lane() == owner) reached = hit;
    }
    if (reached) {
      job.row[v] = state.level + 1;
      tally.arcs += degree;
      ++tally.vertices;
    }
    const unsigned fresh_bits = __ballot_sync(~0u, reached);
    if (lane() == 0) {
      job.next[w] = fresh_bits;
      if (fresh_bits != 0) job.visited[w] = visited | fresh_bits;
    }
  }
}

// From the queue's frontier to the bitmap's: the new vertices are those of the last level.
__device__ inline void mark_frontier(const Job& job, const State& state, std::size_t thread, std::size_t threads) {
  const Vertex words = (job.graph.order + 31) / 32;
  for (std::size_t v = thread; v < std::size_t{words} * 32; v += threads) {
    const unsigned bits = __ballot_sync(~0u, v < job.graph.order && job.row[v] == state.level);
    if (v % 32 == 0) job.frontier[v / 32] = bits;
  }
}

// And back: the frontier's rows enter the queue.
__device__ inline void queue_frontier(const Job& job, unsigned warp, unsigned warps, unsigned long long base, unsigned long long* counter, Stage& stage) {
  const Vertex words = (job.graph.order + 31) / 32;
  Tally known;
  for (Vertex w = warp; w < words; w += warps) append(job, (job.frontier[w] >> lane() & 1) != 0, w * 32 + lane(), base, counter, stage, known);
  flush(job, stage, base, counter);
}

}  // namespace antipode::cuda
