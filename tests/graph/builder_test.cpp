#include <gtest/gtest.h>

#include <random>

#include "support/factories.hpp"

namespace antipode::testing {
namespace {

TEST(Builder, loops_and_repeats_are_dropped_and_counted) {
  const BuiltGraph built = build_graph(3, {{{0, 1}, {1, 0}, {1, 1}}, {{0, 1}, {2, 1}, {2, 2}}},
                                       Labels::sequential(0, 3));
  EXPECT_EQ(built.graph.size(), 2u);
  EXPECT_EQ(built.loops, 2u);
  EXPECT_EQ(built.repeats, 2u);
}

TEST(Builder, rows_are_sorted_and_symmetric_for_any_number_of_threads) {
  std::mt19937 random(7);
  for (const unsigned count : {1u, 2u, 5u}) {
    set_threads(count);
    for (int round = 0; round < 50; ++round) {
      const Vertex order = 1 + static_cast<Vertex>(random() % 40);
      reference::Pairs pairs;
      for (unsigned i = 0; i < random() % 200; ++i)
        pairs.emplace_back(random() % order, random() % order);
      const Graph graph = graph_of(order, pairs);
      const reference::Graph expected(order, pairs);
      ASSERT_EQ(graph.size(), expected.size());
      for (Vertex v = 0; v < order; ++v) {
        const auto row = graph.neighbors(v);
        ASSERT_TRUE(std::equal(row.begin(), row.end(), expected.around[v].begin(),
                               expected.around[v].end()));
      }
    }
  }
  set_threads(0);
}

TEST(Builder, a_graph_beyond_the_memory_limit_is_refused_before_it_is_allocated) {
  set_memory_limit(1000);
  EXPECT_ANY_THROW(build_graph(1000, {}, Labels::sequential(0, 1000)));
  set_memory_limit(0);
}

}  // namespace
}  // namespace antipode::testing
