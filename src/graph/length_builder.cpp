// Sorted adjacency from unordered edges with lengths. Arcs are counted, written beside each other
// by the vertex they leave, and sorted there; of several to one target the shortest stays. Memory:
// 16 bytes per given edge, 16 per arc, and 12 per arc that is kept.
#include <algorithm>
#include <utility>

#include "antipode/graph.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

struct Arc {
  Vertex to;
  Length length;
  friend auto operator<=>(const Arc&, const Arc&) = default;
};

struct Given {
  std::vector<std::vector<Edge>> edges;
  std::vector<std::vector<Length>> lengths;

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t list = 0; list < edges.size(); ++list) {
      stop_if_asked();
      for (std::size_t i = 0; i < edges[list].size(); ++i)
        if (const Edge e = edges[list][i]; e.from != e.to) visit(e, lengths[list][i]);
    }
  }
};

struct Rows {
  std::vector<EdgeOffset> offsets;
  std::vector<Vertex> targets;
  std::vector<Length> lengths;
  EdgeOffset given = 0;    // arcs, before the shortest were chosen
  EdgeOffset unequal = 0;  // arcs given with several lengths
};

// Targets that have arcs of different lengths. Sorted arcs.
EdgeOffset several_lengths(std::span<const Arc> arcs) {
  EdgeOffset count = 0;
  for (std::size_t i = 0, first = 0; i < arcs.size(); ++i) {
    if (arcs[i].to != arcs[first].to) first = i;
    const bool last = i + 1 == arcs.size() || arcs[i + 1].to != arcs[i].to;
    count += last && arcs[i].length != arcs[first].length ? 1 : 0;
  }
  return count;
}

Rows rows_of(Vertex order, const Given& given, Direction direction) {
  const auto both = direction == Direction::none;
  std::vector<EdgeOffset> begin(std::size_t{order} + 1, 0);
  given.for_each([&](Edge e, Length) {
    ++begin[e.from];
    if (both) ++begin[e.to];
  });
  Rows rows;
  rows.given = exclusive_sum(begin, threads_for(order));
  refuse_bytes(rows.given * (sizeof(Arc) + sizeof(Vertex) + sizeof(Length)), "edges with lengths");
  std::vector<Arc> arcs(rows.given);
  std::vector<EdgeOffset> next(begin);
  given.for_each([&](Edge e, Length length) {
    arcs[next[e.from]++] = {e.to, length};
    if (both) arcs[next[e.to]++] = {e.from, length};
  });
  rows.offsets.assign(std::size_t{order} + 1, 0);
  const auto arcs_of = [&](std::size_t v) {
    return std::span(arcs).subspan(begin[v], begin[v + 1] - begin[v]);
  };
  in_pieces(order, 4096, threads_for(arcs.size()), [&](std::size_t first, std::size_t last, int) {
    EdgeOffset unequal = 0;
    for (std::size_t v = first; v < last; ++v) {
      const auto mine = arcs_of(v);
      std::sort(mine.begin(), mine.end());
      unequal += several_lengths(mine);
      const auto end = std::unique(mine.begin(), mine.end(),
                                   [](const Arc& a, const Arc& b) { return a.to == b.to; });
      rows.offsets[v] = static_cast<EdgeOffset>(end - mine.begin());
    }
    relaxed_add(rows.unequal, unequal);
  });
  const EdgeOffset kept = exclusive_sum(rows.offsets, threads_for(order));
  rows.targets.resize(kept);
  rows.lengths.resize(kept);
  in_pieces(order, 4096, threads_for(arcs.size()), [&](std::size_t first, std::size_t last, int) {
    for (std::size_t v = first; v < last; ++v)
      for (EdgeOffset at = rows.offsets[v], i = 0; at < rows.offsets[v + 1]; ++at, ++i) {
        rows.targets[at] = arcs_of(v)[i].to;
        rows.lengths[at] = arcs_of(v)[i].length;
      }
  });
  return rows;
}

}  // namespace

BuiltGraph build_graph(Vertex order, std::vector<std::vector<Edge>> edges,
                       std::vector<std::vector<Length>> lengths, const LengthUnit& unit,
                       Labels labels, Direction direction) {
  Given given{std::move(edges), std::move(lengths)};
  std::uint64_t count = 0, loops = 0;
  for (const auto& list : given.edges) {
    count += list.size();
    loops += static_cast<std::uint64_t>(
        std::count_if(list.begin(), list.end(), [](Edge e) { return e.from == e.to; }));
  }
  refuse_beyond_memory(direction == Direction::none ? order : 2 * std::uint64_t{order}, 3 * count);
  tell_loading({.phase = "building", .edges = count});
  const std::uint64_t each = direction == Direction::none ? 2 : 1;
  Rows rows = rows_of(order, given, direction);
  const std::uint64_t repeats = (rows.given - rows.targets.size()) / each;
  Graph graph = Graph(std::move(rows.offsets), std::move(rows.targets), labels)
                    .with_lengths(std::move(rows.lengths), unit);
  if (direction == Direction::forward) {
    for (auto& list : given.edges)
      for (Edge& e : list) std::swap(e.from, e.to);
    Rows into = rows_of(order, given, direction);
    graph = graph.with_entering_arcs(
        Graph(std::move(into.offsets), std::move(into.targets), std::move(labels)));
  }
  return {.graph = std::move(graph),
          .loops = loops,
          .repeats = repeats,
          .unequal = rows.unequal / each};
}

}  // namespace antipode
