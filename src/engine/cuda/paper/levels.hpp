// One level of a search in the paper's two ways: one thread per vertex (Algorithm 3), one warp per
// vertex (Algorithm 4). F holds the distances; vertices at `level` are active. Nothing is atomic:
// all threads that find a vertex write the same value.
#pragma once

#include "engine/cuda/paper/padded.hpp"

namespace antipode::cuda {

// What a level reports to the host.
struct LevelReport {
  Distance deepest;  // level + 1 once a vertex was found
  Vertex active;     // vertices at this level
};

template <class Lists>
__device__ bool expand_by_thread(const Lists& lists, Distance* F, Distance level, Vertex v) {
  const auto list = lists.begin(v);
  bool changed = false;
  for (Vertex j = 0, size = lists.size(v); j < size; ++j) {
    const Vertex u = list[j];
    if (F[u] != kUnreached) continue;
    F[u] = level + 1;
    changed = true;
  }
  return changed;
}

// Algorithm 3.
template <class Lists>
__global__ void thread_level_kernel(Lists lists, Distance* F, Distance level, LevelReport* report) {
  bool changed = false;
  unsigned active = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < lists.order;
       i += std::size_t{gridDim.x} * blockDim.x) {
    if (F[i] != level) continue;
    ++active;
    changed |= expand_by_thread(lists, F, level, static_cast<Vertex>(i));
  }
  if (changed) report->deepest = level + 1;
  if (active != 0) atomicAdd(&report->active, active);
}

// Algorithm 4: a block copies its section of F to shared memory; each warp goes through 32 entries
// of it and reads the lists of the active ones together.
template <class Lists>
__global__ void warp_level_kernel(Lists lists, Distance* F, Distance level, LevelReport* report) {
  __shared__ Distance cache[Context::kThreads];
  const unsigned thread = threadIdx.x % 32, first = threadIdx.x - thread;
  bool changed = false;
  unsigned active = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x}; i < lists.order;
       i += std::size_t{gridDim.x} * blockDim.x) {
    cache[threadIdx.x] = i + threadIdx.x < lists.order ? F[i + threadIdx.x] : kUnreached;
    __syncwarp();
    for (unsigned w = first; w < first + 32; ++w) {
      if (cache[w] != level) continue;
      ++active;
      const Vertex v = static_cast<Vertex>(i + w);
      const Vertex* const list = lists.begin(v);
      for (Vertex t = thread, size = lists.size(v); t < size; t += 32) {
        if (F[list[t]] != kUnreached) continue;
        F[list[t]] = level + 1;
        changed = true;
      }
    }
    __syncwarp();
  }
  if (changed) report->deepest = level + 1;
  if (thread == 0 && active != 0) atomicAdd(&report->active, active);
}

template <class Lists>
void thread_level(const Context& context, const Lists& lists, Distance* F, Distance level,
                  LevelReport* report) {
  thread_level_kernel<<<context.blocks_for(lists.order), Context::kThreads, 0, context.stream()>>>(
      lists, F, level, report);
  check(cudaGetLastError(), "launching a kernel");
}

template <class Lists>
void warp_level(const Context& context, const Lists& lists, Distance* F, Distance level,
                LevelReport* report) {
  warp_level_kernel<<<context.blocks_for(lists.order), Context::kThreads, 0, context.stream()>>>(
      lists, F, level, report);
  check(cudaGetLastError(), "launching a kernel");
}

}  // namespace antipode::cuda
