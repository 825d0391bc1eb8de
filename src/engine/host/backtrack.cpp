#include "engine/host/backtrack.hpp"

#include <algorithm>

namespace antipode::host {

std::vector<Vertex> backtrack(const Graph& graph, std::span<const Distance> distances, Vertex to) {
  if (distances[to] == kUnreached) return {};
  std::vector<Vertex> path{to};
  while (distances[path.back()] != 0) {
    const auto around = graph.into().neighbors(path.back());
    path.push_back(*std::find_if(around.begin(), around.end(), [&](Vertex u) {
      return distances[u] + 1 == distances[path.back()];
    }));
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace antipode::host
