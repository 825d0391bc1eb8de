#include "graph/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

namespace antipode {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The number that a text begins with; 0 if there is none ("max", "-1").
std::uint64_t number_in(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

template <class T>
T smaller_limit(T a, T b) {
  return a == 0 ? b : b == 0 ? a : std::min(a, b);
}

// read(folder) of the group and of all groups above it, below `mount`.
template <class Read>
void for_groups(const std::string& mount, std::string path, Read read) {
  for (;; path.resize(path.rfind('/'))) {
    while (path.ends_with('/')) path.pop_back();
    read(mount + path);
    if (path.rfind('/') == std::string::npos) return;
  }
}

void take_version_2(const std::string& folder, ControlGroup& limits) {
  std::istringstream quota(first_line(folder + "/cpu.max"));
  std::string share, period;
  quota >> share >> period;
  if (number_in(share) > 0 && number_in(period) > 0)
    limits.processors =
        smaller_limit(limits.processors, static_cast<double>(number_in(share)) /
                                             static_cast<double>(number_in(period)));
  limits.memory = smaller_limit(limits.memory, number_in(first_line(folder + "/memory.max")));
}

void take_processors_1(const std::string& folder, ControlGroup& limits) {
  const std::uint64_t share = number_in(first_line(folder + "/cpu.cfs_quota_us")),
                      period = number_in(first_line(folder + "/cpu.cfs_period_us"));
  if (share > 0 && period > 0)
    limits.processors =
        smaller_limit(limits.processors, static_cast<double>(share) / static_cast<double>(period));
}

// "No limit" is a very large number in version 1.
void take_memory_1(const std::string& folder, ControlGroup& limits) {
  const std::uint64_t bytes = number_in(first_line(folder + "/memory.limit_in_bytes"));
  if (bytes < std::uint64_t{1} << 60) limits.memory = smaller_limit(limits.memory, bytes);
}

std::uint64_t built_in_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace

ControlGroup control_group(const std::string& root) {
  ControlGroup limits;
  std::ifstream groups(root + "/proc/self/cgroup");
  const std::string mount = root + "/sys/fs/cgroup";
  for (std::string line; std::getline(groups, line);) {  // "number:controllers:path"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",",
                      path = line.substr(second + 1);
    if (controllers == ",,")
      for_groups(mount, path, [&](const std::string& folder) { take_version_2(folder, limits); });
    if (controllers.find(",cpu,") != std::string::npos)
      for_groups(mount + "/cpu", path,
                 [&](const std::string& folder) { take_processors_1(folder, limits); });
    if (controllers.find(",memory,") != std::string::npos)
      for_groups(mount + "/memory", path,
                 [&](const std::string& folder) { take_memory_1(folder, limits); });
  }
  return limits;
}

unsigned usable_processors() {
  unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  std::vector<cpu_set_t> allowed(16);  // room for 16,384 processors
  const std::size_t bytes = allowed.size() * sizeof(cpu_set_t);
  if (sched_getaffinity(0, bytes, allowed.data()) == 0)
    processors = std::min(processors,
                          static_cast<unsigned>(std::max(1, CPU_COUNT_S(bytes, allowed.data()))));
  static const double quota = control_group().processors;
  return quota > 0 ? std::min(processors, static_cast<unsigned>(std::max(1.0, std::ceil(quota))))
                   : processors;
}

std::uint64_t usable_memory() {
  static const std::uint64_t bytes = smaller_limit(built_in_memory(), control_group().memory);
  return bytes;
}

// A few more threads than processors do no harm, and let tests check races on any machine. More
// than that slow each other down, so all processors are used instead.
unsigned thread_count(unsigned requested) {
  constexpr unsigned kAlways = 4;
  const unsigned processors = usable_processors();
  if (requested == 0)
    if (const char* const wanted = std::getenv("OMP_NUM_THREADS"); wanted != nullptr) {
      const std::string_view text(wanted);
      const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
      requested =
          static_cast<unsigned>(std::min<std::uint64_t>(number_in(text.substr(begin)), 1u << 16));
    }
  return requested == 0 || requested > std::max(kAlways, processors) ? processors : requested;
}

}  // namespace antipode
