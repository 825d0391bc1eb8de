// The sum of the dependencies of all vertices on some sources, and that of all arcs, without
// counting paths: a path of d edges passes d - 1 inner vertices and d arcs, so distance sums are
// enough. They cost a small part of what the dependencies cost.
#pragma once

#include <span>

#include "antipode/engine.hpp"

namespace antipode {

struct DependencyTotal {
  double vertices = 0, arcs = 0;
  DependencyTotal& operator+=(const DependencyTotal& other) {
    vertices += other.vertices;
    arcs += other.arcs;
    return *this;
  }
};

// `weight` as Dependencies::weights. 24 bytes a vertex.
DependencyTotal dependency_total(Engine& engine, std::span<const double> weight,
                                 std::span<const Vertex> sources);

}  // namespace antipode
