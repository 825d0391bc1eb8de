// A clique that contains a given vertex: its neighbours by descending degree, each taken if it is
// adjacent to all taken before.
#pragma once

#include <vector>

#include "antipode/graph.hpp"

namespace antipode::host {

std::vector<Vertex> greedy_clique(const Graph& graph, Vertex around);

}  // namespace antipode::host
