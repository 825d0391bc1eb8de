// One level of a search by many warps, pushed from a queue: what the warps of a grid and those of a
// single block do alike. Levels that are pulled are in pull_level.hpp.
#pragma once

#include "engine/cuda/device/bitmap.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/layout/search_result.hpp"
#include "engine/cuda/search/grid/tuning.hpp"

namespace antipode::cuda {

inline constexpr unsigned kChunkArcs = 128;  // arcs of a queue entry; a longer row has several

// Counted by a thread, then by its block. A thread counts at most kMostArcs arcs: they only help to
// decide how to go on.
struct LevelCount {
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
  unsigned long long entries, arcs, looked_at;  // entries: in the queue, after a push
  Vertex vertices, least;
};

struct SearchJob {
  GraphView graph, into;  // rows that leave, for pushes, and rows that enter, for pulls
  Distance* row;
  std::uint64_t* queue;
  unsigned* marks;   // two bitmaps, see below
  uint4* scattered;  // one for each block; null: levels are not scattered
  Vertex* level_sizes;
  struct SearchControl* control;
  SearchAnswer* answer;                 // in the host's memory
  Signal signal;                        // that it is there
  float mean_degree, neighbour_degree;  // of all vertices, and of those at the ends of arcs
  Distance limit;                       // farther ones are not wanted
  bool may_pull;
  unsigned source_count;
  Vertex sources[kMostStarts];  // all different
};

// Who is reached, and who was a level earlier (while pulling).
struct Marks {
  unsigned *seen, *before;
};

// The block adds up what its threads counted.
__device__ inline void add_up(const LevelCount& tally, LevelCount& report) {
  const unsigned vertices = __reduce_add_sync(~0u, tally.vertices),
                 looked_at = __reduce_add_sync(~0u, tally.looked_at);
  if (vertices == 0 && looked_at == 0) return;
  const unsigned arcs = __reduce_add_sync(~0u, tally.arcs),
                 least = __reduce_min_sync(~0u, tally.least);
  if (lane() != 0) return;
  atomicAdd(&report.vertices, vertices);
  atomicAdd(&report.looked_at, looked_at);
  atomicAdd(&report.arcs, arcs);
  atomicMin(&report.least, least);
}

// An entry of a queue: where a stretch of arcs begins, and how many there are.
struct AdjacencyChunk {
  EdgeOffset begin;
  unsigned length;
  __device__ std::uint64_t packed() const { return begin << 9 | length; }
  __device__ static AdjacencyChunk of(std::uint64_t packed) {
    return {packed >> 9, static_cast<unsigned>(packed & 511)};
  }
};
__device__ inline unsigned chunks_of(Vertex degree) {
  return (degree + kChunkArcs - 1) / kChunkArcs;
}
__device__ inline AdjacencyChunk chunk_of(const GraphView::Range& row, unsigned i) {
  return {row.begin + EdgeOffset{i} * kChunkArcs, min(kChunkArcs, row.degree - i * kChunkArcs)};
}

// Levels one behind the other in the GPU's memory, for all blocks.
struct GridQueue {
  using Place = unsigned long long;
  static constexpr bool kThin = false;
  std::uint64_t *now, *next;
  unsigned long long count;   // of this level
  unsigned long long* found;  // of the next one
  __device__ std::uint64_t get(unsigned long long i) const { return now[i]; }
  __device__ Place reserve(unsigned entries) const {
    return atomicAdd(found, static_cast<unsigned long long>(entries));
  }
  __device__ void put(Place place, unsigned i, AdjacencyChunk stretch) const {
    next[place + i] = stretch.packed();
  }
};

// The same for few entries, whose warps have the memory for themselves.
struct ThinGridQueue : GridQueue {
  static constexpr bool kThin = true;
};

// The same, but what a block has found waits in its shared memory until the level is over: where
// thousands of warps make room for their finds at the same address, each waits for all before
// it, 1.5 ns a warp. What finds no room there goes straight to the others'.
struct GatheringQueue {
  struct Place {
    unsigned here;
    unsigned long long beyond;  // where its entries lie that do not fit here, less their number
  };
  static constexpr bool kThin = false;
  static constexpr unsigned kRoom = 8192;
  GridQueue all;
  std::uint64_t* waiting;  // in shared memory
  unsigned* waiting_count;
  unsigned long long count = all.count;
  __device__ std::uint64_t get(unsigned long long i) const { return all.get(i); }
  __device__ Place reserve(unsigned entries) const {
    const unsigned here = atomicAdd(waiting_count, entries), end = here + entries,
                   fits = max(here, kRoom);
    return {here, end <= kRoom ? 0 : all.reserve(end - fits) - fits};
  }
  __device__ void put(Place place, unsigned i, AdjacencyChunk stretch) const {
    const unsigned at = place.here + i;
    if (at < kRoom) {
      waiting[at] = stretch.packed();
    } else {
      all.put(place.beyond, at, stretch);
    }
  }
  // After the level, and a barrier of the block, by all its threads.
  __device__ void hand_over() const {
    __shared__ unsigned long long place;
    const unsigned entries = min(*waiting_count, kRoom);
    if (threadIdx.x == 0 && entries > 0) place = all.reserve(entries);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < entries; i += blockDim.x) all.next[place + i] = waiting[i];
    if (threadIdx.x == 0) *waiting_count = 0;  // for the next level
  }
};

// Nobody enters the next level's queue: it is likely to be pulled.
struct MarksAlone : GridQueue {};

// Two levels in the shared memory of one block. What does not fit spills into the GPU's.
struct BlockQueue {
  using Place = unsigned;
  static constexpr bool kThin = true;
  static constexpr unsigned kRoom = 2048;
  std::uint64_t *now, *next, *spill;
  unsigned count;
  unsigned* found;
  __device__ std::uint64_t get(unsigned i) const { return now[i]; }
  __device__ Place reserve(unsigned entries) const { return atomicAdd(found, entries); }
  __device__ void put(Place place, unsigned i, AdjacencyChunk stretch) const {
    (place + i < kRoom ? next : spill)[place + i] = stretch.packed();
  }
};

// What the lane holds, to all.
__device__ inline unsigned of_lane(unsigned lane, unsigned value) {
  return __shfl_sync(~0u, value, lane);
}
__device__ inline unsigned long long of_lane(unsigned lane, unsigned long long value) {
  return __shfl_sync(~0u, value, lane);
}
__device__ inline GatheringQueue::Place of_lane(unsigned lane, GatheringQueue::Place place) {
  return {of_lane(lane, place.here), of_lane(lane, place.beyond)};
}

// Appends the rows of vertices just found, as `graph.rows` says where they are; 0 where there is
// none. All lanes of the warp must come.
template <unsigned kOffers, class Queue>
__device__ void append(const GraphView& graph, const Vertex (&u)[kOffers],
                       const std::uint64_t (&packed)[kOffers], const Queue& queue) {
  constexpr unsigned kByOne = 4;  // longer rows are entered by the whole warp
  Vertex longest = 0;
  for (unsigned k = 0; k < kOffers; ++k)
    longest = max(longest, GraphView::short_row(packed[k]).degree);
  if (!__any_sync(~0u, longest != 0)) return;
  typename Queue::Place place{};
  if (!__any_sync(~0u, longest > kChunkArcs)) {  // one entry each, as nearly always
    unsigned ones[kOffers], total = 0;
    for (unsigned k = 0; k < kOffers; ++k)
      total += __popc(ones[k] = __ballot_sync(~0u, GraphView::short_row(packed[k]).degree != 0));
    if (lane() == 0) place = queue.reserve(total);
    place = of_lane(0, place);
    unsigned first = 0;
    for (unsigned k = 0; k < kOffers; ++k) {
      if ((ones[k] >> lane() & 1) != 0)
        queue.put(place, first + __popc(ones[k] & ((1u << lane()) - 1)),
                  chunk_of(GraphView::short_row(packed[k]), 0));
      first += __popc(ones[k]);
    }
    return;
  }
#pragma unroll  // or what a lane holds would have to lie in memory
  for (unsigned k = 0; k < kOffers; ++k) {
    const GraphView::Range row =
        packed[k] != 0 ? graph.row(u[k], packed[k]) : GraphView::Range{0, 0};
    const unsigned mine = chunks_of(row.degree), end = inclusive_sum(mine),
                   total = __shfl_sync(~0u, end, kWarp - 1);
    if (total == 0) continue;
    if (lane() == 0) place = queue.reserve(total);
    place = of_lane(0, place);
    const unsigned at = end - mine;
    if (mine <= kByOne)
      for (unsigned i = 0; i < mine; ++i) queue.put(place, at + i, chunk_of(row, i));
    for (unsigned waiting = __ballot_sync(~0u, mine > kByOne); waiting != 0;
         waiting &= waiting - 1) {
      const unsigned owner = __ffs(waiting) - 1;
      const GraphView::Range its{__shfl_sync(~0u, row.begin, owner),
                                 __shfl_sync(~0u, row.degree, owner)};
      const unsigned first = __shfl_sync(~0u, at, owner);
      for (unsigned i = lane(); i < chunks_of(its.degree); i += kWarp)
        queue.put(place, first + i, chunk_of(its, i));
    }
  }
}

// How a search finds out whether a vertex is new, and makes it its own. What a wave does instead is
// in waves.cu.
struct VertexClaims {
  static constexpr unsigned kTried = 4096;
  GraphView graph;
  Distance* row;
  unsigned* seen;
  Vertex* tried;  // kTried vertices that the block has claimed, or found claimed, since the search
                  // began
  __device__ bool is_open(Vertex u, Distance) const { return !is_in(seen, u); }
  // A popular vertex is claimed by a block once: the block's cache does not see that others have
  // claimed it, and thousands of claims at the same address wait for each other. Returns who was
  // tried before in the same place.
  __device__ Vertex tried_before(Vertex u) const { return atomicExch(&tried[u % kTried], u); }
  __device__ unsigned claim(Vertex u, Distance) const {
    return atomicOr(&seen[u / 32], 1u << u % 32);
  }  // what was there before
  __device__ bool succeeded(unsigned before, Vertex u, Distance) const {
    return (before >> u % 32 & 1) == 0;
  }
  __device__ void enter(Vertex u, Distance level) const { row[u] = level; }
};

template <unsigned kOffers, class Claims>
__device__ void leave_out_tried(const Claims& claims, const Vertex (&u)[kOffers],
                                bool (&mine)[kOffers]) {
  Vertex before[kOffers];  // all are asked for before the first is looked at
  for (unsigned k = 0; k < kOffers; ++k) before[k] = mine[k] ? claims.tried_before(u[k]) : u[k];
  for (unsigned k = 0; k < kOffers; ++k) mine[k] &= before[k] != u[k];
}

// Each lane offers some vertices; those that are new enter the queue. All lanes of the warp must
// come. What is asked of the memory is asked for all vertices of a lane before the first answer is
// looked at.
template <unsigned kOffers, class Claims, class Queue>
__device__ void offer(const Claims& claims, Distance level, const Vertex (&u)[kOffers],
                      const Queue& queue, LevelCount& tally) {
  bool mine[kOffers];
  unsigned before[kOffers];
  std::uint64_t packed[kOffers];
  for (unsigned k = 0; k < kOffers; ++k) {
    mine[k] = u[k] != kNoVertex;
    if constexpr (Queue::kThin) {  // nobody else is waiting for the memory: ask for everything at
                                   // once
      packed[k] = claims.graph.rows[mine[k] ? u[k] : 0];
    } else {
      mine[k] &= claims.is_open(mine[k] ? u[k] : 0, level);
    }
  }
  if constexpr (!Queue::kThin) leave_out_tried(claims, u, mine);
  for (unsigned k = 0; k < kOffers; ++k)
    if (mine[k]) before[k] = claims.claim(u[k], level);
  for (unsigned k = 0; k < kOffers; ++k) {
    mine[k] = mine[k] && claims.succeeded(before[k], u[k], level);
    if (mine[k]) claims.enter(u[k], level);
    if constexpr (!Queue::kThin) packed[k] = mine[k] ? claims.graph.rows[u[k]] : 0;
  }
  for (unsigned k = 0; k < kOffers; ++k) {
    if (mine[k]) tally.found(u[k], GraphView::short_row(packed[k]).degree);
    if (!mine[k]) packed[k] = 0;
  }
  append(claims.graph, u, packed, queue);
}

// The same where those that are new are only marked.
template <unsigned kOffers, class Claims>
__device__ void offer(const Claims& claims, Distance level, const Vertex (&u)[kOffers],
                      const MarksAlone&, LevelCount& tally) {
  bool mine[kOffers];
  unsigned before[kOffers];
  for (unsigned k = 0; k < kOffers; ++k)
    mine[k] = (u[k] != kNoVertex) & claims.is_open(u[k] != kNoVertex ? u[k] : 0, level);
  leave_out_tried(claims, u, mine);
  for (unsigned k = 0; k < kOffers; ++k)
    if (mine[k]) before[k] = claims.claim(u[k], level);
  for (unsigned k = 0; k < kOffers; ++k) {
    if (!mine[k] || !claims.succeeded(before[k], u[k], level)) continue;
    claims.enter(u[k], level);
    tally.found(u[k], 0);
  }
}

// Few entries: an entry has one warp or several.
template <unsigned kOffers, class Claims, class Queue>
__device__ void push_few(const Claims& claims, Distance level, const Queue& queue, unsigned warp,
                         unsigned warps, LevelCount& tally) {
  const unsigned share = min(warps / static_cast<unsigned>(queue.count), kChunkArcs / kWarp),
                 which = warp / share;
  if (which >= queue.count) return;
  const AdjacencyChunk mine = AdjacencyChunk::of(queue.get(which));
  const unsigned step = share * kWarp;
  for (unsigned first = warp % share * kWarp; first < mine.length; first += step * kOffers) {
    Vertex u[kOffers];
    for (unsigned k = 0; k < kOffers; ++k) {
      const unsigned i = first + k * step + lane();
      u[k] = i < mine.length ? claims.graph.targets[mine.begin + i] : kNoVertex;
    }
    offer(claims, level, u, queue, tally);
  }
}

// Many entries: a warp takes up to 32 at a time and its lanes share their arcs evenly. Neighbours
// in the queue go to different warps: the stretches of a hub are neighbours.
template <unsigned kOffers, class Claims, class Queue>
__device__ void push_many(const Claims& claims, Distance level, const Queue& queue, unsigned warp,
                          unsigned warps, LevelCount& tally) {
  const auto stride = static_cast<decltype(queue.count)>(warps) * kWarp;
  for (auto first = static_cast<decltype(queue.count)>(warp); first < queue.count;
       first += stride) {
    const auto which = first + static_cast<decltype(queue.count)>(warps) * lane();
    const AdjacencyChunk mine = AdjacencyChunk::of(which < queue.count ? queue.get(which) : 0);
    const unsigned end = inclusive_sum(mine.length), total = __shfl_sync(~0u, end, kWarp - 1);
    const EdgeOffset shifted =
        mine.begin - (end - mine.length);  // the i-th arc of all lies at shifted + i of its owner
    for (unsigned begin = 0; begin < total; begin += kWarp * kOffers) {
      Vertex u[kOffers];
      for (unsigned k = 0; k < kOffers; ++k) {
        u[k] = kNoVertex;
        if (begin + k * kWarp >= total) continue;  // for all lanes alike
        const unsigned i = begin + k * kWarp + lane();
        unsigned owner = 0;  // the first lane whose stretch ends beyond
        for (unsigned step = kWarp / 2; step > 0; step /= 2)
          if (__shfl_sync(~0u, end, owner + step - 1) <= i) owner += step;
        const EdgeOffset where = __shfl_sync(~0u, shifted, owner) + i;
        if (i < total) u[k] = claims.graph.targets[where];
      }
      offer(claims, level, u, queue, tally);
    }
  }
}

// Entries that are long in the mean: a warp takes some at a time, and has a lane for each of their
// next arcs. visit(u): the ends of some, kNoVertex where there is none.
template <unsigned kEntries, class Queue, class Visit>
__device__ void for_each_arc(const GraphView& graph, const Queue& queue, unsigned warp,
                             unsigned warps, const Visit& visit) {
  for (unsigned long long first = warp; first < queue.count;
       first += std::uint64_t{warps} * kEntries) {
    AdjacencyChunk mine[kEntries];
    unsigned longest = 0;
    for (unsigned k = 0; k < kEntries; ++k)
      mine[k] = AdjacencyChunk::of(first + std::uint64_t{warps} * k < queue.count
                                       ? queue.get(first + std::uint64_t{warps} * k)
                                       : 0);
    for (unsigned k = 0; k < kEntries; ++k) longest = max(longest, mine[k].length);
    for (unsigned from = lane(); from - lane() < longest; from += kWarp) {
      Vertex u[kEntries];
      for (unsigned k = 0; k < kEntries; ++k)
        u[k] = from < mine[k].length ? graph.targets[mine[k].begin + from] : kNoVertex;
      visit(u);
    }
  }
}

// What the threads of a block know of each other's entries.
struct SharedPush {
  static constexpr unsigned kMostThreads = 1024;  // a power of two
  unsigned ends[kMostThreads];  // the arcs of all entries so far; no end where there is no thread
  EdgeOffset shifted[kMostThreads];  // the i-th arc of all lies at shifted + i of its owner
  unsigned warp_ends[kWarp];
};

// Many entries: a block takes as many as it has threads, and its threads share their arcs evenly: a
// warp for itself might get several long ones, and all would wait for it. Neighbours in the queue
// go to different blocks: the stretches of a hub are neighbours.
template <unsigned kOffers, class Claims, class Queue>
__device__ void push_shared(const Claims& claims, Distance level, const Queue& queue,
                            SharedPush& shared, LevelCount& tally) {
  const unsigned warp = threadIdx.x / kWarp;
  for (unsigned i = blockDim.x + threadIdx.x; i < SharedPush::kMostThreads; i += blockDim.x)
    shared.ends[i] = ~0u;
  for (unsigned long long first = blockIdx.x; first < queue.count;
       first += std::uint64_t{gridDim.x} * blockDim.x) {
    const auto which = first + std::uint64_t{gridDim.x} * threadIdx.x;
    const AdjacencyChunk mine = AdjacencyChunk::of(which < queue.count ? queue.get(which) : 0);
    unsigned end = inclusive_sum(mine.length);
    if (lane() == kWarp - 1) shared.warp_ends[warp] = end;
    __syncthreads();
    if (warp == 0)
      shared.warp_ends[lane()] =
          inclusive_sum(lane() < blockDim.x / kWarp ? shared.warp_ends[lane()] : 0);
    __syncthreads();
    if (warp > 0) end += shared.warp_ends[warp - 1];
    shared.ends[threadIdx.x] = end;
    shared.shifted[threadIdx.x] = mine.begin - (end - mine.length);
    const unsigned total = shared.warp_ends[kWarp - 1];
    __syncthreads();
    for (unsigned begin = 0; begin < total; begin += blockDim.x * kOffers) {
      Vertex u[kOffers];
      for (unsigned k = 0; k < kOffers; ++k) {
        const unsigned i = begin + k * blockDim.x + threadIdx.x;
        unsigned owner = 0;  // the first whose arcs end beyond
        for (unsigned step = SharedPush::kMostThreads / 2; step > 0; step /= 2)
          if (shared.ends[owner + step - 1] <= i) owner += step;
        u[k] = i < total ? claims.graph.targets[shared.shifted[owner] + i] : kNoVertex;
      }
      offer(claims, level, u, queue, tally);
    }
    __syncthreads();  // nobody reads any more what the next ones write
  }
}

template <unsigned kOffers, class Claims, class Queue>
__device__ void push(const Claims& claims, Distance level, const Queue& queue, unsigned warp,
                     unsigned warps, LevelCount& tally) {
  if (queue.count == 0) return;
  if (queue.count <= warps) {
    push_few<kOffers>(claims, level, queue, warp, warps, tally);
  } else {
    push_many<kOffers>(claims, level, queue, warp, warps, tally);
  }
}

}  // namespace antipode::cuda
