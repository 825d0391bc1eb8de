// Graphs with lengths and directions: what building, extracting and renumbering keep, the
// fingerprint, and generated ones.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "antipode/error.hpp"
#include "support/path_graphs.hpp"

namespace antipode {
namespace {

using Arcs = std::map<std::pair<std::string, std::string>, Length>;

// The arcs by label; of entering arcs turned round, so that both are equal.
Arcs arcs_of(const Graph& graph) {
  Arcs arcs;
  for (Vertex v = 0; v < graph.order(); ++v)
    for (EdgeOffset arc = graph.offsets()[v]; arc < graph.offsets()[v + 1]; ++arc)
      arcs[{graph.label(v), graph.label(graph.targets()[arc])}] = graph.adjacency().length(arc);
  return arcs;
}
Arcs turned(const Arcs& arcs) {
  Arcs result;
  for (const auto& [ends, length] : arcs) result[{ends.second, ends.first}] = length;
  return result;
}
Arcs entering(const Graph& graph) {
  Arcs arcs;
  const Adjacency rows = graph.into().adjacency();
  for (Vertex v = 0; v < graph.order(); ++v)
    for (EdgeOffset arc = rows.offsets[v]; arc < rows.offsets[v + 1]; ++arc)
      arcs[{graph.label(rows.targets[arc]), graph.label(v)}] = rows.length(arc);
  return arcs;
}

// Shortest of parallel edges, no loops: from the list of arcs.
Arcs expected(const PathCase& given) {
  Arcs arcs;
  for (const reference::Arc& arc : given.arcs) {
    if (arc.from == arc.to) continue;
    for (const bool back : {false, true}) {
      if (back && given.directed) continue;
      const auto ends = back ? std::pair(arc.to, arc.from) : std::pair(arc.from, arc.to);
      const auto [at, is_new] =
          arcs.try_emplace({std::to_string(ends.first), std::to_string(ends.second)}, arc.length);
      if (!is_new) at->second = std::min<Length>(at->second, arc.length);
    }
  }
  return arcs;
}

Arcs inside(const Arcs& arcs, const Graph& part) {
  Arcs result;
  for (const auto& [ends, length] : arcs)
    if (part.find(ends.first) != kNoVertex && part.find(ends.second) != kNoVertex)
      result[ends] = length;
  return result;
}

void expect_arcs(const Graph& graph, const Arcs& arcs) {
  EXPECT_EQ(arcs_of(graph), arcs);
  EXPECT_EQ(entering(graph), arcs);
  EXPECT_EQ(arcs_of(graph.transpose()), graph.is_directed() ? turned(arcs) : arcs);
}

TEST(PathGraphs, building_extracting_and_renumbering_keep_lengths_and_directions) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const bool directed = seed % 2 == 1;
    const PathCase given = random_path_case(seed, directed, true);
    const Graph graph = given.graph();
    const Arcs arcs = expected(given);
    expect_arcs(graph, arcs);
    for (const VertexOrder order : {VertexOrder::degree, VertexOrder::bfs, VertexOrder::rcm}) {
      const Graph other = reorder(graph, order);
      expect_arcs(other, arcs);
      EXPECT_EQ(fingerprint(other), fingerprint(graph));
    }
    const Components parts = components(graph);
    const ComponentCutter cutter(graph, parts);
    for (Vertex which = 0; which < parts.count(); ++which) {
      const Graph part = cutter.subgraph(which);
      ASSERT_TRUE(part.has_lengths());
      ASSERT_EQ(part.is_directed(), directed);
      expect_arcs(part, inside(arcs, part));
      expect_arcs(component_subgraph(graph, parts, which), inside(arcs, part));
    }
    ASSERT_FALSE(::testing::Test::HasFailure()) << seed;
  }
}

TEST(PathGraphs, edges_given_with_several_lengths_are_counted_once) {
  const std::vector<Edge> edges{{0, 1}, {1, 0}, {0, 1}, {1, 2}, {1, 2}, {2, 2}, {2, 0}};
  const std::vector<Length> lengths{4, 3, 3, 7, 7, 1, 5};
  const BuiltGraph both = build_graph(3, {edges}, {lengths}, {}, Labels::sequential(0, 3));
  EXPECT_EQ(both.unequal, 1u);
  EXPECT_EQ(both.loops, 1u);
  EXPECT_EQ(both.repeats, 3u);
  const BuiltGraph arcs =
      build_graph(3, {edges}, {lengths}, {}, Labels::sequential(0, 3), Direction::forward);
  EXPECT_EQ(arcs.unequal, 1u);
  EXPECT_EQ(arcs.repeats, 2u);
  EXPECT_EQ(arcs.graph.size(), 4u);
}

Graph path_of(std::vector<Length> lengths, const LengthUnit& unit,
              Direction direction = Direction::none) {
  std::vector<Edge> edges;
  for (Vertex v = 0; v < lengths.size(); ++v) edges.push_back({v, v + 1});
  const auto order = static_cast<Vertex>(lengths.size() + 1);
  return build_graph(order, {edges}, {std::move(lengths)}, unit, Labels::sequential(0, order),
                     direction)
      .graph;
}

TEST(PathFingerprint, is_equal_for_equal_lengths_in_any_unit) {
  const Fingerprint one =
      fingerprint(path_of({150, 200}, {.factor = 1, .decimals = 2, .halvings = 0}));
  for (const Graph& same : {path_of({15, 20}, {.factor = 1, .decimals = 1, .halvings = 0}),
                            path_of({3, 4}, {.factor = 5, .decimals = 1, .halvings = 0}),
                            path_of({3, 4}, {.factor = 1, .decimals = 0, .halvings = 1}),
                            path_of({6, 8}, {.factor = 1, .decimals = 0, .halvings = 2}),
                            path_of({3, 4}, {.factor = 5000, .decimals = 4, .halvings = 0})})
    EXPECT_EQ(fingerprint(same), one);
  for (const Graph& other :
       {path_of({15, 20}, {}), path_of({3, 4}, {}), path_of({20, 15}, {}),
        path_of({15, 21}, {.factor = 1, .decimals = 1, .halvings = 0}),
        path_of({15, 20}, {.factor = 1, .decimals = 2, .halvings = 0}),
        path_of({15, 20}, {.factor = 1, .decimals = 0, .halvings = 1}), path_of({0, 0}, {}),
        path_of({0, 1}, {}), path_of({3, 4}, {}).without_lengths()})
    EXPECT_NE(fingerprint(other), one);
  EXPECT_EQ(fingerprint(path_of({0, 0}, {.factor = 7, .decimals = 3, .halvings = 0})),
            fingerprint(path_of({0, 0}, {})));
  constexpr std::uint64_t kLarge = 1000000007ull * 998244353ull;  // the product needs 128 bits
  EXPECT_EQ(fingerprint(path_of({kLarge}, {.factor = 1, .decimals = 0, .halvings = 0})),
            fingerprint(path_of({1}, {.factor = kLarge, .decimals = 0, .halvings = 0})));
  EXPECT_EQ(fingerprint(path_of({kLarge}, {.factor = kLarge, .decimals = 0, .halvings = 0})),
            fingerprint(path_of({kLarge * 2}, {.factor = kLarge, .decimals = 0, .halvings = 1})));
}

TEST(PathFingerprint, covers_all_bits_of_the_unit) {
  constexpr Length kOdd = (Length{1} << 32) + 1;  // its square and 2^33 + 1 differ by 2^64
  EXPECT_NE(fingerprint(path_of({kOdd}, {.factor = kOdd, .decimals = 0, .halvings = 0})),
            fingerprint(path_of({(Length{1} << 33) + 1}, {})));
}

TEST(PathFingerprint, covers_directions_and_which_edge_has_which_length) {
  const Graph both = path_of({3, 4}, {}), forward = path_of({3, 4}, {}, Direction::forward);
  EXPECT_NE(fingerprint(both).hash, fingerprint(forward).hash);
  EXPECT_NE(fingerprint(forward).hash, fingerprint(forward.transpose()).hash);
  EXPECT_NE(fingerprint(forward).hash, fingerprint(path_of({4, 3}, {}, Direction::forward)).hash);
  EXPECT_NE(fingerprint(forward.without_lengths()).hash, fingerprint(forward).hash);
  // Of graphs without lengths and directions, as certificates have them.
  EXPECT_EQ(fingerprint(generate("karate").graph).hash, 0x855cfe636c63bdedu);
  EXPECT_EQ(fingerprint(generate("karate", Direction::forward).graph).hash, 0x2262d6cd793315c7u);
}

TEST(PathGenerators, lengths_are_in_their_range_and_the_same_for_any_number_of_threads) {
  for (const Generator& generator : generators())
    for (const Direction direction : {Direction::none, Direction::forward}) {
      const std::string spec = std::string(generator.kind) + "?lengths=3..7&directed";
      set_threads(1);
      const Graph one = generate(spec, direction).graph;
      set_threads(3);
      EXPECT_EQ(fingerprint(generate(spec, direction).graph), fingerprint(one)) << spec;
      set_threads(0);
      EXPECT_EQ(one.is_directed(), direction == Direction::forward);
      ASSERT_TRUE(one.has_lengths());
      for (const Length length : one.adjacency().lengths) ASSERT_TRUE(length >= 3 && length <= 7);
      EXPECT_EQ(arcs_of(one), direction == Direction::none ? turned(arcs_of(one)) : entering(one));
      EXPECT_GE(expected_edges(spec), 0);
      EXPECT_TRUE(sample_generated(spec).graph.has_lengths());
    }
}

TEST(PathGenerators, directed_random_kinds_have_cycles) {
  for (const char* const kind : {"er", "ba", "ws", "geometric", "road", "rmat", "uniform"}) {
    const Graph graph = generate(std::string(kind) + "?directed", Direction::forward).graph;
    const Components strong = strong_components(graph);
    EXPECT_GT(strong.orders[strong.largest()], graph.order() / 20) << kind;
    EXPECT_LT(strong.orders[strong.largest()], graph.order()) << kind;
    const Graph other = generate(std::string(kind) + "?directed&seed=2", Direction::forward).graph;
    EXPECT_NE(fingerprint(graph).hash, fingerprint(other).hash) << kind;
  }
  // Without direction it is the same graph as without the word.
  EXPECT_EQ(fingerprint(generate("er?directed").graph), fingerprint(generate("er").graph));
}

TEST(PathGenerators, bad_words_are_refused) {
  for (const char* const spec :
       {"rmat?directed=1", "rmat?directed=", "rmat?scale", "rmat?directe", "rmat?directed&directed",
        "rmat?lengths=5", "rmat?lengths=9..1", "rmat?lengths=1..99999999999", "rmat?lengths"})
    EXPECT_THROW(generate(spec), UsageError) << spec;
}

TEST(LengthText, is_exact_for_every_unit) {
  EXPECT_EQ(to_text(0, {.factor = 7, .decimals = 3, .halvings = 2}), "0");
  EXPECT_EQ(to_text(5, {.factor = 1, .decimals = 0, .halvings = 3}), "0.625");
  EXPECT_EQ(to_text(5, {.factor = 1, .decimals = -3, .halvings = 0}), "5000");
  EXPECT_EQ(to_text(5, {.factor = 1, .decimals = 0, .halvings = -3}), "40");
  EXPECT_EQ(to_text(5, {.factor = 3, .decimals = 2, .halvings = -1}), "0.3");
  EXPECT_EQ(to_text(5, {.factor = 1, .decimals = -1, .halvings = 3}), "6.25");
  EXPECT_EQ(to_text(~Length{0} - 1, {.factor = ~std::uint64_t{0}, .decimals = 0, .halvings = 0}),
            "340282366920938463408034375210639556610");
  EXPECT_EQ(to_text(kNoPath, {}), "infinite");
}

}  // namespace
}  // namespace antipode
