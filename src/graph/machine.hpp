// What this process may use of the machine: processors and memory, as the operating system and the
// container it runs in allow.
#pragma once

#include <cstdint>
#include <string>

namespace antipode {

struct ControlGroup {
  double processors = 0;     // a quota, perhaps a fraction; 0: none
  std::uint64_t memory = 0;  // bytes; 0: no limit
};
// The limits of the control group (version 1 or 2) that this process is in, and of all above it.
// `root` is where /proc and /sys are: for tests.
ControlGroup control_group(const std::string& root = "");

unsigned usable_processors();   // the smallest of affinity, quota and number of processors
std::uint64_t usable_memory();  // bytes: at most the physical memory and the control group's limit

// The number of threads that `requested` stands for: itself, but not many more than there are
// processors. 0: OMP_NUM_THREADS if it is set, else one per processor.
unsigned thread_count(unsigned requested);

}  // namespace antipode
