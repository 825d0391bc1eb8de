// antipode bfs, generate, convert, engines
#include <fmt/format.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "cli/columns.hpp"
#include "cli/estimate.hpp"
#include "cli/paths.hpp"
#include "cli/session.hpp"
#include "cli/several.hpp"

namespace antipode::cli {

namespace {

struct BfsOptions {
  CommonOptions common;
  std::string source, output;
  bool relaxed = false;
};

void write_distances(const BfsOptions& options, const Graph& graph, std::span<const Distance> row) {
  const std::string& path = options.output;
  const TableFormat format = output_format(options.common, path);
  if (format != TableFormat::none)
    return write_table(table_of(graph, {column_of(graph, "distance", row)}), path, format);
  std::vector<Distance> by_origin(graph.labels().count(), kUnreached);
  for (Vertex v = 0; v < graph.order(); ++v) by_origin[graph.origin(v)] = row[v];
  std::string text;
  for (Vertex at = 0; at < by_origin.size(); ++at)
    text += by_origin[at] == kUnreached
                ? fmt::format("{}\tinf\n", graph.labels().of(at))
                : fmt::format("{}\t{}\n", graph.labels().of(at), by_origin[at]);
  write_text(path, text);
}

void write_counts(const BfsOptions& options, const Graph& graph, const Relaxed& search) {
  const std::string& path = options.output;
  const TableFormat format = output_format(options.common, path);
  if (format != TableFormat::none)
    return write_table(table_of(graph, {column_of(graph, "in", search.in_counts),
                                        column_of(graph, "out", search.out_counts)}),
                       path, format);
  std::vector<std::string> by_origin(graph.labels().count());
  for (Vertex v = 0; v < graph.order(); ++v)
    by_origin[graph.origin(v)] =
        fmt::format("\t{}\t{}\n", search.in_counts[v], search.out_counts[v]);
  std::string text;
  for (Vertex at = 0; at < by_origin.size(); ++at) text += graph.labels().of(at) + by_origin[at];
  write_text(path, text);
}

// Penders' search without levels, which only an OpenCL device does.
ExitCode run_relaxed(const BfsOptions& options) {
  if (options.common.engine != "opencl")
    throw UsageError("--relaxed is a search on an OpenCL device: say --engine opencl");
  if (options.common.estimate || options.common.kernel != "auto")
    throw UsageError("--relaxed goes neither with --estimate nor with --kernel");
  if (options.common.weighted) throw UsageError("--relaxed goes only without --weighted");
  Session session("relaxed", options.common);
  check_output(options.common, session.whole(), options.output);
  report::RelaxedReport answer;
  answer.graph = reorder(session.whole_graph(), vertex_order(options.common.order));
  answer.source = source_vertex(answer.graph, options.source);
  LiveObserver observer("relaxed", options.common);
  const auto searches = make_edge_searches(options.common.device, answer.graph.order(),
                                           arc_list(answer.graph), [&] { return observer.stop(); });
  session.context().engine = "opencl";
  session.context().engine_detail =
      fmt::format("{} ({})", searches->device().name, searches->device().platform);
  session.finish_phase("prepare");
  answer.search = searches->relaxed(answer.source, {});
  session.finish_phase("compute");
  write_each({[&] {
                if (!options.output.empty()) write_counts(options, answer.graph, answer.search);
              },
              [&] { session.print(answer); }});
  return kExact;
}

ExitCode run_bfs(const BfsOptions& options) {
  if (options.relaxed) return run_relaxed(options);
  if (options.common.weighted)
    return run_path_search({.common = options.common, .certificate = {}, .output = options.output},
                           options.source);
  Session session("bfs", options.common,
                  options.common.estimate ? Session::Extent::sample : Session::Extent::whole);
  check_output(options.common, session.whole(), options.output);
  report::SearchReport answer;
  answer.graph = reorder(session.whole_graph(), vertex_order(options.common.order));
  const Vertex source = source_vertex(answer.graph, options.source);
  auto engine = session.engine_for(answer.graph);
  session.finish_phase("prepare");
  if (options.common.estimate) return print_one_search_estimate(session, *engine);
  engine->interrupt_when([&] { return is_stopped(options.common.time_limit); });
  answer.search = engine->search(source);
  session.context().engine_detail = engine->info().detail;  // it may have learnt something
  session.finish_phase("compute");
  const auto write = [&] {
    engine->distances(std::span(&source, 1), [&](Vertex, std::span<const Distance> row) {
      write_distances(options, answer.graph, row);
    });
    session.finish_phase("write");
  };
  write_each({[&] {
                if (!options.output.empty()) write();
              },
              [&] { session.print(answer); }});
  return kExact;
}

struct ConvertOptions {
  CommonOptions common;
  std::string target, to = "auto";
  bool largest = false;
};

ExitCode run_convert(const ConvertOptions& options) {
  if (options.common.json && options.target == "-" && !options.common.estimate)
    throw UsageError("the graph and --json would both go to standard output: name a file");
  if (options.common.estimate && options.common.has_paths())
    throw UsageError("--estimate goes neither with --weighted nor with --directed here");
  const bool whole = !options.largest && options.common.order == "as-read";
  if (options.common.estimate && whole && options.common.graph.starts_with("gen:"))
    return print_generating_estimate(options.common, options.target, options.to);
  Session session("convert", options.common,
                  options.common.estimate ? Session::Extent::sample : Session::Extent::whole);
  const Graph graph = whole ? session.whole()
                      : options.largest
                          ? session.largest_component()
                          : reorder(session.whole(), vertex_order(options.common.order));
  if (options.common.estimate)
    return print_writing_estimate(session, graph, options.target, options.to);
  const LoadWatch watch(options.common);
  for (const auto& text : write_graph(graph, options.target, options.to)) {
    say(fmt::format("warning: {}\n", text));
    session.context().notices.push_back(text);
  }
  if (session.context().lengths_dropped)
    say("warning: lengths are not written: every edge has length 1\n");
  if (session.context().directions_dropped)
    say("warning: directions are not written: edges go both ways\n");
  session.finish_phase("write");
  session.context().used_vertices = graph.order();
  session.context().used_edges = graph.size();
  if (options.common.json) {
    session.print(report::WrittenReport{options.target});
    return kExact;
  }
  if (options.target != "-" && !options.common.quiet)
    say(fmt::format("{}: {} vertices, {} edges\n", options.target, graph.order(), graph.size()));
  return kExact;
}

std::function<ExitCode()> configure_writing(Command command, CommonOptions::Source source) {
  auto options = std::make_shared<ConvertOptions>();
  options->common.add_source_to(command, source);
  options->common.add_answer_to(command);
  options->common.add_order_to(command);
  options->common.add_estimate_to(command);
  command.add_flag("--weighted", options->common.weighted, "with the lengths of edges");
  command.add_flag("--directed", options->common.directed,
                   "arcs, from the first vertex to the second");
  add_target(command, "target", options->target, "the file to write, - for standard output")
      .required();
  command
      .add_option("--to", options->to,
                  "format: apg, snap, mtx or egr; by default from the file's name")
      .suggest({"auto", "apg", "snap", "mtx", "egr"});
  command.add_flag("--largest", options->largest, "write the largest component alone");
  return [options, source] {
    if (source == CommonOptions::Source::generated && !options->common.graph.starts_with("gen:"))
      throw UsageError(fmt::format("{} is no gen: graph; 'antipode convert' reads files",
                                   options->common.graph));
    return run_convert(*options);
  };
}

std::string list_generators() {
  std::string text = "\nGenerators:\n";
  for (const Generator& generator : generators())
    text += fmt::format("  gen:{:<10} {:<27} {}\n", generator.kind, generator.parameters,
                        generator.summary);
  return text +
         "\nAll take lengths=LEAST..MOST, whole numbers by a hash of the seed and the ends; and\n"
         "directed, which makes arcs of the edges: as they are generated, turned round at random "
         "in\n"
         "the random kinds, and one street in four of a road network.\n";
}

std::string list_formats() {
  std::string text = "\nFormats:\n";
  for (const Format& format : formats())
    text += fmt::format("  {:<8} {:<16} {}{}\n", format.name, format.endings, format.summary,
                        format.writable ? " (read, write)" : " (read)");
  return text;
}

}  // namespace

std::function<ExitCode()> configure_bfs(Command command) {
  auto options = std::make_shared<BfsOptions>();
  options->common.add_to(command, CommonOptions::Source::several);
  options->common.add_directed_to(command);
  options->common.add_weighted_to(command);
  options->common.add_disconnected_to(command, {"reachable", "error"});
  options->common.add_estimate_to(command);
  command.add_option("--source", options->source,
                     "the vertex to search from, by its label; by default one of highest degree");
  add_target(command, "--output", options->output,
             "write 'vertex distance' for every vertex; with --relaxed 'vertex in out', edges "
             "passed at it");
  command.add_flag("--relaxed", options->relaxed,
                   "without levels, on an OpenCL device: who is reached, and no distances");
  options->common.add_path_to(command);
  return [=] {
    if (!options->common.weighted) refuse_given({*command.find("--path")}, "--weighted");
    return run_each(options->common, options->relaxed ? "relaxed" : "bfs",
                    [&] { return run_bfs(*options); });
  };
}

std::function<ExitCode()> configure_generate(Command command) {
  command.add_footer(list_generators());
  return configure_writing(command, CommonOptions::Source::generated);
}

std::function<ExitCode()> configure_convert(Command command) {
  command.add_footer(list_formats());
  return configure_writing(command, CommonOptions::Source::any);
}

std::function<ExitCode()> configure_engines(Command command) {
  auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "answer in JSON");
  return [json] {
    const report::Style style = *json ? report::Style::json : report::Style::text;
    print_answer(report::render(engines(), style), style);
    return kExact;
  };
}

}  // namespace antipode::cli
