// Slow and obvious distances with lengths and directions. As reference.hpp: nothing here includes
// or calls anything of src/ or include/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace reference {

struct Arc {
  unsigned from = 0, to = 0;
  std::uint64_t length = 1;
};

// All distances [Floyd 1962]. Loops do not count; of parallel arcs the shortest does.
struct Paths {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  unsigned order;
  std::vector<std::vector<std::uint64_t>> distance;

  Paths(unsigned count, const std::vector<Arc>& arcs, bool directed)
      : order(count), distance(count, std::vector<std::uint64_t>(count, kNone)) {
    for (unsigned v = 0; v < order; ++v) distance[v][v] = 0;
    for (const Arc& arc : arcs) {
      if (arc.from == arc.to) continue;
      relax(arc.from, arc.to, arc.length);
      if (!directed) relax(arc.to, arc.from, arc.length);
    }
    for (unsigned k = 0; k < order; ++k)
      for (unsigned i = 0; i < order; ++i)
        for (unsigned j = 0; j < order; ++j)
          if (distance[i][k] != kNone && distance[k][j] != kNone)
            relax(i, j, distance[i][k] + distance[k][j]);
  }

  std::uint64_t out_eccentricity(unsigned v) const { return farthest(v, false); }
  std::uint64_t in_eccentricity(unsigned v) const { return farthest(v, true); }
  unsigned reached(unsigned v) const {
    return static_cast<unsigned>(std::count_if(distance[v].begin(), distance[v].end(),
                                               [](std::uint64_t d) { return d != kNone; }));
  }
  std::uint64_t diameter() const {
    std::uint64_t longest = 0;
    for (unsigned v = 0; v < order; ++v) longest = std::max(longest, out_eccentricity(v));
    return longest;
  }
  std::uint64_t reachable_pairs() const {
    std::uint64_t pairs = 0;
    for (unsigned v = 0; v < order; ++v) pairs += reached(v) - 1;
    return pairs;
  }

 private:
  void relax(unsigned from, unsigned to, std::uint64_t length) {
    distance[from][to] = std::min(distance[from][to], length);
  }
  std::uint64_t farthest(unsigned v, bool inwards) const {
    std::uint64_t longest = 0;
    for (unsigned u = 0; u < order; ++u)
      if (const std::uint64_t d = inwards ? distance[u][v] : distance[v][u]; d != kNone)
        longest = std::max(longest, d);
    return longest;
  }
};

}  // namespace reference
