#include "graph/folding.hpp"

#include <gtest/gtest.h>

#include "support/factories.hpp"

namespace antipode::testing {
namespace {

TEST(Skeleton, keeps_distances_and_tells_those_of_what_came_off) {
  RandomGraphs graphs(51);
  std::size_t off = 0, left = 0;
  for (int round = 0; round < 1500; ++round) {
    const Graph graph = graphs.next();
    const Skeleton skeleton = skeleton_of(graph, 1 + round % 8, 1 + round % 3, 1);
    const auto whole = reference_of(graph), bones = reference_of(skeleton.graph);
    std::vector<Vertex> bone;
    for (Vertex v = 0; v < graph.order(); ++v)
      if (skeleton.place[v] != kNoVertex) {
        ASSERT_EQ(skeleton.place[v], bone.size());
        ASSERT_EQ(skeleton.graph.origin(skeleton.place[v]), graph.origin(v));
        bone.push_back(v);
      }
    ASSERT_EQ(skeleton.graph.order(), bone.size());
    left += bone.size();
    off += graph.order() - bone.size();
    for (const Vertex from : bone) {
      const auto expected = whole.distances(from), found = bones.distances(skeleton.place[from]);
      for (const Vertex to : bone)
        ASSERT_EQ(found[skeleton.place[to]], expected[to]) << "graph " << round;
      for (Vertex v = 0; v < graph.order(); ++v) {
        if (skeleton.place[v] != kNoVertex) continue;
        Distance nearest = kUnreached;
        for (const Vertex u : graph.neighbors(v))
          if (skeleton.place[u] != kNoVertex) nearest = std::min(nearest, expected[u]);
        ASSERT_EQ(nearest == kUnreached ? kUnreached : nearest + 1, expected[v])
            << "graph " << round;
        ASSERT_LE(std::count_if(graph.neighbors(v).begin(), graph.neighbors(v).end(),
                                [&](Vertex u) { return skeleton.place[u] != kNoVertex; }),
                  1 + round % 3);
      }
    }
  }
  EXPECT_GT(off, 1000u);
  EXPECT_GT(left, 1000u);
}

TEST(Skeleton, is_the_same_on_any_number_of_threads) {
  const Graph graph = generated("ba?n=70000&degree=2&seed=3");
  const Skeleton one = skeleton_of(graph, 8, 4, 1), two = skeleton_of(graph, 8, 4, 2);
  EXPECT_EQ(one.place, two.place);
  EXPECT_EQ(fingerprint(one.graph), fingerprint(two.graph));
}

TEST(Skeleton, of_a_clique_is_its_first_vertex) {
  const Graph clique = graph_of(5, {{0, 1}, {1, 2}, {0, 2}, {3, 4}});
  const Skeleton skeleton = skeleton_of(clique, 8, 1, 1);
  EXPECT_EQ(skeleton.place, (std::vector<Vertex>{0, kNoVertex, kNoVertex, 1, kNoVertex}));
  EXPECT_EQ(skeleton_of(clique, 1, 1, 1).graph.order(), 4u);
}

TEST(Skeleton, of_a_star_is_its_hub) {
  const Skeleton skeleton = skeleton_of(generated("star?n=100"), 8, 4, 1);
  EXPECT_EQ(skeleton.graph.order(), 1u);
  EXPECT_EQ(skeleton.graph.arcs(), 0u);
}

}  // namespace
}  // namespace antipode::testing
