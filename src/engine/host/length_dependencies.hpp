// Dependencies on shortest paths with lengths: by passes on a hierarchy where there is a small one,
// else by searches; on all threads, and the same with any number of them.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "antipode/engine.hpp"
#include "engine/host/path_hierarchy.hpp"

namespace antipode::host {

class LengthDependencies {
 public:
  enum class Way { by_cost, searches };

  // UsageError for an edge of length 0.
  LengthDependencies(const Graph& graph, int threads, const std::function<bool()>& interrupted,
                     Way way = Way::by_cost);
  void add(std::span<const Vertex> sources, Dependencies& sums,
           const std::function<bool()>& interrupted) const;

 private:
  Graph graph_;
  int threads_;
  std::optional<PathHierarchy> hierarchy_;
};

}  // namespace antipode::host
