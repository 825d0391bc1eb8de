// Searches from many vertices of an undirected graph, by folding it once and sweeping it for a line
// of sources at a time, each thread for lines of its own. Sources near each other share a line,
// since they share most of their climb. Memory: the folding, and 64 bytes per vertex and thread.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "antipode/path_engine.hpp"

namespace antipode::cpu {

class FoldedSearches {
 public:
  virtual ~FoldedSearches() = default;
  virtual std::vector<PathSummary> summarize(std::span<const Vertex> sources) = 0;
  virtual void rows(std::span<const Vertex> sources, const LengthSink& sink) = 0;
  virtual PathCosts costs() const = 0;
};

enum class Reach { all, some };  // all: every vertex reaches every other

struct FoldingTask {
  const Graph& graph;
  Length longest = 0;  // no distance is longer
  Reach reach = Reach::some;
  int threads = 1;
  std::function<bool()> stop;  // asked from any thread
};

// Null: there is too little memory.
std::unique_ptr<FoldedSearches> fold_searches(const FoldingTask& task);

}  // namespace antipode::cpu
