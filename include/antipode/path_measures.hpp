// Diameter, radius, center and eccentricities where edges have directions or lengths. A distance is
// the sum of the lengths along a shortest path, and counts where there is one. Proofs:
// docs/paths.md.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "antipode/measures.hpp"
#include "antipode/path_engine.hpp"

namespace antipode {

// One step of a proof, in the order taken. Tails are candidates for the first vertex of a longer
// path than the longest known, heads for the last: at first those that reach the vertex of the
// first step, and those it reaches. Without directions both are the candidates, all vertices. Steps
// hold when they are taken again in this order with the final longest distance in place of the one
// known at the time, and leave nothing outside; only those that dropped something are there.
struct PathStep {
  enum class Rule {
    eccentricity,  // the eccentricity of `vertex` along the arcs is `value`, against them `other`
    hub,           // every head was within `value` from `vertex`, every tail within `other` to
                   // it: first tails leave, then heads that are near to the tails left
    hub_outside,   // the same of heads and tails outside the split; drops those inside
    split,         // tails within `value` to `vertex` and heads within the rest of the longest
                   // distance are inside; without directions those within half of it are
    tails,
    heads,      // `group` was searched, along or against the arcs: none has a longer path
    components  // of the vertices that do not reach `vertex` (value 0), or that it does not
                // reach (value 1): bounds along strong components close; other: 0 along the
                // arcs, 1 against them; `group` was searched and `values` found
  };
  Rule rule;
  Vertex vertex = kNoVertex;
  Length value = 0, other = 0;
  std::vector<Vertex> group = {};
  std::vector<Length> values = {};
};

// The longest finite distance.
struct PathDiameter {
  Length lower = 0, upper = 0;  // equal when it was not stopped
  bool exact() const { return lower == upper; }
  Witness witness;                       // of length `lower`; empty before the first search
  std::uint64_t searches = 0;            // one at a time, in either direction
  std::uint64_t batches = 0, lanes = 0;  // many at once: how often, how many in all
  std::vector<PathStep> steps;
};
PathDiameter diameter(PathEngine& engine, Observer& observer);

// The largest finite distance from every vertex (along the arcs) or to it (against them).
struct PathEccentricities {
  std::vector<Length> lower, upper;
  std::vector<Vertex> reached;  // by each, itself included; known where the bounds are equal
  bool exact = false;           // all of them
  std::uint64_t searches = 0;   // those of batches included
  // Vertices whose distances give all lower bounds, and all upper bounds: a certificate.
  std::vector<Vertex> lower_sources, upper_sources;
};
PathEccentricities eccentricities(PathEngine& engine, Along along, Observer& observer,
                                  CheckpointStore& checkpoint);

// The vertices that reach all others, the smallest of their eccentricities, and those that attain
// it. Without such vertices there is neither radius nor center.
struct PathCenter {
  Vertex reach_all = 0;
  Length lower = 0, upper = 0;  // of the radius
  bool exact = false;           // the question is settled
  std::vector<Vertex> center;   // of the question `center`: all of them; else at least one
  Witness witness;              // a shortest path as long as the radius
  std::uint64_t searches = 0;   // those of batches included
};
// `question`: radius or center.
PathCenter center(PathEngine& engine, Question question, Observer& observer);

// The vertices from which a path of the largest finite distance begins.
struct PathPeriphery {
  Length lower = 0, upper = 0;  // of the diameter
  bool exact = false;
  std::vector<Vertex> periphery;
  Witness witness;
  std::uint64_t searches = 0;
};
PathPeriphery periphery(PathEngine& engine, Observer& observer);

// Ordered pairs of different vertices: how many have a path from the first to the second. Takes no
// searches. Nothing if the observer said stop, or if it takes more steps than that; a step takes 2
// to 40 ns.
std::optional<std::uint64_t> reachable_pairs(
    const Graph& graph, Observer& observer,
    std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max());

// A shortest path from the source to `to`, given the distances from the source; empty if there is
// none. Edges of length 0 are no obstacle.
std::vector<Vertex> shortest_path(const Graph& graph, Vertex source,
                                  std::span<const Length> distances, Vertex to);

}  // namespace antipode
