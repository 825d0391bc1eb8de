// The candidate sets as kernels change and count them.
#pragma once

#include "engine/cuda/bounds/bounds.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/layout/flags.hpp"

namespace antipode::cuda {

struct Sets {
  Vertex order;
  Distance *lower, *upper;
  unsigned char* flags;

  // Drops a vertex whose upper bound is at most the limit; returns its flags.
  __device__ unsigned char drop_at_most(std::size_t v, Distance bound, Distance limit) const {
    const unsigned char now = flags[v];
    if (bound > limit || (now & (kCandidate | kOutside)) == 0) return now;
    return flags[v] = now & kSearched;
  }
};

__device__ inline void count_in(SetCounts& census, unsigned char flags, Distance upper) {
  if ((flags & kCandidate) != 0)
    ++census.candidates, census.max_upper = max(census.max_upper, upper);
  if ((flags & kOutside) != 0)
    ++census.outside, census.max_upper_outside = max(census.max_upper_outside, upper);
}

// Adds the counts of a warp to those in global memory. Called by all its threads.
__device__ inline void add_up(const SetCounts& mine, SetCounts* all) {
  const unsigned candidates = __reduce_add_sync(~0u, mine.candidates),
                 outside = __reduce_add_sync(~0u, mine.outside);
  const Distance upper = __reduce_max_sync(~0u, mine.max_upper),
                 upper_outside = __reduce_max_sync(~0u, mine.max_upper_outside);
  if (thread_of_warp() != 0 || candidates == 0) return;
  atomicAdd(&all->candidates, candidates);
  atomicMax(&all->max_upper, upper);
  if (outside == 0) return;
  atomicAdd(&all->outside, outside);
  atomicMax(&all->max_upper_outside, upper_outside);
}

// Distances of several searches, as a kernel parameter.
struct DistanceList {
  const Distance* data[CudaBounds::kMostSearches];
  unsigned count;
};

}  // namespace antipode::cuda
