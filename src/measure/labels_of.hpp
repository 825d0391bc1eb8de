// Vertices under the labels of their file.
#pragma once

#include <string>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

inline std::vector<std::string> labels_of(const Graph& graph, const std::vector<Vertex>& vertices) {
  std::vector<std::string> result;
  for (const Vertex v : vertices) result.push_back(graph.label(v));
  return result;
}

}  // namespace antipode
