// A level of a search by one block: every vertex of the queue is looked at, and its neighbours that
// nobody has visited enter the next queue.
//
// All lanes take part in atomic operations: the compiler would make a branch of one under a
// condition, and worse of one by a single lane. Rows are filled up with nobodies, whose marks are
// set, and finds are counted by a WarpCounter. That is a twelfth of a search's time, and a sixth of
// that of many.
#pragma once

#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/layout/flags.hpp"
#include "engine/cuda/search/block/block_search.hpp"

namespace antipode::cuda {

// What the host wants to know of a single search; the sizes of levels as far as most searches go.
struct SingleAnswer {
  BlockResult result;
  Vertex level_sizes[1024];
};
static_assert(sizeof(SingleAnswer) <= Context::kPinned);

struct BlockJob {
  GraphView graph;
  PackedRows rows;
  const BlockSource* sources;
  unsigned count;         // of sources
  BlockSource only;       // the source, where there is a trail
  unsigned room;          // for entries, in each of two queues
  unsigned* next;         // how many sources somebody has taken; zero again when all are done
  const unsigned* order;  // in which they are taken; null: as they come
  BlockResult* results;   // in the host's memory, but of the only source
  Signal signal;          // for the host
  Distance* rows_out;     // one for each source, one after the other, where rows are told
  BlockTrail trail;       // of the only source, …
  SingleAnswer* answer;   // … whose answer goes to the host's memory
  FarthestRequest request;
  Arrivals arrivals;
};

// What there is to tell: only how many there are at each distance; who is where, level by level or
// by distance; or all that a request to reach wants to know.
enum class BlockOutput { counts, trail, rows, reach };

// What a level has found, in one word, so that it is counted at once: those who enter the next
// queue, and leaves that hang on this one, where they are counted.
struct Finds {
  static constexpr unsigned kLeaf = 1u << 18;
};

// One search as its block sees it.
struct BlockState {
  unsigned *visited, *now,
      *next;  // shared memory; the queues, of this level and the next, hold entries of packed rows
  WarpCounter* found;
  unsigned* hits;
  unsigned nobody;  // this lane's
  unsigned count;
  Vertex before;  // vertices nearer than this level
  Distance level;
  Distance* row;  // where rows are told
};

// What a search that reaches must know of a vertex: asked for together with its row, and looked at
// afterwards.
struct VertexState {
  unsigned char flags = 0;
  Distance lower = kUnreached;
};

__device__ inline VertexState standing_of(const FarthestRequest& request, Vertex v) {
  return {request.flags == nullptr ? static_cast<unsigned char>(kCandidate | kOutside)
                                   : request.flags[v],
          request.lower[v]};
}

__device__ inline void reach(const BlockJob& job, const BlockState& state, Vertex v,
                             const VertexState& standing) {
  const Distance d = state.level;
  if ((standing.flags & kCandidate) != 0 && fresh(&state.hits[0]) < d) atomicMax(&state.hits[0], d);
  if ((standing.flags & kOutside) != 0 && fresh(&state.hits[1]) < d) atomicMax(&state.hits[1], d);
  if (standing.lower < d) atomicMax(&job.request.lower[v], d);
}

// Each lane offers some entries; those whose vertex nobody has visited enter the next queue. All
// lanes of the warp must come. First halves of rows hardly ever find nobody: these do not ask.
template <bool kLeaves, bool kFirst, unsigned kOffers>
__device__ void offer(const BlockJob& job, const BlockState& state,
                      const unsigned (&entries)[kOffers], unsigned leaves = 0) {
  bool mine[kOffers];
  unsigned bit[kOffers],
      before[kOffers];  // to look first, and claim only where nobody has, takes longer
  for (unsigned k = 0; k < kOffers; ++k) {
    bit[k] = __funnelshift_l(0, 1, entries[k]);  // by the last five bits
    before[k] = atomicOr(&state.visited[PackedRow::vertex_of(entries[k]) / 32], bit[k]);
  }
  unsigned who[kOffers], total = 0;
  for (unsigned k = 0; k < kOffers; ++k) mine[k] = (bit[k] & before[k]) == 0;
  for (unsigned k = 0; k < kOffers; ++k) total += __popc(who[k] = __ballot_sync(~0u, mine[k]));
  if (!kFirst && total == 0) return;
  unsigned at = state.found->add(total + leaves * Finds::kLeaf);
  if (kLeaves) at %= Finds::kLeaf;
  if (at + total > job.room) return;  // that will be noticed
  unsigned* place = state.next + at;
  for (unsigned k = 0; k < kOffers; ++k) {
    if (mine[k]) place[__popc(who[k] & ((1u << lane()) - 1))] = entries[k];
    place += __popc(who[k]);
  }
}

// For those not looked at yet.
__device__ inline unsigned entry_of(const PackedRows& rows, Vertex v) {
  return PackedRow::entry_of(v) | PackedRow::hanging(rows.hanging != nullptr ? rows.hanging[v] : 0);
}

// The share that one of so many lanes has of half a row.
template <unsigned kLanes>
struct alignas(sizeof(uint4) / kLanes) RowShare {
  unsigned entries[PackedRow::kHalf / kLanes];
};

// So many lanes look at a vertex. All lanes are together again without being told: waiting for them
// costs a twentieth of a level.
template <unsigned kThreads, BlockOutput kTelling, unsigned kLanes>
__device__ void expand(const BlockJob& job, const BlockState& state) {
  constexpr unsigned kTogether = kWarp / kLanes;
  constexpr bool kLeaves = kTelling == BlockOutput::counts;
  for (unsigned first = threadIdx.x / kWarp * kTogether; first < state.count;
       first += kThreads / kLanes) {
    const unsigned which = first + lane() / kLanes, part = lane() % kLanes;
    const bool active = which < state.count, leads = part == 0;
    const unsigned entry = active ? state.now[which] : 0;
    const Vertex v = PackedRow::vertex_of(entry);
    const bool is_wide = (entry & PackedRow::kWide) != 0;
    RowShare<kLanes> a, b;
    for (unsigned k = 0; k < PackedRow::kHalf / kLanes; ++k)
      a.entries[k] = b.entries[k] = state.nobody;
    if (active) a = reinterpret_cast<const RowShare<kLanes>*>(&job.rows.first(v))[part];
    if (is_wide) b = reinterpret_cast<const RowShare<kLanes>*>(&job.rows.second(v))[part];
    const VertexState standing = kTelling == BlockOutput::reach && active && leads
                                     ? standing_of(job.request, v)
                                     : VertexState();
    if (kTelling == BlockOutput::trail && active && leads)
      job.trail.vertices[state.before + which] = v;
    if (kTelling == BlockOutput::rows && active && leads)
      __stcs(&state.row[v], state.level);  // many rows would take the graph's place in the cache
    const unsigned leaves =
        kLeaves ? __reduce_add_sync(~0u, leads ? PackedRow::hanging_of(entry) : 0) : 0;
    offer<kLeaves, true>(job, state, a.entries, leaves);
    if (kTelling == BlockOutput::reach && active && leads) reach(job, state, v, standing);
    if (!__any_sync(~0u, is_wide)) continue;
    offer<kLeaves, false>(job, state, b.entries);
    for (unsigned waiting = __ballot_sync(~0u, leads && (entry & PackedRow::kLong) != 0);
         waiting != 0; waiting &= waiting - 1) {
      const GraphView::Range row = job.graph.row(__shfl_sync(~0u, v, __ffs(waiting) - 1));
      for (Vertex k = PackedRow::kLength; k < row.degree; k += kWarp)
        offer<kLeaves, false, 1>(
            job, state,
            {k + lane() < row.degree ? entry_of(job.rows, job.graph.targets[row.begin + k + lane()])
                                     : state.nobody});
    }
  }
}

}  // namespace antipode::cuda
