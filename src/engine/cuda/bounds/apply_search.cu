// Applies a search to the bounds and the candidate sets, and moves the ball, in one cooperative
// launch (Engine::probe). It may be queued behind the search: it reads source and eccentricity on
// the GPU, so the host waits once, or not at all. Steps: find the farthest candidate, unless the
// search has found it; tighten and drop; count the candidates outside the ball around each center;
// set the ball that leaves fewest.
#include <cooperative_groups.h>

#include "engine/cuda/bounds/sets.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

struct ApplySearchJob {
  // The arrays of the sets have no values yet: all vertices are candidates without bounds, except
  // for what follows from `first`.
  bool reset_pending;
  SearchRef first;         // an earlier search, only if reset_pending; or none
  SearchRef latest;        // may still run when this is launched; none: only set the ball
  CandidateProbe probe;    // what `latest` was asked to find
  const unsigned* cancel;  // null, or the kernel returns early if the word is not zero
  RoundLimit limit;
  LookAhead look_ahead;
  RoundAnswer* answer;  // in pinned memory
  Signal signal;
  // CudaBounds::start sets the rest.
  Sets sets{};
  DistanceList centers{};
  RoundCounts *totals = nullptr, *next_totals = nullptr;
  unsigned* cancels_midpoint = nullptr;
};

namespace {

constexpr unsigned kThreads = 1024;

// What follows from the latest search; in shared memory.
struct SearchFacts {
  Distance eccentricity, limit;
  Distance farthest;  // candidate; kUnreached if it has not been found yet
  Vertex source;
  Distance first_eccentricity;
  Vertex first_source;
  __device__ bool has_farthest() const { return farthest != kUnreached; }

  __device__ void load(const ApplySearchJob& job) {
    *this = {.eccentricity = 0,
             .limit = job.limit.value,
             .farthest = kUnreached,
             .source = kNoVertex,
             .first_eccentricity = 0,
             .first_source = kNoVertex};
    if (job.latest.distances == nullptr) return;
    source = job.latest.outcome->source;
    eccentricity = job.latest.outcome->eccentricity;
    if (job.limit.or_eccentricity) limit = max(limit, eccentricity);
    if (job.first.distances != nullptr) {
      first_source = job.first.outcome->source;
      first_eccentricity = job.first.outcome->eccentricity;
    } else if (job.reset_pending) {
      farthest = eccentricity;
    } else if (job.probe.flags != nullptr && job.probe.limit() == limit) {
      farthest = job.latest.outcome->reach;
    }
  }
};

// What the sets hold for one vertex.
struct VertexState {
  Distance lower, upper;
  unsigned char flags;
};

__device__ VertexState state_before(const ApplySearchJob& job, const SearchFacts& facts,
                                    std::size_t v) {
  const Sets& sets = job.sets;
  if (!job.reset_pending) return {sets.lower[v], sets.upper[v], sets.flags[v]};
  if (job.first.distances == nullptr) return {0, sets.order, kCandidate | kOutside};
  const Distance d = job.first.distances[v], eccentricity = facts.first_eccentricity;
  const unsigned char flags = v == facts.first_source ? kSearched
                              : d > eccentricity / 2  ? kCandidate | kOutside
                                                      : kCandidate;
  return {max(d, eccentricity - d), min(sets.order, d + eccentricity), flags};
}

// Counts of one thread. Thread r of a warp counts the candidates outside the ball around center r.
struct ThreadCounts {
  SetCounts census{};
  unsigned beyond = 0;
  Distance upper_beyond = 0;
};

// Calls action(v, exists) with the whole warp, up to the next multiple of the warp size.
template <class Action>
__device__ void for_vertices(const cg::grid_group& grid, Vertex order, Action action) {
  const std::size_t rounded = (std::size_t{order} + kWarp - 1) / kWarp * kWarp;
  for (std::size_t v = grid.thread_rank(); v < rounded; v += grid.size()) action(v, v < order);
}

// Distance of the farthest vertex that is still a candidate.
__device__ Distance farthest_candidate(const ApplySearchJob& job, const cg::grid_group& grid,
                                       const SearchFacts& facts, unsigned* block_farthest) {
  unsigned farthest = 0;
  for (std::size_t v = grid.thread_rank(); v < job.sets.order; v += grid.size())
    if (const VertexState state = state_before(job, facts, v);
        (state.flags & kCandidate) != 0 && state.upper > facts.limit)
      farthest = max(farthest, job.latest.distances[v]);
  farthest = __reduce_max_sync(~0u, farthest);
  if (thread_of_warp() == 0 && farthest > 0) atomicMax(block_farthest, farthest);
  __syncthreads();
  if (threadIdx.x == 0 && *block_farthest > 0) atomicMax(&job.totals->farthest, *block_farthest);
  grid.sync();
  return fresh(&job.totals->farthest);
}

// Tightens the bounds of a vertex, and drops it if its upper bound is at most the limit.
__device__ VertexState tighten(const ApplySearchJob& job, const SearchFacts& facts, std::size_t v) {
  VertexState state = state_before(job, facts, v);
  if (job.latest.distances == nullptr) return state;
  const Distance d = job.latest.distances[v];
  state.lower = max(state.lower, max(d, facts.eccentricity - d));
  state.upper = min(state.upper, d + facts.farthest);
  if (v == facts.source) state.flags |= kSearched;
  if (state.upper <= facts.limit) state.flags &= kSearched;
  job.sets.lower[v] = state.lower;
  job.sets.upper[v] = state.upper;
  job.sets.flags[v] = state.flags;
  return state;
}

// Called by all threads of the warp.
__device__ void count_vertex(const ApplySearchJob& job, const SearchFacts& facts, std::size_t v,
                             unsigned char flags, Distance upper, ThreadCounts& counts) {
  count_in(counts.census, flags, upper);
  const bool is_candidate = (flags & kCandidate) != 0;
  if (!__any_sync(~0u, is_candidate)) return;
  for (unsigned r = 0; r < job.centers.count; ++r) {
    const bool is_beyond = is_candidate && job.centers.data[r][v] > facts.limit / 2;
    const unsigned number = __popc(__ballot_sync(~0u, is_beyond));
    const Distance highest = __reduce_max_sync(~0u, is_beyond ? upper : 0);
    if (thread_of_warp() == r)
      counts.beyond += number, counts.upper_beyond = max(counts.upper_beyond, highest);
  }
}

// Adds the counts of all threads, first in shared memory, then in global memory.
__device__ void add_up(const ThreadCounts& mine, RoundCounts& block, RoundCounts* all) {
  add_up(mine.census, &block.census);
  if (mine.beyond != 0) {
    atomicAdd(&block.beyond[thread_of_warp()], mine.beyond);
    atomicMax(&block.upper_beyond[thread_of_warp()], mine.upper_beyond);
  }
  __syncthreads();
  if (threadIdx.x < kWarp && block.beyond[threadIdx.x] != 0) {
    atomicAdd(&all->beyond[threadIdx.x], block.beyond[threadIdx.x]);
    atomicMax(&all->upper_beyond[threadIdx.x], block.upper_beyond[threadIdx.x]);
  }
  if (threadIdx.x != kWarp || block.census.candidates == 0) return;
  atomicAdd(&all->census.candidates, block.census.candidates);
  atomicAdd(&all->census.outside, block.census.outside);
  atomicMax(&all->census.max_upper, block.census.max_upper);
  atomicMax(&all->census.max_upper_outside, block.census.max_upper_outside);
}

// Called by one thread of the grid.
__device__ void publish(const ApplySearchJob& job, const SearchFacts& facts, const SetCounts& left,
                        Vertex center) {
  job.answer->farthest = facts.farthest;
  job.answer->census = left;
  job.answer->center = center;
  *job.cancels_midpoint =
      job.look_ahead.expects_midpoint(facts.limit, left.outside, job.sets.order) ? 0 : 1;
  job.signal.give();
}

__global__ void __launch_bounds__(kThreads, 1)
    apply_search_kernel(const __grid_constant__ ApplySearchJob job) {
  const cg::grid_group grid = cg::this_grid();
  const bool is_first = grid.thread_rank() == 0;
  if (is_first) *job.next_totals = {};
  if (job.cancel != nullptr && *job.cancel != 0) {
    if (is_first) job.signal.give();
    return;
  }
  __shared__ RoundCounts block, all;  // of this block; of the grid
  __shared__ SearchFacts facts;
  __shared__ unsigned best;
  if (threadIdx.x == 0) {
    block = {};
    facts.load(job);
  }
  __syncthreads();
  if (job.latest.distances != nullptr) {
    if (!facts.has_farthest()) {
      const Distance farthest = farthest_candidate(job, grid, facts, &block.farthest);
      if (threadIdx.x == 0) facts.farthest = farthest;
      __syncthreads();
    }
    if (facts.farthest <=
        facts.limit / 2) {  // all candidates are in the ball around its source, and are dropped
      if (is_first) publish(job, facts, {}, kNoVertex);
      for (std::size_t v = grid.thread_rank(); v < job.sets.order; v += grid.size())
        tighten(job, facts, v);
      return;
    }
  }
  ThreadCounts mine;
  for_vertices(grid, job.sets.order, [&](std::size_t v, bool exists) {
    const VertexState state = exists ? tighten(job, facts, v) : VertexState{0, 0, 0};
    count_vertex(job, facts, v, state.flags, state.upper, mine);
  });
  add_up(mine, block, job.totals);
  grid.sync();
  if (threadIdx.x < sizeof(RoundCounts) / sizeof(unsigned))
    reinterpret_cast<unsigned*>(&all)[threadIdx.x] =
        fresh(reinterpret_cast<const unsigned*>(job.totals) + threadIdx.x);
  __syncthreads();
  const bool moves_ball = all.census.outside > 0 || job.latest.distances == nullptr;
  if (threadIdx.x == 0) {
    best = 0;
    for (unsigned r = 1; r < job.centers.count; ++r)
      if (all.beyond[r] < all.beyond[best]) best = r;
    SetCounts left = all.census;
    if (moves_ball)
      left.outside = all.beyond[best], left.max_upper_outside = all.upper_beyond[best];
    if (is_first) publish(job, facts, left, moves_ball ? best : kNoVertex);
  }
  __syncthreads();
  if (!moves_ball) return;
  const Distance* const center = job.centers.data[best];
  for (std::size_t v = grid.thread_rank(); v < job.sets.order; v += grid.size()) {
    const unsigned char old = job.sets.flags[v];
    if ((old & kCandidate) == 0) continue;
    const auto now =
        static_cast<unsigned char>(center[v] > facts.limit / 2 ? old | kOutside : old & ~kOutside);
    if (now != old) job.sets.flags[v] = now;
  }
}

}  // namespace

static_assert(sizeof(RoundAnswer) <= Context::kRoundAnswerBytes);
static_assert(sizeof(RoundCounts) / sizeof(unsigned) <= kThreads);

void CudaBounds::start_sweep(const SearchRef& first, const SearchRef& second,
                             std::span<const DistanceHandle> centers, const LookAhead& look_ahead,
                             AnswerSlot slot) {
  start({.reset_pending = true,
         .first = first,
         .latest = second,
         .probe = {},
         .cancel = nullptr,
         .limit = {0, true},
         .look_ahead = look_ahead,
         .answer = answer(slot),
         .signal = last_round_ = context_.next_signal()},
        centers);
}

void CudaBounds::start_round(const SearchRef& latest, RoundLimit limit,
                             std::span<const DistanceHandle> centers, const unsigned* cancel) {
  const bool writes_all = reset_pending_ && latest.distances != nullptr && cancel == nullptr;
  start({.reset_pending = writes_all,
         .first = {},
         .latest = latest,
         .probe = std::exchange(probe_, {}),
         .cancel = cancel,
         .limit = limit,
         .look_ahead = {},
         .answer = answer(),
         .signal = last_round_ = context_.next_signal()},
        centers);
}

void CudaBounds::start(ApplySearchJob job, std::span<const DistanceHandle> centers) {
  RoundCounts* const totals = round_.data()->totals;
  if (!job.reset_pending) apply_pending_reset();  // otherwise the kernel writes all values
  job.sets = {
      .order = order(), .lower = lower_.data(), .upper = upper_.data(), .flags = flags_.data()};
  job.centers.count = static_cast<unsigned>(centers.size());
  for (unsigned r = 0; r < job.centers.count; ++r)
    job.centers.data[r] = distances_of_(centers[r]).data;
  job.totals = &totals[odd_round_ ? 1 : 0];
  job.next_totals = &totals[odd_round_ ? 0 : 1];
  job.cancels_midpoint = &round_.data()->cancels_midpoint;
  context_.launch_cooperative(apply_search_kernel, kThreads, 0, job);
  reset_pending_ = false;
  odd_round_ = !odd_round_;
  invalidate_counts();
}

RoundAnswer* CudaBounds::answer(AnswerSlot slot) const {
  return static_cast<RoundAnswer*>(context_.pinned_behind_search(slot));
}

CandidateProbe CudaBounds::start_probe(const SearchOutcome* longest, Distance lower) {
  if (!reset_pending_)
    probe_ = {.flags = flags_.data(), .upper = upper_.data(), .longest = longest, .lower = lower};
  return probe_;
}

SearchEffect CudaBounds::round_outcome(AnswerSlot slot) {
  const RoundAnswer& found = *answer(slot);
  set_counts(found.census);
  farthest_serial_ = 0;
  return {found.farthest,
          found.center == kNoVertex ? std::nullopt : std::optional<std::size_t>(found.center),
          found.census.outside};
}

std::size_t CudaBounds::choose_ball(std::span<const DistanceHandle> centers, Distance radius) {
  if (centers.size() > kMostSearches) return CandidateSets::choose_ball(centers, radius);
  start_round({}, {2 * radius, false}, centers);
  await_round();
  return *round_outcome().center;
}

SearchEffect CudaBounds::apply_search(DistanceHandle distances, Vertex source,
                                      Distance eccentricity, Distance limit,
                                      std::span<const DistanceHandle> centers) {
  if (centers.size() > kMostSearches)
    return CandidateSets::apply_search(distances, source, eccentricity, limit, centers);
  const SearchOutcome outcome{source, eccentricity, kNoVertex};
  context_.upload(&round_.data()->outcome, std::span<const SearchOutcome>(&outcome, 1));
  probe_ = {};
  start_round({distances_of_(distances).data, &round_.data()->outcome}, {limit, false}, centers);
  await_round();
  return round_outcome();
}

}  // namespace antipode::cuda
