// An engine of seven functions answers every measure as the CPU engine does.
#include "contract/toy_engine.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "antipode/certificate.hpp"
#include "antipode/measures.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

TEST(ToyEngine, answers_what_wants_a_connected_graph) {
  RandomConnectedGraphs graphs(61);
  Observer observer;
  for (int round = 0; round < 150; ++round) {
    const Graph graph = graphs.next();
    ToyEngine toy(graph);
    const auto cpu = make_engine("cpu", graph);
    for (const DiameterOptions& options :
         {DiameterOptions{.batching = Batching::always},
          DiameterOptions{.batching = Batching::never}, DiameterOptions{.concurrent = 3},
          DiameterOptions{.strategy = Strategy::sweep},
          DiameterOptions{.strategy = Strategy::takes_kosters},
          DiameterOptions{.strategy = Strategy::exhaustive}}) {
      const Diameter found = diameter(toy, options, observer);
      ASSERT_EQ(found.lower, diameter(*cpu, options, observer).lower);
      ASSERT_TRUE(found.exact());
      ASSERT_TRUE(verify(certify(toy, graph, found), graph).accepted);
    }
    for (const Question question :
         {Question::radius, Question::center, Question::periphery, Question::eccentricity}) {
      const auto found = eccentricities(toy, question, Selection::together, observer),
                 expected = eccentricities(*cpu, question, Selection::together, observer);
      ASSERT_TRUE(found.exact);
      if (question == Question::eccentricity) {
        ASSERT_EQ(found.lower, expected.lower);
      } else if (question == Question::periphery) {
        ASSERT_EQ(found.diameter_lower(), expected.diameter_lower());
      } else {
        ASSERT_EQ(found.radius_upper(), expected.radius_upper());
      }
    }
    const auto central = most_central(toy, 3, observer).vertices,
               expected = most_central(*cpu, 3, observer).vertices;
    ASSERT_EQ(central.size(), expected.size());
    for (std::size_t i = 0; i < central.size(); ++i)
      ASSERT_EQ(central[i].vertex, expected[i].vertex);
  }
}

std::vector<std::vector<Distance>> distances_of(Engine& engine) {
  Observer observer;
  CheckpointStore no_checkpoint;
  std::vector<Vertex> sources(engine.graph().order());
  std::iota(sources.rbegin(), sources.rend(), Vertex{0});
  std::vector<std::vector<Distance>> result;
  Vertex done = 0;
  const bool finished = all_distances(
      engine, sources, done,
      [&](Vertex source, std::span<const Distance> distances) {
        EXPECT_EQ(source, sources[result.size()]);
        result.emplace_back(distances.begin(), distances.end());
      },
      observer, no_checkpoint, [] {});
  EXPECT_TRUE(finished);
  EXPECT_EQ(done, sources.size());
  return result;
}

std::vector<double> values_of(const Betweenness& answer) {
  std::vector<double> result;
  for (const auto& each : answer.edges) result.push_back(each.value);
  return result;
}

TEST(ToyEngine, answers_what_any_graph_has) {
  RandomGraphs graphs(62, RandomGraphs::Kinds::both);
  Observer observer;
  CheckpointStore no_checkpoint;
  for (int round = 0; round < 150; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    ToyEngine toy(graph);
    const auto cpu = make_engine("cpu", graph);
    ASSERT_EQ(average(toy, 0, 1, observer).pairs, average(*cpu, 0, 1, observer).pairs);
    const Average sample = average(toy, 3, 7, observer), expected = average(*cpu, 3, 7, observer);
    ASSERT_EQ(sample.pairs, expected.pairs);
    ASSERT_EQ(sample.error, expected.error);
    ASSERT_EQ(distances_of(toy), distances_of(*cpu));
    const auto near = closeness(toy, observer, no_checkpoint),
               same = closeness(*cpu, observer, no_checkpoint);
    for (Vertex v = 0; v < graph.order(); ++v) {
      ASSERT_EQ(near.closeness(v, true), same.closeness(v, true));
      ASSERT_EQ(near.harmonic(v), same.harmonic(v));
    }
    ASSERT_EQ(forward_eccentricities(toy, observer, no_checkpoint).value,
              forward_eccentricities(*cpu, observer, no_checkpoint).value);
    if (graph.is_directed()) continue;
    const Core core = without_folding(graph);
    for (const std::size_t samples : {0, 2}) {
      const BetweennessOptions options{.edges = true, .samples = samples};
      const auto found = betweenness(toy, core, options, observer, no_checkpoint),
                 same_sources = betweenness(*cpu, core, options, observer, no_checkpoint);
      ASSERT_EQ(found.vertices, same_sources.vertices);
      ASSERT_EQ(values_of(found), values_of(same_sources));
      ASSERT_EQ(found.epsilon, same_sources.epsilon);
    }
  }
}

}  // namespace
}  // namespace antipode::testing
