// antipode diameter --directed, --weighted
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "antipode/path_measures.hpp"
#include "cli/estimate.hpp"
#include "cli/paths.hpp"

namespace antipode::cli {

namespace {

using report::DiameterReport;

PathDiameter find_diameter(PathEngine& engine, Observer& observer) {
  PathDiameter found = diameter(engine, observer);
  if (!found.exact()) found.upper = std::min(found.upper, longest_possible(engine.graph()));
  return found;
}

// Pairs are counted without a word if that takes less than about a second.
constexpr std::uint64_t kQuick = 1 << 26;

report::Unreachable unreachable_pairs(Session& session, const PathOptions& options) {
  const Graph& graph = session.whole();
  LiveObserver observer("pairs", options.common);
  const auto reached = options.count_pairs == PathOptions::CountPairs::always
                           ? reachable_pairs(graph, observer)
                           : reachable_pairs(graph, observer, kQuick);
  session.finish_phase("count");
  if (!reached) return {};
  return {std::uint64_t{graph.order()} * (graph.order() - 1) - *reached};
}

DiameterReport one_part(Session& session, const PathOptions& options, std::string& proof) {
  const Graph graph = session.path_graph();
  const auto engine = session.path_engine_for(graph);
  session.finish_phase("prepare");
  LiveObserver observer("diameter", options.common, graph.unit());
  DiameterReport answer;
  answer.parts.push_back({graph, find_diameter(*engine, observer)});
  session.finish_phase("compute");
  const PathDiameter& found = answer.parts.front().diameter;
  if (!options.certificate.empty() && found.exact())
    proof = session.proof(options.certificate, [&](Observer& certifying) {
      return certify_paths(*engine, session.whole(), found, certifying);
    });
  if (options.common.directed && options.common.disconnected == "reachable")
    answer.unreachable = unreachable_pairs(session, options);
  return answer;
}

DiameterReport every_component(Session& session, const PathOptions& options) {
  const Components& components = session.components();
  std::vector<Vertex> by_size(components.count());
  std::iota(by_size.begin(), by_size.end(), Vertex{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](Vertex a, Vertex b) { return components.orders[a] > components.orders[b]; });
  DiameterReport answer;
  answer.kind = DiameterReport::Kind::per_component;
  LiveObserver observer("diameter", options.common, session.whole().unit());
  const ComponentCutter cutter(session.whole(), components);
  for (const Vertex which : by_size) {
    if (components.orders[which] == 1 && !answer.parts.empty()) {
      ++answer.trivial_components;
      continue;
    }
    const Graph graph = reorder(cutter.subgraph(which), vertex_order(options.common.order));
    if (!answer.parts.empty() && observer.stop()) {
      answer.widest_unsearched = std::max(answer.widest_unsearched, longest_possible(graph));
      ++answer.unsearched;
      continue;
    }
    const auto engine = session.path_engine_for(graph);
    answer.parts.push_back({graph, find_diameter(*engine, observer)});
  }
  session.finish_phase("compute");
  return answer;
}

// No arc goes to a component of larger number, so nothing leaves the first strong component.
DiameterReport infinite(const Graph& graph, const Components& components) {
  const auto first = std::find(components.of.begin(), components.of.end(), Vertex{0}),
             other = std::find_if(components.of.begin(), components.of.end(),
                                  [](Vertex c) { return c != 0; });
  DiameterReport answer;
  answer.kind = DiameterReport::Kind::infinite;
  answer.apart = {graph, static_cast<Vertex>(first - components.of.begin()),
                  static_cast<Vertex>(other - components.of.begin())};
  return answer;
}

DiameterReport answer_for(Session& session, const PathOptions& options, std::string& proof) {
  const Graph& graph = session.whole();
  const std::string& policy = options.common.disconnected;
  if (graph.order() == 0) {
    DiameterReport answer;
    answer.kind = DiameterReport::Kind::undefined;
    return answer;
  }
  if (policy == "infinite")
    if (const Components parts = strong_components(graph); parts.count() > 1)
      return infinite(graph, parts);
  if (policy == "per-component" && !session.is_connected())
    return every_component(session, options);
  return one_part(session, options, proof);
}

}  // namespace

ExitCode run_path_diameter(const PathOptions& options) {
  const std::string& policy = options.common.disconnected;
  if (!options.certificate.empty() && (policy == "infinite" || policy == "per-component"))
    throw UsageError(fmt::format(
        "a certificate proves the longest finite distance: leave one of --certificate and "
        "--disconnected {} out",
        policy));
  Session session("diameter", options.common,
                  options.common.estimate ? Session::Extent::sample : Session::Extent::whole);
  if (options.common.estimate && session.whole_graph().order() > 0) {
    const Graph graph = session.path_graph();
    const auto engine = session.path_engine_for(graph);
    session.finish_phase("prepare");
    return print_path_estimate(session, *engine, 1,
                               [&](Observer& trial) { diameter(*engine, trial); });
  }
  std::string proof;
  const DiameterReport answer = answer_for(session, options, proof);
  const bool proves = !options.certificate.empty() && answer.exact() && !answer.parts.empty();
  if (!proves)
    say_no_proof(options,
                 answer.parts.empty() ? "nothing is to prove" : "the answer is not proved yet");
  write_each({[&] { session.print(answer); },
              [&] {
                if (!proof.empty()) write_text(options.certificate, proof);
              }});
  return answer.exact() && proves == !proof.empty() ? kExact : kStoppedEarly;
}

}  // namespace antipode::cli
