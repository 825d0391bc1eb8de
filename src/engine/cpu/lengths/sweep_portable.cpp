// The climb and the sweep for any machine.
#include <algorithm>

#include "engine/cpu/lengths/sweep.hpp"

namespace antipode::cpu {
namespace {
#include "engine/cpu/lengths/sweep_kernel.hpp"
}  // namespace

template <class Key>
SweepKernel<Key> portable_sweep() {
  return kernel<Key>();
}
template SweepKernel<std::uint32_t> portable_sweep();
template SweepKernel<std::uint64_t> portable_sweep();

}  // namespace antipode::cpu
