#include "io/support.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

TEST(Write, what_is_written_is_read_again) {
  const TemporaryFolder folder;
  RandomGraphs graphs(61);
  for (int round = 0; round < 160; ++round) {
    const Graph graph = graphs.next();
    if (graph.size() == 0) continue;
    for (const std::string name : {"a.txt", "a.mtx", "a.egr", "a.apg"}) {
      const auto notices = write_graph(graph, folder.file(name));
      const Graph found = load_graph(folder.file(name)).graph;
      ASSERT_EQ(found.size(), graph.size()) << name;
      if (name == "a.txt" && notices.empty()) {
        ASSERT_EQ(fingerprint(found), fingerprint(graph));
      }
      if (name == "a.egr") {
        ASSERT_EQ(fingerprint(found).order, fingerprint(graph).order);
      }
    }
  }
}

TEST(Write, lost_vertices_and_labels_are_noticed) {
  const TemporaryFolder folder;
  EXPECT_EQ(write_graph(graph_of(3, {{0, 1}}), folder.file("a.txt")).size(), 1u);
  EXPECT_EQ(write_graph(generated("karate"), folder.file("a.mtx")).size(), 0u);
  EXPECT_EQ(write_graph(graph_of(2, {{0, 1}}), folder.file("a.mtx")).size(), 1u);
  EXPECT_EQ(write_graph(generated("karate"), folder.file("a.egr")).size(), 1u);
}

TEST(Write, formats_that_cannot_be_written_are_refused) {
  EXPECT_THROW(write_graph(generated("karate"), "a.rodinia"), UsageError);
  EXPECT_THROW(write_graph(generated("karate"), "a.txt", "metis"), UsageError);
}

TEST(Write, a_failure_leaves_nothing_behind) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_graph(generated("karate"), folder.file("missing/a.apg")), DeviceError);
  EXPECT_EQ(folder.count(), 0u);
  EXPECT_THROW(write_text(folder.file(""), "a folder is no file"), DeviceError);
  EXPECT_EQ(folder.count(), 0u);
}

TEST(Write, an_existing_file_is_replaced_whole) {
  const TemporaryFolder folder;
  write_text(folder.file("a"), std::string(1000, 'x'));
  write_text(folder.file("a"), "y");
  EXPECT_EQ(bytes_of(folder.file("a")), "y");
  EXPECT_EQ(folder.count(), 1u);
}

}  // namespace
}  // namespace antipode::testing
