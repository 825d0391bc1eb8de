// The same graph in every format, plain and packed.
#include "io/support.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

// The path 1 – 2 – 3 – 4 with the chord 2 – 4, ids as each format counts them.
struct Sample {
  const char* name;
  const char* format;
  std::string text;
  const char* first_label;
};

std::string egr_bytes() {
  const std::int32_t words[] = {4, 8, 0, 1, 4, 6, 8, 1, 0, 2, 3, 1, 3, 1, 2};
  return {reinterpret_cast<const char*>(words), sizeof words};
}

std::vector<Sample> samples() {
  return {
      {"a.txt", "snap", "# comment\n1\t2\n2\t3\n3\t4\n% another\n\n2\t4\n", "1"},
      {"a.txt", "snap", "1 2\r\n2 3\r\n3 4\r\n2 4", "1"},
      {"a.txt", "snap", "1 2 0.5 hello\n2 3 1\n3 4 7\n4 2 -8\n", "1"},
      {"a.el", "el", "0 1\n1 2\n2 3\n1 3\n", "0"},
      {"a.edges", "golf", "0 1\n1 2\n2 3\n1 3\n", "0"},
      {"a.txt", "names", "ada bob\nbob cy\ncy dan\nbob dan\n", "ada"},
      {"a.edges", "names", "0,0 0,1\n0,1 1,1\n1,1 1,2\n0,1 1,2\n", "0,0"},
      {"a.mtx", "mtx",
       "%%MatrixMarket matrix coordinate pattern symmetric\n% c\n4 4 4\n2 1\n3 2\n4 3\n4 2\n", "1"},
      {"a.mtx", "mtx",
       "%%MatrixMarket matrix coordinate real general\n4 4 5\n2 1 0.5\n3 2 1e3\n4 3 -1\n4 2 0\n2 4 "
       "0\n",
       "1"},
      {"no-name", "mtx",
       "%%matrixmarket MATRIX Coordinate integer Symmetric\n4 4 4\n2 1 1\n3 2 1\n4 3 1\n4 2 1",
       "1"},
      {"a.graph", "metis", "% c\n4 4\n2\n1 3 4\n2 4\n2 3\n", "1"},
      {"a.graph", "metis", "4 4 011 2\n7 7 2 9\n7 7 1 9 3 9 4 9\n7 7 2 9 4 9\n7 7 2 9 3 9\n", "1"},
      {"no-name", "metis", "4 4\n2\n1 3 4\n2 4\n2 3\n", "1"},
      {"a.gr", "gr",
       "c roads\np sp 4 8\na 1 2 5\na 2 1 5\na 2 3 5\na 3 2 5\na 3 4 5\na 4 3 5\na 2 4 5\na 4 2 "
       "5\n",
       "1"},
      {"no-name", "gr", "c old\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 2 4\n", "1"},
      {"a.egr", "egr", egr_bytes(), "0"},
      {"out.a", "konect", "% sym unweighted\n% 4 4 4\n1 2\n2 3\n3 4 1 1234567\n2 4\n", "1"},
      {"no-name", "konect", "% asym positive\n1 2 3\n2 3 1\n3 4 1\n2 4 1\n", "1"},
      {"a.rodinia", "rodinia",
       "4\n0 1\n1 3\n4 2\n6 2\n\n0\n\n8\n1 9\n0 9\n2 9\n3 9\n1 9\n3 9\n1 9\n2 9\n", "0"},
      {"no-name", "rodinia",
       "4\n0 1\n1 3\n4 2\n6 2\n0\n8\n1 9\n0 9\n2 9\n3 9\n1 9\n3 9\n1 9\n2 9\n", "0"},
  };
}

void expect_sample(const LoadedGraph& loaded, const Sample& sample) {
  EXPECT_EQ(loaded.format, sample.format);
  const Graph& graph = loaded.graph;
  ASSERT_EQ(graph.order(), 4u) << sample.text;
  ASSERT_EQ(graph.size(), 4u) << sample.text;
  EXPECT_EQ(graph.label(0), sample.first_label);
  EXPECT_EQ(graph.degree(0), 1u);
  EXPECT_EQ(graph.degree(1), 3u);
  EXPECT_EQ(loaded.loops, 0u);
}

TEST(Formats, all_give_the_same_graph_plain_and_packed) {
  for (const Sample& sample : samples()) {
    expect_sample(parse_graph(sample.name, sample.text), sample);
    expect_sample(parse_graph(std::string(sample.name) + ".gz", gzipped(sample.text)), sample);
    expect_sample(parse_graph(std::string(sample.name) + ".zst", zstandard(sample.text)), sample);
    expect_sample(parse_graph("whatever", sample.text, sample.format), sample);
  }
}

TEST(Formats, are_read_from_files_too) {
  const TemporaryFolder folder;
  for (const Sample& sample : samples()) {
    write_bytes(folder.file(sample.name), sample.text);
    expect_sample(load_graph(folder.file(sample.name)), sample);
  }
}

TEST(Formats, packed_data_may_come_in_several_members) {
  const std::string text = "1 2\n2 3\n";
  EXPECT_EQ(parse_graph("a.gz", gzipped(text) + gzipped("3 4\n")).graph.size(), 3u);
  EXPECT_EQ(parse_graph("a.zst", zstandard(text) + zstandard("3 4\n")).graph.size(), 3u);
}

TEST(Formats, formats_that_list_both_ends_report_only_real_repeats) {
  EXPECT_EQ(parse_graph("a.graph", "3 2\n2\n1 3\n2\n").repeats, 0u);
  EXPECT_EQ(parse_graph("a.gr", "p sp 2 3\na 1 2 1\na 2 1 1\na 1 2 9\n").repeats, 1u);
  EXPECT_EQ(parse_graph("a.txt", "1 2\n2 1\n").repeats, 1u);
}

TEST(Formats, edges_listed_at_one_end_only_are_noticed) {
  const LoadedGraph loaded = parse_graph("a.gr", "p sp 2 1\na 1 2 1\n");
  ASSERT_EQ(loaded.notices.size(), 2u);
  EXPECT_NE(loaded.notices[1].find("one end only"), std::string::npos);
}

TEST(Formats, weights_are_noticed) {
  EXPECT_NE(parse_graph("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 0.5\n")
                .notices.at(0)
                .find("weights"),
            std::string::npos);
}

TEST(Formats, an_empty_row_of_metis_is_an_isolated_vertex) {
  const Graph graph = parse_graph("a.graph", "4 1\n2\n1\n\n\n").graph;
  EXPECT_EQ(graph.order(), 4u);
  EXPECT_EQ(graph.degree(2), 0u);
}

TEST(Formats, the_sides_of_a_bipartite_konect_file_do_not_mix) {
  const Graph graph = parse_graph("out.b", "% bip unweighted\n% 3 2 2\n1 1\n1 2\n2 2\n").graph;
  EXPECT_EQ(graph.order(), 4u);
  EXPECT_EQ(graph.size(), 3u);
}

// Many blocks at once: the pieces must come back in order and lines must be counted through all of
// them.
TEST(Formats, long_files_are_read_whole_and_faults_late_in_them_are_located) {
  const Graph expected = generated("er?n=200000&degree=8&seed=3");
  const TemporaryFolder folder;
  for (const std::string name : {"a.txt", "a.mtx", "a.egr", "a.apg"}) {
    write_graph(expected, folder.file(name));
    const Graph found = load_graph(folder.file(name)).graph;
    EXPECT_EQ(found.size(), expected.size()) << name;
    if (name == "a.apg") {
      EXPECT_EQ(fingerprint(found), fingerprint(expected));
    }
  }
  std::string text = bytes_of(folder.file("a.txt"));
  const auto lines = std::count(text.begin(), text.end(), '\n');
  EXPECT_EQ(complaint("a.txt", text + "5 x\n"),
            "a.txt:" + std::to_string(lines + 1) + ": a vertex id expected, found 'x'");
}

TEST(Formats, a_metis_file_of_many_blocks_keeps_its_rows) {
  std::string text = "300000 300000\n";
  for (int v = 1; v <= 300000; ++v)
    text += std::to_string(v == 1 ? 300000 : v - 1) + " " +
            std::to_string(v == 300000 ? 1 : v + 1) + "\n";
  const Graph cycle = parse_graph("a.graph", text).graph;
  EXPECT_EQ(cycle.size(), 300000u);
  for (Vertex v = 0; v < cycle.order(); ++v) ASSERT_EQ(cycle.degree(v), 2u);
}

}  // namespace
}  // namespace antipode::testing
