// What a batch of searches is asked for.
#pragma once

#include "engine/cuda/layout/device_graph.hpp"

namespace antipode::cuda {

inline constexpr std::size_t kMostBatch = 1024;  // sources of a batch

struct FarthestRequest {
  const unsigned char* flags;  // of every vertex (Flag); null: all are candidates outside the ball
  Distance* lower;             // raised to the largest distance to a source
  std::uint64_t
      candidates;  // how many there are; the batch ends when all lanes have reached them all
};

// How many vertices are at each distance, over all sources.
struct Arrivals {
  unsigned long long* levels = nullptr;     // null: not wanted
  const Multiplicities* weights = nullptr;  // of each source; null: all count once
};

}  // namespace antipode::cuda
