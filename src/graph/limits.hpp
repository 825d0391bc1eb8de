// What may be allocated; see set_memory_limit in graph.hpp.
#pragma once

#include <cstdint>

namespace antipode {

void refuse_beyond_memory(std::uint64_t order, std::uint64_t edges);

}  // namespace antipode
