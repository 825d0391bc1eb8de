// Searches of a path engine on the way to a diameter: the longest distance found, where, and what
// they cost.
#pragma once

#include <span>
#include <vector>

#include "antipode/path_measures.hpp"

namespace antipode {

class PathRun {
 public:
  PathRun(PathEngine& engine, Observer& observer) : engine_(engine), observer_(observer) {}

  PathEngine& engine() { return engine_; }
  const Graph& graph() const { return engine_.graph(); }
  Length longest() const { return answer_.lower; }
  Vertex longest_from() const { return from_; }  // kNoVertex: not known
  Vertex longest_to() const { return to_; }

  PathSearch search(Vertex source, Along along, std::span<Length> distances);
  // Eccentricities of many sources, by `engine`, whose vertices are `here[0]`, `here[1]`, … of the
  // graph; empty: the same.
  std::vector<Length> eccentricities(PathEngine& engine, std::span<const Vertex> sources,
                                     Along along, std::span<const Vertex> here = {});
  // Searches again from the known end of the longest distance, and goes back along the path.
  std::vector<Vertex> longest_path();

  // Tells the observer, who may say stop: then Interrupted is thrown. `open`: candidates left.
  void report(Length upper, std::size_t open);
  PathDiameter finish(Length upper);

 private:
  void found(Length length, Vertex from, Vertex to);

  PathEngine& engine_;
  Observer& observer_;
  PathDiameter answer_;
  Vertex from_ = kNoVertex, to_ = kNoVertex;  // of the longest distance; one may be unknown
};

}  // namespace antipode
