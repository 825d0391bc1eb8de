// antipode diameter
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "cli/estimate.hpp"
#include "cli/paths.hpp"
#include "cli/session.hpp"
#include "cli/several.hpp"

namespace antipode::cli {

namespace {

using report::DiameterReport;

struct Options {
  CommonOptions common;
  DiameterOptions diameter;
  std::string certificate;
  bool count_pairs = false;
};

DiameterReport one_component(Session& session, const Options& options, std::string& proof) {
  const Graph graph = session.largest_component(!options.certificate.empty());
  auto engine = session.engine_for(graph);
  session.finish_phase("prepare");
  LiveObserver observer("diameter", options.common);
  DiameterReport answer;
  const Diameter found = diameter(*engine, options.diameter, observer);
  answer.parts.push_back({graph, report::in_lengths(found)});
  session.finish_phase("compute");
  session.look_elsewhere(found.lower, found.upper);
  if (!options.certificate.empty() && found.exact())
    proof = session.proof(*engine, options.certificate,
                          [&] { return certify(*engine, session.whole(), found); });
  return answer;
}

DiameterReport every_component(Session& session, const Options& options) {
  const Components& components = session.components();
  std::vector<Vertex> by_size(components.count());
  std::iota(by_size.begin(), by_size.end(), Vertex{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](Vertex a, Vertex b) { return components.orders[a] > components.orders[b]; });
  DiameterReport answer;
  answer.kind = DiameterReport::Kind::per_component;
  LiveObserver observer("diameter", options.common);
  const ComponentCutter cutter(session.whole(), components);
  for (const Vertex which : by_size) {
    if (components.orders[which] == 1 && !answer.parts.empty()) {
      ++answer.trivial_components;
      continue;
    }
    if (!answer.parts.empty() && observer.stop()) {
      answer.widest_unsearched =
          std::max(answer.widest_unsearched, Length{components.orders[which] - 1});
      ++answer.unsearched;
      continue;
    }
    const Graph graph = reorder(cutter.subgraph(which), vertex_order(options.common.order));
    auto engine = session.engine_for(graph);
    answer.parts.push_back(
        {graph, report::in_lengths(diameter(*engine, options.diameter, observer))});
  }
  session.finish_phase("compute");
  return answer;
}

DiameterReport infinite(Session& session) {
  DiameterReport answer;
  answer.kind = DiameterReport::Kind::infinite;
  const auto& of = session.components().of;
  const auto other =
      std::find_if(of.begin(), of.end(), [](Vertex c) { return c != 0; }) - of.begin();
  answer.apart = {session.whole(), 0, static_cast<Vertex>(other)};
  return answer;
}

DiameterReport answer_for(Session& session, const Options& options, std::string& proof) {
  if (session.whole().order() == 0) {
    DiameterReport answer;
    answer.kind = DiameterReport::Kind::undefined;
    return answer;
  }
  if (!session.is_connected() && options.common.disconnected == "infinite")
    return infinite(session);
  if (!session.is_connected() && options.common.disconnected == "per-component")
    return every_component(session, options);
  return one_component(session, options, proof);
}

ExitCode run(const Options& options) {
  Session session("diameter", options.common,
                  options.common.estimate ? Session::Extent::sample : Session::Extent::whole);
  if (options.common.estimate && session.whole_graph().order() > 0) {
    const Graph graph = session.component(session.components().largest());
    const bool knows_symmetry =
        options.certificate.empty() && options.diameter.strategy == Strategy::automatic;
    const auto engine = session.engine_for(knows_symmetry ? graph : graph.materialized());
    session.finish_phase("prepare");
    return print_search_estimate(
        session, *engine, most_sources(*engine, Question::diameter),
        [&](Observer& trial) { diameter(*engine, options.diameter, trial); });
  }
  const std::string& policy = options.common.disconnected;
  if (!options.certificate.empty() && !session.is_connected() &&
      (policy == "infinite" || policy == "per-component"))
    throw UsageError(fmt::format(
        "a certificate proves one value of the largest component: leave one of --certificate and "
        "--disconnected {} out",
        policy));
  std::string proof;
  const DiameterReport answer = answer_for(session, options, proof);
  const bool exact = answer.exact();
  const bool provable = answer.kind == DiameterReport::Kind::value,
             stopped = exact && provable && !options.certificate.empty() && proof.empty();
  if (!options.certificate.empty() && proof.empty() && !stopped)
    say(fmt::format("no certificate is written: {}\n",
                    provable ? "the answer is not proved yet" : "nothing is to prove"));
  write_each({[&] { session.print(answer); },
              [&] {
                if (!proof.empty()) write_text(options.certificate, proof);
              }});
  return exact && !stopped ? kExact : kStoppedEarly;
}

}  // namespace

std::function<ExitCode()> configure_diameter(Command command) {
  auto options = std::make_shared<Options>();
  options->common.add_to(command, CommonOptions::Source::several);
  options->common.add_directed_to(command);
  options->common.add_weighted_to(command);
  options->common.add_disconnected_to(command, {"largest", "per-component", "infinite", "error"},
                                      {"reachable", "largest", "infinite", "error"});
  options->common.add_estimate_to(command);
  options->common.add_path_to(command);
  const std::map<std::string, Strategy> strategies{{"auto", Strategy::automatic},
                                                   {"takes-kosters", Strategy::takes_kosters},
                                                   {"sweep", Strategy::sweep},
                                                   {"exhaustive", Strategy::exhaustive}};
  const std::map<std::string, Start> starts{{"degree", Start::degree}, {"random", Start::random}};
  const std::map<std::string, Selection> selections{{"interchange", Selection::interchange},
                                                    {"difference", Selection::difference},
                                                    {"farthest", Selection::farthest}};
  const Option strategy = command.add_choice("--strategy", options->diameter.strategy,
                                             "auto, takes-kosters, sweep or exhaustive", strategies,
                                             Command::Case::ignored);
  const Option start =
      command.add_choice("--start", options->diameter.start,
                         "takes-kosters: first source by degree or random", starts);
  const Option select = command.add_choice(
      "--select", options->diameter.selection,
      "takes-kosters: further sources by interchange, difference or farthest", selections);
  const std::map<std::string, Batching> batchings{
      {"auto", Batching::by_cost}, {"always", Batching::always}, {"never", Batching::never}};
  const Option batches = command.add_choice(
      "--batches", options->diameter.batching,
      "auto strategy: search candidates together auto, always or never", batchings);
  const Option lanes =
      command.add_option("--lanes", options->diameter.most_per_batch,
                         "auto strategy: most sources in a batch; 0: as many as the engine takes");
  add_target(command, "--certificate", options->certificate,
             "write a proof that 'antipode verify' checks");
  const Option pairs = command.add_flag(
      "--count-pairs", options->count_pairs,
      "--directed: count the pairs without a path, also where it takes longer than the diameter");
  return [=] {
    options->common.fit_policy();
    if (!options->common.directed || options->common.disconnected != "reachable")
      refuse_given({pairs}, "--directed --disconnected reachable");
    if (options->common.has_paths()) {
      refuse_given({strategy, start, select, batches, lanes},
                   "edges of length 1 without directions: leave --directed and --weighted out");
      const PathOptions paths{.common = options->common,
                              .certificate = options->certificate,
                              .output = {},
                              .count_pairs = options->count_pairs
                                                 ? PathOptions::CountPairs::always
                                                 : PathOptions::CountPairs::if_quick};
      return run_each(options->common, "diameter", [&] { return run_path_diameter(paths); });
    }
    if (options->diameter.strategy != Strategy::takes_kosters)
      refuse_given({start, select}, "--strategy takes-kosters");
    if (options->diameter.strategy != Strategy::automatic)
      refuse_given({batches, lanes}, "--strategy auto");
    options->common.draws = options->diameter.start == Start::random;
    options->diameter.seed = options->common.seed;
    if (!options->certificate.empty())
      options->diameter.concurrent = 1;  // a proof by few searches is the quickest to check
    return run_each(options->common, "diameter", [&] { return run(*options); });
  };
}

}  // namespace antipode::cli
