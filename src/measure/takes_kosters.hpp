// Takes & Kosters' bounding: a search from s with eccentricity e proves max(d, e - d) <= ecc(v) <=
// e + d for every v at distance d. Search, tighten, prune, select; stop when nothing is left that
// matters.  [Takes & Kosters, CIKM 2011; Algorithms 6, 2013; Dal, Kosters & Takes 2014, Algorithms
// 1 and 2]
#pragma once

#include "antipode/measures.hpp"

namespace antipode {

struct BoundingRun {
  BoundsSummary bounds;
  bool finished = false;
  std::uint64_t searches = 0;
  DistanceHandle
      longest_distances{};  // retained: the first search of largest eccentricity; release it
  Search longest;
  std::vector<Step> steps;
};

// Asks until the question is decided or the observer says stop. The engine's bounds hold the
// result. What an observer is told: bounds of the radius where that is asked about, of the diameter
// otherwise.
Progress progress_of(Question question, const BoundsSummary& bounds, std::uint64_t searches,
                     Vertex candidates);

BoundingRun takes_kosters(Engine& engine, Question question, Vertex start, Selection selection,
                          Observer& observer);

}  // namespace antipode
