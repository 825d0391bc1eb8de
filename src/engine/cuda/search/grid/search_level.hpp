// One level of a search by many warps, pushed from a queue of adjacency chunks: what the warps of a
// grid and those of a single block share [Merrill, Garland & Grimshaw 2012]. Pulled levels are in
// pull_level.hpp.
#pragma once

#include "engine/cuda/device/bitmap.hpp"
#include "engine/cuda/layout/device_graph.hpp"
#include "engine/cuda/layout/search_result.hpp"
#include "engine/cuda/search/grid/chunk_queue.hpp"
#include "engine/cuda/search/grid/tuning.hpp"

namespace antipode::cuda {

// Counts of one level by one thread, then by its block. Arcs saturate at kMostArcs: they only help
// to choose the next mode.
struct LevelCount {
  static constexpr unsigned kMostArcs = 1 << 21;
  // vertices found, their arcs, arcs read by a pull
  unsigned vertices = 0, arcs = 0, arcs_read = 0;
  Vertex least = kNoVertex;  // least vertex found

  __device__ void found(Vertex v, Vertex degree) {
    ++vertices;
    arcs = min(arcs + min(degree, kMostArcs), kMostArcs);
    least = min(least, v);
  }
};

// Totals of one level over all blocks.
struct LevelTotals {
  unsigned long long entries, arcs, arcs_read;  // entries: of the next queue, after a push
  Vertex vertices, least;
};

struct SearchJob {
  GraphView graph, into;  // leaving arcs for pushes, entering arcs for pulls
  Distance* distances;
  std::uint64_t* queue;
  unsigned* marks;   // two bitmaps, see Marks
  uint4* scattered;  // one bitmap per block; null: no level is scattered
  Vertex* level_sizes;
  struct SearchControl* control;
  SearchAnswer* answer;  // pinned
  Signal signal;
  float mean_degree, neighbour_degree;  // of all vertices; of vertices at the ends of arcs
  Distance limit;                       // farther vertices stay unreached
  bool may_pull;
  unsigned source_count;
  Vertex sources[kMostStarts];  // distinct
};

// Bitmaps of the reached vertices: now, and (while pulling) one level before.
struct Marks {
  unsigned *seen, *before;
};

// Adds the threads' counts to the block's.
__device__ inline void add_up(const LevelCount& tally, LevelCount& report) {
  const unsigned vertices = __reduce_add_sync(~0u, tally.vertices),
                 arcs_read = __reduce_add_sync(~0u, tally.arcs_read);
  if (vertices == 0 && arcs_read == 0) return;
  const unsigned arcs = __reduce_add_sync(~0u, tally.arcs),
                 least = __reduce_min_sync(~0u, tally.least);
  if (thread_of_warp() != 0) return;
  atomicAdd(&report.vertices, vertices);
  atomicAdd(&report.arcs_read, arcs_read);
  atomicAdd(&report.arcs, arcs);
  atomicMin(&report.least, least);
}

// The number of chunks of an adjacency, and its i-th chunk.
__device__ inline unsigned chunks_of(Vertex degree) {
  return (degree + kChunkArcs - 1) / kChunkArcs;
}
__device__ inline AdjacencyChunk chunk_of(const GraphView::Range& range, unsigned i) {
  return {range.begin + EdgeOffset{i} * kChunkArcs, min(kChunkArcs, range.degree - i * kChunkArcs)};
}

// Appends the adjacency chunks of vertices just found; `packed` are their packed ranges, 0 for
// none. All threads of the warp must call it.
template <unsigned kOffers, class Queue>
__device__ void append(const GraphView& graph, const Vertex (&u)[kOffers],
                       const std::uint64_t (&packed)[kOffers], const Queue& queue) {
  constexpr unsigned kByOne = 4;  // chunks written by one thread; more are written by the warp
  Vertex longest = 0;
  for (unsigned k = 0; k < kOffers; ++k)
    longest = max(longest, GraphView::short_range(packed[k]).degree);
  if (!__any_sync(~0u, longest != 0)) return;
  typename Queue::Place place{};
  if (!__any_sync(~0u, longest > kChunkArcs)) {  // the usual case: one chunk each
    unsigned ones[kOffers], total = 0;
    for (unsigned k = 0; k < kOffers; ++k)
      total += __popc(ones[k] = __ballot_sync(~0u, GraphView::short_range(packed[k]).degree != 0));
    if (thread_of_warp() == 0) place = queue.reserve(total);
    place = broadcast(0, place);
    unsigned first = 0;
    for (unsigned k = 0; k < kOffers; ++k) {
      if ((ones[k] >> thread_of_warp() & 1) != 0)
        queue.put(place, first + __popc(ones[k] & ((1u << thread_of_warp()) - 1)),
                  chunk_of(GraphView::short_range(packed[k]), 0));
      first += __popc(ones[k]);
    }
    return;
  }
#pragma unroll  // so that the arrays stay in registers
  for (unsigned k = 0; k < kOffers; ++k) {
    const GraphView::Range range =
        packed[k] != 0 ? graph.range(u[k], packed[k]) : GraphView::Range{0, 0};
    const unsigned mine = chunks_of(range.degree), end = inclusive_sum(mine),
                   total = __shfl_sync(~0u, end, kWarp - 1);
    if (total == 0) continue;
    if (thread_of_warp() == 0) place = queue.reserve(total);
    place = broadcast(0, place);
    const unsigned at = end - mine;
    if (mine <= kByOne)
      for (unsigned i = 0; i < mine; ++i) queue.put(place, at + i, chunk_of(range, i));
    for (unsigned waiting = __ballot_sync(~0u, mine > kByOne); waiting != 0;
         waiting &= waiting - 1) {
      const unsigned owner = __ffs(waiting) - 1;
      const GraphView::Range its{__shfl_sync(~0u, range.begin, owner),
                                 __shfl_sync(~0u, range.degree, owner)};
      const unsigned first = __shfl_sync(~0u, at, owner);
      for (unsigned i = thread_of_warp(); i < chunks_of(its.degree); i += kWarp)
        queue.put(place, first + i, chunk_of(its, i));
    }
  }
}

// How a search claims unvisited vertices. Searches of several sources at once claim differently
// (batch/offset_searches.cu).
struct VertexClaims {
  static constexpr unsigned kTried = 4096;
  GraphView graph;
  Distance* distances;
  unsigned* seen;
  // A cache of kTried vertices that the block has claimed, or found claimed, since the search
  // began.
  Vertex* tried;
  __device__ bool is_open(Vertex u, Distance) const { return !is_in(seen, u); }
  // Lets a block claim a vertex of high degree only once. The L1 cache does not see claims by other
  // blocks, and thousands of atomics on one address are serialized. Returns the previous entry of
  // the cache slot.
  __device__ Vertex tried_before(Vertex u) const { return atomicExch(&tried[u % kTried], u); }
  __device__ unsigned claim(Vertex u, Distance) const {
    return atomicOr(&seen[u / 32], 1u << u % 32);
  }
  __device__ bool succeeded(unsigned before, Vertex u, Distance) const {
    return (before >> u % 32 & 1) == 0;
  }
  __device__ void enter(Vertex u, Distance level) const { distances[u] = level; }
};

template <unsigned kOffers, class Claims>
__device__ void drop_tried(const Claims& claims, const Vertex (&u)[kOffers],
                           bool (&mine)[kOffers]) {
  Vertex before[kOffers];  // several exchanges are in flight
  for (unsigned k = 0; k < kOffers; ++k) before[k] = mine[k] ? claims.tried_before(u[k]) : u[k];
  for (unsigned k = 0; k < kOffers; ++k) mine[k] &= before[k] != u[k];
}

// Every thread of the warp offers some vertices; new ones enter the queue. All threads of the warp
// must call it. Loads and atomics for all vertices of a thread are issued before the first result
// is used.
template <unsigned kOffers, class Claims, class Queue>
__device__ void offer(const Claims& claims, Distance level, const Vertex (&u)[kOffers],
                      const Queue& queue, LevelCount& tally) {
  bool mine[kOffers];
  unsigned before[kOffers];
  std::uint64_t packed[kOffers];
  for (unsigned k = 0; k < kOffers; ++k) {
    mine[k] = u[k] != kNoVertex;
    if constexpr (Queue::kThin) {  // memory is idle: load the range in advance
      packed[k] = claims.graph.ranges[mine[k] ? u[k] : 0];
    } else {
      mine[k] &= claims.is_open(mine[k] ? u[k] : 0, level);
    }
  }
  if constexpr (!Queue::kThin) drop_tried(claims, u, mine);
  for (unsigned k = 0; k < kOffers; ++k)
    if (mine[k]) before[k] = claims.claim(u[k], level);
  for (unsigned k = 0; k < kOffers; ++k) {
    mine[k] = mine[k] && claims.succeeded(before[k], u[k], level);
    if (mine[k]) claims.enter(u[k], level);
    if constexpr (!Queue::kThin) packed[k] = mine[k] ? claims.graph.ranges[u[k]] : 0;
  }
  for (unsigned k = 0; k < kOffers; ++k) {
    if (mine[k]) tally.found(u[k], GraphView::short_range(packed[k]).degree);
    if (!mine[k]) packed[k] = 0;
  }
  append(claims.graph, u, packed, queue);
}

// The same, but new vertices are only marked.
template <unsigned kOffers, class Claims>
__device__ void offer(const Claims& claims, Distance level, const Vertex (&u)[kOffers],
                      const MarksOnly&, LevelCount& tally) {
  bool mine[kOffers];
  unsigned before[kOffers];
  for (unsigned k = 0; k < kOffers; ++k)
    mine[k] = (u[k] != kNoVertex) & claims.is_open(u[k] != kNoVertex ? u[k] : 0, level);
  drop_tried(claims, u, mine);
  for (unsigned k = 0; k < kOffers; ++k)
    if (mine[k]) before[k] = claims.claim(u[k], level);
  for (unsigned k = 0; k < kOffers; ++k) {
    if (!mine[k] || !claims.succeeded(before[k], u[k], level)) continue;
    claims.enter(u[k], level);
    tally.found(u[k], 0);
  }
}

// Few entries: one or several warps per entry.
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
      const unsigned i = first + k * step + thread_of_warp();
      u[k] = i < mine.length ? claims.graph.targets[mine.begin + i] : kNoVertex;
    }
    offer(claims, level, u, queue, tally);
  }
}

// Many entries: a warp takes up to 32 and divides their arcs evenly over its threads. Neighbouring
// entries, such as the chunks of a hub, go to different warps.
template <unsigned kOffers, class Claims, class Queue>
__device__ void push_many(const Claims& claims, Distance level, const Queue& queue, unsigned warp,
                          unsigned warps, LevelCount& tally) {
  const auto stride = static_cast<decltype(queue.count)>(warps) * kWarp;
  for (auto first = static_cast<decltype(queue.count)>(warp); first < queue.count;
       first += stride) {
    const auto which = first + static_cast<decltype(queue.count)>(warps) * thread_of_warp();
    const AdjacencyChunk mine = AdjacencyChunk::of(which < queue.count ? queue.get(which) : 0);
    const unsigned end = inclusive_sum(mine.length), total = __shfl_sync(~0u, end, kWarp - 1);
    const EdgeOffset shifted =
        mine.begin - (end - mine.length);  // the i-th arc of all lies at shifted + i of its owner
    for (unsigned begin = 0; begin < total; begin += kWarp * kOffers) {
      Vertex u[kOffers];
      for (unsigned k = 0; k < kOffers; ++k) {
        u[k] = kNoVertex;
        if (begin + k * kWarp >= total) continue;  // the same for the whole warp
        const unsigned i = begin + k * kWarp + thread_of_warp();
        unsigned owner = 0;  // the first thread whose chunk ends beyond i
        for (unsigned step = kWarp / 2; step > 0; step /= 2)
          if (__shfl_sync(~0u, end, owner + step - 1) <= i) owner += step;
        const EdgeOffset where = __shfl_sync(~0u, shifted, owner) + i;
        if (i < total) u[k] = claims.graph.targets[where];
      }
      offer(claims, level, u, queue, tally);
    }
  }
}

// For entries that are long on average: a warp takes kEntries and reads kWarp arcs of each at a
// time. visit(u) gets the ends of these arcs, kNoVertex beyond the end of an entry.
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
    for (unsigned from = thread_of_warp(); from - thread_of_warp() < longest; from += kWarp) {
      Vertex u[kEntries];
      for (unsigned k = 0; k < kEntries; ++k)
        u[k] = from < mine[k].length ? graph.targets[mine[k].begin + from] : kNoVertex;
      visit(u);
    }
  }
}

// Prefix sums of the entries of a block's threads, in shared memory.
struct SharedPush {
  static constexpr unsigned kMostThreads = 1024;  // a power of two
  // Arcs of all entries up to this thread's; ~0 beyond the last thread.
  unsigned ends[kMostThreads];
  EdgeOffset shifted[kMostThreads];  // the i-th arc of all lies at shifted + i of its owner
  unsigned warp_ends[kWarp];
};

// Many entries: a block takes one per thread and divides their arcs evenly over its threads. (A
// single warp might get several long entries, and all would wait for it.) Neighbouring entries,
// such as the chunks of a hub, go to different blocks.
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
    if (thread_of_warp() == kWarp - 1) shared.warp_ends[warp] = end;
    __syncthreads();
    if (warp == 0)
      shared.warp_ends[thread_of_warp()] = inclusive_sum(
          thread_of_warp() < blockDim.x / kWarp ? shared.warp_ends[thread_of_warp()] : 0);
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
        unsigned owner = 0;  // the first thread whose chunk ends beyond i
        for (unsigned step = SharedPush::kMostThreads / 2; step > 0; step /= 2)
          if (shared.ends[owner + step - 1] <= i) owner += step;
        u[k] = i < total ? claims.graph.targets[shared.shifted[owner] + i] : kNoVertex;
      }
      offer(claims, level, u, queue, tally);
    }
    __syncthreads();  // before the next entries overwrite `shared`
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
