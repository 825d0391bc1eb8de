// BVGraphs: every coding against a writer that shares nothing with the reader; names of files; the
// crawl cnr-2000 as others wrote it; files that are damaged or lie.
#include "io/bvgraph.hpp"

#include <fmt/format.h>

#include "io/bvgraph_writer.hpp"
#include "io/support.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

PaddedBytes padded(const std::string& bytes) {
  PaddedBytes result(bytes.size());
  std::copy(bytes.begin(), bytes.end(), result.data());
  return result;
}

enum class Offsets { given, missing };

BvFiles files_of(const WrittenBvGraph& written, Offsets offsets) {
  BvFiles files{.name = "x",
                .properties = written.properties,
                .graph = padded(written.graph),
                .offsets = std::nullopt};
  if (offsets == Offsets::given) files.offsets = padded(written.offsets);
  return files;
}

ArcLists lists_of(const ParsedGraph& graph) {
  ArcLists lists(graph.order);
  for (const auto& piece : graph.edges)
    for (const Edge e : piece) lists[e.from].push_back(e.to);
  return lists;
}

ArcLists lists_of(const Graph& graph) {
  ArcLists lists(graph.order());
  for (Vertex v = 0; v < graph.order(); ++v)
    lists[v].assign(graph.neighbors(v).begin(), graph.neighbors(v).end());
  return lists;
}

// Lists that resemble those before, with runs of consecutive nodes and loops.
ArcLists similar_lists(std::size_t nodes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ArcLists lists(nodes);
  for (std::size_t v = 0; v < nodes; ++v) {
    auto& list = lists[v];
    if (v > 0 && random() % 4 != 0)
      for (const std::uint64_t to : lists[v - 1 - random() % std::min<std::size_t>(v, 5)])
        if (random() % 5 != 0) list.push_back(to);
    if (random() % 3 == 0) list.push_back(v);
    for (std::uint64_t i = random() % 3; i > 0; --i) list.push_back(random() % nodes);
    const std::uint64_t first = random() % nodes;
    for (std::uint64_t to = first; random() % 3 == 0 && to < std::min(first + 9, nodes);)
      list.push_back(to++);
    if (list.size() > 40) list.resize(random() % 40);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

TEST(BvGraph, every_coding_gives_the_lists_that_were_written) {
  std::mt19937_64 random(30);
  RandomGraphs graphs(31, RandomGraphs::Kinds::both);
  for (int round = 0; round < 600; ++round) {
    const ArcLists lists =
        round % 2 == 0 ? lists_of(graphs.next()) : similar_lists(1 + random() % 60, random());
    const BvStyle style = BvStyle::any(random);
    const WrittenBvGraph written = as_bvgraph(lists, style, random(), random() % 20);
    for (const Offsets offsets : {Offsets::given, Offsets::missing})
      ASSERT_EQ(lists_of(parse_bvgraph(files_of(written, offsets))), lists) << written.properties;
  }
}

TEST(BvGraph, far_numbers_are_decoded_in_every_coding) {
  constexpr std::uint64_t kNodes = 140'000;
  for (const char* const residuals : {"GAMMA", "DELTA", "GOLOMB", "ZETA", "NIBBLE"})
    for (const std::uint64_t k : {1, 3, 31}) {
      BvStyle style;
      style.residuals = residuals;
      style.k = k;
      ArcLists lists(kNodes);
      lists[0] = {0, 1, 131'071, 131'072, kNodes - 1};
      lists[kNodes / 2] = {0, kNodes - 2, kNodes - 1};
      lists[kNodes - 1] = {0, 70'000};
      const auto parsed = parse_bvgraph(files_of(as_bvgraph(lists, style), Offsets::missing));
      ASSERT_EQ(lists_of(parsed), lists) << residuals << k;
    }
}

// Many pieces on several threads. Long chains of references make most nodes wait.
TEST(BvGraph, threads_do_not_change_the_lists) {
  const ArcLists lists = similar_lists(30'000, 5);
  for (const std::uint64_t longest : {2, 1 << 30}) {
    BvStyle style;
    style.longest_chain = longest;
    const WrittenBvGraph written = as_bvgraph(lists, style);
    for (const unsigned count : {1, 4}) {
      set_threads(count);
      for (const Offsets offsets : {Offsets::given, Offsets::missing})
        EXPECT_TRUE(lists_of(parse_bvgraph(files_of(written, offsets))) == lists);
    }
  }
  set_threads(0);
}

class BvFolder {
 public:
  explicit BvFolder(const WrittenBvGraph& written) {
    write_bytes(file("web.properties"), written.properties);
    write_bytes(file("web.graph"), written.graph);
    write_bytes(file("web.offsets"), written.offsets);
  }
  std::string file(const std::string& name) const { return folder_.file(name); }
  std::string complaint(const std::string& name, const std::string& format = "auto") const {
    try {
      load_graph(file(name), format);
      return {};
    } catch (const InputError& error) {
      return std::string(error.what()).substr(folder_.file("").size());
    }
  }

 private:
  TemporaryFolder folder_;
};

const ArcLists kSmall{
    {1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}, {}, {0, 2, 9}, {}, {}, {9}, {}, {}, {9}};

TEST(BvGraph, is_named_by_any_of_its_files_or_by_none) {
  const BvFolder folder(as_bvgraph(kSmall));
  for (const char* const name : {"web", "web.graph", "web.offsets", "web.properties"})
    for (const char* const format : {"auto", "bvgraph"}) {
      const LoadedGraph loaded = load_graph(folder.file(name), format, Direction::forward);
      EXPECT_EQ(loaded.format, "bvgraph");
      EXPECT_EQ(loaded.name, folder.file(name));
      EXPECT_TRUE(loaded.graph.is_directed());
      EXPECT_EQ(loaded.loops, 2u);
      EXPECT_EQ(loaded.graph.arcs(), 15u);
      EXPECT_EQ(loaded.graph.label(9), "9");
      EXPECT_EQ(loaded.graph.into().degree(2), 3u);
    }
  const LoadedGraph undirected = load_graph(folder.file("web"));
  EXPECT_FALSE(undirected.graph.is_directed());
  EXPECT_TRUE(undirected.directions_dropped);
  EXPECT_EQ(undirected.graph.size(), 14u);
  std::filesystem::remove(folder.file("web.offsets"));
  EXPECT_EQ(load_graph(folder.file("web")).graph.size(), 14u);
}

// 0x1f8b is how gzip begins, and 14 arcs here: to 0, to 1, to 12.
TEST(BvGraph, streams_that_begin_like_compressed_files_are_read) {
  ArcLists lists(24);
  lists[0] = {0, 1};
  for (std::uint64_t to = 12; to < 24; ++to) lists[0].push_back(to);
  BvStyle style;
  style.window = style.min_interval = 0;
  style.residuals = "GAMMA";
  const WrittenBvGraph written = as_bvgraph(lists, style);
  ASSERT_TRUE(written.graph.starts_with("\x1f\x8b"));
  const BvFolder folder(written);
  EXPECT_EQ(load_graph(folder.file("web.graph"), "auto", Direction::forward).graph.arcs(), 13u);
}

TEST(BvGraph, texts_of_metis_and_other_properties_are_what_they_were) {
  const BvFolder folder(as_bvgraph(kSmall));
  write_bytes(folder.file("web.graph"), "% c\n4 4\n2\n1 3 4\n2 4\n2 3\n");
  EXPECT_EQ(load_graph(folder.file("web.graph")).format, "metis");
  write_bytes(folder.file("mesh.graph"), "4 4\n2\n1 3 4\n2 4\n2 3\n");
  write_bytes(folder.file("mesh.properties"), "colour=blue\n");
  EXPECT_EQ(load_graph(folder.file("mesh.graph")).format, "metis");
  EXPECT_EQ(folder.complaint("mesh.properties"),
            "mesh.properties: no line 'graphclass=…', which a BVGraph needs");
  EXPECT_EQ(folder.complaint("mesh"), "mesh: no such file");
}

TEST(BvGraph, missing_files_and_other_sources_are_named) {
  const BvFolder folder(as_bvgraph(kSmall));
  EXPECT_EQ(folder.complaint("none", "bvgraph"), "none.properties: no such file");
  std::filesystem::remove(folder.file("web.graph"));
  EXPECT_EQ(folder.complaint("web"), "web.graph: no such file");
  EXPECT_EQ(complaint("web.properties", "graphclass=x.BVGraph\n").substr(0, 36),
            "web.properties: a BVGraph is three f");
  EXPECT_EQ(complaint("standard input", "x", "bvgraph").substr(0, 27),
            "standard input: a BVGraph i");
}

TEST(BvGraph, becomes_apg) {
  const BvFolder folder(as_bvgraph(kSmall));
  const Graph graph = load_graph(folder.file("web"), "auto", Direction::forward).graph;
  write_graph(graph, folder.file("web.apg"));
  EXPECT_EQ(fingerprint(load_graph(folder.file("web.apg"), "auto", Direction::forward).graph),
            fingerprint(graph));
}

TEST(BvGraph, a_crawl_written_by_webgraph_is_that_of_the_edge_list) {
  const std::filesystem::path data(ANTIPODE_TEST_DATA);
  if (!std::filesystem::exists(data / "cnr-2000.bv")) GTEST_SKIP() << "no data";
  for (const Direction direction : {Direction::none, Direction::forward}) {
    const LoadedGraph bv = load_graph((data / "cnr-2000.bv/cnr-2000").string(), "auto", direction);
    const LoadedGraph text = load_graph((data / "cnr-2000.txt.zst").string(), "auto", direction);
    EXPECT_EQ(fingerprint(bv.graph), fingerprint(text.graph));
    EXPECT_EQ(bv.loops, text.loops);
  }
}

// What a reader of these bits and properties says. `bits` are the characters 0 and 1, and blanks.
std::string complaint_about(const std::string& bits, std::uint64_t nodes, std::uint64_t arcs,
                            const BvStyle& style = {}) {
  std::string stream;
  std::copy_if(bits.begin(), bits.end(), std::back_inserter(stream),
               [](char c) { return c != ' '; });
  try {
    parse_bvgraph({.name = "x",
                   .properties = style.properties(nodes, arcs),
                   .graph = padded(packed_bits(stream)),
                   .offsets = std::nullopt});
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(BvGraph, streams_that_make_no_sense_are_refused_with_the_node) {
  const auto g = gamma_code;
  const auto z = [](std::uint64_t number) { return zeta_code(number, 3); };
  const auto expect = [](const std::string& said, const std::string& wanted) {
    EXPECT_EQ(said.substr(0, wanted.size()), wanted) << said;
  };
  // A degree, no reference, no intervals, residuals; an empty node.
  const std::string first = g(2) + "1" + g(0) + z(0) + z(0), none = g(0);
  ASSERT_EQ(complaint_about(first + none, 2, 2), "");
  expect(complaint_about(first + none, 2, 3),
         "x.graph: 2 arcs of all 2 nodes; the properties say 3");
  expect(complaint_about(first + none, 2, 1),
         "x.graph: node 0: 2 arcs up to it; the properties say 1");
  expect(complaint_about(g(1) + "1" + g(0) + z(0) + "1", 1, 1),
         "x.graph: something follows node 0, the last of the properties");
  expect(complaint_about(first, 16, 2), "x.graph: node ");
  expect(complaint_about(first, 17, 2), "x.graph: 2 bytes for the 17 nodes of the properties");
  expect(complaint_about(first, 4'000'000'000, 2), "x.graph: 2 bytes for the 4000000000 nodes");
  expect(complaint_about(first, 1'000'000'000'000, 2), "x.properties:4: 1000000000000 vertices");
  expect(complaint_about(first + none, 2, 5), "x.properties: 5 arcs between 2 nodes");
  expect(complaint_about(g(3) + none, 2, 3), "x.graph: node 0: 3 arcs in a graph of 2 nodes");
  expect(complaint_about(g(2) + "1" + g(0) + z(0) + z(1) + none, 2, 2),
         "x.graph: node 0: an arc to no node from 0 to 1");
  expect(complaint_about(g(1) + "1" + g(0) + z(1) + none, 2, 1), "x.graph: node 0: an arc to no");
  expect(complaint_about(g(1) + "1" + g(0) + z(4) + none, 2, 1), "x.graph: node 0: an arc to no");
  expect(complaint_about(g(1) + "01" + none, 2, 1),
         "x.graph: node 0: it refers 1 nodes back, before the first");
  expect(complaint_about(first + g(1) + "000000001" + none, 3, 3),
         "x.graph: node 1: it refers 8 nodes back; the window is of 7");
  expect(complaint_about(first + g(1) + "01" + g(1) + g(3) + none, 3, 3),
         "x.graph: node 1: it copies beyond the 2 arcs of node 0");
  expect(complaint_about(first + g(1) + "01" + g(0) + none, 3, 3),
         "x.graph: node 1: it copies 2 arcs and has 1");
  expect(complaint_about(first + g(3) + "01" + g(0) + g(0) + z(1) + none, 3, 5),
         "x.graph: node 1: it lists node 0 twice");
  expect(complaint_about(g(3) + "1" + g(1) + g(0) + g(0) + none + none, 3, 3),
         "x.graph: node 0: its intervals hold more arcs than it has");
  BvStyle short_intervals;
  short_intervals.min_interval = 2;
  expect(
      complaint_about(g(3) + "1" + g(1) + g(4) + g(0) + z(0) + none + none, 3, 3, short_intervals),
      "x.graph: node 0: an arc to no node from 0 to 2");
  expect(complaint_about(std::string(300, '0'), 8, 8), "x.graph: node 0: the file ends inside it");
  expect(complaint_about(std::string(80, '0') + std::string(90, '1'), 8, 8),
         "x.graph: node 0: a number of more than 62 bits");
}

TEST(BvGraph, every_end_of_the_stream_but_the_last_is_refused) {
  const ArcLists lists = similar_lists(40, 9);
  WrittenBvGraph written = as_bvgraph(lists);
  const std::string graph = written.graph;
  for (std::size_t size = 0; size < graph.size(); ++size) {
    written.graph = graph.substr(0, size);
    for (const Offsets offsets : {Offsets::given, Offsets::missing})
      EXPECT_THROW(parse_bvgraph(files_of(written, offsets)), InputError) << size;
  }
}

// Every single bit of the offsets matters.
TEST(BvGraph, offsets_that_lie_are_refused) {
  const WrittenBvGraph good = as_bvgraph(similar_lists(50, 12));
  int of_another_graph = 0;
  for (std::size_t bit = 0; bit < 8 * good.offsets.size(); ++bit) {
    WrittenBvGraph bad = good;
    bad.offsets[bit / 8] = static_cast<char>(bad.offsets[bit / 8] ^ (128 >> (bit % 8)));
    try {
      parse_bvgraph(files_of(bad, Offsets::given));
      ADD_FAILURE() << "bit " << bit;
    } catch (const InputError& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with("x.offsets: ")) << said;
      of_another_graph += said.find("of another graph, or damaged") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(of_another_graph, 10);
}

TEST(BvGraph, properties_that_make_no_sense_are_refused_with_their_line) {
  const auto said = [](const std::string& from, const std::string& to) {
    std::string text = BvStyle().properties(2, 1);
    const std::size_t at = text.find(from);
    if (at == std::string::npos) return std::string("not found");
    text.replace(at, from.size(), to);
    try {
      parse_bv_properties("x.properties", text);
      return std::string();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(said("nodes=2", "nodes : 2"), "");
  EXPECT_EQ(said("webgraph.BVGraph", "webgraph.BVGraph\r"), "");
  EXPECT_EQ(said("nodes=2\n", ""), "x.properties: no line 'nodes=…', which a BVGraph needs");
  EXPECT_EQ(said("nodes=2", "nodes=-2"),
            "x.properties:4: nodes '-2' is not a whole number of at most 64 bits");
  EXPECT_EQ(said("nodes=2", "nodes=99999999999999999999"),
            "x.properties:4: nodes '99999999999999999999' is not a whole number of at most 64 "
            "bits");
  EXPECT_EQ(said("version=0", "version=1"),
            "x.properties:2: version '1' is not read: only version 0 is");
  EXPECT_EQ(said("version=0", "version=1\nendianness=little"),
            "x.properties:3: endianness 'little' is not read: only big-endian streams are; write "
            "the graph as such");
  EXPECT_EQ(said("zetak=3", "zetak=0"), "x.properties:9: zetak '0' is not between 1 and 31");
  EXPECT_EQ(said("OUTDEGREES_GAMMA", "OUTDEGREES_ZETA"),
            "x.properties:10: an unknown compression flag 'OUTDEGREES_ZETA'");
  EXPECT_EQ(said("OUTDEGREES_GAMMA", "OUTDEGREES_GAMMB"),
            "x.properties:10: an unknown compression flag 'OUTDEGREES_GAMMB'");
  EXPECT_EQ(said("|BLOCKS", "|INTERVALS_GAMMA|BLOCKS"),
            "x.properties:10: an unknown compression flag 'INTERVALS_GAMMA'");
  EXPECT_EQ(said("webgraph.BVGraph", "webgraph.EFGraph").substr(0, 70),
            "x.properties:3: graphclass 'it.unimi.dsi.webgraph.EFGraph' is not read");
  EXPECT_EQ(said("webgraph.BVGraph", "webgraph.labelling.L\nunderlyinggraph=y"),
            "x.properties:3: graphclass 'it.unimi.dsi.webgraph.labelling.L' is not read; its arcs "
            "without labels are in the graph 'y'");
}

TEST(BvGraph, random_damage_is_either_read_or_refused) {
  std::mt19937_64 random(8);
  const auto damage = [&](std::string& bytes) {
    if (!bytes.empty()) bytes[random() % bytes.size()] ^= static_cast<char>(1 << (random() % 8));
  };
  set_memory_limit(1 << 30);
  for (int round = 0; round < 3000; ++round) {
    WrittenBvGraph written = as_bvgraph(similar_lists(1 + round % 20, 3), BvStyle::any(random));
    for (std::uint64_t faults = 1 + random() % 3; faults > 0; --faults)
      damage(random() % 3 == 0 ? written.properties : written.graph);
    try {
      const ParsedGraph parsed =
          parse_bvgraph(files_of(written, random() % 2 == 0 ? Offsets::given : Offsets::missing));
      for (const auto& list : lists_of(parsed))
        for (std::size_t i = 0; i < list.size(); ++i)
          ASSERT_TRUE(list[i] < parsed.order && (i == 0 || list[i - 1] < list[i]));
    } catch (const InputError&) {
    } catch (const DeviceError&) {  // arcs beyond the memory limit
    }
  }
  set_memory_limit(0);
}

// Each node copies the arcs of the one before: few bytes, and many arcs.
TEST(BvGraph, memory_for_arcs_is_charged_before_it_is_allocated) {
  constexpr std::uint64_t kNodes = 20'000;
  std::string stream =
      gamma_code(kNodes) + "1" + gamma_code(1) + gamma_code(0) + gamma_code(kNodes - 4);
  for (std::uint64_t v = 1; v < kNodes; ++v) stream += gamma_code(kNodes) + "01" + gamma_code(0);
  set_memory_limit(std::uint64_t{1} << 30);
  const BvFiles files{.name = "x",
                      .properties = BvStyle().properties(kNodes, kNodes * kNodes),
                      .graph = padded(packed_bits(stream)),
                      .offsets = std::nullopt};
  EXPECT_THROW(parse_bvgraph(files), OutOfMemory);
  set_memory_limit(0);
}

}  // namespace
}  // namespace antipode::testing
