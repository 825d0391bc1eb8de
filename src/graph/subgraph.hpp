// The subgraph that some vertices induce.
#pragma once

#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// Of the vertices `listed`, in ascending order. `place`: the index of every vertex in that list, or
// kNoVertex.
Graph subgraph(const Graph& graph, const std::vector<Vertex>& listed,
               const std::vector<Vertex>& place, int threads);

}  // namespace antipode
