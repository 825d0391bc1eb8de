// Compressed sparse rows of a caller: checked, then copied as they are, or taken apart into edges.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "antipode/error.hpp"
#include "antipode/graph.hpp"

namespace antipode::python {

template <class Id>
class CompressedRows {
 public:
  CompressedRows(std::span<const Id> offsets, std::span<const Id> targets) : targets_(targets) {
    if (offsets.empty() || offsets.size() - 1 > kMaxOrder)
      throw UsageError("a graph has at least one offset, and at most " + std::to_string(kMaxOrder) +
                       " vertices");
    if (offsets.front() != 0 || static_cast<std::size_t>(offsets.back()) != targets.size())
      throw UsageError("the offsets do not end where the targets end");
    for (std::size_t v = 1; v < offsets.size(); ++v)
      if (offsets[v - 1] > offsets[v])
        throw UsageError("offset " + std::to_string(v) + " is below the one before it");
    offsets_.assign(offsets.begin(), offsets.end());
    const auto is_outside = [this](Id id) { return static_cast<std::size_t>(id) >= order(); };
    bool fits = true;  // without a branch for each
    for (const Id id : targets) fits &= !is_outside(id);
    if (!fits)
      throw UsageError("target " +
                       std::to_string(*std::find_if(targets.begin(), targets.end(), is_outside)) +
                       " is not in a graph of " + std::to_string(order()) + " vertices");
  }

  Vertex order() const { return static_cast<Vertex>(offsets_.size() - 1); }

  // Sorted, without loops or repeats, and every edge at both ends. The arcs that enter a vertex
  // from smaller ones come in the order of its own row, so one pass with a place for each vertex
  // compares them.
  bool is_symmetric() const {
    std::vector<EdgeOffset> place(offsets_.begin(), offsets_.end() - 1);
    for (Vertex v = 0; v < order(); ++v) {
      const EdgeOffset end = offsets_[v + 1];
      EdgeOffset at = offsets_[v];
      if (!is_sorted(at, end)) return false;
      while (at < end && target(at) < v) ++at;
      // Otherwise an arc to a smaller vertex has none back, or one back has no arc here.
      if (place[v] != at) return false;
      for (; at < end; ++at) {
        const Vertex u = target(at);
        if (u == v || place[u] == targets_.size() || target(place[u]) != v) return false;
        ++place[u];
      }
    }
    return true;
  }

  Graph copy() const {
    return Graph(offsets_, std::vector<Vertex>(targets_.begin(), targets_.end()),
                 Labels::sequential(0, order()));
  }

  std::vector<Edge> edges() const {
    std::vector<Edge> result;
    result.reserve(targets_.size());
    for (Vertex v = 0; v < order(); ++v)
      for (EdgeOffset at = offsets_[v]; at < offsets_[v + 1]; ++at)
        result.push_back({v, target(at)});
    return result;
  }

 private:
  bool is_sorted(EdgeOffset begin, EdgeOffset end) const {
    bool sorted = true;
    for (EdgeOffset at = begin + 1; at < end; ++at) sorted &= targets_[at - 1] < targets_[at];
    return sorted;
  }
  Vertex target(EdgeOffset at) const { return static_cast<Vertex>(targets_[at]); }

  std::vector<EdgeOffset> offsets_;
  std::span<const Id> targets_;
};

}  // namespace antipode::python
