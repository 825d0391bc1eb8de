// What may be allocated; see set_memory_limit in graph.hpp.
#pragma once

#include <cstdint>
#include <string>

namespace antipode {

void refuse_beyond_memory(std::uint64_t order, std::uint64_t edges);
void refuse_bytes(std::uint64_t need, const std::string& what);

}  // namespace antipode
