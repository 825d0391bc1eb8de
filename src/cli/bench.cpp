// antipode bench paper GRAPH… and bench thesis GRAPH…: the evaluations of Dal, Kosters and Takes
// and of Penders, on the graphs given.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "cli/session.hpp"
#include "evaluation/paper.hpp"
#include "evaluation/thesis.hpp"
#include "report/paper.hpp"
#include "report/thesis.hpp"

namespace antipode::cli {

namespace {

struct Options {
  std::string what, engine = "cuda", layout = "lists", device, output;
  std::vector<std::string> graphs;
  int runs = 5;
  std::size_t samples = 64;
  double patience = 5;
  bool quiet = false, surface = false, directed = false;
};

void print_tables(const std::vector<report::Table>& tables, const Options& options,
                  std::size_t figure8_columns = 0) {
  for (const report::Table& table : tables) {
    if (table.rows.empty()) continue;
    constexpr std::size_t kColumns = 14, kRows = 60;
    print_out(report::text(table, table.name == "figure8" ? figure8_columns : kColumns, kRows));
    if (options.output.empty()) continue;
    if (std::error_code failed; std::filesystem::create_directories(options.output, failed), failed)
      throw DeviceError(options.output + ": cannot be made a folder: " + failed.message());
    write_text((std::filesystem::path(options.output) / (table.name + ".csv")).string(),
               report::csv(table));
  }
}

// Between two searches and two timed runs a signal is heeded; the graphs measured by then count.
template <class Measured, class Work>
ExitCode until_stopped(const Options& options, const std::vector<Measured>& graphs, Work work) {
  catch_interrupts();
  CommonOptions silent;
  silent.quiet = true;
  const LoadWatch watch(silent);
  try {
    work();
    return kExact;
  } catch (const Interrupted&) {
    if (graphs.empty()) throw;
    say(fmt::format("stopped: {} of {} graphs are measured\n", graphs.size(),
                    options.graphs.size()));
    return kStoppedEarly;
  }
}

template <class Run>
PaperRun median_of(int runs, Run run) {
  constexpr double kPatience = 5;  // seconds; a run that takes longer need not be repeated
  std::vector<PaperRun> all;
  if (const PaperRun first = run(); first.total() > kPatience) return first;
  for (int i = 0; i < runs; ++i) all.push_back(run());
  std::sort(all.begin(), all.end(),
            [](const PaperRun& a, const PaperRun& b) { return a.total() < b.total(); });
  return all[all.size() / 2];
}

report::PaperGraph measure(const std::string& where, const Options& options,
                           const std::vector<std::string>& kernels) {
  const LoadedGraph loaded = load_graph(where);
  const Components parts = components(loaded.graph);
  if (parts.count() == 0)
    throw InputError(where, "a graph without vertices has nothing to measure");
  const Graph graph = component_subgraph(loaded.graph, parts, parts.largest());
  report::PaperGraph result;
  result.name = where;
  result.vertices = graph.order();
  result.edges = graph.size();
  result.sequential =
      median_of(std::min(options.runs, 3), [&] { return sequential_paper_run(graph); });
  for (const std::string& kernel : kernels) {
    const auto engine =
        make_engine(options.engine, graph, {.kernel = kernel, .layout = options.layout});
    result.runs.push_back(median_of(options.runs, [&] { return paper_run(*engine); }));
    if (kernel != "hybrid") continue;
    result.effective = effective_diameter(*engine, options.samples, 1);
    engine->bounds().reset();
    result.trace = trace(*engine, engine->bounds().select(Select::largest_upper, kLatest));
  }
  for (const PaperRun& run : result.runs)
    if (run.diameter != result.sequential.diameter)
      throw Error(fmt::format("{}: diameter {} and, sequentially, {}", where, run.diameter,
                              result.sequential.diameter));
  return result;
}

std::vector<report::PaperSurface> surface(const Options& options) {
  constexpr Vertex kOrder = 1 << 20;
  std::vector<report::PaperSurface> result;
  for (Vertex active = 1; active <= kOrder / 8; active *= 8)
    for (Vertex length = 2; length <= 2048; length *= 4) {
      if (std::uint64_t{active} * length > std::uint64_t{1} << 25) continue;
      const auto engine = make_engine(options.engine, equal_lists(kOrder, active, length),
                                      {.kernel = "hybrid", .layout = options.layout});
      result.push_back({active, length, trace(*engine, 0)[1]});
    }
  return result;
}

ExitCode run_paper(const Options& options) {
  const auto list = engines();
  const auto engine = std::find_if(list.begin(), list.end(), [&](const EngineInfo& info) {
    return info.name == options.engine;
  });
  report::PaperReport report;
  if (engine != list.end()) report.kernels = engine->kernels;
  constexpr std::string_view kTheirs[] = {
      "auto",     "standard", "pointers", "busy-wait",
      "textures", "warp",     "hybrid"};  // and ours beside them
  std::erase_if(report.kernels, [&](const std::string& name) {
    return std::find(std::begin(kTheirs), std::end(kTheirs), name) == std::end(kTheirs);
  });
  std::rotate(report.kernels.begin(), report.kernels.begin() + (report.kernels.empty() ? 0 : 1),
              report.kernels.end());  // auto last
  const auto pointers = std::find(report.kernels.begin(), report.kernels.end(), "pointers");
  if (pointers == report.kernels.end())
    throw DeviceError("engine '" + options.engine +
                      "' does not have the paper's kernels: they need one that 'antipode engines' "
                      "lists with them");
  report.pointers = static_cast<std::size_t>(pointers - report.kernels.begin());
  const ExitCode code = until_stopped(options, report.graphs, [&] {
    for (const std::string& graph : options.graphs) {
      if (!options.quiet) say(graph + "\n");
      report.graphs.push_back(measure(graph, options, report.kernels));
    }
    if (options.surface) report.surface = surface(options);
  });
  print_tables(report::tables(report), options, report.kernels.size() + 1);
  return code;
}

// Table 7.1 for the thesis's memories and the device's own.
std::vector<report::Capacity> capacities(std::uint64_t memory) {
  constexpr std::uint64_t kGiB = 1 << 30;
  constexpr std::pair<ThesisTask, const char*> kTasks[] = {
      {ThesisTask::search, "BFS"},
      {ThesisTask::all_pairs, "all pairs"},
      {ThesisTask::betweenness, "betweenness"}};
  std::vector<report::Capacity> result;
  for (const std::uint64_t bytes : {24 * kGiB, 3 * kGiB, 3 * kGiB / 2, memory})
    for (const auto& [task, name] : kTasks) {
      const Footprint each = footprint(task);
      result.push_back({fmt::format("{:.1f} GiB", static_cast<double>(bytes) / kGiB), name, {}});
      for (const unsigned neighbors : report::Capacity::kNeighbors)
        result.back().vertices.push_back(
            std::min<std::uint64_t>(kMaxOrder, bytes / (each.vertex + neighbors * each.arc)));
    }
  return result;
}

ThesisGraph thesis_graph(const std::string& where, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const LoadedGraph loaded =
      load_graph(where, "auto", options.directed ? Direction::forward : Direction::none);
  const double read =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (loaded.graph.order() == 0)
    throw InputError(where, "a graph without vertices has nothing to measure");
  const ThesisOptions settings{.device = options.device,
                               .runs = options.runs,
                               .samples = options.samples,
                               .patience = options.patience};
  return thesis_run(where, loaded.graph, read, settings, [&](std::string_view what) {
    if (!options.quiet) say(fmt::format("{}: {}\n", where, what));
  });
}

ExitCode run_thesis(const Options& options) {
  report::ThesisReport report;
  const ExitCode code = until_stopped(options, report.graphs, [&] {
    for (const std::string& where : options.graphs)
      report.graphs.push_back(thesis_graph(where, options));
  });
  report.capacities = capacities(report.graphs.front().memory);
  print_tables(report::tables(report), options);
  return code;
}

}  // namespace

std::function<ExitCode()> configure_bench(Command command) {
  auto options = std::make_shared<Options>();
  command
      .add_option("what", options->what,
                  "paper: Dal, Kosters & Takes 2014; thesis: Penders 2012, on an OpenCL device")
      .required()
      .one_of({"paper", "thesis"});
  command.add_option("graphs", options->graphs, "files, or gen:KIND?key=value&…").required();
  command.add_option("--engine", options->engine, "one that has the paper's kernels")
      .show_default();
  command.add_option("--device", options->device,
                     "thesis: a number or a part of a name that 'antipode engines' lists");
  command.add_flag("--directed", options->directed, "thesis: edges as they are given, one way");
  command.add_option("--layout", options->layout, "of the padded adjacency: lists or matrix")
      .one_of({"lists", "matrix"})
      .show_default();
  command.add_option("--runs", options->runs, "timed runs, of which the median counts")
      .between(1, 1000)
      .show_default();
  command
      .add_option("--samples", options->samples,
                  "sources: paper, for D90; thesis, of all pairs and betweenness")
      .positive()
      .show_default();
  command
      .add_option("--patience", options->patience,
                  "thesis: seconds; what takes longer is not repeated, and sweeps end there")
      .positive()
      .show_default();
  command.add_flag("--surface", options->surface, "figure 9, too: list length × active vertices");
  command.add_option(
      "--output", options->output,
      "a folder for the tables as CSV; bench/paper.py or bench/thesis.py draws them");
  command.add_flag("--quiet", options->quiet, "no progress");
  return
      [options] { return options->what == "paper" ? run_paper(*options) : run_thesis(*options); };
}

}  // namespace antipode::cli
