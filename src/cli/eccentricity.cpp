// antipode radius, center, periphery, eccentricity
#include <fmt/format.h>

#include <algorithm>

#include "antipode/certificate.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

namespace {

struct Options {
  CommonOptions common;
  std::string certificate, output;
};

std::vector<Vertex> in_file_order(const Graph& graph) {
  std::vector<Vertex> vertices(graph.order());
  for (Vertex v = 0; v < graph.order(); ++v) vertices[v] = v;
  std::sort(vertices.begin(), vertices.end(), [&](Vertex a, Vertex b) { return graph.origin(a) < graph.origin(b); });
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
    for (const Vertex v : in_file_order(answer.graph)) text += fmt::format("{}\t{}\n", answer.graph.label(v), answer.eccentricities.lower[v]);
  } else {
    for (const Vertex v : answer.members) text += answer.graph.label(v) + "\n";
  }
  write_text(path, text);
}

ExitCode run(Question question, const Options& options) {
  Session session(report::question_name(question), options.common);
  report::EccentricityReport answer;
  answer.question = question;
  answer.undefined = session.whole().order() == 0;
  if (answer.undefined) {
    session.print(answer);
    return kExact;
  }
  answer.graph = session.largest_component();
  auto engine = session.engine_for(answer.graph);
  session.finish_phase("prepare");
  {
    LiveObserver observer(report::question_name(question), options.common);
    answer.eccentricities = eccentricities(*engine, question, Selection::together, observer);
  }
  const bool exact = answer.eccentricities.exact;
  if (exact) complete(answer, *engine);
  session.finish_phase("compute");
  if (exact && !options.certificate.empty()) {
    write_text(options.certificate, report::to_json(certify(*engine, session.whole(), question, answer.eccentricities)));
    session.context().certificate = options.certificate;
    session.finish_phase("certify");
  }
  if (exact && !options.output.empty()) write_output(answer, options.output);
  session.print(answer);
  return exact ? kExact : kStoppedEarly;
}

std::function<ExitCode()> configure(CLI::App& command, Question question) {
  auto options = std::make_shared<Options>();
  options->common.add_to(command);
  command.add_option("--certificate", options->certificate, "write a proof that 'antipode verify' checks");
  if (question == Question::eccentricity) command.add_option("--output", options->output, "write 'vertex eccentricity' for every vertex");
  if (question == Question::center || question == Question::periphery) command.add_option("--output", options->output, "write the vertices, one a line");
  return [options, question] { return run(question, *options); };
}

}  // namespace

std::function<ExitCode()> configure_radius(CLI::App& command) { return configure(command, Question::radius); }
std::function<ExitCode()> configure_center(CLI::App& command) { return configure(command, Question::center); }
std::function<ExitCode()> configure_periphery(CLI::App& command) { return configure(command, Question::periphery); }
std::function<ExitCode()> configure_eccentricity(CLI::App& command) { return configure(command, Question::eccentricity); }

}  // namespace antipode::cli
