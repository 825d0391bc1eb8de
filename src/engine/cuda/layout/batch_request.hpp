// Requests that a batch of searches answers, as kernels see them.
#pragma once

#include "engine/cuda/layout/device_graph.hpp"

namespace antipode::cuda {

inline constexpr std::size_t kMostBatch = 1024;  // sources of a batch

struct FarthestRequest {
  const unsigned char* flags;  // per vertex (Flag); null: all are candidates outside the ball
  Distance* lower;             // per vertex: raised to the largest distance to a source
  // number of candidates; a batch ends when every source has reached all of them
  std::uint64_t candidates;
};

// Number of vertices at each distance, summed over the sources.
struct Arrivals {
  unsigned long long* levels = nullptr;     // null: not requested
  const Multiplicities* weights = nullptr;  // per source; null: every source counts once
};

}  // namespace antipode::cuda
