#include <gtest/gtest.h>

#include <cmath>

#include "antipode/measures.hpp"
#include "support/checkpoints.hpp"
#include "support/factories.hpp"
#include "support/requests.hpp"

namespace antipode::testing {
namespace {

Betweenness betweenness_of(const Graph& graph, bool folded, bool edges, unsigned threads = 1) {
  const Core core = folded ? core_of(graph) : without_folding(graph);
  Observer observer;
  CheckpointStore no_checkpoint;
  return betweenness(*make_engine("cpu", core.graph, {threads}), core, {edges}, observer,
                     no_checkpoint);
}

// By definition: of all pairs, the share of shortest paths that has the vertex between.
struct Slow {
  std::vector<std::vector<unsigned>> distance;
  std::vector<std::vector<double>> paths;

  explicit Slow(const reference::Graph& graph) {
    for (unsigned s = 0; s < graph.order(); ++s) {
      distance.push_back(graph.distances(s));
      std::vector<unsigned> order(graph.order());
      for (unsigned v = 0; v < order.size(); ++v) order[v] = v;
      std::sort(order.begin(), order.end(),
                [&](unsigned a, unsigned b) { return distance[s][a] < distance[s][b]; });
      std::vector<double> count(graph.order(), 0);
      count[s] = 1;
      for (const unsigned v : order)
        for (const unsigned u : graph.around[v])
          if (distance[s][v] != reference::kFar && distance[s][u] == distance[s][v] + 1)
            count[u] += count[v];
      paths.push_back(count);
    }
  }
  double of_vertex(unsigned v) const {
    double sum = 0;
    for (unsigned s = 0; s < paths.size(); ++s)
      for (unsigned t = s + 1; t < paths.size(); ++t)
        if (s != v && t != v && distance[s][t] != reference::kFar &&
            distance[s][v] != reference::kFar && distance[s][v] + distance[v][t] == distance[s][t])
          sum += paths[s][v] * paths[v][t] / paths[s][t];
    return sum;
  }
  double of_edge(unsigned a, unsigned b) const {
    double sum = 0;
    for (unsigned s = 0; s < paths.size(); ++s)
      for (unsigned t = s + 1; t < paths.size(); ++t) {
        if (distance[s][t] == reference::kFar || distance[s][a] == reference::kFar) continue;
        if (distance[s][a] + 1 + distance[b][t] == distance[s][t])
          sum += paths[s][a] * paths[b][t] / paths[s][t];
        if (distance[s][b] + 1 + distance[a][t] == distance[s][t])
          sum += paths[s][b] * paths[a][t] / paths[s][t];
      }
    return sum;
  }
};

void expect_close(double found, double expected) {
  ASSERT_NEAR(found, expected, 1e-9 * std::max(1.0, expected));
}

TEST(BetweennessOfAll, agrees_with_the_definition_folded_or_not) {
  RandomGraphs graphs(51);
  for (int round = 0; round < 1500; ++round) {
    const Graph graph = graphs.next();
    const Slow slow(reference_of(graph));
    for (const bool folded : {false, true}) {
      const Betweenness found = betweenness_of(graph, folded, true);
      ASSERT_TRUE(found.finished);
      ASSERT_EQ(found.vertices.size(), graph.order());
      ASSERT_EQ(found.edges.size(), graph.size());
      for (Vertex v = 0; v < graph.order(); ++v)
        ASSERT_NO_FATAL_FAILURE(expect_close(found.vertices[v], slow.of_vertex(v)))
            << "graph " << round << ", vertex " << v;
      for (const auto& [edge, value] : found.edges)
        ASSERT_NO_FATAL_FAILURE(expect_close(value, slow.of_edge(edge.from, edge.to)))
            << "graph " << round << ", edge " << edge.from << " " << edge.to;
    }
  }
}

// Numbers of paths in a grid are binomial coefficients; their logarithms in more than double
// precision.
class GridPaths {
 public:
  explicit GridPaths(int side)
      : side_(side), log_factorial_(static_cast<std::size_t>(2 * side), 0.0L) {
    for (std::size_t i = 1; i < log_factorial_.size(); ++i)
      log_factorial_[i] = log_factorial_[i - 1] + std::log(static_cast<long double>(i));
  }
  long double log_paths(int a, int b) const {
    const int rows = std::abs(a / side_ - b / side_), columns = std::abs(a % side_ - b % side_);
    return at(rows + columns) - at(rows) - at(columns);
  }
  int distance(int a, int b) const {
    return std::abs(a / side_ - b / side_) + std::abs(a % side_ - b % side_);
  }
  // What passes v when s sends one to every vertex.
  double dependency(int s, int v) const {
    long double sum = 0;
    for (int t = 0; t < side_ * side_; ++t)
      if (t != v && v != s && distance(s, v) + distance(v, t) == distance(s, t))
        sum += std::exp(log_paths(s, v) + log_paths(v, t) - log_paths(s, t));
    return static_cast<double>(sum);
  }

 private:
  long double at(int i) const { return log_factorial_[static_cast<std::size_t>(i)]; }
  int side_;
  std::vector<long double> log_factorial_;
};

TEST(BetweennessOfAll, of_grids_is_right_however_many_paths_there_are) {
  for (const int side : {18, 35, 67}) {
    const GridPaths paths(side);
    const Betweenness found = betweenness_of(
        generated("grid?rows=" + std::to_string(side) + "&cols=" + std::to_string(side)), true,
        false, 2);
    for (const int v : {1, side / 2, side * side / 2 + 3}) {
      double expected = 0;
      for (int s = 0; s < side * side; ++s) expected += paths.dependency(s, v) / 2;
      EXPECT_NEAR(found.vertices[static_cast<std::size_t>(v)] / expected, 1, 1e-9)
          << side << ", vertex " << v;
    }
  }
}

TEST(BetweennessOfAll, of_a_large_grid_does_not_overflow) {
  const int side = 600;  // up to 2^1194 paths
  const GridPaths paths(side);
  const Graph graph = generated("grid?rows=600&cols=600");
  const auto engine = make_engine("cpu", graph, {2});
  const std::vector<double> ones(graph.order(), 1);
  for (const int source : {0, side / 2 * side + 7}) {
    Dependencies sums = no_dependencies(graph, ones);
    const std::vector<Vertex> sources{static_cast<Vertex>(source)};
    engine->accumulate(sources, &sums);
    for (const int v : {1, side * side / 2 + 300, side * side - 2, 17 * side + 590, 599 * side})
      EXPECT_NEAR(sums.vertices[static_cast<std::size_t>(v)], paths.dependency(source, v),
                  1e-9 * std::max(1.0, paths.dependency(source, v)))
          << "from " << source << ", vertex " << v;
  }
}

// k diamonds in a row: 2^k paths from end to end. Vertices: 3i the joints, 3i + 1 and 3i + 2 the
// two between joint i and the next.
TEST(BetweennessOfAll, of_a_ladder_of_diamonds_with_two_to_the_two_thousand_paths_is_exact) {
  const Vertex k = 2000;
  std::vector<std::vector<Edge>> edges(1);
  for (Vertex i = 0; i < k; ++i)
    for (const Vertex middle : {3 * i + 1, 3 * i + 2})
      edges[0].push_back({3 * i, middle}), edges[0].push_back({middle, 3 * i + 3});
  const Graph graph =
      build_graph(3 * k + 1, std::move(edges), Labels::sequential(0, 3 * k + 1)).graph;
  const Betweenness found = betweenness_of(graph, true, false, 2);
  for (const Vertex i : {Vertex{0}, Vertex{1}, k / 2, k - 1}) {
    const double left = 3.0 * i + 1, right = 3.0 * (k - i - 1) + 1;
    EXPECT_NEAR(found.vertices[3 * i + 1] / (left * right / 2), 1, 1e-9) << i;
    const double joint = i == 0 ? 0.5 : 9.0 * i * (k - i) + 1;
    EXPECT_NEAR(found.vertices[3 * i] / joint, 1, 1e-9) << i;
  }
}

TEST(BetweennessOfAll, does_not_depend_on_the_threads) {
  const Graph graph = generated("ws?n=700&p=0.1");
  EXPECT_EQ(betweenness_of(graph, true, true, 1).vertices,
            betweenness_of(graph, true, true, 3).vertices);
}

TEST(BetweennessOfAll, sampled_from_everybody_is_exact_and_from_some_is_near) {
  const Graph graph = generated("ba?n=400&degree=3");
  const Core core = without_folding(graph);
  Observer observer;
  CheckpointStore no_checkpoint;
  const auto engine = make_engine("cpu", core.graph);
  const auto exact = betweenness(*engine, core, {false, 0, 1}, observer, no_checkpoint),
             all = betweenness(*engine, core, {false, 400, 1}, observer, no_checkpoint),
             some = betweenness(*engine, core, {false, 100, 1}, observer, no_checkpoint);
  EXPECT_FALSE(all.sampled);
  EXPECT_TRUE(some.sampled);
  const auto top = static_cast<std::size_t>(
      std::max_element(exact.vertices.begin(), exact.vertices.end()) - exact.vertices.begin());
  EXPECT_NEAR(all.vertices[top], exact.vertices[top], 1e-9 * exact.vertices[top]);
  EXPECT_NEAR(some.vertices[top] / exact.vertices[top], 1, 0.25);
}

struct AfterParts final : Observer {
  explicit AfterParts(int parts) : left(parts) {}
  void progress(const Progress&) override { --left; }
  bool stop() override { return left <= 0; }
  int left;
};

Betweenness stopped_after(Engine& engine, const Core& core, int parts, std::uint64_t seed,
                          bool edges) {
  AfterParts observer(parts);
  CheckpointStore no_checkpoint;
  return betweenness(engine, core, {edges, 0, seed}, observer, no_checkpoint);
}

// A graph with trees of very different sizes on it: one of two hundred vertices, many of none.
Graph with_trees() {
  reference::Pairs pairs;
  std::mt19937 random(5);
  constexpr unsigned kRing = 150, kAll = 420;
  for (unsigned v = 0; v < kRing; ++v)
    pairs.emplace_back(v, (v + 1) % kRing), pairs.emplace_back(v, random() % kRing);
  for (unsigned v = kRing; v < kAll; ++v) pairs.emplace_back(v, v < kRing + 200 ? 3 : random() % v);
  return graph_of(kAll, pairs);
}

Graph with_many_trees(unsigned ring, unsigned trees, unsigned leaves) {
  reference::Pairs pairs;
  std::mt19937 random(7);
  for (unsigned v = 0; v < ring; ++v)
    pairs.emplace_back(v, (v + 1) % ring), pairs.emplace_back(v, random() % ring);
  for (unsigned leaf = 0; leaf < trees * leaves; ++leaf)
    pairs.emplace_back(leaf % trees * (ring / trees), ring + leaf);
  return graph_of(ring + trees * leaves, pairs);
}

// The mean of the estimates over many seeds is the exact value, as near as so many seeds can tell.
TEST(BetweennessOfAll, stopped_early_is_an_estimate_without_bias) {
  constexpr int kSeeds = 2000;
  const std::pair<Graph, bool> cases[] = {
      {with_trees(), true}, {with_trees(), false}, {with_many_trees(600, 70, 130), true}};
  for (const auto& [graph, folded] : cases) {
    const Core core = folded ? core_of(graph) : without_folding(graph);
    const auto engine = make_engine("cpu", core.graph, {1});
    const auto exact = betweenness_of(graph, folded, true);
    std::vector<double> sum(graph.order(), 0), squares(graph.order(), 0), edge_sum(graph.size(), 0),
        edge_squares(graph.size(), 0);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const Betweenness some = stopped_after(*engine, core, 2, seed, true);
      ASSERT_FALSE(some.finished);
      ASSERT_TRUE(some.sampled);
      ASSERT_EQ(some.vertices.size(), graph.order());
      for (Vertex v = 0; v < graph.order(); ++v)
        sum[v] += some.vertices[v], squares[v] += some.vertices[v] * some.vertices[v];
      for (std::size_t e = 0; e < graph.size(); ++e)
        edge_sum[e] += some.edges[e].value,
            edge_squares[e] += some.edges[e].value * some.edges[e].value;
    }
    const auto expect_unbiased = [&](double total, double square, double value) {
      const double mean = total / kSeeds,
                   deviation = std::sqrt(std::max(0.0, square / kSeeds - mean * mean) / kSeeds);
      ASSERT_NEAR(mean, value, 5 * deviation + 1e-9 * (1 + value));
    };
    for (Vertex v = 0; v < graph.order(); ++v)
      ASSERT_NO_FATAL_FAILURE(expect_unbiased(sum[v], squares[v], exact.vertices[v])) << v;
    for (std::size_t e = 0; e < graph.size(); ++e)
      ASSERT_NO_FATAL_FAILURE(expect_unbiased(edge_sum[e], edge_squares[e], exact.edges[e].value))
          << e;
  }
}

TEST(BetweennessOfAll, stopped_early_keeps_its_promise) {
  for (const Graph& graph : {with_trees(), generated("ba?n=300&degree=2"),
                             generated("er?n=300&degree=3"), generated("path?n=200")}) {
    const Core core = graph.size() + 1 == graph.order()
                          ? without_folding(graph)
                          : core_of(graph);  // of a tree nothing would be left
    const auto engine = make_engine("cpu", core.graph, {1});
    const auto exact = betweenness_of(graph, true, true);
    const double n = graph.order();
    int missed = 0;
    constexpr int kSeeds = 100;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
      for (const bool edges : {false, true}) {
        const Betweenness some = stopped_after(*engine, core, 2, seed, edges);
        ASSERT_TRUE(some.epsilon.has_value());
        double worst = 0;
        if (!edges)
          for (Vertex v = 0; v < graph.order(); ++v)
            worst = std::max(
                worst, std::abs(some.vertices[v] - exact.vertices[v]) / ((n - 1) * (n - 2) / 2));
        for (std::size_t e = 0; e < some.edges.size(); ++e)
          worst = std::max(
              worst, std::abs(some.edges[e].value - exact.edges[e].value) / (n * (n - 1) / 2));
        missed += worst > *some.epsilon ? 1 : 0;
      }
    EXPECT_LE(missed, 0.1 * 2 * kSeeds);
  }
}

// Many sources stand for a tree: an estimate does not wait for all of them, and says no less than
// nothing.
TEST(BetweennessOfAll, stopped_among_many_trees_is_an_estimate) {
  const Core core = core_of(with_many_trees(2000, 200, 100));
  const auto engine = make_engine("cpu", core.graph, {1});
  const Betweenness early = stopped_after(*engine, core, 2, 1, false),
                    late = stopped_after(*engine, core, 5, 1, false);
  EXPECT_EQ(early.counted, 64u);
  ASSERT_TRUE(early.epsilon && late.epsilon);
  EXPECT_LE(*early.epsilon, 1);
  EXPECT_LT(*late.epsilon, 0.75);
}

TEST(BetweennessOfAll, stopped_before_anything_is_known_has_no_values) {
  const Core core = core_of(generated("ws?n=900&p=0.1"));
  const Betweenness none = stopped_after(*make_engine("cpu", core.graph, {1}), core, 0, 1, false);
  EXPECT_FALSE(none.finished);
  EXPECT_EQ(none.sources, 0u);
  EXPECT_TRUE(none.vertices.empty());
}

// An interrupt in the middle of a part: what was added of it is not counted.
TEST(BetweennessOfAll, stopped_within_a_part_has_the_parts_before) {
  struct Late final : Observer {
    bool stop() override { return ++asked > 150; }
    int asked = 0;
  } late;
  const Core core = core_of(generated("ws?n=900&p=0.1"));
  const auto engine = make_engine("cpu", core.graph, {1});
  CheckpointStore no_checkpoint;
  const Betweenness some = betweenness(*engine, core, {}, late, no_checkpoint),
                    same = stopped_after(*engine, core, 2, 1, false);
  EXPECT_EQ(some.sources, 96u);
  EXPECT_EQ(same.sources, 96u);
  EXPECT_EQ(some.vertices, same.vertices);
}

TEST(BetweennessOfAll, with_trees_goes_on_where_it_stopped) {
  const Core core = core_of(with_trees());
  const auto engine = make_engine("cpu", core.graph);
  const auto run = [&](Observer& observer, CheckpointStore& checkpoint) {
    return betweenness(*engine, core, {true}, observer, checkpoint);
  };
  Observer observer;
  CheckpointStore no_checkpoint;
  EXPECT_EQ(run(observer, no_checkpoint).vertices, resumed_until_finished(run).vertices);
}

TEST(BetweennessOfAll, goes_on_where_it_stopped) {
  const Graph graph = generated("ws?n=900&p=0.1");
  const Core core = core_of(graph);
  const auto engine = make_engine("cpu", core.graph);
  const auto run = [&](Observer& observer, CheckpointStore& checkpoint) {
    return betweenness(*engine, core, {true}, observer, checkpoint);
  };
  Observer observer;
  CheckpointStore no_checkpoint;
  EXPECT_EQ(run(observer, no_checkpoint).vertices, resumed_until_finished(run).vertices);
}

}  // namespace
}  // namespace antipode::testing
