// Times searches with lengths or directions on the path engine of one graph, and prints a JSON line
// per figure: median of five, in milliseconds of processor time, with a floor beside it where there
// is one: to read the arcs and write the distances once, measured in the same run.
//   bench_lengths GRAPH [--directed] [--threads N] [--engine NAME] [--sources COUNT] [--diameter]
// --directed counts arcs instead of using lengths. --diameter times whole measures instead, each
// with an engine of its own: the diameter, the same by bounds of all vertices alone, and all
// eccentricities (both without directions); then COUNT sources at once.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "antipode/io.hpp"
#include "antipode/path_engine.hpp"
#include "antipode/path_measures.hpp"

namespace {

using namespace antipode;

constexpr int kRuns = 5;

// Of all threads: others may use the machine as well.
double processor_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double milliseconds_of(const std::function<void()>& work) {
  const double start = processor_milliseconds();
  work();
  return processor_milliseconds() - start;
}

double median_of(const std::function<void()>& work) {
  std::vector<double> times(kRuns);
  for (double& time : times) time = milliseconds_of(work);
  std::sort(times.begin(), times.end());
  return times[kRuns / 2];
}

// Whole measures use several threads: their time by the clock, and that of the processors.
void print_measure(const std::string& what, const std::function<void()>& work) {
  std::vector<double> clock(kRuns), processor(kRuns);
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    processor[run] = milliseconds_of(work);
    clock[run] =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  std::sort(clock.begin(), clock.end());
  std::sort(processor.begin(), processor.end());
  fmt::print("{{\"what\": \"{}\", \"milliseconds\": {:.4f}, \"processor\": {:.4f}}}\n", what,
             clock[kRuns / 2], processor[kRuns / 2]);
}

struct Options {
  std::string graph, engine = "auto";
  unsigned threads = 1;
  std::size_t sources = 2048;
  bool directed = false, diameter = false;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&] {
      if (++i == argc) throw std::runtime_error(argument + " takes a value");
      return std::string(argv[i]);
    };
    if (argument == "--threads")
      options.threads = static_cast<unsigned>(std::stoul(value()));
    else if (argument == "--engine")
      options.engine = value();
    else if (argument == "--sources")
      options.sources = std::stoul(value());
    else if (argument == "--directed")
      options.directed = true;
    else if (argument == "--diameter")
      options.diameter = true;
    else
      options.graph = argument;
  }
  if (options.graph.empty()) throw std::runtime_error("no graph");
  return options;
}

void print(const std::string& what, double milliseconds, double floor = 0) {
  fmt::print("{{\"what\": \"{}\", \"milliseconds\": {:.4f}", what, milliseconds);
  if (floor > 0) fmt::print(", \"floor\": {:.4f}", floor);
  fmt::print("}}\n");
}

// One sequential sweep over the arcs that adds up what it reads, and writes the distances.
double floor_of(const Graph& graph, std::vector<Length>& distances) {
  const Adjacency& adjacency = graph.adjacency();
  return median_of([&] {
    for (Vertex v = 0; v < adjacency.order(); ++v) {
      Length sum = 0;
      for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc)
        sum += adjacency.length(arc) + adjacency.targets[arc];
      distances[v] = sum;
    }
  });
}

// The diameter by bounds of all vertices from searches alone [Dragan, Habib & Viennot 2018]: from
// the vertex of least lower bound, then from the farthest one if it was beyond that bound.
Length diameter_by_bounds(PathEngine& engine) {
  const std::size_t order = engine.graph().order();
  std::vector<Length> lower(order, 0), upper(order, kNoPath), distances(order);
  std::vector<bool> searched(order, false);
  Length longest = 0;
  const auto search = [&](std::size_t source) {
    const PathSearch found = engine.search(static_cast<Vertex>(source), Along::arcs, distances);
    searched[source] = true;
    longest = std::max(longest, found.eccentricity);
    for (std::size_t v = 0; v < order; ++v) {
      lower[v] = std::max(lower[v], distances[v]);
      upper[v] = std::min(upper[v], found.eccentricity + distances[v]);
    }
    lower[source] = upper[source] = found.eccentricity;
    return found.farthest;
  };
  const auto highest = [&] { return std::max_element(upper.begin(), upper.end()) - upper.begin(); };
  while (upper[static_cast<std::size_t>(highest())] > longest) {
    const auto central =
        static_cast<std::size_t>(std::min_element(lower.begin(), lower.end()) - lower.begin());
    if (searched[central]) {
      search(static_cast<std::size_t>(highest()));
      continue;
    }
    const Length expected = lower[central];
    const Vertex farthest = search(central);
    if (upper[central] > expected && !searched[farthest]) search(farthest);
  }
  return longest;
}

void measure_diameter(const Graph& graph, const Options& options) {
  const EngineOptions settings{.threads = options.threads};
  const auto engine = [&] { return make_path_engine(options.engine, graph, settings); };
  Observer observer;
  PathDiameter longest;
  print_measure("diameter", [&] {
    const auto made = engine();
    longest = diameter(*made, observer);
  });
  fmt::print("{{\"diameter\": {}, \"searches\": {}, \"lanes\": {}}}\n", longest.lower,
             longest.searches, longest.lanes);
  if (!graph.is_directed()) {
    Length bounded = 0;
    print_measure("diameter by bounds alone", [&] { bounded = diameter_by_bounds(*engine()); });
    if (bounded != longest.lower) throw std::runtime_error("bounds give another diameter");
    CheckpointStore none;
    print_measure("all eccentricities", [&] {
      const auto made = engine();
      eccentricities(*made, Along::arcs, observer, none);
    });
  }
  std::vector<Vertex> sources(std::min<std::size_t>(options.sources, graph.order()));
  for (std::size_t i = 0; i < sources.size(); ++i)
    sources[i] = static_cast<Vertex>(i * graph.order() / sources.size());
  const auto made = engine();
  made->summarize(std::span(sources).first(1), Along::arcs);
  print_measure(fmt::format("{} sources", sources.size()),
                [&] { made->summarize(sources, Along::arcs); });
}

void measure(const Options& options) {
  LoadOptions loading;
  if (options.directed)
    loading.direction = Direction::forward;
  else
    loading.lengths = Lengths::used;
  const Graph loaded = load_graph(options.graph, loading).graph;
  if (loaded.order() == 0) throw std::runtime_error("a graph without vertices");
  const Components parts = components(loaded);
  const Graph graph = loaded.is_directed() || parts.count() == 1
                          ? loaded
                          : component_subgraph(loaded, parts, parts.largest());
  const Vertex order = graph.order();
  fmt::print("{{\"graph\": \"{}\", \"order\": {}, \"size\": {}, \"threads\": {}}}\n", options.graph,
             order, graph.size(), options.threads);
  if (options.diameter) return measure_diameter(graph, options);
  std::mt19937 random(1);
  const auto any = [&] { return static_cast<Vertex>(random() % order); };
  std::vector<Length> distances(order);
  const double floor = floor_of(graph, distances);
  const EngineOptions settings{.threads = options.threads};
  const auto engine = make_path_engine(options.engine, graph, settings);
  std::vector<PathStart> starts(64);
  for (PathStart& start : starts) start = {.vertex = any(), .from = random() % 1000};

  const auto searches = [&](const std::string& when) {
    print("search" + when, median_of([&] { engine->search(any(), Along::arcs, distances); }),
          floor);
    print("search from 64 starts" + when,
          median_of([&] { engine->search_from(starts, Along::arcs, distances); }), floor);
  };
  engine->search(any(), Along::arcs, distances);
  searches("");

  // The same sources again cost less by what the first batch prepared.
  std::vector<Vertex> sources(std::min<std::size_t>(options.sources, order));
  std::iota(sources.begin(), sources.end(), Vertex{0});
  const double first = milliseconds_of([&] { engine->summarize(sources, Along::arcs); });
  const double batch = median_of([&] { engine->summarize(sources, Along::arcs); });
  const auto count = static_cast<double>(sources.size());
  print("before the first batch", std::max(first - batch, 0.0));
  print("each source of a batch", batch / count, floor / 16);
  const std::span<const Vertex> few(sources.data(), std::min<std::size_t>(sources.size(), 256));
  const double rows =
      median_of([&] { engine->rows(few, Along::arcs, [](Vertex, std::span<const Length>) {}); });
  print("each source with its distances", rows / static_cast<double>(few.size()), floor);
  searches(", after batches");
  const PathCosts costs = engine->costs();
  fmt::print("{{\"costs\": {{\"batch\": {}, \"source\": {:.4f}, \"setup\": {:.1f}}}}}\n",
             costs.batch, costs.source, costs.setup);
}

}  // namespace

int main(int argc, char** argv) try {
  measure(parse(argc, argv));
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_lengths: %s\n", error.what());
  return 1;
}
