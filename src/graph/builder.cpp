// From edges in any order to sorted rows: count degrees, place both directions, sort each row, drop repeats.
// Memory: 8 bytes an edge given, 8 bytes an edge kept, 16 bytes a vertex; the edges are freed as soon as they are placed.
#include <algorithm>

#include "antipode/graph.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

using EdgeLists = std::vector<std::vector<Edge>>;

template <class Visit>
void for_each_edge(const EdgeLists& lists, Visit visit) {
  for (const auto& list : lists) {
#pragma omp parallel for schedule(static) if (list.size() > kWorthThreads)
    for (std::size_t i = 0; i < list.size(); ++i) visit(list[i]);
  }
}

// Closes the gaps that dropped repeats left: row v moves from `from[v]` to `to[v]`.
std::vector<Vertex> packed(const std::vector<Vertex>& targets, const std::vector<EdgeOffset>& from,
                           const std::vector<EdgeOffset>& to) {
  std::vector<Vertex> result(to.back());
  const std::size_t order = to.size() - 1;
#pragma omp parallel for schedule(dynamic, 4096) if (result.size() > kWorthThreads)
  for (std::size_t v = 0; v < order; ++v) {
    std::copy_n(targets.begin() + static_cast<std::ptrdiff_t>(from[v]), to[v + 1] - to[v],
                result.begin() + static_cast<std::ptrdiff_t>(to[v]));
  }
  return result;
}

}  // namespace

BuiltGraph build_graph(Vertex order, EdgeLists edges, Labels labels) {
  std::uint64_t given = 0;
  for (const auto& list : edges) given += list.size();
  refuse_beyond_memory(order, given);
  std::vector<EdgeOffset> offsets(static_cast<std::size_t>(order) + 1, 0);
  std::uint64_t loops = 0;
  for_each_edge(edges, [&](Edge e) {
    if (e.from == e.to) {
      relaxed_add<std::uint64_t>(loops, 1);
      return;
    }
    relaxed_add<EdgeOffset>(offsets[e.from], 1);
    relaxed_add<EdgeOffset>(offsets[e.to], 1);
  });
  const EdgeOffset arcs = exclusive_sum(offsets);

  std::vector<Vertex> targets(arcs);
  std::vector<EdgeOffset> cursor(offsets.begin(), offsets.end());
  for_each_edge(edges, [&](Edge e) {
    if (e.from == e.to) return;
    targets[relaxed_add<EdgeOffset>(cursor[e.from], 1)] = e.to;
    targets[relaxed_add<EdgeOffset>(cursor[e.to], 1)] = e.from;
  });
  edges = {};

  auto& kept = cursor;  // the cursor has done its work: it now counts what is left of each row
#pragma omp parallel for schedule(dynamic, 1024) if (arcs > kWorthThreads)
  for (Vertex v = 0; v < order; ++v) {
    const auto begin = targets.begin() + static_cast<std::ptrdiff_t>(offsets[v]);
    const auto end = targets.begin() + static_cast<std::ptrdiff_t>(offsets[v + 1]);
    std::sort(begin, end);
    kept[v] = static_cast<EdgeOffset>(std::unique(begin, end) - begin);
  }
  kept[order] = 0;
  const EdgeOffset distinct = exclusive_sum(kept);
  if (distinct != arcs) {
    targets = packed(targets, offsets, kept);
    offsets = std::move(kept);
  }
  return {Graph(std::move(offsets), std::move(targets), std::move(labels)), loops, (arcs - distinct) / 2};
}

}  // namespace antipode
