// Flags of a vertex in the candidate sets.
#pragma once

#include "antipode/engine.hpp"

namespace antipode::cuda {

// kOutside is set only together with kCandidate.
enum Flag : unsigned char { kCandidate = 1, kOutside = 2, kSearched = 4 };

inline unsigned char mask_of(Among among) {
  return among == Among::candidates ? kCandidate : kOutside;
}

}  // namespace antipode::cuda
