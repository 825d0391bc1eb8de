// Compressed sparse rows of a caller, copied before they are checked: the caller's other threads
// may change them meanwhile. Then taken as they are, or apart into edges.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "antipode/error.hpp"
#include "antipode/graph.hpp"

namespace antipode::python {

class CompressedRows {
 public:
  template <class Id>
  CompressedRows(std::span<const Id> offsets, std::span<const Id> targets)
      : offsets_(offsets.begin(), offsets.end()), targets_(targets.size()) {
    if (offsets_.empty() || offsets_.size() - 1 > kMaxOrder)
      throw UsageError("a graph has at least one offset, and at most " + std::to_string(kMaxOrder) +
                       " vertices");
    if (offsets_.front() != 0 || offsets_.back() != targets.size())
      throw UsageError("the offsets do not end where the targets end");
    if (!std::is_sorted(offsets_.begin(), offsets_.end()))
      throw UsageError("an offset is below the one before it");
    bool fits = true;  // without a branch for each
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Id id = targets[i];
      fits &= static_cast<std::uint64_t>(id) < order();
      targets_[i] = static_cast<Vertex>(id);
    }
    if (!fits)
      throw UsageError("a target is not in a graph of " + std::to_string(order()) + " vertices");
  }

  Vertex order() const { return static_cast<Vertex>(offsets_.size() - 1); }

  // Sorted, without loops or repeats, and every edge at both ends. The arcs that enter a vertex
  // from smaller ones come in the order of its own row, so one pass with a place for each vertex
  // compares them. That is then also where its arcs to larger vertices begin.
  bool is_symmetric() const {
    if (!rows_increase()) return false;
    std::vector<EdgeOffset> place(offsets_.begin(), offsets_.end() - 1);
    for (Vertex v = 0; v < order(); ++v) {
      const EdgeOffset begin = offsets_[v], end = offsets_[v + 1];
      EdgeOffset at = place[v];
      // Otherwise an arc to a smaller vertex has none back, or one back has no arc here.
      if (at > end || (at > begin && targets_[at - 1] >= v)) return false;
      if (at < end && targets_[at] <= v) return false;
      for (; at < end; ++at) {
        EdgeOffset& back = place[targets_[at]];
        if (back == targets_.size() || targets_[back] != v) return false;
        ++back;
      }
    }
    return true;
  }

  Graph take() && {
    const Labels labels = Labels::sequential(0, order());
    return Graph(std::move(offsets_), std::move(targets_), labels);
  }

  std::vector<Edge> edges() const {
    std::vector<Edge> result;
    result.reserve(targets_.size());
    for (Vertex v = 0; v < order(); ++v)
      for (EdgeOffset at = offsets_[v]; at < offsets_[v + 1]; ++at)
        result.push_back({v, targets_[at]});
    return result;
  }

 private:
  // Counts the targets that are not above the one before: all of them begin a row. Rows are too
  // short for a loop each.
  bool rows_increase() const {
    std::size_t falls = 0;
    for (std::size_t i = 1; i < targets_.size(); ++i) falls += targets_[i - 1] >= targets_[i];
    EdgeOffset last = 0;
    for (const EdgeOffset begin : offsets_) {
      if (begin != last && begin < targets_.size()) falls -= targets_[begin - 1] >= targets_[begin];
      last = begin;
    }
    return falls == 0;
  }

  std::vector<EdgeOffset> offsets_;
  std::vector<Vertex> targets_;
};

}  // namespace antipode::python
