// antipode average
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/checkpoint.hpp"
#include "cli/estimate.hpp"
#include "cli/session.hpp"
#include "cli/several.hpp"

namespace antipode::cli {

namespace {

struct Options {
  CommonOptions common;
  CheckpointOptions checkpoint;
  std::size_t samples = 0;
  bool distribution = false;
  Option distribution_option;
};

ExitCode run_paths(const Options& options, Session& session) {
  report::PathAverageReport answer;
  const Graph graph = session.asked_graph();
  answer.order = graph.order();
  answer.undefined = graph.order() == 0;
  std::optional<CheckpointFile> checkpoint;
  if (!answer.undefined) {
    const auto engine = session.path_engine_for(graph);
    const PathAverageOptions measure{
        .samples = options.samples < graph.order() ? options.samples : 0,
        .seed = options.common.seed,
        .spread = options.distribution ? Spread::distribution : Spread::none};
    session.finish_phase("prepare");
    if (options.checkpoint.estimate) {
      CheckpointStore no_checkpoint;
      return print_estimate(
          session, measure.samples == 0 ? graph.order() : measure.samples,
          [&](Observer& trial) { average(*engine, measure, trial, no_checkpoint); },
          [&] { return seconds_of_source(*engine); });
    }
    LiveObserver observer("average", options.common);
    checkpoint.emplace(options.checkpoint,
                       fmt::format("average with lengths{}, {} samples, seed {},",
                                   options.distribution ? " and distribution" : "", measure.samples,
                                   measure.samples == 0 ? 0 : measure.seed),
                       graph);
    answer.average = average(*engine, measure, observer, *checkpoint);
    session.context().resumed = options.checkpoint.resumed_from();
  }
  session.finish_phase("compute");
  session.print(answer);
  if (checkpoint && answer.average.finished) checkpoint->remove();
  return answer.undefined || answer.average.finished ? kExact : kStoppedEarly;
}

ExitCode run(const Options& options) {
  if (!options.common.weighted)
    refuse_given({options.distribution_option}, "--weighted: without it there is one anyway");
  Session session("average", options.common,
                  options.checkpoint.estimate ? Session::Extent::sample : Session::Extent::whole);
  if (options.common.weighted) return run_paths(options, session);
  report::AverageReport answer;
  const Graph graph = session.asked_graph();
  answer.order = graph.order();
  answer.undefined = graph.order() == 0;
  std::optional<CheckpointFile> checkpoint;
  if (!answer.undefined) {
    const auto engine = session.engine_for(graph);
    const std::size_t samples =
        options.samples < graph.order() ? options.samples : 0;  // a sample of everybody is none
    session.finish_phase("prepare");
    if (options.checkpoint.estimate) {
      const std::uint64_t sources = samples == 0 ? sources_of_average(*engine) : samples;
      return print_estimate(
          session, sources,
          [&](Observer& trial) { average(*engine, samples, options.common.seed, trial); },
          [&] { return seconds_of_source(*engine); });
    }
    LiveObserver observer("average", options.common);
    std::string question =
        fmt::format("average, {} samples, seed {},", samples, options.common.seed);
    if (samples == 0 && !options.checkpoint.file.empty())
      question = fmt::format("average from {} sources by weight", sources_of_average(*engine));
    checkpoint.emplace(options.checkpoint, question, graph);
    answer.average = average(*engine, samples, options.common.seed, observer, *checkpoint);
    session.context().resumed = options.checkpoint.resumed_from();
  }
  session.finish_phase("compute");
  session.print(answer);
  if (checkpoint && answer.average.finished) checkpoint->remove();
  return answer.undefined || answer.average.finished ? kExact : kStoppedEarly;
}

}  // namespace

std::function<ExitCode()> configure_average(Command command) {
  auto options = std::make_shared<Options>();
  options->common.add_to(command, CommonOptions::Source::several);
  options->common.draws = true;
  options->common.add_directed_to(command);
  options->common.add_weighted_to(command);
  options->common.add_disconnected_to(command, {"reachable", "largest", "error"});
  command
      .add_option("--samples", options->samples,
                  "an estimate from so many sources, with a confidence interval; 0: exact")
      .show_default();
  options->distribution_option =
      command.add_flag("--distribution", options->distribution,
                       "with --weighted: variance, median and all distances in bins, too; takes "
                       "several times as long");
  options->checkpoint.add_to(command);
  return [options] { return run_each(options->common, "average", [&] { return run(*options); }); };
}

}  // namespace antipode::cli
