// Faults for tests: an allocation on the GPU that fails.
#pragma once

#include <cstdint>

namespace antipode::cuda {

// The allocation after the next `count` fails, once. Negative: none does. Returns the allocations
// made so far.
std::uint64_t fail_allocation_after(std::int64_t count);

}  // namespace antipode::cuda
