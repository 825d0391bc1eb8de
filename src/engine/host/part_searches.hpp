// Searches in a voltage graph without adjacency: a neighbour is a sum of shifts. Up to 64 sources
// at a time, as bits of one word per vertex. Words are ordered by residue, so that the neighbours
// of consecutive words are consecutive. A level reads every vertex that some source has not
// reached: fast for few levels, as in graphs of the order/degree problem.
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
  // Distances from the first source; copy_distances() needs them stored.
  enum class FirstDistances { dropped, stored };

  virtual ~PartSearches() = default;
  virtual std::string description() const = 0;
  // At most kLanes different sources.
  virtual void begin(std::span<const Vertex> sources, FirstDistances first) = 0;
  virtual Counts next(Distance level) = 0;  // for each source: vertices at this level
  virtual void copy_distances(std::span<Distance> distances) const = 0;
};

// The length of a run: shifts whose words are consecutive and differ by one. It is the last factor
// of the group that exceeds one.
inline Vertex run_of(const golf::Part& part) {
  const auto last = std::find_if(part.group.rbegin(), part.group.rend(),
                                 [](Vertex factor) { return factor > 1; });
  return last == part.group.rend() ? 1 : *last;
}

// Whether such searches are likely to be faster. Sums of two shifts must not overflow; runs must be
// long, and residues few.
inline bool suits_part_searches(const golf::Part& part) {
  constexpr Vertex kMostOrder = Vertex{1} << 31, kMostResidues = 1024, kShortestRun = 16;
  return part.order <= kMostOrder && part.size <= kMostResidues && run_of(part) >= kShortestRun;
}

// Bytes of such a search: two words and a distance per vertex.
constexpr std::uint64_t part_search_bytes(Vertex order) { return std::uint64_t{order} * 20; }

// The steps of all residues, one residue after the other.
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

// An engine for a voltage graph (part_graph_engine.cpp). `make` creates the engine for the
// materialized adjacency. Without `searches`, that engine answers everything.
std::unique_ptr<Engine> part_graph_engine(
    const Graph& graph, std::string name, std::unique_ptr<PartSearches> searches,
    std::function<std::unique_ptr<Engine>(const Graph&)> make);

}  // namespace antipode
