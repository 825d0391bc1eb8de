// Small things that the threads of a warp do together.
#pragma once

#include <cstdint>

namespace antipode::cuda {

inline constexpr unsigned kWarp = 32;

__device__ inline unsigned lane() { return threadIdx.x % kWarp; }

// The sum over this lane and those before it; all lanes must come.
__device__ inline unsigned inclusive_sum(unsigned value) {
  for (unsigned step = 1; step < kWarp; step *= 2) {
    const unsigned other = __shfl_up_sync(~0u, value, step);
    if (lane() >= step) value += other;
  }
  return value;
}

// A counter in shared memory to which warps add. Every lane has a cell and takes part, and the
// first one's counts: of an addition by one lane alone the compiler makes one over all lanes that
// might be there, a dozen instructions and three waits.
struct WarpCounter {
  unsigned cells[kWarp];
  __device__ void clear() { cells[0] = 0; }  // by one thread
  __device__ unsigned add(unsigned value) {
    return __shfl_sync(~0u, atomicAdd(&cells[lane()], value), 0);
  }  // by all lanes of a warp, the same; what it was before
  __device__ unsigned value() const { return *static_cast<const volatile unsigned*>(cells); }
};

// Nanoseconds since some moment.
__device__ inline unsigned long long clock_now() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

// Read past the caches that other blocks do not write through.
template <class T>
__device__ T fresh(const T* cell) {
  return *static_cast<const volatile T*>(cell);
}

// The same for a small structure of 32-bit or 64-bit words.
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
