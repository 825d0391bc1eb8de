#include <gtest/gtest.h>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

const DiameterOptions kAllOptions[] = {
    {.strategy = Strategy::automatic},
    {.strategy = Strategy::automatic, .batching = Batching::always},
    {.strategy = Strategy::automatic,
     .batching = Batching::always,
     .most_per_batch = 4},  // many rounds of small batches
    {.strategy = Strategy::automatic,
     .concurrent = 3},  // as where three searches take as long as one
    {.strategy = Strategy::automatic, .batching = Batching::never},
    {.strategy = Strategy::sweep},
    {.strategy = Strategy::exhaustive},
    {.strategy = Strategy::takes_kosters},
    {.strategy = Strategy::takes_kosters, .selection = Selection::difference},
    {.strategy = Strategy::takes_kosters, .selection = Selection::farthest},
    {.strategy = Strategy::takes_kosters, .start = Start::random, .seed = 5},
};

void expect_witness(const reference::Graph& graph, const Diameter& answer) {
  const auto& path = answer.witness.path;
  ASSERT_EQ(path.size(), std::size_t{answer.lower} + 1);
  ASSERT_EQ(path.front(), answer.witness.from);
  ASSERT_EQ(path.back(), answer.witness.to);
  for (std::size_t i = 1; i < path.size(); ++i) ASSERT_TRUE(graph.adjacent(path[i - 1], path[i]));
  ASSERT_EQ(graph.distances(answer.witness.from)[answer.witness.to], answer.lower);
}

TEST(Diameter, every_strategy_agrees_with_the_reference_on_20000_random_graphs) {
  RandomConnectedGraphs graphs(21);
  Observer observer;
  for (int round = 0; round < 20000; ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const unsigned expected = reference.diameter();
    const auto engine = make_engine("cpu", graph, {.threads = 1});
    for (const DiameterOptions& options : kAllOptions) {
      const Diameter answer = diameter(*engine, options, observer);
      ASSERT_TRUE(answer.exact());
      ASSERT_EQ(answer.lower, expected)
          << "graph " << round << ", strategy " << static_cast<int>(options.strategy);
      ASSERT_NO_FATAL_FAILURE(expect_witness(reference, answer));
    }
  }
}

TEST(Diameter, of_one_vertex_is_zero_with_itself_as_witness) {
  const auto engine = make_engine("auto", graph_of(1, {}));
  Observer observer;
  for (const DiameterOptions& options : kAllOptions) {
    const Diameter answer = diameter(*engine, options, observer);
    EXPECT_EQ(answer.lower, 0u);
    EXPECT_TRUE(answer.exact());
    EXPECT_EQ(answer.witness.path, std::vector<Vertex>{0});
    EXPECT_EQ(answer.searches, 1u);
  }
}

TEST(Diameter, of_no_vertices_is_undefined) {
  const auto engine = make_engine("auto", Graph());
  Observer observer;
  EXPECT_THROW(diameter(*engine, {}, observer), UsageError);
}

TEST(Diameter, of_a_long_path_is_exact_beyond_sixteen_bits) {
  const Graph graph = generated("path?n=140000");
  const auto engine = make_engine("auto", graph);
  Observer observer;
  for (const Strategy strategy : {Strategy::automatic, Strategy::takes_kosters, Strategy::sweep})
    EXPECT_EQ(diameter(*engine, {strategy}, observer).lower, 139999u);
}

// Says stop after a number of looks, and checks that bounds always hold the truth between them.
class StopAfter final : public Observer {
 public:
  StopAfter(unsigned looks, Distance truth) : looks_(looks), truth_(truth) {}
  void progress(const Progress& progress) override {
    EXPECT_LE(progress.lower, truth_);
    EXPECT_GE(progress.upper, truth_);
  }
  bool stop() override { return ++asked_ > looks_; }

 private:
  unsigned looks_, asked_ = 0;
  Distance truth_;
};

TEST(Diameter, stopped_at_any_moment_returns_bounds_that_hold) {
  RandomConnectedGraphs graphs(22);
  for (int round = 0; round < 1600; ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const unsigned truth = reference.diameter();
    const auto engine = make_engine("cpu", graph, {.threads = 1});
    for (const DiameterOptions& options : kAllOptions) {
      for (unsigned looks = 0; looks < 40; looks += 1 + looks / 3) {
        StopAfter observer(looks, truth);
        const Diameter answer = diameter(*engine, options, observer);
        ASSERT_LE(answer.lower, truth);
        ASSERT_GE(answer.upper, truth);
        if (answer.witness.from != kNoVertex) {
          ASSERT_NO_FATAL_FAILURE(expect_witness(reference, answer));
        }
      }
    }
  }
}

TEST(Diameter, threads_and_vertex_orders_do_not_change_the_answer) {
  for (const std::string spec :
       {"rmat?scale=12", "road?rows=80&cols=80&p=0.8", "ws?n=3000", "geometric?n=4000"}) {
    const Graph whole = generated(spec);
    const Components parts = components(whole);
    const Graph graph = component_subgraph(whole, parts, parts.largest());
    Observer observer;
    const Distance expected = diameter(*make_engine("cpu", graph, {.threads = 1}),
                                       {.strategy = Strategy::takes_kosters}, observer)
                                  .lower;
    for (const VertexOrder order : {VertexOrder::degree, VertexOrder::bfs, VertexOrder::rcm})
      for (const unsigned count : {1u, 4u})
        EXPECT_EQ(
            diameter(*make_engine("cpu", reorder(graph, order), {.threads = count}), {}, observer)
                .lower,
            expected)
            << spec;
  }
}

}  // namespace
}  // namespace antipode::testing
