// Passes over folded graphs on the GPU against searches by a heap [Dijkstra 1959]; skipped where
// there is no GPU.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <queue>

#include "antipode/path_engine.hpp"
#include "engine/cuda/engine.hpp"
#include "engine/cuda/lengths/passes.hpp"
#include "support/path_graphs.hpp"

namespace antipode::testing {

namespace {

using Folding = LengthFolding<std::uint32_t>;

PathSummary expected(const std::vector<std::vector<std::pair<Vertex, Length>>>& around,
                     Vertex source) {
  std::vector<Length> distances(around.size(), kNoPath);
  std::priority_queue<std::pair<Length, Vertex>, std::vector<std::pair<Length, Vertex>>,
                      std::greater<>>
      open;
  distances[source] = 0;
  open.emplace(0, source);
  while (!open.empty()) {
    const auto [distance, v] = open.top();
    open.pop();
    if (distance != distances[v]) continue;
    for (const auto& [to, length] : around[v])
      if (distance + length < distances[to]) open.emplace(distances[to] = distance + length, to);
  }
  PathSummary result;
  for (const Length distance : distances) {
    if (distance == kNoPath) continue;
    ++result.reached;
    result.eccentricity = std::max(result.eccentricity, distance);
    result.distance_sum += distance;
  }
  return result;
}

Length total_length(const PathCase& made) {
  Length all = 0;
  for (const reference::Arc& arc : made.arcs) all += arc.length;
  return all;
}

class CudaLengths : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::info().usable) GTEST_SKIP() << cuda::info().detail;
    context_ = std::make_unique<cuda::Context>();
  }

  // From every vertex, or from every `step`-th, each several times where there are few.
  void expect_summaries(const PathCase& made, Vertex step = 1) {
    const Graph graph = made.graph();
    const Length all = total_length(made);
    std::vector<std::vector<std::pair<Vertex, Length>>> around(made.order);
    for (const reference::Arc& arc : made.arcs) {
      around[arc.from].emplace_back(arc.to, arc.length);
      around[arc.to].emplace_back(arc.from, arc.length);
    }
    ASSERT_LT(all, cuda::kNoLength / 2);
    const Folding folding = fold_lengths<std::uint32_t>(graph.adjacency(), {.longest = 2 * all});
    ASSERT_TRUE(folding.is_complete());
    cuda::LengthPasses passes(*context_, folding, [] { return false; });
    std::vector<Vertex> sources;
    for (Vertex v = 0; v < made.order; v += step) sources.push_back(v), sources.push_back(v / 2);
    const std::vector<PathSummary> found = passes.summarize(sources);
    ASSERT_EQ(found.size(), sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i)
      ASSERT_EQ(found[i], expected(around, sources[i])) << "source " << sources[i];
  }

  std::unique_ptr<cuda::Context> context_;
};

PathCase grid(unsigned rows, unsigned cols, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  PathCase made{.order = rows * cols, .directed = false, .weighted = true, .arcs = {}};
  for (unsigned v = 0; v < made.order; ++v) {
    const auto add = [&](unsigned to) {
      if (random() % 8 != 0) made.arcs.push_back({.from = v, .to = to, .length = random() % 1000});
    };
    if (v % cols + 1 < cols) add(v + 1);
    if (v + cols < made.order) add(v + cols);
  }
  return made;
}

TEST_F(CudaLengths, small_graphs_have_the_distances_of_searches_by_a_heap) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const PathCase made = random_path_case(seed, false, true, seed % 4 == 0 ? 100 : 24);
    if (made.order == 0 || total_length(made) >= cuda::kNoLength / 2) continue;
    expect_summaries(made);
    if (HasFatalFailure()) return;
  }
}

TEST_F(CudaLengths, grids_with_gaps_and_zero_lengths_have_them_too) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) expect_summaries(grid(30 + 20 * seed, 41, seed));
}

TEST_F(CudaLengths, long_chains_and_wide_stars_have_them_too) {
  PathCase chain{.order = 5000, .directed = false, .weighted = true, .arcs = {}};
  for (unsigned v = 0; v + 1 < chain.order; ++v)
    chain.arcs.push_back({.from = v, .to = v + 1, .length = v % 7});
  expect_summaries(chain, 37);
  PathCase star{.order = 5000, .directed = false, .weighted = true, .arcs = {}};
  for (unsigned v = 1; v < star.order; ++v)
    star.arcs.push_back({.from = 0, .to = v, .length = 1 + v % 100});
  expect_summaries(star, 37);
}

TEST_F(CudaLengths, marks_that_do_not_fit_shared_memory_lie_beside_it) {
  expect_summaries(grid(12000, 40, 7), 60001);  // 480,000 vertices: more than 57 KB of marks
}

TEST_F(CudaLengths, the_engine_answers_many_sources_by_passes) {
  const PathCase made = grid(60, 50, 11);
  const Graph graph = made.graph();
  const auto gpu = make_path_engine("cuda", graph, {}), cpu = make_path_engine("cpu", graph, {});
  std::vector<Vertex> sources(graph.order());
  std::iota(sources.begin(), sources.end(), Vertex{0});
  EXPECT_EQ(gpu->summarize(sources, Along::arcs), cpu->summarize(sources, Along::arcs));
  EXPECT_EQ(gpu->info().name, "cuda");
}

}  // namespace

}  // namespace antipode::testing
