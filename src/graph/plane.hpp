// The incidence graph of a projective plane of order q: 2(q² + q + 1) vertices of degree q + 1,
// diameter 3. No graph of that order and degree has smaller distances. Vertices may be left out
// (docs/definitions.md, "Planes").
#pragma once

#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

inline constexpr Vertex kMaxPlaneDegree = 1 << 10;
// Whether a plane has points and lines of this degree, and so many of them can be left out. Planes
// are those over fields: q is a power of a prime.
bool has_plane(Vertex order, Vertex degree);
Vertex plane_order(Vertex degree);                     // of the whole plane
Distance plane_diameter(Vertex order, Vertex degree);  // at most
std::vector<Edge> plane_edges(Vertex order, Vertex degree);

}  // namespace antipode
