// Warp-level helpers, the clock, and reads past the L1 cache.
#pragma once

#include <cstdint>

namespace antipode::cuda {

inline constexpr unsigned kWarp = 32;

// Number of the calling thread within its warp.
__device__ inline unsigned thread_of_warp() { return threadIdx.x % kWarp; }

// Inclusive prefix sum over the warp; all threads of the warp must call it.
__device__ inline unsigned inclusive_sum(unsigned value) {
  for (unsigned step = 1; step < kWarp; step *= 2) {
    const unsigned other = __shfl_up_sync(~0u, value, step);
    if (thread_of_warp() >= step) value += other;
  }
  return value;
}

// A counter in shared memory to which warps add. Every thread of the warp adds to its own cell, and
// only the first cell counts. For an addition by one thread the compiler emits an aggregation over
// the warp: a dozen instructions and three waits.
struct WarpCounter {
  unsigned cells[kWarp];
  __device__ void clear() { cells[0] = 0; }  // by one thread
  // By all threads of a warp, with the same value; returns the previous count.
  __device__ unsigned add(unsigned value) {
    return __shfl_sync(~0u, atomicAdd(&cells[thread_of_warp()], value), 0);
  }
  __device__ unsigned value() const { return *static_cast<const volatile unsigned*>(cells); }
};

// Nanoseconds since an arbitrary origin.
__device__ inline unsigned long long clock_now() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

// Reads past the L1 cache, which does not see writes of other blocks.
template <class T>
__device__ T fresh(const T* cell) {
  return *static_cast<const volatile T*>(cell);
}

// The same for a small structure whose size is a multiple of 64 bits.
template <class T>
__device__ T fresh_copy(const T* from) {
  static_assert(sizeof(T) % sizeof(std::uint64_t) == 0);
  union Words {
    __device__ Words() {}
    T value;
    std::uint64_t words[sizeof(T) / sizeof(std::uint64_t)];
  } copy;
  for (unsigned i = 0; i < sizeof(T) / sizeof(std::uint64_t); ++i)
    copy.words[i] = fresh(reinterpret_cast<const std::uint64_t*>(from) + i);
  return copy.value;
}

}  // namespace antipode::cuda
