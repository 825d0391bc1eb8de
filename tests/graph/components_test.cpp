#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "support/factories.hpp"
#include "support/path_graphs.hpp"

namespace antipode::testing {
namespace {

TEST(Components, agree_with_the_reference_on_random_graphs) {
  RandomGraphs graphs(1);
  for (int round = 0; round < 1600; ++round) {
    const Graph graph = graphs.next();
    const Components found = components(graph);
    const auto expected = reference_of(graph).components();
    std::map<unsigned, Vertex> number;  // components are numbered by their smallest vertex
    for (const unsigned name : expected) number.emplace(name, static_cast<Vertex>(number.size()));
    ASSERT_EQ(found.count(), number.size());
    for (Vertex v = 0; v < graph.order(); ++v) ASSERT_EQ(found.of[v], number[expected[v]]);
  }
}

TEST(Components, the_largest_keeps_labels_edges_and_distances) {
  RandomGraphs graphs(2);
  for (int round = 0; round < 320; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const Components parts = components(graph);
    const Graph part = component_subgraph(graph, parts, parts.largest());
    ASSERT_EQ(part.order(), parts.orders[parts.largest()]);
    ASSERT_EQ(part.size(), parts.sizes[parts.largest()]);
    const auto whole = reference_of(graph), small = reference_of(part);
    const auto far = whole.distances(part.origin(0)), near = small.distances(0);
    for (Vertex v = 0; v < part.order(); ++v) {
      ASSERT_EQ(near[v], far[part.origin(v)]);
      ASSERT_EQ(part.label(v), graph.label(part.origin(v)));
      ASSERT_EQ(part.find(part.label(v)), v);
    }
  }
}

TEST(Components, cut_out_one_after_the_other_are_those_cut_out_alone) {
  RandomGraphs graphs(3, RandomGraphs::Kinds::both);
  for (int round = 0; round < 320; ++round) {
    const Graph graph = graphs.next();
    const Components parts = components(graph);
    const ComponentCutter cutter(graph, parts);
    for (Vertex which = 0; which < parts.count(); ++which) {
      const Graph part = cutter.subgraph(which), alone = component_subgraph(graph, parts, which);
      ASSERT_EQ(cutter.members(which).size(), part.order());
      ASSERT_EQ(fingerprint(part).hash, fingerprint(alone).hash);
      ASSERT_EQ(part.is_directed(), graph.is_directed());
      ASSERT_EQ(part.size(), parts.sizes[which]);
      for (Vertex v = 0; v < part.order(); ++v)
        ASSERT_EQ(part.origin(v), graph.origin(cutter.members(which)[v]));
    }
  }
}

// Arcs between strong components are left out, in both directions, and lengths go with their arcs.
TEST(Components, that_are_strong_have_the_arcs_inside) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const PathCase made = random_path_case(seed, true, seed % 2 == 0);
    const Graph graph = made.graph();
    const Components parts = strong_components(graph);
    const ComponentCutter cutter(graph, parts);
    for (Vertex which = 0; which < parts.count(); ++which) {
      const Graph part = cutter.subgraph(which);
      ASSERT_EQ(part.order(), parts.orders[which]);
      ASSERT_EQ(part.size(), parts.sizes[which]);
      ASSERT_TRUE(is_strongly_connected(part));
      const Adjacency out = part.adjacency(), in = part.into().adjacency();
      ASSERT_EQ(in.arcs(), out.arcs());
      for (Vertex v = 0; v < part.order(); ++v)
        for (EdgeOffset arc = out.offsets[v]; arc < out.offsets[v + 1]; ++arc) {
          const Vertex from = part.origin(v), to = part.origin(out.targets[arc]);
          const auto around = graph.neighbors(from);
          const auto at = std::find(around.begin(), around.end(), to) - around.begin();
          ASSERT_LT(at, static_cast<std::ptrdiff_t>(around.size()));
          ASSERT_EQ(out.length(arc),
                    graph.adjacency().length(graph.offsets()[from] + static_cast<EdgeOffset>(at)));
        }
    }
  }
}

// Of a directed graph the arcs that leave and those that enter.
TEST(Components, of_a_directed_graph_are_directed) {
  RandomGraphs graphs(3, RandomGraphs::Kinds::both);
  for (int round = 0; round < 640; ++round) {
    const Graph graph = graphs.next();
    const Components parts = components(graph);
    for (Vertex which = 0; which < parts.count(); ++which) {
      const Graph part = component_subgraph(graph, parts, which);
      ASSERT_EQ(part.order(), parts.orders[which]);
      ASSERT_EQ(part.size(), parts.sizes[which]);
      ASSERT_EQ(part.is_directed(), graph.is_directed());
      const auto expect_same = [&](const Graph& small, const Graph& large) {
        for (Vertex v = 0; v < part.order(); ++v) {
          const auto found = small.neighbors(v), wanted = large.neighbors(part.origin(v));
          ASSERT_EQ(found.size(), wanted.size());
          for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_EQ(part.origin(found[i]), wanted[i]);
        }
      };
      ASSERT_NO_FATAL_FAILURE(expect_same(part, graph));
      ASSERT_NO_FATAL_FAILURE(expect_same(part.into(), graph.into()));
    }
  }
}

TEST(Components, are_strong_where_every_vertex_reaches_every_other) {
  RandomGraphs graphs(5, RandomGraphs::Kinds::both);
  int strong = 0;
  for (int round = 0; round < 1600; ++round) {
    const Graph graph = graphs.next();
    const auto slow = reference_of(graph);
    bool all = true;
    for (unsigned v = 0; v < slow.order(); ++v)
      for (const unsigned d : slow.distances(v)) all = all && d != reference::kFar;
    ASSERT_EQ(is_strongly_connected(graph), all) << round;
    strong += graph.is_directed() && graph.order() > 2 && all ? 1 : 0;
  }
  EXPECT_GT(strong, 10);
}

TEST(Components, a_graph_without_vertices_has_none) {
  EXPECT_EQ(components(Graph()).count(), 0u);
  EXPECT_EQ(components(Graph()).largest(), kNoVertex);
}

TEST(Components, of_equals_that_with_the_first_label_is_the_largest) {
  EXPECT_EQ(components(graph_of(4, {{2, 3}, {0, 1}})).largest(), 0u);
  const auto first_of = [](Labels labels) {
    const Graph graph = build_graph(4, {{{0, 1}, {2, 3}}}, std::move(labels)).graph;
    for (const VertexOrder order : {VertexOrder::as_read, VertexOrder::bfs}) {
      const Graph turned = reorder(graph, order);
      const Components parts = components(turned);
      std::set<std::string> names;
      for (Vertex v = 0; v < 4; ++v)
        if (parts.of[v] == parts.largest()) names.insert(turned.label(v));
      EXPECT_TRUE(names.size() == 2);
      if (order == VertexOrder::bfs) return *names.begin();
    }
    return std::string();
  };
  EXPECT_EQ(first_of(Labels::integers({30, 10, 9, 200})), "200");  // 9 is smaller than 10
  EXPECT_EQ(first_of(Labels::integers({30, 8, 9, 200})), "30");
  EXPECT_EQ(first_of(Labels::names({"b", "c", "a", "d"})), "a");
  EXPECT_EQ(first_of(Labels::names({"b", "c", "aa", "d"})), "b");
  EXPECT_EQ(first_of(Labels::names({"ab", "c", "aa", "dd"})), "ab");
}

}  // namespace
}  // namespace antipode::testing
