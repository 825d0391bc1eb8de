#include "measure/clique.hpp"

#include <algorithm>

namespace antipode {

std::vector<Vertex> greedy_clique(const Graph& graph, Vertex around) {
  constexpr std::size_t kMostTried = 300, kMostTaken = 64;
  std::vector<Vertex> tried(graph.neighbors(around).begin(), graph.neighbors(around).end());
  const auto by_degree = [&](Vertex a, Vertex b) { return graph.degree(a) != graph.degree(b) ? graph.degree(a) > graph.degree(b) : a < b; };
  const std::size_t count = std::min(kMostTried, tried.size());
  std::partial_sort(tried.begin(), tried.begin() + static_cast<std::ptrdiff_t>(count), tried.end(), by_degree);
  tried.resize(count);
  std::vector<Vertex> clique{around};
  for (const Vertex v : tried) {
    const auto row = graph.neighbors(v);
    const auto adjacent = [&](Vertex member) { return std::binary_search(row.begin(), row.end(), member); };
    if (std::all_of(clique.begin(), clique.end(), adjacent)) clique.push_back(v);
    if (clique.size() == kMostTaken) break;
  }
  return clique;
}

}  // namespace antipode
