// A sample without repeats; the same seed gives the same sample.
#pragma once

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// At most `most` of the vertices, in the order given.
inline std::vector<Vertex> draw_sample(std::vector<Vertex> all, std::size_t most,
                                       std::uint64_t seed) {
  if (all.size() <= most) return all;
  std::vector<Vertex> chosen;
  std::mt19937_64 random(seed);
  std::sample(all.begin(), all.end(), std::back_inserter(chosen), most, random);
  return chosen;
}

}  // namespace antipode
