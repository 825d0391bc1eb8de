// antipode info
#include <algorithm>
#include <map>

#include "cli/estimate.hpp"
#include "cli/session.hpp"
#include "cli/several.hpp"
#include "graph/limits.hpp"

namespace antipode::cli {

namespace {

report::InfoReport describe(const Graph& graph, const Components& components) {
  report::InfoReport info;
  const Vertex largest = components.largest();
  if (largest != kNoVertex) {
    info.largest_vertices = components.orders[largest];
    info.largest_edges = components.sizes[largest];
  }
  const Triangles counted = triangles(graph);
  info.triangles = counted.total;
  info.edges = graph.size();
  std::map<Vertex, Vertex> degrees;
  double clustering = 0;
  for (Vertex v = 0; v < graph.order(); ++v) {
    const double degree = graph.degree(v);
    ++degrees[graph.degree(v)];
    if (degree > 1) clustering += 2 * static_cast<double>(counted.at[v]) / (degree * (degree - 1));
    if (components.of[v] == largest) info.largest_triangles += counted.at[v];
  }
  info.largest_triangles /= 3;
  info.degrees.assign(degrees.begin(), degrees.end());
  if (graph.order() == 0) return info;
  info.clustering = clustering / graph.order();
  info.mean_degree = static_cast<double>(graph.arcs()) / graph.order();
  info.least_degree = degrees.begin()->first;
  info.most_degree = degrees.rbegin()->first;
  info.isolated = degrees.contains(0) ? degrees[0] : 0;
  Vertex below = 0;
  for (const auto& [degree, count] : degrees) {
    below += count;
    if (below > (graph.order() - 1) / 2) {
      info.median_degree = degree;
      break;
    }
  }
  return info;
}

// Strong components without an arc from another one, if `into` has the arcs, or to another one.
// Where there is only one of them, it reaches all vertices, or all reach it.
Vertex order_of_only_end(const Graph& graph, const Components& strong, const Adjacency& into) {
  std::vector<bool> has_other(strong.count(), false);
  for (Vertex v = 0; v < graph.order(); ++v)
    for (const Vertex u : into.neighbors(v))
      if (strong.of[u] != strong.of[v]) has_other[strong.of[v]] = true;
  if (std::count(has_other.begin(), has_other.end(), false) != 1) return 0;
  return strong.orders[static_cast<std::size_t>(
      std::find(has_other.begin(), has_other.end(), false) - has_other.begin())];
}

std::uint64_t arcs_both_ways(const Graph& graph) {
  const Adjacency out = graph.adjacency(), in = graph.into().adjacency();
  std::uint64_t count = 0;
  for (Vertex v = 0; v < graph.order(); ++v) {
    if (v % (1 << 16) == 0) stop_if_asked();
    const auto from = in.neighbors(v);
    auto at = from.begin();
    for (const Vertex u : out.neighbors(v)) {
      at = std::lower_bound(at, from.end(), u);
      if (at != from.end() && *at == u) ++count;
    }
  }
  return count;
}

report::ArcInfo describe_arcs(const Graph& graph) {
  report::ArcInfo info;
  const Components strong = strong_components(graph);
  info.strong_components = strong.count();
  info.both_ways = arcs_both_ways(graph);
  if (graph.order() == 0) return info;
  info.largest_vertices = strong.orders[strong.largest()];
  info.largest_arcs = strong.sizes[strong.largest()];
  info.reach_all = order_of_only_end(graph, strong, graph.into().adjacency());
  info.reached_by_all = order_of_only_end(graph, strong, graph.adjacency());
  for (Vertex v = 0; v < graph.order(); ++v) {
    info.most_out = std::max(info.most_out, graph.degree(v));
    info.most_in = std::max(info.most_in, graph.into().adjacency().degree(v));
  }
  return info;
}

report::LengthInfo describe_lengths(const Graph& graph) {
  const auto lengths = graph.adjacency().lengths;
  if (lengths.empty()) return {};
  const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
  const auto zeros = static_cast<std::uint64_t>(std::count(lengths.begin(), lengths.end(), 0u));
  return {.least = *least, .most = *most, .zeros = graph.is_directed() ? zeros : zeros / 2};
}

// As if its arcs went both ways.
Graph without_directions(const Graph& graph) {
  return build_graph(graph.order(), {arc_list(graph)}, graph.labels()).graph;
}

ExitCode run(const CommonOptions& options) {
  Session session("info", options,
                  options.estimate ? Session::Extent::sample : Session::Extent::whole);
  if (options.estimate) return print_info_estimate(session);
  const LoadWatch watch(options);
  const Graph& graph = session.whole();
  const Graph plain = options.directed ? without_directions(graph) : graph;
  report::InfoReport info =
      describe(plain, options.directed ? components(plain) : session.components());
  info.fingerprint = fingerprint(graph);
  if (options.directed) info.arcs = describe_arcs(graph);
  if (options.weighted) info.lengths = describe_lengths(graph);
  session.finish_phase("compute");
  session.print(info);
  return kExact;
}

}  // namespace

std::function<ExitCode()> configure_info(Command command) {
  auto options = std::make_shared<CommonOptions>();
  options->add_source_to(command, CommonOptions::Source::several);
  options->add_answer_to(command, CommonOptions::Source::several);
  options->add_directed_to(command);
  options->add_weighted_to(command);
  options->add_estimate_to(command);
  return [options] { return run_each(*options, "info", [&] { return run(*options); }); };
}

}  // namespace antipode::cli
