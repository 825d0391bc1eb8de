// The figures and tables of Penders' evaluation, as text and as CSV. Times are in milliseconds
// unless a column says otherwise.
#include "report/thesis.hpp"

#include <fmt/format.h>

namespace antipode::report {

namespace {

std::string ms(double seconds) { return fmt::format("{:.3f}", seconds * 1e3); }
std::string ratio(double value) { return fmt::format("{:.2f}", value); }
std::string whole(std::uint64_t number) { return std::to_string(number); }

}  // namespace

std::vector<Table> tables(const ThesisReport& report) {
  Table graphs = make_table("table2_1", "Table 2.1: the graphs; edges as the list has them",
                            {"graph", "vertices", "edges", "levels"});
  Table degrees = make_table("figure2_4", "Figure 2.4: how many vertices have each degree",
                             {"graph", "degree", "vertices"});
  Table shares = make_table(
      "figure2_7", "Figure 2.7: shares of reading, initialising (copying included) and searching",
      {"graph", "read_ms", "initialise_ms", "kernel_ms", "read_percent", "initialise_percent",
       "kernel_percent"});
  Table items = make_table("figure4_2", "Figure 4.2: work-items of one work-group",
                           {"graph", "items", "ms", "sequential_ms"});
  Table groups = make_table(
      "figure4_3",
      "Figure 4.3: work-groups that wait for each other; by_host: they do not run side by "
      "side, the host waited",
      {"graph", "groups", "ms", "sequential_ms", "by_host"});
  Table orders = make_table("figure4_4", "Figure 4.4: the order of the edges",
                            {"graph", "order", "ms", "of_as_read"});
  Table relaxed =
      make_table("figure4_6", "Figure 4.6: what a search without levels gains",
                 {"graph", "bfs_ms", "relaxed_ms", "speedup", "passes", "relaxed_passes"});
  Table kinds = make_table(
      "figure4_7", "Figure 4.7: edge lists against adjacency rows (Rodinia's), and ours",
      {"graph", "edge_ms", "vertex_ms", "ours_ms", "edge_over_vertex", "edge_over_ours"});
  Table pairs =
      make_table("figure5_3",
                 "Figure 5.3: all pairs, seconds for all sources (scaled up from those run); "
                 "predicted: equation 5.1",
                 {"graph", "sources_run", "measured_s", "predicted_s", "sequential_s",
                  "infinite_processors_s", "ours_s", "measured_over_predicted"});
  Table dependencies =
      make_table("figure6_2",
                 "Figure 6.2: betweenness, seconds for all sources (scaled up from those run); "
                 "predicted: equation 6.3",
                 {"graph", "sources_run", "measured_s", "predicted_s", "sequential_s",
                  "measured_over_predicted"});
  Table times = make_table("figure7_1", "Figure 7.1: the three applications, seconds",
                           {"graph", "bfs_s", "all_pairs_s", "betweenness_s"});
  Table rates = make_table(
      "figure7_2",
      "Figure 7.2: million edges a second by equations 7.1 to 7.3 (they count every edge "
      "in every level)",
      {"graph", "bfs", "all_pairs", "betweenness", "ours_bfs", "ours_all_pairs"});
  for (const ThesisGraph& graph : report.graphs) {
    const std::string name = short_name(graph.name);
    graphs.rows.push_back({name, whole(graph.order), whole(graph.edges), whole(graph.levels)});
    for (std::size_t degree = 0; degree < graph.degrees.size(); ++degree)
      if (graph.degrees[degree] > 0)
        degrees.rows.push_back({name, whole(degree), whole(graph.degrees[degree])});
    const double total = graph.read + graph.initialise + graph.search;
    shares.rows.push_back({name, ms(graph.read), ms(graph.initialise), ms(graph.search),
                           ratio(100 * graph.read / total), ratio(100 * graph.initialise / total),
                           ratio(100 * graph.search / total)});
    for (const Sweep& sweep : graph.items)
      items.rows.push_back({name, whole(sweep.value), ms(sweep.seconds), ms(graph.sequential)});
    for (const Sweep& sweep : graph.groups)
      groups.rows.push_back({name, whole(sweep.value), ms(sweep.seconds), ms(graph.sequential),
                             sweep.by_host ? "yes" : "no"});
    for (const Ordered& order : graph.orders)
      orders.rows.push_back(
          {name, order.order, ms(order.seconds), ratio(order.seconds / graph.orders[0].seconds)});
    relaxed.rows.push_back({name, ms(graph.search), ms(graph.relaxed),
                            ratio(graph.search / graph.relaxed),
                            whole(graph.levels + std::uint64_t{1}), whole(graph.relaxed_passes)});
    kinds.rows.push_back({name, ms(graph.search), ms(graph.vertex), ms(graph.ours),
                          ratio(graph.search / graph.vertex), ratio(graph.search / graph.ours)});
    const auto seconds = [](double value) { return fmt::format("{:.4g}", value); };
    const Application &all = graph.all_pairs, &between = graph.betweenness;
    pairs.rows.push_back({name, whole(all.sources), seconds(all.measured), seconds(all.predicted),
                          seconds(all.sequential), seconds(graph.sequential), seconds(all.ours),
                          ratio(all.measured / all.predicted)});
    dependencies.rows.push_back({name, whole(between.sources), seconds(between.measured),
                                 seconds(between.predicted), seconds(between.sequential),
                                 ratio(between.measured / between.predicted)});
    times.rows.push_back(
        {name, seconds(graph.search), seconds(all.measured), seconds(between.measured)});
    const double looked_at =
                     static_cast<double>(graph.levels) * static_cast<double>(graph.edges) / 1e6,
                 of_all_sources = looked_at * graph.order;
    rates.rows.push_back({name, seconds(looked_at / graph.search),
                          seconds(of_all_sources / all.measured),
                          seconds(2 * of_all_sources / between.measured),
                          seconds(looked_at / graph.ours), seconds(of_all_sources / all.ours)});
  }
  Table capacity =
      make_table("table7_1", "Table 7.1: vertices of the largest graph that fits, by our own sizes",
                 {"memory", "task"});
  for (const unsigned neighbors : Capacity::kNeighbors)
    capacity.columns.push_back(fmt::format("{}_neighbors", neighbors));
  for (const Capacity& each : report.capacities) {
    capacity.rows.push_back({each.memory, each.task});
    for (const std::uint64_t vertices : each.vertices)
      capacity.rows.back().push_back(whole(vertices));
  }
  return {graphs, degrees, shares,       items, groups, orders,  relaxed,
          kinds,  pairs,   dependencies, times, rates,  capacity};
}

}  // namespace antipode::report
