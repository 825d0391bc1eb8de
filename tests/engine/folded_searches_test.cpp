// Folding a graph with lengths, complete or up to a degree, and sweeping what it leaves, against
// distances between all pairs.
#include "engine/cpu/lengths/folded_searches.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "graph/length_folding.hpp"
#include "support/path_graphs.hpp"

namespace antipode {
namespace {

constexpr std::uint64_t kCases = 1500;

Length longest_of(const reference::Paths& paths) { return paths.diameter(); }

// Distances from a vertex by the lists alone: the climb, the core, then down.
template <class Key>
std::vector<Length> distances_of(const LengthFolding<Key>& folding, Vertex source) {
  std::vector<Length> distance(folding.order(), kNoPath);
  distance[folding.place[source]] = 0;
  const auto relax = [&](Vertex from, Vertex to, Length length) {
    if (distance[from] != kNoPath) distance[to] = std::min(distance[to], distance[from] + length);
  };
  for (Vertex v = folding.order(); v-- > folding.core;)
    for (EdgeOffset i = folding.offsets[v]; i < folding.offsets[v + 1]; ++i)
      relax(v, folding.entries[i].vertex, folding.entries[i].length);
  for (Vertex round = 0; round < folding.core; ++round)
    for (Vertex v = 0; v < folding.core; ++v)
      for (EdgeOffset i = folding.offsets[v]; i < folding.offsets[v + 1]; ++i)
        relax(v, folding.entries[i].vertex, folding.entries[i].length);
  for (Vertex v = folding.core; v < folding.order(); ++v)
    for (EdgeOffset i = folding.offsets[v]; i < folding.offsets[v + 1]; ++i)
      relax(folding.entries[i].vertex, v, folding.entries[i].length);
  std::vector<Length> result(folding.order());
  for (Vertex v = 0; v < folding.order(); ++v) result[v] = distance[folding.place[v]];
  return result;
}

template <class Key>
void expect_distances(const PathCase& made, const FoldingLimits& limits,
                      const reference::Paths& paths) {
  const Graph graph = made.graph();
  const auto folding = fold_lengths<Key>(graph.adjacency(), limits);
  ASSERT_EQ(folding.order(), made.order);
  for (Vertex v = 0; v < made.order; ++v) ASSERT_EQ(folding.old[folding.place[v]], v);
  for (Vertex v = folding.core; v < folding.order(); ++v) {
    ASSERT_LE(folding.offsets[v + 1] - folding.offsets[v], limits.most_degree);
    for (EdgeOffset i = folding.offsets[v]; i < folding.offsets[v + 1]; ++i)
      ASSERT_LT(folding.entries[i].vertex, v);
  }
  for (Vertex v = 0; v < made.order; ++v)
    ASSERT_EQ(distances_of(folding, v), paths.distance[v]) << "source " << v;
}

TEST(LengthFolding, preserves_all_distances) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    SCOPED_TRACE(seed);
    const PathCase made = random_path_case(seed, false, true);
    const auto paths = made.reference();
    FoldingLimits limits{.longest = longest_of(paths)};
    expect_distances<std::uint32_t>(made, limits, paths);
    limits.most_degree = static_cast<Vertex>(seed % 5);
    expect_distances<std::uint32_t>(made, limits, paths);
    limits.longest = kNoPath / 2;
    expect_distances<std::uint64_t>(made, limits, paths);
    limits.most_steps = seed % 100;
    limits.most_degree = kNoVertex;
    expect_distances<std::uint64_t>(made, limits, paths);
    if (HasFatalFailure()) return;
  }
}

TEST(LengthFolding, takes_off_all_vertices_of_a_tree) {
  PathCase made{.order = 1000, .directed = false, .weighted = true, .arcs = {}};
  for (unsigned v = 1; v < made.order; ++v)
    made.arcs.push_back({.from = v / 3, .to = v, .length = v});
  const auto folding = fold_lengths<std::uint32_t>(made.graph().adjacency(), {.longest = 1 << 20});
  EXPECT_TRUE(folding.is_complete());
  EXPECT_EQ(folding.entries.size(), 999U);
}

TEST(FoldedSearches, agree_with_all_pairs) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    SCOPED_TRACE(seed);
    const PathCase made = random_path_case(seed, false, true, 60);
    if (made.order == 0) continue;
    const Graph graph = made.graph();
    const auto paths = made.reference();
    const bool is_wide = seed % 3 == 0;
    const std::uint64_t most_steps = seed % 4 == 0 ? seed % 300 : ~std::uint64_t{0};
    bool reaches_all = true;
    for (Vertex v = 0; v < made.order; ++v) reaches_all &= paths.reached(v) == made.order;
    const auto folded =
        cpu::fold_searches({.graph = graph,
                            .longest = is_wide ? kNoPath / 2 : longest_of(paths),
                            .reach = reaches_all ? cpu::Reach::all : cpu::Reach::some,
                            .threads = static_cast<int>(1 + seed % 2),
                            .most_steps = most_steps,
                            .stop = nullptr});
    std::vector<Vertex> sources(made.order);
    std::iota(sources.begin(), sources.end(), Vertex{0});
    sources.push_back(0);
    const auto summaries = folded->summarize(sources);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Vertex v = sources[i];
      LengthSum sum = 0;
      for (const Length d : paths.distance[v]) sum += d == kNoPath ? 0 : d;
      ASSERT_EQ(summaries[i], (PathSummary{.eccentricity = paths.out_eccentricity(v),
                                           .reached = paths.reached(v),
                                           .distance_sum = sum}));
    }
    std::size_t rows = 0;
    folded->rows(sources, [&](Vertex source, std::span<const Length> distances) {
      ++rows;
      ASSERT_TRUE(std::equal(distances.begin(), distances.end(), paths.distance[source].begin(),
                             paths.distance[source].end()));
    });
    ASSERT_EQ(rows, sources.size());
    std::vector<Length> distances(made.order);
    for (Vertex v = 0; v < made.order; ++v) {
      const PathStart starts[] = {{.vertex = v, .from = 1000 + seed % 7},
                                  {.vertex = static_cast<Vertex>(seed % made.order), .from = 1003},
                                  {.vertex = v, .from = kNoPath}};
      if (!folded->search_from(starts, distances)) {
        ASSERT_TRUE(is_wide);
        continue;
      }
      for (Vertex u = 0; u < made.order; ++u) {
        Length best = kNoPath;
        for (const PathStart& start : starts)
          if (start.from != kNoPath && paths.distance[start.vertex][u] != kNoPath)
            best = std::min(best, start.from + paths.distance[start.vertex][u]);
        ASSERT_EQ(distances[u], best);
      }
    }
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace antipode
