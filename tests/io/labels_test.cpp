#include "io/support.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

std::vector<std::string> labels_of(const Graph& graph) {
  std::vector<std::string> labels;
  for (Vertex v = 0; v < graph.order(); ++v) labels.push_back(graph.label(v));
  return labels;
}

using Texts = std::vector<std::string>;

TEST(LabelsRead, only_ids_that_occur_are_vertices) {
  EXPECT_EQ(labels_of(parse_graph("a.txt", "7 3\n3 100\n").graph), (Texts{"3", "7", "100"}));
}

TEST(LabelsRead, ids_may_use_all_of_64_bits) {
  EXPECT_EQ(
      labels_of(parse_graph("a.txt", "18446744073709551615 0\n5 18446744073709551614\n").graph),
      (Texts{"0", "5", "18446744073709551614", "18446744073709551615"}));
}

TEST(LabelsRead, ids_at_the_edge_of_32_bits_are_kept) {
  EXPECT_EQ(labels_of(parse_graph("a.txt", "4294967294 4294967295\n4294967296 4294967293\n").graph),
            (Texts{"4294967293", "4294967294", "4294967295", "4294967296"}));
}

TEST(LabelsRead, sparse_ids_do_not_cost_memory) {
  EXPECT_EQ(parse_graph("a.txt", "4000000000 1\n").graph.order(), 2u);
}

TEST(LabelsRead, names_come_in_the_order_of_the_file) {
  EXPECT_EQ(labels_of(parse_graph("a.txt", "zoe ann\nann -3\n").graph),
            (Texts{"zoe", "ann", "-3"}));
}

TEST(LabelsRead, random_sparse_ids_agree_with_a_plain_map) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t range = std::uint64_t{1} << (1 + random() % 63);
    std::string text;
    std::set<std::uint64_t> ids;
    std::set<std::pair<std::uint64_t, std::uint64_t>> edges;
    for (unsigned i = 0; i < 1 + random() % 50; ++i) {
      const std::uint64_t a = random() % range, b = random() % range;
      ids.insert(a), ids.insert(b);
      if (a != b) edges.insert({std::min(a, b), std::max(a, b)});
      text += std::to_string(a) + " " + std::to_string(b) + "\n";
    }
    const Graph graph = parse_graph("a.txt", text).graph;
    ASSERT_EQ(graph.order(), ids.size());
    ASSERT_EQ(graph.size(), edges.size());
    auto id = ids.begin();
    for (Vertex v = 0; v < graph.order(); ++v) ASSERT_EQ(graph.label(v), std::to_string(*id++));
    for (const auto& [a, b] : edges) {
      const auto row = graph.neighbors(graph.find(std::to_string(a)));
      ASSERT_TRUE(std::binary_search(row.begin(), row.end(), graph.find(std::to_string(b))));
    }
  }
}

}  // namespace
}  // namespace antipode::testing
