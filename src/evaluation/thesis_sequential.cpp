// Penders' Algorithms 2 and 7 on one thread, and his orders of the edges.
#include <algorithm>
#include <random>

#include "evaluation/thesis.hpp"
#include "graph/limits.hpp"
#include "measure/cost.hpp"

namespace antipode {

namespace {

// The edges of one source as far apart as possible: first edge of every source, then every
// second edge, and so on.
std::vector<Edge> interleave(std::vector<Edge> edges) {
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& a, const Edge& b) { return a.from < b.from; });
  std::vector<std::pair<std::size_t, std::size_t>> turn(
      edges.size());  // the how-manieth of its source, and which
  for (std::size_t i = 0; i < edges.size(); ++i)
    turn[i] = {i > 0 && edges[i - 1].from == edges[i].from ? turn[i - 1].first + 1 : 0, i};
  std::sort(turn.begin(), turn.end());
  std::vector<Edge> result;
  for (const auto& [nth, which] : turn) result.push_back(edges[which]);
  return result;
}

}  // namespace

std::vector<Edge> in_order(std::vector<Edge> edges, EdgeOrder order, std::uint64_t seed) {
  switch (order) {
    case EdgeOrder::as_read:
      break;
    case EdgeOrder::by_source:
      std::stable_sort(edges.begin(), edges.end(),
                       [](const Edge& a, const Edge& b) { return a.from < b.from; });
      break;
    case EdgeOrder::by_destination:
      std::stable_sort(edges.begin(), edges.end(),
                       [](const Edge& a, const Edge& b) { return a.to < b.to; });
      break;
    case EdgeOrder::shuffled:
      std::shuffle(edges.begin(), edges.end(), std::mt19937_64(seed));
      break;
    case EdgeOrder::scattered:
      return interleave(std::move(edges));
  }
  return edges;
}

double sequential_search_seconds(std::span<const Edge> edges, Vertex source,
                                 std::vector<Distance>& distances) {
  std::vector<unsigned char> visited(edges.size(), 0);
  std::vector<Vertex> in_counts(distances.size(), 0), out_counts(distances.size(), 0);
  std::fill(distances.begin(), distances.end(), kUnreached);
  distances[source] = 0;
  return seconds_of([&] {
    bool changed = true;
    for (Distance level = 0; changed; ++level) {
      stop_if_asked();
      changed = false;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const auto [from, to] = edges[e];
        if (visited[e] != 0 || distances[from] != level) continue;
        visited[e] = 1;
        ++out_counts[from];
        ++in_counts[to];
        if (distances[to] != kUnreached) continue;
        distances[to] = level + 1;
        changed = true;
      }
    }
  });
}

double sequential_betweenness_seconds(std::span<const Edge> edges, Vertex source,
                                      std::vector<double>& centrality) {
  std::vector<Distance> distances(centrality.size(), kUnreached);
  std::vector<double> paths(centrality.size(), 0), share(centrality.size(), 0);
  distances[source] = 0;
  paths[source] = 1;
  return seconds_of([&] {
    Distance level = 0;
    for (bool changed = true; changed; ++level) {
      stop_if_asked();
      changed = false;
      for (const auto& [from, to] : edges) {
        if (distances[from] != level || distances[to] <= level) continue;
        changed |= distances[to] == kUnreached;
        distances[to] = level + 1;
        paths[to] += paths[from];
      }
    }
    while (level-- > 0)
      for (const auto& [from, to] : edges)
        if (distances[from] == level && distances[to] == level + 1)
          share[from] += paths[from] / paths[to] * (1 + share[to]);
    for (Vertex v = 0; v < centrality.size(); ++v)
      if (v != source) centrality[v] += share[v];
  });
}

}  // namespace antipode
