// One level of a search by many warps, pulled over bitmaps: every vertex not reached looks for a neighbour that was. And the frontier of such a
// level on its way into the queue.
#pragma once

#include "engine/cuda/search_level.hpp"

namespace antipode::cuda {

inline constexpr Vertex kAlone = 32;               // arcs of a row that one thread looks at before its warp helps
inline constexpr Vertex kManyMarks = 1'000'000;    // of so many vertices the marks do not fit a block's cache
inline constexpr unsigned kPullTogether = 2;       // words of the bitmap that a warp goes through at the same time

__device__ inline bool meets(const unsigned* bitmap, const uint4& four) { return is_in(bitmap, four.x) | is_in(bitmap, four.y) | is_in(bitmap, four.z) | is_in(bitmap, four.w); }

// Has the row somebody in the bitmap, beyond the first kAlone? All lanes must come; those that do not ask bring an empty row.
__device__ inline bool rest_meets(const SearchJob& job, const unsigned* bitmap, const GraphView::Row& row, Tally& tally) {
  bool hit = false;
  for (unsigned waiting = __ballot_sync(~0u, row.degree > kAlone); waiting != 0; waiting &= waiting - 1) {
    const unsigned owner = __ffs(waiting) - 1;
    const GraphView::Row its{__shfl_sync(~0u, row.begin, owner), __shfl_sync(~0u, row.degree, owner)};
    bool ours = false;
    for (Vertex k = kAlone; k < its.degree && !ours; k += kWarp) {
      ours = __any_sync(~0u, is_in(bitmap, job.into.targets[its.begin + min(k + lane(), its.degree - 1)]));
      ++tally.looked_at;
    }
    if (lane() == owner) hit = ours;
  }
  return hit;
}

// Some words of the bitmap, 32 vertices each, at once: every vertex not reached looks for a neighbour that was, first among four, then four by
// four. What is asked of the memory is asked for all words before the first answer is looked at.
template <unsigned kWords>
__device__ void pull_words(const SearchJob& job, const Marks& marks, Distance level, const std::size_t (&w)[kWords], const unsigned (&seen)[kWords], Tally& tally) {
  uint4 four[kWords];
  bool wants[kWords], hit[kWords];
  for (unsigned k = 0; k < kWords; ++k) {
    const std::size_t v = w[k] * 32 + lane();
    wants[k] = v < job.graph.order && (seen[k] >> lane() & 1) == 0;
    if (wants[k]) four[k] = __ldcs(&job.into.heads[v]);
  }
  for (unsigned k = 0; k < kWords; ++k)
    if (!wants[k]) four[k] = {0, 0, 0, 0};
  if (job.graph.order < kManyMarks) {
    for (unsigned k = 0; k < kWords; ++k) hit[k] = wants[k] & meets(marks.seen, four[k]);
  } else {                                         // the first alone, which is the likeliest: every look costs
    for (unsigned k = 0; k < kWords; ++k) hit[k] = wants[k] & is_in(marks.seen, four[k].x);
    for (unsigned k = 0; k < kWords; ++k)
      if (wants[k] && !hit[k]) hit[k] = is_in(marks.seen, four[k].y) | is_in(marks.seen, four[k].z) | is_in(marks.seen, four[k].w);
  }
  for (unsigned k = 0; k < kWords; ++k) tally.looked_at += wants[k] ? 4 : 0;
  GraphView::Row rows[kWords];
  for (unsigned k = 0; k < kWords; ++k) {
    const Vertex v = static_cast<Vertex>(w[k] * 32 + lane());
    const bool on = wants[k] && !hit[k] && four[k].w != v;  // the row goes on
    rows[k] = on ? GraphView::short_row(job.into.rows[v]) : GraphView::Row{0, 0};
  }
  for (Vertex i = 4; i < kAlone; i += 4) {
    bool more = false;
    for (unsigned k = 0; k < kWords; ++k) more |= i < rows[k].degree;
    if (!__any_sync(~0u, more)) break;
    for (unsigned k = 0; k < kWords; ++k) four[k] = i < rows[k].degree ? job.into.quads(rows[k])[i / 4] : uint4{0, 0, 0, 0};
    for (unsigned k = 0; k < kWords; ++k) {
      const bool looks = i < rows[k].degree, met = looks & meets(marks.seen, four[k]);
      tally.looked_at += looks ? 4 : 0;
      hit[k] |= met;
      if (met) rows[k].degree = 0;
    }
  }
  for (unsigned k = 0; k < kWords; ++k) {
    const Vertex v = static_cast<Vertex>(w[k] * 32 + lane());
    hit[k] |= rest_meets(job, marks.seen, rows[k], tally);
    if (hit[k]) {
      job.row[v] = level;
      tally.found(v, 0);
    }
    const unsigned found = __ballot_sync(~0u, hit[k]);
    if (lane() != 0 || seen[k] == ~0u) continue;
    if (job.huge_count == 0) {
      marks.before[w[k]] = seen[k] | found;
    } else {
      atomicOr(&marks.before[w[k]], seen[k] | found);  // a block may have found one with a huge row there; what was there before is seen
    }
  }
}

// Whoever finds a neighbour that is reached has found one of the frontier. Reads the seen, and writes all of the other bitmap.
__device__ inline void pull(const SearchJob& job, const Marks& marks, Distance level, unsigned warp, unsigned warps, Tally& tally) {
  constexpr unsigned kMostAtOnce = 8;
  const std::size_t words = (std::size_t{job.graph.order} + 31) / 32;
  const unsigned at_once = words < 2 * kMostAtOnce * std::size_t{warps} ? kPullTogether : kMostAtOnce;  // all warps have something to do
  for (std::size_t first = std::size_t{warp} * at_once; first < words; first += std::size_t{warps} * at_once) {
    const bool mine = lane() < at_once && first + lane() < words;
    const unsigned seen = mine ? marks.seen[first + lane()] : ~0u;
    if (mine && seen == ~0u) marks.before[first + lane()] = seen;
    for (unsigned waiting = __ballot_sync(~0u, seen != ~0u); waiting != 0;) {
      std::size_t w[kPullTogether];
      unsigned bits[kPullTogether];
      for (unsigned k = 0; k < kPullTogether; ++k) {
        const unsigned owner = waiting != 0 ? __ffs(waiting) - 1 : kWarp - 1;  // the last lane holds nothing to do
        w[k] = first + owner;
        bits[k] = __shfl_sync(~0u, seen, owner);
        waiting &= waiting - 1;
      }
      pull_words(job, marks, level, w, bits, tally);
    }
  }
}

// The huge rows: a warp looks at the beginning of one, which nearly always is enough, and its block at the rest. Nobody else looks at them:
// the heads of their vertices are empty.
__device__ inline void pull_huge(const SearchJob& job, const Marks& marks, Distance level, unsigned warp, unsigned warps, Tally& tally) {
  constexpr unsigned kAtOnce = 4;
  __shared__ Vertex left[kWarp];                   // as many as a block has warps, at most
  __shared__ unsigned left_count;
  const auto some_meet = [&](const GraphView::Row& row, Vertex from, Vertex step) {
    bool hit = false;
    for (unsigned k = 0; k < kAtOnce; ++k) hit |= is_in(marks.seen, job.into.targets[row.begin + min(from + k * step, row.degree - 1)]);
    tally.looked_at += kAtOnce;
    return hit;
  };
  const auto enter = [&](Vertex v) {
    job.row[v] = level;
    atomicOr(&marks.before[v / 32], 1u << v % 32);
    tally.found(v, 0);
  };
  for (Vertex first = 0; first < job.huge_count; first += warps) {
    if (threadIdx.x == 0) left_count = 0;
    __syncthreads();
    if (first + warp < job.huge_count) {
      const Vertex v = job.huge[first + warp];
      if (!is_in(marks.seen, v)) {
        const bool hit = __any_sync(~0u, some_meet(job.into.row(v), lane(), kWarp));
        if (lane() == 0 && hit) enter(v);
        if (lane() == 0 && !hit) left[atomicAdd(&left_count, 1u)] = v;
      }
    }
    __syncthreads();
    for (unsigned i = 0; i < left_count; ++i) {
      const GraphView::Row row = job.into.row(left[i]);
      bool hit = false;
      for (Vertex k = kAtOnce * kWarp; k < row.degree && !hit; k += kAtOnce * blockDim.x) hit = __syncthreads_or(some_meet(row, k + threadIdx.x, blockDim.x));
      if (hit && threadIdx.x == 0) enter(left[i]);
    }
    __syncthreads();
  }
}

// The frontier of a pull enters the queue. Neighbouring words go to different warps: each has few to go through.
template <class Queue>
__device__ void queue_frontier(const SearchJob& job, const Marks& marks, const Queue& queue, unsigned warp, unsigned warps, Tally& tally) {
  const std::size_t words = (std::size_t{job.graph.order} + 31) / 32;
  for (std::size_t first = warp; first < words; first += std::size_t{warps} * kWarp) {
    const std::size_t w = first + std::size_t{warps} * lane();
    const unsigned bits = w < words ? marks.seen[w] & ~marks.before[w] : 0;
    for (unsigned waiting = __ballot_sync(~0u, bits != 0); waiting != 0; waiting &= waiting - 1) {
      const unsigned owner = __ffs(waiting) - 1;
      const Vertex v = static_cast<Vertex>((first + std::size_t{warps} * owner) * 32 + lane());
      const bool mine = (__shfl_sync(~0u, bits, owner) >> lane() & 1) != 0;
      const std::uint64_t packed = mine ? job.graph.rows[v] : 0;
      if (mine) tally.found(v, GraphView::short_row(packed).degree);
      append<1>(job.graph, {v}, {packed}, queue);
    }
  }
}

}  // namespace antipode::cuda
