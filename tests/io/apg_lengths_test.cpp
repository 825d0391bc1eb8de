// .apg files with lengths and directions, also those made to deceive: with valid checksums, and
// content that no writer writes.
#include <gtest/gtest.h>

#include <random>

#include "graph/hash.hpp"
#include "io/support.hpp"
#include "support/path_graphs.hpp"

namespace antipode::testing {
namespace {

LoadedGraph with_all(const std::string& path, Direction direction = Direction::none) {
  return load_graph(path,
                    LoadOptions{.direction = direction, .columns = {}, .lengths = Lengths::used});
}

void expect_same(const Adjacency& found, const Adjacency& expected) {
  ASSERT_EQ(found.order(), expected.order());
  ASSERT_TRUE(std::ranges::equal(found.offsets, expected.offsets));
  ASSERT_TRUE(std::ranges::equal(found.targets, expected.targets));
  ASSERT_TRUE(std::ranges::equal(found.lengths, expected.lengths));
}

TEST(ApgPaths, random_graphs_come_back_with_entering_arcs) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const bool directed = seed % 2 == 1, weighted = seed % 4 > 1;
    const Graph graph = random_path_case(seed, directed, weighted).graph();
    write_graph(graph, path);
    const Direction direction = directed ? Direction::forward : Direction::none;
    const LoadOptions options{.direction = direction,
                              .columns = {},
                              .lengths = weighted ? Lengths::used : Lengths::ignored};
    const Graph found = load_graph(path, options).graph;
    ASSERT_EQ(found.is_directed(), directed);
    expect_same(found.adjacency(), graph.adjacency());
    expect_same(found.into().adjacency(), graph.into().adjacency());
    ASSERT_EQ(fingerprint(found), fingerprint(graph));
  }
}

TEST(ApgPaths, graphs_without_lengths_and_directions_are_of_version_1) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  write_graph(generate("karate").graph, path);
  EXPECT_EQ(bytes_of(path)[8], 1);
  EXPECT_THROW(with_all(path), InputError);
  write_graph(generate("karate?lengths=1..3").graph, path);
  EXPECT_EQ(bytes_of(path)[8], 2);
  write_graph(generate("karate", Direction::forward).graph, path);
  EXPECT_EQ(bytes_of(path)[8], 2);
}

TEST(ApgPaths, what_is_not_used_is_told) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  write_graph(
      parse_graph(
          "a.txt", "0 1 3\n1 2 4\n2 1 5\n",
          LoadOptions{.direction = Direction::forward, .columns = {}, .lengths = Lengths::used})
          .graph,
      path);
  const LoadedGraph plain = load_graph(path);
  EXPECT_TRUE(plain.lengths_dropped && plain.directions_dropped);
  EXPECT_FALSE(plain.graph.has_lengths() || plain.graph.is_directed());
  EXPECT_EQ(plain.graph.size(), 2u);
  const LoadedGraph weighted = with_all(path);
  EXPECT_TRUE(weighted.directions_dropped);
  EXPECT_EQ(weighted.graph.adjacency().lengths[0], 3u);
  EXPECT_EQ(weighted.graph.adjacency().lengths[2], 4u);
  EXPECT_EQ(weighted.notices.size(), 1u);
  const LoadedGraph all = with_all(path, Direction::forward);
  EXPECT_FALSE(all.lengths_dropped || all.directions_dropped);
  EXPECT_EQ(all.graph.size(), 3u);
  write_graph(generate("karate?lengths=1..3").graph, path);
  const LoadedGraph both_ways = with_all(path, Direction::forward);
  EXPECT_EQ(both_ways.notices.size(), 1u);
  EXPECT_EQ(both_ways.graph.size(), 156u);
  expect_same(both_ways.graph.into().adjacency(), both_ways.graph.adjacency());
}

TEST(ApgPaths, cut_short_or_with_any_bit_flipped_are_refused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  write_graph(generate("path?n=4&lengths=1..9", Direction::forward).graph, path);
  const std::string bytes = bytes_of(path);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    ASSERT_NE(complaint("a.apg", bytes.substr(0, size)), "") << size;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    ASSERT_NE(complaint("a.apg", flipped), "") << "bit " << bit;
  }
}

// One end of an edge has another length: by 1, and by a multiple of a power of two, of which a
// linear checksum may lose sight.
TEST(ApgPaths, lengths_that_differ_at_the_ends_of_an_edge_are_refused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  std::mt19937_64 random(5);
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Graph graph = random_path_case(seed, false, true).graph();
    if (graph.arcs() == 0) continue;
    std::vector<Length> lengths(graph.adjacency().lengths.begin(), graph.adjacency().lengths.end());
    for (int times = 1 + static_cast<int>(random() % 2); times > 0; --times)
      lengths[random() % lengths.size()] ^= Length{1} << random() % 58;
    const Graph bad = graph.with_lengths(lengths, {});
    const bool equal = [&] {
      for (Vertex v = 0; v < bad.order(); ++v)
        for (EdgeOffset arc = bad.offsets()[v]; arc < bad.offsets()[v + 1]; ++arc) {
          const auto back = bad.neighbors(bad.targets()[arc]);
          const auto at = std::lower_bound(back.begin(), back.end(), v) - back.begin() +
                          static_cast<std::ptrdiff_t>(bad.offsets()[bad.targets()[arc]]);
          if (lengths[arc] != lengths[static_cast<std::size_t>(at)]) return false;
        }
      return true;
    }();
    write_graph(bad, path);
    const std::string said = complaint("a.apg", bytes_of(path));
    ASSERT_EQ(said.find("has different lengths at its ends") != std::string::npos, !equal) << said;
    changed += equal ? 0 : 1;
  }
  EXPECT_GT(changed, 200);
}

// A multiple of 2^62, which a product with a key that ends in two zeros would lose.
TEST(ApgPaths, a_difference_in_the_highest_bit_alone_is_seen) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  const Graph graph = generate("path?n=2&lengths=5..5").graph;
  write_graph(graph.with_lengths({5, 5 + (Length{1} << 62)}, {}), path);
  const std::string bytes = bytes_of(path);
  for (int times = 0; times < 64; ++times)
    ASSERT_NE(complaint("a.apg", bytes).find("has different lengths at its ends"),
              std::string::npos);
}

// Puts a word into the header, and its checksum after it.
std::string with_word(std::string bytes, std::size_t place, std::uint64_t word) {
  std::memcpy(bytes.data() + place, &word, 8);
  const std::uint64_t hash = hash_bytes(bytes.data(), 120);
  std::memcpy(bytes.data() + 120, &hash, 8);
  return bytes;
}

TEST(ApgPaths, headers_that_make_no_sense_are_refused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  write_graph(generate("path?n=4&lengths=1..9").graph, path);
  const std::string bytes = bytes_of(path);
  constexpr std::size_t kFlags = 64, kFactor = 72, kDecimals = 80, kHalvings = 88, kReserved = 96;
  EXPECT_EQ(complaint("a.apg", with_word(bytes, kFactor, 7)), "");
  EXPECT_EQ(complaint("a.apg", with_word(bytes, kDecimals, 7)), "");
  EXPECT_EQ(complaint("a.apg", with_word(bytes, kHalvings, ~std::uint64_t{6})), "");
  for (const auto& [place, word] :
       std::vector<std::pair<std::size_t, std::uint64_t>>{{kFlags, 0},
                                                          {kFlags, 2},
                                                          {kFlags, 4},
                                                          {kFlags, 5},
                                                          {kFactor, 0},
                                                          {kDecimals, 1 << 20},
                                                          {kHalvings, std::uint64_t{1} << 63},
                                                          {kReserved, 1},
                                                          {kReserved + 16, 1}})
    EXPECT_NE(complaint("a.apg", with_word(bytes, place, word)), "") << place << " " << word;
  // Directions instead of lengths: the size does not fit. Directions as well: an adjacency that
  // happens to be symmetric is a directed graph.
  EXPECT_EQ(complaint("a.apg", with_word(bytes, kFlags, 3)), "");
}

TEST(ApgPaths, lengths_beyond_all_sums_are_refused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.apg");
  write_graph(generate("path?n=4&lengths=1..1").graph, path);
  std::string bytes = bytes_of(path);
  const std::size_t lengths = 128 + 5 * 8 + 6 * 4;
  for (std::size_t arc = 0; arc < 6; ++arc) bytes[lengths + arc * 8 + 7] = 0x70;
  // The checksums of the only block, of the table, and of the header.
  const std::size_t table = lengths + 6 * 8;
  const std::uint64_t block = hash_bytes(bytes.data() + 128, table - 128, 0);
  std::memcpy(bytes.data() + table, &block, 8);
  bytes = with_word(bytes, 56, hash_bytes(bytes.data() + table, 8));
  EXPECT_EQ(complaint("a.apg", bytes),
            "a.apg: a path may be as long as 2^63: the lengths are too large for exact sums");
}

}  // namespace
}  // namespace antipode::testing
