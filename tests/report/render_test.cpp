// Answers as text and as JSON, from results made by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <numeric>
#include <sstream>

#include "report/paths.hpp"
#include "report/report.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

using report::Style;
using Json = nlohmann::json;

report::Context context(const std::string& measure, const Graph& graph) {
  report::Context result;
  result.measure = measure;
  result.graph_name = "graph.txt";
  result.format = "snap";
  result.vertices = result.used_vertices = graph.order();
  result.edges = result.used_edges = graph.size();
  result.components = 1;
  result.engine = "cpu";
  result.engine_detail = "1 thread";
  return result;
}

TEST(Render, a_diameter_with_its_path) {
  const Graph graph = generated("path?n=4");
  report::DiameterReport answer;
  answer.parts.push_back({graph, {}});
  PathDiameter& diameter = answer.parts.front().diameter;
  diameter.lower = diameter.upper = 3;
  diameter.witness = {0, 3, {0, 1, 2, 3}};
  diameter.searches = 2;
  const Json json = Json::parse(render(context("diameter", graph), answer, Style::json));
  EXPECT_EQ(json.at("measure"), "diameter");
  EXPECT_EQ(json.at("value"), 3);
  EXPECT_EQ(json.at("lower"), 3);
  EXPECT_EQ(json.at("upper"), 3);
  EXPECT_EQ(json.at("exact"), true);
  EXPECT_EQ(json.at("searches"), 2);
  EXPECT_EQ(json.at("witness").at("path").size(), 4u);
  EXPECT_EQ(json.at("graph").at("vertices"), 4);
  const std::string text = render(context("diameter", graph), answer, Style::text);
  EXPECT_EQ(text.rfind("diameter 3", 0), 0u) << text;
}

TEST(Render, bounds_where_a_diameter_was_stopped) {
  const Graph graph = generated("path?n=4");
  report::DiameterReport answer;
  answer.parts.push_back({graph, {}});
  PathDiameter& diameter = answer.parts.front().diameter;
  diameter.lower = 2;
  diameter.upper = 3;
  diameter.witness = {0, 2, {0, 1, 2}};
  const Json json = Json::parse(render(context("diameter", graph), answer, Style::json));
  EXPECT_EQ(json.at("exact"), false);
  EXPECT_EQ(json.at("lower"), 2);
  EXPECT_EQ(json.at("upper"), 3);
  EXPECT_TRUE(json.at("value").is_null());
}

TEST(Render, an_infinite_diameter_with_two_vertices_apart) {
  const Graph graph = graph_of(4, {{0, 1}, {2, 3}});
  report::DiameterReport answer;
  answer.kind = report::DiameterReport::Kind::infinite;
  answer.apart = {graph, 0, 2};
  const std::string text = render(context("diameter", graph), answer, Style::text);
  EXPECT_NE(text.find("infinite"), std::string::npos) << text;
  EXPECT_NO_THROW(Json::parse(render(context("diameter", graph), answer, Style::json)));
}

TEST(Render, names_with_control_characters_are_escaped_in_text_and_kept_in_json) {
  report::ClosenessReport answer;
  answer.graph = generated("path?n=3");
  answer.formula = "wasserman-faust";
  answer.ranking = {{1, 1.0}};
  const Graph graph = answer.graph;
  report::Context of = context("closeness", graph);
  of.graph_name = "a\033[31mb";
  const std::string text = render(of, answer, Style::text);
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NO_THROW(Json::parse(render(of, answer, Style::json)));
}

TEST(Render, the_highest_values_come_first_and_ties_in_the_order_of_the_list) {
  const auto ranked = report::highest({1, 5, 3, 5, 2}, 3);
  ASSERT_EQ(ranked.size(), 3u);
  EXPECT_EQ(ranked[0].place, 1u);
  EXPECT_EQ(ranked[1].place, 3u);
  EXPECT_EQ(ranked[2].place, 2u);
  EXPECT_EQ(report::highest({1, 2}, 10).size(), 2u);
  EXPECT_TRUE(report::highest({}, 10).empty());
}

TEST(Render, an_average_without_pairs_is_undefined) {
  report::AverageReport answer;
  answer.undefined = true;
  answer.order = 1;
  const Graph graph = graph_of(1, {});
  const Json json = Json::parse(render(context("average", graph), answer, Style::json));
  EXPECT_TRUE(json.at("value").is_null());
  EXPECT_EQ(json.at("undefined"), true);
}

report::ClosenessReport closeness_report() {
  report::ClosenessReport answer;
  answer.graph = generated("path?n=3");
  answer.formula = "classic";
  answer.ranking = {{1, 1.0}, {0, 0.5}};
  answer.searches = 3;
  return answer;
}

TEST(Render, closeness_ranks_vertices_by_their_labels) {
  const report::ClosenessReport answer = closeness_report();
  const Json json = Json::parse(render(context("closeness", answer.graph), answer, Style::json));
  ASSERT_EQ(json.at("value").size(), 2u);
  EXPECT_EQ(json.at("value")[0].at("vertex"), 1);
  EXPECT_EQ(json.at("value")[1].at("value"), 0.5);
  EXPECT_EQ(json.at("formula"), "classic");
  EXPECT_EQ(json.at("exact"), true);
  const std::string text = render(context("closeness", answer.graph), answer, Style::text);
  EXPECT_EQ(text.rfind("closeness (classic), the nearest 2\n", 0), 0u) << text;
}

TEST(Render, closeness_that_was_stopped_is_unknown) {
  report::ClosenessReport answer = closeness_report();
  answer.finished = false;
  answer.ranking.clear();
  const Json json = Json::parse(render(context("closeness", answer.graph), answer, Style::json));
  EXPECT_TRUE(json.at("value").is_null());
  EXPECT_EQ(json.at("exact"), false);
  const std::string text = render(context("closeness", answer.graph), answer, Style::text);
  EXPECT_NE(text.find("unknown (stopped early, after 3 searches)"), std::string::npos) << text;
}

report::BetweennessReport betweenness_report() {
  report::BetweennessReport answer;
  answer.graph = generated("path?n=3");
  answer.betweenness.vertices = {0, 1, 0};
  answer.betweenness.edges = {{{0, 1}, 2}, {{1, 2}, 2}};
  answer.betweenness.sources = answer.betweenness.counted = answer.betweenness.all_sources = 3;
  answer.betweenness.finished = true;
  answer.top = 1;
  return answer;
}

TEST(Render, betweenness_of_vertices_and_of_edges) {
  report::BetweennessReport answer = betweenness_report();
  const report::Context of = context("betweenness", answer.graph);
  const Json vertices = Json::parse(render(of, answer, Style::json));
  ASSERT_EQ(vertices.at("value").size(), 1u);
  EXPECT_EQ(vertices.at("value")[0].at("vertex"), 1);
  EXPECT_EQ(vertices.at("of"), "vertices");
  EXPECT_EQ(vertices.at("exact"), true);
  answer.edges = true;
  const Json edges = Json::parse(render(of, answer, Style::json));
  EXPECT_EQ(edges.at("value")[0].at("edge").size(), 2u);
  EXPECT_EQ(edges.at("of"), "edges");
  const std::string text = render(of, answer, Style::text);
  EXPECT_EQ(text.rfind("betweenness of edges, the highest\n", 0), 0u) << text;
}

TEST(Render, an_estimate_of_betweenness_says_how_good_it_is) {
  report::BetweennessReport answer = betweenness_report();
  answer.betweenness.sampled = true;
  answer.betweenness.finished = false;
  answer.betweenness.counted = 2;
  answer.betweenness.epsilon = 0.25;
  const report::Context of = context("betweenness", answer.graph);
  const Json json = Json::parse(render(of, answer, Style::json));
  EXPECT_EQ(json.at("exact"), false);
  EXPECT_EQ(json.at("sampled"), true);
  EXPECT_EQ(json.at("epsilon"), 0.25);
  const std::string text = render(of, answer, Style::text);
  EXPECT_NE(text.find("estimated from 2 of 3 sources"), std::string::npos) << text;
  EXPECT_NE(text.find("within 0.25 of the exact one, with probability 0.9"), std::string::npos)
      << text;
}

TEST(Render, golf_shows_the_gap_to_the_bounds) {
  report::GolfReport answer;
  answer.file = "a.edges";
  answer.order = 10;
  answer.degree = 3;
  answer.diameter = 3;
  answer.average = {30, 18};
  answer.bounds = golf::moore_bounds(10, 3);
  const Json json = Json::parse(render(answer, Style::json));
  EXPECT_EQ(json.at("value").at("diameter"), 3);
  EXPECT_EQ(json.at("average_exactly"), "5 / 3");
  EXPECT_EQ(json.at("gap").at("diameter"), 1);
  EXPECT_FALSE(json.contains("part"));
  const std::string text = render(answer, Style::text);
  EXPECT_EQ(text.rfind("diameter 3, average distance 1.6666667\n", 0), 0u) << text;
  answer.connected = false;
  EXPECT_TRUE(Json::parse(render(answer, Style::json)).at("value").at("diameter").is_null());
  EXPECT_EQ(render(answer, Style::text).rfind("diameter infinite", 0), 0u);
}

TEST(Render, an_estimate_of_the_time_is_no_value) {
  const Graph graph = generated("path?n=3");
  report::EstimateReport answer{.sources = 100, .timed = 10, .seconds = 2};
  const Json json = Json::parse(render(context("average", graph), answer, Style::json));
  EXPECT_TRUE(json.at("value").is_null());
  EXPECT_EQ(json.at("estimate").at("sources"), 100);
  EXPECT_EQ(json.at("estimate").at("sources_timed"), 10);
  EXPECT_FALSE(json.at("estimate").contains("seconds_at_most"));
  answer.at_most = 8;
  const Json range = Json::parse(render(context("radius", graph), answer, Style::json));
  EXPECT_EQ(range.at("estimate").at("seconds_at_most"), 8);
  const std::string text = render(context("radius", graph), answer, Style::text);
  EXPECT_EQ(text.rfind("radius would take ", 0), 0u) << text;
}

TEST(Render, a_search_lists_its_levels) {
  const Graph graph = generated("path?n=3");
  const report::SearchReport answer{graph,
                                    {.source = 0,
                                     .eccentricity = 2,
                                     .farthest = 2,
                                     .reached = 3,
                                     .distance_sum = 3,
                                     .level_sizes = {1, 1, 1}}};
  const Json json = Json::parse(render(context("bfs", graph), answer, Style::json));
  EXPECT_EQ(json.at("value"), 2);
  EXPECT_EQ(json.at("farthest"), 2);
  EXPECT_EQ(json.at("unreached"), 0);
  EXPECT_EQ(json.at("levels").size(), 3u);
  const std::string text = render(context("bfs", graph), answer, Style::text);
  EXPECT_EQ(text.find("unreached"), std::string::npos) << text;
}

// A path of three edges whose lengths are quarters.
Graph quarters(Direction direction = Direction::none) {
  const LengthUnit unit{.factor = 25, .decimals = 2, .halvings = 0};
  return build_graph(4, {{{0, 1}, {1, 2}, {2, 3}}}, {{1, 2, 5}}, unit, Labels::sequential(0, 4),
                     direction)
      .graph;
}

report::ComponentDiameter found(const Graph& graph, Length length, std::vector<Vertex> path) {
  report::ComponentDiameter part{.graph = graph, .diameter = {}};
  part.diameter.lower = part.diameter.upper = length;
  part.diameter.witness = {path.front(), path.back(), path};
  return part;
}

report::Context weighted(std::string_view measure, const Graph& graph) {
  report::Context result = context(std::string(measure), graph);
  result.weighted = true;
  result.unit = graph.unit();
  return result;
}

TEST(Render, lengths_in_the_unit_of_the_file) {
  const Graph graph = quarters();
  report::DiameterReport answer;
  answer.parts.push_back(found(graph, 8, {0, 1, 2, 3}));
  const std::string text = render(weighted("diameter", graph), answer, Style::text);
  EXPECT_EQ(text.rfind("diameter 2\n", 0), 0u) << text;
  EXPECT_NE(text.find("0 -0.25- 1 -0.5- 2 -1.25- 3 = 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("multiples of 0.25"), std::string::npos) << text;
  answer.parts.front().diameter.upper = 9;
  const Json json = Json::parse(render(weighted("diameter", graph), answer, Style::json));
  EXPECT_TRUE(json.at("value").is_null());
  EXPECT_EQ(json.at("lower"), 2);
  EXPECT_FALSE(json.contains("lower_text"));
  EXPECT_EQ(json.at("upper"), 2.25);
  EXPECT_EQ(json.at("upper_text"), "2.25");
  EXPECT_EQ(json.at("witness").at("lengths"), Json({0.25, 0.5, 1.25}));
  EXPECT_EQ(json.at("witness").at("lengths_text"), Json({"0.25", "0.5", "1.25"}));
  EXPECT_EQ(json.at("graph").at("lengths"), "used");
  EXPECT_EQ(json.at("graph").at("unit"), Json({{"factor", 25}, {"decimals", 2}, {"halvings", 0}}));
}

TEST(Render, a_long_path_with_the_sum_at_the_end_of_each_line) {
  const Graph graph = generated("path?n=60&lengths=7..7");
  report::DiameterReport answer;
  std::vector<Vertex> path(60);
  std::iota(path.begin(), path.end(), Vertex{0});
  answer.parts.push_back(found(graph, Length{59} * 7, path));
  const std::string text = render(weighted("diameter", graph), answer, Style::text);
  EXPECT_NE(text.find(" = 413\n"), std::string::npos) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110u) << line;
}

TEST(Render, what_is_longer_than_64_bits) {
  const LengthUnit unit{.factor = 1'000'000'000'000, .decimals = 0, .halvings = 0};
  const Graph graph =
      build_graph(2, {{{0, 1}}}, {{1'000'000'000'000}}, unit, Labels::sequential(0, 2)).graph;
  report::DiameterReport answer;
  const Length length = 1'000'000'000'000;
  answer.parts.push_back(found(graph, length, {0, 1}));
  const Json json = Json::parse(render(weighted("diameter", graph), answer, Style::json));
  EXPECT_EQ(json.at("value"), 1e24);
  EXPECT_EQ(json.at("value_text"), "1000000000000000000000000");
}

TEST(Render, a_radius_that_no_vertex_attains) {
  report::PathSetReport answer;
  answer.graph = quarters(Direction::forward);
  answer.undefined = answer.exact = true;
  answer.reach_all = 0;
  const std::string text = render(weighted("radius", answer.graph), answer, Style::text);
  EXPECT_EQ(text.rfind("radius undefined: no vertex reaches all others", 0), 0u) << text;
  const Json json = Json::parse(render(weighted("radius", answer.graph), answer, Style::json));
  EXPECT_TRUE(json.at("value").is_null());
  EXPECT_TRUE(json.at("lower").is_null());
  EXPECT_EQ(json.at("undefined"), true);
  EXPECT_EQ(json.at("reach_all"), 0);
}

TEST(Render, bins_and_quantiles_of_a_search) {
  report::PathSearchReport answer;
  answer.graph = generated("path?n=101&lengths=10..10");
  answer.search = {.source = 0, .eccentricity = 1000, .farthest = 100, .reached = 101};
  for (Length v = 0; v <= 100; ++v) answer.distances.push_back(10 * v);
  const Json json = Json::parse(render(weighted("bfs", answer.graph), answer, Style::json));
  EXPECT_EQ(json.at("quantiles").at("0.5"), 500);
  EXPECT_EQ(json.at("bins").at("width"), 100);
  EXPECT_EQ(json.at("bins").at("counts"), Json({10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 1}));
}

TEST(Render, every_question_has_a_name) {
  EXPECT_EQ(report::question_name(Question::diameter), "diameter");
  EXPECT_EQ(report::question_name(Question::radius), "radius");
  EXPECT_EQ(report::question_name(Question::center), "center");
  EXPECT_EQ(report::question_name(Question::periphery), "periphery");
  EXPECT_EQ(report::question_name(Question::eccentricity), "eccentricity");
}

}  // namespace
}  // namespace antipode::testing
