#include "cli/paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "antipode/path_measures.hpp"
#include "cli/columns.hpp"
#include "cli/estimate.hpp"
#include "report/paths.hpp"

namespace antipode::cli {

void say_no_proof(const PathOptions& options, const char* reason) {
  if (!options.certificate.empty()) say(fmt::format("no certificate is written: {}\n", reason));
}

Length longest_possible(const Graph& graph) {
  if (graph.order() == 0) return 0;
  Length longest = graph.has_lengths() ? 0 : 1;
  for (const Length length : graph.adjacency().lengths) longest = std::max(longest, length);
  return (graph.order() - 1) * longest;
}

std::vector<Vertex> in_file_order(const Graph& graph) {
  std::vector<Vertex> vertices(graph.order());
  std::iota(vertices.begin(), vertices.end(), Vertex{0});
  std::sort(vertices.begin(), vertices.end(),
            [&](Vertex a, Vertex b) { return graph.origin(a) < graph.origin(b); });
  return vertices;
}

Vertex source_vertex(const Graph& graph, const std::string& label) {
  if (graph.order() == 0) throw UsageError("the graph has no vertices to search from");
  if (label.empty()) {
    Vertex hub = 0;
    for (Vertex v = 1; v < graph.order(); ++v)
      if (graph.degree(v) > graph.degree(hub)) hub = v;
    return hub;
  }
  const Vertex source = graph.find(label);
  if (source == kNoVertex) throw UsageError("the graph has no vertex '" + printable(label) + "'");
  return source;
}

namespace {

void write_row(const PathOptions& options, const Graph& graph, std::span<const Length> row) {
  const std::string& path = options.output;
  const TableFormat format = output_format(options.common, path);
  if (format != TableFormat::none)
    return write_table(table_of(graph, {column_of(graph, "distance", row)}), path, format);
  write_text(
      path, vertex_lines(
                graph,
                [&](Vertex v) { return row[v] == kNoPath ? "inf" : to_text(row[v], graph.unit()); },
                "inf"));
}

}  // namespace

ExitCode run_path_search(const PathOptions& options, const std::string& from) {
  Session session("bfs", options.common,
                  options.common.estimate ? Session::Extent::sample : Session::Extent::whole);
  check_output(options.common, session.whole(), options.output);
  report::PathSearchReport answer;
  answer.graph = reorder(session.whole_graph(), vertex_order(options.common.order));
  const Vertex source = source_vertex(answer.graph, from);
  const auto engine = session.path_engine_for(answer.graph);
  answer.distances.resize(answer.graph.order());
  session.finish_phase("prepare");
  if (options.common.estimate) return print_one_path_search_estimate(session, *engine);
  engine->interrupt_when([&] { return is_stopped(options.common.time_limit); });
  answer.search = engine->search(source, Along::arcs, answer.distances);
  session.finish_phase("compute");
  const Vertex farthest = answer.search.farthest;
  answer.witness = {source, farthest,
                    shortest_path(answer.graph, source, answer.distances, farthest)};
  write_each({[&] {
                if (options.output.empty()) return;
                write_row(options, answer.graph, answer.distances);
                session.finish_phase("write");
              },
              [&] { session.print(answer); }});
  return kExact;
}

}  // namespace antipode::cli
