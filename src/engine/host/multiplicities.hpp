// Adds a level of a source to the counts of all vertices that the source stands for.
#pragma once

#include <cstdint>
#include <vector>

namespace antipode::host {

template <class Multiplicities>
void add_multiplied(const Multiplicities& multiplicities, std::size_t level, std::uint64_t count,
                    std::vector<std::uint64_t>& counts) {
  for (std::size_t k = 0; k < multiplicities.size(); ++k) {
    if (multiplicities[k] == 0) continue;
    if (counts.size() <= level + k) counts.resize(level + k + 1, 0);
    counts[level + k] += multiplicities[k] * count;
  }
}

}  // namespace antipode::host
