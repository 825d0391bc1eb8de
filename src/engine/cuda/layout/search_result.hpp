// Results of a search for the kernels that follow it and for the host, and requests that travel
// with it.
#pragma once

#include <span>

#include "engine/cuda/device/context.hpp"

namespace antipode::cuda {

// Result of a search for the kernels that follow it.
struct SearchOutcome {
  Vertex source;
  Distance eccentricity;
  Vertex farthest;              // or the vertex from which the next search starts
  Distance reach = kUnreached;  // largest distance to a probed candidate, if computed
};

// Asks a search for its largest distance to a candidate whose upper bound exceeds the length of the
// longest known path. Without flags nothing is asked.
struct CandidateProbe {
  const unsigned char* flags = nullptr;
  const Distance* upper = nullptr;
  const SearchOutcome* longest = nullptr;  // its eccentricity is that length; null: …
  Distance lower = 0;                      // … `lower` is

  __device__ Distance limit() const { return longest != nullptr ? longest->eccentricity : lower; }
};

// Words in GPU memory: a kernel launched ahead returns at once if one of them is not zero. Null:
// never cancelled.
struct CancelFlags {
  const unsigned *one = nullptr, *other = nullptr;
};

// The answer of a search for the host, with the sizes of the first levels.
struct SearchAnswer {
  Vertex source, levels, farthest;
  unsigned stop_pulling;
  Vertex level_sizes[1024];
};
static_assert(sizeof(SearchAnswer) <= Context::kSearchAnswerBytes);

struct BlockResult {
  Distance eccentricity;
  Vertex reached, farthest;
  unsigned overflow;  // a queue was too small: the other members are invalid
  unsigned long long distance_sum;
  FarthestDistance reach;
};

struct BlockAnswer {
  BlockResult result;
  std::span<const Vertex> level_sizes;  // of the first levels
};

// Distances, and a serial number that no other content of a buffer has had.
struct DistanceView {
  const Distance* data;
  std::uint64_t serial;
};

// Sources of one search of the whole GPU.
inline constexpr std::size_t kMostStarts = 64;

}  // namespace antipode::cuda
