// What only the CUDA engine promises; skipped where there is no GPU.
#include "engine/cuda/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "engine/host/evaluation.hpp"
#include "support/factories.hpp"
#include "support/requests.hpp"

namespace antipode::testing {
namespace {

class Cuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::info().usable) GTEST_SKIP() << cuda::info().detail;
  }
};

// Everything that allocates, once.
Distance everything(const Graph& graph, const std::string& kernel) {
  Observer observer;
  const auto engine = cuda::make_engine(graph, {.kernel = kernel});
  DiameterOptions options;
  options.batching = Batching::always;
  const Distance result = diameter(*engine, options, observer).lower;
  eccentricities(*engine, Question::eccentricity, Selection::together, observer);
  const std::vector<Vertex> sources{0, 1, 2};
  engine->summarize(sources);
  counts_from(*engine, sources);
  DistanceSums distances(graph.order());
  engine->accumulate(sources, &distances);
  trace(*engine, 0);
  const std::vector<double> ones(graph.order(), 1);
  Dependencies dependencies = no_dependencies(graph, ones, Arcs::wanted);
  engine->accumulate(sources, &dependencies);
  return result;
}

TEST_F(Cuda, every_failed_allocation_is_an_error_after_which_all_works) {
  const Graph graph = generated("ws?n=300&p=0.1");
  for (const std::string kernel :
       {"auto", "wide", "cluster", "slices", "pointers", "busy-wait", "hybrid"}) {
    const std::uint64_t before = cuda::fail_allocation_after(-1);
    const Distance expected = everything(graph, kernel);
    const auto allocations = static_cast<std::int64_t>(cuda::fail_allocation_after(-1) - before);
    ASSERT_GT(allocations, 10);
    for (std::int64_t k = 0; k < allocations; ++k) {
      cuda::fail_allocation_after(k);
      EXPECT_THROW(everything(graph, kernel), DeviceError) << "allocation " << k;
      cuda::fail_allocation_after(-1);
    }
    EXPECT_EQ(everything(graph, kernel), expected);
  }
}

// Short rows, long ones, one that takes several stretches of the queue, and many thin levels: small
// enough for compute-sanitizer.
TEST_F(Cuda, small_graphs_run_every_kernel) {
  Observer observer;
  for (const std::string spec : {"ws?n=60&p=0.1", "star?n=2200", "path?n=60"}) {
    const Graph graph = generated(spec);
    const Distance expected = everything(graph, "auto");
    for (const std::string kernel : {"wide", "cluster", "slices"})
      EXPECT_EQ(everything(graph, kernel), expected);
    for (const std::string& kernel : cuda::info().kernels)
      for (const std::string layout : {"lists", "matrix"})
        EXPECT_EQ(diameter(*cuda::make_engine(graph, {.kernel = kernel, .layout = layout}),
                           {.strategy = Strategy::takes_kosters}, observer)
                      .lower,
                  expected);
  }
}

void expect_same_distances(Engine& here, Engine& there, std::span<const Vertex> sources,
                           const std::string& spec) {
  std::map<Vertex, std::vector<Distance>> rows;
  here.distances(sources, [&](Vertex source, std::span<const Distance> row) {
    rows[source].assign(row.begin(), row.end());
  });
  there.distances(sources, [&](Vertex source, std::span<const Distance> row) {
    EXPECT_TRUE(std::ranges::equal(row, rows[source])) << spec << " from " << source;
  });
}

// The source is followed by 200 neighbours, the last vertices, which have 24,000 arcs: the next
// level is pulled. Two rows are huge. Only the end of the first one's is reached by then, and
// nothing of the other's.
Graph with_huge_rows() {
  constexpr Vertex kMany = 3000, kFew = 200, first = kMany, source = kMany + 2;
  reference::Pairs pairs{{first, source + kFew}};
  for (Vertex i = 1; i <= kFew; ++i) {
    pairs.push_back({source, source + i});
    for (Vertex j = 0; j < 120; ++j) pairs.push_back({source + i, (i * 15 + j) % kMany});
  }
  for (Vertex v = 0; v < 2200; ++v) {
    pairs.push_back({first, v});
    pairs.push_back({first + 1, v + 700});
  }
  return graph_of(source + kFew + 1, pairs);
}

// Levels that blocks share, and levels that are pulled.
TEST_F(Cuda, small_graphs_have_wide_levels_too) {
  Observer observer;
  for (const std::string spec :
       {"ba?n=6000&degree=3", "rmat?scale=12", "er?n=20000&degree=32", "huge rows"}) {
    const Graph whole = spec == "huge rows" ? with_huge_rows() : generated(spec);
    const Components parts = components(whole);
    const Graph graph = component_subgraph(whole, parts, parts.largest());
    const auto here = make_engine("cpu", graph);
    for (const std::string kernel : {"wide", "slices"}) {
      const auto there = make_engine("cuda", graph, {.kernel = kernel});
      expect_same_distances(
          *here, *there,
          std::vector<Vertex>{0, graph.order() / 2, graph.order() - 201, graph.order() - 1}, spec);
      EXPECT_EQ(diameter(*here, {}, observer).lower, diameter(*there, {}, observer).lower) << spec;
    }
  }
}

TEST_F(Cuda, the_same_measures_give_the_same_answers_as_on_the_cpu) {
  RandomConnectedGraphs graphs(29);
  Observer observer;
  for (int round = 0; round < 1000; ++round) {
    const Graph graph = graphs.next();
    const auto here = make_engine("cpu", graph),
               there = make_engine("cuda", graph,
                                   {0, 0, std::array{"auto", "wide", "slices"}[round % 3]});
    for (const Batching batching : {Batching::always, Batching::never}) {
      DiameterOptions options;
      options.batching = batching;
      ASSERT_EQ(diameter(*here, options, observer).lower, diameter(*there, options, observer).lower)
          << "graph " << round;
    }
    const auto a = eccentricities(*here, Question::eccentricity, Selection::together, observer),
               b = eccentricities(*there, Question::eccentricity, Selection::together, observer);
    ASSERT_EQ(a.lower, b.lower) << "graph " << round;
    ASSERT_EQ(a.upper, b.upper) << "graph " << round;
  }
}

// A hub whose arcs several blocks share, leaves, and a tail so long that the sizes of its levels do
// not fit the answer: thin levels and wide ones in turn, and paths that are walked twice.
TEST_F(Cuda, a_long_tail_is_searched_by_slices) {
  constexpr Vertex kLeaves = 40'000, kTail = 1'500;
  reference::Pairs pairs;
  for (Vertex v = 1; v <= kLeaves; ++v) {
    pairs.push_back({0, v});
    if (v % 3 == 0) pairs.push_back({v, 1 + v * 7 % kLeaves});
  }
  for (Vertex v = 0; v < kTail; ++v) pairs.push_back({v == 0 ? 17 : kLeaves + v, kLeaves + v + 1});
  const Graph graph = graph_of(kLeaves + kTail + 1, pairs);
  Observer observer;
  const auto here = make_engine("cpu", graph),
             there = make_engine("cuda", graph, {.kernel = "slices"});
  expect_same_distances(
      *here, *there, std::vector<Vertex>{0, 1, 17, kLeaves, kLeaves + kTail / 2, kLeaves + kTail},
      "a tail");
  const Diameter a = diameter(*here, {}, observer), b = diameter(*there, {}, observer);
  EXPECT_EQ(a.lower, b.lower);
  EXPECT_EQ(b.lower, b.upper);
  EXPECT_EQ(b.witness.path.size(), b.lower + 1);
  for (const Vertex source : {Vertex{0}, kLeaves + kTail})
    EXPECT_EQ(here->search(source).level_sizes, there->search(source).level_sizes);
}

// Leaves, pendant triangles and pendant cliques are simplicial and are removed. Levels are thin and
// wide in turn. Searches also start at removed vertices.
TEST_F(Cuda, folded_graphs_are_searched_as_on_the_cpu) {
  for (const char* spec :
       {"ba?n=30000&degree=1", "ba?n=30000&degree=2&seed=5", "rmat?scale=15&edgefactor=2",
        "ws?n=20000&degree=4&p=0.02", "geometric?n=20000&degree=5"}) {
    const Graph whole = generated(spec);
    const Components parts = components(whole);
    const Graph graph = component_subgraph(whole, parts, parts.largest());
    const auto here = make_engine("cpu", graph),
               there = make_engine("cuda", graph, {.kernel = "slices"});
    std::vector<Vertex> sources;
    for (Vertex v = 0; v < graph.order() && sources.size() < 60; ++v)
      if (v % 97 == 0 || (graph.degree(v) <= 3 && v % 31 == 0)) sources.push_back(v);
    expect_same_distances(*here, *there, sources, spec);
    Observer observer;
    EXPECT_EQ(diameter(*here, {}, observer).lower, diameter(*there, {}, observer).lower) << spec;
    for (const Vertex source : sources) {  // balls around cliques of which some or all came off
      const std::vector<Vertex> clique = here->clique(source);
      if (clique.size() > 64) continue;
      std::vector<Vertex> outside;
      for (Engine* const engine : {here.get(), there.get()}) {
        CandidateSets& sets = engine->candidates();
        sets.reset();
        const Probe found = engine->probe({.starts = {{.vertex = source}}}).front();
        for (const Distance radius :
             {found.search.eccentricity / 2, found.search.eccentricity / 3}) {
          sets.set_ball(found.distances, radius);
          sets.widen_ball(found.distances, radius, clique);
          outside.push_back(sets.census().outside);
        }
        engine->release(found.distances);
      }
      EXPECT_EQ(outside[0], outside[2]) << spec << ", around " << source;
      EXPECT_EQ(outside[1], outside[3]) << spec << ", around " << source;
    }
  }
}

// Rows too long for a warp, marks too many for a block, finds too many for its memory, arcs that
// come in several pieces, levels that are scattered: what small graphs do not meet.
TEST_F(Cuda, large_graphs_are_searched_as_on_the_cpu) {
  for (const std::string spec :
       {"grid?rows=1500&cols=1300", "star?n=2000000", "rmat?scale=17", "rmat?scale=21&edgefactor=4",
        "ba?n=200000&degree=30", "er?n=400001&degree=40"}) {
    const Graph graph = generated(spec);
    const auto here = make_engine("cpu", graph), there = make_engine("cuda", graph);
    std::vector<Vertex> sources{0, graph.order() / 2, graph.order() - 1};
    expect_same_distances(*here, *there, sources, spec);
    const auto a = here->summarize(sources), b = there->summarize(sources);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      EXPECT_EQ(a[i].eccentricity, b[i].eccentricity) << spec;
      EXPECT_EQ(a[i].distance_sum, b[i].distance_sum) << spec;
    }
  }
}

// More searches at once than multiprocessors, several blocks on each.
TEST_F(Cuda, small_roads_are_searched_from_everywhere_as_on_the_cpu) {
  const Graph graph = generated("grid?rows=50&cols=30");
  const auto here = make_engine("cpu", graph), there = make_engine("cuda", graph);
  std::vector<Vertex> sources(graph.order());
  std::iota(sources.begin(), sources.end(), Vertex{0});
  EXPECT_EQ(here->summarize(sources), there->summarize(sources));
  EXPECT_EQ(counts_from(*here, sources), counts_from(*there, sources));
}

// Many sources of which some are leaves, on roads with leaves, with long rows, with more leaves at
// a vertex than can be counted along, with pairs and single vertices apart; and on pairs and stars,
// of which only one vertex is left. Where there is no memory for that all goes without.
TEST_F(Cuda, leaves_are_counted_where_they_hang) {
  std::vector<std::pair<std::string, Graph>> graphs{
      {"pair", generated("path?n=2")},
      {"star", generated("star?n=8")},
      {"tree", generated("tree?n=1500&degree=3")},
      {"road", generated("geometric?n=2500&degree=3&seed=9")}};
  for (const Vertex leaves : {3u, 7u, 8u}) {  // an entry counts up to seven
    reference::Pairs pairs;
    constexpr Vertex kRing = 300;
    for (Vertex v = 0; v < kRing; ++v) pairs.push_back({v, (v + 1) % kRing});
    for (Vertex v = 20; v < 50; ++v) pairs.push_back({7, v});
    for (Vertex leaf = 0; leaf < leaves; ++leaf) pairs.push_back({100, kRing + leaf});
    pairs.push_back({45, kRing + leaves});
    for (Vertex v = 0; v < 40; ++v) pairs.push_back({200 + v, kRing + leaves + 1 + v});
    pairs.push_back({kRing + leaves + 41, kRing + leaves + 42});
    graphs.push_back({std::to_string(leaves) + " leaves", graph_of(kRing + leaves + 44, pairs)});
  }
  for (const auto& [name, graph] : graphs) {
    const auto here = make_engine("cpu", graph), there = make_engine("cuda", graph);
    std::vector<Vertex> sources;
    for (Vertex i = 0; i < 1000; ++i)
      sources.push_back(static_cast<Vertex>(i * 7ull % graph.order()));
    const auto expected = here->summarize(sources);
    EXPECT_EQ(there->summarize(sources), expected) << name;
    for (int k = 0; k < 8; ++k) {
      const auto poor = make_engine("cuda", graph);
      cuda::fail_allocation_after(k);
      EXPECT_EQ(poor->summarize(sources), expected) << name << ", without allocation " << k;
      cuda::fail_allocation_after(-1);
    }
    EXPECT_EQ(counts_from(*there, sources), counts_from(*here, sources)) << name;
    std::vector<Multiplicities> weights(sources.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = {static_cast<Vertex>(i % 3), static_cast<Vertex>(i % 2)};
    EXPECT_EQ(counts_from(*there, sources, weights), counts_from(*here, sources, weights)) << name;
  }
}

// Rows are short, but levels wider than a block's queue: the first request of an engine finds that
// out.
TEST_F(Cuda, batches_that_outgrow_their_blocks_are_searched_by_others) {
  for (const std::string spec : {"er?n=50000&degree=4", "er?n=49983&degree=5&seed=3"}) {
    const Graph whole = generated(spec);
    const Components parts = components(whole);
    const Graph graph = component_subgraph(whole, parts, parts.largest());
    const auto here = make_engine("cpu", graph);
    std::vector<Vertex> sources;
    for (Vertex i = 0; i < 700; ++i)
      sources.push_back(static_cast<Vertex>(i * 71ull % graph.order()));
    const std::span<const Vertex> few(sources.data(), 100);
    EXPECT_EQ(make_engine("cuda", graph)->summarize(sources), here->summarize(sources)) << spec;
    EXPECT_EQ(counts_from(*make_engine("cuda", graph), sources), counts_from(*here, sources))
        << spec;
    for (const auto asked : {std::span<const Vertex>(sources), few}) {
      const auto there = make_engine("cuda", graph);
      ASSERT_LE(asked.size(), there->batch_costs().sources);
      there->bounds().reset();
      const auto expected = here->summarize(asked);
      const auto got =
          there->candidates().farthest_from(asked);  // all vertices are candidates still
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_EQ(got[i].candidates, expected[i].eccentricity) << spec << " source " << asked[i];
      EXPECT_EQ(there->summarize(few), here->summarize(few))
          << spec;  // and again, by whom the first was handed to
    }
    Observer observer;
    EXPECT_EQ(diameter(*make_engine("cuda", graph), {}, observer).lower,
              diameter(*here, {}, observer).lower)
        << spec;
  }
}

// Marks that fill their last word, or just not, and rows of directed arcs.
TEST_F(Cuda, orders_around_a_word_of_marks_are_searched_as_on_the_cpu) {
  for (const Vertex order : {31u, 32u, 33u, 63u, 64u, 1023u, 1024u, 1055u}) {
    reference::Pairs pairs;
    for (Vertex v = 0; v + 1 < order; ++v) pairs.push_back({v, v + 1});
    for (Vertex v = 0; v + 9 < order; v += 7) pairs.push_back({v + 9, v});
    std::vector<Vertex> sources(order);
    std::iota(sources.begin(), sources.end(), Vertex{0});
    for (const Direction direction : {Direction::none, Direction::forward}) {
      const Graph graph = graph_of(order, pairs, direction);
      const auto here = make_engine("cpu", graph);
      for (const std::string kernel : {"auto", "cluster"}) {
        const auto there = cuda::make_engine(graph, {.kernel = kernel});
        EXPECT_EQ(there->summarize(sources), here->summarize(sources)) << order << " " << kernel;
        for (const Vertex source : {Vertex{0}, order / 2, order - 1})
          EXPECT_EQ(there->search(source).eccentricity, here->search(source).eccentricity)
              << order << " " << kernel;
      }
    }
  }
}

// Of a grid of 600 × 600 some sources have more paths than a double counts, and others not.
TEST_F(Cuda, dependencies_beyond_the_range_of_a_double_are_those_of_the_cpu) {
  for (const std::string spec : {"grid?rows=600&cols=600", "rmat?scale=15", "star?n=40000"}) {
    const Graph graph = generated(spec);
    const std::vector<double> weights(graph.order(), 1);
    std::vector<Vertex> sources;
    for (Vertex i = 0; i < 40; ++i)
      sources.push_back(static_cast<Vertex>(std::uint64_t{i} * graph.order() / 40));
    Dependencies here = no_dependencies(graph, weights), there = here, again = here;
    make_engine("cpu", graph)->accumulate(sources, &here);
    const auto engine = make_engine("cuda", graph);
    engine->accumulate(sources, &there);
    engine->accumulate(sources, &again);
    EXPECT_EQ(there.vertices, again.vertices) << spec;  // bit for bit
    for (Vertex v = 0; v < graph.order(); ++v)
      ASSERT_NEAR(there.vertices[v], here.vertices[v], 1e-9 * std::max(1.0, here.vertices[v]))
          << spec << " vertex " << v;
  }
}

TEST_F(Cuda, a_graph_that_does_not_fit_is_refused_with_the_bytes_needed_and_there) {
  const std::uint64_t before = cuda::fail_allocation_after(-1);
  try {
    cuda::make_engine(generated("grid?rows=100&cols=100"), {.memory_limit = 100'000});
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("memory limit is 100000"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(cuda::fail_allocation_after(-1), before);  // nothing was allocated
}

TEST_F(Cuda, the_cpu_takes_over_what_does_not_fit_unless_the_gpu_was_asked_for) {
  const Graph graph = generated("grid?rows=10&cols=10");
  cuda::fail_allocation_after(0);
  EXPECT_EQ(make_engine("auto", graph)->info().name, "cpu");
  cuda::fail_allocation_after(0);
  EXPECT_THROW(make_engine("cuda", graph), DeviceError);
  cuda::fail_allocation_after(-1);
  EXPECT_EQ(make_engine("auto", graph)->info().name, "cuda");
}

TEST_F(Cuda, a_trace_counts_the_vertices_of_each_level) {
  const Graph graph = generated("grid?rows=3&cols=4");
  const auto levels = trace(*cuda::make_engine(graph, {}), 0);
  ASSERT_EQ(levels.size(), 6u);
  EXPECT_EQ(levels[1].active, 2u);
  EXPECT_EQ(levels[1].left, 9u);
  EXPECT_EQ(levels.back().left, 0u);
}

}  // namespace
}  // namespace antipode::testing
