// Builds the graph of a file: lengths in one unit, edges without direction as two arcs if arcs are
// wanted, and what is lost on the way. Memory: that of build_graph, and 16 bytes per length.
#include "io/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "antipode/error.hpp"
#include "graph/hash.hpp"
#include "graph/limits.hpp"

namespace antipode {

namespace {

// All edges of a file; lengths beside them, or none at all.
struct Given {
  std::vector<std::vector<Edge>> edges;
  std::vector<std::vector<Length>> lengths;
  LengthUnit unit;

  std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const auto& list : edges) sum += list.size();
    return sum;
  }
  // Also the reversed arcs of the lists from `first` on.
  void add_reversed(std::size_t first) {
    const std::size_t end = edges.size();
    for (std::size_t i = first; i < end; ++i) {
      refuse_bytes(edges[i].size() * (sizeof(Edge) + (lengths.empty() ? 0 : sizeof(Length))),
                   "edges in both directions");
      std::vector<Edge> reversed(edges[i]);
      for (Edge& e : reversed) std::swap(e.from, e.to);
      edges.push_back(std::move(reversed));
      if (!lengths.empty()) lengths.push_back(std::vector<Length>(lengths[i]));
    }
  }
};

// Whether every arc of the first lists has a reverse arc of the same length, equally often: sums of
// a hash over upward arcs and over reversed downward arcs are equal. The number of upward arcs
// settles most directed graphs first.
bool is_symmetric(const Given& given, std::size_t lists) {
  std::int64_t upward = 0;
  for (std::size_t list = 0; list < lists; ++list)
    for (const Edge e : given.edges[list])
      upward += static_cast<std::int64_t>(e.from < e.to) - static_cast<std::int64_t>(e.from > e.to);
  if (upward != 0) return false;
  std::uint64_t difference = 0;
  for (std::size_t list = 0; list < lists; ++list) {
    const auto& edges = given.edges[list];
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge e = edges[i];
      const std::uint64_t ends =
          std::uint64_t{std::min(e.from, e.to)} << 32 | std::max(e.from, e.to);
      const std::uint64_t hash =
          mix(given.lengths.empty() ? ends : mix(ends) ^ given.lengths[list][i]);
      if (e.from < e.to) difference += hash;
      if (e.from > e.to) difference -= hash;
    }
  }
  return difference == 0;
}

// The edges of the file, with those that have no direction in a list of their own at the end.
Given edges_of(ParsedGraph& parsed, LoadedGraph& loaded, Lengths wanted) {
  Given given;
  if (!parsed.both_ways.empty()) {
    parsed.edges.push_back(std::move(parsed.both_ways));
    if (!parsed.lengths.empty()) parsed.lengths.push_back(std::move(parsed.both_way_lengths));
  }
  if (wanted == Lengths::used) {
    ScaledLengths scaled = scale_lengths(parsed.edges, std::move(parsed.lengths), loaded.name);
    given.lengths = std::move(scaled.lists);
    given.unit = scaled.unit;
    loaded.notices.insert(loaded.notices.end(), scaled.notices.begin(), scaled.notices.end());
  }
  given.edges = std::move(parsed.edges);
  return given;
}

BuiltGraph build_from(Given given, ParsedGraph& parsed, const LoadOptions& options,
                      const std::string& name) {
  if (options.lengths == Lengths::ignored)
    return build_graph(parsed.order, std::move(given.edges), std::move(parsed.labels),
                       options.direction);
  try {
    return build_graph(parsed.order, std::move(given.edges), std::move(given.lengths), given.unit,
                       std::move(parsed.labels), options.direction);
  } catch (const UsageError& error) {
    throw InputError(name, error.what());
  }
}

constexpr char kBothWays[] =
    "the file says that its edges have no direction: each is taken both ways";

// The arcs of a graph as edges without direction.
BuiltGraph without_direction(const Graph& graph) {
  refuse_bytes(graph.arcs() * (sizeof(Edge) + (graph.has_lengths() ? sizeof(Length) : 0)),
               "edges without direction");
  const auto& lengths = graph.adjacency().lengths;
  return graph.has_lengths()
             ? build_graph(graph.order(), {arc_list(graph)}, {{lengths.begin(), lengths.end()}},
                           graph.unit(), graph.labels())
             : build_graph(graph.order(), {arc_list(graph)}, graph.labels());
}

void note_unequal(LoadedGraph& loaded, const BuiltGraph& built) {
  if (built.unequal == 0) return;
  loaded.notices.push_back(
      fmt::format("{} given several times with different lengths: the shortest counts",
                  built.unequal == 1 ? "1 edge is" : fmt::format("{} edges are", built.unequal)));
}

// A graph that is ready as it is (.apg), without what is not wanted.
void take_ready(LoadedGraph& loaded, const Graph& graph, const LoadOptions& options) {
  loaded.graph = loaded.lengths_dropped ? graph.without_lengths() : graph;
  if (graph.is_directed() && options.direction == Direction::none) {
    loaded.directions_dropped = true;
    const BuiltGraph built = without_direction(loaded.graph);
    note_unequal(loaded, built);
    loaded.graph = built.graph;
  } else if (options.direction == Direction::forward && !graph.is_directed()) {
    loaded.notices.emplace_back(kBothWays);
    loaded.graph = loaded.graph.with_entering_arcs(loaded.graph);
  }
}

}  // namespace

LoadedGraph build(LoadedGraph loaded, ParsedGraph&& parsed, const LoadOptions& options,
                  Clock& clock) {
  const bool directed = options.direction == Direction::forward;
  loaded.notices = std::move(parsed.notices);
  const bool kept = parsed.lengths.size() == parsed.edges.size() || parsed.graph.has_value();
  if (options.lengths == Lengths::used && !(parsed.has_lengths && kept))
    throw InputError(
        loaded.name,
        fmt::format("the file has no lengths; leave out --weighted{}",
                    loaded.format == "csv" ? ", or say by --columns which column has them" : ""));
  loaded.lengths_dropped = parsed.has_lengths && options.lengths == Lengths::ignored;
  if (parsed.graph) {
    take_ready(loaded, *parsed.graph, options);
    return loaded;
  }
  if (directed && parsed.goes_both_ways) loaded.notices.emplace_back(kBothWays);
  const std::size_t arcs = parsed.edges.size();  // lists of them
  Given given = edges_of(parsed, loaded, options.lengths);
  loaded.directions_dropped = !directed && parsed.has_directions && !is_symmetric(given, arcs);
  if (directed) given.add_reversed(parsed.goes_both_ways ? 0 : arcs);
  const std::uint64_t count = given.count();
  const BuiltGraph built = build_from(std::move(given), parsed, options, loaded.name);
  loaded.graph = built.graph;
  loaded.loops = built.loops;
  loaded.repeats = built.repeats;
  note_unequal(loaded, built);
  if (directed && parsed.goes_both_ways)
    loaded.loops /= 2, loaded.repeats /= 2;  // each was given once and became two arcs
  if (parsed.lists_both_ends && !directed) {
    const std::uint64_t ends = count - built.loops, both = 2 * built.graph.size();
    loaded.repeats = ends > both ? ends - both : 0;
    if (ends < both)
      loaded.notices.push_back(fmt::format(
          "{} edges are listed at one end only; they are taken as undirected", both - ends));
  }
  loaded.build_seconds = clock.lap();
  return loaded;
}

}  // namespace antipode
