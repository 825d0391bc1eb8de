// One search by one block, from its source to its result: the loop over levels.
#pragma once

#include "engine/cuda/search/block/block_level.hpp"

namespace antipode::cuda {

// Threads of a block that has a multiprocessor to itself, shares it with one, or with more; the
// last also for farthest distances.
inline constexpr unsigned kAlone = 1024, kPaired = 512, kMany = 288, kManyFarthest = 320;

// Adds `count` vertices at this distance, for every vertex that source `which` represents.
__device__ inline void count_arrivals(const Arrivals& arrivals, unsigned which, Distance level,
                                      unsigned count) {
  if (arrivals.weights == nullptr) {
    atomicAdd(&arrivals.levels[level], static_cast<unsigned long long>(count));
    return;
  }
  const Vertex* const weights = &arrivals.weights[which][0];
  for (unsigned k = 0; k < std::tuple_size_v<Multiplicities>; ++k)
    if (weights[k] != 0)
      atomicAdd(&arrivals.levels[level + k], static_cast<unsigned long long>(weights[k]) * count);
}

// Shared memory in front of bitmap and queues.
struct BlockSearchMemory {
  WarpCounter found[3];  // rotates: this level, the next, the one being cleared
  unsigned farthest_distances[2], farthest, taken;
};

// The last thread does the counting: it has no other work in most levels.
template <unsigned kThreads>
__device__ bool is_counting_thread() {
  return threadIdx.x == kThreads - 1;
}

// One search by the whole block; only the counting thread's result is complete. Outputs that were
// not requested are compiled out.
template <unsigned kThreads, BlockOutput kOutput>
__device__ BlockResult search_by_block(const BlockJob& job, unsigned which,
                                       const BlockSource& source, unsigned* shared,
                                       BlockSearchMemory& memory) {
  constexpr bool kCounts = kOutput == BlockOutput::counts || kOutput == BlockOutput::farthest;
  const unsigned words = PackedEntry::words(job.graph.order);
  const Vertex first = PackedEntry::vertex_of(source.entry);
  unsigned* const queues = shared + words + kWarp;
  BlockState state{.visited = shared,
                   .now = queues,
                   .next = queues + job.queue_room,
                   .found = nullptr,
                   .farthest_distances = memory.farthest_distances,
                   .padding = PackedEntry::padding(job.graph.order, thread_of_warp()),
                   .count = 1,
                   .before = 0,
                   .level = source.level,
                   .distances = kOutput == BlockOutput::distances
                                    ? job.distances + std::size_t{which} * job.graph.order
                                    : nullptr};
  for (unsigned w = threadIdx.x; w < words; w += kThreads)
    state.visited[w] = w == first / 32 ? 1u << first % 32 : 0;
  if (threadIdx.x < kWarp) state.visited[words + threadIdx.x] = ~0u;
  if (threadIdx.x < 3) memory.found[threadIdx.x].clear();
  if (threadIdx.x < 2) memory.farthest_distances[threadIdx.x] = 0;
  const bool counting = is_counting_thread<kThreads>();
  if (counting) {
    state.now[0] = source.entry;
    memory.farthest = kNoVertex;
    if (kOutput == BlockOutput::trail) job.trail.begins[0] = 0;
    if (source.level != 0 && kCounts && job.arrivals.levels != nullptr)
      count_arrivals(job.arrivals, which, source.level, 1);
  }
  __syncthreads();
  BlockResult result{.eccentricity = 0,
                     .reached = 1 + source.level,
                     .farthest = kNoVertex,
                     .overflow = 0,
                     .distance_sum = source.level,
                     .reach = {0, 0}};
  for (unsigned slot = 0;;) {
    state.found = &memory.found[slot];
    slot = slot == 2 ? 0 : slot + 1;
    if (counting) memory.found[slot].clear();
    if (kThreads == kAlone && state.count <= kThreads / 2) {
      expand<kThreads, kOutput, 2>(job, state);
    } else {
      expand<kThreads, kOutput, 1>(job, state);
    }
    __syncthreads();
    const unsigned finds = state.found->value(),
                   count = kOutput == BlockOutput::counts ? finds % Finds::kLeaf : finds,
                   leaves = kOutput == BlockOutput::counts ? finds / Finds::kLeaf : 0,
                   all = count + leaves;
    state.before = result.reached;
    result.reached += all;
    if (kCounts && counting && all != 0) {
      result.distance_sum += (state.level + 1ull) * all;
      if (job.arrivals.levels != nullptr) count_arrivals(job.arrivals, which, state.level + 1, all);
    }
    if (count - 1 >= job.queue_room) {  // zero (wraps around), or too many
      if (count != 0) {
        result.overflow = 1;
        result.reached = state.before;
      } else if (leaves != 0) {
        ++state.level;
      }
      break;
    }
    ++state.level;
    unsigned* const free = state.now;
    state.now = state.next;
    state.next = free;
    state.count = count;
    if (kOutput == BlockOutput::trail && counting) job.trail.begins[state.level] = state.before;
  }
  result.eccentricity = state.level;
  if (kOutput == BlockOutput::trail)
    for (unsigned i = threadIdx.x; i < state.count; i += kThreads)
      atomicMin(&memory.farthest, PackedEntry::vertex_of(state.now[i]));
  __syncthreads();
  result.farthest = fresh(&memory.farthest);
  result.reach = {fresh(&memory.farthest_distances[0]), fresh(&memory.farthest_distances[1])};
  return result;
}

__device__ inline Vertex level_size(const BlockTrail& trail, Distance level, Distance last,
                                    Vertex reached) {
  return (level < last ? trail.begins[level + 1] : reached) - trail.begins[level];
}

// Writes the answer of a single search, by all threads of the block.
__device__ inline void write_answer(const BlockTrail& trail, const BlockResult& result,
                                    SingleAnswer* answer, const Signal& signal) {
  __syncthreads();
  for (Distance level = threadIdx.x;
       level <= result.eccentricity && level < std::size(answer->level_sizes); level += blockDim.x)
    answer->level_sizes[level] = level_size(trail, level, result.eccentricity, result.reached);
  if (threadIdx.x == 0) answer->result = result;
  __syncthreads();
  if (threadIdx.x == 0) signal.give();
}

}  // namespace antipode::cuda
