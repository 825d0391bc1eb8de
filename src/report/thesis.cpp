// The figures and tables of Penders' evaluation, as text and as CSV. Times are in milliseconds
// unless a column says otherwise.
#include "report/thesis.hpp"

#include <fmt/format.h>

namespace antipode::report {

namespace {

std::string ms(double seconds) { return fmt::format("{:.3f}", seconds * 1e3); }
std::string seconds(double value) { return fmt::format("{:.4g}", value); }
std::string ratio(double value) { return fmt::format("{:.2f}", value); }
std::string whole(std::uint64_t number) { return std::to_string(number); }

using Graphs = std::vector<ThesisGraph>;
using Row = std::vector<std::string>;

// One row per graph; row(name, graph).
template <class ToRow>
Table one_row_each(Table table, const Graphs& graphs, ToRow row) {
  for (const ThesisGraph& graph : graphs) table.rows.push_back(row(short_name(graph.name), graph));
  return table;
}

Table sizes(const Graphs& graphs) {
  return one_row_each(make_table("table2_1", "Table 2.1: the graphs; edges as the list has them",
                                 {"graph", "vertices", "edges", "levels"}),
                      graphs, [](const std::string& name, const ThesisGraph& graph) -> Row {
                        return {name, whole(graph.order), whole(graph.edges), whole(graph.levels)};
                      });
}

Table degrees(const Graphs& graphs) {
  Table table = make_table("figure2_4", "Figure 2.4: how many vertices have each degree",
                           {"graph", "degree", "vertices"});
  for (const ThesisGraph& graph : graphs)
    for (std::size_t degree = 0; degree < graph.degrees.size(); ++degree)
      if (graph.degrees[degree] > 0)
        table.rows.push_back({short_name(graph.name), whole(degree), whole(graph.degrees[degree])});
  return table;
}

Table shares(const Graphs& graphs) {
  return one_row_each(
      make_table("figure2_7",
                 "Figure 2.7: shares of reading, initialising (copying included) and searching",
                 {"graph", "read_ms", "initialise_ms", "kernel_ms", "read_percent",
                  "initialise_percent", "kernel_percent"}),
      graphs, [](const std::string& name, const ThesisGraph& graph) -> Row {
        const double total = graph.read + graph.initialise + graph.search;
        return {name,
                ms(graph.read),
                ms(graph.initialise),
                ms(graph.search),
                ratio(100 * graph.read / total),
                ratio(100 * graph.initialise / total),
                ratio(100 * graph.search / total)};
      });
}

Table work_items(const Graphs& graphs) {
  Table table = make_table("figure4_2", "Figure 4.2: work-items of one work-group",
                           {"graph", "items", "ms", "sequential_ms"});
  for (const ThesisGraph& graph : graphs)
    for (const Sweep& sweep : graph.items)
      table.rows.push_back(
          {short_name(graph.name), whole(sweep.value), ms(sweep.seconds), ms(graph.sequential)});
  return table;
}

Table work_groups(const Graphs& graphs) {
  Table table = make_table(
      "figure4_3",
      "Figure 4.3: work-groups that wait for each other; by_host: they do not run side by "
      "side, the host waited",
      {"graph", "groups", "ms", "sequential_ms", "by_host"});
  for (const ThesisGraph& graph : graphs)
    for (const Sweep& sweep : graph.groups)
      table.rows.push_back({short_name(graph.name), whole(sweep.value), ms(sweep.seconds),
                            ms(graph.sequential), sweep.by_host ? "yes" : "no"});
  return table;
}

Table edge_orders(const Graphs& graphs) {
  Table table = make_table("figure4_4", "Figure 4.4: the order of the edges",
                           {"graph", "order", "ms", "of_as_read"});
  for (const ThesisGraph& graph : graphs)
    for (const Ordered& order : graph.orders)
      table.rows.push_back({short_name(graph.name), order.order, ms(order.seconds),
                            ratio(order.seconds / graph.orders[0].seconds)});
  return table;
}

Table relaxed(const Graphs& graphs) {
  return one_row_each(
      make_table("figure4_6", "Figure 4.6: what a search without levels gains",
                 {"graph", "bfs_ms", "relaxed_ms", "speedup", "passes", "relaxed_passes"}),
      graphs, [](const std::string& name, const ThesisGraph& graph) -> Row {
        return {name,
                ms(graph.search),
                ms(graph.relaxed),
                ratio(graph.search / graph.relaxed),
                whole(graph.levels + std::uint64_t{1}),
                whole(graph.relaxed_passes)};
      });
}

Table representations(const Graphs& graphs) {
  return one_row_each(
      make_table(
          "figure4_7", "Figure 4.7: edge lists against adjacency rows (Rodinia's), and ours",
          {"graph", "edge_ms", "vertex_ms", "ours_ms", "edge_over_vertex", "edge_over_ours"}),
      graphs, [](const std::string& name, const ThesisGraph& graph) -> Row {
        return {name,
                ms(graph.search),
                ms(graph.vertex),
                ms(graph.ours),
                ratio(graph.search / graph.vertex),
                ratio(graph.search / graph.ours)};
      });
}

Table all_pairs(const Graphs& graphs) {
  return one_row_each(
      make_table("figure5_3",
                 "Figure 5.3: all pairs, seconds for all sources (scaled up from those run); "
                 "predicted: equation 5.1",
                 {"graph", "sources_run", "measured_s", "predicted_s", "sequential_s",
                  "infinite_processors_s", "ours_s", "measured_over_predicted"}),
      graphs, [](const std::string& name, const ThesisGraph& graph) -> Row {
        const Application& all = graph.all_pairs;
        return {name,
                whole(all.sources),
                seconds(all.measured),
                seconds(all.predicted),
                seconds(all.sequential),
                seconds(graph.sequential),
                seconds(all.ours),
                ratio(all.measured / all.predicted)};
      });
}

Table betweenness(const Graphs& graphs) {
  return one_row_each(
      make_table("figure6_2",
                 "Figure 6.2: betweenness, seconds for all sources (scaled up from those run); "
                 "predicted: equation 6.3",
                 {"graph", "sources_run", "measured_s", "predicted_s", "sequential_s",
                  "measured_over_predicted"}),
      graphs, [](const std::string& name, const ThesisGraph& graph) -> Row {
        const Application& between = graph.betweenness;
        return {name,
                whole(between.sources),
                seconds(between.measured),
                seconds(between.predicted),
                seconds(between.sequential),
                ratio(between.measured / between.predicted)};
      });
}

Table times(const Graphs& graphs) {
  return one_row_each(make_table("figure7_1", "Figure 7.1: the three applications, seconds",
                                 {"graph", "bfs_s", "all_pairs_s", "betweenness_s"}),
                      graphs, [](const std::string& name, const ThesisGraph& graph) -> Row {
                        return {name, seconds(graph.search), seconds(graph.all_pairs.measured),
                                seconds(graph.betweenness.measured)};
                      });
}

Table rates(const Graphs& graphs) {
  return one_row_each(
      make_table(
          "figure7_2",
          "Figure 7.2: million edges a second by equations 7.1 to 7.3 (they count every edge "
          "in every level)",
          {"graph", "bfs", "all_pairs", "betweenness", "ours_bfs", "ours_all_pairs"}),
      graphs, [](const std::string& name, const ThesisGraph& graph) -> Row {
        const double of_one =
                         static_cast<double>(graph.levels) * static_cast<double>(graph.edges) / 1e6,
                     of_all = of_one * graph.order;
        return {name,
                seconds(of_one / graph.search),
                seconds(of_all / graph.all_pairs.measured),
                seconds(2 * of_all / graph.betweenness.measured),
                seconds(of_one / graph.ours),
                seconds(of_all / graph.all_pairs.ours)};
      });
}

Table capacity(const std::vector<Capacity>& capacities) {
  Table table =
      make_table("table7_1", "Table 7.1: vertices of the largest graph that fits, by our own sizes",
                 {"memory", "task"});
  for (const unsigned neighbors : Capacity::kNeighbors)
    table.columns.push_back(fmt::format("{}_neighbors", neighbors));
  for (const Capacity& each : capacities) {
    table.rows.push_back({each.memory, each.task});
    for (const std::uint64_t vertices : each.vertices) table.rows.back().push_back(whole(vertices));
  }
  return table;
}

}  // namespace

std::vector<Table> tables(const ThesisReport& report) {
  const Graphs& graphs = report.graphs;
  return {sizes(graphs),
          degrees(graphs),
          shares(graphs),
          work_items(graphs),
          work_groups(graphs),
          edge_orders(graphs),
          relaxed(graphs),
          representations(graphs),
          all_pairs(graphs),
          betweenness(graphs),
          times(graphs),
          rates(graphs),
          capacity(report.capacities)};
}

}  // namespace antipode::report
