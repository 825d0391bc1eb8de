// antipode betweenness
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "antipode/path_averages.hpp"
#include "cli/checkpoint.hpp"
#include "cli/columns.hpp"
#include "cli/estimate.hpp"
#include "cli/session.hpp"
#include "cli/several.hpp"

namespace antipode::cli {

namespace {

struct Options {
  CommonOptions common;
  CheckpointOptions checkpoint;
  BetweennessOptions measure;
  bool normalized = false;
  double epsilon = 0, delta = 0.1;  // epsilon 0: no guarantee is asked for
  std::size_t top = 10;
  std::string output;
};

// NetworkX's: divided by the number of pairs of others, or of all pairs for edges; pairs are
// ordered where edges are.
double normalization(const Options& options, Vertex order) {
  const double n = order, ways = options.common.directed ? 1 : 2,
               pairs = (options.measure.edges ? n * (n - 1) : (n - 1) * (n - 2)) / ways;
  return options.normalized && pairs > 0 ? 1 / pairs : 1;
}

Table edge_table(const Graph& graph, const std::vector<Betweenness::EdgeValue>& edges) {
  LabelColumn from, to;
  std::vector<double> values;
  for (const auto& [edge, value] : edges) {
    from.vertices.push_back(graph.origin(edge.from));
    to.vertices.push_back(graph.origin(edge.to));
    values.push_back(value);
  }
  Table table{.labels = graph.labels(), .unit = {}, .columns = {}};
  table.columns.push_back({"from", std::move(from)});
  table.columns.push_back({"to", std::move(to)});
  table.columns.push_back({"betweenness", std::move(values)});
  return table;
}

void write_all(const Options& options, const Graph& graph,
               const report::BetweennessReport& answer) {
  const TableFormat format = output_format(options.common, options.output);
  if (format != TableFormat::none)
    return write_table(
        options.measure.edges
            ? edge_table(graph, answer.betweenness.edges)
            : table_of(graph, {column_of(graph, "betweenness", answer.betweenness.vertices)}),
        options.output, format);
  std::string text;
  if (options.measure.edges) {
    for (const auto& [edge, value] : answer.betweenness.edges)
      text += fmt::format("{}\t{}\t{}\n", graph.label(edge.from), graph.label(edge.to), value);
  } else {
    text = vertex_lines(
        graph, [&](Vertex v) { return fmt::format("{}", answer.betweenness.vertices[v]); });
  }
  write_text(options.output, text);
}

// With a guarantee, the number of sources follows from it, and values are normalized: it is about
// those.
void sample_for_guarantee(Options& options, const Graph& graph) {
  if (options.epsilon == 0) return;
  if (options.measure.samples > 0)
    throw UsageError(
        "how many sources --epsilon takes is computed: leave one of --samples and --epsilon out");
  const std::size_t wanted = sources_for(options.epsilon, options.delta, graph.order(),
                                         options.measure.edges ? graph.size() : graph.order());
  if (wanted < graph.order()) options.measure.samples = wanted;
  options.normalized = true;
}

// The estimate is printed instead where it is asked for.
template <class AnyEngine>
std::optional<ExitCode> by_engine(const Options& options, Session& session, AnyEngine& engine,
                                  const Core& core, CheckpointStore& checkpoint,
                                  report::BetweennessReport& answer) {
  session.finish_phase("prepare");
  if (options.checkpoint.estimate) {
    CheckpointStore no_checkpoint;
    const auto sources = options.measure.samples == 0
                             ? core.graph.order()
                             : std::min<std::uint64_t>(options.measure.samples, core.graph.order());
    constexpr double kSweeps = 6;  // forwards and backwards, for counts of paths
    return print_estimate(
        session, sources,
        [&](Observer& trial) { betweenness(engine, core, options.measure, trial, no_checkpoint); },
        [&] { return kSweeps * seconds_of_source(engine); });
  }
  LiveObserver observer("betweenness", options.common);
  answer.betweenness = betweenness(engine, core, options.measure, observer, checkpoint);
  return std::nullopt;
}

std::optional<ExitCode> by_edges(const Options& options, Session& session, const Core& core,
                                 CheckpointStore& checkpoint, report::BetweennessReport& answer) {
  return by_engine(options, session, *session.engine_for(core.graph), core, checkpoint, answer);
}

std::optional<ExitCode> by_paths(const Options& options, Session& session, const Core& core,
                                 CheckpointStore& checkpoint, report::BetweennessReport& answer) {
  return by_engine(options, session, *session.path_engine_for(core.graph), core, checkpoint,
                   answer);
}

// Pendant trees would hide such an edge.
void require_positive_lengths(const Graph& graph) {
  const auto zero = zero_edge(graph);
  if (!zero) return;
  throw UsageError(fmt::format(
      "shortest paths cannot be counted where an edge has length 0, such as {} {} {}: make one "
      "vertex of the ends of such edges first",
      graph.label(zero->from), graph.is_directed() ? "→" : "–", graph.label(zero->to)));
}

ExitCode run(const Options& asked) {
  Options options = asked;
  Session session("betweenness", asked.common,  // which counts the answers printed
                  options.checkpoint.estimate ? Session::Extent::sample : Session::Extent::whole);
  report::BetweennessReport answer;
  const Graph& graph = answer.graph = session.asked_graph();
  check_output(options.common, session.whole(), options.output);
  require_positive_lengths(graph);
  sample_for_guarantee(options, graph);
  answer.edges = options.measure.edges;
  answer.normalized = options.normalized;
  if (options.epsilon > 0) answer.guarantee = {options.epsilon, options.delta};
  answer.top = options.top;
  CheckpointFile checkpoint(options.checkpoint,
                            fmt::format("betweenness{}{} in two strata, {} samples, seed {},",
                                        options.common.weighted ? " with lengths" : "",
                                        options.measure.edges ? " of edges" : "",
                                        options.measure.samples, options.measure.seed),
                            graph);
  refuse_entries(
      options.common,
      std::min<std::uint64_t>(options.top, options.measure.edges ? graph.size() : graph.order()));
  if (graph.order() > 0) {
    // A sample is one of all vertices, so nothing is folded away then; and what hangs on an arc may
    // not get back.
    const Core core = options.measure.samples > 0 || graph.is_directed() ? without_folding(graph)
                                                                         : core_of(graph);
    const auto search = options.common.weighted ? by_paths : by_edges;
    if (const auto code = search(options, session, core, checkpoint, answer)) return *code;
    session.context().resumed = options.checkpoint.resumed_from();
    const double factor = normalization(options, graph.order());
    for (double& value : answer.betweenness.vertices) value *= factor;
    for (auto& each : answer.betweenness.edges) each.value *= factor;
  } else {
    answer.betweenness.finished = true;
  }
  session.finish_phase("compute");
  const bool finished = answer.betweenness.finished, has_output = !options.output.empty();
  if (!finished) session.context().unwritten = options.output;
  write_each({[&] { session.print(answer); },
              [&] {
                if (finished && has_output) write_all(options, graph, answer);
              }});
  if (!finished) return kStoppedEarly;
  checkpoint.remove();
  return kExact;
}

}  // namespace

std::function<ExitCode()> configure_betweenness(Command command) {
  auto options = std::make_shared<Options>();
  options->common.add_to(command, CommonOptions::Source::several);
  options->common.draws = true;
  options->common.add_directed_to(command);
  options->common.add_weighted_to(command);
  options->common.add_disconnected_to(command, {"reachable", "largest", "error"});
  command.add_flag("--edges", options->measure.edges, "of edges instead of vertices");
  command
      .add_option("--samples", options->measure.samples,
                  "an estimate from so many sources, scaled up; 0: exact")
      .show_default();
  const Option epsilon =
      command.add_option("--epsilon", options->epsilon,
                         "from as many sources as put every normalized value within this of the "
                         "exact one, unless something of probability --delta happens");
  epsilon.between(1e-9, 1.0);
  command.add_option("--delta", options->delta, "with --epsilon")
      .between(1e-12, 1.0)
      .needs(epsilon)
      .show_default();
  command.add_flag("--normalized", options->normalized, "divided by the number of pairs");
  command.add_option("--top", options->top, "so many are printed").show_default();
  add_target(
      command, "--output", options->output,
      "write 'vertex betweenness' for every vertex (nan outside the component asked about), or "
      "'from to betweenness', one a line");
  options->checkpoint.add_to(command);
  return [options] {
    options->measure.seed = options->common.seed;
    return run_each(options->common, "betweenness", [&] { return run(*options); });
  };
}

}  // namespace antipode::cli
