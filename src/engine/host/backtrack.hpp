// Backtracking: a shortest path from its end to the source; each step goes to a neighbour one level
// nearer.
#pragma once

#include <span>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode::host {

// From the source of the distances to `to`; empty if it was not reached.
std::vector<Vertex> backtrack(const Graph& graph, std::span<const Distance> distances, Vertex to);

}  // namespace antipode::host
