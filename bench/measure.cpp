// Times one graph on one engine and prints a JSON line: the exact diameter, one search, one batch.
// One warm-up, then five timed runs; the median is reported. The engine is made anew for every
// diameter, so that its memory counts, unless --resident.
//   bench_measure GRAPH [--threads N] [--engine NAME] [--kernel NAME] [--device NAME] [--resident]
//   [--against ENGINE] [--strategy auto|takes-kosters|sweep] [--lanes] [--all] [--average]
//   [--dependencies K] [--eccentricity] [--read] [--search] [--beamer]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "antipode/engine.hpp"
#include "antipode/io.hpp"
#include "antipode/measures.hpp"
#include "beamer.hpp"
#include "graph/parallel.hpp"

namespace {

using namespace antipode;

constexpr int kRuns = 5;
constexpr double kPatience = 20;  // seconds; beyond it one run must do
constexpr double kReading = 0.3;  // seconds; small files are read again until they have passed

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median_of(const std::function<void()>& work, double at_least = 0) {
  std::vector<double> times;
  double spent = seconds_of(work);
  if (spent > kPatience) return spent;
  for (int run = 0; (run < kRuns || spent < at_least) && spent < 3 * kPatience; ++run) {
    times.push_back(seconds_of(work));
    spent += times.back();
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct Options {
  std::string graph, engine = "auto", kernel = "auto", device, against;
  unsigned threads = 0;
  std::size_t dependencies = 0;  // number of sources
  Strategy strategy = Strategy::automatic;
  bool lanes = false, all = false, average = false, eccentricity = false, read = false,
       search_only = false, resident = false, beamer = false;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--threads")
      options.threads = static_cast<unsigned>(std::stoul(value()));
    else if (word == "--engine")
      options.engine = value();
    else if (word == "--kernel")
      options.kernel = value();
    else if (word == "--device")
      options.device = value();
    else if (word == "--against")
      options.against = value();
    else if (word == "--resident")
      options.resident = true;
    else if (word == "--lanes")
      options.lanes = true;
    else if (word == "--all")
      options.all = true;
    else if (word == "--average")
      options.average = true;
    else if (word == "--dependencies")
      options.dependencies = std::stoul(value());
    else if (word == "--search")
      options.search_only = true;
    else if (word == "--read")
      options.read = true;
    else if (word == "--beamer")
      options.beamer = true;
    else if (word == "--eccentricity")
      options.eccentricity = true;
    else if (word == "--strategy") {
      const std::string name = value();
      options.strategy = name == "takes-kosters" ? Strategy::takes_kosters
                         : name == "sweep"       ? Strategy::sweep
                                                 : Strategy::automatic;
    } else
      options.graph = word;
  }
  return options;
}

// Bytes a second that all threads together read from memory, over an array far larger than the
// caches.
double bandwidth() {
  std::vector<std::uint64_t> array(std::size_t{1} << 25, 1);
  std::uint64_t sum = 0;
  const double seconds = median_of([&] {
    sum += fold(array.size(), static_cast<int>(threads()), std::uint64_t{0}, std::plus<>(),
                [&](std::size_t i) { return array[i]; });
  });
  return sum == 1 ? 0 : static_cast<double>(array.size() * 8) / seconds;
}

// One search of ours and one of the peer's, from the same sources by turns, so that both have the
// machine as it is.
struct Duel {
  double ours = 0, its = 0, ratio = 0;  // seconds a search, and the median of its / ours
};

Duel duel(const Graph& graph, Engine& engine) {
  constexpr Vertex kSources = 32, kRounds = 11;
  bench::Beamer beamer(graph);
  std::vector<double> ours, its, ratios;
  for (Vertex round = 0; round < kRounds; ++round) {
    std::vector<Vertex> sources;
    for (Vertex i = 0; i < (graph.arcs() < 1 << 20 ? kSources : 4); ++i)
      sources.push_back(static_cast<Vertex>(
          (std::uint64_t{round * kSources + i} * 2654435761u + 12345) % graph.order()));
    std::vector<Distance> here, there;
    const auto count = static_cast<double>(sources.size());
    ours.push_back(seconds_of([&] {
                     for (const Vertex source : sources)
                       here.push_back(engine.search(source).eccentricity);
                   }) /
                   count);
    its.push_back(seconds_of([&] {
                    for (const Vertex source : sources) there.push_back(beamer.search(source));
                  }) /
                  count);
    ratios.push_back(its.back() / ours.back());
    if (here != there) throw std::runtime_error("the peer's levels are others than ours");
  }
  const auto median = [](std::vector<double> values) {
    std::nth_element(values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
  };
  return {median(ours), median(its), median(ratios)};
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options = parse(argc, argv);
  set_threads(options.threads);
  LoadedGraph loaded;
  const double load = seconds_of([&] { loaded = load_graph(options.graph); });
  if (options.read) {
    fmt::print("{{\"read\": {:.6f}}}\n",
               median_of([&] { loaded = load_graph(options.graph); }, kReading));
    return 0;
  }
  const Components parts = components(loaded.graph);
  const Graph graph = component_subgraph(loaded.graph, parts, parts.largest());
  const EngineOptions engine_options{
      .threads = options.threads, .kernel = options.kernel, .device = options.device};
  Observer observer;
  Diameter answer;
  std::unique_ptr<Engine> engine;
  const double make_seconds =
      seconds_of([&] { engine = make_engine(options.engine, graph, engine_options); });
  const double diameter_seconds = options.search_only ? 0 : median_of([&] {
    if (!options.resident) engine = make_engine(options.engine, graph, engine_options);
    answer = diameter(*engine, {.strategy = options.strategy}, observer);
  });

  constexpr int kSources = 8;  // sources differ in cost: the mean of eight, the same in every run
  double levels = 0;
  const double search_seconds =
      median_of([&] {
        levels = 0;
        Vertex source = 0;
        for (int i = 0; i < kSources; ++i) {
          source = static_cast<Vertex>((source * 2654435761ull + 12345) % graph.order());
          levels += engine->search(source).eccentricity;
        }
      }) /
      kSources;
  std::string line = fmt::format(
      "{{\"graph\": \"{}\", \"engine\": \"{}\", \"kernel\": \"{}\", \"make\": {:.6f}, \"order\": "
      "{}, \"size\": {}, \"load\": {:.6f}, \"diameter\": {}, \"seconds\": {:.6f}, \"searches\": "
      "{}, \"batches\": {}, \"lanes\": {}, "
      "\"search\": {:.6f}, \"levels\": {:.1f}, \"bandwidth\": {:.3e}",
      options.graph, engine->info().name, options.kernel, make_seconds, graph.order(), graph.size(),
      load, answer.lower, diameter_seconds, answer.searches, answer.batches, answer.lanes,
      search_seconds, levels / kSources, bandwidth());
  if (options.beamer) {
    const Duel result = duel(graph, *engine);
    line += fmt::format(
        ", \"duel_search\": {:.6f}, \"beamer_search\": {:.6f}, \"beamer_over_ours\": {:.3f}",
        result.ours, result.its, result.ratio);
  }
  if (options.lanes) {
    std::vector<Vertex> sources;
    for (Vertex i = 0; i < 1024; ++i)
      sources.push_back(static_cast<Vertex>(i * 2654435761ull % graph.order()));
    for (const std::size_t width : {64, 128, 256, 512, 1024}) {
      if (width > engine->batch_costs().sources) break;
      engine->bounds().reset();
      const double seconds = median_of([&] {
        engine->candidates().farthest_from(std::span<const Vertex>(sources).first(width));
      });
      line += fmt::format(", \"lanes_{}\": {:.6f}", width, seconds);
    }
    line +=
        fmt::format(", \"summarize_1024\": {:.6f}", median_of([&] { engine->summarize(sources); }));
  }
  if (!options.against.empty()) {
    const auto other = make_engine(options.against, graph, {.threads = options.threads});
    Diameter its;
    const double seconds =
        median_of([&] { its = diameter(*other, {.strategy = options.strategy}, observer); });
    line +=
        fmt::format(", \"against\": \"{}\", \"against_diameter\": {}, \"against_seconds\": {:.6f}",
                    options.against, its.lower, seconds);
  }
  if (options.all) {
    std::vector<Vertex> all_vertices(graph.order());
    std::iota(all_vertices.begin(), all_vertices.end(), Vertex{0});
    DistanceSums some(graph.order()), all(graph.order());
    engine->accumulate(
        std::span(all_vertices).first(std::min<std::size_t>(all_vertices.size(), 1024)),
        &some);  // kernels are compiled, memory is there
    const double seconds = seconds_of([&] { engine->accumulate(all_vertices, &all); });
    line += fmt::format(", \"all_sources\": {:.6f}, \"all_distance_sum\": {}, \"all_diameter\": {}",
                        seconds, std::accumulate(all.sum.begin(), all.sum.end(), std::uint64_t{0}),
                        *std::max_element(all.farthest.begin(), all.farthest.end()));
  }
  if (options.average) {  // folded, and every source for itself
    std::vector<Vertex> all_vertices(graph.order());
    std::iota(all_vertices.begin(), all_vertices.end(), Vertex{0});
    Average mean;
    DistanceCounts counts;
    const double folded = median_of([&] { mean = average(*engine, 0, 1, observer); }),
                 whole = median_of([&] {
                   counts.vertices.clear();
                   engine->accumulate(all_vertices, &counts);
                 }),
                 plan = median_of([&] { sources_of_average(*engine); });
    line += fmt::format(
        ", \"average\": {:.6f}, \"mean\": {:.6f}, \"sources\": {}, \"folding\": {:.6f}, "
        "\"unfolded\": {:.6f}, \"agrees\": {}",
        folded, mean.mean(), sources_of_average(*engine), plan, whole,
        std::equal(counts.vertices.begin() + 1, counts.vertices.end(), mean.pairs.begin() + 1,
                   mean.pairs.end()));
  }
  if (options.dependencies > 0) {
    std::vector<Vertex> sources;
    for (std::size_t i = 0; i < std::min<std::size_t>(options.dependencies, graph.order()); ++i)
      sources.push_back(static_cast<Vertex>(
          i * graph.order() / std::min<std::size_t>(options.dependencies, graph.order())));
    const std::vector<double> weights(graph.order(), 1);
    Dependencies sums{
        .vertices = std::vector<double>(graph.order(), 0), .arcs = {}, .weights = weights};
    const double seconds = median_of([&] { engine->accumulate(sources, &sums); });
    line += fmt::format(", \"dependency_sources\": {}, \"dependencies\": {:.6f}", sources.size(),
                        seconds);
  }
  if (options.eccentricity) {
    Eccentricities all;
    const double seconds = median_of([&] {
      all = eccentricities(*engine, Question::eccentricity, Selection::together, observer);
    });
    line += fmt::format(", \"eccentricities\": {:.6f}, \"eccentricity_searches\": {}", seconds,
                        all.searches);
  }
  std::puts((line + "}").c_str());
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_measure: {}\n", error.what());
  return 1;
}
