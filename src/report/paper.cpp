// The tables and figures of Dal, Kosters and Takes' evaluation, as text and as CSV.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/common.hpp"
#include "report/paper.hpp"

namespace antipode::report {

namespace {

// Their Table II: D, D90, I, T in milliseconds, S.
struct Published {
  std::string_view name;
  struct {
    Distance diameter;
    double effective;
    unsigned searches;
  } network;
  struct {
    double milliseconds, speedup;
  } search;
};
constexpr Published kPublished[] = {
    {"Amazon0601", {21, 7.6, 28}, {143.68, 13.34}},
    {"as-skitter", {25, 5.9, 6}, {138.85, 8.75}},
    {"cit-Patents", {22, 9.4, 111}, {4515.64, 21.11}},
    {"com-amazon", {44, 15, 7}, {24.71, 11.95}},
    {"com-dblp", {22, 8.1, 8}, {21.78, 13.56}},
    {"com-LiveJournal", {18, 6.4, 9}, {519.04, 16.12}},
    {"com-youtube", {21, 6.5, 2}, {17.26, 13.66}},
    {"Email-EuAll", {13, 4.5, 3}, {8.95, 5.85}},
    {"roadNet-CA", {850, 500, 181}, {12381.40, 2.45}},
    {"roadNet-PA", {782, 539, 61}, {2508.87, 2.22}},
    {"roadNet-TX", {1049, 670, 83}, {5194.15, 1.84}},
    {"soc-LiveJournal1", {18, 6.5, 6}, {437.18, 16.01}},
    {"soc-Pokec", {11, 5.3, 3}, {110.88, 14.01}},
    {"web-BerkStan", {669, 10, 5}, {153.72, 2.06}},
    {"web-Google", {22, 8.1, 5}, {47.38, 12.25}},
    {"web-NotreDame", {46, 9.3, 3}, {16.35, 4.05}},
    {"web-Stanford", {740, 9.8, 7}, {111.23, 1.88}},
    {"WikiTalk", {9, 4, 7}, {97.02, 11.07}},
};

const Published* find_published(const std::string& graph) {
  const std::string file = graph.substr(graph.find_last_of('/') + 1);
  for (const auto& row : kPublished)
    if (file.starts_with(row.name) &&
        (file.size() == row.name.size() || file[row.name.size()] == '.'))
      return &row;
  return nullptr;
}

constexpr std::string_view kComponents[] = {"Initialization", "Candidate selection", "Eccentricity",
                                            "Updating bounds", "Updating candidates"};

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

const PaperRun& best(const PaperGraph& graph) {
  return *std::min_element(
      graph.runs.begin(), graph.runs.end(),
      [](const PaperRun& a, const PaperRun& b) { return a.total() < b.total(); });
}

double speedup_of(const PaperGraph& graph) {
  return graph.sequential.total() / best(graph).total();
}

Table comparison(const std::vector<PaperGraph>& graphs) {
  Table table = make_table(
      "table2",
      "Table II: T in ms (best variant), S over the sequential version, I; the paper's beside them",
      {"graph", "vertices", "edges", "D", "D90", "I", "T", "S", "sequential", "paper_D",
       "paper_D90", "paper_I", "paper_T", "paper_S"});
  for (const PaperGraph& graph : graphs) {
    const PaperRun& run = best(graph);
    std::vector<std::string> row{short_name(graph.name),
                                 std::to_string(graph.vertices),
                                 std::to_string(graph.edges),
                                 std::to_string(run.diameter),
                                 fmt::format("{:.2f}", graph.effective),
                                 std::to_string(run.searches),
                                 fmt::format("{:.3f}", run.total() * 1e3),
                                 fmt::format("{:.2f}", speedup_of(graph)),
                                 fmt::format("{:.3f}", graph.sequential.total() * 1e3)};
    if (const Published* theirs = find_published(graph.name); theirs != nullptr)
      for (const auto& cell :
           {std::to_string(theirs->network.diameter), fmt::format("{}", theirs->network.effective),
            std::to_string(theirs->network.searches),
            fmt::format("{}", theirs->search.milliseconds),
            fmt::format("{}", theirs->search.speedup)})
        row.push_back(cell);
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Shares and speedups of one variant's components.
Table components(const std::vector<PaperGraph>& graphs, std::size_t variant) {
  Table table =
      make_table("table3", "Table III: components of the Pointers variant, over all graphs",
                 {"component", "mean_share_percent", "mean_speedup", "geometric_mean_speedup"});
  for (std::size_t c = 0; c < std::size(kComponents); ++c) {
    std::vector<double> shares, speedups;
    for (const PaperGraph& graph : graphs) {
      const PaperRun& run = graph.runs[variant];
      shares.push_back(run.seconds[c] / run.total());
      if (run.seconds[c] > 0 && graph.sequential.seconds[c] > 0)
        speedups.push_back(graph.sequential.seconds[c] / run.seconds[c]);
    }
    table.rows.push_back({std::string(kComponents[c]), fmt::format("{:.2f}", 100 * mean(shares)),
                          fmt::format("{:.2f}", mean(speedups)),
                          fmt::format("{:.2f}", geometric_mean(speedups))});
  }
  return table;
}

Table effective_diameters(const std::vector<PaperGraph>& graphs) {
  Table table = make_table("figure7", "Figure 7: D90/D and the speedup of the best variant",
                           {"graph", "D90/D", "S"});
  for (const PaperGraph& graph : graphs)
    if (const Distance diameter = best(graph).diameter; diameter > 0)
      table.rows.push_back({short_name(graph.name),
                            fmt::format("{:.4f}", graph.effective / diameter),
                            fmt::format("{:.2f}", speedup_of(graph))});
  return table;
}

Table variants(const PaperReport& report) {
  Table table =
      make_table("figure8",
                 "Figure 8: T in ms of the six variants and of auto; speedups over the sequential "
                 "version in the CSV",
                 {"graph"});
  for (const auto& kernel : report.kernels) table.columns.push_back(kernel);
  for (const auto& kernel : report.kernels) table.columns.push_back("S_" + kernel);
  for (const PaperGraph& graph : report.graphs) {
    std::vector<std::string> row{short_name(graph.name)};
    for (const PaperRun& run : graph.runs) row.push_back(fmt::format("{:.3f}", run.total() * 1e3));
    for (const PaperRun& run : graph.runs)
      row.push_back(fmt::format("{:.2f}", graph.sequential.total() / run.total()));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table surface(const std::vector<PaperSurface>& points) {
  Table table = make_table("figure9", "Figure 9: speedup of a level by warps over one by threads",
                           {"active", "length", "thread_us", "warp_us", "speedup"});
  for (const PaperSurface& point : points)
    table.rows.push_back(
        {std::to_string(point.active), std::to_string(point.length),
         fmt::format("{:.2f}", point.level.thread_seconds * 1e6),
         fmt::format("{:.2f}", point.level.warp_seconds * 1e6),
         fmt::format("{:.3f}", point.level.thread_seconds / point.level.warp_seconds)});
  return table;
}

Table levels(const std::vector<PaperGraph>& graphs) {
  Table table = make_table(
      "figure10",
      "Figure 10: level by level, active and left vertices and each kernel's share of its runtime",
      {"graph", "level", "active", "left", "thread_us", "warp_us", "thread_percent",
       "warp_percent"});
  for (const PaperGraph& graph : graphs) {
    double by_thread = 0, by_warp = 0;
    for (const LevelTrace& level : graph.trace)
      by_thread += level.thread_seconds, by_warp += level.warp_seconds;
    for (std::size_t d = 0; d < graph.trace.size(); ++d) {
      const LevelTrace& level = graph.trace[d];
      table.rows.push_back({short_name(graph.name), std::to_string(d), std::to_string(level.active),
                            std::to_string(level.left),
                            fmt::format("{:.2f}", level.thread_seconds * 1e6),
                            fmt::format("{:.2f}", level.warp_seconds * 1e6),
                            fmt::format("{:.3f}", 100 * level.thread_seconds / by_thread),
                            fmt::format("{:.3f}", 100 * level.warp_seconds / by_warp)});
    }
  }
  return table;
}

}  // namespace

std::vector<Table> tables(const PaperReport& report) {
  const std::vector<PaperGraph>& graphs = report.graphs;
  return {comparison(graphs),          components(graphs, report.pointers),
          effective_diameters(graphs), variants(report),
          surface(report.surface),     levels(graphs)};
}

}  // namespace antipode::report
