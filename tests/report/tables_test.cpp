// The tables of the published evaluations, from results made by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "report/paper.hpp"
#include "report/thesis.hpp"

namespace antipode::testing {
namespace {

using report::Table;
using Row = std::vector<std::string>;

const Table& named(const std::vector<Table>& tables, const std::string& name) {
  const auto at = std::find_if(tables.begin(), tables.end(),
                               [&](const Table& table) { return table.name == name; });
  EXPECT_NE(at, tables.end()) << name;
  return at == tables.end() ? tables.front() : *at;
}

void expect_full_rows(const std::vector<Table>& tables) {
  for (const Table& table : tables)
    for (const Row& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
}

PaperRun run_of(Distance diameter, std::uint64_t searches, double seconds) {
  PaperRun run;
  run.diameter = diameter;
  run.searches = searches;
  run.seconds[PaperRun::eccentricity] = seconds;
  run.seconds[PaperRun::bounds] = seconds;
  return run;
}

report::PaperReport paper_report() {
  report::PaperReport result;
  result.kernels = {"standard", "pointers"};
  result.pointers = 1;
  report::PaperGraph graph;
  graph.name = "data/WikiTalk.txt";
  graph.vertices = 5;
  graph.edges = 4;
  graph.effective = 2;
  graph.sequential = run_of(4, 3, 0.008);
  graph.runs = {run_of(4, 3, 0.004), run_of(4, 3, 0.002)};
  graph.trace = {{.active = 1, .left = 4, .thread_seconds = 1e-6, .warp_seconds = 3e-6},
                 {.active = 4, .left = 0, .thread_seconds = 3e-6, .warp_seconds = 1e-6}};
  result.graphs = {graph};
  result.graphs.push_back(graph);
  result.graphs.back().name = "gen:karate";
  result.surface = {{8, 2, {.active = 8, .left = 0, .thread_seconds = 4e-6, .warp_seconds = 2e-6}}};
  return result;
}

TEST(PaperTables, compare_the_best_variant_with_the_sequential_version_and_the_paper) {
  const auto tables = report::tables(paper_report());
  expect_full_rows(tables);
  const Table& table2 = named(tables, "table2");
  ASSERT_EQ(table2.rows.size(), 2u);
  EXPECT_EQ(table2.rows[0], (Row{"WikiTalk", "5", "4", "4", "2.00", "3", "4.000", "4.00", "16.000",
                                 "9", "4", "7", "97.02", "11.07"}));
  EXPECT_EQ(table2.rows[1][9], "");  // not in the paper
  EXPECT_EQ(named(tables, "figure7").rows[0], (Row{"WikiTalk", "0.5000", "4.00"}));
  EXPECT_EQ(named(tables, "figure8").columns,
            (Row{"graph", "standard", "pointers", "S_standard", "S_pointers"}));
  EXPECT_EQ(named(tables, "figure8").rows[0], (Row{"WikiTalk", "8.000", "4.000", "2.00", "4.00"}));
}

TEST(PaperTables, break_the_time_down_by_component_and_by_level) {
  const auto tables = report::tables(paper_report());
  const Table& table3 = named(tables, "table3");
  ASSERT_EQ(table3.rows.size(), 5u);
  EXPECT_EQ(table3.rows[PaperRun::eccentricity], (Row{"Eccentricity", "50.00", "4.00", "4.00"}));
  EXPECT_EQ(table3.rows[PaperRun::selection], (Row{"Candidate selection", "0.00", "0.00", "0.00"}));
  EXPECT_EQ(named(tables, "figure9").rows[0], (Row{"8", "2", "4.00", "2.00", "2.000"}));
  ASSERT_EQ(named(tables, "figure10").rows.size(), 4u);
  EXPECT_EQ(named(tables, "figure10").rows[1],
            (Row{"WikiTalk", "1", "4", "0", "3.00", "1.00", "75.000", "25.000"}));
}

TEST(PaperTables, have_no_rows_where_no_graph_was_measured) {
  for (const Table& table : report::tables(report::PaperReport()))
    if (table.name != "table3") {
      EXPECT_TRUE(table.rows.empty()) << table.name;
    }
}

ThesisGraph thesis_graph() {
  ThesisGraph graph;
  graph.name = "a.txt";
  graph.order = 10;
  graph.edges = 2'000'000;
  graph.levels = 3;
  graph.degrees = {0, 4, 6};
  graph.read = 1;
  graph.initialise = 2;
  graph.search = 1;
  graph.sequential = 0.5;
  graph.items = {{.value = 256, .seconds = 0.25}};
  graph.groups = {{.value = 2, .seconds = 0.125, .by_host = true}};
  graph.orders = {{"as read", 2}, {"scattered", 1}};
  graph.relaxed = 0.5;
  graph.relaxed_passes = 7;
  graph.vertex = 4;
  graph.ours = 0.25;
  graph.all_pairs = {.measured = 20, .predicted = 10, .sequential = 40, .ours = 5, .sources = 2};
  graph.betweenness = {.measured = 6, .predicted = 12, .sequential = 24, .sources = 2};
  return graph;
}

TEST(ThesisTables, are_those_of_the_thesis_in_its_order) {
  report::ThesisReport report;
  report.graphs = {thesis_graph()};
  report.capacities = {{"1.0 GiB", "BFS", {100, 50, 25}}};
  const auto tables = report::tables(report);
  expect_full_rows(tables);
  Row names;
  for (const Table& table : tables) names.push_back(table.name);
  EXPECT_EQ(names, (Row{"table2_1", "figure2_4", "figure2_7", "figure4_2", "figure4_3", "figure4_4",
                        "figure4_6", "figure4_7", "figure5_3", "figure6_2", "figure7_1",
                        "figure7_2", "table7_1"}));
}

TEST(ThesisTables, convert_units_and_form_ratios) {
  report::ThesisReport report;
  report.graphs = {thesis_graph()};
  report.capacities = {{"1.0 GiB", "BFS", {100, 50, 25}}};
  const auto tables = report::tables(report);
  const auto first_row = [&](const std::string& name) { return named(tables, name).rows.at(0); };
  EXPECT_EQ(first_row("table2_1"), (Row{"a", "10", "2000000", "3"}));
  EXPECT_EQ(named(tables, "figure2_4").rows, (std::vector<Row>{{"a", "1", "4"}, {"a", "2", "6"}}));
  EXPECT_EQ(first_row("figure2_7"),
            (Row{"a", "1000.000", "2000.000", "1000.000", "25.00", "50.00", "25.00"}));
  EXPECT_EQ(first_row("figure4_2"), (Row{"a", "256", "250.000", "500.000"}));
  EXPECT_EQ(first_row("figure4_3"), (Row{"a", "2", "125.000", "500.000", "yes"}));
  EXPECT_EQ(named(tables, "figure4_4").rows[1], (Row{"a", "scattered", "1000.000", "0.50"}));
  EXPECT_EQ(first_row("figure4_6"), (Row{"a", "1000.000", "500.000", "2.00", "4", "7"}));
  EXPECT_EQ(first_row("figure4_7"), (Row{"a", "1000.000", "4000.000", "250.000", "0.25", "4.00"}));
  EXPECT_EQ(first_row("figure5_3"), (Row{"a", "2", "20", "10", "40", "0.5", "5", "2.00"}));
  EXPECT_EQ(first_row("figure6_2"), (Row{"a", "2", "6", "12", "24", "0.50"}));
  EXPECT_EQ(first_row("figure7_1"), (Row{"a", "1", "20", "6"}));
  EXPECT_EQ(first_row("figure7_2"), (Row{"a", "6", "3", "20", "24", "12"}));
  EXPECT_EQ(named(tables, "table7_1").columns,
            (Row{"memory", "task", "3_neighbors", "12_neighbors", "24_neighbors"}));
  EXPECT_EQ(first_row("table7_1"), (Row{"1.0 GiB", "BFS", "100", "50", "25"}));
}

TEST(Tables, are_cut_as_text_and_whole_as_csv) {
  Table table = report::make_table("t", "A title", {"a", "b"});
  table.rows = {{"1", "2"}, {"3", "4"}};
  const std::string text = report::text(table, 1, 1);
  EXPECT_EQ(text.rfind("A title\n", 0), 0u) << text;
  EXPECT_EQ(text.find('2'), std::string::npos) << text;
  EXPECT_EQ(report::csv(table), "a,b\n1,2\n3,4\n");
}

}  // namespace
}  // namespace antipode::testing
