// Removes leaves repeatedly; each passes its weight to its neighbour (docs/definitions.md,
// "Betweenness").
#include <numeric>

#include "antipode/graph.hpp"
#include "graph/subgraph.hpp"

namespace antipode {

Core without_folding(const Graph& graph) {
  Core core{.graph = graph,
            .old = std::vector<Vertex>(graph.order()),
            .weight = std::vector<double>(graph.order(), 1),
            .through = std::vector<double>(graph.order(), 0),
            .across = std::vector<double>(graph.order(), 0),
            .parent = std::vector<Vertex>(graph.order(), kNoVertex)};
  std::iota(core.old.begin(), core.old.end(), Vertex{0});
  return core;
}

Core core_of(const Graph& graph) {
  const Components parts = components(graph);
  Core core = without_folding(graph);
  // Of each vertex: the order of its pendant tree, itself included; the sum of its children's
  // weights squared.
  std::vector<double> weight(graph.order(), 1), squares(graph.order(), 0);
  std::vector<Vertex> degree(graph.order()), leaves;
  for (Vertex v = 0; v < graph.order(); ++v)
    if ((degree[v] = graph.degree(v)) == 1) leaves.push_back(v);
  while (!leaves.empty()) {
    const Vertex v = leaves.back();
    leaves.pop_back();
    if (degree[v] != 1) continue;  // the last vertex of a component that is a tree
    for (const Vertex u : graph.neighbors(v))
      if (core.parent[u] == kNoVertex) core.parent[v] = u;  // the only neighbour not removed
    const Vertex up = core.parent[v];
    weight[up] += weight[v];
    squares[up] += weight[v] * weight[v];
    degree[v] = 0;
    if (--degree[up] == 1) leaves.push_back(up);
  }
  core.old.clear();
  core.weight.clear();
  std::vector<Vertex> place(graph.order(), kNoVertex);
  for (Vertex v = 0; v < graph.order(); ++v) {
    const double all = parts.orders[parts.of[v]], below = weight[v] - 1, beyond = all - weight[v];
    core.through[v] = 2 * below * beyond + below * below - squares[v];
    if (core.parent[v] != kNoVertex) {
      core.across[v] = 2 * weight[v] * beyond;
    } else {
      place[v] = static_cast<Vertex>(core.old.size());
      core.old.push_back(v);
      core.weight.push_back(weight[v]);
    }
  }
  core.graph = subgraph(graph, core.old, place, static_cast<int>(threads()));
  return core;
}

}  // namespace antipode
