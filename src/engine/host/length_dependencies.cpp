#include "engine/host/length_dependencies.hpp"

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/host/dependency_sums.hpp"
#include "engine/host/length_brandes.hpp"
#include "engine/host/path_passes.hpp"
#include "graph/limits.hpp"

namespace antipode::host {

namespace {

// Sources whose sums are added together; a multiple of the lanes of a pass. Callers add parts of a
// multiple of this, so that the same sources are together whatever the parts are.
constexpr std::size_t kTogether = 32;

struct Thread {
  Dependencies sums;
  std::optional<PathPasses> passes;
  std::optional<LengthBrandes> searches;
};

void add_sources(const Graph& graph, std::span<const Vertex> part, std::span<const double> weights,
                 Thread& me, const std::function<bool()>& interrupted) {
  const auto search = [&](std::span<const Vertex> sources) {
    if (!me.searches) me.searches.emplace(graph);
    for (const Vertex source : sources) me.searches->add(source, weights, me.sums, interrupted);
  };
  if (!me.passes) return search(part);
  constexpr std::size_t kLanes = PathPasses::kLanes;
  for (std::size_t begin = 0; begin < part.size(); begin += kLanes) {
    if (interrupted()) throw Interrupted();
    const auto lanes = part.subspan(begin, std::min(kLanes, part.size() - begin));
    if (!me.passes->add(lanes, weights)) search(lanes);
  }
  me.passes->finish(me.sums);
}

}  // namespace

LengthDependencies::LengthDependencies(const Graph& graph, int threads,
                                       const std::function<bool()>& interrupted, Way way)
    : graph_(graph), threads_(threads) {
  if (const auto zero = zero_edge(graph))
    throw UsageError("shortest paths cannot be counted where an edge has length 0, such as " +
                     graph.label(zero->from) + (graph.is_directed() ? " → " : " – ") +
                     graph.label(zero->to) + ": make one vertex of the ends of such edges first");
  if (way == Way::by_cost) hierarchy_ = path_hierarchy(graph_, interrupted);
}

void LengthDependencies::add(std::span<const Vertex> sources, Dependencies& sums,
                             const std::function<bool()>& interrupted) const {
  constexpr std::uint64_t kSearch = 48, kSums = 8;  // bytes a vertex
  const std::uint64_t each =
      graph_.order() * kSums + sums.arcs.size() * kSums +
      (hierarchy_ ? PathPasses::bytes(*hierarchy_) : graph_.order() * kSearch);
  int threads = threads_;
  while (threads > 1 && !fits_memory(each * static_cast<std::uint64_t>(threads))) --threads;
  refuse_bytes(each, "betweenness of this graph");
  std::vector<Thread> memory(static_cast<std::size_t>(threads));
  for (Thread& each_thread : memory) {
    each_thread.sums = zeros_like(sums);
    if (hierarchy_) each_thread.passes.emplace(*hierarchy_);
  }
  const auto at = [&](int member) -> Thread& { return memory[static_cast<std::size_t>(member)]; };
  add_in_turns(
      threads, sources, kTogether, sums,
      [&](int member) -> Dependencies& { return at(member).sums; },
      [&](int member, std::span<const Vertex> part) {
        add_sources(graph_, part, sums.weights, at(member), interrupted);
      });
}

}  // namespace antipode::host
