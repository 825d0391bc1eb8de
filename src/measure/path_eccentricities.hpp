// Eccentricities of a connected graph without directions, all of them by few searches. A vertex is
// *undercut* if a neighbour has an eccentricity that is smaller by the length of the edge: then its
// own follows. Where lower bounds are exact, all others are the candidates that no neighbour
// undercuts, so that the lower bounds are raised first, from far vertices; then those candidates
// are searched, and one search that begins at all of them gives the upper bounds (docs/paths.md,
// T2). [certificates: Dragan, Habib & Viennot 2018] Memory: 25 bytes per vertex, and 8 for each of
// the few searches from far vertices at hand.
#pragma once

#include <vector>

#include "measure/path_run.hpp"

namespace antipode {

class EccentricityElimination {
 public:
  // Elsewhere in the graph distances are at least and at most so long.
  EccentricityElimination(PathEngine& engine, Observer& observer, CheckpointStore& checkpoint,
                          Length least_elsewhere = 0, Length most_elsewhere = 0);
  bool is_connected();  // by the first search, from the highest degree
  PathEccentricities run();

 private:
  bool is_searched(Vertex v) const { return far_end_[v] != kNoVertex; }
  PathRow search(Vertex source);
  void search_with_far_end(Vertex source);
  void add_upper_source(Vertex v);
  void sweep();
  std::vector<Vertex> not_undercut() const;
  bool is_undercut(Vertex v) const;
  void batch(std::vector<Vertex> sources);
  void raise_lower(std::span<const Vertex> sources);
  void lower_upper_bounds(std::span<const Vertex> sources);
  std::vector<Vertex> far_ends_of_uncovered(std::size_t most);
  void cover();
  void report();
  std::vector<unsigned char> state() const;
  void restore(const std::vector<unsigned char>& bytes);

  PathRun run_;
  CheckpointStore& checkpoint_;
  PathEccentricities result_;
  std::vector<Length> covered_;  // farthest from the lower sources
  std::vector<Vertex> far_end_;  // of the lower sources, which are searched one at a time
  std::vector<bool> is_known_;   // the upper sources
  std::size_t open_ = 0;
  std::size_t batch_size_;
};

}  // namespace antipode
