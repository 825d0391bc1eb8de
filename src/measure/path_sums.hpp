// What a search from each of some sources shows, in their order; and whether a saved state of it is
// one. 28 bytes a source.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "antipode/path_engine.hpp"
#include "measure/state.hpp"

namespace antipode {

struct PathSums {
  std::vector<Vertex> reached;
  std::vector<Length> eccentricity;
  std::vector<LengthSum> sum;

  std::size_t size() const { return reached.size(); }
  void add(std::span<const PathSummary> more);
  void put(StateWriter& writer) const;
  void get(StateReader& reader);
  // That these are of the first sources, as far as it can be told without all searches: every value
  // is possible; along an edge without a direction no value changes by more than its length allows;
  // a few sources are searched again, as no file can know which.
  void check(const StateReader& reader, PathEngine& engine, std::span<const Vertex> sources) const;
};

// As PathEngine::summarize along the arcs. visit(i, distances) has those of sources[i]; one call at
// a time, in any order.
std::vector<PathSummary> visit_rows(
    PathEngine& engine, std::span<const Vertex> sources,
    const std::function<void(std::size_t i, std::span<const Length> distances)>& visit);

}  // namespace antipode
