// The sections of a graph on the page. Each returns its figures with a `state`: exact; sample, an
// estimate from some sources; bounds; missing, with the reason; undefined. The page's script draws
// what is there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "report/page/part.hpp"

namespace antipode::page {

// What was read, what was left out, and which part of it the other sections speak of.
Json about(const Part& part);

// How many vertices have at least this degree; of the whole graph.
Json degrees(const Graph& graph);

struct Extent {  // diameter and radius
  Json json;
  bool exact = false;
  Vertex center = kNoVertex;    // a vertex of least eccentricity, or one near to that
  std::vector<Vertex> longest;  // a shortest path as long as the lower bound
};
Extent diameter(Part& part, Watch& watch);
void add_radius(Part& part, Watch& watch, Extent& extent);

// Pairs by distance.
Json distances(Part& part, Watch& watch, std::uint64_t seed);

// Ends when that share of the limit is over.
Json eccentricities(Part& part, Watch& watch, double share, std::uint64_t seed);

}  // namespace antipode::page
