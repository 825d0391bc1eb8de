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

// Betweenness by counting: of the paths from s to t, those through v are the paths from s to v
// times those from v to t, if the distances add up. Ordered pairs; lengths are positive.
struct PathBetweenness {
  unsigned order;
  std::vector<std::vector<std::uint64_t>> length;  // of arcs; kNone: there is none
  std::vector<std::vector<long double>> paths;
  std::vector<long double> vertices;
  std::vector<std::vector<long double>> arcs;

  PathBetweenness(const Paths& all, const std::vector<Arc>& given, bool directed)
      : order(all.order),
        length(order, std::vector<std::uint64_t>(order, Paths::kNone)),
        paths(order, std::vector<long double>(order, 0)),
        vertices(order, 0),
        arcs(order, std::vector<long double>(order, 0)) {
    for (const Arc& arc : given) {
      if (arc.from == arc.to) continue;
      length[arc.from][arc.to] = std::min(length[arc.from][arc.to], arc.length);
      if (!directed) length[arc.to][arc.from] = std::min(length[arc.to][arc.from], arc.length);
    }
    const auto& d = all.distance;
    for (unsigned s = 0; s < order; ++s) {
      std::vector<unsigned> nearest;
      for (unsigned v = 0; v < order; ++v)
        if (d[s][v] != Paths::kNone) nearest.push_back(v);
      std::sort(nearest.begin(), nearest.end(),
                [&](unsigned a, unsigned b) { return d[s][a] < d[s][b]; });
      paths[s][s] = 1;
      for (const unsigned v : nearest)
        for (unsigned u = 0; u < order; ++u)
          if (length[u][v] != Paths::kNone && d[s][u] != Paths::kNone &&
              d[s][u] + length[u][v] == d[s][v])
            paths[s][v] += paths[s][u];
    }
    for (unsigned s = 0; s < order; ++s)
      for (unsigned t = 0; t < order; ++t) {
        if (s == t || d[s][t] == Paths::kNone) continue;
        const auto joins = [&](unsigned u, unsigned v, std::uint64_t between) {
          return d[s][u] != Paths::kNone && d[v][t] != Paths::kNone &&
                 d[s][u] + between + d[v][t] == d[s][t];
        };
        for (unsigned u = 0; u < order; ++u) {
          if (u != s && u != t && joins(u, u, 0))
            vertices[u] += paths[s][u] * paths[u][t] / paths[s][t];
          for (unsigned v = 0; v < order; ++v)
            if (length[u][v] != Paths::kNone && joins(u, v, length[u][v]))
              arcs[u][v] += paths[s][u] * paths[v][t] / paths[s][t];
        }
      }
  }
};

}  // namespace reference
