// The memory budget, and whether to continue. Both are checked before memory is allocated and while
// a graph is read, generated, built or written. See set_memory_limit and set_load_observer in
// graph.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

std::uint64_t memory_limit();     // bytes: what was set, else what this process may use
std::uint64_t resident_memory();  // bytes that this process has now
// A DeviceError if `need` bytes more than the process has now would exceed the limit.
void refuse_bytes(std::uint64_t need, const std::string& what);
bool fits_memory(std::uint64_t need);
void refuse_beyond_memory(std::uint64_t order, std::uint64_t edges);

// push_back that charges for the copy before a full vector grows.
template <class T>
void push_charged(std::vector<T>& to, T value) {
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  if (to.size() == to.capacity() && to.size() * sizeof(T) >= kLarge)
    refuse_bytes(to.size() * sizeof(T), "a longer list");
  to.push_back(std::move(value));
}

void stop_if_asked();  // throws Interrupted if the load observer says so
void tell_loading(const LoadProgress& progress);

}  // namespace antipode
