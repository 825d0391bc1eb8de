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
  // One search on one thread. False: its starts are too far from each other for these distances.
  virtual bool search_from(std::span<const PathStart> starts, std::span<Length> distances) = 0;
  virtual double source_cost() const = 0;     // in a batch on one thread, in single searches
  virtual bool is_complete() const = 0;       // there is no core
  virtual bool may_fold_further() const = 0;  // with more steps
};

enum class Reach { all, some };  // all: every vertex reaches every other

struct FoldingTask {
  const Graph& graph;
  Length longest = 0;  // no distance is longer
  Reach reach = Reach::some;
  int threads = 1;
  std::uint64_t most_steps = ~std::uint64_t{0};
  std::function<bool()> stop;  // asked from any thread
};

// Nanoseconds of a search by buckets, roughly.
double search_cost(const Graph& graph);

// Null: there is too little memory.
std::unique_ptr<FoldedSearches> fold_searches(const FoldingTask& task);

}  // namespace antipode::cpu
