// Betweenness: dependencies within the 2-core, and those of its pendant trees. The order of the
// sources and the estimate of a stopped run are in dependency_sum.hpp and source_order.hpp. Memory:
// 32 bytes per vertex, and per arc if edges are requested.
#include <algorithm>
#include <cmath>

#include "graph/limits.hpp"
#include "measure/dependency_sum.hpp"
#include "measure/source_loop.hpp"

namespace antipode {

namespace {

// Both directions of an edge, and its pendant trees, as one value; of an arc its own.
std::vector<Betweenness::EdgeValue> edge_values(const Core& core, const Dependencies& sums,
                                                double scale) {
  std::vector<Betweenness::EdgeValue> result;
  const Graph& graph = core.graph;
  for (Vertex v = 0; v < graph.order(); ++v)
    for (std::size_t k = 0; k < graph.neighbors(v).size(); ++k) {
      const Vertex u = graph.neighbors(v)[k];
      if (graph.is_directed())
        result.push_back({{core.old[v], core.old[u]}, scale * sums.arcs[graph.offsets()[v] + k]});
      if (u < v || graph.is_directed()) continue;
      const auto back = graph.neighbors(u);
      const auto where =
          static_cast<std::size_t>(std::lower_bound(back.begin(), back.end(), v) - back.begin());
      result.push_back(
          {{core.old[v], core.old[u]},
           scale * (sums.arcs[graph.offsets()[v] + k] + sums.arcs[graph.offsets()[u] + where])});
    }
  for (Vertex v = 0; v < core.parent.size(); ++v)
    if (const Vertex up = core.parent[v]; up != kNoVertex)
      result.push_back({{std::min(v, up), std::max(v, up)}, core.across[v] / 2});
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return a.edge.from != b.edge.from ? a.edge.from < b.edge.from : a.edge.to < b.edge.to;
  });
  return result;
}

}  // namespace

std::size_t sources_for(double epsilon, double delta, Vertex order, std::uint64_t values) {
  if (order < 3 || values == 0) return order;
  const double n = order, largest = n / (n - 1);
  const double wanted =
      std::ceil(largest * largest * std::log(2 * static_cast<double>(values) / delta) /
                (2 * epsilon * epsilon));
  return wanted < n ? static_cast<std::size_t>(wanted) : order;
}

Betweenness betweenness(Engine& engine, const Core& core, const BetweennessOptions& options,
                        Observer& observer, CheckpointStore& checkpoint) {
  const Graph& graph = core.graph;
  constexpr std::uint64_t kSums = 4 * sizeof(double);  // three kinds, and the answer's
  refuse_bytes(
      graph.order() * kSums +
          (options.edges ? graph.arcs() * kSums + graph.size() * 2 * sizeof(Betweenness::EdgeValue)
                         : 0),
      "betweenness of this graph");
  DependencySum sum(engine, core, options);
  Betweenness result;
  result.all_sources = graph.order();
  if (const auto saved = checkpoint.load(); !saved.empty()) try {
      const StopWhen stopping(engine, observer);
      sum.restore(saved, result.sources);
    } catch (const Interrupted&) {  // the saved state stays as it is
      result.sources = 0;
      return result;
    }
  result.finished = for_chunks(
      engine, sum.sources(), kFirstRound, result.sources, observer, checkpoint,
      [&](std::size_t begin, std::span<const Vertex> part) { sum.add(begin, part); },
      [&] { checkpoint.save(sum.state(result.sources)); });
  // One that only wants times had its sources from anywhere.
  if (observer.only_times() || !sum.has_estimate()) return result;
  result.sampled = sum.sample_size() < graph.order();
  result.counted = static_cast<Vertex>(sum.sample_size());
  result.sources = std::max(result.sources, result.counted);  // the last request is stopped halfway
  if (result.sampled) result.epsilon = sum.epsilon(result.delta);
  const Dependencies sums = sum.scale();
  const double once =
      graph.is_directed() ? 1 : 0.5;  // every pair without an order was counted from both its ends
  for (const double through : core.through) result.vertices.push_back(through / 2);
  for (Vertex v = 0; v < graph.order(); ++v)
    result.vertices[core.old[v]] += once * sums.vertices[v];
  if (options.edges) result.edges = edge_values(core, sums, once);
  return result;
}

}  // namespace antipode
