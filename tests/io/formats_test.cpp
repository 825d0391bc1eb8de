// The same graph in every format, plain and packed.
#include "io/support.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

// The path 1 – 2 – 3 – 4 with the chord 2 – 4, ids as each format counts them.
struct Sample {
  struct {
    const char* name;
    const char* format;
  } file;
  std::string text;
  const char* first_label;
};

std::string egr_bytes() {
  const std::int32_t words[] = {4, 8, 0, 1, 4, 6, 8, 1, 0, 2, 3, 1, 3, 1, 2};
  return {reinterpret_cast<const char*>(words), sizeof words};
}

std::vector<Sample> samples() {
  return {
      {{"a.txt", "snap"}, "# comment\n1\t2\n2\t3\n3\t4\n% another\n\n2\t4\n", "1"},
      {{"a.txt", "snap"}, "1 2\r\n2 3\r\n3 4\r\n2 4", "1"},
      {{"a.txt", "snap"}, "1 2 0.5 hello\n2 3 1\n3 4 7\n4 2 -8\n", "1"},
      {{"a.el", "el"}, "0 1\n1 2\n2 3\n1 3\n", "0"},
      {{"a.edges", "golf"}, "0 1\n1 2\n2 3\n1 3\n", "0"},
      {{"a.txt", "names"}, "ada bob\nbob cy\ncy dan\nbob dan\n", "ada"},
      {{"a.edges", "names"}, "0,0 0,1\n0,1 1,1\n1,1 1,2\n0,1 1,2\n", "0,0"},
      {{"a.mtx", "mtx"},
       "%%MatrixMarket matrix coordinate pattern symmetric\n% c\n4 4 4\n2 1\n3 2\n4 3\n4 2\n",
       "1"},
      {{"a.mtx", "mtx"},
       "%%MatrixMarket matrix coordinate real general\n4 4 5\n2 1 0.5\n3 2 1e3\n4 3 -1\n4 2 0\n2 4 "
       "0\n",
       "1"},
      {{"no-name", "mtx"},
       "%%matrixmarket MATRIX Coordinate integer Symmetric\n4 4 4\n2 1 1\n3 2 1\n4 3 1\n4 2 1",
       "1"},
      {{"a.graph", "metis"}, "% c\n4 4\n2\n1 3 4\n2 4\n2 3\n", "1"},
      {{"a.graph", "metis"},
       "4 4 011 2\n7 7 2 9\n7 7 1 9 3 9 4 9\n7 7 2 9 4 9\n7 7 2 9 3 9\n",
       "1"},
      {{"no-name", "metis"}, "4 4\n2\n1 3 4\n2 4\n2 3\n", "1"},
      {{"a.gr", "gr"},
       "c roads\np sp 4 8\na 1 2 5\na 2 1 5\na 2 3 5\na 3 2 5\na 3 4 5\na 4 3 5\na 2 4 5\na 4 2 "
       "5\n",
       "1"},
      {{"no-name", "gr"}, "c old\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 2 4\n", "1"},
      {{"a.egr", "egr"}, egr_bytes(), "0"},
      {{"a.csv", "csv"}, "1,2\n2,3\n3,4\n2,4\n", "1"},
      {{"a.csv", "csv"}, "Source;Target;Weight\r\n1;2;5\r\n2;3;5\r\n3;4;5\r\n2;4;5\r\n", "1"},
      {{"no-name", "csv"}, "from, to\nada, bob\nbob, cy\ncy, dan\nbob, dan\n", "ada"},
      {{"no-name", "csv"},
       "\"Ada \"\"A\"\" L\",bob\nbob,\"c, y\"\n\"c, y\",dan\nbob,dan\n",
       "Ada \"A\" L"},
      {{"no-name", "csv"}, "Ada L\tbob\nbob\tcy\ncy\tdan\nbob\tdan\n", "Ada L"},
      {{"a.csv", "csv"}, "weight,target,source\n1,1,2\n1,2,3\n1,3,4\n1,2,4\n", "1"},
      {{"a.net", "pajek"},
       "*Vertices 4\n1 \"ada l\" 0.1 0.2\n2 bob\n3 cy\n4 dan\n*Edges\n1 2 1\n2 3\n% "
       "c\n*arcslist\n4 3 2\n",
       "ada l"},
      {{"no-name", "pajek"},
       "% c\n*network x\n*vertices 4\n*ARCS\n1 2\n2 3\n3 4\n*edgeslist\n2 4\n",
       "1"},
      {{"a.json", "json"},
       R"({"directed": false, "nodes": [{"id": 0, "x": [1]}, {"id": 1}, {"id": 2}, {"id": 3}],
        "links": [{"source": 0, "target": 1}, {"source": 1, "target": 2},
        {"source": 2, "target": 3}, {"target": 1, "source": 3}]})",
       "0"},
      {{"no-name", "json"},
       R"({"edges": [{"source": "ada", "target": "bob", "w": {"source": 1}},
        {"source": "bob", "target": "cy"}, {"source": "cy", "target": "dan"},
        {"source": "bob", "target": "dan"}], "graph": {"nodes": 1},
        "nodes": [{"id": "ada"}, {"id": "bob"}, {"id": "cy"}, {"id": "dan"}]})",
       "ada"},
      {{"a.g6", "graph6"}, "Cj\n", "0"},
      {{"no-name", "graph6"}, ">>graph6<<Cj", "0"},
      {{"a.s6", "sparse6"}, ":Cdi\r\n", "0"},
      {{"no-name", "sparse6"}, ">>sparse6<<:Cdi\n", "0"},
      {{"out.a", "konect"}, "% sym unweighted\n% 4 4 4\n1 2\n2 3\n3 4 1 1234567\n2 4\n", "1"},
      {{"no-name", "konect"}, "% asym positive\n1 2 3\n2 3 1\n3 4 1\n2 4 1\n", "1"},
      {{"a.rodinia", "rodinia"},
       "4\n0 1\n1 3\n4 2\n6 2\n\n0\n\n8\n1 9\n0 9\n2 9\n3 9\n1 9\n3 9\n1 9\n2 9\n",
       "0"},
      {{"no-name", "rodinia"},
       "4\n0 1\n1 3\n4 2\n6 2\n0\n8\n1 9\n0 9\n2 9\n3 9\n1 9\n3 9\n1 9\n2 9\n",
       "0"},
  };
}

void expect_sample(const LoadedGraph& loaded, const Sample& sample) {
  EXPECT_EQ(loaded.format, sample.file.format);
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
    expect_sample(parse_graph(sample.file.name, sample.text), sample);
    expect_sample(parse_graph(std::string(sample.file.name) + ".gz", gzipped(sample.text)), sample);
    expect_sample(parse_graph(std::string(sample.file.name) + ".zst", zstandard(sample.text)),
                  sample);
    expect_sample(parse_graph("whatever", sample.text, sample.file.format), sample);
    if (sample.file.format != std::string("egr"))
      expect_sample(parse_graph(sample.file.name, "\xEF\xBB\xBF" + sample.text), sample);
  }
}

TEST(Formats, are_read_from_files_too) {
  const TemporaryFolder folder;
  for (const Sample& sample : samples()) {
    write_bytes(folder.file(sample.file.name), sample.text);
    expect_sample(load_graph(folder.file(sample.file.name)), sample);
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
  ASSERT_EQ(loaded.notices.size(), 1u);
  EXPECT_NE(loaded.notices[0].find("one end only"), std::string::npos);
}

struct Dropping {
  struct {
    const char* name;
    const char* text;
  } file;
  struct {
    bool lengths, directions;
  } dropped;
};

constexpr const char* kGraphml =
    R"(<graphml><key id="k" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="directed"><node id="a"/><node id="b"/>
  <edge source="a" target="b"><data key="k">5</data></edge></graph></graphml>)";

TEST(Formats, lengths_and_directions_that_are_not_used_are_told) {
  const Dropping cases[] = {
      {{"a.txt", "1 2\n2 3\n"}, {false, false}},
      {{"a.txt", "1 2 1\n2 3 1.0\n"}, {false, false}},
      {{"a.txt", "1 2 7\n2 3 1\n"}, {true, false}},
      {{"a.txt", "1 2 {'weight': 3}\n"}, {true, false}},
      {{"a.txt", "# Directed graph (each pair once)\n1 2\n"}, {false, true}},
      {{"a.txt", "# Directed graph\n1 2\n2 1\n"}, {false, false}},
      {{"a.txt", "# Undirected graph\n1 2\n"}, {false, false}},
      {{"a.txt", "ann bob 0.5\n"}, {true, false}},
      {{"a.csv", "1,2,3\n"}, {true, false}},
      {{"a.gr", "p sp 2 2\na 1 2 5\na 2 1 5\n"}, {true, false}},
      {{"a.gr", "p sp 2 1\na 1 2 1\n"}, {false, true}},
      {{"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 0.5\n"}, {true, true}},
      {{"a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"},
       {false, false}},
      {{"a.graph", "2 1 1\n2 9\n1 9\n"}, {true, false}},
      {{"out.a", "% asym positive\n1 2 3\n"}, {true, true}},
      {{"out.a", "% sym unweighted\n1 2 3\n"}, {false, false}},
      {{"a.net", "*Vertices 2\n*Arcs\n1 2 2.5\n"}, {true, true}},
      {{"a.net", "*Vertices 2\n*Edges\n1 2 1.0\n"}, {false, false}},
      {{"a.json",
        R"({"directed": true, "nodes": [{"id": 1}, {"id": 2}],
        "links": [{"source": 1, "target": 2, "weight": 3}]})"},
       {true, true}},
#ifdef ANTIPODE_HAS_EXPAT
      {{"a.graphml", kGraphml}, {true, true}},
#endif
  };
  for (const Dropping& each : cases) {
    const LoadedGraph loaded = parse_graph(each.file.name, each.file.text);
    EXPECT_EQ(loaded.lengths_dropped, each.dropped.lengths) << each.file.text;
    EXPECT_EQ(loaded.directions_dropped, each.dropped.directions) << each.file.text;
    EXPECT_FALSE(
        parse_graph(each.file.name, each.file.text, "auto", Direction::forward).directions_dropped)
        << each.file.text;
  }
}

#ifdef ANTIPODE_HAS_EXPAT
TEST(Formats, graphml_gives_the_same_graph) {
  const std::string head =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?><graphml xmlns=\"x\"><graph "
      "edgedefault=\"undirected\">";
  const std::string edges =
      "<edge source=\"b\" target=\"c\" directed=\"true\"/><edge source=\"c\" target=\"d\"/>";
  const std::string nodes =
      "<node id=\"a\"/><node id=\"b\"><data key=\"k\">&lt;graph&gt;</data></node><node "
      "id=\"c\"/><node id=\"d\"/>";
  const std::string more =
      "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"d\"/></graph></graphml>";
  expect_sample(parse_graph("a.txt", head + nodes + edges + more), {"", "graphml", "", "a"});
  const Graph directed =
      parse_graph("a.graphml", head + nodes + edges + more, "auto", Direction::forward).graph;
  EXPECT_EQ(directed.arcs(), 7u);  // one arc, and three edges that go both ways
}
#else
TEST(Formats, without_expat_graphml_is_refused_by_name) {
  EXPECT_EQ(complaint("a.txt", kGraphml).substr(0, 52),
            "a.txt: GraphML cannot be read: this program was buil");
}
#endif

TEST(Formats, words_above_numbers_are_a_header) {
  for (const char* text :
       {"source target\n1 2\n2 3\n", "# c\nSource\tTarget\tWeight\n1\t2\t5\n2\t3\t5\n",
        "Source,Target\n1,2\n2,3\n"}) {
    const LoadedGraph loaded = parse_graph("a.txt", text);
    EXPECT_EQ(loaded.graph.order(), 3u) << text;
    ASSERT_FALSE(loaded.notices.empty());
    EXPECT_NE(loaded.notices[0].find("header"), std::string::npos);
  }
  EXPECT_EQ(parse_graph("a.txt", "ann bob\n1 2\nbob cy\n").graph.order(), 5u);
}

TEST(Formats, a_line_with_other_columns_is_noticed_once_with_its_number) {
  const auto notice = [](const std::string& text) {
    const auto notices = parse_graph("a.txt", text).notices;
    return notices.empty() ? std::string() : notices[0];
  };
  EXPECT_EQ(notice("1 2\n2 3\n\n# c\n3 4\n4 5\n5 6 7\n6 7 8\n"),
            "line 7 has 3 columns where the lines before have 2");
  EXPECT_EQ(notice("1 2 3\n2 3 4\n333 444\n555555 66666\n7777777 888888\n"),
            "line 3 has 2 columns where the lines before have 3");
  EXPECT_EQ(notice("ann bob\nbob cy\ncy dan 3\n"),
            "line 3 has 3 columns where the lines before have 2");
  std::string text = "# c\n";
  for (int v = 0; v < 300000; ++v) text += std::to_string(v) + " " + std::to_string(v + 1) + "\n";
  EXPECT_EQ(notice(text), "");
  EXPECT_EQ(notice(text + "5 6 7\n"), "line 300002 has 3 columns where the lines before have 2");
}

TEST(Formats, columns_that_the_format_does_not_have_are_noticed) {
  const auto notices = [](const char* name, const char* text) {
    return parse_graph(name, text).notices.size();
  };
  const std::string mtx = "%%MatrixMarket matrix coordinate ";
  EXPECT_EQ(notices("a.mtx", (mtx + "pattern general\n2 2 1\n1 2 5\n").c_str()), 1u);
  EXPECT_EQ(notices("a.mtx", (mtx + "real general\n2 2 1\n1 2 5 6\n").c_str()), 1u);
  EXPECT_EQ(notices("a.mtx", (mtx + "complex general\n2 2 1\n1 2 5 6\n").c_str()), 0u);
  EXPECT_EQ(notices("a.gr", "p sp 2 2\na 1 2 3 4\na 2 1 3\n"), 1u);
  EXPECT_EQ(notices("a.gr", "p edge 2 1\ne 1 2 3\n"), 1u);
  EXPECT_EQ(notices("a.gr", "p sp 2 2\na 1 2 3\na 2 1 3\n"), 0u);
  EXPECT_EQ(notices("a.net", "*Vertices 3\n*Edges\n1 2 3 3\n"), 1u);
  EXPECT_EQ(notices("a.net", "*Vertices 2\n*Edges\n1 2 3 c Blue l \"x\"\n"), 0u);
}

TEST(Formats, columns_are_chosen_by_name_or_number) {
  const std::string text = "id,a,b,cost\n70,ann,bob,2\n71,bob,cy,3\n";
  for (const char* columns : {"a,b", "2,3", "a,3,cost"}) {
    const LoadedGraph loaded =
        parse_graph("a.csv", text, LoadOptions{"auto", Direction::none, columns});
    EXPECT_EQ(loaded.graph.order(), 3u) << columns;
    EXPECT_EQ(loaded.graph.label(0), "ann");
    EXPECT_TRUE(loaded.lengths_dropped);
  }
  EXPECT_EQ(parse_graph("a.txt", "1 2 9\n2 3 9\n", LoadOptions{"auto", Direction::none, "1,3"})
                .graph.order(),
            3u);
  for (const char* columns : {"a", "a,zz", "a,9", "0,1", "1,2,3,4"})
    EXPECT_THROW(parse_graph("a.csv", text, LoadOptions{"auto", Direction::none, columns}),
                 UsageError)
        << columns;
  EXPECT_THROW(parse_graph("a.g6", "Cj", LoadOptions{"auto", Direction::none, "1,2"}), UsageError);
}

TEST(Formats, names_of_a_pajek_file_that_repeat_give_way_to_numbers) {
  const LoadedGraph loaded = parse_graph("a.net", "*Vertices 2\n1 x\n2 x\n*Edges\n1 2\n");
  EXPECT_EQ(loaded.graph.label(1), "2");
  EXPECT_EQ(loaded.notices.size(), 1u);
}

TEST(Formats, names_that_begin_like_dimacs_are_names) {
  for (const char* text : {"p q\nq r\n", "c d\np q\n", "p q 1 2\nq r 3 4\n"})
    EXPECT_EQ(parse_graph("a.txt", text).format, "names") << text;
}

TEST(Formats, a_file_named_out_has_the_format_of_its_ending) {
  EXPECT_EQ(parse_graph("out.txt", "1 2\n2 3\n").format, "snap");
  EXPECT_EQ(parse_graph("out.csv", "a,b\nb,c\n").format, "csv");
  EXPECT_EQ(parse_graph("out.txt", "% sym unweighted\n1 2\n").format, "konect");
  EXPECT_EQ(parse_graph("out.zachary", "1 2\n2 3\n").format, "konect");
}

TEST(Formats, konect_headers_may_lack_a_blank_have_tabs_or_come_later) {
  for (const char* text :
       {"%bip\n% 3 2 2\n1 1\n1 2\n2 2\n", "%\tbip\tpositive\n%\t3\t2\t2\n1\t1\n1\t2\n2\t2\n",
        "% BIP\n% 3 2 2\n1 1\n1 2\n2 2\n", "% c\n%\n% Bip positive\n% 3 2 2\n1 1\n1 2\n2 2\n"}) {
    const LoadedGraph loaded = parse_graph("a.txt", text);
    EXPECT_EQ(loaded.format, "konect");
    EXPECT_EQ(loaded.graph.order(), 4u);
  }
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
