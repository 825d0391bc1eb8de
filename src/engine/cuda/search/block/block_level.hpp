// One level of a search by one block: the queue's vertices are expanded, and their unvisited
// neighbours enter the next queue.
//
// All threads of a warp take part in atomics: the compiler turns a conditional atomic into a
// branch, and one by a single thread into something slower. So adjacencies are padded with entries
// that are already visited, and finds are counted by a WarpCounter. This takes a twelfth off a
// single search, and a sixth off a batch.
#pragma once

#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/layout/flags.hpp"
#include "engine/cuda/search/block/block_search.hpp"

namespace antipode::cuda {

// The answer of a single search, with the sizes of the first levels.
struct SingleAnswer {
  BlockResult result;
  Vertex level_sizes[1024];
};
static_assert(sizeof(SingleAnswer) <= Context::kPinned);

struct BlockJob {
  GraphView graph;
  PackedAdjacency adjacency;
  const BlockSource* sources;
  unsigned count;             // of sources
  BlockSource single_source;  // the only source, for BlockOutput::trail
  unsigned queue_room;        // entries of each of the two queues
  unsigned* next;             // sources taken so far; reset to zero by the last block
  const unsigned* order;      // order in which they are taken; null: as given
  BlockResult* results;       // pinned; on the GPU for the only source
  Signal signal;
  Distance* distances;   // for BlockOutput::distances, one array per source
  BlockTrail trail;      // of the only source, …
  SingleAnswer* answer;  // … whose answer is pinned
  FarthestRequest request;
  Arrivals arrivals;
};

// What a search returns: the number of vertices at each distance; the order of visits; distances;
// or the farthest distances of a FarthestRequest.
enum class BlockOutput { counts, trail, distances, farthest };

// A level's finds in one word, so that one atomic counts both: vertices for the next queue in the
// low bits, removed leaves of the present level from kLeaf on.
struct Finds {
  static constexpr unsigned kLeaf = 1u << 18;
};

// State of one search; every thread of the block has a copy.
struct BlockState {
  // Shared memory. Both queues hold entries of the packed adjacency.
  unsigned *visited, *now, *next;
  WarpCounter* found;
  unsigned* farthest_distances;  // to candidates, and to those outside
  unsigned padding;              // this thread's padding entry
  unsigned count;
  Vertex before;  // number of vertices nearer than this level
  Distance level;
  Distance* distances;  // for BlockOutput::distances
};

// Per-vertex input of a FarthestRequest: loaded together with the adjacency, used afterwards.
struct VertexState {
  unsigned char flags = 0;
  Distance lower = kUnreached;
};

__device__ inline VertexState load_state(const FarthestRequest& request, Vertex v) {
  return {request.flags == nullptr ? static_cast<unsigned char>(kCandidate | kOutside)
                                   : request.flags[v],
          request.lower[v]};
}

__device__ inline void update_farthest(const BlockJob& job, const BlockState& state, Vertex v,
                                       const VertexState& loaded) {
  const Distance d = state.level;
  if ((loaded.flags & kCandidate) != 0 && fresh(&state.farthest_distances[0]) < d)
    atomicMax(&state.farthest_distances[0], d);
  if ((loaded.flags & kOutside) != 0 && fresh(&state.farthest_distances[1]) < d)
    atomicMax(&state.farthest_distances[1], d);
  if (loaded.lower < d) atomicMax(&job.request.lower[v], d);
}

// Every thread of the warp offers some entries; those not visited before enter the next queue. All
// threads of the warp must call it. First halves nearly always contain new vertices, so they skip
// the test for none.
template <bool kLeaves, bool kFirst, unsigned kOffers>
__device__ void offer(const BlockJob& job, const BlockState& state,
                      const unsigned (&entries)[kOffers], unsigned leaves = 0) {
  bool mine[kOffers];
  unsigned bit[kOffers],
      before[kOffers];  // a test before the atomic would take longer
  for (unsigned k = 0; k < kOffers; ++k) {
    bit[k] = __funnelshift_l(0, 1, entries[k]);  // by the low five bits
    before[k] = atomicOr(&state.visited[PackedEntry::vertex_of(entries[k]) / 32], bit[k]);
  }
  unsigned ballots[kOffers], total = 0;
  for (unsigned k = 0; k < kOffers; ++k) mine[k] = (bit[k] & before[k]) == 0;
  for (unsigned k = 0; k < kOffers; ++k) total += __popc(ballots[k] = __ballot_sync(~0u, mine[k]));
  if (!kFirst && total == 0) return;
  unsigned at = state.found->add(total + leaves * Finds::kLeaf);
  if (kLeaves) at %= Finds::kLeaf;
  if (at + total > job.queue_room) return;  // overflow: the caller sees the count
  unsigned* place = state.next + at;
  for (unsigned k = 0; k < kOffers; ++k) {
    if (mine[k]) place[__popc(ballots[k] & ((1u << thread_of_warp()) - 1))] = entries[k];
    place += __popc(ballots[k]);
  }
}

// An entry for a vertex whose degree is not known.
__device__ inline unsigned entry_of(const PackedAdjacency& adjacency, Vertex v) {
  return PackedEntry::entry_of(v) |
         PackedEntry::leaf_bits(adjacency.leaves != nullptr ? adjacency.leaves[v] : 0);
}

// The share of one of kLanes threads in half an adjacency.
template <unsigned kLanes>
struct alignas(sizeof(uint4) / kLanes) HalfShare {
  unsigned entries[PackedEntry::kHalf / kLanes];
};

// kLanes threads expand a vertex. No explicit __syncwarp after divergence: it would cost a
// twentieth of a level.
template <unsigned kThreads, BlockOutput kOutput, unsigned kLanes>
__device__ void expand(const BlockJob& job, const BlockState& state) {
  constexpr unsigned kVerticesPerWarp = kWarp / kLanes;
  constexpr bool kLeaves = kOutput == BlockOutput::counts;
  for (unsigned first = threadIdx.x / kWarp * kVerticesPerWarp; first < state.count;
       first += kThreads / kLanes) {
    const unsigned which = first + thread_of_warp() / kLanes, share = thread_of_warp() % kLanes;
    const bool active = which < state.count, leads = share == 0;
    const unsigned entry = active ? state.now[which] : 0;
    const Vertex v = PackedEntry::vertex_of(entry);
    const bool is_wide = (entry & PackedEntry::kWide) != 0;
    HalfShare<kLanes> a, b;
    for (unsigned k = 0; k < PackedEntry::kHalf / kLanes; ++k)
      a.entries[k] = b.entries[k] = state.padding;
    if (active) a = reinterpret_cast<const HalfShare<kLanes>*>(&job.adjacency.first(v))[share];
    if (is_wide) b = reinterpret_cast<const HalfShare<kLanes>*>(&job.adjacency.second(v))[share];
    const VertexState loaded = kOutput == BlockOutput::farthest && active && leads
                                   ? load_state(job.request, v)
                                   : VertexState();
    if (kOutput == BlockOutput::trail && active && leads)
      job.trail.vertices[state.before + which] = v;
    if (kOutput == BlockOutput::distances && active && leads)
      // streaming store: distances would evict the graph from the cache
      __stcs(&state.distances[v], state.level);
    const unsigned leaves =
        kLeaves ? __reduce_add_sync(~0u, leads ? PackedEntry::leaves_of(entry) : 0) : 0;
    offer<kLeaves, true>(job, state, a.entries, leaves);
    if (kOutput == BlockOutput::farthest && active && leads) update_farthest(job, state, v, loaded);
    if (!__any_sync(~0u, is_wide)) continue;
    offer<kLeaves, false>(job, state, b.entries);
    for (unsigned waiting = __ballot_sync(~0u, leads && (entry & PackedEntry::kLong) != 0);
         waiting != 0; waiting &= waiting - 1) {
      const GraphView::Range range = job.graph.range(__shfl_sync(~0u, v, __ffs(waiting) - 1));
      for (Vertex k = PackedEntry::kLength; k < range.degree; k += kWarp)
        offer<kLeaves, false, 1>(
            job, state,
            {k + thread_of_warp() < range.degree
                 ? entry_of(job.adjacency, job.graph.targets[range.begin + k + thread_of_warp()])
                 : state.padding});
    }
  }
}

}  // namespace antipode::cuda
