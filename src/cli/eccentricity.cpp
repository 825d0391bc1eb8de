// antipode radius, center, periphery, eccentricity
#include <fmt/format.h>

#include <algorithm>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "cli/checkpoint.hpp"
#include "cli/estimate.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

namespace {

struct Options {
  CommonOptions common;
  CheckpointOptions checkpoint;  // of eccentricity alone
  std::string certificate, output;
};

std::vector<Vertex> in_file_order(const Graph& graph) {
  std::vector<Vertex> vertices(graph.order());
  for (Vertex v = 0; v < graph.order(); ++v) vertices[v] = v;
  std::sort(vertices.begin(), vertices.end(),
            [&](Vertex a, Vertex b) { return graph.origin(a) < graph.origin(b); });
  return vertices;
}

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

void write_output(const report::EccentricityReport& answer, const std::string& path) {
  std::string text;
  if (answer.question == Question::eccentricity) {
    text = vertex_lines(
        answer.graph, [&](Vertex v) { return fmt::format("{}", answer.eccentricities.lower[v]); });
  } else {
    for (const Vertex v : answer.members) text += answer.graph.label(v) + "\n";
  }
  write_text(path, text);
}

// Arcs go one way, so that a search says nothing of other eccentricities: all are searched.
void answer_directed(report::EccentricityReport& answer, Engine& engine, Observer& observer,
                     CheckpointStore& checkpoint) {
  const ForwardEccentricities found = forward_eccentricities(engine, observer, checkpoint);
  const Vertex order = answer.graph.order();
  answer.eccentricities.lower = answer.eccentricities.upper = found.value;
  answer.eccentricities.lower.resize(order, 0);
  answer.eccentricities.upper.resize(order, order - 1);
  answer.eccentricities.exact = found.finished;
  answer.eccentricities.searches = found.sources;
  answer.reach_all =
      static_cast<Vertex>(std::count(found.reached.begin(), found.reached.end(), order));
  for (Vertex v = 0; v < found.reached.size(); ++v)
    if (found.reached[v] == order)
      answer.least_of_those = std::min(answer.least_of_those.value_or(kUnreached), found.value[v]);
}

ExitCode run(Question question, const Options& options) {
  const bool directed = options.common.directed;
  if (directed && !options.certificate.empty())
    throw UsageError(
        "certificates are of undirected graphs: leave one of --certificate and --directed out");
  const bool estimates = options.common.estimate || options.checkpoint.estimate;
  Session session(report::question_name(question), options.common,
                  estimates ? Session::Extent::sample : Session::Extent::whole);
  report::EccentricityReport answer;
  answer.question = question;
  check_labels(session.whole(), options.output);
  answer.undefined = session.whole().order() == 0;
  if (answer.undefined) {
    session.print(answer);
    return kExact;
  }
  answer.graph = session.largest_component(!options.certificate.empty());
  auto engine = session.engine_for(answer.graph);
  session.finish_phase("prepare");
  if (directed && options.checkpoint.estimate) {
    CheckpointStore no_checkpoint;
    return print_estimate(session, answer.graph.order(), [&](Observer& trial) {
      forward_eccentricities(*engine, trial, no_checkpoint);
    });
  }
  if (options.common.estimate || options.checkpoint.estimate) {
    CheckpointStore no_checkpoint;
    return print_search_estimate(
        session, *engine, most_sources(*engine, question),
        [&](Observer& trial) { eccentricities(*engine, question, trial, no_checkpoint); });
  }
  CheckpointFile checkpoint(options.checkpoint, report::question_name(question), answer.graph);
  {
    LiveObserver observer(report::question_name(question), options.common);
    if (directed)
      answer_directed(answer, *engine, observer, checkpoint);
    else
      answer.eccentricities = eccentricities(*engine, question, observer, checkpoint);
    session.context().resumed = options.checkpoint.resumed_from();
  }
  const bool exact = answer.eccentricities.exact;
  if (exact) complete(answer, *engine);
  session.finish_phase("compute");
  if (!directed && (question == Question::periphery || question == Question::eccentricity))
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
                if (exact && !options.output.empty()) write_output(answer, options.output);
              }});
  if (exact) checkpoint.remove();
  return exact && proves == !proof.empty() ? kExact : kStoppedEarly;
}

std::function<ExitCode()> configure(CLI::App& command, Question question) {
  auto options = std::make_shared<Options>();
  options->common.add_to(command);
  options->common.add_disconnected_to(command, {"largest", "error"});
  add_target(command, "--certificate", options->certificate,
             "write a proof that 'antipode verify' checks");
  if (question == Question::eccentricity) {
    options->common.add_directed_to(command);
    add_target(
        command, "--output", options->output,
        "write 'vertex eccentricity' for every vertex; nan outside the component asked about");
    options->checkpoint.add_to(command);
  } else {
    options->common.add_estimate_to(command);
  }
  if (question == Question::center || question == Question::periphery)
    add_target(command, "--output", options->output, "write the vertices, one a line");
  return [options, question] { return run(question, *options); };
}

}  // namespace

std::function<ExitCode()> configure_radius(CLI::App& command) {
  return configure(command, Question::radius);
}
std::function<ExitCode()> configure_center(CLI::App& command) {
  return configure(command, Question::center);
}
std::function<ExitCode()> configure_periphery(CLI::App& command) {
  return configure(command, Question::periphery);
}
std::function<ExitCode()> configure_eccentricity(CLI::App& command) {
  return configure(command, Question::eccentricity);
}

}  // namespace antipode::cli
