// Vertices that need not be searched for the diameter because others are at least as far from everything: see
// docs/definitions.md, rules 5 and 6.
#pragma once

#include <span>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// Classes of two or more vertices of `among` with the same neighbours, each in rising order.
std::vector<std::vector<Vertex>> twin_classes(const Rows& graph, std::span<const Vertex> among);

// 1 for every stem: a vertex, itself no leaf, from which a chain of vertices of degree two (or none) leads to a leaf.
std::vector<unsigned char> stems(const Rows& graph, int threads);

}  // namespace antipode
