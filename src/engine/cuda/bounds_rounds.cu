// The requests in which a round of elimination is done at once: all in one launch, and the host waits once.
#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/bounds.hpp"
#include "engine/cuda/flags.hpp"
#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kThreads = 1024;

// What the kernels below change and read.
struct Sets {
  Vertex order;
  Distance *lower, *upper;
  unsigned char* flags;

  // Those whose upper bound is at most the limit leave; returns what is left of the flags.
  __device__ unsigned char dropped(std::size_t v, Distance bound, Distance limit) const {
    const unsigned char now = flags[v];
    if (bound > limit || (now & (kCandidate | kOutside)) == 0) return now;
    return flags[v] = now & kSearched;
  }
};

using Census = CudaBounds::Census;

__device__ void count_in(Census& census, unsigned char flags, Distance upper) {
  if ((flags & kCandidate) != 0) ++census.candidates, census.max_upper = max(census.max_upper, upper);
  if ((flags & kOutside) != 0) ++census.outside, census.max_upper_outside = max(census.max_upper_outside, upper);
}

// All lanes come; the sums of all warps of all blocks meet in the GPU's memory.
__device__ void add_up(const Census& mine, Census* all) {
  const unsigned candidates = __reduce_add_sync(~0u, mine.candidates), outside = __reduce_add_sync(~0u, mine.outside);
  const Distance upper = __reduce_max_sync(~0u, mine.max_upper), upper_outside = __reduce_max_sync(~0u, mine.max_upper_outside);
  if (lane() != 0 || candidates == 0) return;
  atomicAdd(&all->candidates, candidates);
  atomicMax(&all->max_upper, upper);
  if (outside == 0) return;
  atomicAdd(&all->outside, outside);
  atomicMax(&all->max_upper_outside, upper_outside);
}

// The whole block gets the maximum over its threads; one thread hands it on to the others' memory.
__device__ void raise(unsigned value, unsigned* block, unsigned* all) {
  value = __reduce_max_sync(~0u, value);
  if (lane() == 0 && value > 0) atomicMax(block, value);
  __syncthreads();
  if (threadIdx.x == 0 && *block > 0) atomicMax(all, *block);
}

struct Rows {
  const Distance* data[CudaBounds::kMostRows];
  unsigned count;
};

struct Absorb {
  Sets sets;
  const Distance* row;                       // of the search; none: nothing is to be absorbed, only a ball to be chosen
  const SearchEnds* ends;                    // of the search, which may still be running when this is started
  const unsigned* skips;                     // null: this is wanted
  RoundLimit limit;
  Rows centers;                              // the first of them that leaves fewest candidates outside has the ball afterwards
  RoundControl* control;
  RoundAnswer* answer;                       // in the host's memory
};

// Every warp goes through as many vertices, so that its lanes can count together; beyond the last one nobody is there.
template <class Action>
__device__ void for_vertices(const cg::grid_group& grid, Vertex order, Action action) {
  const std::size_t rounded = (std::size_t{order} + kWarp - 1) / kWarp * kWarp;
  for (std::size_t v = grid.thread_rank(); v < rounded; v += grid.size()) action(v, v < order);
}

// The block's census goes to all. Its threads come after a barrier.
__device__ void hand_on(const Census& block, Census* all) {
  if (threadIdx.x != 0 || block.candidates == 0) return;
  atomicAdd(&all->candidates, block.candidates);
  atomicAdd(&all->outside, block.outside);
  atomicMax(&all->max_upper, block.max_upper);
  atomicMax(&all->max_upper_outside, block.max_upper_outside);
}

__device__ unsigned least_of(const unsigned* counts, unsigned count) {
  unsigned best = 0;
  for (unsigned i = 1; i < count; ++i)
    if (counts[i] < counts[best]) best = i;
  return best;
}

__global__ void __launch_bounds__(kThreads, 1) absorb_kernel(const __grid_constant__ Absorb job) {
  if (job.skips != nullptr && *job.skips != 0) return;
  const cg::grid_group grid = cg::this_grid();
  __shared__ unsigned block_reach, reach, beyond[kWarp], best;
  __shared__ Distance eccentricity, limit;
  __shared__ Vertex source;
  __shared__ Census census[2], all;          // of this block, before the ball is set and after; and of all
  const bool counts = job.centers.count > 1;
  if (threadIdx.x < kWarp) beyond[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    block_reach = reach = 0;
    eccentricity = job.row != nullptr ? job.ends->eccentricity : 0;
    source = job.row != nullptr ? job.ends->source : kNoVertex;
    limit = job.limit.or_eccentricity ? max(job.limit.value, eccentricity) : job.limit.value;
    census[0] = census[1] = {0, 0, 0, 0};
  }
  __syncthreads();
  if (job.row != nullptr) {
    unsigned farthest = 0;
    for (std::size_t v = grid.thread_rank(); v < job.sets.order; v += grid.size())
      if ((job.sets.dropped(v, job.sets.upper[v], limit) & kCandidate) != 0) farthest = max(farthest, job.row[v]);
    raise(farthest, &block_reach, &job.control->reach);
    grid.sync();
    if (threadIdx.x == 0) reach = fresh(&job.control->reach);
    __syncthreads();
  }
  Census mine{0, 0, 0, 0};
  unsigned mine_beyond = 0;                  // a lane counts for one row
  for_vertices(grid, job.sets.order, [&](std::size_t v, bool exists) {
    unsigned char now = 0;
    if (exists && job.row != nullptr) {
      const Distance d = job.row[v], upper = min(job.sets.upper[v], d + reach);
      job.sets.lower[v] = max(job.sets.lower[v], max(d, eccentricity - d));
      job.sets.upper[v] = upper;
      if (v == source) job.sets.flags[v] |= kSearched;
      now = job.sets.dropped(v, upper, limit);
      count_in(mine, now, upper);
    } else if (exists) {
      now = job.sets.flags[v];
      count_in(mine, now, (now & kCandidate) != 0 ? job.sets.upper[v] : 0);
    }
    if (!counts || !__any_sync(~0u, (now & kCandidate) != 0)) return;
    for (unsigned r = 0; r < job.centers.count; ++r) {
      const unsigned there = __popc(__ballot_sync(~0u, (now & kCandidate) != 0 && job.centers.data[r][v] > limit / 2));
      if (lane() == r) mine_beyond += there;
    }
  });
  add_up(mine, &census[0]);
  if (mine_beyond != 0) atomicAdd(&beyond[lane()], mine_beyond);
  __syncthreads();
  hand_on(census[0], &job.control->census);
  if (threadIdx.x < kWarp && beyond[threadIdx.x] != 0) atomicAdd(&job.control->beyond[threadIdx.x], beyond[threadIdx.x]);
  grid.sync();
  if (threadIdx.x == 0) all = fresh_copy(&job.control->census);
  if (counts && threadIdx.x < kWarp) beyond[threadIdx.x] = fresh(&job.control->beyond[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) best = counts ? least_of(beyond, job.centers.count) : 0;
  __syncthreads();
  const bool sets_ball = all.outside > 0 || job.row == nullptr;
  if (sets_ball) {
    const Distance* const center = job.centers.data[best];
    Census after{0, 0, 0, 0};
    for (std::size_t v = grid.thread_rank(); v < job.sets.order; v += grid.size()) {
      const unsigned char before = job.sets.flags[v];
      if ((before & kCandidate) == 0) continue;
      const auto now = static_cast<unsigned char>(center[v] > limit / 2 ? before | kOutside : before & ~kOutside);
      if (now != before) job.sets.flags[v] = now;
      count_in(after, now, job.sets.upper[v]);
    }
    __syncwarp();
    add_up(after, &census[1]);
    __syncthreads();
    hand_on(census[1], &job.control->census_after);
    grid.sync();
  }
  if (grid.thread_rank() != 0) return;
  const Census left = sets_ball ? fresh_copy(&job.control->census_after) : all;
  job.answer->reach = reach;
  job.answer->census = left;
  job.answer->center = sets_ball ? best : kNoVertex;
  job.control->is_over = left.outside == 0 ? 1 : 0;
  job.control->reach = 0;                    // for the next one; whoever has not read the census yet finds nobody outside, as there is if no ball was set
  job.control->census = job.control->census_after = {0, 0, 0, 0};
  for (unsigned r = 0; r < kWarp; ++r) job.control->beyond[r] = 0;
}

// A lane counts for one row.
__global__ void __launch_bounds__(kThreads) count_beyond_kernel(Rows rows, const unsigned char* flags, Vertex order, Distance radius, unsigned* counts, unsigned* done, Vertex* answer) {
  __shared__ unsigned block_counts[kWarp];
  __shared__ bool last;
  if (threadIdx.x < kWarp) block_counts[threadIdx.x] = 0;
  __syncthreads();
  const std::size_t rounded = (std::size_t{order} + kWarp - 1) / kWarp * kWarp;
  unsigned mine = 0;
  for (std::size_t v = blockIdx.x * std::size_t{kThreads} + threadIdx.x; v < rounded; v += std::size_t{gridDim.x} * kThreads) {
    const bool candidate = v < order && (flags[v] & kCandidate) != 0;
    if (!__any_sync(~0u, candidate)) continue;
    for (unsigned r = 0; r < rows.count; ++r) {
      const unsigned beyond = __popc(__ballot_sync(~0u, candidate && rows.data[r][v] > radius));
      if (lane() == r) mine += beyond;
    }
  }
  if (mine != 0) atomicAdd(&block_counts[lane()], mine);
  __syncthreads();
  if (threadIdx.x < rows.count && block_counts[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], block_counts[threadIdx.x]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last || threadIdx.x >= rows.count) return;
  __threadfence();
  answer[threadIdx.x] = fresh(&counts[threadIdx.x]);
  counts[threadIdx.x] = 0;                   // for the next one
}

__global__ void list_kernel(const unsigned char* flags, Vertex order, Vertex* list, unsigned* count) {
  const std::size_t rounded = (std::size_t{order} + kWarp - 1) / kWarp * kWarp;
  for (std::size_t v = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; v < rounded; v += std::size_t{gridDim.x} * blockDim.x) {
    const bool mine = v < order && (flags[v] & kCandidate) != 0;
    const unsigned all = __ballot_sync(~0u, mine);
    if (all == 0) continue;
    unsigned at = 0;
    if (lane() == 0) at = atomicAdd(count, __popc(all));
    at = __shfl_sync(~0u, at, 0);
    if (mine) list[at + __popc(all & ((1u << lane()) - 1))] = static_cast<Vertex>(v);
  }
}

struct Refine {
  Sets sets;
  Rows rows;
  const Vertex* list;
  Distance limit;
  unsigned rounds;
  RoundControl* control;
  RoundAnswer* answer;
};

// A thread has the same candidates in every pass, so that only what is added up over all needs a barrier. One block, or all.
__global__ void __launch_bounds__(kThreads, 1) refine_kernel(const __grid_constant__ Refine job) {
  const cg::grid_group grid = cg::this_grid();
  const auto meet = [&] {
    if (gridDim.x == 1) {
      __syncthreads();
    } else {
      grid.sync();
    }
  };
  __shared__ RefineCell cell;                // as all know it
  __shared__ unsigned outside;
  const std::size_t thread = grid.thread_rank(), threads = grid.size();
  const unsigned count = job.control->listed;
  bool more = true;
  unsigned round = 0;
  for (; more && round < job.rounds; ++round) {
    more = false;
    for (unsigned r = 0; r < job.rows.count; ++r) {
      RefineCell& all = job.control->cells[round][r];
      const Distance* const row = job.rows.data[r];
      unsigned farthest = 0;
      for (std::size_t i = thread; i < count; i += threads)
        if (const Vertex v = job.list[i]; (job.sets.flags[v] & kCandidate) != 0) farthest = max(farthest, row[v]);
      farthest = __reduce_max_sync(~0u, farthest);
      if (lane() == 0 && farthest != 0) atomicMax(&all.reach, farthest);
      meet();
      if (threadIdx.x == 0) cell.reach = fresh(&all.reach);
      __syncthreads();
      unsigned farthest_outside = 0, gone = 0;
      for (std::size_t i = thread; i < count; i += threads) {
        const Vertex v = job.list[i];
        if ((job.sets.flags[v] & kCandidate) == 0) continue;
        const Distance upper = min(job.sets.upper[v], row[v] + cell.reach);
        job.sets.upper[v] = upper;
        const unsigned char now = job.sets.dropped(v, upper, job.limit);
        if ((now & kCandidate) == 0) ++gone;
        if ((now & kOutside) != 0) farthest_outside = max(farthest_outside, row[v]);
      }
      farthest_outside = __reduce_max_sync(~0u, farthest_outside);
      gone = __reduce_add_sync(~0u, gone);
      if (lane() == 0 && farthest_outside != 0) atomicMax(&all.reach_outside, farthest_outside);
      if (lane() == 0 && gone != 0) atomicAdd(&all.gone, gone);
      meet();
      if (threadIdx.x == 0) cell.reach_outside = fresh(&all.reach_outside), cell.gone = fresh(&all.gone);
      __syncthreads();
      more |= cell.gone != 0;
      gone = 0;
      for (std::size_t i = thread; i < count; i += threads) {
        const Vertex v = job.list[i];
        const unsigned char now = job.sets.flags[v];
        if ((now & kCandidate) == 0 || (now & kOutside) != 0 || row[v] + cell.reach_outside > job.limit) continue;
        job.sets.flags[v] = now & kSearched;
        ++gone;
      }
      gone = __reduce_add_sync(~0u, gone);
      if (lane() == 0 && gone != 0) atomicAdd(&all.gone_inside, gone);
    }
    unsigned left = 0;
    for (std::size_t i = thread; i < count; i += threads) left += (job.sets.flags[job.list[i]] & kOutside) != 0 ? 1 : 0;
    left = __reduce_add_sync(~0u, left);
    if (lane() == 0 && left != 0) atomicAdd(&job.control->outside[round], left);
    meet();
    if (threadIdx.x == 0) {
      outside = fresh(&job.control->outside[round]);
      cell.gone_inside = 0;
      for (unsigned r = 0; r < job.rows.count; ++r) cell.gone_inside += fresh(&job.control->cells[round][r].gone_inside);
    }
    __syncthreads();
    more = (more || cell.gone_inside != 0) && outside > 0;
  }
  Census mine{0, 0, 0, 0};
  for (std::size_t i = thread; i < count; i += threads) count_in(mine, job.sets.flags[job.list[i]], job.sets.upper[job.list[i]]);
  add_up(mine, &job.control->census);
  meet();
  if (blockIdx.x != 0) return;
  if (threadIdx.x == 0) {
    job.answer->census = fresh_copy(&job.control->census);
    job.answer->rounds = round;
  }
  for (unsigned r = threadIdx.x; r < round * job.rows.count; r += kThreads) job.answer->cells[r / job.rows.count][r % job.rows.count] = fresh_copy(&job.control->cells[r / job.rows.count][r % job.rows.count]);
  __syncthreads();
  for (unsigned w = threadIdx.x; w < sizeof(RoundControl) / sizeof(unsigned); w += kThreads) reinterpret_cast<unsigned*>(job.control)[w] = 0;  // for the next one
}

}  // namespace

static_assert(sizeof(RoundAnswer) <= Context::kPinned / 8 * 3);

void CudaBounds::start_round(const Distance* row, const SearchEnds* ends, RoundLimit limit, std::span<const Row> centers, const unsigned* skips, unsigned turn) {
  auto* const answer = static_cast<RoundAnswer*>(context_.pinned_behind_search(turn));
  Absorb job{{order(), lower_data(), upper_data(), flags_data()}, row, ends, skips, limit, {{}, static_cast<unsigned>(centers.size())}, round_.data(), answer};
  for (unsigned r = 0; r < job.centers.count; ++r) job.centers.data[r] = row_of_(centers[r]).data;
  context_.launch_together(absorb_kernel, kThreads, 0, job);
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

std::vector<Vertex> CudaBounds::count_beyond(std::span<const Row> handles, Distance radius) const {
  std::vector<Vertex> result;
  for (std::size_t begin = 0; begin < handles.size(); begin += kMostRows) {
    Rows rows{{}, static_cast<unsigned>(std::min(kMostRows, handles.size() - begin))};
    for (unsigned r = 0; r < rows.count; ++r) rows.data[r] = row_of_(handles[begin + r]).data;
    auto* const answer = static_cast<Vertex*>(context_.pinned());
    const unsigned blocks = std::min(context_.blocks_for(order(), kThreads), static_cast<unsigned>(context_.multiprocessors()));
    count_beyond_kernel<<<blocks, kThreads, 0, context_.stream()>>>(rows, flags_data(), order(), radius, round_.data()->beyond, &round_.data()->done, answer);
    check(cudaGetLastError(), "launching a kernel");
    context_.finish();
    result.insert(result.end(), answer, answer + rows.count);
  }
  return result;
}

std::vector<Shrink> CudaBounds::refine(std::span<const Row> handles, Distance limit, int rounds) {
  if (handles.size() > kMostRows || rounds > static_cast<int>(RoundControl::kMostRounds)) return Bounds::refine(handles, limit, rounds);
  if (rounds <= 0 || count(Among::outside) == 0) return {};
  const Vertex candidates = count(Among::candidates);
  if (list_.size() < candidates) list_ = Buffer<Vertex>(candidates);
  list_kernel<<<context_.blocks_for(order()), Context::kThreads, 0, context_.stream()>>>(flags_data(), order(), list_.data(), &round_.data()->listed);
  check(cudaGetLastError(), "launching a kernel");
  auto* const answer = static_cast<RoundAnswer*>(context_.pinned());
  Refine job{{order(), lower_data(), upper_data(), flags_data()}, {{}, static_cast<unsigned>(handles.size())}, list_.data(), limit, static_cast<unsigned>(rounds), round_.data(), answer};
  for (unsigned r = 0; r < job.rows.count; ++r) job.rows.data[r] = row_of_(handles[r]).data;
  constexpr Vertex kForOneBlock = 16384;
  if (candidates <= kForOneBlock) {
    refine_kernel<<<1, kThreads, 0, context_.stream()>>>(job);
    check(cudaGetLastError(), "launching a kernel");
  } else {
    context_.launch_together(refine_kernel, kThreads, 0, job);
  }
  context_.finish();
  know(answer->census);
  std::vector<Shrink> result;
  for (unsigned round = 0; round < answer->rounds; ++round)
    for (std::size_t r = 0; r < handles.size(); ++r) {
      const RefineCell& cell = answer->cells[round][r];
      if (cell.gone != 0) result.push_back({r, Among::candidates, cell.reach});
      if (cell.gone_inside != 0) result.push_back({r, Among::outside, cell.reach_outside});
    }
  return result;
}

}  // namespace antipode::cuda
