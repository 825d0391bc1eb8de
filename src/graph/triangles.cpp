// Triangles through every vertex. Each edge is directed from its end of lower degree to the other,
// so no vertex has more than sqrt(2m) successors. A triangle is found once, at its lowest corner,
// by intersecting the successors of two vertices. Time O(m^1.5), memory 4 bytes per edge and 8 per
// vertex. [Latapy 2008]
#include <algorithm>
#include <atomic>

#include "antipode/graph.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

// The successors, with vertices renumbered by descending degree: a successor has a smaller number.
struct Oriented {
  std::vector<Vertex> vertex;  // the vertex at each rank
  std::vector<EdgeOffset> offsets;
  std::vector<Vertex> targets;
};

Oriented orient(const Graph& graph) {
  Oriented result;
  const Vertex order = graph.order();
  refuse_bytes(std::uint64_t{order} * 60 + graph.arcs() * 8, "counting triangles");
  const Graph sorted = reorder(graph, VertexOrder::degree);  // high degrees come first
  result.offsets.assign(static_cast<std::size_t>(order) + 1, 0);
  const auto for_adjacencies = [&](auto work) {
    in_pieces(order, 1024, threads_for(order), [&](std::size_t first, std::size_t last, int) {
      for (Vertex v = static_cast<Vertex>(first); v < last; ++v) work(v, sorted.neighbors(v));
    });
  };
  for_adjacencies([&](Vertex v, std::span<const Vertex> neighbours) {
    result.offsets[v] = static_cast<EdgeOffset>(
        std::lower_bound(neighbours.begin(), neighbours.end(), v) - neighbours.begin());
  });
  result.targets.resize(exclusive_sum(result.offsets, threads_for(order)));
  for_adjacencies([&](Vertex v, std::span<const Vertex> neighbours) {
    std::copy_n(neighbours.begin(), result.offsets[v + 1] - result.offsets[v],
                result.targets.begin() + static_cast<std::ptrdiff_t>(result.offsets[v]));
  });
  result.vertex.resize(order);
  std::vector<Vertex> position(graph.labels().count());
  for (Vertex v = 0; v < order; ++v) position[graph.origin(v)] = v;
  for (Vertex v = 0; v < order; ++v) result.vertex[v] = position[sorted.origin(v)];
  return result;
}

}  // namespace

Triangles triangles(const Graph& graph, Vertex step) {
  const Oriented out = orient(graph);
  const auto successors = [&](Vertex v) {
    return std::span(out.targets).subspan(out.offsets[v], out.offsets[v + 1] - out.offsets[v]);
  };
  Triangles result;
  result.at.assign(graph.order(), 0);
  std::uint64_t total = 0;
  std::atomic<std::uint64_t> done{0};
  const int team = threads_for(graph.arcs());
  std::vector<std::vector<bool>> marks(static_cast<std::size_t>(team));
  in_pieces((graph.order() + std::uint64_t{step} - 1) / step, 64, team,
            [&](std::size_t first, std::size_t last, int member) {
              std::vector<bool>& marked = marks[static_cast<std::size_t>(member)];
              marked.resize(graph.order(), false);
              std::uint64_t found = 0;
              for (std::size_t i = first; i < last; ++i) {
                stop_if_asked();
                const Vertex v = static_cast<Vertex>(i * step);
                for (const Vertex u : successors(v)) marked[u] = true;
                std::uint64_t through_v = 0;
                for (const Vertex u : successors(v)) {
                  std::uint64_t through_edge = 0;
                  for (const Vertex w : successors(u)) {
                    if (!marked[w]) continue;
                    ++through_edge;
                    relaxed_add<std::uint64_t>(result.at[out.vertex[w]], 1);
                  }
                  if (through_edge != 0) relaxed_add(result.at[out.vertex[u]], through_edge);
                  through_v += through_edge;
                }
                for (const Vertex u : successors(v)) marked[u] = false;
                if (through_v != 0) relaxed_add(result.at[out.vertex[v]], through_v);
                found += through_v;
              }
              relaxed_add(total, found);
              const std::uint64_t passed = done += (last - first) * step;
              tell_loading({.phase = "counting triangles",
                            .share = static_cast<double>(passed) / graph.order(),
                            .is_loading = false});
            });
  result.total = total;
  return result;
}

}  // namespace antipode
