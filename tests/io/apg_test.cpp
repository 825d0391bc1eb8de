#include <sys/stat.h>

#include <atomic>
#include <functional>
#include <thread>

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
    std::vector<Graph> all{graph, reorder(graph, VertexOrder::rcm)};
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
  bytes[8] = 3;
  EXPECT_NE(complaint("a.apg", bytes).find("version 3"), std::string::npos);
}

// Files with valid checksums and rows that are no undirected graph's: an arc is moved to where none
// comes back.
TEST(Apg, refuses_edges_that_stand_in_one_row_only) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  RandomGraphs graphs(52);
  std::mt19937 random(7);
  int moved = 0;
  for (int round = 0; round < 400; ++round) {
    const Graph graph = graphs.next();
    if (graph.arcs() == 0) continue;
    const std::vector<EdgeOffset> offsets(graph.offsets().begin(), graph.offsets().end());
    std::vector<Vertex> targets(graph.targets().begin(), graph.targets().end());
    const std::size_t arc = random() % targets.size();
    const auto v = static_cast<Vertex>(std::upper_bound(offsets.begin(), offsets.end(), arc) -
                                       offsets.begin() - 1);
    const auto row = targets.begin() + static_cast<std::ptrdiff_t>(offsets[v]);
    const auto row_end = targets.begin() + static_cast<std::ptrdiff_t>(offsets[v + 1]);
    const Vertex other = random() % graph.order();
    if (other == v || std::find(row, row_end, other) != row_end) continue;
    targets[arc] = other;
    std::sort(row, row_end);
    const Graph bad(offsets, targets, Labels::sequential(0, graph.order()));
    const Graph good(offsets, {graph.targets().begin(), graph.targets().end()},
                     Labels::sequential(0, graph.order()));
    write_graph(bad, path);
    EXPECT_NE(
        complaint("a.apg", bytes_of(path)).find("is in the adjacency of only one of its ends"),
        std::string::npos);
    EXPECT_NE(fingerprint(bad).hash, fingerprint(good).hash);
    ++moved;
  }
  EXPECT_GT(moved, 100);
}

TEST(Apg, refuses_two_vertices_of_the_same_name_or_number) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  const std::vector<EdgeOffset> offsets{0, 1, 3, 4};
  const std::vector<Vertex> targets{1, 0, 2, 1};
  write_graph(Graph(offsets, targets, Labels::names({"ann", "bob", "ann"})), path);
  EXPECT_NE(complaint("a.apg", bytes_of(path)).find("two vertices have the same name"),
            std::string::npos);
  write_graph(Graph(offsets, targets, Labels::integers({7, 9, 7})), path);
  EXPECT_NE(complaint("a.apg", bytes_of(path)).find("two vertices have the same label"),
            std::string::npos);
  write_graph(Graph(offsets, targets, Labels::integers({9, 3, 7})), path);
  EXPECT_EQ(complaint("a.apg", bytes_of(path)), "");
}

TEST(Apg, refuses_names_that_are_not_utf8) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  const std::vector<EdgeOffset> offsets{0, 1, 2};
  const std::vector<Vertex> targets{1, 0};
  write_graph(Graph(offsets, targets, Labels::names({"zo\xc3\xab", "\xff"})), path);
  EXPECT_NE(complaint("a.apg", bytes_of(path)).find("is not UTF-8"), std::string::npos);
  // Whole characters, but only together: each name ends within one.
  write_graph(Graph(offsets, targets, Labels::names({"a\xc3", "\xab"})), path);
  EXPECT_NE(complaint("a.apg", bytes_of(path)).find("is not UTF-8"), std::string::npos);
}

TEST(Apg, does_not_depend_on_its_file_once_it_is_read) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  const Graph graph = generate("rmat?scale=10").graph;
  write_graph(graph, path);
  const Graph found = load_graph(path).graph;
  write_bytes(path, std::string(bytes_of(path).size(), 'x'));
  expect_same(found, graph);
  std::filesystem::resize_file(path, 0);
  expect_same(found, graph);
}

// Changes the file when a reader asks whether to stop, for the n-th time.
class ChangesFile final : public LoadObserver {
 public:
  ChangesFile(int ask, std::function<void()> change) : ask_(ask), change_(std::move(change)) {
    set_load_observer(this);
  }
  ~ChangesFile() override { set_load_observer(nullptr); }
  ChangesFile(const ChangesFile&) = delete;
  ChangesFile& operator=(const ChangesFile&) = delete;
  bool stop() override {
    if (++asked == ask_) change_();
    return false;
  }
  std::atomic<int> asked = 0;

 private:
  int ask_;
  std::function<void()> change_;
};

// One of the two graphs, or an error: never a graph of both.
TEST(Apg, that_is_cut_short_or_rewritten_while_it_is_read_is_whole_or_refused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  const Graph whole = generate("rmat?scale=15").graph, first = reorder(whole, VertexOrder::bfs),
              second = reorder(whole, VertexOrder::degree);
  write_graph(first, path);
  const std::string bytes = bytes_of(path);
  write_graph(second, path);
  const std::string other = bytes_of(path);
  ASSERT_EQ(bytes.size(), other.size());
  ASSERT_GT(bytes.size(), std::size_t{3} << 20);         // several blocks
  const auto overwrite = [&](const std::string& with) {  // in place: the size stays
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.write(with.data(), static_cast<std::streamsize>(with.size()));
  };
  const std::function<void()> changes[] = {
      [&] { std::filesystem::resize_file(path, 0); },
      [&] { std::filesystem::resize_file(path, bytes.size() / 2); },
      [&] { std::filesystem::resize_file(path, bytes.size() - 1); },
      [&] { overwrite(other); },
      [&] { overwrite(std::string(bytes.size(), '\0')); },
  };
  int refused = 0;
  for (const auto& change : changes) {
    for (int ask = 1, most = 1; ask <= most; ++ask) {
      write_bytes(path, bytes);
      ChangesFile observer(ask, change);
      try {
        const Graph found = load_graph(path).graph;
        const bool is_first = std::equal(found.targets().begin(), found.targets().end(),
                                         first.targets().begin(), first.targets().end());
        expect_same(found, is_first ? first : second);
      } catch (const InputError&) {
        ++refused;
      }
      if (ask == 1 || observer.asked > most) most = std::min<int>(observer.asked, 40);
    }
  }
  EXPECT_GT(refused, 4);
}

TEST(Apg, that_is_cut_short_or_changed_in_a_pipe_is_refused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg"), pipe = folder.file("pipe.apg");
  const Graph whole = generate("rmat?scale=12").graph;
  write_graph(reorder(whole, VertexOrder::bfs), path);
  const std::string bytes = bytes_of(path);
  write_graph(reorder(whole, VertexOrder::degree), path);
  const std::string other = bytes_of(path);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::size_t half = bytes.size() / 2;
  for (const std::string& sent :
       {bytes.substr(0, half), bytes.substr(0, half) + other.substr(half),
        bytes.substr(0, half) + std::string(half, '\0') + bytes.substr(2 * half), bytes + "x"}) {
    std::thread writer([&] { write_bytes(pipe, sent); });
    EXPECT_THROW(load_graph(pipe), InputError);
    writer.join();
  }
}

TEST(Apg, is_read_through_a_named_pipe) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg"), pipe = folder.file("pipe.apg");
  const Graph graph = generate("rmat?scale=12").graph;
  write_graph(graph, path);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { write_bytes(pipe, bytes_of(path)); });
  expect_same(load_graph(pipe).graph, graph);
  writer.join();
}

}  // namespace
}  // namespace antipode::testing
