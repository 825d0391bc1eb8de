#include "engine/cpu/bounds.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "antipode/error.hpp"
#include "engine/cpu/traversal.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

CpuBounds::CpuBounds(const Graph& graph, int threads, DistancesOf distances_of, Lanes& lanes,
                     Interrupt interrupted)
    : HostBounds(graph, threads),
      graph_(graph),
      threads_(threads),
      distances_of_(std::move(distances_of)),
      lanes_(lanes),
      interrupted_(std::move(interrupted)) {}

// In deep graphs the frontiers of a batch rarely meet, so each thread searches alone.
std::vector<SourceOutcome> CpuBounds::tighten_from(std::span<const Vertex> sources) {
  constexpr Distance kDeep = 200;
  if (deepest() <= kDeep) return HostBounds::tighten_from(sources);
  std::vector<SourceOutcome> outcomes(sources.size());
  mark_searched(sources, outcomes);
  std::atomic<std::size_t> next{0};
  std::mutex adding;
  in_team(threads_, [&](int) {
    Traversal traversal(graph_, 1);
    std::vector<Distance> distances(graph_.order()), lower(graph_.order(), 0),
        upper(graph_.order(), kUnreached);
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < sources.size();) {
      if (interrupted_()) {
        next.store(sources.size(), std::memory_order_relaxed);
        throw Interrupted();
      }
      const Distance e = outcomes[i].eccentricity =
          traversal.run(sources[i], distances, [] { return false; }).eccentricity;
      for (Vertex v = 0; v < graph_.order(); ++v) {
        lower[v] = std::max(lower[v], std::max(distances[v], e - distances[v]));
        upper[v] = std::min(upper[v], distances[v] + e);
      }
    }
    const std::lock_guard lock(adding);
    raise_lower(lower);
    reduce_upper(upper);
  });
  return outcomes;
}

}  // namespace antipode::cpu
