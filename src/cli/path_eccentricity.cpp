// antipode radius, center, periphery, eccentricity --directed, --weighted
#include <fmt/format.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "antipode/path_measures.hpp"
#include "cli/columns.hpp"
#include "cli/estimate.hpp"
#include "cli/paths.hpp"
#include "cli/two_phases.hpp"
#include "report/paths.hpp"

namespace antipode::cli {

namespace {

void sort_by_file(std::vector<Vertex>& vertices, const Graph& graph) {
  std::sort(vertices.begin(), vertices.end(),
            [&](Vertex a, Vertex b) { return graph.origin(a) < graph.origin(b); });
}

// What has been found, to be proved.
using Certify = std::function<PathCertificate(Observer&)>;

Certify ask_center(report::PathSetReport& answer, PathEngine& engine, Observer& observer,
                   const PathOptions& options, const Graph& whole) {
  const PathCenter found = center(engine, answer.question, observer);
  answer.exact = found.exact;
  answer.searches = found.searches;
  answer.lower = found.lower;
  answer.upper = found.upper;
  answer.undefined = found.exact && found.reach_all == 0;
  if (options.common.directed) answer.reach_all = found.reach_all;
  if (found.exact && !answer.undefined) {
    answer.witness = found.witness;
    if (answer.question == Question::center) answer.members = found.center;
  }
  return [&engine, &whole, question = answer.question, found](Observer& certifying) {
    return certify_paths(engine, whole, question, found, certifying);
  };
}

Certify ask_periphery(report::PathSetReport& answer, PathEngine& engine, Observer& observer,
                      const Graph& whole) {
  const PathPeriphery found = periphery(engine, observer);
  answer.exact = found.exact;
  answer.searches = found.searches;
  answer.lower = found.lower;
  answer.upper = found.upper;
  answer.witness = found.witness;
  if (found.exact) answer.members = found.periphery;
  return [&engine, &whole, found](Observer& certifying) {
    return certify_paths(engine, whole, found, certifying);
  };
}

Certify ask(report::PathSetReport& answer, PathEngine& engine, Observer& observer,
            const PathOptions& options, const Graph& whole) {
  Certify certify = answer.question == Question::periphery
                        ? ask_periphery(answer, engine, observer, whole)
                        : ask_center(answer, engine, observer, options, whole);
  sort_by_file(answer.members, answer.graph);
  if (!answer.exact) answer.upper = std::min(answer.upper, longest_possible(answer.graph));
  return certify;
}

void write_members(const report::PathSetReport& answer, const PathOptions& options) {
  const std::string& path = options.output;
  const TableFormat format = output_format(options.common, path);
  if (format != TableFormat::none)
    return write_table(table_of(answer.graph, answer.members), path, format);
  std::string text;
  for (const Vertex v : answer.members) text += answer.graph.label(v) + "\n";
  write_text(path, text);
}

}  // namespace

ExitCode run_path_set(Question question, const PathOptions& options) {
  Session session(report::question_name(question), options.common,
                  options.common.estimate ? Session::Extent::sample : Session::Extent::whole);
  check_output(options.common, session.whole(), options.output);
  report::PathSetReport answer;
  answer.question = question;
  if (session.whole().order() == 0) {
    answer.undefined = answer.exact = true;
    answer.graph = session.whole();
    write_each({[&] { session.print(answer); },
                [&] {
                  if (!options.output.empty()) write_members(answer, options);
                }});
    return kExact;
  }
  answer.graph = session.path_graph();
  const auto engine = session.path_engine_for(answer.graph);
  session.finish_phase("prepare");
  if (options.common.estimate)
    return print_path_estimate(session, *engine, 1, [&](Observer& trial) {
      report::PathSetReport scratch = answer;
      ask(scratch, *engine, trial, options, session.whole());
    });
  Certify certify;
  {
    LiveObserver observer(report::question_name(question), options.common, answer.graph.unit());
    certify = ask(answer, *engine, observer, options, session.whole());
  }
  session.finish_phase("compute");
  const bool exact = answer.exact, proves = exact && !options.certificate.empty();
  const std::string proof = proves ? session.proof(options.certificate, certify) : "";
  if (!exact) {
    session.context().unwritten = options.output;
    say_no_proof(options, "the answer is not proved yet");
  }
  write_each({[&] { session.print(answer); },
              [&] {
                if (!proof.empty()) write_text(options.certificate, proof);
              },
              [&] {
                if (exact && !options.output.empty()) write_members(answer, options);
              }});
  return exact && proves == !proof.empty() ? kExact : kStoppedEarly;
}

namespace {

void find_all(report::PathEccentricityReport& answer, PathEngine& engine, Observer& observer,
              CheckpointStore& checkpoint) {
  TwoPhases phases(checkpoint, answer.graph.order());
  if (!phases.first())
    phases.finish_first(eccentricities(engine, Along::arcs, observer, phases.store()));
  answer.out = *phases.first();
  if (!answer.graph.is_directed()) return;
  if (answer.out.exact) {
    answer.in = eccentricities(engine, Along::reversed_arcs, observer, phases.store());
  } else {
    answer.in.emplace();
  }
}

void complete(report::PathEccentricityReport& answer, PathEngine& engine) {
  const std::vector<Length>& e = answer.out.lower;
  const Length most = *std::max_element(e.begin(), e.end());
  const std::vector<Vertex> order = in_file_order(answer.graph);
  const Vertex from =
      *std::find_if(order.begin(), order.end(), [&](Vertex v) { return e[v] == most; });
  std::vector<Length> distances(e.size());
  const Vertex to = engine.search(from, Along::arcs, distances).farthest;
  answer.witness = {from, to, shortest_path(answer.graph, from, distances, to)};
}

void write_values(const report::PathEccentricityReport& answer, const PathOptions& options) {
  const std::string& path = options.output;
  const TableFormat format = output_format(options.common, path);
  if (format != TableFormat::none) {
    std::vector<Column> columns{
        column_of(answer.graph, answer.in ? "out_eccentricity" : "eccentricity", answer.out.lower)};
    if (answer.in) columns.push_back(column_of(answer.graph, "in_eccentricity", answer.in->lower));
    return write_table(table_of(answer.graph, std::move(columns)), path, format);
  }
  const LengthUnit& unit = answer.graph.unit();
  const auto text_of = [&](Vertex v) {
    std::string text = to_text(answer.out.lower[v], unit);
    if (answer.in) text += "\t" + to_text(answer.in->lower[v], unit);
    return text;
  };
  write_text(path, vertex_lines(answer.graph, text_of, answer.in ? "nan\tnan" : "nan"));
}

std::string question_of(const CommonOptions& options) {
  return fmt::format("eccentricity{}{}", options.directed ? " --directed" : "",
                     options.weighted ? " --weighted" : "");
}

}  // namespace

ExitCode run_path_eccentricities(const PathOptions& options,
                                 const CheckpointOptions& checkpointing) {
  Session session("eccentricity", options.common,
                  checkpointing.estimate ? Session::Extent::sample : Session::Extent::whole);
  report::PathEccentricityReport answer;
  check_output(options.common, session.whole(), options.output);
  answer.undefined = session.whole().order() == 0;
  if (answer.undefined) {
    answer.graph = session.whole();
    write_each({[&] { session.print(answer); },
                [&] {
                  if (!options.output.empty()) write_values(answer, options);
                }});
    return kExact;
  }
  answer.graph = session.path_graph();
  if (!options.certificate.empty() && options.common.directed &&
      answer.graph.order() < session.whole().order())
    throw UsageError(
        "a certificate of eccentricities along arcs is of all vertices: choose "
        "--disconnected reachable");
  const auto engine = session.path_engine_for(answer.graph);
  session.finish_phase("prepare");
  if (checkpointing.estimate)
    return print_path_estimate(session, *engine, answer.graph.is_directed() ? 2 : 1,
                               [&](Observer& trial) {
                                 CheckpointStore none;
                                 report::PathEccentricityReport scratch;
                                 scratch.graph = answer.graph;
                                 find_all(scratch, *engine, trial, none);
                               });
  CheckpointFile checkpoint(checkpointing, question_of(options.common), answer.graph);
  {
    LiveObserver observer("eccentricity", options.common, answer.graph.unit());
    find_all(answer, *engine, observer, checkpoint);
    session.context().resumed = checkpointing.resumed_from();
  }
  const bool exact = answer.exact();
  if (exact) complete(answer, *engine);
  session.finish_phase("compute");
  const bool proves = exact && !options.certificate.empty();
  const std::string proof =
      proves ? session.proof(options.certificate,
                             [&](Observer& observer) {
                               return certify_paths(*engine, session.whole(), Along::arcs,
                                                    answer.out, observer);
                             })
             : "";
  if (!exact) {
    session.context().unwritten = options.output;
    say_no_proof(options, "the answer is not proved yet");
  }
  write_each({[&] { session.print(answer); },
              [&] {
                if (!proof.empty()) write_text(options.certificate, proof);
              },
              [&] {
                if (exact && !options.output.empty()) write_values(answer, options);
              }});
  if (exact) checkpoint.remove();
  return exact && proves == !proof.empty() ? kExact : kStoppedEarly;
}

}  // namespace antipode::cli
