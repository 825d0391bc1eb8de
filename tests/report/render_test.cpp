// Answers as text and as JSON, from results made by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
  Diameter& diameter = answer.parts.front().diameter;
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
  Diameter& diameter = answer.parts.front().diameter;
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
  answer.apart = {"0", "2"};
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

TEST(Render, every_question_has_a_name) {
  EXPECT_EQ(report::question_name(Question::diameter), "diameter");
  EXPECT_EQ(report::question_name(Question::radius), "radius");
  EXPECT_EQ(report::question_name(Question::center), "center");
  EXPECT_EQ(report::question_name(Question::periphery), "periphery");
  EXPECT_EQ(report::question_name(Question::eccentricity), "eccentricity");
}

}  // namespace
}  // namespace antipode::testing
