// The sections of a graph on the page. Each returns its figures with a `state`: exact; sample, an
// estimate from some sources; bounds; missing, with the reason; undefined. The page's script draws
// what is there.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "antipode/page.hpp"
#include "report/page/part.hpp"

namespace antipode::page {

// What was read, what was left out, and which part of it the other sections speak of.
Json about(const Part& part);

// How many vertices have at least this degree; of the whole graph.
Json degrees(const Graph& graph);

struct Extent {  // diameter and radius
  Json json;
  Length lower = 0, upper = 0;
  bool exact = false;
  Vertex center = kNoVertex;    // a vertex of least eccentricity, or one near to that
  std::vector<Vertex> longest;  // a shortest path as long as the lower bound
  decltype(Page::Added::proof) proof;
};
enum class Proof { none, certificate };
// With a certificate the watch is set to that share of the limit for it.
Extent diameter(Part& part, Watch& watch, Proof proof, double share_of_proof);
void add_radius(Part& part, Watch& watch, Extent& extent);

// How many vertices are at each distance from the center.
Json spindle(Part& part, Watch& watch, Vertex center);
// The path between the ends, and how many vertices are at each distance from its first.
Json longest_path(Part& part, Watch& watch, const std::vector<Vertex>& path);

// These two end when that share of the limit is over. Pairs by distance:
Json distances(Part& part, Watch& watch, double share, std::uint64_t seed);
// Vertices by eccentricity:
Json eccentricities(Part& part, Watch& watch, double share, std::uint64_t seed);

// `diameter`: of the largest.
Json component_list(const Part& part, const Json& diameter, std::string_view engine,
                    const EngineOptions& options, Watch& watch);
// A component other than the largest that is farther apart; null: none is known.
Json wider_elsewhere(const Part& part, const Extent& extent, Watch& watch);

// The most central vertices. Closeness has half of the time until betweenness ends; the rest until
// the end is for exact values of the vertices found.
struct CentralPlan {
  double betweenness = 1, end = 1;  // shares of the limit
  std::uint64_t seed = 1;
  std::string_view engine;
  const EngineOptions& options;
};
Json central(Part& part, Watch& watch, const CentralPlan& plan);

}  // namespace antipode::page
