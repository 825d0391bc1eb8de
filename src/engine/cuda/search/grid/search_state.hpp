// State of a search by the whole GPU, and the choice of the mode of its next level:
// direction-optimizing breadth-first search [Beamer, Asanović & Patterson 2012].
#pragma once

#include "engine/cuda/search/grid/search_level.hpp"

namespace antipode::cuda {

// How the next level is done: by one block alone; pushed; pushed without building a queue, in the
// global bitmap (mark) or in a bitmap per block (scatter); pulled. `queue` builds the queue of the
// present frontier.
enum class LevelMode : unsigned { alone, push, mark, scatter, pull, queue, over };

// The frontier and the progress of the search.
struct SearchState {
  Distance level = 0;
  Vertex reached = 1, size = 1, size_before = 1, farthest = kNoVertex;
  LevelMode mode = LevelMode::alone;
  unsigned long long base = 0, count = 0;  // the frontier's entries in the queue
  unsigned long long arcs = 0, visited_arcs = 0;
  // Nanoseconds that pulls took, and an estimate for pushes of the same levels, by block 0's clock.
  unsigned long long pull_time = 0, push_time = 0;
  bool pulled = false;   // the frontier is in the bitmaps, not in the queue
  bool queued = true;    // the frontier is in the queue
  bool flipped = false;  // the bitmaps are swapped
  bool may_pull = true;
  bool ended = false;
  unsigned char unused[3] = {};  // no uninitialised padding: fresh_copy() reads all words

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

  __device__ bool continues(const SearchJob& job) const {
    return !ended && reached < job.graph.order && level < job.limit;
  }
};

struct SearchControl {
  LevelTotals totals[3];             // rotates: this level, the next, the one being cleared
  SearchState alone;                 // state after levels done by one block
  SearchOutcome ends[kSearchSlots];  // of the latest search in each slot
  SearchOutcome nearest_ends;        // of the latest distances_to_nearest(); not read
};

__device__ inline float arcs_left(const SearchJob& job, const SearchState& state) {
  return job.graph.arcs > state.visited_arcs
             ? static_cast<float>(job.graph.arcs - state.visited_arcs)
             : 0;
}

// Whether to pull, given the frontier's arcs and the unreached vertices with their arcs. An
// unreached vertex is expected to test arcs_left / arcs neighbours, at most the mean degree.
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

// Expected arcs of vertices found at the ends of arcs.
__device__ inline float likely_arcs(const SearchJob& job, const SearchState& state,
                                    float vertices) {
  return min(vertices * job.neighbour_degree, arcs_left(job, state));
}

// Whether the level after the next is expected to be pulled.
__device__ inline bool leads_to_pull(const SearchJob& job, const SearchState& state) {
  if (!state.may_pull) return false;
  const auto left = static_cast<float>(job.graph.order - state.reached),
             vertices = min(static_cast<float>(state.arcs), left),
             arcs = likely_arcs(job, state, vertices);
  return worth_pulling(job, arcs, left - vertices, arcs_left(job, state) - arcs);
}

// Whether one block does the next levels alone: few arcs, and at the start only if few are expected
// to follow.
__device__ inline bool is_thin(const SearchJob& job, const SearchState& state) {
  if (state.arcs >= TraversalTuning::kAloneArcs) return false;
  return state.level > 1 ||
         likely_arcs(job, state, static_cast<float>(state.arcs)) < 2 * TraversalTuning::kAloneArcs;
}

__device__ inline LevelMode next_mode(const SearchJob& job, const SearchState& state) {
  if (!state.continues(job)) return LevelMode::over;
  if (worth_pulling(job, state)) return LevelMode::pull;
  if (!state.queued) return LevelMode::queue;
  if (is_thin(job, state)) return LevelMode::alone;
  if (!leads_to_pull(job, state)) return LevelMode::push;
  return job.scattered != nullptr && state.arcs >= job.graph.order / TraversalTuning::kScatterSize
             ? LevelMode::scatter
             : LevelMode::mark;
}

}  // namespace antipode::cuda
