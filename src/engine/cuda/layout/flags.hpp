// What is marked at every vertex, and who belongs to a set.
#pragma once

#include "antipode/engine.hpp"

namespace antipode::cuda {

enum Flag : unsigned char {
  kCandidate = 1,
  kOutside = 2,
  kSearched = 4
};  // kOutside only together with kCandidate

inline unsigned char mask_of(Among among) {
  return among == Among::candidates ? kCandidate : kOutside;
}

}  // namespace antipode::cuda
