// What follows from a search, and the best ball, in one launch: the host waits once, or starts it
// behind the search and does not wait at all.
#include <cooperative_groups.h>

#include "engine/cuda/bounds/sets.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

struct ApplySearchJob {
  bool untouched;   // nothing of the sets has a value yet: all are candidates, and nothing is known
                    // of them, but what follows from …
  Searched first;   // … a search before this one, if there is any
  Searched latest;  // which may still be running when this is started; no row: nothing is to be
                    // absorbed, only a ball to be chosen
  CandidateProbe watched;  // by it
  const unsigned* cancel;  // null: this is wanted
  RoundLimit limit;
  LookAhead plan;
  RoundAnswer* answer;  // in the host's memory
  Signal signal;
  // All have these:
  Sets sets{};
  DistanceList
      centers{};  // the first of them that leaves fewest candidates outside has the ball afterwards
  RoundCounts *meeting = nullptr, *next_meeting = nullptr;
  unsigned* cancels_midpoint = nullptr;
};

namespace {

constexpr unsigned kThreads = 1024;

// As all threads of a block know it.
struct RoundFacts {
  Distance eccentricity, limit, reach;  // of the latest search; its reach may not be known yet
  Vertex source;
  Distance first_eccentricity;
  Vertex first_source;
  __device__ bool has_reach() const { return reach != kUnreached; }

  __device__ void look_up(const ApplySearchJob& job) {
    *this = {0, job.limit.value, kUnreached, kNoVertex, 0, kNoVertex};
    if (job.latest.row == nullptr) return;
    source = job.latest.ends->source;
    eccentricity = job.latest.ends->eccentricity;
    if (job.limit.or_eccentricity) limit = max(limit, eccentricity);
    if (job.first.row != nullptr) {
      first_source = job.first.ends->source;
      first_eccentricity = job.first.ends->eccentricity;
    } else if (job.untouched) {
      reach = eccentricity;
    } else if (job.watched.flags != nullptr && job.watched.limit() == limit) {
      reach = job.latest.ends->reach;
    }
  }
};

// What is known of a vertex.
struct VertexState {
  Distance lower, upper;
  unsigned char flags;
};

__device__ VertexState before(const ApplySearchJob& job, const RoundFacts& known, std::size_t v) {
  const Sets& sets = job.sets;
  if (!job.untouched) return {sets.lower[v], sets.upper[v], sets.flags[v]};
  if (job.first.row == nullptr) return {0, sets.order, kCandidate | kOutside};
  const Distance d = job.first.row[v], eccentricity = known.first_eccentricity;
  const unsigned char flags = v == known.first_source ? kSearched
                              : d > eccentricity / 2  ? kCandidate | kOutside
                                                      : kCandidate;
  return {max(d, eccentricity - d), min(sets.order, d + eccentricity), flags};
}

// What a thread has counted. A lane counts who is outside the ball around one center.
struct Counted {
  SetCounts census{0, 0, 0, 0};
  unsigned beyond = 0;
  Distance upper_beyond = 0;
};

// Every warp goes through as many vertices, so that its lanes can count together; beyond the last
// one nobody is there.
template <class Action>
__device__ void for_vertices(const cg::grid_group& grid, Vertex order, Action action) {
  const std::size_t rounded = (std::size_t{order} + kWarp - 1) / kWarp * kWarp;
  for (std::size_t v = grid.thread_rank(); v < rounded; v += grid.size()) action(v, v < order);
}

// How far the search reaches among those who are candidates still.
__device__ Distance reach_of(const ApplySearchJob& job, const cg::grid_group& grid,
                             const RoundFacts& known, unsigned* block_reach) {
  unsigned farthest = 0;
  for (std::size_t v = grid.thread_rank(); v < job.sets.order; v += grid.size())
    if (const VertexState standing = before(job, known, v);
        (standing.flags & kCandidate) != 0 && standing.upper > known.limit)
      farthest = max(farthest, job.latest.row[v]);
  farthest = __reduce_max_sync(~0u, farthest);
  if (lane() == 0 && farthest > 0) atomicMax(block_reach, farthest);
  __syncthreads();
  if (threadIdx.x == 0 && *block_reach > 0) atomicMax(&job.meeting->reach, *block_reach);
  grid.sync();
  return fresh(&job.meeting->reach);
}

// What is known of a vertex afterwards: those whose upper bound is at most the limit have left.
__device__ VertexState absorbed(const ApplySearchJob& job, const RoundFacts& known, std::size_t v) {
  VertexState standing = before(job, known, v);
  if (job.latest.row == nullptr) return standing;
  const Distance d = job.latest.row[v];
  standing.lower = max(standing.lower, max(d, known.eccentricity - d));
  standing.upper = min(standing.upper, d + known.reach);
  if (v == known.source) standing.flags |= kSearched;
  if (standing.upper <= known.limit) standing.flags &= kSearched;
  job.sets.lower[v] = standing.lower;
  job.sets.upper[v] = standing.upper;
  job.sets.flags[v] = standing.flags;
  return standing;
}

// All lanes come.
__device__ void count(const ApplySearchJob& job, const RoundFacts& known, std::size_t v,
                      unsigned char flags, Distance upper, Counted& counted) {
  count_in(counted.census, flags, upper);
  const bool is_candidate = (flags & kCandidate) != 0;
  if (!__any_sync(~0u, is_candidate)) return;
  for (unsigned r = 0; r < job.centers.count; ++r) {
    const bool is_beyond = is_candidate && job.centers.data[r][v] > known.limit / 2;
    const unsigned there = __popc(__ballot_sync(~0u, is_beyond));
    const Distance highest = __reduce_max_sync(~0u, is_beyond ? upper : 0);
    if (lane() == r)
      counted.beyond += there, counted.upper_beyond = max(counted.upper_beyond, highest);
  }
}

// What all threads of all blocks have counted meets in the GPU's memory, by way of the block's.
__device__ void add_up(const Counted& mine, RoundCounts& block, RoundCounts* all) {
  add_up(mine.census, &block.census);
  if (mine.beyond != 0) {
    atomicAdd(&block.beyond[lane()], mine.beyond);
    atomicMax(&block.upper_beyond[lane()], mine.upper_beyond);
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

// By one thread of all.
__device__ void tell(const ApplySearchJob& job, const RoundFacts& known, const SetCounts& left,
                     Vertex center) {
  job.answer->reach = known.reach;
  job.answer->census = left;
  job.answer->center = center;
  *job.cancels_midpoint =
      job.plan.expects_midpoint(known.limit, left.outside, job.sets.order) ? 0 : 1;
  job.signal.give();
}

__global__ void __launch_bounds__(kThreads, 1)
    apply_search_kernel(const __grid_constant__ ApplySearchJob job) {
  const cg::grid_group grid = cg::this_grid();
  const bool is_first = grid.thread_rank() == 0;
  if (is_first) *job.next_meeting = {};
  if (job.cancel != nullptr && *job.cancel != 0) {
    if (is_first) job.signal.give();
    return;
  }
  __shared__ RoundCounts block, all;  // of this block, and of all
  __shared__ RoundFacts known;
  __shared__ unsigned best;
  if (threadIdx.x == 0) {
    block = {};
    known.look_up(job);
  }
  __syncthreads();
  if (job.latest.row != nullptr) {
    if (!known.has_reach()) {
      const Distance reach = reach_of(job, grid, known, &block.reach);
      if (threadIdx.x == 0) known.reach = reach;
      __syncthreads();
    }
    if (known.reach <= known.limit / 2) {  // all who are left are in its ball, and leave
      if (is_first) tell(job, known, {0, 0, 0, 0}, kNoVertex);
      for (std::size_t v = grid.thread_rank(); v < job.sets.order; v += grid.size())
        absorbed(job, known, v);
      return;
    }
  }
  Counted mine;
  for_vertices(grid, job.sets.order, [&](std::size_t v, bool exists) {
    const VertexState standing = exists ? absorbed(job, known, v) : VertexState{0, 0, 0};
    count(job, known, v, standing.flags, standing.upper, mine);
  });
  add_up(mine, block, job.meeting);
  grid.sync();
  if (threadIdx.x < sizeof(RoundCounts) / sizeof(unsigned))
    reinterpret_cast<unsigned*>(&all)[threadIdx.x] =
        fresh(reinterpret_cast<const unsigned*>(job.meeting) + threadIdx.x);
  __syncthreads();
  const bool sets_ball = all.census.outside > 0 || job.latest.row == nullptr;
  if (threadIdx.x == 0) {
    best = 0;
    for (unsigned r = 1; r < job.centers.count; ++r)
      if (all.beyond[r] < all.beyond[best]) best = r;
    SetCounts left = all.census;
    if (sets_ball) left.outside = all.beyond[best], left.max_upper_outside = all.upper_beyond[best];
    if (is_first) tell(job, known, left, sets_ball ? best : kNoVertex);
  }
  __syncthreads();
  if (!sets_ball) return;
  const Distance* const center = job.centers.data[best];
  for (std::size_t v = grid.thread_rank(); v < job.sets.order; v += grid.size()) {
    const unsigned char before = job.sets.flags[v];
    if ((before & kCandidate) == 0) continue;
    const auto now = static_cast<unsigned char>(center[v] > known.limit / 2 ? before | kOutside
                                                                            : before & ~kOutside);
    if (now != before) job.sets.flags[v] = now;
  }
}

}  // namespace

static_assert(sizeof(RoundAnswer) <= Context::kRoundAnswerBytes);
static_assert(sizeof(RoundCounts) / sizeof(unsigned) <= kThreads);

void CudaBounds::start_sweep(const Searched& first, const Searched& second,
                             std::span<const DistanceHandle> centers, const LookAhead& plan,
                             AnswerSlot slot) {
  start({true,
         first,
         second,
         {},
         nullptr,
         {0, true},
         plan,
         answer(slot),
         last_round_ = context_.next_signal()},
        centers);
}

void CudaBounds::start_round(const Searched& latest, RoundLimit limit,
                             std::span<const DistanceHandle> centers, const unsigned* cancel) {
  const bool untouched = reset_pending_ && latest.row != nullptr && cancel == nullptr;
  start({untouched,
         {},
         latest,
         std::exchange(probe_, {}),
         cancel,
         limit,
         {},
         answer(),
         last_round_ = context_.next_signal()},
        centers);
}

void CudaBounds::start(ApplySearchJob job, std::span<const DistanceHandle> centers) {
  RoundCounts* const meetings = round_.data()->meetings;
  if (!job.untouched) settle();  // or every value is written
  job.sets = {order(), lower_.data(), upper_.data(), flags_.data()};
  job.centers.count = static_cast<unsigned>(centers.size());
  for (unsigned r = 0; r < job.centers.count; ++r) job.centers.data[r] = row_of_(centers[r]).data;
  job.meeting = &meetings[odd_round_ ? 1 : 0];
  job.next_meeting = &meetings[odd_round_ ? 0 : 1];
  job.cancels_midpoint = &round_.data()->cancels_midpoint;
  context_.launch_cooperative(apply_search_kernel, kThreads, 0, job);
  reset_pending_ = false;
  odd_round_ = !odd_round_;
  forget();
}

RoundAnswer* CudaBounds::answer(AnswerSlot slot) const {
  return static_cast<RoundAnswer*>(context_.pinned_behind_search(slot));
}

CandidateProbe CudaBounds::watch(const SearchOutcome* longest, Distance lower) {
  if (!reset_pending_) probe_ = {flags_.data(), upper_.data(), longest, lower};
  return probe_;
}

SearchEffect CudaBounds::round_outcome(AnswerSlot slot) {
  const RoundAnswer& found = *answer(slot);
  know(found.census);
  reach_serial_ = 0;
  return {found.reach,
          found.center == kNoVertex ? std::nullopt : std::optional<std::size_t>(found.center),
          found.census.outside};
}

std::size_t CudaBounds::choose_ball(std::span<const DistanceHandle> centers, Distance radius) {
  if (centers.size() > kMostRows) return CandidateSets::choose_ball(centers, radius);
  start_round({}, {2 * radius, false}, centers);
  await_round();
  return *round_outcome().center;
}

SearchEffect CudaBounds::apply_search(DistanceHandle row, Vertex source, Distance eccentricity,
                                      Distance limit, std::span<const DistanceHandle> centers) {
  if (centers.size() > kMostRows)
    return CandidateSets::apply_search(row, source, eccentricity, limit, centers);
  const SearchOutcome ends{source, eccentricity, kNoVertex};
  context_.upload(&round_.data()->ends, std::span<const SearchOutcome>(&ends, 1));
  probe_ = {};
  start_round({row_of_(row).data, &round_.data()->ends}, {limit, false}, centers);
  await_round();
  return round_outcome();
}

}  // namespace antipode::cuda
