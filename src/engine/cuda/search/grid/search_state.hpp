// Where a search by the whole GPU has come to, and how its next level is to be done.
#pragma once

#include "engine/cuda/search/grid/search_level.hpp"

namespace antipode::cuda {

// How the next level is done: by one block alone, pushed, pushed without a queue of those found in
// one of two ways, pulled; or the frontier only enters the queue.
enum class LevelMode : unsigned { alone, push, mark, scatter, pull, queue, over };

// The frontier, and where the search has come to.
struct SearchState {
  Distance level = 0;
  Vertex reached = 1, size = 1, size_before = 1, farthest = kNoVertex;
  LevelMode mode = LevelMode::alone;
  unsigned long long base = 0, count = 0;  // its entries in the queue
  unsigned long long arcs = 0, visited_arcs = 0;
  unsigned long long pull_time = 0, push_time = 0;  // nanoseconds that pulls have taken, and that
                                                    // pushes would have, by the clock of block 0
  bool pulled = false;                              // it is in the bitmaps, not in the queue
  bool queued = true;                               // it is in the queue
  bool flipped = false;                             // the bitmaps have changed places
  bool may_pull = true;
  bool ended = false;
  unsigned char unused[3] = {};  // no byte without a value: other blocks read it word by word

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

  __device__ bool goes_on(const SearchJob& job) const {
    return !ended && reached < job.graph.order && level < job.limit;
  }
};

struct SearchControl {
  Found found[3];                    // this level's, the next one's, and the one being cleared
  SearchState alone;                 // where a block that went on alone has come to
  SearchOutcome ends[kSearchSlots];  // of the last search in each slot …
  SearchOutcome nearest_ends;        // … and of the last from a clique, which nobody wants
};

__device__ inline float arcs_left(const SearchJob& job, const SearchState& state) {
  return job.graph.arcs > state.visited_arcs
             ? static_cast<float>(job.graph.arcs - state.visited_arcs)
             : 0;
}

// Is a frontier worth pulling that has so many arcs, where so many vertices and arcs are left?
// Those left look at so many neighbours before they meet the frontier, unless they have fewer.
__device__ inline bool worth_pulling(const SearchJob& job, float arcs, float vertices_left,
                                     float arcs_left) {
  return arcs >= TraversalTuning::kPullArcs &&
         vertices_left * (min(arcs_left / arcs, job.mean_degree) + 1) <
             arcs * TraversalTuning::kPullGain;
}

__device__ inline bool worth_pulling(const SearchJob& job, const SearchState& state) {
  if (!state.may_pull) return false;
  const Vertex left = job.graph.order - state.reached;
  if (state.pulled)
    return state.size >= state.size_before ||
           state.size >= job.graph.order / TraversalTuning::kPullSize || left <= state.size;
  return worth_pulling(job, static_cast<float>(state.arcs), static_cast<float>(left),
                       arcs_left(job, state));
}

// The arcs of so many vertices that are found at the ends of arcs.
__device__ inline float likely_arcs(const SearchJob& job, const SearchState& state,
                                    float vertices) {
  return min(vertices * job.neighbour_degree, arcs_left(job, state));
}

// Will the level after the next be pulled?
__device__ inline bool leads_to_pull(const SearchJob& job, const SearchState& state) {
  if (!state.may_pull) return false;
  const auto left = static_cast<float>(job.graph.order - state.reached),
             vertices = min(static_cast<float>(state.arcs), left),
             arcs = likely_arcs(job, state, vertices);
  return worth_pulling(job, arcs, left - vertices, arcs_left(job, state) - arcs);
}

// A block goes on alone where there is little to do; at the beginning, if that is likely to stay
// so.
__device__ inline bool is_thin(const SearchJob& job, const SearchState& state) {
  if (state.arcs >= TraversalTuning::kAloneArcs) return false;
  return state.level > 1 ||
         likely_arcs(job, state, static_cast<float>(state.arcs)) < 2 * TraversalTuning::kAloneArcs;
}

__device__ inline LevelMode next_mode(const SearchJob& job, const SearchState& state) {
  if (!state.goes_on(job)) return LevelMode::over;
  if (worth_pulling(job, state)) return LevelMode::pull;
  if (!state.queued) return LevelMode::queue;
  if (is_thin(job, state)) return LevelMode::alone;
  if (!leads_to_pull(job, state)) return LevelMode::push;
  return job.scattered != nullptr && state.arcs >= job.graph.order / TraversalTuning::kScatterSize
             ? LevelMode::scatter
             : LevelMode::mark;
}

}  // namespace antipode::cuda
