// The longest distance in a connected graph without directions, by elimination of candidates for
// its ends. A search from s bounds the distance of two candidates by d(s, u) + d(s, w): those that
// are near to all others leave. Two candidates in the ball 2 d(c, v) <= longest are near to each
// other, so that one inside needs to be near to those outside alone (docs/paths.md, T1). [Takes &
// Kosters 2011] Searched are a vertex of small eccentricity and a far candidate, side by side;
// where these make no progress, many candidates at once. Memory: 8 bytes per vertex and search.
#pragma once

#include <vector>

#include "measure/path_run.hpp"

namespace antipode {

class PathElimination {
 public:
  explicit PathElimination(PathRun& run) : run_(run), upper_(bound_of_paths(run.graph())) {}

  Vertex first_search();  // from the highest degree; returns how many vertices it reached
  void run();             // until no pair is longer than the longest known; then from the first
  Length upper() const { return std::max(upper_, run_.longest()); }  // of all distances

 private:
  // Farthest distances between a source and the candidates.
  struct Reach {
    Length all = 0, outside = 0;
  };

  void search(std::vector<Vertex> sources);  // those not yet searched
  void add(PathRow row);
  Vertex midpoint() const;
  void eliminate();
  bool eliminate_by(std::size_t row);
  std::size_t count_outside(std::size_t row) const;
  void choose_center();
  void report();
  Vertex most_central() const;
  std::vector<Vertex> farthest_outside(std::size_t count) const;
  void search_next();
  bool batches_pay() const;
  void batch();
  double batch_cost() const;
  void forget_a_row();

  PathRun& run_;
  std::vector<PathRow> rows_;
  std::vector<Vertex> candidates_;
  std::vector<Length> lower_;  // bounds of eccentricities
  std::vector<bool> is_searched_;
  std::size_t center_ = 0;            // of the ball: the row
  std::size_t outside_ = 0;           // candidates outside the ball
  std::vector<std::size_t> history_;  // of `outside_`, one for each round of searches
  bool batching_ = false;
  Length upper_;
};

}  // namespace antipode
