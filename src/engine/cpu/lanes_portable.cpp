// The lane kernels for any machine: the compiler splits wide words.

#include <algorithm>
#include <atomic>
#include <utility>

#include "antipode/error.hpp"
#include "engine/cpu/lanes.hpp"
#include "engine/host/multiplicities.hpp"
#include "graph/buffer.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {
namespace {
#include "engine/cpu/lanes_kernel.hpp"
}  // namespace

std::unique_ptr<LaneKernel> portable_lanes(const LaneMachine& machine, unsigned words) {
  return kernel_of(machine, words);
}

}  // namespace antipode::cpu
