// Some vertices of a graph and the edges between them.
#pragma once

#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// Of the vertices listed, in rising order; `place` says of every vertex where it is listed,
// kNoVertex: nowhere.
Graph subgraph(const Graph& graph, const std::vector<Vertex>& listed,
               const std::vector<Vertex>& place, int threads);

}  // namespace antipode
