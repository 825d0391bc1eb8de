// Values of vertices and edges from the dependencies in a core, and from its pendant trees.
#include <algorithm>

#include "measure/dependency_sum.hpp"

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

void finish_betweenness(const DependencySum& sum, const Core& core,
                        const BetweennessOptions& options, Betweenness& result) {
  const Graph& graph = core.graph;
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
}

std::uint64_t betweenness_bytes(const Graph& core, const BetweennessOptions& options) {
  constexpr std::uint64_t kSums = 4 * sizeof(double);  // three kinds, and the answer's
  return core.order() * kSums +
         (options.edges ? core.arcs() * kSums + core.size() * 2 * sizeof(Betweenness::EdgeValue)
                        : 0);
}

}  // namespace antipode
