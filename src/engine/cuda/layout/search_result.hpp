// What a search leaves for what follows it, on the GPU and on the host; and what it is told while
// it runs.
#pragma once

#include <span>

#include "engine/cuda/layout/device_graph.hpp"

namespace antipode::cuda {

// What a search found, for those who follow it on the GPU.
struct SearchOutcome {
  Vertex source;
  Distance eccentricity;
  Vertex farthest;              // or whatever the next search is to begin with
  Distance reach = kUnreached;  // to the farthest of those watched, if that is known
};

// Of these candidates, if there are flags, a search finds out how far it reaches among them: those
// whose upper bound is above what is known to be a path.
struct CandidateProbe {
  const unsigned char* flags = nullptr;
  const Distance* upper = nullptr;
  const SearchOutcome* longest = nullptr;  // whose eccentricity is known to be one; null: …
  Distance lower = 0;                      // … this is

  __device__ Distance limit() const { return longest != nullptr ? longest->eccentricity : lower; }
};

// Where it is said on the GPU, each other than zero, that what is started is not wanted after all;
// null: it is.
struct CancelFlags {
  const unsigned *one = nullptr, *other = nullptr;
};

// What the host wants to know; the sizes of levels as far as most searches go.
struct SearchAnswer {
  Vertex source, levels, farthest;
  unsigned in_vain;
  Vertex level_sizes[1024];
};
static_assert(sizeof(SearchAnswer) <= Context::kSearchAnswerBytes);

struct BlockResult {
  Distance eccentricity;
  Vertex reached, farthest;
  unsigned overflow;  // a queue was too small: nothing else here counts
  unsigned long long distance_sum;
  FarthestDistance reach;
};

struct BlockAnswer {
  BlockResult result;
  std::span<const Vertex> level_sizes;  // the first of them
};

// A row, and a number that no other content of a row has had.
struct DistanceView {
  const Distance* data;
  std::uint64_t serial;
};

// So many sources one search of the whole GPU may start from.
inline constexpr std::size_t kMostStarts = 64;

}  // namespace antipode::cuda
