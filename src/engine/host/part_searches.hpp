// Searches in the graph of a part: a neighbour is a sum of shifts, and no row of neighbours is ever
// written down. Up to 64 sources at a time, a bit for each in the word of every vertex; words lie
// residue by residue, so that the neighbours of consecutive ones are consecutive. A level looks at
// every vertex that some source has not reached: quick where levels are few, as in graphs that
// somebody has searched for.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "antipode/engine.hpp"
#include "antipode/golf.hpp"

namespace antipode {

class PartSearches {
 public:
  static constexpr std::size_t kLanes = 64;
  using Counts = std::array<Vertex, kLanes>;

  virtual ~PartSearches() = default;
  virtual std::string description() const = 0;
  virtual void begin(std::span<const Vertex> sources,
                     bool wants_distances) = 0;  // at most kLanes, all different; the row of the
                                                 // first is kept if it is wanted
  virtual Counts next(Distance level) = 0;       // how many vertices each of them reaches there
  virtual void copy_distances(std::span<Distance> row) const = 0;
};

// Shifts whose words lie side by side, one farther each: those of the last group that has more than
// one.
inline Vertex run_of(const golf::Part& part) {
  const auto last = std::find_if(part.group.rbegin(), part.group.rend(),
                                 [](Vertex factor) { return factor > 1; });
  return last == part.group.rend() ? 1 : *last;
}

// Is it likely to pay? Sums of two shifts must not overflow, runs must be worth beginning, and the
// residues few.
inline bool suits_part_searches(const golf::Part& part) {
  constexpr Vertex kMostOrder = Vertex{1} << 31, kMostResidues = 1024, kShortestRun = 16;
  return part.order <= kMostOrder && part.size <= kMostResidues && run_of(part) >= kShortestRun;
}

// Bytes that they take: two words and a distance for every vertex.
constexpr std::uint64_t part_search_bytes(Vertex order) { return std::uint64_t{order} * 20; }

// The steps of all residues, one after the other.
struct PartSteps {
  explicit PartSteps(const golf::Part& part) : starts{0} {
    for (const auto& own : part.steps()) {
      list.insert(list.end(), own.begin(), own.end());
      starts.push_back(static_cast<Vertex>(list.size()));
    }
  }
  std::span<const golf::PartStep> of(Vertex residue) const {
    return std::span(list).subspan(starts[residue], starts[residue + 1] - starts[residue]);
  }

  std::vector<Vertex> starts;
  std::vector<golf::PartStep> list;
};

// An engine for a graph made of a part. What such searches can tell they do; for all else, and
// where paths are long, another engine gets the graph with its rows written down. Without searches
// that is all. `make` makes that engine.
std::unique_ptr<Engine> part_graph_engine(
    const Graph& graph, std::string name, std::unique_ptr<PartSearches> searches,
    std::function<std::unique_ptr<Engine>(const Graph&)> make);

}  // namespace antipode
