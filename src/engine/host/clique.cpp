#include "engine/host/clique.hpp"

#include <algorithm>

namespace antipode::host {

std::vector<Vertex> greedy_clique(const Graph& graph, Vertex around) {
  constexpr std::size_t kMostTried = 300, kMostTaken = 64;
  struct Neighbour {
    Vertex degree, vertex;
  };
  const auto comes_first = [](const Neighbour& a, const Neighbour& b) {
    return a.degree != b.degree ? a.degree > b.degree : a.vertex < b.vertex;
  };
  std::vector<Neighbour> tried;  // a heap: the first to be replaced is in front
  for (const Vertex v : graph.neighbors(around)) {
    const Neighbour next{graph.degree(v), v};
    if (tried.size() == kMostTried) {
      if (!comes_first(next, tried.front())) continue;
      std::pop_heap(tried.begin(), tried.end(), comes_first);
      tried.pop_back();
    }
    tried.push_back(next);
    std::push_heap(tried.begin(), tried.end(), comes_first);
  }
  std::sort_heap(tried.begin(), tried.end(), comes_first);
  std::vector<Vertex> clique{around};
  for (const auto& [degree, v] : tried) {
    const auto neighbours = graph.neighbors(v);
    const auto adjacent = [&](Vertex member) {
      return std::binary_search(neighbours.begin(), neighbours.end(), member);
    };
    if (std::all_of(clique.begin(), clique.end(), adjacent)) clique.push_back(v);
    if (clique.size() == kMostTaken) break;
  }
  return clique;
}

}  // namespace antipode::host
