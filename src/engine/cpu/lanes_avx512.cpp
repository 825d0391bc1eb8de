// The lane kernels for machines with AVX-512.
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <utility>

#include "antipode/error.hpp"
#include "engine/cpu/lanes.hpp"
#include "engine/host/multiplicities.hpp"
#include "graph/buffer.hpp"
#include "graph/parallel.hpp"

#if defined(__x86_64__)
#define ANTIPODE_LANES_AVX512
#if defined(__clang__)
#pragma clang attribute push(                                                    \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi,bmi2")
#endif
namespace antipode::cpu {
namespace {
#include "engine/cpu/lanes_kernel.hpp"
}  // namespace

std::unique_ptr<LaneKernel> avx512_lanes(const LaneMachine& machine, unsigned words) {
  return kernel_of(machine, words);
}

}  // namespace antipode::cpu
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#else
namespace antipode::cpu {
std::unique_ptr<LaneKernel> avx512_lanes(const LaneMachine& machine, unsigned words) {
  return portable_lanes(machine, words);
}
}  // namespace antipode::cpu
#endif
