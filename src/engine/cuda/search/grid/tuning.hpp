// Constants for the choice of a level's mode in a search by the whole GPU; measured in
// docs/notebook.md.
#pragma once

#include "antipode/graph.hpp"

namespace antipode::cuda {

struct TraversalTuning {
  // Pull if unreached vertices are expected to read fewer arcs than this times the frontier's …
  static constexpr float kPullGain = 4;
  static constexpr float kPullArcs = 20'000;  // … and the frontier has at least so many arcs.
  // Continue pulling while the frontier grows, has at least 1 / kPullSize of the vertices, or as
  // many as are unreached.
  static constexpr Vertex kPullSize = 32;
  // Before a pull, scatter a frontier with more arcs than 1 / kScatterSize of the vertices.
  static constexpr Vertex kScatterSize = 8;
  // One block alone does a frontier with fewer arcs.
  static constexpr unsigned kAloneArcs = 1'024;
  // Up to so many warps append to the global queue directly; more are staged per block.
  static constexpr unsigned kFewEntries = 512;
  // A pull that reads more than this times the frontier's arcs is the last of its search.
  static constexpr unsigned kFutileFactor = 4;
  // Estimated time of a push: kLevelTime nanoseconds per level, and 1 / kPushRate nanoseconds per
  // arc. If the pulls of a search took longer, later searches only push.
  static constexpr unsigned kPushRate = 60;
  static constexpr unsigned kLevelTime = 5'000;
};

}  // namespace antipode::cuda
