#include <gtest/gtest.h>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "measure/student.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

TEST(AverageDistance, agrees_with_the_reference_on_thousands_of_graphs) {
  RandomGraphs graphs(41);
  Observer observer;
  for (int round = 0; round < 3000; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const auto reference = reference_of(graph);
    std::uint64_t sum = 0, reachable = 0, unreachable = 0;
    std::vector<unsigned> all;
    for (Vertex u = 0; u < graph.order(); ++u) {
      const auto row = reference.distances(u);
      for (Vertex v = 0; v < graph.order(); ++v) {
        if (u == v) continue;
        if (row[v] == reference::kFar) {
          ++unreachable;
        } else {
          ++reachable, sum += row[v];
          all.push_back(row[v]);
        }
      }
    }
    std::sort(all.begin(), all.end());
    const Average answer = average(*make_engine("cpu", graph, {.threads = 1}), 0, 1, observer);
    ASSERT_TRUE(answer.exact());
    ASSERT_EQ(answer.sum, sum);
    ASSERT_EQ(answer.reachable, reachable);
    ASSERT_EQ(answer.unreachable, unreachable);
    if (all.empty()) continue;
    ASSERT_EQ(answer.diameter(), all.back());
    ASSERT_EQ(answer.median(), all[(all.size() - 1) / 2]);
  }
}

TEST(AverageDistance, of_known_graphs) {
  Observer observer;
  const auto of = [&](const std::string& spec) {
    return average(*make_engine("cpu", generated(spec)), 0, 1, observer);
  };
  EXPECT_DOUBLE_EQ(of("complete?n=50").mean(), 1);
  EXPECT_DOUBLE_EQ(of("path?n=3").mean(), 4.0 / 3);
  EXPECT_DOUBLE_EQ(of("petersen").mean(), 15.0 / 9);
  EXPECT_DOUBLE_EQ(of("petersen").variance(), 2.0 / 9);
  EXPECT_DOUBLE_EQ(of("hypercube?scale=6").mean(), 6 * 32.0 / 63);
  EXPECT_NEAR(of("path?n=3").effective_diameter(0.9), 1.7, 1e-12);
}

TEST(AverageDistance, a_sample_is_called_one_and_lies_near) {
  Observer observer;
  const auto engine = make_engine("cpu", generated("ws?n=3000&p=0.1"));
  const Average exact = average(*engine, 0, 1, observer), some = average(*engine, 300, 7, observer);
  EXPECT_TRUE(some.sampled);
  EXPECT_FALSE(some.exact());
  EXPECT_EQ(some.sources, 300u);
  ASSERT_TRUE(some.error.has_value());
  EXPECT_GT(*some.error, 0);
  EXPECT_NEAR(some.mean(), exact.mean(), 3 * *some.error);
  EXPECT_TRUE(average(*engine, 5000, 7, observer).exact());
}

TEST(AverageDistance, students_t_is_that_of_the_tables) {
  const std::pair<double, double> table[] = {
      {1, 12.70620474}, {2, 4.30265273},  {3, 3.18244631},  {4, 2.77644511},   {5, 2.57058184},
      {9, 2.26215716},  {19, 2.09302405}, {30, 2.04227246}, {100, 1.98397152}, {1000, 1.96233908}};
  for (const auto& [freedom, t] : table)
    EXPECT_NEAR(student_quantile(0.975, freedom), t, 1e-7) << freedom;
  EXPECT_NEAR(student_quantile(0.995, 7), 3.49948330, 1e-7);
  EXPECT_NEAR(student_quantile(0.9, 3), 1.63774436, 1e-7);
  EXPECT_NEAR(student_quantile(0.975, 4e9), 1.959964, 1e-5);
  EXPECT_NEAR(student_quantile(0.5, 3), 0, 1e-9);
}

// Of many samples at least about 95 in a hundred have the exact mean in their interval: even small
// ones, of skewed means (a path) and of graphs in several components.
TEST(AverageDistance, of_samples_of_any_size_95_percent_hold_the_mean) {
  constexpr int kSeeds = 500;
  Observer observer;
  for (const std::string spec : {"ws?n=300&p=0.1", "grid?rows=15&cols=20", "er?n=300&degree=3",
                                 "rmat?scale=8", "path?n=200"}) {
    const auto engine = make_engine("cpu", generated(spec), {1});
    const double exact = average(*engine, 0, 1, observer).mean();
    for (const std::size_t samples : {2, 5, 20}) {
      int with_interval = 0, held = 0;
      for (int seed = 1; seed <= kSeeds; ++seed) {
        const Average some = average(*engine, samples, static_cast<std::uint64_t>(seed), observer);
        if (!some.error) continue;  // too few of them reach others
        ++with_interval;
        held += std::abs(some.mean() - exact) <= *some.error ? 1 : 0;
      }
      EXPECT_GT(with_interval, kSeeds / 2);
      EXPECT_GE(held, 0.93 * with_interval)
          << spec << ", " << samples << " samples, " << with_interval << " intervals";
    }
  }
}

// Few kinds of vertices, or a heavy tail: many samples miss one, and show nothing of it. Those have
// no interval.
TEST(AverageDistance, of_samples_that_may_miss_what_matters_95_percent_of_the_intervals_hold) {
  constexpr int kSeeds = 500;
  const auto clique = [](reference::Pairs& pairs, unsigned first, unsigned last) {
    for (unsigned a = first; a < last; ++a)
      for (unsigned b = first; b < a; ++b) pairs.emplace_back(a, b);
  };
  reference::Pairs two, tailed;
  clique(two, 0, 90), clique(two, 90, 180), clique(tailed, 0, 150);
  two.emplace_back(0, 90);
  for (unsigned v = 150; v < 180; ++v) tailed.emplace_back(v - 1, v);
  std::vector<Graph> graphs{graph_of(180, two), graph_of(180, tailed)};
  for (const auto& [branches, order] : {std::pair(2u, 255u), {3u, 364u}, {4u, 341u}}) {
    reference::Pairs tree;
    for (unsigned v = 1; v < order; ++v) tree.emplace_back((v - 1) / branches, v);
    graphs.push_back(graph_of(order, tree));
  }
  graphs.push_back(generated("star?n=200"));
  Observer observer;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const auto engine = make_engine("cpu", graphs[i], {1});
    const double exact = average(*engine, 0, 1, observer).mean();
    for (const std::size_t samples : {2, 5, 20}) {
      int with_interval = 0, held = 0;
      for (int seed = 1; seed <= kSeeds; ++seed) {
        const Average some = average(*engine, samples, static_cast<std::uint64_t>(seed), observer);
        if (!some.error) continue;
        ++with_interval;
        held += std::abs(some.mean() - exact) <= *some.error ? 1 : 0;
      }
      EXPECT_GE(held, 0.93 * with_interval)
          << "graph " << i << ", " << samples << " samples, " << with_interval << " intervals";
    }
  }
}

// A star, and complete bipartite graphs: mostly sources of one kind are drawn.
TEST(AverageDistance, of_sources_that_are_all_alike_there_is_no_interval) {
  Observer observer;
  reference::Pairs pairs;
  for (unsigned a = 0; a < 5; ++a)
    for (unsigned b = 5; b < 200; ++b) pairs.emplace_back(a, b);
  for (const Graph& graph : {generated("star?n=200"), graph_of(200, pairs)}) {
    const auto engine = make_engine("cpu", graph, {1});
    const double exact = average(*engine, 0, 1, observer).mean();
    int without = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const Average some = average(*engine, 5, seed, observer);
      without += some.error ? 0 : 1;
      ASSERT_TRUE(!some.error || *some.error > 0.001) << seed;
      ASSERT_TRUE(some.error || some.mean() != exact) << seed;
    }
    EXPECT_GT(without, 50);
  }
}

TEST(AverageDistance, one_source_has_no_interval_and_nothing_sampled_is_exact) {
  Observer observer;
  const auto engine = make_engine("cpu", generated("ws?n=300&p=0.1"), {1});
  EXPECT_FALSE(average(*engine, 1, 1, observer).error.has_value());
  EXPECT_FALSE(average(*engine, 1, 1, observer).exact());
  EXPECT_TRUE(average(*engine, 2, 1, observer).error.has_value());
  EXPECT_FALSE(average(*make_engine("cpu", graph_of(9, {})), 4, 1, observer).error.has_value());
  const Average two = average(*make_engine("cpu", graph_of(2, {{0, 1}})), 1, 1, observer);
  EXPECT_FALSE(two.exact());
  EXPECT_EQ(two.mean(), 1);
}

TEST(AverageDistance, stopped_early_is_neither_exact_nor_an_estimate) {
  struct Impatient : Observer {
    bool stop() override { return ++asked > 3; }
    int asked = 0;
  };
  const auto engine = make_engine("cpu", generated("ws?n=3000&p=0.1"), {.threads = 1});
  for (const std::size_t samples : {0, 2000}) {
    Impatient observer;
    const Average answer = average(*engine, samples, 1, observer);
    EXPECT_FALSE(answer.finished);
    EXPECT_FALSE(answer.exact());
  }
}

// A ring of vertices, each with a tail of two: all that is counted when it stops is correct.
TEST(AverageDistance, stopped_early_counts_what_hangs_on_the_sources_done) {
  constexpr Vertex kRing = 3000, kAll = 3 * kRing;
  reference::Pairs edges;
  for (Vertex v = 0; v < kRing; ++v) {
    edges.push_back({v, (v + 1) % kRing});
    edges.push_back({v, kRing + v});
    edges.push_back({kRing + v, 2 * kRing + v});
  }
  struct AfterTwoParts : Observer {
    void progress(const Progress&) override { ++parts; }
    bool stop() override { return parts >= 2; }
    int parts = 0;
  } observer;
  const auto engine = make_engine("cpu", graph_of(kAll, edges), {.threads = 1});
  const Average answer = average(*engine, 0, 1, observer);
  EXPECT_FALSE(answer.finished);
  EXPECT_GT(answer.sources, 0u);
  EXPECT_EQ(answer.unreachable, 0u);
  EXPECT_EQ(answer.reachable, std::uint64_t{answer.sources} * (kAll - 1));
}

TEST(AverageDistance, of_nothing_and_of_one_vertex) {
  Observer observer;
  EXPECT_THROW(average(*make_engine("cpu", Graph()), 0, 1, observer), UsageError);
  const Average lonely = average(*make_engine("cpu", graph_of(1, {})), 0, 1, observer);
  EXPECT_EQ(lonely.reachable + lonely.unreachable, 0u);
}

}  // namespace
}  // namespace antipode::testing
