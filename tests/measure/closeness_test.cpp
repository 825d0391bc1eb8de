#include <gtest/gtest.h>

#include <random>

#include "antipode/measures.hpp"
#include "support/checkpoints.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

TEST(ClosenessOfAll, agrees_with_its_formulas_on_thousands_of_graphs) {
  RandomGraphs graphs(61);
  Observer observer;
  CheckpointStore no_checkpoint;
  for (int round = 0; round < 2000; ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const Closeness found = closeness(*make_engine("cpu", graph, {1}), observer, no_checkpoint);
    ASSERT_TRUE(found.finished);
    for (Vertex v = 0; v < graph.order(); ++v) {
      double sum = 0, others = 0, harmonic = 0;
      for (const unsigned d : reference.distances(v))
        if (d != reference::kFar && d > 0) sum += d, ++others, harmonic += 1.0 / d;
      const double classic = others == 0 ? 0 : others / sum;
      ASSERT_NEAR(found.closeness(v, false), classic, 1e-12);
      ASSERT_NEAR(found.closeness(v, true),
                  others == 0 ? 0 : classic * others / (graph.order() - 1.0), 1e-12);
      ASSERT_NEAR(found.harmonic(v), harmonic, 1e-12 * std::max(1.0, harmonic));
    }
  }
}

TEST(ClosenessOfAll, the_most_central_are_found_by_pruning) {
  RandomConnectedGraphs graphs(62);
  std::mt19937 random(62);
  Observer observer;
  for (int round = 0; round < 1000; ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    std::vector<std::pair<std::uint64_t, Vertex>> all;
    for (Vertex v = 0; v < graph.order(); ++v) {
      std::uint64_t sum = 0;
      for (const unsigned d : reference.distances(v)) sum += d;
      all.push_back({sum, v});
    }
    std::sort(all.begin(), all.end());
    const std::size_t count = random() % (graph.order() + 2);
    const MostCentral found = most_central(*make_engine("cpu", graph, {1}), count, observer);
    ASSERT_TRUE(found.finished);
    ASSERT_EQ(found.vertices.size(), std::min<std::size_t>(count, graph.order()));
    for (std::size_t i = 0; i < found.vertices.size(); ++i) {
      ASSERT_EQ(found.vertices[i].distance_sum, all[i].first) << "graph " << round;
      ASSERT_EQ(found.vertices[i].vertex, all[i].second) << "graph " << round;
    }
  }
}

TEST(ClosenessOfAll, pruning_spares_most_searches_on_a_large_grid) {
  Observer observer;
  const MostCentral found =
      most_central(*make_engine("cpu", generated("grid?rows=101&cols=101")), 1, observer);
  EXPECT_EQ(found.vertices.front().vertex, 50u * 101 + 50);
  EXPECT_LT(found.searches, 5000u);
}

TEST(ClosenessOfAll, closeness_and_average_go_on_where_they_stopped) {
  const Graph graph = generated("ws?n=3000&p=0.05");
  const auto engine = make_engine("cpu", graph);
  Observer observer;
  CheckpointStore no_checkpoint;
  const auto all = [&](Observer& o, CheckpointStore& k) { return closeness(*engine, o, k); };
  const Closeness at_once = all(observer, no_checkpoint), in_steps = resumed_until_finished(all);
  EXPECT_EQ(at_once.sums.sum, in_steps.sums.sum);
  EXPECT_EQ(at_once.sums.inverse_sum, in_steps.sums.inverse_sum);
  for (const std::size_t samples : {0, 1200}) {
    const auto mean = [&](Observer& o, CheckpointStore& k) {
      return average(*engine, samples, 3, o, k);
    };
    const Average one = mean(observer, no_checkpoint), many = resumed_until_finished(mean);
    EXPECT_EQ(one.pairs, many.pairs);
    EXPECT_EQ(one.error, many.error);
  }
}

}  // namespace
}  // namespace antipode::testing
