#include <gtest/gtest.h>

#include "antipode/error.hpp"
#include "graph/hash.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

constexpr VertexOrder kOrders[] = {VertexOrder::as_read, VertexOrder::degree, VertexOrder::bfs,
                                   VertexOrder::rcm};

TEST(Reordered, keeps_labels_edges_and_fingerprint) {
  RandomGraphs graphs(3);
  for (int round = 0; round < 320; ++round) {
    const Graph graph = graphs.next();
    const auto expected = reference_of(graph);
    for (const VertexOrder order : kOrders) {
      const Graph other = reorder(graph, order);
      ASSERT_EQ(other.order(), graph.order());
      ASSERT_EQ(fingerprint(other), fingerprint(graph));
      for (Vertex v = 0; v < other.order(); ++v) {
        ASSERT_EQ(other.label(v), graph.label(other.origin(v)));
        ASSERT_EQ(other.degree(v), graph.degree(other.origin(v)));
        ASSERT_TRUE(std::is_sorted(other.neighbors(v).begin(), other.neighbors(v).end()));
        for (const Vertex u : other.neighbors(v))
          ASSERT_TRUE(expected.adjacent(other.origin(v), other.origin(u)));
      }
    }
  }
}

TEST(Reordered, by_degree_puts_hubs_first) {
  const Graph graph = reorder(graph_of(4, {{3, 0}, {3, 1}, {3, 2}, {0, 1}}), VertexOrder::degree);
  EXPECT_EQ(graph.label(0), "3");
  EXPECT_EQ(graph.label(3), "2");
}

TEST(Reordered, unknown_orders_are_refused) {
  EXPECT_THROW(vertex_order("alphabetical"), UsageError);
}

TEST(Triangles, agree_with_the_reference_on_random_graphs) {
  RandomGraphs graphs(4);
  for (int round = 0; round < 1600; ++round) {
    Graph graph = graphs.next();
    if (round % 2 == 1) graph = reorder(graph, VertexOrder::rcm);  // derived graphs count too
    const Triangles found = triangles(graph);
    const auto expected = reference_of(graph);
    std::uint64_t corners = 0;
    for (Vertex v = 0; v < graph.order(); ++v) {
      ASSERT_EQ(found.at[v], expected.triangles_at(v));
      corners += found.at[v];
    }
    ASSERT_EQ(found.total * 3, corners);
  }
}

TEST(Triangles, of_a_component_taken_out_are_those_of_the_whole) {
  const Graph whole = graph_of(9, {{0, 1}, {4, 5}, {5, 6}, {6, 4}, {6, 7}, {7, 8}, {8, 6}});
  const Components parts = components(whole);
  EXPECT_EQ(triangles(component_subgraph(whole, parts, parts.largest())).total, 2u);
}

TEST(Fingerprint, tells_graphs_apart_that_differ_in_one_edge_or_label) {
  const Graph graph = graph_of(4, {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_NE(fingerprint(graph), fingerprint(graph_of(4, {{0, 1}, {1, 2}, {1, 3}})));
  EXPECT_NE(fingerprint(graph), fingerprint(graph_of(5, {{0, 1}, {1, 2}, {2, 3}})));
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {2, 3}};
  EXPECT_NE(fingerprint(graph),
            fingerprint(build_graph(4, {edges}, Labels::sequential(1, 4)).graph));
  EXPECT_EQ(fingerprint(graph),
            fingerprint(build_graph(4, {edges}, Labels::integers({0, 1, 2, 3})).graph));
}

TEST(Labels, are_found_again) {
  EXPECT_EQ(Labels::sequential(1, 5).find("5"), 4u);
  EXPECT_EQ(Labels::sequential(1, 5).find("0"), kNoVertex);
  EXPECT_EQ(Labels::sequential(1, 5).find("6"), kNoVertex);
  EXPECT_EQ(Labels::sequential(1, 5).find("2x"), kNoVertex);
  const std::uint64_t large = ~std::uint64_t{0};
  EXPECT_EQ(Labels::integers({7, large}).find(std::to_string(large)), 1u);
  EXPECT_EQ(Labels::names({"a", "", "bc"}).find("bc"), 2u);
  EXPECT_EQ(Labels::names({"a", "", "bc"}).of(1), "");
  EXPECT_EQ(Labels::names({"a", "bc"}).find("b"), kNoVertex);
}

// Of vertices that differ in high bits alone, too, no four keys cancel each other out.
TEST(VertexKeys, of_four_vertices_do_not_cancel_out) {
  std::mt19937 random(5);
  for (const unsigned high : {31u, 29u, 20u, 4u}) {
    const std::uint32_t a = 1u << high, b = 1u << (high - 1);
    int canceled = 0;
    for (int round = 0; round < 100000; ++round) {
      const VertexKeys keys{static_cast<std::uint32_t>(random()),
                            static_cast<std::uint32_t>(random()) | 1};
      canceled += keys.of(0) + keys.of(a ^ b) == keys.of(a) + keys.of(b) ? 1 : 0;
    }
    EXPECT_LE(canceled, 1) << high;
  }
}

}  // namespace
}  // namespace antipode::testing
