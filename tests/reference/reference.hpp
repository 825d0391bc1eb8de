// Slow and obvious answers. Nothing here includes or calls anything of src/ or include/: an oracle
// that shared code with what it checks would share its mistakes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace reference {

using Pairs = std::vector<std::pair<unsigned, unsigned>>;
inline constexpr unsigned kFar = std::numeric_limits<unsigned>::max();

struct Graph {
  std::vector<std::set<unsigned>> around;

  Graph(unsigned order, const Pairs& pairs, bool directed = false) : around(order) {
    for (const auto& [a, b] : pairs) {
      if (a == b) continue;
      around[a].insert(b);
      if (!directed) around[b].insert(a);
    }
  }
  unsigned order() const { return static_cast<unsigned>(around.size()); }
  std::size_t size() const {
    std::size_t ends = 0;
    for (const auto& set : around) ends += set.size();
    return ends / 2;
  }
  bool adjacent(unsigned a, unsigned b) const { return around[a].contains(b); }

  std::vector<unsigned> distances(unsigned source) const {
    std::vector<unsigned> result(order(), kFar);
    std::queue<unsigned> queue;
    result[source] = 0;
    queue.push(source);
    while (!queue.empty()) {
      const unsigned v = queue.front();
      queue.pop();
      for (const unsigned u : around[v])
        if (result[u] == kFar) result[u] = result[v] + 1, queue.push(u);
    }
    return result;
  }

  // What passes every vertex, and every arc by its ends, when the source sends weight × weight to
  // all it reaches.  [Brandes 2001]
  struct Dependencies {
    std::vector<long double> vertices;
    std::map<std::pair<unsigned, unsigned>, long double> arcs;
  };
  void add_dependencies(unsigned source, const std::vector<double>& weights,
                        Dependencies& sums) const {
    const auto distance = distances(source);
    std::vector<unsigned> sequence;
    for (unsigned v = 0; v < order(); ++v)
      if (distance[v] != kFar) sequence.push_back(v);
    std::stable_sort(sequence.begin(), sequence.end(),
                     [&](unsigned a, unsigned b) { return distance[a] < distance[b]; });
    std::vector<long double> paths(order(), 0), wants(order(), 0);
    paths[source] = 1;
    for (const unsigned v : sequence)
      for (const unsigned u : around[v])
        if (distance[u] == distance[v] + 1) paths[u] += paths[v];
    for (auto v = sequence.rbegin(); v != sequence.rend(); ++v) {
      for (const unsigned u : around[*v]) {
        if (distance[u] != distance[*v] + 1) continue;
        const long double part = (weights[u] + wants[u]) * paths[*v] / paths[u];
        wants[*v] += part;
        sums.arcs[{*v, u}] += weights[source] * part;
      }
      if (*v != source) sums.vertices[*v] += weights[source] * wants[*v];
    }
  }

  unsigned eccentricity(unsigned v) const {
    unsigned most = 0;
    for (const unsigned d : distances(v))
      if (d != kFar) most = std::max(most, d);
    return most;
  }
  std::vector<unsigned> eccentricities() const {
    std::vector<unsigned> result;
    for (unsigned v = 0; v < order(); ++v) result.push_back(eccentricity(v));
    return result;
  }
  unsigned diameter() const {
    unsigned most = 0;
    for (const unsigned e : eccentricities()) most = std::max(most, e);
    return most;
  }

  // The component of every vertex, named by its smallest member.
  std::vector<unsigned> components() const {
    std::vector<unsigned> result(order(), kFar);
    for (unsigned v = 0; v < order(); ++v) {
      if (result[v] != kFar) continue;
      const auto row = distances(v);
      for (unsigned u = 0; u < order(); ++u)
        if (row[u] != kFar) result[u] = v;
    }
    return result;
  }

  std::uint64_t triangles_at(unsigned v) const {
    std::uint64_t count = 0;
    for (const unsigned a : around[v])
      for (const unsigned b : around[v])
        if (a < b && adjacent(a, b)) ++count;
    return count;
  }
};

}  // namespace reference
