// The climb and the sweep for machines with AVX-512.
#include <algorithm>

#include "engine/cpu/lengths/sweep.hpp"

#if defined(__x86_64__)
#define ANTIPODE_SWEEP_AVX512
#if defined(__clang__)
#pragma clang attribute push(                                                    \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2")
#endif
#endif
namespace antipode::cpu {
namespace {
#include "engine/cpu/lengths/sweep_kernel.hpp"
}  // namespace

template <class Key>
SweepKernel<Key> avx512_sweep() {
  return kernel<Key>();
}
template SweepKernel<std::uint32_t> avx512_sweep();
template SweepKernel<std::uint64_t> avx512_sweep();

}  // namespace antipode::cpu
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
