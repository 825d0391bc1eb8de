// antipode golf: evaluate and bound; search is in golf_search.cpp.
#include "cli/golf.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "antipode/io.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

report::Style style_of(bool json) { return json ? report::Style::json : report::Style::text; }

void check_degree(const std::string& file, Vertex most, Vertex allowed, const std::string& where) {
  if (allowed != 0 && most > allowed)
    throw InputError(file, fmt::format("vertex {} has degree {}, and at most {} is allowed", where,
                                       most, allowed));
}

namespace {

bool has_bounds(Vertex order, Vertex degree) {
  return order == 1 || degree >= 2 || (order == 2 && degree == 1);
}

}  // namespace

report::GolfReport to_report(const golf::Part& part, const golf::PartScore& score,
                             const std::string& file, Vertex degree) {
  report::GolfReport answer;
  answer.file = file;
  answer.order = part.order;
  answer.degree = degree;
  answer.part = part.size;
  answer.connected = score.unreached == 0;
  answer.diameter = score.diameter;
  answer.average = golf::average_of(part, score);
  if (has_bounds(part.order, degree)) answer.bounds = golf::moore_bounds(part.order, degree);
  return answer;
}

void add_memory_limit(Command command, std::uint64_t& bytes) {
  command.add_option("--memory-limit", bytes, "bytes (k, M, G understood); more is refused")
      .in_bytes();
}

namespace {

struct EvaluateOptions {
  std::string file, engine = "auto", expand;
  Vertex degree = 0;
  unsigned threads = 0;
  std::uint64_t memory_limit = 0;
  bool json = false;
};

struct BoundOptions {
  Vertex order = 0, degree = 0;
  bool json = false;
};

void write_edges(const Graph& graph, const std::string& path) {
  std::string text;
  for (Vertex v = 0; v < graph.order(); ++v)
    for (const Vertex u : graph.neighbors(v))
      if (u > v) text += fmt::format("{} {}\n", v, u);
  write_text(path, text);
}

report::GolfReport evaluate(const golf::Part& part, const EvaluateOptions& options) {
  if (options.engine != "auto" && options.engine != "cpu")
    throw UsageError(fmt::format("{} is a part, which the cpu engine evaluates: leave --engine out",
                                 options.file));
  const auto degrees = part.degrees();
  const auto most = std::max_element(degrees.begin(), degrees.end());
  check_degree(options.file, *most, options.degree,
               fmt::format("{} of the part", most - degrees.begin()));
  if (!options.expand.empty()) write_edges(to_graph(part), options.expand);
  return to_report(part, golf::make_part_engine("cpu", options.threads)->evaluate(part),
                   options.file, options.degree != 0 ? options.degree : *most);
}

report::GolfReport evaluate(const LoadedGraph& loaded, const EvaluateOptions& options) {
  const Graph& graph = loaded.graph;
  if (graph.order() == 0)
    throw InputError(options.file, "a graph without vertices has no distances");
  Vertex hub = 0;
  for (Vertex v = 1; v < graph.order(); ++v)
    if (graph.degree(v) > graph.degree(hub)) hub = v;
  check_degree(options.file, graph.degree(hub), options.degree, graph.label(hub));
  if (!options.expand.empty()) write_edges(graph, options.expand);
  LiveObserver observer("average", {});
  const auto engine = make_engine(options.engine, graph, {.threads = options.threads});
  const Average all = average(*engine, 0, 1, observer);
  if (!all.finished) throw Interrupted();
  report::GolfReport answer;
  answer.dropped = {.loops = loaded.loops,
                    .repeats = loaded.repeats,
                    .lengths_dropped = loaded.lengths_dropped,
                    .directions_dropped = loaded.directions_dropped};
  answer.file = options.file;
  answer.order = graph.order();
  answer.degree = options.degree != 0 ? options.degree : graph.degree(hub);
  answer.connected = all.unreachable == 0;
  answer.diameter = all.diameter();
  answer.average = {all.sum, std::max<std::uint64_t>(1, all.reachable)};
  if (answer.connected && has_bounds(answer.order, answer.degree))
    answer.bounds = golf::moore_bounds(answer.order, answer.degree);
  return answer;
}

ExitCode run_evaluate(const EvaluateOptions& options) {
  catch_interrupts();
  set_memory_limit(options.memory_limit);
  const LoadWatch watch({});
  set_threads(options.threads);
  const LoadedGraph loaded = load_graph(options.file);
  const golf::Part* const part = loaded.graph.part();
  print_answer(
      report::render(part != nullptr ? evaluate(*part, options) : evaluate(loaded, options),
                     style_of(options.json)),
      style_of(options.json));
  return kExact;
}

ExitCode run_bound(const BoundOptions& options) {
  print_answer(
      report::render(options.order, options.degree,
                     golf::moore_bounds(options.order, options.degree), style_of(options.json)),
      style_of(options.json));
  return kExact;
}

void configure_evaluate(Command command, const Chosen& chosen) {
  Command sub;
  auto evaluate = add_golf_verb<EvaluateOptions>(
      command, "evaluate",
      "diameter and average distance of a graph or part file, and how far they are from the bounds",
      chosen, run_evaluate, sub);
  add_source(sub, "file", evaluate->file, "a part file, .edges, or any graph").required();
  sub.add_option("--degree", evaluate->degree,
                 "the degree allowed; by default the largest there is");
  add_target(sub, "--expand", evaluate->expand, "write all edges, 0-based, one a line");
  sub.add_option("--engine", evaluate->engine, "for graphs that are no parts").show_default();
  sub.add_option("--threads", evaluate->threads, "threads to use; 0: one per core")
      .between(0u, 4096u);
  add_memory_limit(sub, evaluate->memory_limit);
  sub.add_flag("--json", evaluate->json, "answer in JSON");
}

void configure_bound(Command command, const Chosen& chosen) {
  Command sub;
  auto bound = add_golf_verb<BoundOptions>(
      command, "bound", "what no graph of this order and degree can beat", chosen, run_bound, sub);
  sub.add_option("order", bound->order, "vertices").required().positive();
  sub.add_option("degree", bound->degree, "edges at each").required();
  sub.add_flag("--json", bound->json, "answer in JSON");
}

}  // namespace

std::function<ExitCode()> configure_golf(Command command) {
  command.require_command();
  auto chosen = std::make_shared<std::function<ExitCode()>>();
  configure_evaluate(command, chosen);
  configure_bound(command, chosen);
  configure_golf_search(command, chosen);
  return [chosen] { return (*chosen)(); };
}

}  // namespace antipode::cli
