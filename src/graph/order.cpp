// Relabellings for locality: by descending degree (hubs share cache lines), by breadth-first
// search, and by reverse Cuthill–McKee (breadth-first, neighbours by ascending degree, reversed).
// [Cuthill & McKee 1969; George 1971]
#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "antipode/graph.hpp"
#include "graph/limits.hpp"
#include "graph/nearest.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

constexpr Vertex kCheck = 1 << 12;  // vertices between two checks for an interrupt

std::vector<Vertex> by_degree(const Graph& graph) {
  const auto for_each = [&](auto visit) {
    for (Vertex v = 0; v < graph.order(); ++v) {
      if (v % kCheck == 0) stop_if_asked();
      visit(v, graph.degree(v));
    }
  };
  Vertex most = 0;
  for_each([&](Vertex, Vertex degree) { most = std::max(most, degree); });
  std::vector<Vertex> place(std::size_t{most} + 2,
                            0);  // of the next vertex, by degree below `most`
  for_each([&](Vertex, Vertex degree) { ++place[most - degree + 1]; });
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<Vertex> sequence(graph.order());
  for_each([&](Vertex v, Vertex degree) { sequence[place[most - degree]++] = v; });
  return sequence;
}

// Breadth-first sequence over all components, each started at its first vertex in `starts`.
template <class ArrangeNeighbors>
std::vector<Vertex> by_search(const Graph& graph, const std::vector<Vertex>& starts,
                              ArrangeNeighbors arrange) {
  std::vector<Vertex> sequence;
  sequence.reserve(graph.order());
  std::vector<bool> placed(graph.order(), false);
  for (const Vertex start : starts) {
    if (placed[start]) continue;
    placed[start] = true;
    sequence.push_back(start);
    for (std::size_t head = sequence.size() - 1; head < sequence.size(); ++head) {
      if (head % kCheck == 0) stop_if_asked();
      const std::size_t first = sequence.size();
      for (const Vertex u : graph.neighbors(sequence[head])) {
        if (placed[u]) continue;
        placed[u] = true;
        sequence.push_back(u);
      }
      arrange(sequence.begin() + static_cast<std::ptrdiff_t>(first), sequence.end());
    }
  }
  return sequence;
}

std::vector<Vertex> sequence_for(const Graph& graph, VertexOrder order) {
  std::vector<Vertex> starts = by_degree(graph);
  if (order == VertexOrder::degree) return starts;
  if (order == VertexOrder::bfs) return by_search(graph, starts, [](auto, auto) {});
  std::reverse(starts.begin(), starts.end());
  auto sequence = by_search(graph, starts, [&](auto begin, auto end) {
    std::sort(begin, end, [&](Vertex a, Vertex b) { return graph.degree(a) < graph.degree(b); });
  });
  std::reverse(sequence.begin(), sequence.end());
  return sequence;
}

Graph in_sequence(const Graph& graph, const std::vector<Vertex>& old_of_new) {
  const Adjacency rows = graph.adjacency();
  refuse_bytes(std::uint64_t{graph.order()} * 16 + graph.arcs() * (graph.has_lengths() ? 12 : 4),
               "another order of the vertices");
  std::vector<Vertex> new_of_old(graph.order());
  std::vector<EdgeOffset> offsets(old_of_new.size() + 1, 0);
  for (std::size_t v = 0; v < old_of_new.size(); ++v) {
    new_of_old[old_of_new[v]] = static_cast<Vertex>(v);
    offsets[v + 1] = offsets[v] + rows.degree(old_of_new[v]);
  }
  std::vector<Vertex> targets(offsets.back());
  std::vector<Length> lengths(rows.lengths.empty() ? 0 : targets.size());
  in_pieces(
      old_of_new.size(), 1024, threads_for(targets.size()),
      [&](std::size_t first, std::size_t last, int) {
        for (std::size_t v = first; v < last; ++v) {
          const auto begin = targets.begin() + static_cast<std::ptrdiff_t>(offsets[v]);
          const auto old = rows.neighbors(old_of_new[v]);
          std::transform(old.begin(), old.end(), begin, [&](Vertex u) { return new_of_old[u]; });
          const auto end = begin + static_cast<std::ptrdiff_t>(old.size());
          std::sort(begin, end);
          if (lengths.empty()) continue;
          for (std::size_t i = 0; i < old.size(); ++i)
            lengths[static_cast<std::size_t>(std::lower_bound(begin, end, new_of_old[old[i]]) -
                                             targets.begin())] =
                rows.lengths[rows.offsets[old_of_new[v]] + i];
        }
      });
  return graph.with_adjacency(std::move(offsets), std::move(targets), old_of_new,
                              std::move(lengths));
}

}  // namespace

Graph reorder(const Graph& graph, VertexOrder order) {
  if (order == VertexOrder::as_read) return graph;
  const std::vector<Vertex> old_of_new = sequence_for(graph, order);
  const Graph result = in_sequence(graph, old_of_new);
  return graph.is_directed() ? result.with_entering_arcs(in_sequence(graph.into(), old_of_new))
                             : result;
}

VertexOrder vertex_order(std::string_view name) {
  if (name == "as-read") return VertexOrder::as_read;
  if (name == "degree") return VertexOrder::degree;
  if (name == "bfs") return VertexOrder::bfs;
  if (name == "rcm") return VertexOrder::rcm;
  throw UsageError("unknown order '" + std::string(name) + "': choose as-read, degree, bfs or rcm" +
                   did_you_mean(name, {"as-read", "degree", "bfs", "rcm"}));
}

}  // namespace antipode
