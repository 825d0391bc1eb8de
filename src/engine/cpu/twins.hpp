// Vertices with exactly the same neighbours, among some given ones.
#pragma once

#include <span>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode::cpu {

// Classes of at least two, each in rising order. Hashes find them, comparisons decide.
std::vector<std::vector<Vertex>> twin_classes(const Graph& graph, std::span<const Vertex> among);

}  // namespace antipode::cpu
