// Points and lines of a projective plane of order q, joined where they meet: q + 1 at each of the
// 2(q² + q + 1), no two further apart than 3. No graph of that order and degree is better; a few
// vertices fewer, and it is still nearly so.
#pragma once

#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

inline constexpr Vertex kMaxPlaneDegree = 1 << 10;
// There is a plane whose points and lines have this degree, and so many of them can be left out.
// (Planes over fields: q is a prime's power.)
bool has_plane(Vertex order, Vertex degree);
Vertex plane_order(Vertex degree);                     // of the whole plane
Distance plane_diameter(Vertex order, Vertex degree);  // at most
std::vector<Edge> plane_edges(Vertex order, Vertex degree);

}  // namespace antipode
