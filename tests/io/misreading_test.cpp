// Files that look like something else: tables with row names, names with blanks, formats of other
// programs. Each is read as what it is or refused by name, and what only looks like one is read.
#include <algorithm>

#include "io/support.hpp"

namespace antipode::testing {
namespace {

struct Right {
  struct {
    const char* name;
    std::string text;
    const char* columns;  // of --columns; empty: none
  } file;
  struct {
    Vertex order;
    std::uint64_t size;
    const char* first_label;
  } graph;
};

void PrintTo(const Right& right, std::ostream* out) { *out << right.file.text; }

class ReadRight : public ::testing::TestWithParam<Right> {};

TEST_P(ReadRight, with_these_vertices_and_edges) {
  const Right& each = GetParam();
  const auto loaded =
      parse_graph(each.file.name, each.file.text, LoadOptions{.columns = each.file.columns});
  EXPECT_EQ(loaded.graph.order(), each.graph.order) << loaded.format;
  EXPECT_EQ(loaded.graph.size(), each.graph.size);
  EXPECT_EQ(loaded.graph.label(0), each.graph.first_label);
}

const char* const kIndexed = "\tsource\ttarget\n0\t1\t2\n1\t2\t3\n2\t3\t4\n";

INSTANTIATE_TEST_SUITE_P(
    IndexColumns, ReadRight,
    ::testing::Values(
        Right{{"a.tsv", kIndexed, ""}, {4, 3, "1"}},
        Right{{"a.tsv", kIndexed, "source,target"}, {4, 3, "1"}},
        Right{{"a.tsv", kIndexed, "2,3"}, {4, 3, "1"}},
        Right{{"a.tsv", "\tu\tv\n0\t1\t2\n1\t2\t3\n", ""}, {3, 2, "1"}},
        Right{{"a.csv", ",u,v,w\n0,7,8,1\n1,8,9,1\n", ""}, {3, 2, "7"}},
        Right{{"a.csv", "\"\",\"u\",\"v\"\n\"1\",\"ann\",\"bob\"\n\"2\",\"bob\",\"cy\"\n", ""},
              {3, 2, "ann"}},
        Right{{"a.txt", "\"source\" \"target\"\n\"1\" 1 2\n\"2\" 2 3\n", "2,3"}, {3, 2, "1"}},
        Right{{"a.txt", " source target\n0 1 2\n1 2 3\n", "2,3"}, {3, 2, "1"}},
        Right{{"a.csv", "\"a\",\"b\"\n\"1\",\"ann\",\"bob\"\n\"2\",\"bob\",\"cy\"\n", "2,3"},
              {3, 2, "ann"}},
        // Without names in the first column: aligned by two tabs, and a further column here and
        // there.
        Right{{"a.tsv", "1\t\t2\n2\t\t3\n", ""}, {3, 2, "1"}},
        Right{{"a.tsv", "1\t2\tx\n2\t3\t\n", ""}, {3, 2, "1"}}));

INSTANTIATE_TEST_SUITE_P(
    Headers, ReadRight,
    ::testing::Values(
        Right{{"a.txt", "id from to\n1 10 20\n2 20 30\n3 30 40\n", ""}, {4, 3, "10"}},
        Right{{"a.tsv", "weight\tsource\ttarget\n5\t1\t2\n6\t2\t3\n", ""}, {3, 2, "1"}},
        Right{{"a.el", "id from to\n1 10 20\n2 20 30\n", ""}, {3, 2, "10"}},
        Right{{"a.csv", "source,target\n1,2,5\n1,3,5\n", ""}, {3, 2, "1"}},
        Right{{"a.csv", "source,target,weight\n1,2\n2,3\n", ""}, {3, 2, "1"}},
        Right{{"a.txt", "From Node  To Node\n1 2\n2 3\n", ""}, {3, 2, "1"}},
        Right{{"a.txt", "\"ann lee\" \"bob\"\n\"bob\" \"cy\"\n", ""}, {3, 2, "ann lee"}},
        Right{{"a.txt", "\"source\" \"target\"\n\"ann\" \"bob\"\n\"bob\" \"cy\"\n", ""},
              {3, 2, "ann"}},
        Right{{"a.txt", "\"ann bob\nbob cy\n", ""}, {3, 2, "\"ann"}}));

INSTANTIATE_TEST_SUITE_P(
    Names, ReadRight,
    ::testing::Values(
        Right{{"a.txt", "(0,0) (0,1) {}\n(0,1) (1,1) {}\n", ""}, {3, 2, "(0,0)"}},
        Right{{"a.txt", "(0, 0)\t(0, 1)\t{}\n(0, 1)\t(1, 1)\t{}\n", ""}, {3, 2, "(0, 0)"}},
        Right{{"a.txt", "(0, 0);(0, 1);{}\n(0, 1);(1, 1);{}\n", ""}, {3, 2, "(0, 0)"}},
        Right{{"a.csv", "\"(0, 0)\",\"(0, 1)\"\n\"(0, 1)\",\"(1, 1)\"\n", ""}, {3, 2, "(0, 0)"}},
        Right{{"a.txt", "ann lee, bob ray, {}\nbob ray, cy, {}\n", ""}, {3, 2, "ann lee"}},
        Right{{"a.txt", "ann, bob, {'a': 1}\nbob, cy, {'a': 1}\n", ""}, {3, 2, "ann"}},
        Right{{"a.txt", "{x} {y}\n{y} {z}\n", ""}, {3, 2, "{x}"}},
        Right{{"a.csv", "source,target\nann,#go\n#go,#java\n# a, b\n#java,bob\n", ""},
              {4, 3, "ann"}},
        Right{{"a.csv", "# a,b\n#ann,bob\ncy,dan\ndan,eve\n", ""}, {3, 2, "cy"}},
        Right{{"a.csv", "1,2\n#2,3\n3,4\n", ""}, {4, 2, "1"}}));

// What a shape that is refused only resembles.
INSTANTIATE_TEST_SUITE_P(
    Lookalikes, ReadRight,
    ::testing::Values(
        Right{{"a.txt", "1 2 1\n2 3 1\n3 1 1\n", ""}, {3, 3, "1"}},
        Right{{"a.txt", "1 2 3\n2 3 1\n3 4 2\n4 1 5\n", ""}, {4, 4, "1"}},
        Right{{"a.txt", "0 1 0\n1 0 1\n", ""}, {2, 1, "0"}},
        Right{{"a.txt", "0 1\n1 0\n", ""}, {2, 1, "0"}},
        Right{{"a.txt", "ann hub friend\nbob hub friend\ncy hub foe\n", ""}, {4, 3, "ann"}},
        Right{{"a.txt", "ann bob friend\nbob cy friend\ncy ann foe\n", ""}, {3, 3, "ann"}},
        Right{{"a.txt", "# 5\n# 4\n0 1\n1 2\n", ""}, {3, 2, "0"}},
        Right{{"a.txt", "# one\n0 1\n# two\n1 2\n", ""}, {3, 2, "0"}},
        Right{{"a.txt", "# 1\n1 2\n# 2\n2 3\n", ""}, {3, 2, "1"}},
        Right{{"a.txt", "# one\nann bob\n# two\nbob cy\n", ""}, {3, 2, "ann"}},
        Right{{"a.txt", "p q 1 2\nq r 3 4\n", ""}, {3, 2, "p"}},
        Right{{"a.txt", "p max 3\nmax q 4\n", ""}, {3, 2, "p"}},
        Right{{"a.txt", "ann bob\nbob cy 3\ncy dan 4\n", ""}, {4, 3, "ann"}},
        Right{{"a.csv", "ann,bob,likes\nbob,cy,likes\n", ""}, {3, 2, "ann"}},
        Right{{"a.txt", "0 1 2\n1 2 7\n2 0 7\n", ""}, {3, 3, "0"}},
        Right{{"a.txt", "0 1\n0 2 7\n1 2 7\n", ""}, {3, 3, "0"}},
        Right{{"a.txt", "u v\n1 2 {}\n2 3 {}\n", ""}, {3, 2, "1"}},
        Right{{"a.txt", "ann bob\ncy dan 7\n", ""}, {4, 2, "ann"}},
        Right{{"a.txt", "ann bob\ncy dan 7\neve fay 7\n", ""}, {6, 3, "ann"}},
        Right{{"a.edges", "10 33 7\n30 31\n19 2 7\n", ""}, {34, 3, "0"}},
        Right{{"a.csv", "ann,bob,\nbob,cy,3\ncy,dan,4\n", ""}, {4, 3, "ann"}},
        Right{{"a.csv", "ann,dev,cy\nbob,dev,cy\ncy,lead,dan\n", ""}, {5, 3, "ann"}},
        Right{{"a.txt", "ann pp bob\nbob pp cy\n", "1,3"}, {3, 2, "ann"}},
        Right{{"a.sif", "ann pp bob\nbob pp cy\n", "1,3"}, {3, 2, "ann"}},
        Right{{"a.txt", "1 -> 2\n2 -> 3\n", "1,3"}, {3, 2, "1"}},
        Right{{"a.txt", "0 1 3\n1 0 2\n2 1 3\n3 0 2\n", "1,2"}, {4, 3, "0"}},
        Right{{"a.txt", "Dhc\n", ""}, {5, 5, "0"}}, Right{{"a.txt", ":Cdi\n", ""}, {4, 4, "0"}},
        Right{{"a.txt", "1 2\r\r\n2 3\r\r\n", ""}, {3, 2, "1"}},
        Right{{"a.txt", "1 2 \r\n2 3\r", ""}, {3, 2, "1"}},
        Right{{"a.json",
               "{\"nodes\": [{\"id\": 1},\r{\"id\": 2}],\r\"links\": [{\"source\": 1, \"target\": "
               "2}]}",
               ""},
              {2, 1, "1"}},
        Right{{"a.txt", "% a\n% sym links between hosts\n1 2\n2 3\n", ""}, {3, 2, "1"}}));

struct Wrong {
  const char* name;
  std::string text;
  const char* message;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.text; }

class Refused : public ::testing::TestWithParam<Wrong> {};

TEST_P(Refused, with_its_name) {
  const Wrong& each = GetParam();
  const std::string said = complaint(each.name, each.text);
  EXPECT_NE(said.find(each.message), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(
    RowNames, Refused,
    ::testing::Values(Wrong{"a.txt", "\"source\" \"target\"\n\"1\" 1 2\n\"2\" 2 3\n",
                            "--columns 2,3"},
                      Wrong{"a.txt", "\"a\" \"b\"\n\"1\" \"ann\" \"bob\"\n\"2\" \"bob\" \"cy\"\n",
                            "--columns 2,3"},
                      Wrong{"a.txt", " source target\n0 1 2\n1 2 3\n", "--columns 2,3"},
                      Wrong{"a.txt", "source target\n1 ann bob\n2 bob cy\n", "--columns 2,3"},
                      Wrong{"a.tsv", "source\ttarget\n1\t1\t2\n2\t2\t3\n", "--columns 2,3"},
                      Wrong{"a.csv", "source,target\n1,2,5\n2,3,5\n", "--columns 2,3"},
                      Wrong{"a.csv", "source,target\nx,ann,bob\ny,bob,cy\n", "--columns 2,3"}));

INSTANTIATE_TEST_SUITE_P(
    NamesWithBlanks, Refused,
    ::testing::Values(
        Wrong{"a.txt", "(0, 0) (1, 0) {}\n(0, 0) (0, 1) {}\n", "names with blanks"},
        Wrong{"a.txt", "(0, 0) (1, 0)\n(0, 0) (0, 1)\n", "names with blanks"},
        Wrong{"a.txt", "(0, 0),(1, 0),{}\n(0, 0),(0, 1),{}\n", "names with blanks"},
        Wrong{"a.csv", "(0, 0),(1, 0)\n(0, 0),(0, 1)\n", "names with blanks"},
        Wrong{"a.csv", "source,target\n(0, 0),(1, 0)\n(0, 0),(0, 1)\n", "names with blanks"},
        Wrong{"a.edges", "(0, 0) (1, 0)\n(0, 0) (0, 1)\n", "names with blanks"},
        Wrong{"a.txt", "frozenset({1, 2}) frozenset({3}) {}\n", "names with blanks"},
        Wrong{"a.txt", "New York Los Angeles {}\nLos Angeles San Diego {}\n", "names with blanks"},
        Wrong{"a.txt", "ann bob {}\nbob New York {'weight': 3}\n", "names with blanks"},
        Wrong{"a.txt",
              [] {
                std::string text;
                for (int i = 0; i < 300; ++i) text += "ann bob {}\n";
                return text + "ann New York {}\n";
              }(),
              "a.txt:301: a name with a blank"}));

INSTANTIATE_TEST_SUITE_P(
    OtherFormats, Refused,
    ::testing::Values(
        Wrong{"a.txt", "c x\np max 4 2\nn 1 s\nn 4 t\na 1 2 3\na 2 3 3\n",
              "a.txt:3: a line begins"},
        Wrong{"a.txt", "p edge 3 2\nn 1 5\ne 1 2\ne 2 3\n", "a.txt:2: a line begins"},
        Wrong{"a.txt", "p td 3 2\n1 2\n2 3\n", "a.txt:2: a line begins"},
        Wrong{"a.txt", "# v0\nv1 1.5\nv2 2.5\n# v1\nv2 1\n", "LGL"},
        Wrong{"a.txt", "# 0\n1 2\n2 3\n# 1\n2 1\n", "LGL"},
        Wrong{"a.txt", "# 0\n1\n2\n# 1\n2\n", "LGL"},
        Wrong{"a.txt", "v0 1.5\nv1 2.5\n", "a.txt:1: a vertex id expected"},
        Wrong{"a.lgl", "# v0\nv1 1.5\n", "LGL"},
        Wrong{"a.txt", "0 1 0\n1 0 1\n0 1 0\n", "an adjacency matrix"},
        Wrong{"a.txt", "0,1,0\n1,0,1\n0,1,0\n", "an adjacency matrix"},
        Wrong{"a.csv", "0;1;0\n1;0;1\n0;1;0\n", "an adjacency matrix"},
        Wrong{"a.csv", ",a,b,c\na,0,1,0\nb,1,0,2\nc,0,2,0\n", "an adjacency matrix"},
        Wrong{"a.txt", "\"a\" \"b\"\n\"a\" 0 1\n\"b\" 1 0\n", "an adjacency matrix"},
        Wrong{"a.txt",
              [] {
                std::string text;
                for (int i = 0; i < 300; ++i) {
                  for (int j = 0; j < 300; ++j) text += i == j + 1 ? "1 " : "0 ";
                  text += "\n";
                }
                return text;
              }(),
              "an adjacency matrix"},
        Wrong{"a.txt", "nodedef>name VARCHAR,label VARCHAR\na,b\nedgedef>node1,node2\na,a\n",
              "GDF"},
        Wrong{"a.txt", "ann pp bob\nbob pp cy\ncy pp dan\n", "a relation"},
        Wrong{"a.sif", "ann pp bob\n", "a relation"},
        Wrong{"a.txt", "ann -> bob\nbob -> cy\n", "a relation"},
        Wrong{"a.txt", "1 -- 2\n2 -- 3\n", "a relation"},
        Wrong{"a.tsv", "ann lee\tknows\tbob\nbob\tknows\tcy\n", "a relation"},
        Wrong{"a.txt", "t # 0\nv 0 1\nv 1 1\ne 0 1 2\n", "gSpan"},
        Wrong{"a.txt", "{0: [1], 1: [2]}\n", "Python"},
        Wrong{"a.txt", "{'ann': {'bob': {}}}\n", "Python"},
        Wrong{"a.txt", "[(0, 1), (1, 2)]\n", "Python"},
        Wrong{"a.txt", "0 1 3\n1 0 2\n2 1 3\n3 0 2\n", "an adjacency list"},
        Wrong{"a.csv", "0,1,3\n1,0,2\n2,1,3\n3,0,2\n", "an adjacency list"},
        Wrong{"a.txt", "ann bob cy\nbob cy ann\ncy ann bob\n", "an adjacency list"},
        Wrong{"a.txt", "ann: bob cy\nbob: ann\n", "an adjacency list"},
        Wrong{"a.txt", "0: 1 2\n1: 0\n", "an adjacency list"},
        Wrong{"a.txt", "0 1\n1 2\n2 3\n3\n", "an adjacency list"},
        Wrong{"a.txt", "ann bob\nbob\n", "an adjacency list"},
        Wrong{"a.txt", "0,1,2\n1,3\n2\n3\n", "an adjacency list"},
        Wrong{"a.csv", "0,1,2\n1,2,3,4\n2,5\n", "an adjacency list"},
        Wrong{"a.csv", "ann,bob,cy\nbob,cy\ncy\n", "an adjacency list"},
        Wrong{"a.txt", "# c\n0 3\n1 {}\n2 {}\n3 {}\n1 0\n", "a multiline adjacency list"},
        Wrong{"a.txt", "New York 1\nLos Angeles {}\nLos Angeles 0\n", "a multiline adjacency list"},
        Wrong{"a.txt", "ann 1\nbob {'weight': 3}\nbob 0\n", "a multiline adjacency list"},
        Wrong{"a.txt", "LEDA.GRAPH\nstring\nint\n-1\n2\n|{}|\n", "LEDA"},
        Wrong{"a.txt", "directed 1\ngraph [\n  node [ id 1 ]\n]\n", "GML"},
        Wrong{"a.txt", "multigraph 1\ngraph [\n]\n", "GML"}, Wrong{"a.txt", "&AO\n", "digraph6"},
        Wrong{"a.txt", "CREATE (a)-[:KNOWS]->(b)\n", "Cypher"},
        Wrong{"a.txt", "// export\ncreate (:P{name:'x'})\n", "Cypher"},
        Wrong{"a.cypher", "MATCH (a) RETURN a\n", "Cypher"},
        Wrong{"a.txt", "%PDF-1.4\n1 0 obj\n", "PDF"}, Wrong{"a.dot", "graph {}", "pydot"},
        Wrong{"a.txt", "1 2\r2 3\r3 4\r", "tr '\\r' '\\n'"},
        Wrong{"a.csv", "ann,bob\rbob,cy\r", "tr '\\r' '\\n'"},
        Wrong{"a.txt", "u v\n1.0 2.0\n2.0 3.0\n", "a.txt:2: a vertex id expected, found '1.0'"}));

TEST(Refused, lone_carriage_returns_also_where_the_format_is_given) {
  EXPECT_NE(complaint("a", "1 2\r2 3\r", "snap").find("tr '\\r' '\\n'"), std::string::npos);
}

TEST(Refused, row_names_also_where_columns_are_named) {
  const LoadOptions options{"auto", Direction::none, "source,target"};
  EXPECT_THROW(parse_graph("a.txt", "source target\n1 1 2\n2 2 3\n", options), InputError);
  EXPECT_THROW(parse_graph("a.txt", "\"source\" \"target\"\n\"1\" 1 2\n", options), InputError);
}

TEST(SmallLists, with_names_that_are_clauses_of_cypher_are_read) {
  EXPECT_EQ(parse_graph("a.txt", "match merge\nmerge create\n").graph.order(), 3u);
}

TEST(SmallLists, with_lengths_that_have_the_shape_of_a_matrix_are_read) {
  const auto loaded = parse_graph("a.wel", "0 1 1\n1 0 1\n1 1 0\n");
  EXPECT_EQ(loaded.graph.order(), 2u);
  EXPECT_EQ(loaded.graph.size(), 1u);
}

TEST(Refused, one_column_for_both_ends) {
  for (const char* columns : {"b,b", "2,2", "b,2"})
    EXPECT_THROW(parse_graph("a.csv", "a,b\n1,2\n", LoadOptions{"auto", Direction::none, columns}),
                 UsageError)
        << columns;
}

bool has_notice(const LoadedGraph& loaded, std::string_view part) {
  return std::any_of(loaded.notices.begin(), loaded.notices.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(Notices, columns_that_no_rule_asks_for) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"a.csv", "source,target\n1,2,5\n1,3,5\n", "line 2 has 3 columns"},
      {"a.csv", "source,target,weight\n1,2\n2,3\n",
       "line 2 has 2 columns where the lines before have 3"},
      {"a.txt", "source target\n1 2 5\n1 3 5\n", "line 2 has 3 columns"},
      {"a.txt", "0 1 2\n1 2 3\n2 3 0\n3 0 1\n", "adjacency list"},
      {"a.txt", "1 2 3\n2 4 5\n3 6 7\n", "adjacency list"},
      {"a.txt", "0 1 2 3\n1 4 5 6\n2 7 8 9\n", "adjacency list"},
      {"a.txt", "node1 node2\nann bob\nbob cy\n", "--columns node1,node2"},
      {"a.csv", "node1,node2\nann,bob\nbob,cy\n", "--columns node1,node2"},
      {"a.csv", "source,target\nann,#go\n#go,bob\n", "begin with '#' or '%'"},
  };
  for (const auto& [name, text, part] : cases)
    EXPECT_TRUE(has_notice(parse_graph(name, text), part)) << text;
}

TEST(Notices, nothing_is_said_of_ordinary_files) {
  for (const auto& [name, text] :
       {std::pair{"a.txt", "ann bob\nbob cy\n"},
        std::pair{"a.csv", "ann,bob\nbob,cy\n"},
        {"a.txt", "1 2 1\n2 3 1\n3 4 2\n"},      // lengths of a path
        {"a.txt", "1 2 9\n2 3 7\n3 4 8\n"},      // 5 and 6 are missing
        {"a.txt", "1 2 3\n1 4 5\n3 6 7\n"},      // 1 has two rows
        {"a.txt", "1 2 0.5\n2 3 1.5\n3 4 2\n"},  // no numbers of vertices
        {"a.txt", "1 2 3\n2 4 5\n"}})            // too few to tell
    EXPECT_TRUE(parse_graph(name, text).notices.empty()) << text;
}

TEST(Notices, a_header_is_no_edge_in_a_list_of_names) {
  const auto loaded = parse_graph("a.txt", "source target\nann bob\nbob cy\n", "names");
  EXPECT_EQ(loaded.graph.order(), 3u);
  EXPECT_TRUE(has_notice(loaded, "line 1 is taken as a header"));
  EXPECT_NE(complaint("a.txt", "id source target\n1 10 20\n", "snap").find("--columns 2,3"),
            std::string::npos);
}

TEST(Notices, lengths_with_a_decimal_comma_are_lengths) {
  for (const char* text : {"1;2;0,5\n2;3;1,5\n", "ann;bob;0,5\nbob;cy;0,5\n", "1 2 0,5\n2 3 0,5\n"})
    EXPECT_TRUE(parse_graph("a.txt", text).lengths_dropped) << text;
}

}  // namespace
}  // namespace antipode::testing
