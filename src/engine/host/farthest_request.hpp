// A batch of searches that finds the farthest marked vertices of its sources.
#pragma once

#include <span>

#include "antipode/bounds.hpp"

namespace antipode::host {

// The mark of a vertex: which sets it belongs to.
enum Mark : unsigned char { kMarkCandidate = 1, kMarkOutside = 2 };

struct FarthestRequest {
  std::span<const unsigned char> marks;  // of every vertex
  std::span<FarthestDistance> farthest;  // out: one for each source
  std::span<Distance> lower;             // raised to the largest distance to a source
};

}  // namespace antipode::host
