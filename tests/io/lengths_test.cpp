// Lengths of edges: what each format gives, exactly, in the unit of the file; and what is refused,
// with its line.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "io/support.hpp"

namespace antipode {
namespace {

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
           {"a.txt", "0 1 1e20\n1 2 1\n", "a.txt: lengths from 1 to 1e+20 cannot be held exactly"},
           {"a.txt", "0 1 9223372036854775807\n1 2 2\n", "a.txt: a path may be as long as 2^63"},
       })
    EXPECT_EQ(refusal(name, text).substr(0, message.size()), message) << text;
}

TEST(Lengths, every_format_that_has_them_keeps_them) {
  const Edges expected{{{"1", "2"}, "2.5"}, {{"2", "3"}, "4"}};
  const std::string graphml =
      "<graphml><key id=\"d0\" for=\"edge\" attr.name=\"cost\"><default>2.5</default></key>"
      "<graph edgedefault=\"undirected\"><node id=\"1\"/><node id=\"2\"/><node id=\"3\"/>"
      "<edge source=\"1\" target=\"2\"/>\n<edge source=\"2\" target=\"3\"><data key=\"d0\">\n"
      "4.0 </data><data key=\"d1\">9</data></edge></graph></graphml>";
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
           {"a.txt", "1 2 2.5\n2 3 4\n"},
           {"a.txt", "1 2 {'weight': 2.5}\n2 3 {'weight': 4, 'x': 1}\n"},
           {"a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 2.5\n3 2 4e0\n"},
           {"out.a", "% sym positive\n% 2 3 3\n1 2 2.5 1084\n2 3 4 1085\n"},
           {"a.csv", "source,target,weight\n1,2,2.5\n2,3,4\n"},
           {"a.csv", "weight,source,target\n2.5,1,2\n4,2,3\n"},
           {"a.csv", "1;2;2,5\n2;3;4\n"},
           {"a.net", "*Vertices 3\n*Edges\n1 2 2.5 c Blue\n2 3 4\n"},
           {"a.graphml", graphml},
           {"a.json",
            "{\"directed\": false, \"nodes\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 3}], "
            "\"links\": [{\"source\": 1, \"target\": 2, \"weight\": 2.5}, "
            "{\"weight\": 4, \"source\": 2, \"target\": 3}]}"}}) {
    const LoadedGraph loaded = with_lengths(name, text);
    EXPECT_EQ(edges_of(loaded.graph), expected) << text;
    EXPECT_FALSE(loaded.lengths_dropped) << text;
    const LoadedGraph without = parse_graph(name, text, LoadOptions{});
    EXPECT_TRUE(without.lengths_dropped) << text;
    EXPECT_FALSE(without.graph.has_lengths()) << text;
    EXPECT_EQ(without.graph.size(), 2u) << text;
  }
}

TEST(Lengths, names_and_whole_numbers_have_them_too) {
  EXPECT_EQ(edges_of(with_lengths("a.txt", "ann bob 2\nbob cy 3 x\n").graph),
            (Edges{{{"ann", "bob"}, "2"}, {{"bob", "cy"}, "3"}}));
  EXPECT_EQ(edges_of(with_lengths("a.csv", "from,to,km\nann,bob,2\nbob,cy,3\n", Direction::none,
                                  "from,to,km")
                         .graph),
            (Edges{{{"ann", "bob"}, "2"}, {{"bob", "cy"}, "3"}}));
  EXPECT_EQ(edges_of(with_lengths("a.rodinia", "2\n0 1\n1 1\n0\n2\n1 7\n0 7\n").graph),
            (Edges{{{"0", "1"}, "7"}}));
  for (const char* const metis :
       {"3 2 1\n2 2.5\n1 2.5 3 4\n2 4\n", "3 2 011 2\n9 9 2 2.5\n9 9 1 2.5 3 4\n9 9 2 4\n"})
    EXPECT_EQ(edges_of(with_lengths("a.graph", metis).graph),
              (Edges{{{"1", "2"}, "2.5"}, {{"2", "3"}, "4"}}));
  const std::int32_t words[] = {2, 2, 0, 1, 2, 1, 0, 7, 7};
  EXPECT_EQ(
      edges_of(with_lengths("a.egr", {reinterpret_cast<const char*>(words), sizeof words}).graph),
      (Edges{{{"0", "1"}, "7"}}));
  EXPECT_EQ(with_lengths("a.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 0\n")
                .graph.order(),
            2u);
}

TEST(Lengths, arcs_and_edges_of_one_file_keep_theirs) {
  const std::string text = "*Vertices 3\n*Arcs\n1 2 5\n*Edges\n2 3 7\n";
  EXPECT_EQ(edges_of(with_lengths("a.net", text, Direction::forward).graph),
            (Edges{{{"1", "2"}, "5"}, {{"2", "3"}, "7"}, {{"3", "2"}, "7"}}));
  EXPECT_EQ(edges_of(with_lengths("a.net", text).graph),
            (Edges{{{"1", "2"}, "5"}, {{"2", "3"}, "7"}}));
  EXPECT_EQ(refusal("a.net", "*Vertices 3\n*Arcs\n1 2 5\n*Edges\n2 3\n"),
            "a.net: an edge without a length, where the edges before have one");
}

TEST(Lengths, of_parallel_edges_the_shortest_counts_and_a_notice_says_so) {
  const LoadedGraph loaded = with_lengths("a.txt", "0 1 5\n1 0 3\n0 1 4\n1 2 8\n2 1 8\n2 2 1\n");
  EXPECT_EQ(edges_of(loaded.graph), (Edges{{{"0", "1"}, "3"}, {{"1", "2"}, "8"}}));
  EXPECT_EQ(loaded.repeats, 3u);
  EXPECT_EQ(loaded.loops, 1u);
  ASSERT_EQ(loaded.notices.size(), 1u);
  EXPECT_EQ(loaded.notices[0],
            "1 edge is given several times with different lengths: the shortest counts");
  const Graph directed = with_lengths("a.txt", "0 1 5\n1 0 3\n0 1 4\n", Direction::forward).graph;
  EXPECT_EQ(edges_of(directed), (Edges{{{"0", "1"}, "4"}, {{"1", "0"}, "3"}}));
  EXPECT_EQ(edges_of(directed.transpose()), (Edges{{{"0", "1"}, "3"}, {{"1", "0"}, "4"}}));
}

TEST(Lengths, that_differ_by_direction_make_a_graph_directed) {
  EXPECT_FALSE(with_lengths("a.gr", kArcs).directions_dropped);
  EXPECT_TRUE(with_lengths("a.gr", "p sp 2 2\na 1 2 7\na 2 1 8\n").directions_dropped);
}

TEST(Lengths, that_are_infinite_are_no_edges) {
  const LoadedGraph loaded = with_lengths("a.txt", "0 1 5\n1 2 inf\n2 3 +Infinity\n3 0 1\n");
  EXPECT_EQ(edges_of(loaded.graph), (Edges{{{"0", "1"}, "5"}, {{"0", "3"}, "1"}}));
  EXPECT_EQ(loaded.graph.order(), 4u);
  ASSERT_EQ(loaded.notices.size(), 1u);
  EXPECT_EQ(loaded.notices[0], "2 edges of infinite length are left out");
}

// The lengths of a path, read and printed again.
std::vector<std::string> printed(const std::vector<std::string>& lengths,
                                 LengthUnit* unit = nullptr,
                                 std::vector<std::string>* notices = nullptr) {
  std::string text;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    text += std::to_string(i) + " " + std::to_string(i + 1) + " " + lengths[i] + "\n";
  const LoadedGraph loaded = with_lengths("a.txt", text);
  if (unit != nullptr) *unit = loaded.graph.unit();
  if (notices != nullptr) *notices = loaded.notices;
  std::vector<std::string> result;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const Vertex v = loaded.graph.find(std::to_string(i)),
                 u = loaded.graph.find(std::to_string(i + 1));
    const Adjacency rows = loaded.graph.adjacency();
    for (EdgeOffset arc = rows.offsets[v]; arc < rows.offsets[v + 1]; ++arc)
      if (rows.targets[arc] == u) result.push_back(to_text(rows.length(arc), loaded.graph.unit()));
  }
  return result;
}

TEST(Lengths, are_exact_to_the_last_digit) {
  using Words = std::vector<std::string>;
  for (const auto& [given, expected] : std::vector<std::pair<Words, Words>>{
           {{"0"}, {"0"}},
           {{"-0.0", "0e7"}, {"0", "0"}},
           {{"007", "+7", "7.", ".7"}, {"7", "7", "7", "0.7"}},
           {{"10", "20"}, {"10", "20"}},
           {{"1e3", "25E-1", "1.50"}, {"1000", "2.5", "1.5"}},
           {{"0.1", "0.2", "0.3"}, {"0.1", "0.2", "0.3"}},
           {{"9223372036854775807"}, {"9223372036854775807"}},
           {{"18446744073709551614"}, {"18446744073709551614"}},
           {{"0.000000000000000001", "4"}, {"0.000000000000000001", "4"}},
           {{"1e30", "3e30"},
            {"1000000000000000000000000000000", "3000000000000000000000000000000"}},
           {{"1e-30", "3e-30"},
            {"0.000000000000000000000000000001", "0.000000000000000000000000000003"}},
           {{"100000000000000000000000000000000000000000"},
            {"100000000000000000000000000000000000000000"}},
       })
    EXPECT_EQ(printed(given), expected) << given[0];
  LengthUnit unit;
  printed({"10", "20", "50"}, &unit);
  EXPECT_EQ(unit, (LengthUnit{.factor = 10, .decimals = 0, .halvings = 0}));
  printed({"0.50", "1.5"}, &unit);
  EXPECT_EQ(unit, (LengthUnit{.factor = 5, .decimals = 1, .halvings = 0}));
}

TEST(Lengths, with_too_many_digits_are_doubles_if_these_are_exact) {
  LengthUnit unit;
  std::vector<std::string> notices;
  // 1/2 and 1/4, with digits that a double does not have.
  EXPECT_EQ(printed({"0.5000000000000000000000000000001", "0.25", "1e3"}, &unit, &notices),
            (std::vector<std::string>{"0.5", "0.25", "1000"}));
  EXPECT_EQ(unit, (LengthUnit{.factor = 1, .decimals = 0, .halvings = 2}));
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("nearest 64-bit floating-point number"), std::string::npos);
  // The exact value of the double 0.1.
  const std::string tenth = "0.1000000000000000055511151231257827021181583404541015625";
  EXPECT_EQ(printed({tenth}), std::vector<std::string>{tenth});
}

TEST(Lengths, random_decimals_come_back_as_they_were) {
  std::mt19937_64 random(28);
  for (int round = 0; round < 300; ++round) {
    const int places = static_cast<int>(random() % 9), digits = 1 + static_cast<int>(random() % 8);
    std::vector<std::string> words;
    for (int i = 0; i < 20; ++i) {
      std::string word;
      for (int k = 0; k < digits; ++k) word += static_cast<char>('0' + random() % 10);
      word += "7";
      word.insert(0,
                  static_cast<std::size_t>(std::max(0, places + 1 - static_cast<int>(word.size()))),
                  '0');
      if (places > 0) word.insert(word.size() - static_cast<std::size_t>(places), ".");
      while (word.size() > 1 && word[0] == '0' && word[1] != '.') word.erase(0, 1);
      words.push_back(word);
    }
    ASSERT_EQ(printed(words), words);
  }
}

TEST(Lengths, a_decimal_comma_is_a_point_and_a_notice_says_so) {
  std::vector<std::string> notices;
  EXPECT_EQ(printed({"2,5", "3"}, nullptr, &notices), (std::vector<std::string>{"2.5", "3"}));
  EXPECT_EQ(notices, (std::vector<std::string>{"commas in lengths are taken as decimal points"}));
}

TEST(Lengths, bad_ones_of_other_formats_are_refused_with_their_line) {
  using std::string;
  for (const auto& [name, text, message] : std::vector<std::tuple<string, string, string>>{
           {"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -1.5\n",
            "a.mtx:3: the length '-1.5' is negative"},
           {"a.graph", "2 1 1\n2 x\n1 1\n", "a.graph:2: a length expected, found 'x'"},
           {"a.csv", "source,target,weight\na,b,2\nb,c,\n",
            "a.csv:3: an edge without a length, where the edges before have one"},
           {"a.csv", "source,target,km\na,b,2\n",
            "a.csv: the file has no lengths; leave out --weighted, or say by --columns"},
           {"a.net", "*Vertices 2\n*Edges\n1 2 -3\n", "a.net:3: the length '-3' is negative"},
           {"a.json",
            "{\"nodes\": [{\"id\": 1}, {\"id\": 2}],\n\"links\": [\n"
            "{\"source\": 1, \"target\": 2, \"weight\": -1}]}",
            "a.json:3: the length '-1' is negative"},
           {"a.graphml",
            "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\"/><graph>\n"
            "<node id=\"1\"/><node id=\"2\"/>\n"
            "<edge source=\"1\" target=\"2\"><data key=\"w\">NaN</data></edge></graph></graphml>",
            "a.graphml:3: the length 'NaN' is not a number"},
           {"out.a", "% asym unweighted\n1 2 5\n2 1 3\n", "out.a: the file has no lengths"},
           {"a.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1 1\n",
            "a.mtx: the file has no lengths"},
           {"a.g6", "A_\n", "a.g6: the file has no lengths"},
       })
    EXPECT_EQ(refusal(name, text).substr(0, message.size()), message) << text;
}

TEST(Lengths, many_blocks_are_taken_in_order) {
  std::string text;
  for (int i = 0; i < 60000; ++i)
    text += std::to_string(i) + " " + std::to_string(i + 1) + " " + std::to_string(i % 977 + 1) +
            ".5\n";
  set_threads(3);
  const Graph graph = with_lengths("a.txt", text).graph;
  set_threads(0);
  EXPECT_EQ(graph.unit(), (LengthUnit{.factor = 5, .decimals = 1, .halvings = 0}));
  for (Vertex v = 0; v < 60000; ++v)
    ASSERT_EQ(graph.adjacency().lengths[graph.offsets()[v + 1] - 1], (v % 977 + 1) * 2 + 1);
  const std::string one = "1 2\n";
  EXPECT_EQ(refusal("a.txt", text + one),
            "a.txt:60001: an edge without a length, where the edges before have one");
}

TEST(Lengths, of_a_generated_graph_are_used_or_dropped) {
  const std::string spec = "gen:grid?rows=3&cols=3&lengths=5..9&directed";
  const LoadedGraph dropped = load_graph(spec);
  EXPECT_TRUE(dropped.lengths_dropped && dropped.directions_dropped);
  EXPECT_FALSE(dropped.graph.has_lengths() || dropped.graph.is_directed());
  const LoadedGraph used = load_graph(
      spec, LoadOptions{.direction = Direction::forward, .columns = {}, .lengths = Lengths::used});
  EXPECT_FALSE(used.lengths_dropped || used.directions_dropped);
  EXPECT_TRUE(used.graph.has_lengths() && used.graph.is_directed());
  EXPECT_THROW(load_graph("gen:karate", LoadOptions{.columns = {}, .lengths = Lengths::used}),
               UsageError);
  for (const Lengths lengths : {Lengths::ignored, Lengths::used}) {
    const LoadedGraph sample = load_graph(
        "gen:road?rows=300&cols=300&lengths=1..9&directed",
        LoadOptions{
            .direction = Direction::forward, .columns = {}, .lengths = lengths, .sample = 1 << 16});
    EXPECT_LT(sample.edge_share, 1);
    EXPECT_EQ(sample.graph.has_lengths(), lengths == Lengths::used);
    EXPECT_TRUE(sample.graph.is_directed());
  }
}

// Any graph with lengths, written and read again.
TEST(Lengths, that_are_written_are_read_again) {
  const testing::TemporaryFolder folder;
  for (const bool directed : {false, true})
    for (const std::string lengths : {"1..9", "10..10", "0..3"})
      for (const char* const name : {"a.apg", "a.txt", "a.mtx"}) {
        const Direction direction = directed ? Direction::forward : Direction::none;
        const Graph graph = generate("rmat?scale=7&lengths=" + lengths, direction).graph;
        std::vector<Length> values(graph.adjacency().lengths.begin(),
                                   graph.adjacency().lengths.end());
        for (const LengthUnit unit :
             {LengthUnit{}, LengthUnit{.factor = 3, .decimals = 2, .halvings = 0},
              LengthUnit{.factor = 1, .decimals = 0, .halvings = 5}}) {
          const Graph other = graph.with_lengths(values, unit);
          write_graph(other, folder.file(name));
          const LoadedGraph loaded = load_graph(
              folder.file(name),
              LoadOptions{.direction = direction, .columns = {}, .lengths = Lengths::used});
          if (std::string(name) == "a.apg") {
            EXPECT_EQ(fingerprint(loaded.graph), fingerprint(other)) << name << lengths << directed;
            EXPECT_EQ(loaded.graph.unit(), unit);
          }
          const auto shifted = [&] {  // Matrix Market numbers from 1
            Edges result;
            for (const auto& [ends, length] : edges_of(other))
              result[{std::to_string(std::stoi(ends.first) + 1),
                      std::to_string(std::stoi(ends.second) + 1)}] = length;
            return result;
          };
          EXPECT_EQ(edges_of(loaded.graph),
                    std::string(name) == "a.mtx" ? shifted() : edges_of(other))
              << name << lengths << directed;
          const LoadedGraph plain = load_graph(folder.file(name));
          EXPECT_TRUE(plain.lengths_dropped);
          EXPECT_EQ(plain.directions_dropped, directed) << name;
          EXPECT_EQ(edges_of(plain.graph),
                    edges_of(parse_graph("x", testing::bytes_of(folder.file(name))).graph));
        }
      }
}

}  // namespace
}  // namespace antipode
