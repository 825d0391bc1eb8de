// Refinement: repeats elimination with distances that were retained, all rounds in one launch. A
// thread has the same candidates in every pass, so only sums over all candidates need a barrier.
// Memory: a list of the candidates.
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
    if (thread_of_warp() == 0) at = atomicAdd(count, __popc(all));
    at = __shfl_sync(~0u, at, 0);
    if (mine) list[at + __popc(all & ((1u << thread_of_warp()) - 1))] = static_cast<Vertex>(v);
  }
}

struct RefineJob {
  Sets sets;
  DistanceList distances;
  const Vertex* list;
  Distance limit;
  unsigned rounds;
  RoundControl* control;
  RoundAnswer* answer;
};

// One block, or one block per multiprocessor launched cooperatively.
__global__ void __launch_bounds__(kThreads, 1)
    refine_kernel(const __grid_constant__ RefineJob job) {
  const cg::grid_group grid = cg::this_grid();
  const auto sync_all = [&] {
    if (gridDim.x == 1) {
      __syncthreads();
    } else {
      grid.sync();
    }
  };
  __shared__ RefineCell cell;  // the totals of this step, for all threads of the block
  __shared__ unsigned outside;
  const std::size_t thread = grid.thread_rank(), threads = grid.size();
  const unsigned count = job.control->listed;
  bool more = true;
  unsigned round = 0;
  for (; more && round < job.rounds; ++round) {
    more = false;
    for (unsigned r = 0; r < job.distances.count; ++r) {
      RefineCell& all = job.control->cells[round][r];
      const Distance* const distances = job.distances.data[r];
      unsigned farthest = 0;
      for (std::size_t i = thread; i < count; i += threads)
        if (const Vertex v = job.list[i]; (job.sets.flags[v] & kCandidate) != 0)
          farthest = max(farthest, distances[v]);
      farthest = __reduce_max_sync(~0u, farthest);
      if (thread_of_warp() == 0 && farthest != 0) atomicMax(&all.farthest, farthest);
      sync_all();
      if (threadIdx.x == 0) cell.farthest = fresh(&all.farthest);
      __syncthreads();
      unsigned farthest_outside = 0, removed = 0;
      for (std::size_t i = thread; i < count; i += threads) {
        const Vertex v = job.list[i];
        if ((job.sets.flags[v] & kCandidate) == 0) continue;
        const Distance upper = min(job.sets.upper[v], distances[v] + cell.farthest);
        job.sets.upper[v] = upper;
        const unsigned char now = job.sets.drop_at_most(v, upper, job.limit);
        if ((now & kCandidate) == 0) ++removed;
        if ((now & kOutside) != 0) farthest_outside = max(farthest_outside, distances[v]);
      }
      farthest_outside = __reduce_max_sync(~0u, farthest_outside);
      removed = __reduce_add_sync(~0u, removed);
      if (thread_of_warp() == 0 && farthest_outside != 0)
        atomicMax(&all.farthest_outside, farthest_outside);
      if (thread_of_warp() == 0 && removed != 0) atomicAdd(&all.removed, removed);
      sync_all();
      if (threadIdx.x == 0)
        cell.farthest_outside = fresh(&all.farthest_outside), cell.removed = fresh(&all.removed);
      __syncthreads();
      more |= cell.removed != 0;
      removed = 0;
      for (std::size_t i = thread; i < count; i += threads) {
        const Vertex v = job.list[i];
        const unsigned char now = job.sets.flags[v];
        if ((now & kCandidate) == 0 || (now & kOutside) != 0 ||
            distances[v] + cell.farthest_outside > job.limit)
          continue;
        job.sets.flags[v] = now & kSearched;
        ++removed;
      }
      removed = __reduce_add_sync(~0u, removed);
      if (thread_of_warp() == 0 && removed != 0) atomicAdd(&all.removed_inside, removed);
    }
    unsigned left = 0;
    for (std::size_t i = thread; i < count; i += threads)
      left += (job.sets.flags[job.list[i]] & kOutside) != 0 ? 1 : 0;
    left = __reduce_add_sync(~0u, left);
    if (thread_of_warp() == 0 && left != 0) atomicAdd(&job.control->outside[round], left);
    sync_all();
    if (threadIdx.x == 0) {
      outside = fresh(&job.control->outside[round]);
      cell.removed_inside = 0;
      for (unsigned r = 0; r < job.distances.count; ++r)
        cell.removed_inside += fresh(&job.control->cells[round][r].removed_inside);
    }
    __syncthreads();
    more = (more || cell.removed_inside != 0) && outside > 0;
  }
  SetCounts mine{};
  for (std::size_t i = thread; i < count; i += threads)
    count_in(mine, job.sets.flags[job.list[i]], job.sets.upper[job.list[i]]);
  add_up(mine, &job.control->census);
  sync_all();
  if (blockIdx.x != 0) return;
  if (threadIdx.x == 0) {
    job.answer->census = fresh_copy(&job.control->census);
    job.answer->rounds = round;
  }
  for (unsigned r = threadIdx.x; r < round * job.distances.count; r += kThreads)
    job.answer->cells[r / job.distances.count][r % job.distances.count] =
        fresh_copy(&job.control->cells[r / job.distances.count][r % job.distances.count]);
  __syncthreads();
  for (unsigned w = threadIdx.x; w < sizeof(RoundControl) / sizeof(unsigned); w += kThreads)
    reinterpret_cast<unsigned*>(job.control)[w] = 0;  // for the next launch
}

}  // namespace

std::vector<RefineStep> CudaBounds::refine(std::span<const DistanceHandle> handles, Distance limit,
                                           int rounds) {
  if (handles.size() > kMostSearches || rounds > static_cast<int>(RoundControl::kMostRounds))
    return CandidateSets::refine(handles, limit, rounds);
  if (rounds <= 0 || counts().outside == 0) return {};
  const Vertex candidates = counts().candidates;
  context_.make_room(list_, candidates);
  list_kernel<<<context_.blocks_for(order()), Context::kThreads, 0, context_.stream()>>>(
      flags_data(), order(), list_.data(), &round_.data()->listed);
  check(cudaGetLastError(), "launching a kernel");
  auto* const answer = static_cast<RoundAnswer*>(context_.pinned());
  RefineJob job{.sets = {.order = order(),
                         .lower = lower_data(),
                         .upper = upper_data(),
                         .flags = flags_data()},
                .distances = {{}, static_cast<unsigned>(handles.size())},
                .list = list_.data(),
                .limit = limit,
                .rounds = static_cast<unsigned>(rounds),
                .control = round_.data(),
                .answer = answer};
  for (unsigned r = 0; r < job.distances.count; ++r)
    job.distances.data[r] = distances_of_(handles[r]).data;
  constexpr Vertex kForOneBlock = 16384;
  if (candidates <= kForOneBlock) {
    refine_kernel<<<1, kThreads, 0, context_.stream()>>>(job);
    check(cudaGetLastError(), "launching a kernel");
  } else {
    context_.launch_cooperative(refine_kernel, kThreads, 0, job);
  }
  context_.finish();
  set_counts(answer->census);
  std::vector<RefineStep> result;
  for (unsigned round = 0; round < answer->rounds; ++round)
    for (std::size_t r = 0; r < handles.size(); ++r) {
      const RefineCell& cell = answer->cells[round][r];
      if (cell.removed != 0) result.push_back({r, Among::candidates, cell.farthest});
      if (cell.removed_inside != 0) result.push_back({r, Among::outside, cell.farthest_outside});
    }
  return result;
}

}  // namespace antipode::cuda
