// Short forms of requests, for tests.
#pragma once

#include <span>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode::testing {

inline std::vector<std::uint64_t> counts_from(Engine& engine, std::span<const Vertex> sources,
                                              std::span<const Multiplicities> multiplicities = {}) {
  DistanceCounts counts{.vertices = {}, .multiplicities = multiplicities};
  engine.accumulate(sources, &counts);
  return counts.vertices;
}

enum class Arcs { wanted, unwanted };

// The weights must outlive the result.
inline Dependencies no_dependencies(const Graph& graph, std::span<const double> weights,
                                    Arcs arcs = Arcs::unwanted) {
  return {.vertices = std::vector<double>(graph.order(), 0),
          .arcs = std::vector<double>(arcs == Arcs::wanted ? graph.arcs() : 0, 0),
          .weights = weights};
}

}  // namespace antipode::testing
