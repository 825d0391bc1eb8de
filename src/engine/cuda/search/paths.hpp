// Shortest paths, backtracked from the distances of a search: each step goes to the first neighbour
// that is one nearer to the source. The midpoint of a path is where the next search may start,
// without waiting for the host. Look-ahead: a path may be backtracked on the side stream before it
// is requested. Memory: 4 bytes per vertex of the longest path requested.
#pragma once

#include <optional>
#include <vector>

#include "engine/cuda/layout/device_graph.hpp"
#include "engine/cuda/layout/search_result.hpp"

namespace antipode::cuda {

struct PathControl;
struct PathJob;

class Paths {
 public:
  Paths(const Context& context, const GraphView& into);  // adjacency of entering arcs
  ~Paths();

  // The path from the source to `to`; empty if there is none.
  std::vector<Vertex> path_to(const DistanceView& distances, Vertex to);

  // Starts backtracking a path whose midpoint is the next source. The search is cancelled if the
  // midpoint is one of `known`, or the path too long. A path that was backtracked ahead is reused.
  static constexpr std::size_t kMostKnown = 8;
  struct Midpoint {
    const SearchOutcome* ends;  // `farthest` is the midpoint
    const unsigned* cancel;     // not zero: do not search
  };
  Midpoint start(const DistanceView& distances, Vertex to, std::span<const Vertex> known);
  std::optional<std::vector<Vertex>> outcome() const;

  // Starts backtracking on the side stream, from the farthest vertex of the latest search to its
  // source; `first` and that source count as known. set_ends() names both once the host knows them.
  // Before the distances are overwritten, call join().
  void start_ahead(const DistanceView& distances, const SearchOutcome* ends, Vertex first);
  void set_ends(Vertex source, Vertex farthest);
  Midpoint midpoint_ahead();  // midpoint of the path ahead, for what is launched from now on
  bool is_ahead(const DistanceView& distances, Vertex to, std::span<const Vertex> known) const;
  void join();  // what is launched from now on runs after the path

 private:
  struct Ahead {
    std::uint64_t serial = 0;  // of the distances; 0: no path is ahead
    Vertex first = kNoVertex, source = kNoVertex, farthest = kNoVertex;
    bool is_joined = true;
  };
  void launch_parts(PathJob job, cudaStream_t stream);
  bool is_ahead(const DistanceView& distances, Vertex to) const {
    return ahead_.serial == distances.serial && ahead_.farthest == to;
  }

  const Context& context_;
  GraphView into_;
  Buffer<PathControl> control_;
  Event before_, halfway_, after_;  // of the path on the side stream
  Ahead ahead_;
  Buffer<Vertex> long_path_;
};

}  // namespace antipode::cuda
