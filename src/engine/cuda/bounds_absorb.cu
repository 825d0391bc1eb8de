// What follows from a search, and the best ball, in one launch: the host waits once, or starts it behind the search and does not wait at all.
#include <cooperative_groups.h>

#include "engine/cuda/bounds_sets.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kThreads = 1024;

struct Absorb {
  Sets sets;
  bool untouched;                            // nothing of the sets has a value yet: all are candidates, and nothing is known of them
  const Distance* row;                       // of the search; none: nothing is to be absorbed, only a ball to be chosen
  const SearchEnds* ends;                    // of the search, which may still be running when this is started
  const unsigned* skips;                     // null: this is wanted
  RoundLimit limit;
  RowList centers;                           // the first of them that leaves fewest candidates outside has the ball afterwards
  RoundMeeting *meeting, *next_meeting;
  unsigned *is_over, *skips_middle;
  SweepPlan plan;
  RoundAnswer* answer;                       // in the host's memory
};

// As all threads of a block know it.
struct Known {
  Distance eccentricity, limit, reach;
  Vertex source;
};

// What a thread has counted. A lane counts who is outside the ball around one center.
struct Counted {
  Census census{0, 0, 0, 0};
  unsigned beyond = 0;
  Distance upper_beyond = 0;
};

// Every warp goes through as many vertices, so that its lanes can count together; beyond the last one nobody is there.
template <class Action>
__device__ void for_vertices(const cg::grid_group& grid, Vertex order, Action action) {
  const std::size_t rounded = (std::size_t{order} + kWarp - 1) / kWarp * kWarp;
  for (std::size_t v = grid.thread_rank(); v < rounded; v += grid.size()) action(v, v < order);
}

// How far the row reaches among those who are candidates still.
__device__ Distance reach_of(const Absorb& job, const cg::grid_group& grid, Distance limit, unsigned* block_reach) {
  unsigned farthest = 0;
  for (std::size_t v = grid.thread_rank(); v < job.sets.order; v += grid.size())
    if ((job.sets.dropped(v, job.sets.upper[v], limit) & kCandidate) != 0) farthest = max(farthest, job.row[v]);
  farthest = __reduce_max_sync(~0u, farthest);
  if (lane() == 0 && farthest > 0) atomicMax(block_reach, farthest);
  __syncthreads();
  if (threadIdx.x == 0 && *block_reach > 0) atomicMax(&job.meeting->reach, *block_reach);
  grid.sync();
  return fresh(&job.meeting->reach);
}

// The bounds of a vertex, and whether it is left.
__device__ unsigned char absorbed(const Absorb& job, const Known& known, std::size_t v, Distance& upper) {
  const Sets& sets = job.sets;
  if (job.row == nullptr) {
    const unsigned char now = sets.flags[v];
    upper = (now & kCandidate) != 0 ? sets.upper[v] : 0;
    return now;
  }
  const Distance d = job.row[v], lower = max(d, known.eccentricity - d);
  upper = min(job.untouched ? sets.order : sets.upper[v], d + known.reach);
  sets.lower[v] = job.untouched ? lower : max(sets.lower[v], lower);
  sets.upper[v] = upper;
  if (job.untouched) sets.flags[v] = kCandidate | kOutside;
  if (v == known.source) sets.flags[v] |= kSearched;
  return sets.dropped(v, upper, known.limit);
}

// All lanes come.
__device__ void count(const Absorb& job, const Known& known, std::size_t v, unsigned char flags, Distance upper, Counted& counted) {
  count_in(counted.census, flags, upper);
  const bool is_candidate = (flags & kCandidate) != 0;
  if (!__any_sync(~0u, is_candidate)) return;
  for (unsigned r = 0; r < job.centers.count; ++r) {
    const bool is_beyond = is_candidate && job.centers.data[r][v] > known.limit / 2;
    const unsigned there = __popc(__ballot_sync(~0u, is_beyond));
    const Distance highest = __reduce_max_sync(~0u, is_beyond ? upper : 0);
    if (lane() == r) counted.beyond += there, counted.upper_beyond = max(counted.upper_beyond, highest);
  }
}

// What all threads of all blocks have counted meets in the GPU's memory, by way of the block's.
__device__ void add_up(const Counted& mine, RoundMeeting& block, RoundMeeting* all) {
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

__global__ void __launch_bounds__(kThreads, 1) absorb_kernel(const __grid_constant__ Absorb job) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *job.next_meeting = {};
  if (job.skips != nullptr && *job.skips != 0) return;
  const cg::grid_group grid = cg::this_grid();
  __shared__ RoundMeeting block, all;        // of this block, and of all
  __shared__ Known known;
  __shared__ unsigned best;
  if (threadIdx.x == 0) {
    block = {};
    if (job.row != nullptr) {
      known = {job.ends->eccentricity, job.limit.value, job.ends->eccentricity, job.ends->source};
      if (job.limit.or_eccentricity) known.limit = max(known.limit, known.eccentricity);
    } else {
      known = {0, job.limit.value, 0, kNoVertex};
    }
  }
  __syncthreads();
  if (job.row != nullptr && !job.untouched) {
    const Distance reach = reach_of(job, grid, known.limit, &block.reach);
    if (threadIdx.x == 0) known.reach = reach;
    __syncthreads();
  }
  Counted mine;
  for_vertices(grid, job.sets.order, [&](std::size_t v, bool exists) {
    Distance upper = 0;
    const unsigned char flags = exists ? absorbed(job, known, v, upper) : 0;
    count(job, known, v, flags, upper, mine);
  });
  add_up(mine, block, job.meeting);
  grid.sync();
  if (threadIdx.x < sizeof(RoundMeeting) / sizeof(unsigned)) reinterpret_cast<unsigned*>(&all)[threadIdx.x] = fresh(reinterpret_cast<const unsigned*>(job.meeting) + threadIdx.x);
  __syncthreads();
  const bool sets_ball = all.census.outside > 0 || job.row == nullptr;
  if (threadIdx.x == 0) {
    best = 0;
    for (unsigned r = 1; r < job.centers.count; ++r)
      if (all.beyond[r] < all.beyond[best]) best = r;
    if (blockIdx.x == 0) {
      Census left = all.census;
      if (sets_ball) left.outside = all.beyond[best], left.max_upper_outside = all.upper_beyond[best];
      job.answer->reach = known.reach;
      job.answer->census = left;
      job.answer->center = sets_ball ? best : kNoVertex;
      *job.is_over = left.outside == 0 ? 1 : 0;
      *job.skips_middle = job.plan.expects_middle(known.limit, left.outside, job.sets.order) ? 0 : 1;
    }
  }
  __syncthreads();
  if (!sets_ball) return;
  const Distance* const center = job.centers.data[best];
  for (std::size_t v = grid.thread_rank(); v < job.sets.order; v += grid.size()) {
    const unsigned char before = job.sets.flags[v];
    if ((before & kCandidate) == 0) continue;
    const auto now = static_cast<unsigned char>(center[v] > known.limit / 2 ? before | kOutside : before & ~kOutside);
    if (now != before) job.sets.flags[v] = now;
  }
}

}  // namespace

static_assert(sizeof(RoundAnswer) <= Context::kPinned / 8 * 3);
static_assert(sizeof(RoundMeeting) / sizeof(unsigned) <= kThreads);

void CudaBounds::start_round(const Distance* row, const SearchEnds* ends, RoundLimit limit, std::span<const Row> centers, const unsigned* skips, unsigned turn, const SweepPlan& plan) {
  auto* const answer = static_cast<RoundAnswer*>(context_.pinned_behind_search(turn));
  const bool untouched = !is_reset_ && row != nullptr && skips == nullptr;
  if (untouched) is_reset_ = true;           // every value is written
  RoundMeeting* const meetings = round_.data()->meetings;
  Absorb job{{order(), lower_data(), upper_data(), flags_data()}, untouched, row, ends, skips, limit, {{}, static_cast<unsigned>(centers.size())}, &meetings[odd_round_ ? 1 : 0], &meetings[odd_round_ ? 0 : 1], &round_.data()->is_over[turn], &round_.data()->skips_middle, plan, answer};
  for (unsigned r = 0; r < job.centers.count; ++r) job.centers.data[r] = row_of_(centers[r]).data;
  context_.launch_together(absorb_kernel, kThreads, 0, job);
  odd_round_ = !odd_round_;
}

Absorbed CudaBounds::round_outcome(unsigned turn) {
  const RoundAnswer& answer = *static_cast<const RoundAnswer*>(context_.pinned_behind_search(turn));
  know(answer.census);
  reach_serial_ = 0;
  return {answer.reach, answer.center == kNoVertex ? std::nullopt : std::optional<std::size_t>(answer.center), answer.census.outside};
}

std::size_t CudaBounds::choose_ball(std::span<const Row> centers, Distance radius) {
  if (centers.size() > kMostRows) return Bounds::choose_ball(centers, radius);
  start_round(nullptr, nullptr, {2 * radius, false}, centers);
  context_.finish();
  return *round_outcome().center;
}

Absorbed CudaBounds::absorb(Row row, Vertex source, Distance eccentricity, Distance limit, std::span<const Row> centers) {
  if (centers.size() > kMostRows) return Bounds::absorb(row, source, eccentricity, limit, centers);
  const SearchEnds ends{source, eccentricity, kNoVertex};
  context_.upload(&round_.data()->ends, std::span<const SearchEnds>(&ends, 1));
  start_round(row_of_(row).data, &round_.data()->ends, {limit, false}, centers);
  context_.finish();
  return round_outcome();
}

}  // namespace antipode::cuda
