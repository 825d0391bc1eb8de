// Voltage graphs: their adjacency, and whether they are connected.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "antipode/golf.hpp"
#include "antipode/graph.hpp"
#include "golf/wild_part.hpp"

namespace antipode::testing {
namespace {

// Edge by edge, in digits of its own.
TEST(Part, is_expanded_to_the_graph_its_edges_say) {
  std::mt19937 random(29);
  for (int round = 0; round < 400; ++round) {
    std::vector<Vertex> group{static_cast<Vertex>(1 + random() % 12)};
    while (random() % 3 == 0) group.push_back(1 + random() % 5);
    const Vertex size = 1 + random() % 6;
    golf::Part part = wild_part(size, group, random() % (3 * size + 1), random);
    if (!part.edges.empty() && round % 2 == 0) part.edges.push_back(part.edges.front());
    part.edges.push_back({size - 1, size - 1, 0});  // a loop, which is dropped
    std::vector<Edge> edges;
    for (const golf::PartEdge& e : part.edges)
      for (Vertex q = 0; q < part.shifts(); ++q) {
        Vertex sum = 0, a = q, b = e.shift, unit = 1;
        for (std::size_t i = group.size(); i-- > 0; a /= group[i], b /= group[i], unit *= group[i])
          sum += (a + b) % group[i] * unit;
        edges.push_back({q * size + e.from, sum * size + e.to});
      }
    const Graph expected =
                    build_graph(part.order, {std::move(edges)}, Labels::sequential(0, part.order))
                        .graph,
                found = to_graph(part);
    ASSERT_TRUE(std::ranges::equal(found.offsets(), expected.offsets())) << to_text(part);
    ASSERT_TRUE(std::ranges::equal(found.targets(), expected.targets())) << to_text(part);
  }
}

TEST(Part, graphs_derived_from_it_do_not_pretend_to_repeat) {
  golf::Part part =
      golf::make_part(24, 3);  // a cycle with a leaf at every vertex, and eight vertices alone
  part.edges = {{0, 0, 1}, {0, 1, 0}};
  const Graph graph = to_graph(part);
  EXPECT_EQ(graph.residues(), 3u);
  EXPECT_EQ(reorder(graph, VertexOrder::degree).residues(), 0u);
  const Components found = components(graph);
  EXPECT_EQ(component_subgraph(graph, found, found.largest()).residues(), 0u);
}

TEST(Part, tells_whether_its_graph_is_connected) {
  std::mt19937 random(29);
  int connected = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Vertex> group{static_cast<Vertex>(1 + random() % 24)};
    while (random() % 2 == 0 && group.size() < 4) group.push_back(1 + random() % 6);
    const Vertex size = 1 + random() % 4;
    const golf::Part part = wild_part(size, group, 1 + random() % (2 * size + 1), random);
    const bool expected = components(to_graph(part).materialized()).count() == 1;
    ASSERT_EQ(is_connected(part), expected) << to_text(part);
    ASSERT_EQ(components(to_graph(part)).count() == 1, expected);
    connected += expected;
  }
  EXPECT_GT(connected, 500);
  EXPECT_LT(connected, 1500);
}

}  // namespace
}  // namespace antipode::testing
