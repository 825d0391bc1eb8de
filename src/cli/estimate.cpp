#include "cli/estimate.hpp"

#include <set>
#include <vector>

#include "antipode/io.hpp"

namespace antipode::cli {

namespace {

template <class Work>
double seconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What grows with the work, seen with nothing and with a share of it.
double whole(double nothing, double part, double share) {
  return nothing + std::max(0.0, part - nothing) / share;
}

Graph with_edges(const Graph& like, std::vector<std::vector<Edge>> edges) {
  Labels labels = like.is_derived() ? Labels::sequential(0, like.order()) : like.labels();
  return build_graph(like.order(), std::move(edges), std::move(labels)).graph;
}

// Those of every sixteenth row.
Graph some_edges(const Graph& graph) {
  std::vector<std::vector<Edge>> edges(1);
  for (std::uint64_t v = 0; v < graph.order(); v += 16)
    for (const Vertex u : graph.neighbors(static_cast<Vertex>(v)))
      if (v < u || u % 16 != 0) edges.front().push_back({static_cast<Vertex>(v), u});
  return with_edges(graph, std::move(edges));
}

struct Written {
  double seconds, bytes;
};

Written formatting(const Graph& graph, const std::string& target, const std::string& format) {
  std::uint64_t bytes = 0;
  const double seconds = seconds_of([&] { bytes = written_size(graph, target, format); });
  return {seconds, static_cast<double>(bytes)};
}

// `some`: the graph with a share of its edges. How fast the disk is, is not tried.
Written writing(const Graph& some, double share, const std::string& target,
                const std::string& format) {
  const Written nothing = formatting(with_edges(some, {}), target, format),
                part = formatting(some, target, format);
  return {whole(nothing.seconds, part.seconds, share), whole(nothing.bytes, part.bytes, share)};
}

}  // namespace

namespace {

// What a search costs, alone or together with others.
struct Searches {
  std::function<void(Vertex)> one;
  std::size_t lanes = 1;  // most that are worth to be made together
  std::function<void(std::span<const Vertex>)> together;
};

ExitCode print_bounded_estimate(Session& session, const Searches& searches, std::uint64_t most,
                                const std::function<void(Observer&)>& run) {
  constexpr double kUnsure = 10;
  constexpr std::uint64_t kTypical = 256;  // searches; most graphs take fewer
  constexpr double kQuick = 0.02;          // seconds: then a batch takes less than a second or two
  BoundedTrial trial(session.options());
  report::EstimateReport answer{most, 1, 0};
  answer.seconds = seconds_of([&] { run(trial); });
  if (trial.is_interrupted() && trial.last().searches == 0) throw Interrupted();
  answer.timed = std::max<std::uint64_t>(trial.last().searches, 1);
  if (trial.is_stopped()) {
    double each = seconds_of([&] { searches.one(0); });
    const std::size_t lanes = std::min<std::size_t>(searches.lanes, most);
    if (each < kQuick && lanes > 1) {
      std::vector<Vertex> sources;
      for (std::size_t i = 0; i < lanes; ++i)
        sources.push_back(static_cast<Vertex>(i * most / lanes));
      each = std::min(each,
                      seconds_of([&] { searches.together(sources); }) / static_cast<double>(lanes));
    }
    const std::uint64_t left =
        trial.last().searches == 0 ? most : std::max<std::uint64_t>(trial.last().candidates, 1);
    const double all = static_cast<double>(left) * session.source_factor();
    answer.may_take_longer = all > kTypical;
    answer.at_most = answer.seconds + each * std::min<double>(all, kTypical);
  }
  // What a sample needs is a hint of what the whole does, and no more.
  if (session.cost_factor() > 1)
    answer.at_most = std::max(answer.at_most, kUnsure * answer.seconds);
  answer.seconds *= session.cost_factor();
  answer.at_most *= session.cost_factor();
  answer.sources = static_cast<std::uint64_t>(static_cast<double>(most) * session.source_factor());
  answer.memory = session.scaled_memory();
  session.finish_phase("estimate");
  session.print(answer);
  return kExact;
}

ExitCode print_single_estimate(Session& session, Vertex order,
                               const std::function<void(Vertex)>& search) {
  constexpr Vertex kTimed = 5;
  search(0);  // pays for memory that the others only use
  std::vector<double> times;
  for (Vertex i = 0; i < kTimed; ++i)
    times.push_back(
        seconds_of([&] { search(static_cast<Vertex>(std::uint64_t{i} * order / kTimed)); }));
  std::sort(times.begin(), times.end());
  session.finish_phase("estimate");
  report::EstimateReport answer{order, kTimed, times[kTimed / 2] * session.cost_factor()};
  answer.memory = session.scaled_memory();
  session.print(answer);
  return kExact;
}

}  // namespace

double seconds_of_source(Engine& engine) {
  Search found;
  engine.search(0);  // pays for memory that the others only use
  const double alone = seconds_of([&] { found = engine.search(engine.graph().order() / 2); });
  const BatchCosts costs = engine.batch_costs();
  const double levels = found.eccentricity,
               lane = std::min(costs.most_source, costs.source + costs.source_and_level * levels);
  return alone * (lane + costs.fixed / static_cast<double>(costs.sources));
}

double seconds_of_source(PathEngine& engine) {
  std::vector<Length> distances(engine.graph().order());
  engine.search(0, Along::arcs, distances);
  const double alone =
      seconds_of([&] { engine.search(engine.graph().order() / 2, Along::arcs, distances); });
  return alone * engine.costs().source;
}

ExitCode print_search_estimate(Session& session, Engine& engine, std::uint64_t most,
                               const std::function<void(Observer&)>& run) {
  const Searches searches{
      .one = [&](Vertex source) { engine.search(source); },
      .lanes = engine.batch_costs().sources,
      .together = [&](std::span<const Vertex> sources) { engine.summarize(sources); }};
  return print_bounded_estimate(session, searches, most, run);
}

ExitCode print_one_search_estimate(Session& session, Engine& engine) {
  return print_single_estimate(session, engine.graph().order(),
                               [&](Vertex source) { engine.search(source); });
}

ExitCode print_path_estimate(Session& session, PathEngine& engine, Vertex directions,
                             const std::function<void(Observer&)>& run) {
  const Vertex order = engine.graph().order();
  std::vector<Length> distances(order);
  const Searches searches{
      .one = [&](Vertex source) { engine.search(source, Along::arcs, distances); },
      .lanes = std::min<std::size_t>(engine.costs().batch, order),
      .together =
          [&](std::span<const Vertex> sources) {
            std::vector<Vertex> within(sources.begin(), sources.end());
            for (Vertex& source : within) source %= order;
            engine.summarize(within, Along::arcs);
          }};
  return print_bounded_estimate(session, searches, std::uint64_t{directions} * order, run);
}

ExitCode print_one_path_search_estimate(Session& session, PathEngine& engine) {
  std::vector<Length> distances(engine.graph().order());
  return print_single_estimate(session, engine.graph().order(), [&](Vertex source) {
    engine.search(source, Along::arcs, distances);
  });
}

// Triangles are what takes time.
ExitCode print_info_estimate(Session& session) {
  constexpr Vertex kStep = 64;
  const Graph& graph = session.whole();
  const double nothing = seconds_of([&] { triangles(graph, kMaxOrder); }),
               part = seconds_of([&] { triangles(graph, kStep); });
  session.finish_phase("estimate");
  report::EstimateReport answer{graph.order(), (graph.order() + std::uint64_t{kStep} - 1) / kStep,
                                whole(nothing, part, 1.0 / kStep) * session.cost_factor()};
  answer.sources =
      static_cast<std::uint64_t>(static_cast<double>(graph.order()) * session.source_factor());
  answer.of = "vertices";
  answer.memory = session.scaled_memory();
  session.print(answer);
  return kExact;
}

// One fact is checked, and then a few more; each source named takes one search.
ExitCode print_verify_estimate(Session& session, const Certificate& certificate) {
  constexpr std::size_t kTimed = 8;
  std::set<std::string> sources(certificate.path.begin(), certificate.path.empty()
                                                              ? certificate.path.end()
                                                              : certificate.path.begin() + 1);
  for (const Fact& fact : certificate.facts)
    if (!fact.vertices.empty() && fact.rule != Fact::Rule::twins)
      sources.insert(fact.vertices.front());
  const auto checked = [&](std::size_t facts, std::uint64_t& searches) {
    Certificate few = certificate;
    few.facts.resize(std::min(facts, few.facts.size()));
    return seconds_of([&] { searches = verify(few, session.whole()).searches; });
  };
  std::uint64_t first = 0, then = 0;
  const double one = checked(1, first), more = checked(1 + kTimed, then);
  const double each =
      then > first ? std::max(0.0, more - one) / static_cast<double>(then - first) : 0;
  session.finish_phase("estimate");
  const auto all = std::max<std::uint64_t>(sources.size(), then);
  session.print(report::EstimateReport{all, then, more + each * static_cast<double>(all - then)});
  return kExact;
}

ExitCode print_writing_estimate(Session& session, const Graph& graph, const std::string& target,
                                const std::string& format) {
  const Graph some = some_edges(graph);
  const double share =
      graph.size() == 0 ? 1 : static_cast<double>(some.size()) / static_cast<double>(graph.size());
  const Written file = writing(some, std::max(share, 1e-9), target, format);
  session.finish_phase("estimate");
  report::EstimateReport answer{
      static_cast<std::uint64_t>(static_cast<double>(graph.size()) * session.cost_factor()),
      some.size(), file.seconds * session.cost_factor()};
  answer.of = "edges";
  answer.memory = session.scaled_memory();
  answer.file = static_cast<std::uint64_t>(file.bytes * session.cost_factor());
  session.print(answer);
  return kExact;
}

ExitCode print_generating_estimate(const CommonOptions& options, const std::string& target,
                                   const std::string& format) {
  options.refuse_unused();
  set_threads(options.threads);
  set_memory_limit(options.memory_limit);
  catch_interrupts();
  const LoadWatch watch(options);
  const std::string spec = options.place().substr(4);
  GeneratedSample sample;
  const double making = seconds_of([&] { sample = sample_generated(spec); });
  const double nothing = seconds_of([&] { with_edges(sample.graph, {}); });
  const Written file = writing(sample.graph, sample.share, target, format);
  const auto edges =
      static_cast<std::uint64_t>(static_cast<double>(sample.graph.size()) / sample.share);
  report::Context context;
  context.measure = "generate";
  context.graph_name = options.place();
  context.format = "generated";
  context.vertices = context.used_vertices = sample.graph.order();
  context.edges = context.used_edges = edges;
  context.seconds = {{"total", making + nothing}};
  report::EstimateReport answer{edges, sample.graph.size(),
                                whole(nothing, making, sample.share) + file.seconds};
  answer.of = "edges";
  answer.memory = context.peak_memory = std::uint64_t{sample.graph.order()} * 16 + edges * 24;
  answer.file = static_cast<std::uint64_t>(file.bytes);
  print_answer(report::render(context, answer, options.style()), options.style());
  return kExact;
}

}  // namespace antipode::cli
