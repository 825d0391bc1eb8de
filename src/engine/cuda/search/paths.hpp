// Shortest paths from the source of a row, found backwards: each step goes to the first neighbour
// that is nearer. The middle of one is where the next search may begin, without a word from the
// host. One may be walked ahead, beside what else the GPU does, before anybody has asked for it.
#pragma once

#include <optional>
#include <vector>

#include "engine/cuda/layout/search_result.hpp"

namespace antipode::cuda {

struct PathControl;
struct PathJob;

class Paths {
 public:
  Paths(const Context& context, const GraphView& into);  // the rows of arcs that enter
  ~Paths();

  // Empty if there is none.
  std::vector<Vertex> walk(const DistanceView& row, Vertex to);

  // A path to whose middle the next search goes, unless that is known, or the path too long. Only
  // started, or there already, if it was walked ahead.
  static constexpr std::size_t kMostKnown = 8;
  struct Midpoint {
    const SearchOutcome* ends;  // the middle is the farthest
    const unsigned* cancel;     // it is not wanted
  };
  Midpoint start(const DistanceView& row, Vertex to, std::span<const Vertex> known);
  std::optional<std::vector<Vertex>> outcome()
      const;  // after it was joined, and everything waited for; none: it is too long

  // From the source of the search started last to the farthest vertex it finds; `first` and that
  // source are known. Both are named when they are. Nothing is written meanwhile that it reads:
  // whoever wants to waits.
  void start_ahead(const DistanceView& row, const SearchOutcome* ends, Vertex first);
  void name_ends(Vertex source, Vertex farthest);
  Midpoint midpoint_ahead();  // of that one, for whatever is started from now on
  bool is_ahead(const DistanceView& row, Vertex to,
                std::span<const Vertex> known) const;  // it is what would be asked for by these
  void join();  // whatever is started from now on comes after it

 private:
  struct Ahead {
    std::uint64_t serial = 0;  // of the row; 0: there is none
    Vertex first = kNoVertex, source = kNoVertex, farthest = kNoVertex;
    bool is_joined = true;
  };
  void launch_parts(PathJob job, cudaStream_t stream);
  bool is_ahead(const DistanceView& row, Vertex to) const {
    return ahead_.serial == row.serial && ahead_.farthest == to;
  }

  const Context& context_;
  GraphView into_;
  Buffer<PathControl> control_;
  Event before_, halfway_, after_;  // what is walked ahead
  Ahead ahead_;
  Buffer<Vertex> long_path_;
};

}  // namespace antipode::cuda
