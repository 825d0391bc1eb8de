// The largest of several components.
#pragma once

#include "antipode/graph.hpp"

namespace antipode {

// Most vertices; of equal ones that with the first label. kNoVertex: there is none.
Vertex largest_of(const Graph& graph, const Components& found);

}  // namespace antipode
