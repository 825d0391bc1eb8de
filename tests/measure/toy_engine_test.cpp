// An engine of seven functions answers every measure as the CPU engine does.
#include "contract/toy_engine.hpp"

#include <gtest/gtest.h>

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
    for (const Batching batching : {Batching::always, Batching::never}) {
      DiameterOptions options;
      options.batching = batching;
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
    ASSERT_EQ(betweenness(toy, core, {.edges = true}, observer, no_checkpoint).vertices,
              betweenness(*cpu, core, {.edges = true}, observer, no_checkpoint).vertices);
  }
}

}  // namespace
}  // namespace antipode::testing
