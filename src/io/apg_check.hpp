// Checks of an .apg file, which may have been made to deceive.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// An InputError unless each adjacency is a sorted list of other vertices and, without direction,
// each edge is listed at both ends with one length.
void check_adjacencies(const Adjacency& adjacency, Direction direction, const std::string& name);

// The adjacency of entering arcs, from that of leaving arcs.
Graph entering_arcs(const Graph& graph);

bool differ(std::vector<std::uint64_t> values);
bool differ(const Labels& names);

}  // namespace antipode
