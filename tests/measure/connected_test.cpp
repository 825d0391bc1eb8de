// Measures that reason by bounds refuse graphs in which bounds mean nothing: those in several
// components, and directed ones.
#include <gtest/gtest.h>

#include <filesystem>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "antipode/io.hpp"
#include "antipode/measures.hpp"
#include "evaluation/paper.hpp"
#include "support/checkpoints.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

constexpr Question kQuestions[] = {Question::radius, Question::center, Question::periphery,
                                   Question::eccentricity};

std::vector<DiameterOptions> all_options() {
  std::vector<DiameterOptions> result;
  for (const Strategy strategy :
       {Strategy::automatic, Strategy::sweep, Strategy::takes_kosters, Strategy::exhaustive}) {
    DiameterOptions options;
    options.strategy = strategy;
    for (const Batching batching : {Batching::by_cost, Batching::always, Batching::never}) {
      options.batching = batching;
      result.push_back(options);
    }
    options.selection = Selection::farthest;
    options.start = Start::random;
    options.concurrent = 3;
    result.push_back(options);
  }
  return result;
}

template <class Ask>
void expect_refused(Ask ask, const std::string& message) {
  try {
    ask();
    FAIL() << "an answer that means nothing";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

void expect_all_refused(const Graph& graph, const std::string& message) {
  const auto engine = make_engine("cpu", graph, {1});
  Observer observer;
  CheckpointStore checkpoint;
  for (const DiameterOptions& options : all_options())
    expect_refused([&] { diameter(*engine, options, observer); }, message);
  for (const Question question : kQuestions) {
    for (const Selection selection :
         {Selection::interchange, Selection::difference, Selection::farthest, Selection::together})
      expect_refused([&] { eccentricities(*engine, question, selection, observer); }, message);
    expect_refused([&] { eccentricities(*engine, question, observer, checkpoint); }, message);
  }
  expect_refused([&] { most_central(*engine, 1, observer); }, message);
  expect_refused([&] { certify(*engine, graph, Diameter{}); }, message);
  expect_refused([&] { paper_run(*engine); }, message);
  expect_refused([&] { sequential_paper_run(graph); }, message);
  EXPECT_GT(engine->search(0).reached, 0u);  // it is as good as new
}

// Two graphs side by side, the vertices of one after those of the other or mixed.
Graph side_by_side(const Graph& a, const Graph& b, bool mixed) {
  const Vertex order = a.order() + b.order();
  std::vector<Vertex> number(order);
  for (Vertex v = 0; v < order; ++v) number[v] = v;
  std::mt19937 random(order);
  if (mixed) std::shuffle(number.begin(), number.end(), random);
  reference::Pairs pairs;
  for (Vertex v = 0; v < a.order(); ++v)
    for (const Vertex u : a.neighbors(v)) pairs.emplace_back(number[v], number[u]);
  for (Vertex v = 0; v < b.order(); ++v)
    for (const Vertex u : b.neighbors(v))
      pairs.emplace_back(number[a.order() + v], number[a.order() + u]);
  return graph_of(order, pairs);
}

TEST(Connected, graphs_in_two_components_are_refused_by_every_strategy) {
  RandomConnectedGraphs graphs(91);
  for (int round = 0; round < 150; ++round) {
    const Graph first = graphs.next(), second = graphs.next();
    ASSERT_NO_FATAL_FAILURE(expect_all_refused(side_by_side(first, second, round % 2 == 1),
                                               "the graph is not connected: "))
        << round;
  }
}

TEST(Connected, of_two_vertices_without_an_edge_the_message_says_which_and_what_to_do) {
  const auto engine = make_engine("cpu", graph_of(2, {}));
  Observer observer;
  expect_refused([&] { diameter(*engine, {}, observer); },
                 "vertex 1 is not reached from 0; ask of a component (component_subgraph)");
}

TEST(Connected, directed_graphs_are_refused) {
  expect_all_refused(graph_of(3, {{0, 1}, {1, 2}, {2, 0}}, Direction::forward),
                     "without directions");
}

// From 0 all are one step away, and from 3 back to 0 there are three.
TEST(Connected, a_proof_about_a_directed_graph_is_refused_and_not_checked) {
  const Graph graph =
      graph_of(4, {{0, 1}, {0, 2}, {0, 3}, {3, 2}, {2, 1}, {1, 0}}, Direction::forward);
  Certificate claim;
  claim.question = Question::diameter;
  claim.graph = fingerprint(graph);
  claim.component_order = 4;
  claim.component_size = 3;
  claim.value = 2;
  claim.path = {"1", "0", "2"};
  claim.facts = {{Fact::Rule::eccentricity, {"0"}, 1, 0}};
  expect_refused([&] { verify(claim, graph); }, "without directions");
}

TEST(Connected, the_published_procedure_refuses_a_graph_without_vertices) {
  const Graph graph = graph_of(0, {});
  const auto engine = make_engine("cpu", graph, {1});
  expect_refused([&] { paper_run(*engine); }, "without vertices");
  expect_refused([&] { sequential_paper_run(graph); }, "without vertices");
}

TEST(Connected, graphs_made_of_a_part_are_refused_as_well) {
  golf::Part part = golf::make_part(30, 3);  // ten vertices in a circle, ten leaves, ten alone
  part.edges = {{0, 0, 1}, {0, 1, 0}};
  const auto engine = make_engine("cpu", to_graph(part), {1});
  Observer observer;
  expect_refused([&] { diameter(*engine, {}, observer); }, "not connected");
  for (const Question question : kQuestions)
    expect_refused([&] { eccentricities(*engine, question, Selection::together, observer); },
                   "not connected");
}

class RealGraphInParts : public ::testing::TestWithParam<const char*> {};

TEST_P(RealGraphInParts, is_refused_where_it_gave_a_wrong_diameter_or_none_at_all) {
  const std::filesystem::path path = std::filesystem::path(ANTIPODE_TEST_DATA) / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  const auto engine = make_engine("cpu", load_graph(path.string()).graph);
  Observer observer;
  expect_refused([&] { diameter(*engine, {}, observer); }, "not connected");
  expect_refused([&] { eccentricities(*engine, Question::radius, Selection::together, observer); },
                 "not connected");
}

INSTANTIATE_TEST_SUITE_P(Data, RealGraphInParts,
                         ::testing::Values("dblp-2010.txt.zst", "usroads.mtx.gz"),
                         [](const auto& tested) {
                           return tested.index == 0 ? "dblp_2010" : "usroads";
                         });

// Two sweeps from any vertex may miss the diameter of a component; the answer may not.
TEST(WiderComponent, is_found_exactly) {
  RandomGraphs graphs(29);
  std::mt19937 random(3);
  int wider = 0;
  for (int round = 0; round < 3000; ++round) {
    reference::Pairs pairs;
    Vertex order = 0;
    for (unsigned i = 0; i < 1 + random() % 3; ++i) {
      const Graph part = graphs.next();
      for (const Edge e : arc_list(part)) pairs.emplace_back(order + e.from, order + e.to);
      order += part.order();
    }
    if (order == 0) continue;
    const Graph graph = graph_of(order, pairs);
    const Components parts = components(graph);
    const auto slow = reference_of(graph);
    std::vector<Distance> widths(parts.count(), 0);
    for (Vertex v = 0; v < order; ++v)
      for (const unsigned d : slow.distances(v))
        if (d != reference::kFar) widths[parts.of[v]] = std::max(widths[parts.of[v]], d);
    const Distance known = widths[parts.largest()],
                   most = *std::max_element(widths.begin(), widths.end());
    const auto found = wider_component(graph, parts, known);
    ASSERT_EQ(found.has_value(), most > known) << round;
    if (!found) continue;
    ++wider;
    ASSERT_EQ(found->at_least, most);
    ASSERT_EQ(found->undecided, 0u);
  }
  EXPECT_GT(wider, 100);
}

TEST(WiderComponent, is_undecided_where_the_search_is_stopped) {
  reference::Pairs pairs;
  for (Vertex v = 1; v <= 200; ++v) pairs.emplace_back(0, v);
  for (Vertex v = 300; v < 400; ++v) pairs.emplace_back(v, v + 1);
  for (Vertex v = 500; v < 650; ++v) pairs.emplace_back(v, v + 1);
  const Graph graph = graph_of(700, pairs);
  const Components parts = components(graph);
  for (const int asks : {0, 1, 2}) {
    int asked = 0;
    const auto found = wider_component(graph, parts, 2, [&] { return asked++ >= asks; });
    ASSERT_TRUE(found) << asks;
    EXPECT_EQ(found->undecided, 2u) << asks;
    EXPECT_EQ(found->at_least, asks == 0 ? 0u : 100u) << asks;
  }
}

}  // namespace
}  // namespace antipode::testing
