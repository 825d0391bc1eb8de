// antipode closeness
#include <fmt/format.h>

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
  bool harmonic = false, unscaled = false;
  std::size_t top = 0;
  std::string output;
};

constexpr std::size_t kShown = 10;

std::vector<double> values_of(const Closeness& all, const Options& options) {
  std::vector<double> values;
  for (Vertex v = 0; v < all.sums.sources.size(); ++v)
    values.push_back(options.harmonic ? all.harmonic(v) : all.closeness(v, !options.unscaled));
  return values;
}

// In a connected graph the nearest ones can be had without searching from everybody.
bool can_prune(const Options& options, const Session& session) {
  return options.top > 0 && options.output.empty() && !options.harmonic &&
         !options.common.has_paths() &&
         (session.is_connected() || options.common.disconnected == "largest") &&
         options.checkpoint.file.empty();
}

void by_pruning(const Options& options, Engine& engine, Observer& observer,
                report::ClosenessReport& answer) {
  const MostCentral found = most_central(engine, options.top, observer);
  answer.searches = found.searches;
  answer.finished = found.finished;
  if (!found.finished) return;
  for (const Central& each : found.vertices)
    answer.ranking.push_back({each.vertex, each.distance_sum == 0
                                               ? 0
                                               : (engine.graph().order() - 1.0) /
                                                     static_cast<double>(each.distance_sum)});
}

ClosenessFormula formula_of(const Options& options) {
  if (options.harmonic) return ClosenessFormula::harmonic;
  return options.unscaled ? ClosenessFormula::classic : ClosenessFormula::wasserman_faust;
}

// Values of all vertices, if it finishes. The estimate is printed instead where it is asked for.
std::optional<ExitCode> by_paths(const Options& options, Session& session,
                                 CheckpointStore& checkpoint, report::ClosenessReport& answer,
                                 std::vector<double>& values) {
  const auto engine = session.path_engine_for(answer.graph);
  const ClosenessFormula formula = formula_of(options);
  session.finish_phase("prepare");
  if (options.checkpoint.estimate) {
    CheckpointStore no_checkpoint;
    return print_estimate(
        session, answer.graph.order(),
        [&](Observer& trial) { closeness(*engine, formula, trial, no_checkpoint); },
        [&] { return seconds_of_source(*engine); });
  }
  LiveObserver observer("closeness", options.common);
  const PathCloseness all = closeness(*engine, formula, observer, checkpoint);
  answer.searches = all.sources();
  answer.finished = all.finished;
  for (Vertex v = 0; all.finished && v < all.order; ++v) values.push_back(all.value(v));
  return std::nullopt;
}

std::optional<ExitCode> by_edges(const Options& options, Session& session,
                                 CheckpointStore& checkpoint, report::ClosenessReport& answer,
                                 std::vector<double>& values) {
  // What a vertex receives there is how far it is from the others here.
  const auto engine = session.engine_for(answer.graph.transpose());
  session.finish_phase("prepare");
  if (options.checkpoint.estimate) {
    if (can_prune(options, session))
      throw UsageError(
          "how many searches --top spares is not known before: leave one of --top and --estimate "
          "out");
    CheckpointStore no_checkpoint;
    return print_estimate(
        session, answer.graph.order(),
        [&](Observer& trial) { closeness(*engine, trial, no_checkpoint); },
        [&] { return seconds_of_source(*engine); });
  }
  LiveObserver observer("closeness", options.common);
  if (can_prune(options, session)) {
    by_pruning(options, *engine, observer, answer);
    return std::nullopt;
  }
  const Closeness all = closeness(*engine, observer, checkpoint);
  answer.searches = all.sources;
  answer.finished = all.finished;
  if (all.finished) values = values_of(all, options);
  return std::nullopt;
}

void write_values(const Options& options, const Graph& graph, const std::vector<double>& values) {
  const TableFormat format = output_format(options.common, options.output);
  if (format != TableFormat::none)
    return write_table(
        table_of(graph, {column_of(graph, options.harmonic ? "harmonic" : "closeness", values)}),
        options.output, format);
  write_text(options.output,
             vertex_lines(graph, [&](Vertex v) { return fmt::format("{}", values[v]); }));
}

ExitCode run(const Options& options) {
  Session session("closeness", options.common,
                  options.checkpoint.estimate ? Session::Extent::sample : Session::Extent::whole);
  report::ClosenessReport answer;
  answer.graph = session.asked_graph();
  check_output(options.common, session.whole(), options.output);
  answer.formula = options.harmonic ? "harmonic" : options.unscaled ? "classic" : "wasserman-faust";
  CheckpointFile checkpoint(options.checkpoint,
                            !options.common.weighted ? "closeness"
                            : options.harmonic       ? "harmonic closeness with lengths"
                                                     : "closeness with lengths",
                            answer.graph);
  refuse_entries(options.common, std::min<std::uint64_t>(options.top, answer.graph.order()));
  std::vector<double> values;
  if (answer.graph.order() > 0) {
    const auto search = options.common.weighted ? by_paths : by_edges;
    if (const auto code = search(options, session, checkpoint, answer, values)) return *code;
    if (!can_prune(options, session)) {
      session.context().resumed = options.checkpoint.resumed_from();
      answer.ranking = report::highest(values, options.top == 0 ? kShown : options.top);
    }
  }
  session.finish_phase("compute");
  if (!answer.finished) session.context().unwritten = options.output;
  write_each({[&] { session.print(answer); },
              [&] {
                if (answer.finished && !options.output.empty())
                  write_values(options, answer.graph, values);
              }});
  if (!answer.finished) return kStoppedEarly;
  checkpoint.remove();
  return kExact;
}

}  // namespace

std::function<ExitCode()> configure_closeness(Command command) {
  auto options = std::make_shared<Options>();
  options->common.add_to(command, CommonOptions::Source::several);
  options->common.add_directed_to(command);
  options->common.add_weighted_to(command);
  options->common.add_disconnected_to(command, {"reachable", "largest", "error"});
  command.add_flag("--harmonic", options->harmonic, "the sum of 1 / distance instead");
  command.add_flag("--unscaled", options->unscaled,
                   "not scaled by the share of the vertices that is reached (Wasserman and Faust)");
  command.add_option(
      "--top", options->top,
      "so many of the nearest vertices; in a connected graph found without searching from all");
  add_target(command, "--output", options->output,
             "write 'vertex closeness' for every vertex; nan outside the component asked about");
  options->checkpoint.add_to(command);
  return
      [options] { return run_each(options->common, "closeness", [&] { return run(*options); }); };
}

}  // namespace antipode::cli
