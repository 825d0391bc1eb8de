// Small things that the threads of a warp do together.
#pragma once

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

// Read past the caches that other blocks do not write through.
template <class T>
__device__ T fresh(const T* cell) { return *static_cast<const volatile T*>(cell); }

}  // namespace antipode::cuda
