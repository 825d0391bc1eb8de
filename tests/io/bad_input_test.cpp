// Files that are not what they claim: each gets a message that names file and line, and nothing
// else happens.
#include <functional>

#include "io/support.hpp"

namespace antipode::testing {
namespace {

struct Bad {
  const char* name;
  std::string bytes;
  const char* message;  // how it begins
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.message; }

class BadInput : public ::testing::TestWithParam<Bad> {};

TEST_P(BadInput, is_refused_with_its_place_and_reason) {
  const Bad& bad = GetParam();
  const std::string said = complaint(bad.name, bad.bytes);
  EXPECT_EQ(said.substr(0, std::string(bad.message).size()), bad.message);
}

using std::string_literals::operator""s;

INSTANTIATE_TEST_SUITE_P(
    Files, BadInput,
    ::testing::Values(
        Bad{"a.txt", "", "a.txt: the file is empty"},
        Bad{"a.txt", "# nothing\n", "a.txt: no edges: the file is empty or holds only comments"},
        Bad{"a.txt", "1 2\n3\n", "a.txt:2: one vertex id where an edge needs two"},
        Bad{"a.txt", "1 2\n\n3 -4\n", "a.txt:3: a vertex id '-4' is negative"},
        Bad{"a.txt", "1 18446744073709551616\n",
            "a.txt:1: a vertex id '18446744073709551616' does not fit 64 bits"},
        Bad{"a.txt", "1 99999999999999999999999\n",
            "a.txt:1: a vertex id '99999999999999999999999' does not fit 64 bits"},
        Bad{"a.txt", "1 2\n1 2x\n", "a.txt:2: a vertex id expected, found '2x'"},
        Bad{"a.txt", "1 2\n1.5 2\n", "a.txt:2: a vertex id expected, found '1.5'"},
        Bad{"a.txt", "1 2\n3 \0 4\n"s, "a.txt:2: binary data (byte 0) where text was expected"},
        Bad{"a.txt", "\x89PNG\r\n\x1a\n"s, "a.txt:2: binary data (byte 26)"},
        Bad{"a.txt", std::string(70000, '\n') + "1 2\n3 \0004\n"s,
            "a.txt:70002: a NUL byte: this is not a text file"},
        Bad{"a.txt", "ann bob\ncy\n", "a.txt:2: one name where an edge needs two"},
        Bad{"a.txt", "ann b\xff\n", "a.txt:1: the name"},
        Bad{"a.el", "0 1\n4000000000 1\n", "a.el: vertex 4000000000 in a file of 2 edges"},
        Bad{"a.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n",
            "a.mtx:1: only 'matrix coordinate' files"},
        Bad{"a.mtx", "1 2\n", "a.mtx:1: a Matrix Market file opens with"},
        Bad{"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n",
            "a.mtx:1: the line 'rows columns entries' is missing"},
        Bad{"a.mtx", "%%MatrixMarket matrix coordinate quaternion general\n2 2 0\n",
            "a.mtx:1: unknown field"},
        Bad{"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 2\n",
            "a.mtx:2: 2 rows and 3 columns"},
        Bad{"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n",
            "a.mtx: the header promises 2 entries, the file has 1: it is truncated"},
        Bad{"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n",
            "a.mtx:3: vertex 3 in a graph of 2 vertices, numbered from 1"},
        Bad{"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n0 1\n",
            "a.mtx:3: vertex 0 in a graph of 2 vertices"},
        Bad{"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2\n",
            "a.mtx:3: the entry's value is missing"},
        Bad{"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n9999999999 9999999999 0\n",
            "a.mtx:2: 9999999999 vertices; at most"},
        Bad{"a.graph", "% only\n", "a.graph: no header"},
        Bad{"a.graph", "3\n", "a.graph:1: the header needs"},
        Bad{"a.graph", "2 1\n2\n",
            "a.graph: the adjacencies of 1 of 2 vertices: the file is truncated"},
        Bad{"a.graph", "2 1\n2\n1\n1\n",
            "a.graph:4: the adjacency of a vertex after the last of 2"},
        Bad{"a.graph", "2 1\n3\n1\n", "a.graph:2: vertex 3 in a graph of 2 vertices"},
        Bad{"a.graph", "2 5\n2\n1\n",
            "a.graph: the header promises 5 edges, so 10 entries; the adjacencies have 2"},
        Bad{"a.graph", "2 1 1\n2\n1 1\n", "a.graph:2: the weight of the edge is missing"},
        Bad{"a.graph", "2 1 7\n2\n1\n", "a.graph:1: the format '7'"},
        Bad{"a.gr", "c x\na 1 2 3\n", "a.gr:2: the line 'p sp vertices arcs' must come first"},
        Bad{"a.gr", "p sp 2 2\na 1 2 3\n",
            "a.gr: the header promises 2 arcs, the file has 1: it is truncated"},
        Bad{"a.gr", "p sp 2 1\na 1 3 3\n", "a.gr:2: vertex 3 in a graph of 2 vertices"},
        Bad{"a.gr", "p sp 2 1\nb 1 2 3\n", "a.gr:2: a line begins with"},
        Bad{"a.gr", "p sp 2 1\na 1\n", "a.gr:2: a vertex expected, found nothing"},
        Bad{"a.egr", "abc", "a.egr: the sizes end too early"},
        Bad{"a.egr", "\xff\xff\xff\x7f\xff\xff\xff\x7f", "a.egr: the offsets end too early"},
        Bad{"a.egr", "\xff\xff\xff\xff\xff\xff\xff\xff", "a.egr: -1 vertices and -1 arcs"},
        Bad{"a.egr", std::string(8 + 4 + 1, '\0'), "a.egr: more bytes after the graph"},
        Bad{"a.egr",
            std::string("\2\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0\7\0\0\0", 32),
            "a.egr: 4 bytes after the graph"},
        Bad{"a.egr",
            std::string("\2\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0", 28) +
                std::string(9, '\7'),
            "a.egr: more bytes after the graph"},
        Bad{"a.rodinia", "4\n0 1\n", "a.rodinia: 3 numbers where"},
        Bad{"a.rodinia", "2\n0 1\n5 1\n0\n2\n1 1\n0 1\n", "a.rodinia:3: vertex 1 begins at edge 5"},
        Bad{"a.rodinia", "2\n0 1\n1 1\n0\n3\n1 1\n0 1\n", "a.rodinia:5: 3 edges announced"},
        Bad{"a.rodinia", "2\n0 1\n1 1\n0\n2\n1 1\n2 1\n",
            "a.rodinia:7: vertex 2 in a graph of 2 vertices"},
        Bad{"a.rodinia", "2\n0 1\n1 1\n0\n2\n1 1\n0 1\n0 1\n",
            "a.rodinia:8: more than the 2 edges"},
        Bad{"out.x", "% bip unweighted\n1 1\n", "out.x:2: a bipartite KONECT file needs"},
        Bad{"a.apg", "ANTIPODE", "a.apg: shorter than the header"},
        Bad{"a.apg", std::string(200, 'x'), "a.apg: not an .apg file"}));

INSTANTIATE_TEST_SUITE_P(
    Foreign, BadInput,
    ::testing::Values(
        Bad{"a.graph", "2 9223372036854775809\n2\n1\n",
            "a.graph:1: 9223372036854775809 edges, more than a file can hold"},
        Bad{"a.txt", "1.0 2.0\n",
            "a.txt:1: a vertex id expected, found '1.0'; ids are whole numbers or words"},
        Bad{"a.csv", "1,2\n2.5,3.5\n",
            "a.csv:2: a vertex id expected, found '2.5'; ids are whole numbers or words"},
        Bad{"a.txt", "graph {\n a -- b;\n}\n",
            "a.txt: DOT, Graphviz's language, which is not read"},
        Bad{"a.txt", "// c\nstrict digraph \"a b\" { a -> b }", "a.txt: DOT"},
        Bad{"a.gv", "what", "a.gv: DOT"},
        Bad{"a.txt", "Creator \"x\"\ngraph\n[\n  node [ id 1 ]\n]\n",
            "a.txt: GML, which is not read"},
        Bad{"a.txt", "<?xml version=\"1.0\"?>\n<gexf version=\"1.2\"></gexf>\n",
            "a.txt: GEXF, which is not read"},
        Bad{"a.txt", "<!DOCTYPE html><html></html>", "a.txt: XML or HTML that is neither"},
        Bad{"a.txt", "# c\n0 1 2 3\n1 2\n2 3\n3\n", "a.txt: an adjacency list"},
        Bad{"a.txt", "ann bob cy\nbob cy dan eve\n", "a.txt: an adjacency list"},
        Bad{"a.json", "{", "a.json:1: no JSON: syntax error"},
        Bad{"a.json", "[[1, 2]]", "a.json:1: a JSON list, not node-link JSON"},
        Bad{"a.txt", "{\"elements\": {\"nodes\": []}}",
            "a.txt: Cytoscape JSON, not node-link JSON"},
        Bad{"a.txt", "{\"nodes\": [{\"id\": 1}], \"adjacency\": [[]]}",
            "a.txt: adjacency JSON, not node-link JSON"},
        Bad{"a.json", "{\"nodes\": [{\"id\": 1}], \"links\": [{\"source\": 1,\n \"target\": 2}]}",
            "a.json: an edge ends at '2', which is the id of no node"},
        Bad{"a.json", "{\"nodes\": [{\"id\": 1},\n{\"id\": 1}], \"links\": []}",
            "a.json:2: the node '1' is there twice"},
        Bad{"a.json", "{\"nodes\": [{\"id\": 1.5}], \"links\": []}",
            "a.json:1: the id '1.5': ids are whole numbers or words"},
        Bad{"a.json", "{\"nodes\": [{\"id\": [1]}], \"links\": []}", "a.json:1: 'id' is a list"},
        Bad{"a.json", "{\"nodes\": [{\"name\": 1}], \"links\": []}",
            "a.json:1: a node without 'id'"},
        Bad{"a.json", "{\"nodes\": [], \"links\": [{\"source\": 1}]}",
            "a.json:1: an edge without 'source' or 'target'"},
        Bad{"a.json", "{\"nodes\": [], \"links\": []} {", "a.json:1: no JSON"},
        Bad{"a.net", "1 2\n", "a.net:1: a Pajek network opens with"},
        Bad{"a.net", "*Vertices 2\n*Edges\n1 3\n", "a.net:3: vertex 3 in a graph of 2 vertices"},
        Bad{"a.net", "*Vertices 2\n1 \"x\n", "a.net:2: a quoted name is not closed on its line"},
        Bad{"a.net", "*Vertices 2\n*Matrix\n0 1\n", "a.net:2: a network given as a matrix"},
        Bad{"a.net", "*Vertices 2\n*Vertices 2\n", "a.net:2: a second '*Vertices'"},
        Bad{"a.net", "*Vertices 2\n*Edge\n1 2\n", "a.net:2: an unknown section '*Edge'"},
        Bad{"a.net", "% c\n", "a.net: no line '*Vertices n'"},
        Bad{"a.g6", "Ck\n\nCk\n", "a.g6:3: a second graph"},
        Bad{"a.g6", "C\n", "a.g6:1: 4 vertices need 1 bytes of graph6; the line has 0"},
        Bad{"a.g6", "C k\n", "a.g6:1: the byte ' '"},
        Bad{"a.g6", "~?\n", "a.g6:1: the line ends before"},
        Bad{"a.g6", "~~~~~~~~\n", "a.g6:1: 68719476735 vertices; at most"},
        Bad{"a.g6", "&C???\n", "a.g6:1: digraph6 is not read"},
        Bad{"a.s6", ";Cc\n", "a.s6:1: incremental sparse6"},
        Bad{"a.csv", "1,2\n3\n", "a.csv:2: 1 column, where the end of an edge is column 2"},
        Bad{"a.csv", "a,b\n\"c,d\n", "a.csv:2: a quoted name is not closed"},
        Bad{"a.csv", "a,b\n\"c\"x,d\n", "a.csv:2: text follows the closing quote"},
        Bad{"a.csv", "a,b\n,d\n", "a.csv:2: an edge has an end without a name"},
        Bad{"out.x", "% bip unweighted\n% 3 2 2\n1 1\n3 1\n",
            "out.x:4: the left-hand vertex 3, where the second line of the file declares 2 "
            "vertices"},
        Bad{"out.x",
            "% bip unweighted\n% 3 2 2\n1 1\n2 1\n2 3\n1 1\n1 1\n1 1\n1 1\n1 1\n1 1\n1 1\n",
            "out.x:5: the right-hand vertex 3"},
        Bad{"out.x", "%bip\n%\t3 2 2\n1 1\n1111111 1 \n", "out.x:4: the left-hand vertex 1111111"},
        Bad{"out.x", "% bip\n% 3 2 2\n1 1\n1 3 1 1\n", "out.x:4: the right-hand vertex 3"},
        Bad{"out.x", "% bip\n% 3 2 2\n1 0\n", "out.x:3: the right-hand vertex 0"},
        Bad{"out.x", "% sym\n% 3 2 2\n1 3\n", "out.x:3: the right-hand vertex 3"},
        Bad{"out.x", "% bip\n% 3 99999999999 2\n1 1\n", "out.x:2: 99999999999 vertices"},
        Bad{"a.txt", "% bip\n1 1\n", "a.txt:2: a bipartite KONECT file needs"},
        Bad{"a.txt", "% c\n% bip\n1 1\n", "a.txt:3: a bipartite KONECT file needs"}));

#ifdef ANTIPODE_HAS_EXPAT
INSTANTIATE_TEST_SUITE_P(
    Graphml, BadInput,
    ::testing::Values(
        Bad{"a.graphml", "<graphml>\n<graph>", "a.graphml:2: no XML"},
        Bad{"a.graphml", "<graph/>", "a.graphml:1: the first element is 'graph'"},
        Bad{"a.graphml", "<graphml/>", "a.graphml: no element 'graph'"},
        Bad{"a.graphml", "<graphml><graph>\n<node/></graph></graphml>",
            "a.graphml:2: a node without an id"},
        Bad{"a.graphml", "<graphml><graph><node id='a'/>\n<node id='a'/></graph></graphml>",
            "a.graphml:2: the node 'a' is there twice"},
        Bad{"a.graphml", "<graphml><graph><edge source='a' target='b'/></graph></graphml>",
            "a.graphml: an edge ends at 'a', which is no node"},
        Bad{"a.graphml", "<graphml><graph/><graph/></graphml>", "a.graphml:1: a second graph"},
        Bad{"a.graphml",
            "<graphml>\n<!--" + std::string(5 << 20, 'x') +
                "--><graph><node id='a'/></graph></graphml>",
            "a.graphml:2: a tag or a comment of more than 4 MB"},
        Bad{"a.graphml", "<graphml><graph><node id='a'><graph/></node></graph></graphml>",
            "a.graphml:1: a graph inside a graph"},
        Bad{"a.graphml", "<graphml><graph><hyperedge/></graph></graphml>",
            "a.graphml:1: a hyperedge"},
        Bad{"a.graphml", "<!DOCTYPE g [\n<!ENTITY a 'aaaa'>]><graphml>&a;</graphml>",
            "a.graphml:2: the document declares entities"}));
#endif

TEST(BadInput, a_truncated_or_damaged_gzip_is_named) {
  const std::string packed = gzipped("1 2\n2 3\n3 4\n4 5\n");
  EXPECT_EQ(complaint("a.gz", packed.substr(0, packed.size() - 6)),
            "a.gz: the gzip data end too early: the file is truncated");
  std::string damaged = packed;
  damaged[14] ^= 0x55;
  EXPECT_EQ(complaint("a.gz", damaged).substr(0, 25), "a.gz: corrupt gzip data b");
  damaged = packed;
  damaged[packed.size() - 5] ^= 1;  // the checksum at the end
  EXPECT_EQ(complaint("a.gz", damaged).substr(0, 25), "a.gz: corrupt gzip data b");
}

TEST(BadInput, a_truncated_or_damaged_zstd_is_named) {
  const std::string packed = zstandard("1 2\n2 3\n3 4\n4 5\n");
  EXPECT_EQ(complaint("a.zst", packed.substr(0, packed.size() - 3)),
            "a.zst: the zstd data end too early: the file is truncated");
  EXPECT_EQ(complaint("a.zst", packed.substr(0, 6) + "xxxxxxxxxxxxx").substr(0, 20),
            "a.zst: corrupt zstd ");
}

TEST(BadInput, a_folder_or_a_missing_file_is_named) {
  const TemporaryFolder folder;
  const auto said = [](const std::string& path) {
    try {
      load_graph(path);
      return std::string();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(said(folder.file("")), folder.file("") + ": is a directory; name a file in it");
  EXPECT_EQ(said(folder.file("none.txt")), folder.file("none.txt") + ": no such file");
}

TEST(BadInput, an_unknown_format_is_a_usage_error) {
  EXPECT_THROW(parse_graph("a.txt", "1 2\n", "papyrus"), UsageError);
}

// Whatever the bytes: a graph or an InputError, never anything else.
TEST(BadInput, random_damage_to_good_files_is_either_read_or_refused) {
  const std::string good[] = {
      "# c\n1 2\n2 3\n3 4 9\n",
      "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n2 1\n3 2\n4 3\n4 2\n",
      "4 4 011 1\n7 2 9\n7 1 9 3 9 4 9\n7 2 9 4 9\n7 2 9 3 9\n",
      "c x\np sp 3 4\na 1 2 5\na 2 1 5\na 2 3 5\na 3 2 5\n",
      "2\n0 1\n1 1\n0\n2\n1 1\n0 1\n",
      "% bip positive\n% 3 2 2\n1 1 1\n1 2 1\n2 2 1\n",
      "a,\"b\",1\n\"c\"\"\",b,2\n",
      "*Vertices 3\n1 a\n2 \"b c\"\n3 d\n*Edges\n1 2 5\n*arcslist\n2 3\n",
      R"({"directed": true, "nodes": [{"id": 1}, {"id": "b"}], )"
      R"("links": [{"source": 1, "target": "b"}]})",
      "<graphml><graph><node id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>",
      ">>graph6<<Ck\n",
      ":CcK\n",
      gzipped("1 2\n2 3\n"),
      zstandard("1 2\n2 3\n"),
  };
  const char* formats[] = {"snap",  "mtx",  "metis",   "gr",     "rodinia", "konect", "csv",
                           "pajek", "json", "graphml", "graph6", "sparse6", "auto",   "auto"};
  std::mt19937 random(6);
  set_memory_limit(1 << 26);
  for (int round = 0; round < 40000; ++round) {
    const std::size_t which = random() % std::size(good);
    std::string bytes = good[which];
    for (unsigned damage = 1 + random() % 3; damage > 0 && !bytes.empty(); --damage) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, 1 + random() % 4);
          break;
        case 2:
          bytes.insert(at, 1, "0123456789 \n\t-%#"[random() % 16]);
          break;
        default:
          bytes.resize(at);
          break;
      }
    }
    try {
      const Graph graph =
          parse_graph("a", bytes, random() % 4 == 0 ? "auto" : formats[which]).graph;
      ASSERT_EQ(graph.arcs() % 2, 0u);
    } catch (const InputError&) {
    } catch (const DeviceError&) {  // an order beyond the memory limit
    }
  }
  set_memory_limit(0);
}

}  // namespace
}  // namespace antipode::testing
