#include "io/support.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

void expect_same(const Graph& found, const Graph& expected) {
  ASSERT_EQ(found.order(), expected.order());
  ASSERT_TRUE(
      std::equal(found.offsets().begin(), found.offsets().end(), expected.offsets().begin()));
  ASSERT_TRUE(std::equal(found.targets().begin(), found.targets().end(), expected.targets().begin(),
                         expected.targets().end()));
  for (Vertex v = 0; v < found.order(); ++v) ASSERT_EQ(found.label(v), expected.label(v));
}

TEST(Apg, keeps_graphs_with_every_kind_of_label) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  for (const std::string text :
       {"0 1\n1 2\n", "1 2\n2 3\n", "7 3\n3 100\n18446744073709551615 3\n", "ann bob\nbob cy\n"}) {
    const Graph graph = parse_graph("a.txt", text).graph;
    write_graph(graph, path);
    expect_same(load_graph(path).graph, graph);
    expect_same(parse_graph("pipe", bytes_of(path)).graph, graph);
    expect_same(parse_graph("pipe", gzipped(bytes_of(path))).graph, graph);
  }
}

TEST(Apg, keeps_random_graphs_their_components_and_other_orders) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  RandomGraphs graphs(51);
  for (int round = 0; round < 160; ++round) {
    const Graph graph = graphs.next();
    const Components parts = components(graph);
    std::vector<Graph> all{graph, reordered(graph, VertexOrder::rcm)};
    if (parts.count() > 0) all.push_back(component_subgraph(graph, parts, parts.largest()));
    for (const Graph& one : all) {
      write_graph(one, path);
      expect_same(load_graph(path).graph, one);
    }
  }
}

TEST(Apg, cut_short_anywhere_is_refused) {
  const TemporaryFolder folder;
  write_graph(parse_graph("a.txt", "ann bob\nbob cy\n").graph, folder.file("a.apg"));
  const std::string bytes = bytes_of(folder.file("a.apg"));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_NE(complaint("a.apg", bytes.substr(0, size)), "") << size;
  ASSERT_NE(complaint("a.apg", bytes + "x"), "");
}

TEST(Apg, with_any_bit_flipped_is_refused) {
  const TemporaryFolder folder;
  write_graph(parse_graph("a.txt", "ann bob\nbob cy\n").graph, folder.file("a.apg"));
  const std::string bytes = bytes_of(folder.file("a.apg"));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    ASSERT_NE(complaint("a.apg", flipped), "") << "bit " << bit;
  }
}

TEST(Apg, of_a_later_version_says_so) {
  const TemporaryFolder folder;
  write_graph(generated("karate"), folder.file("a.apg"));
  std::string bytes = bytes_of(folder.file("a.apg"));
  bytes[8] = 2;
  EXPECT_NE(complaint("a.apg", bytes).find("version 2"), std::string::npos);
}

}  // namespace
}  // namespace antipode::testing
