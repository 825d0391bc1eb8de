// What rounds of elimination ask again of rows they have: refinement, all in one launch.
#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/bounds/sets.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kThreads = 1024;

__global__ void list_kernel(const unsigned char* flags, Vertex order, Vertex* list,
                            unsigned* count) {
  const std::size_t rounded = (std::size_t{order} + kWarp - 1) / kWarp * kWarp;
  for (std::size_t v = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; v < rounded;
       v += std::size_t{gridDim.x} * blockDim.x) {
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
  DistanceList rows;
  const Vertex* list;
  Distance limit;
  unsigned rounds;
  RoundControl* control;
  RoundAnswer* answer;
};

// A thread has the same candidates in every pass, so that only what is added up over all needs a
// barrier. One block, or all.
__global__ void __launch_bounds__(kThreads, 1) refine_kernel(const __grid_constant__ Refine job) {
  const cg::grid_group grid = cg::this_grid();
  const auto meet = [&] {
    if (gridDim.x == 1) {
      __syncthreads();
    } else {
      grid.sync();
    }
  };
  __shared__ RefineCell cell;  // as all know it
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
        if (const Vertex v = job.list[i]; (job.sets.flags[v] & kCandidate) != 0)
          farthest = max(farthest, row[v]);
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
      if (threadIdx.x == 0)
        cell.reach_outside = fresh(&all.reach_outside), cell.gone = fresh(&all.gone);
      __syncthreads();
      more |= cell.gone != 0;
      gone = 0;
      for (std::size_t i = thread; i < count; i += threads) {
        const Vertex v = job.list[i];
        const unsigned char now = job.sets.flags[v];
        if ((now & kCandidate) == 0 || (now & kOutside) != 0 ||
            row[v] + cell.reach_outside > job.limit)
          continue;
        job.sets.flags[v] = now & kSearched;
        ++gone;
      }
      gone = __reduce_add_sync(~0u, gone);
      if (lane() == 0 && gone != 0) atomicAdd(&all.gone_inside, gone);
    }
    unsigned left = 0;
    for (std::size_t i = thread; i < count; i += threads)
      left += (job.sets.flags[job.list[i]] & kOutside) != 0 ? 1 : 0;
    left = __reduce_add_sync(~0u, left);
    if (lane() == 0 && left != 0) atomicAdd(&job.control->outside[round], left);
    meet();
    if (threadIdx.x == 0) {
      outside = fresh(&job.control->outside[round]);
      cell.gone_inside = 0;
      for (unsigned r = 0; r < job.rows.count; ++r)
        cell.gone_inside += fresh(&job.control->cells[round][r].gone_inside);
    }
    __syncthreads();
    more = (more || cell.gone_inside != 0) && outside > 0;
  }
  SetCounts mine{0, 0, 0, 0};
  for (std::size_t i = thread; i < count; i += threads)
    count_in(mine, job.sets.flags[job.list[i]], job.sets.upper[job.list[i]]);
  add_up(mine, &job.control->census);
  meet();
  if (blockIdx.x != 0) return;
  if (threadIdx.x == 0) {
    job.answer->census = fresh_copy(&job.control->census);
    job.answer->rounds = round;
  }
  for (unsigned r = threadIdx.x; r < round * job.rows.count; r += kThreads)
    job.answer->cells[r / job.rows.count][r % job.rows.count] =
        fresh_copy(&job.control->cells[r / job.rows.count][r % job.rows.count]);
  __syncthreads();
  for (unsigned w = threadIdx.x; w < sizeof(RoundControl) / sizeof(unsigned); w += kThreads)
    reinterpret_cast<unsigned*>(job.control)[w] = 0;  // for the next one
}

}  // namespace

std::vector<RefineStep> CudaBounds::refine(std::span<const DistanceHandle> handles, Distance limit,
                                           int rounds) {
  if (handles.size() > kMostRows || rounds > static_cast<int>(RoundControl::kMostRounds))
    return CandidateSets::refine(handles, limit, rounds);
  if (rounds <= 0 || counts().outside == 0) return {};
  const Vertex candidates = counts().candidates;
  context_.make_room(list_, candidates);
  list_kernel<<<context_.blocks_for(order()), Context::kThreads, 0, context_.stream()>>>(
      flags_data(), order(), list_.data(), &round_.data()->listed);
  check(cudaGetLastError(), "launching a kernel");
  auto* const answer = static_cast<RoundAnswer*>(context_.pinned());
  Refine job{{order(), lower_data(), upper_data(), flags_data()},
             {{}, static_cast<unsigned>(handles.size())},
             list_.data(),
             limit,
             static_cast<unsigned>(rounds),
             round_.data(),
             answer};
  for (unsigned r = 0; r < job.rows.count; ++r) job.rows.data[r] = row_of_(handles[r]).data;
  constexpr Vertex kForOneBlock = 16384;
  if (candidates <= kForOneBlock) {
    refine_kernel<<<1, kThreads, 0, context_.stream()>>>(job);
    check(cudaGetLastError(), "launching a kernel");
  } else {
    context_.launch_cooperative(refine_kernel, kThreads, 0, job);
  }
  context_.finish();
  know(answer->census);
  std::vector<RefineStep> result;
  for (unsigned round = 0; round < answer->rounds; ++round)
    for (std::size_t r = 0; r < handles.size(); ++r) {
      const RefineCell& cell = answer->cells[round][r];
      if (cell.gone != 0) result.push_back({r, Among::candidates, cell.reach});
      if (cell.gone_inside != 0) result.push_back({r, Among::outside, cell.reach_outside});
    }
  return result;
}

}  // namespace antipode::cuda
