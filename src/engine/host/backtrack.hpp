// A shortest path, found backwards from its end: each step goes to a neighbour one level nearer to
// the source.
#pragma once

#include <span>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode::host {

// From the source of the distances to `to`; empty if it was not reached.
std::vector<Vertex> backtrack(const Graph& graph, std::span<const Distance> distances, Vertex to);

}  // namespace antipode::host
