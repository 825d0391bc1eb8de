// Upper bounds of eccentricities along strong components, in linear time for all vertices, from
// those of some that are known (docs/paths.md, "Beside a component"). [after Borassi et al. 2015]
// The checker's code: it rests on proved searches alone. Memory: 44 bytes per vertex.
#pragma once

#include "measure/proved_search.hpp"

namespace antipode {

// Strong components of the parts, numbered so that no arc goes to one of larger number.
struct StrongParts {
  Parts of;  // kNoVertex: in no part
  Vertex count = 0;
};
StrongParts strong_parts(const ProvedSearch& search, Along along, const Parts& parts);

struct ProvedBounds {
  std::vector<Length> upper;   // of the distances to far ends
  std::vector<bool> has_ends;  // some far end may be reached; without one `upper` is 0
};

// Of distances in `part`, which lies in `scope`. `is_end`: far ends, to which distances count.
// `known`: eccentricities in the part, of vertices of it.
ProvedBounds proved_bounds(ProvedSearch& search, const Graph& graph, const Parts& scope,
                           Along along, const Parts& part, const std::vector<bool>& is_end,
                           std::span<const PathStart> known);

}  // namespace antipode
