#include "evaluation/paper.hpp"

#include <gtest/gtest.h>

#include "antipode/measures.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

TEST(Paper, both_versions_take_the_same_searches_to_the_true_diameter) {
  RandomConnectedGraphs graphs(31);
  Observer observer;
  for (int round = 0; round < 1000; ++round) {
    const Graph graph = graphs.next();
    const auto engine = make_engine("cpu", graph, {.threads = 1});
    const PaperRun ours = paper_run(*engine), sequential = sequential_paper_run(graph);
    ASSERT_EQ(ours.diameter, diameter(*engine, {.strategy = Strategy::exhaustive}, observer).lower);
    ASSERT_EQ(ours.diameter, sequential.diameter);
    ASSERT_EQ(ours.searches, sequential.searches) << "graph " << round;
    if (graph.order() == 1) continue;
    ASSERT_EQ(ours.searches,
              diameter(*engine, {.strategy = Strategy::takes_kosters}, observer).searches);
  }
}

TEST(Paper, the_effective_diameter_is_interpolated) {
  const auto engine = make_engine("cpu", generated("complete?n=10"));
  EXPECT_NEAR(effective_diameter(*engine, 10, 1), 0.9, 1e-12);
  // A path of three: four of six pairs at distance 1; 0.9 * 6 = 5.4 pairs lie within 1 + 1.4 / 2.
  EXPECT_NEAR(effective_diameter(*make_engine("cpu", generated("path?n=3")), 3, 1), 1.7, 1e-12);
  EXPECT_EQ(effective_diameter(*make_engine("cpu", graph_of(1, {})), 5, 1), 0);
}

TEST(Paper, equal_lists_have_the_active_vertices_asked_for) {
  const Graph graph = equal_lists(1000, 10, 8);
  const Search search = make_engine("cpu", graph)->search(0);
  EXPECT_EQ(search.level_sizes, (std::vector<Vertex>{1, 10, 70}));
  for (Vertex v = 1; v <= 10; ++v) EXPECT_EQ(graph.degree(v), 8u);
}

}  // namespace
}  // namespace antipode::testing
