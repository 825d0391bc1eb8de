// Betweenness with lengths against counted paths, on random graphs: by passes on a hierarchy and by
// searches, exactly, from samples, resumed, with any number of threads.
#include <gtest/gtest.h>

#include <cmath>

#include "antipode/error.hpp"
#include "antipode/path_averages.hpp"
#include "engine/host/length_dependencies.hpp"
#include "support/checkpoints.hpp"
#include "support/path_graphs.hpp"

namespace antipode {
namespace {

PathCase positive_case(std::uint64_t seed, bool directed, unsigned most = 24) {
  PathCase made = random_path_case(seed, directed, true, most);
  for (reference::Arc& arc : made.arcs) arc.length = std::max<std::uint64_t>(arc.length, 1);
  return made;
}

Core core_for(const Graph& graph, bool folded) {
  return folded && !graph.is_directed() ? core_of(graph) : without_folding(graph);
}

void expect_near(double found, long double expected) {
  ASSERT_NEAR(found, static_cast<double>(expected), 1e-9 * (1 + static_cast<double>(expected)));
}

class PathBetweenness : public ::testing::TestWithParam<bool> {};

TEST_P(PathBetweenness, is_that_of_counted_paths) {
  Observer observer;
  CheckpointStore none;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    const PathCase made = positive_case(seed, GetParam());
    const Graph graph = made.graph();
    const Core core = core_for(graph, seed % 2 == 0);
    const auto engine =
        make_path_engine("cpu", core.graph, {.threads = static_cast<unsigned>(1 + seed % 3)});
    const Betweenness found = betweenness(*engine, core, {.edges = true}, observer, none);
    ASSERT_TRUE(found.finished && !found.sampled);
    const reference::PathBetweenness expected(made.reference(), made.arcs, made.directed);
    const long double once = made.directed ? 1 : 0.5L;
    for (unsigned v = 0; v < made.order; ++v)
      expect_near(found.vertices[v], once * expected.vertices[v]);
    ASSERT_EQ(found.edges.size(), graph.size());
    for (const auto& [edge, value] : found.edges)
      expect_near(
          value, made.directed
                     ? expected.arcs[edge.from][edge.to]
                     : (expected.arcs[edge.from][edge.to] + expected.arcs[edge.to][edge.from]) / 2);
    if (HasFatalFailure()) return;
  }
}

TEST_P(PathBetweenness, passes_and_searches_agree) {
  const auto never = [] { return false; };
  using host::LengthDependencies;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = positive_case(seed + 5000, GetParam(), 120).graph();
    std::vector<Vertex> sources;
    std::vector<double> weights;
    for (Vertex v = 0; v < graph.order(); ++v) {
      if (v % 3 != 1) sources.push_back(v);
      weights.push_back(1 + v % 5);
    }
    std::vector<Dependencies> sums;
    for (const auto way : {LengthDependencies::Way::by_cost, LengthDependencies::Way::searches}) {
      sums.push_back({.vertices = std::vector<double>(graph.order(), 0),
                      .arcs = std::vector<double>(graph.arcs(), 0),
                      .weights = weights});
      LengthDependencies(graph, 1, never, way).add(sources, sums.back(), never);
    }
    for (Vertex v = 0; v < graph.order(); ++v)
      expect_near(sums[0].vertices[v], sums[1].vertices[v]);
    for (EdgeOffset arc = 0; arc < graph.arcs(); ++arc)
      expect_near(sums[0].arcs[arc], sums[1].arcs[arc]);
    if (HasFatalFailure()) return;
  }
}

TEST_P(PathBetweenness, is_the_same_with_any_number_of_threads_and_parts) {
  Observer observer;
  CheckpointStore none;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = positive_case(seed + 9000, GetParam(), 400).graph();
    const Core core = core_for(graph, true);
    std::vector<Betweenness> found;
    for (const unsigned threads : {1u, 2u, 3u}) {
      const auto engine = make_path_engine("cpu", core.graph, {.threads = threads});
      found.push_back(betweenness(*engine, core, {.edges = true}, observer, none));
    }
    const auto engine = make_path_engine("cpu", core.graph, {.threads = 2});
    found.push_back(antipode::testing::resumed_until_finished(
        [&](Observer& impatient, CheckpointStore& checkpoint) {
          return betweenness(*engine, core, {.edges = true}, impatient, checkpoint);
        }));
    for (const Betweenness& each : found) {
      ASSERT_EQ(each.vertices, found.front().vertices);
      ASSERT_EQ(each.edges.size(), found.front().edges.size());
      for (std::size_t i = 0; i < each.edges.size(); ++i)
        ASSERT_EQ(each.edges[i].value, found.front().edges[i].value);
    }
  }
}

TEST_P(PathBetweenness, a_sample_says_how_far_off_it_is) {
  Observer observer;
  CheckpointStore none;
  const Graph graph = positive_case(12345, GetParam(), 500).graph();
  const Core core = without_folding(graph);
  const auto engine = make_path_engine("cpu", graph, {.threads = 1});
  const Betweenness exact = betweenness(*engine, core, {}, observer, none),
                    some =
                        betweenness(*engine, core, {.samples = graph.order() / 2u}, observer, none);
  ASSERT_TRUE(some.sampled && some.epsilon);
  const double pairs = (graph.order() - 1.0) * (graph.order() - 2.0) / (GetParam() ? 1 : 2);
  for (Vertex v = 0; v < graph.order(); ++v)
    EXPECT_LE(std::abs(exact.vertices[v] - some.vertices[v]) / pairs, *some.epsilon);
}

// Two ways of equal length, again and again: 2^1100 paths from end to end.
TEST(PathBetweennessCounts, more_paths_than_a_double_holds) {
  constexpr Vertex kDiamonds = 1100;
  std::vector<Edge> edges;
  std::vector<Length> lengths;
  for (Vertex i = 0; i < kDiamonds; ++i)
    for (const Vertex side : {1u, 2u}) {
      edges.push_back({3 * i, 3 * i + side});
      lengths.push_back(side);
      edges.push_back({3 * i + side, 3 * i + 3});
      lengths.push_back(3 - side);
    }
  const Vertex order = 3 * kDiamonds + 1;
  const Graph graph =
      build_graph(order, {edges}, {lengths}, {}, Labels::sequential(0, order)).graph;
  const auto engine = make_path_engine("cpu", graph, {.threads = 2});
  Observer observer;
  CheckpointStore none;
  const Betweenness found = betweenness(*engine, without_folding(graph), {}, observer, none);
  for (Vertex i = 1; i < kDiamonds; ++i) {
    const double before = 3.0 * i, behind = order - 1 - before;
    // The sides of a diamond are as far apart by one tip as by the other.
    const double expected = before * behind + 1;
    ASSERT_NEAR(found.vertices[3 * i], expected, 1e-9 * expected);
  }
}

TEST(PathBetweennessLengths, zero_is_refused_with_the_edge) {
  const Graph graph =
      build_graph(3, {{{0, 1}, {1, 2}}}, {{1, 0}}, {}, Labels::sequential(1, 3)).graph;
  const auto engine = make_path_engine("cpu", graph, {});
  Observer observer;
  CheckpointStore none;
  try {
    betweenness(*engine, without_folding(graph), {}, observer, none);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("2 – 3"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Paths, PathBetweenness, ::testing::Bool(),
                         [](const auto& made) { return made.param ? "directed" : "undirected"; });

}  // namespace
}  // namespace antipode
