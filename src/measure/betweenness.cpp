// Betweenness: what passes in the core, and what passes because of the trees that hang on it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/sample.hpp"
#include "measure/source_loop.hpp"
#include "measure/state.hpp"

namespace antipode {

namespace {

constexpr std::size_t kFirstPart = 32;  // parts of 32, 64, … sources: an engine adds up so many of
                                        // them at a time that these do not matter

// Both directions of an edge, and its hanging trees, as one value; of an arc its own.
std::vector<Betweenness::EdgeValue> edge_values(const Core& core, const Flow& flow, double scale) {
  std::vector<Betweenness::EdgeValue> result;
  const Graph& graph = core.graph;
  for (Vertex v = 0; v < graph.order(); ++v)
    for (std::size_t k = 0; k < graph.neighbors(v).size(); ++k) {
      const Vertex u = graph.neighbors(v)[k];
      if (graph.is_directed())
        result.push_back({{core.old[v], core.old[u]}, scale * flow.arcs[graph.offsets()[v] + k]});
      if (u < v || graph.is_directed()) continue;
      const auto back = graph.neighbors(u);
      const auto where =
          static_cast<std::size_t>(std::lower_bound(back.begin(), back.end(), v) - back.begin());
      result.push_back(
          {{core.old[v], core.old[u]},
           scale * (flow.arcs[graph.offsets()[v] + k] + flow.arcs[graph.offsets()[u] + where])});
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
                        Observer& observer, Keeper& keeper) {
  const Graph& graph = core.graph;
  std::vector<Vertex> sources(graph.order());
  std::iota(sources.begin(), sources.end(), Vertex{0});
  if (options.samples > 0) sources = sampled(std::move(sources), options.samples, options.seed);
  Betweenness result;
  result.sampled = sources.size() < graph.order();
  Flow flow{std::vector<double>(graph.order(), 0),
            std::vector<double>(options.edges ? graph.arcs() : 0, 0)};
  if (const auto kept = keeper.kept(); !kept.empty())
    StateReader(kept).get(result.sources).get(flow.vertices).get(flow.arcs);
  result.finished = for_parts(
      engine, sources, kFirstPart, result.sources, observer, keeper,
      [&](std::size_t, std::span<const Vertex> part) { engine.add_flow(part, core.weight, flow); },
      [&] {
        keeper.keep(StateWriter().put(result.sources).put(flow.vertices).put(flow.arcs).bytes());
      });
  if (!result.finished) return result;
  // Every pair without an order was counted from both its ends.
  const double once = graph.is_directed() ? 1 : 0.5,
               scale = sources.empty() ? once
                                       : once * graph.order() / static_cast<double>(sources.size());
  for (const double through : core.through) result.vertices.push_back(through / 2);
  for (Vertex v = 0; v < graph.order(); ++v)
    result.vertices[core.old[v]] += scale * flow.vertices[v];
  if (options.edges) result.edges = edge_values(core, flow, scale);
  return result;
}

}  // namespace antipode
