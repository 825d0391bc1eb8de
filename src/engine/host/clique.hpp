// A clique that holds a given vertex: its neighbours by falling degree, each taken if it is
// adjacent to all taken before.
#pragma once

#include <vector>

#include "antipode/graph.hpp"

namespace antipode::host {

std::vector<Vertex> greedy_clique(const Graph& graph, Vertex around);

}  // namespace antipode::host
