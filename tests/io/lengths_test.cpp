// Lengths of edges: what each format gives, exactly, in the unit of the file; and what is refused,
// with its line.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "io/support.hpp"

namespace antipode {
namespace {

using testing::write_bytes;

LoadedGraph with_lengths(const std::string& name, const std::string& bytes,
                         Direction direction = Direction::none, const std::string& columns = "") {
  return parse_graph(
      name, bytes,
      LoadOptions{.direction = direction, .columns = columns, .lengths = Lengths::used});
}

// "a-b:length", by labels, each edge or arc once, as a file has it.
using Edges = std::map<std::pair<std::string, std::string>, std::string>;
Edges edges_of(const Graph& graph) {
  Edges edges;
  const Adjacency rows = graph.adjacency();
  for (Vertex v = 0; v < graph.order(); ++v)
    for (EdgeOffset arc = rows.offsets[v]; arc < rows.offsets[v + 1]; ++arc) {
      const Vertex u = rows.targets[arc];
      if (graph.is_directed() || v < u)
        edges[{graph.label(v), graph.label(u)}] = to_text(rows.length(arc), graph.unit());
    }
  return edges;
}

// The complaint under Lengths::used; empty: there is none.
std::string refusal(const std::string& name, const std::string& bytes) {
  try {
    with_lengths(name, bytes);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

constexpr char kArcs[] = "c roads\np sp 3 4\na 1 2 7\na 2 1 7\na 2 3 9\na 3 2 9\n";

TEST(Lengths, dimacs_files_have_them_in_their_third_column) {
  const LoadedGraph loaded = with_lengths("a.gr", kArcs);
  EXPECT_EQ(edges_of(loaded.graph), (Edges{{{"1", "2"}, "7"}, {{"2", "3"}, "9"}}));
  EXPECT_FALSE(loaded.lengths_dropped);
  EXPECT_FALSE(loaded.directions_dropped);
  EXPECT_TRUE(loaded.notices.empty());
  const Graph directed = with_lengths("a.gr", kArcs, Direction::forward).graph;
  EXPECT_EQ(directed.arcs(), 4u);
  EXPECT_EQ(edges_of(directed.transpose()), edges_of(directed));
}

TEST(Lengths, edge_lists_have_them_in_their_third_column) {
  for (const char* const name : {"a.txt", "a.wel"}) {
    const LoadedGraph loaded = with_lengths(name, "# roads\n0 1 1.50\n1 2 25e-1 more\n0 2\t4\n");
    EXPECT_EQ(edges_of(loaded.graph),
              (Edges{{{"0", "1"}, "1.5"}, {{"1", "2"}, "2.5"}, {{"0", "2"}, "4"}}))
        << name;
    EXPECT_EQ(loaded.graph.unit(), (LengthUnit{.factor = 5, .decimals = 1, .halvings = 0}));
  }
}

TEST(Lengths, a_file_without_them_is_refused) {
  for (const auto& [name, text] : {std::pair{"a.txt", "0 1\n1 2\n"},
                                   {"a.gr", "p edge 2 1\ne 1 2\n"},
                                   {"a.mtx",
                                    "%%MatrixMarket matrix coordinate pattern general\n"
                                    "2 2 1\n1 2\n"}})
    EXPECT_NE(refusal(name, text).find("has no lengths; leave out --weighted"), std::string::npos)
        << text << refusal(name, text);
}

TEST(Lengths, bad_ones_are_refused_with_their_line) {
  using std::string;
  for (const auto& [name, text, message] : std::vector<std::tuple<string, string, string>>{
           {"a.txt", "0 1 2\n1 2 -3\n", "a.txt:2: the length '-3' is negative"},
           {"a.txt", "0 1 nan\n", "a.txt:1: the length 'nan' is not a number"},
           {"a.txt", "0 1 -inf\n", "a.txt:1: the length '-inf' is negative"},
           {"a.txt", "0 1 far\n", "a.txt:1: a length expected, found 'far'"},
           {"a.txt", "0 1 3x\n", "a.txt:1: the length '3x' is no number"},
           {"a.txt", "0 1 3e\n", "a.txt:1: the length '3e' is no number"},
           {"a.txt", "0 1 1e999\n", "a.txt:1: the length '1e999' is beyond all range"},
           {"a.txt", "#\n0 1 2\n1 2\n",
            "a.txt:3: an edge without a length, where the edges before have one"},
           {"a.txt", "0 1\n1 2 3\n",
            "a.txt:2: an edge with a length, where the edges before have none"},
           {"a.gr", "p sp 2 1\na 1 2 -1\n", "a.gr:2: the length '-1' is negative"},
           {"a.gr", "p sp 2 1\na 1 2\n", "a.gr:2: a length expected, found nothing"},
           {"a.txt", "0 1 1e-300\n1 2 1e300\n",
            "a.txt: lengths from 1e-300 to 1e+300 cannot be held exactly"},
           {"a.txt", "0 1 9223372036854775807\n1 2 2\n", "a.txt: a path may be as long as 2^63"},
       })
    EXPECT_EQ(refusal(name, text).substr(0, message.size()), message) << text;
}

}  // namespace
}  // namespace antipode
