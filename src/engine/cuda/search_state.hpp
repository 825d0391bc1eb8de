// Where a search by the whole GPU has come to, and how its next level is to be done.
#pragma once

#include "engine/cuda/search_level.hpp"

namespace antipode::cuda {

// How the next level is done: by one block alone, pushed, pulled; or the frontier only goes from the bitmaps into the queue.
enum class Manner : unsigned { alone, push, pull, queue, over };

// The frontier, and where the search has come to.
struct SearchState {
  Distance level = 0;
  Vertex reached = 1, size = 1, size_before = 1, farthest = kNoVertex;
  Manner manner = Manner::alone;
  unsigned long long base = 0, count = 0;    // its entries in the queue
  unsigned long long arcs = 0, visited_arcs = 0;
  unsigned long long pull_time = 0, push_time = 0;  // nanoseconds that pulls have taken, and that pushes would have, by the clock of block 0
  bool pulled = false;                       // it is in the bitmaps, not in the queue
  bool flipped = false;                      // the bitmaps have changed places
  bool may_pull = true;
  bool ended = false;
  unsigned unused = 0;                       // no byte without a value: other blocks read it word by word

  __device__ void advance(Vertex vertices, unsigned long long found_arcs, Vertex least) {
    ended = vertices == 0;
    if (ended) return;
    ++level;
    size_before = size;
    size = vertices;
    reached += vertices;
    arcs = found_arcs;
    visited_arcs += found_arcs;
    farthest = least;
  }

  __device__ bool goes_on(const SearchJob& job) const { return !ended && reached < job.graph.order && level < job.limit; }
};

struct SearchControl {
  Found found[3];                            // this level's, the next one's, and the one being cleared
  SearchState alone;                         // where a block that went on alone has come to
  SearchEnds ends[3];                        // of the last search in each turn …
  SearchEnds nearest_ends;                   // … and of the last from a clique, which nobody wants
};

// What the host wants to know; the sizes of levels as far as most searches go.
struct SearchAnswer {
  Vertex source, levels, farthest;
  unsigned in_vain;
  Vertex level_sizes[1024];
};
static_assert(sizeof(SearchAnswer) <= Context::kPinned / 8 * 5);

__device__ inline bool worth_pulling(const SearchJob& job, const SearchState& state) {
  if (!state.may_pull) return false;
  if (state.pulled) return state.size >= state.size_before || state.size >= job.graph.order / job.tuning.pull_size;
  if (state.arcs < job.tuning.pull_arcs) return false;
  // Vertices not reached look at so many neighbours before they meet the frontier, unless they have fewer.
  const unsigned long long arcs = job.graph.arcs, left = arcs - min(arcs, state.visited_arcs);
  const unsigned long long mean_degree = job.graph.arcs / job.graph.order, looks = min(left / state.arcs, mean_degree) + 1;
  return (job.graph.order - state.reached) * looks < state.arcs * job.tuning.pull_gain;
}

__device__ inline Manner next_manner(const SearchJob& job, const SearchState& state) {
  if (!state.goes_on(job)) return Manner::over;
  if (worth_pulling(job, state)) return Manner::pull;
  if (state.pulled) return Manner::queue;
  return state.arcs < job.tuning.alone_arcs ? Manner::alone : Manner::push;
}

}  // namespace antipode::cuda
