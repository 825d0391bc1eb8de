// antipode radius, center, periphery, eccentricity
#include <fmt/format.h>

#include <algorithm>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "cli/checkpoint.hpp"
#include "cli/columns.hpp"
#include "cli/estimate.hpp"
#include "cli/paths.hpp"
#include "cli/session.hpp"
#include "cli/several.hpp"

namespace antipode::cli {

namespace {

struct Options {
  CommonOptions common;
  CheckpointOptions checkpoint;  // of eccentricity alone
  std::string certificate, output;
};

// The vertex sets, and a vertex at which the value is attained.
void complete(report::EccentricityReport& answer, Engine& engine) {
  const auto& e = answer.eccentricities;
  const bool minimum = answer.question == Question::radius || answer.question == Question::center;
  const Distance value = minimum ? e.radius_upper() : e.diameter_lower();
  const auto& attained = minimum ? e.upper : e.lower;
  for (const Vertex v : in_file_order(answer.graph))
    if (attained[v] == value) answer.members.push_back(v);
  answer.witness = farthest_path(engine, answer.members.front());
}

void write_output(const report::EccentricityReport& answer, const Options& options) {
  const std::string& path = options.output;
  const TableFormat format = output_format(options.common, path);
  if (format != TableFormat::none)
    return write_table(answer.question == Question::eccentricity
                           ? table_of(answer.graph, {column_of(answer.graph, "eccentricity",
                                                               answer.eccentricities.lower)})
                           : table_of(answer.graph, answer.members),
                       path, format);
  std::string text;
  if (answer.question == Question::eccentricity) {
    text = vertex_lines(
        answer.graph, [&](Vertex v) { return fmt::format("{}", answer.eccentricities.lower[v]); });
  } else {
    for (const Vertex v : answer.members) text += answer.graph.label(v) + "\n";
  }
  write_text(path, text);
}

ExitCode run(Question question, const Options& options) {
  const bool estimates = options.common.estimate || options.checkpoint.estimate;
  Session session(report::question_name(question), options.common,
                  estimates ? Session::Extent::sample : Session::Extent::whole);
  report::EccentricityReport answer;
  answer.question = question;
  check_output(options.common, session.whole(), options.output);
  answer.undefined = session.whole().order() == 0;
  if (answer.undefined) {
    answer.graph = session.whole();
    write_each({[&] { session.print(answer); },
                [&] {
                  if (!options.output.empty()) write_output(answer, options);
                }});
    return kExact;
  }
  answer.graph = session.largest_component(!options.certificate.empty());
  auto engine = session.engine_for(answer.graph);
  session.finish_phase("prepare");
  if (options.common.estimate || options.checkpoint.estimate) {
    CheckpointStore no_checkpoint;
    return print_search_estimate(
        session, *engine, most_sources(*engine, question),
        [&](Observer& trial) { eccentricities(*engine, question, trial, no_checkpoint); });
  }
  CheckpointFile checkpoint(options.checkpoint, report::question_name(question), answer.graph);
  {
    LiveObserver observer(report::question_name(question), options.common);
    answer.eccentricities = eccentricities(*engine, question, observer, checkpoint);
    session.context().resumed = options.checkpoint.resumed_from();
  }
  const bool exact = answer.eccentricities.exact;
  if (exact) complete(answer, *engine);
  session.finish_phase("compute");
  if (question == Question::periphery || question == Question::eccentricity)
    session.look_elsewhere(answer.eccentricities.diameter_lower(),
                           answer.eccentricities.diameter_upper());
  std::string proof;
  const bool proves = exact && !options.certificate.empty();
  if (proves)
    proof = session.proof(*engine, options.certificate, [&] {
      return certify(*engine, session.whole(), question, answer.eccentricities);
    });
  if (!exact && !options.certificate.empty())
    say("no certificate is written: the answer is not proved yet\n");
  if (!exact) session.context().unwritten = options.output;
  write_each({[&] { session.print(answer); },
              [&] {
                if (!proof.empty()) write_text(options.certificate, proof);
              },
              [&] {
                if (exact && !options.output.empty()) write_output(answer, options);
              }});
  if (exact) checkpoint.remove();
  return exact && proves == !proof.empty() ? kExact : kStoppedEarly;
}

std::function<ExitCode()> configure(Command command, Question question) {
  auto options = std::make_shared<Options>();
  options->common.add_to(command, CommonOptions::Source::several);
  options->common.add_directed_to(command);
  options->common.add_weighted_to(command);
  options->common.add_path_to(command);
  add_target(command, "--certificate", options->certificate,
             "write a proof that 'antipode verify' checks");
  if (question == Question::eccentricity) {
    options->common.add_disconnected_to(command, {"largest", "error"},
                                        {"reachable", "largest", "error"});
    add_target(command, "--output", options->output,
               "write 'vertex eccentricity' for every vertex, with --directed 'vertex out in'; nan "
               "outside the component asked about");
    options->checkpoint.add_to(command);
  } else {
    options->common.add_disconnected_to(command, {"largest", "error"},
                                        {"reachable", "largest", "error"});
    options->common.add_estimate_to(command);
  }
  if (question == Question::center || question == Question::periphery)
    add_target(command, "--output", options->output, "write the vertices, one a line");
  return [options, question] {
    options->common.fit_policy();
    return run_each(options->common, report::question_name(question), [&] {
      if (!options->common.has_paths()) return run(question, *options);
      const PathOptions paths{.common = options->common,
                              .certificate = options->certificate,
                              .output = options->output};
      return question == Question::eccentricity
                 ? run_path_eccentricities(paths, options->checkpoint)
                 : run_path_set(question, paths);
    });
  };
}

}  // namespace

std::function<ExitCode()> configure_radius(Command command) {
  return configure(command, Question::radius);
}
std::function<ExitCode()> configure_center(Command command) {
  return configure(command, Question::center);
}
std::function<ExitCode()> configure_periphery(Command command) {
  return configure(command, Question::periphery);
}
std::function<ExitCode()> configure_eccentricity(Command command) {
  return configure(command, Question::eccentricity);
}

}  // namespace antipode::cli
