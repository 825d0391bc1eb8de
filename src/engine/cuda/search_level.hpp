// One level of a search by many warps: pushed from a queue, or pulled over bitmaps; and the frontier from one form to the other.
// What the warps of a grid and those of a single block do alike.
#pragma once

#include "engine/cuda/traversal.hpp"
#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

inline constexpr unsigned kStretch = 128;          // arcs of a queue entry; a longer row has several
inline constexpr Vertex kAlone = 32;               // arcs of a row that one thread looks at in a pull before its warp helps
inline constexpr Vertex kHugeRow = 2048;           // rows that are left to a whole block
inline constexpr unsigned kNobody = kNoVertex;

// Counted by a thread, then by its block. A thread counts at most kMostArcs arcs: they only help to decide how to go on.
struct Tally {
  static constexpr unsigned kMostArcs = 1 << 21;
  unsigned vertices = 0, arcs = 0, looked_at = 0;  // found, of those found, and looked at in a pull
  Vertex least = kNoVertex;                        // of the vertices found

  __device__ void found(Vertex v, Vertex degree) {
    ++vertices;
    arcs = min(arcs + min(degree, kMostArcs), kMostArcs);
    least = min(least, v);
  }
};

// What a level found, by all.
struct Found {
  unsigned long long entries, arcs, looked_at;     // entries: in the queue, after a push; huge rows left for later, after a pull
  Vertex vertices, least;
};

struct SearchJob {
  GraphView graph, into;                           // rows that leave, for pushes, and rows that enter, for pulls
  Distance* row;
  std::uint64_t* queue;
  unsigned* marks;                                 // two bitmaps, see below
  Vertex* huge;                                    // room for those with huge rows
  Vertex* level_sizes;
  struct SearchControl* control;
  struct SearchAnswer* answer;                     // in the host's memory
  TraversalTuning tuning;
  Distance limit;                                  // farther ones are not wanted
  bool may_pull;
  unsigned source_count;
  Vertex sources[Traversal::kMostSources];         // all different
};

// Who is reached, and who was a level earlier (while pulling).
struct Marks {
  unsigned *seen, *before;
};

__device__ inline bool is_in(const unsigned* bitmap, Vertex v) { return (bitmap[v / 32] >> v % 32 & 1) != 0; }

// The block adds up what its threads counted.
__device__ inline void add_up(const Tally& tally, Tally& report) {
  const unsigned vertices = __reduce_add_sync(~0u, tally.vertices), looked_at = __reduce_add_sync(~0u, tally.looked_at);
  if (vertices == 0 && looked_at == 0) return;
  const unsigned arcs = __reduce_add_sync(~0u, tally.arcs), least = __reduce_min_sync(~0u, tally.least);
  if (lane() != 0) return;
  atomicAdd(&report.vertices, vertices);
  atomicAdd(&report.looked_at, looked_at);
  atomicAdd(&report.arcs, arcs);
  atomicMin(&report.least, least);
}

// An entry of a queue: where a stretch of arcs begins, and how many there are.
struct Stretch {
  EdgeOffset begin;
  unsigned length;
  __device__ std::uint64_t packed() const { return begin << 9 | length; }
  __device__ static Stretch of(std::uint64_t packed) { return {packed >> 9, static_cast<unsigned>(packed & 511)}; }
};
__device__ inline unsigned stretches_of(Vertex degree) { return (degree + kStretch - 1) / kStretch; }
__device__ inline Stretch stretch_of(const GraphView::Row& row, unsigned i) { return {row.begin + EdgeOffset{i} * kStretch, min(kStretch, row.degree - i * kStretch)}; }

// Levels one behind the other in the GPU's memory, for all blocks.
struct GridQueue {
  static constexpr bool kThin = false;
  std::uint64_t *now, *next;
  unsigned long long count;                        // of this level
  unsigned long long* found;                       // of the next one
  __device__ std::uint64_t get(unsigned long long i) const { return now[i]; }
  __device__ unsigned long long reserve(unsigned entries) const { return atomicAdd(found, static_cast<unsigned long long>(entries)); }
  __device__ void put(unsigned long long i, Stretch stretch) const { next[i] = stretch.packed(); }
};

// Two levels in the shared memory of one block. What does not fit spills into the GPU's.
struct BlockQueue {
  static constexpr bool kThin = true;
  static constexpr unsigned kRoom = 2048;
  std::uint64_t *now, *next, *spill;
  unsigned count;
  unsigned* found;
  __device__ std::uint64_t get(unsigned i) const { return now[i]; }
  __device__ unsigned reserve(unsigned entries) const { return atomicAdd(found, entries); }
  __device__ void put(unsigned i, Stretch stretch) const { (i < kRoom ? next : spill)[i] = stretch.packed(); }
};

// Appends the rows of vertices just found. All lanes of the warp must come.
template <unsigned kOffers, class Queue>
__device__ void append(const bool (&mine)[kOffers], const GraphView::Row (&rows)[kOffers], const Queue& queue) {
  constexpr unsigned kByOne = 4;                   // longer rows are entered by the whole warp
  unsigned count = 0;
  for (unsigned k = 0; k < kOffers; ++k) count += mine[k] ? stretches_of(rows[k].degree) : 0;
  const unsigned end = inclusive_sum(count), total = __shfl_sync(~0u, end, kWarp - 1);
  if (total == 0) return;
  auto at = queue.count;
  if (lane() == 0) at = queue.reserve(total);
  at = __shfl_sync(~0u, at, 0) + end - count;
  for (unsigned k = 0; k < kOffers; ++k) {
    const unsigned mine_here = mine[k] ? stretches_of(rows[k].degree) : 0;
    if (mine_here <= kByOne)
      for (unsigned i = 0; i < mine_here; ++i) queue.put(at + i, stretch_of(rows[k], i));
    for (unsigned waiting = __ballot_sync(~0u, mine_here > kByOne); waiting != 0; waiting &= waiting - 1) {
      const unsigned owner = __ffs(waiting) - 1;
      const GraphView::Row row{__shfl_sync(~0u, rows[k].begin, owner), __shfl_sync(~0u, rows[k].degree, owner)};
      const auto first = __shfl_sync(~0u, at, owner);
      for (unsigned i = lane(); i < stretches_of(row.degree); i += kWarp) queue.put(first + i, stretch_of(row, i));
    }
    at += mine_here;
  }
}

// How a search finds out whether a vertex is new, and makes it its own. What a wave does instead is in waves.cu.
struct Reaching {
  GraphView graph;
  Distance* row;
  unsigned* seen;
  __device__ bool is_open(Vertex u, Distance) const { return !is_in(seen, u); }
  __device__ bool claim(Vertex u, Distance level) const {
    if ((atomicOr(&seen[u / 32], 1u << u % 32) >> u % 32 & 1) != 0) return false;
    row[u] = level;
    return true;
  }
};

// Each lane offers some vertices; those that are new enter the queue. All lanes of the warp must come.
template <unsigned kOffers, class Claims, class Queue>
__device__ void offer(const Claims& claims, Distance level, const Vertex (&u)[kOffers], const Queue& queue, Tally& tally) {
  bool mine[kOffers];
  GraphView::Row rows[kOffers];
  if constexpr (Queue::kThin) {                    // nobody else is waiting for the memory: ask for everything at once
    for (unsigned k = 0; k < kOffers; ++k) rows[k] = u[k] != kNobody ? claims.graph.row(u[k]) : GraphView::Row{0, 0};
    for (unsigned k = 0; k < kOffers; ++k) mine[k] = u[k] != kNobody && claims.claim(u[k], level);
  } else {
    for (unsigned k = 0; k < kOffers; ++k) mine[k] = u[k] != kNobody && claims.is_open(u[k], level);
    for (unsigned k = 0; k < kOffers; ++k) mine[k] = mine[k] && claims.claim(u[k], level);
    for (unsigned k = 0; k < kOffers; ++k) rows[k] = mine[k] ? claims.graph.row(u[k]) : GraphView::Row{0, 0};
  }
  for (unsigned k = 0; k < kOffers; ++k)
    if (mine[k]) tally.found(u[k], rows[k].degree);
  append(mine, rows, queue);
}

// Few entries: an entry has one warp or several.
template <unsigned kOffers, class Claims, class Queue>
__device__ void push_few(const Claims& claims, Distance level, const Queue& queue, unsigned warp, unsigned warps, Tally& tally) {
  const unsigned share = min(warps / static_cast<unsigned>(queue.count), kStretch / kWarp), which = warp / share;
  if (which >= queue.count) return;
  const Stretch mine = Stretch::of(queue.get(which));
  const unsigned step = share * kWarp;
  for (unsigned first = warp % share * kWarp; first < mine.length; first += step * kOffers) {
    Vertex u[kOffers];
    for (unsigned k = 0; k < kOffers; ++k) {
      const unsigned i = first + k * step + lane();
      u[k] = i < mine.length ? claims.graph.targets[mine.begin + i] : kNobody;
    }
    offer(claims, level, u, queue, tally);
  }
}

// Many entries: a warp takes up to 32 at a time and its lanes share their arcs evenly. Neighbours in the queue go to different warps:
// the stretches of a hub are neighbours.
template <unsigned kOffers, class Claims, class Queue>
__device__ void push_many(const Claims& claims, Distance level, const Queue& queue, unsigned warp, unsigned warps, Tally& tally) {
  const auto stride = static_cast<decltype(queue.count)>(warps) * kWarp;
  for (auto first = static_cast<decltype(queue.count)>(warp); first < queue.count; first += stride) {
    const auto which = first + static_cast<decltype(queue.count)>(warps) * lane();
    const Stretch mine = Stretch::of(which < queue.count ? queue.get(which) : 0);
    const unsigned end = inclusive_sum(mine.length), total = __shfl_sync(~0u, end, kWarp - 1);
    const EdgeOffset shifted = mine.begin - (end - mine.length);  // the i-th arc of all lies at shifted + i of its owner
    for (unsigned begin = 0; begin < total; begin += kWarp * kOffers) {
      Vertex u[kOffers];
      for (unsigned k = 0; k < kOffers; ++k) {
        u[k] = kNobody;
        if (begin + k * kWarp >= total) continue;  // for all lanes alike
        const unsigned i = begin + k * kWarp + lane();
        unsigned owner = 0;                        // the first lane whose stretch ends beyond
        for (unsigned step = kWarp / 2; step > 0; step /= 2)
          if (__shfl_sync(~0u, end, owner + step - 1) <= i) owner += step;
        const EdgeOffset where = __shfl_sync(~0u, shifted, owner) + i;
        if (i < total) u[k] = claims.graph.targets[where];
      }
      offer(claims, level, u, queue, tally);
    }
  }
}

template <unsigned kOffers, class Claims, class Queue>
__device__ void push(const Claims& claims, Distance level, const Queue& queue, unsigned warp, unsigned warps, Tally& tally) {
  if (queue.count == 0) return;
  if (queue.count <= warps) {
    push_few<kOffers>(claims, level, queue, warp, warps, tally);
  } else {
    push_many<kOffers>(claims, level, queue, warp, warps, tally);
  }
}

// The rest of a row, beyond the first four: has it somebody in the bitmap? All lanes must come; those that do not ask bring an empty row.
__device__ inline bool meets(const SearchJob& job, const unsigned* bitmap, const GraphView::Row& row, Tally& tally) {
  bool hit = false;
  Vertex i = 4;
  for (const Vertex alone = min(row.degree, kAlone); i < alone && !hit; i += 4) {
    Vertex u[4];
    for (unsigned k = 0; k < 4; ++k) u[k] = job.into.targets[row.begin + min(i + k, row.degree - 1)];
    for (unsigned k = 0; k < 4; ++k) hit |= is_in(bitmap, u[k]);
    tally.looked_at += 4;
  }
  for (unsigned waiting = __ballot_sync(~0u, !hit && i < row.degree && row.degree <= kHugeRow); waiting != 0; waiting &= waiting - 1) {
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

// Some words of the bitmap, 32 vertices each, at once: every vertex not reached looks for a neighbour that was.
template <unsigned kWords>
__device__ void pull_words(const SearchJob& job, const Marks& marks, Distance level, const std::size_t (&w)[kWords], const unsigned (&seen)[kWords], unsigned long long* huge, Tally& tally) {
  uint4 head[kWords];
  bool wants[kWords], hit[kWords];
  for (unsigned k = 0; k < kWords; ++k) {
    const std::size_t v = w[k] * 32 + lane();
    wants[k] = v < job.graph.order && (seen[k] >> lane() & 1) == 0;
    if (wants[k]) head[k] = __ldcs(&job.into.heads[v]);
  }
  for (unsigned k = 0; k < kWords; ++k) {
    hit[k] = wants[k] && (is_in(marks.seen, head[k].x) | is_in(marks.seen, head[k].y) | is_in(marks.seen, head[k].z) | is_in(marks.seen, head[k].w));
    if (wants[k]) tally.looked_at += 4;
  }
  for (unsigned k = 0; k < kWords; ++k) {
    const Vertex v = static_cast<Vertex>(w[k] * 32 + lane());
    const bool on = wants[k] && !hit[k] && head[k].w != v;  // the row goes on
    if (__any_sync(~0u, on)) {
      const GraphView::Row row = on ? job.into.row(v) : GraphView::Row{0, 0};
      hit[k] |= meets(job, marks.seen, row, tally);
      if (!hit[k] && row.degree > kHugeRow) job.huge[atomicAdd(huge, 1ull)] = v;
    }
    if (hit[k]) {
      job.row[v] = level;
      tally.found(v, 0);
    }
    const unsigned found = __ballot_sync(~0u, hit[k]);
    if (lane() == 0 && seen[k] != ~0u) marks.before[w[k]] = seen[k] | found;
  }
}

// Whoever finds a neighbour that is reached has found one of the frontier. Reads the seen, and writes all of the other bitmap.
__device__ inline void pull(const SearchJob& job, const Marks& marks, Distance level, unsigned warp, unsigned warps, unsigned long long* huge, Tally& tally) {
  constexpr unsigned kAtOnce = 8, kTogether = 2;
  const std::size_t words = (std::size_t{job.graph.order} + 31) / 32;
  for (std::size_t first = std::size_t{warp} * kAtOnce; first < words; first += std::size_t{warps} * kAtOnce) {
    const bool mine = lane() < kAtOnce && first + lane() < words;
    const unsigned seen = mine ? marks.seen[first + lane()] : ~0u;
    if (mine && seen == ~0u) marks.before[first + lane()] = seen;
    for (unsigned waiting = __ballot_sync(~0u, seen != ~0u); waiting != 0;) {
      std::size_t w[kTogether];
      unsigned bits[kTogether];
      for (unsigned k = 0; k < kTogether; ++k) {
        const unsigned owner = waiting != 0 ? __ffs(waiting) - 1 : kWarp - 1;  // the last lane holds nothing to do
        w[k] = first + owner;
        bits[k] = __shfl_sync(~0u, seen, owner);
        waiting &= waiting - 1;
      }
      pull_words(job, marks, level, w, bits, huge, tally);
    }
  }
}

// The rows that a pull has left, by blocks.
__device__ inline void pull_huge(const SearchJob& job, const Marks& marks, Distance level, const unsigned long long* waiting, Tally& tally) {
  __shared__ unsigned long long count;
  if (threadIdx.x == 0) count = fresh(waiting);
  __syncthreads();
  for (unsigned long long i = blockIdx.x; i < count; i += gridDim.x) {
    const Vertex v = job.huge[i];
    const GraphView::Row row = job.into.row(v);
    bool hit = false;
    for (Vertex k = kAlone; k < row.degree && !hit; k += 4 * blockDim.x) {
      bool mine = false;
      for (unsigned j = 0; j < 4; ++j) mine |= is_in(marks.seen, job.into.targets[row.begin + min(k + j * blockDim.x + threadIdx.x, row.degree - 1)]);
      hit = __syncthreads_or(mine);
      tally.looked_at += 4;
    }
    if (!hit || threadIdx.x != 0) continue;
    job.row[v] = level;
    atomicOr(&marks.before[v / 32], 1u << v % 32);
    tally.found(v, 0);
  }
}

// The frontier of a pull enters the queue.
__device__ inline void queue_frontier(const SearchJob& job, const Marks& marks, const GridQueue& queue, unsigned warp, unsigned warps, Tally& tally) {
  const Vertex words = (job.graph.order + 31) / 32;
  for (std::size_t first = std::size_t{warp} * kWarp; first < words; first += std::size_t{warps} * kWarp) {
    const std::size_t w = first + lane();
    const unsigned bits = w < words ? marks.seen[w] & ~marks.before[w] : 0;
    for (unsigned waiting = __ballot_sync(~0u, bits != 0); waiting != 0; waiting &= waiting - 1) {
      const unsigned owner = __ffs(waiting) - 1;
      const Vertex v = static_cast<Vertex>((first + owner) * 32 + lane());
      const bool mine[1] = {(__shfl_sync(~0u, bits, owner) >> lane() & 1) != 0};
      const GraphView::Row row[1] = {mine[0] ? job.graph.row(v) : GraphView::Row{0, 0}};
      if (mine[0]) tally.found(v, row[0].degree);
      append(mine, row, queue);
    }
  }
}

}  // namespace antipode::cuda
