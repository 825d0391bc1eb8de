// Numbers that decide how a search by the whole GPU does a level; measured in docs/notebook.md.
#pragma once

#include "antipode/graph.hpp"

namespace antipode::cuda {

struct TraversalTuning {
  static constexpr float kPullGain = 4;  // pull when those not reached are likely to look at fewer
                                         // arcs than this times the frontier's …
  static constexpr float kPullArcs = 20'000;  // … and it has at least so many
  static constexpr Vertex kPullSize = 32;  // go on pulling while the frontier grows or has at least
                                           // 1 / this of the vertices, or as many as are left
  static constexpr Vertex kScatterSize =
      8;  // before a pull, a frontier with more arcs than 1 / this of the vertices is marked in
          // shared memory first
  static constexpr unsigned kAloneArcs = 1'024;  // a frontier with fewer arcs is one block's
  static constexpr unsigned kFewEntries =
      512;  // so few warps have their finds written where all can read them; more gather them
            // first, block by block
  static constexpr unsigned kVainFactor = 4;  // a pull that looks at more than this times the arcs
                                              // a push would is the search's last one
  static constexpr unsigned kPushRate = 60;   // arcs a nanosecond, roughly: a search whose pulls
                                              // took longer than pushes would have is the last …
  static constexpr unsigned kLevelTime =
      5'000;  // … that pulls; and what any level takes, in nanoseconds
};

}  // namespace antipode::cuda
