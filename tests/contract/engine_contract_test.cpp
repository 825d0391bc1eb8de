// What every engine promises of its searches, checked on each one that this machine can use.
#include <map>
#include <numeric>
#include <random>

#include "contract/contract.hpp"

namespace antipode::testing {

INSTANTIATE_TEST_SUITE_P(Engines, EngineContract, ::testing::ValuesIn(usable_engines()),
                         [](const auto& tested) { return tested.param.name(); });

namespace {

void expect_search(const Graph& graph, Engine& engine, Vertex source,
                   const std::vector<unsigned>& expected) {
  const Search search = engine.search(source);
  std::vector<Vertex> sizes;
  std::uint64_t sum = 0;
  unsigned farthest = source;
  for (Vertex v = 0; v < graph.order(); ++v) {
    if (expected[v] == reference::kFar) continue;
    sizes.resize(std::max<std::size_t>(sizes.size(), expected[v] + 1), 0);
    ++sizes[expected[v]];
    sum += expected[v];
    if (expected[v] > expected[farthest] || (expected[v] == expected[farthest] && v < farthest))
      farthest = v;
  }
  ASSERT_EQ(search.source, source);
  ASSERT_EQ(search.level_sizes, sizes);
  ASSERT_EQ(search.eccentricity + 1, sizes.size());
  ASSERT_EQ(search.farthest, farthest);
  ASSERT_EQ(search.distance_sum, sum);
  ASSERT_EQ(search.reached, std::accumulate(sizes.begin(), sizes.end(), Vertex{0}));
}

void expect_path(const reference::Graph& graph, const std::vector<Vertex>& path, Vertex from,
                 Vertex to, unsigned distance) {
  if (distance == reference::kFar) {
    ASSERT_TRUE(path.empty());
    return;
  }
  ASSERT_EQ(path.size(), std::size_t{distance} + 1);
  ASSERT_EQ(path.front(), from);
  ASSERT_EQ(path.back(), to);
  for (std::size_t i = 1; i < path.size(); ++i) ASSERT_TRUE(graph.adjacent(path[i - 1], path[i]));
}

TEST_P(EngineContract, runs_under_the_name_it_was_asked_for) {
  EXPECT_EQ(engine(generated("karate"))->info().name, GetParam().engine);
}

TEST_P(EngineContract, searches_and_rows_and_paths_agree_with_the_reference_on_random_graphs) {
  RandomGraphs graphs(11, RandomGraphs::Kinds::both);
  std::mt19937 random(11);
  for (int round = 0; round < rounds(1600); ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const auto expected = reference_of(graph);
    const auto tested = engine(graph);
    for (int k = 0; k < 3; ++k) {
      const Vertex source = random() % graph.order(), to = random() % graph.order();
      const auto row = expected.distances(source);
      ASSERT_NO_FATAL_FAILURE(expect_search(graph, *tested, source, row));
      ASSERT_NO_FATAL_FAILURE(
          expect_path(expected, tested->path(kLatest, to), source, to, row[to]));
      tested->distances(std::span(&source, 1), [&](Vertex from, std::span<const Distance> found) {
        ASSERT_EQ(from, source);
        ASSERT_TRUE(std::equal(found.begin(), found.end(), row.begin(), row.end()));
      });
    }
  }
}

// The leaves of a hub look for unvisited neighbours, but most or all unvisited vertices lie in
// another component.
TEST_P(EngineContract, a_level_that_finds_nothing_leaves_its_farthest_vertex_known) {
  for (const auto& [leaves, every] : std::vector<std::pair<Vertex, Vertex>>{
           {130, 1000}, {300, 3}, {300, 1000}, {2000, 3}, {2000, 7}, {2000, 3000}}) {
    std::vector<Edge> edges;
    for (Vertex v = 0; v < leaves; ++v) edges.push_back({leaves, v});
    for (Vertex v = every - 1; v < leaves; v += every)
      edges.push_back({v, leaves + 1 + v / 3});  // some have a leaf of their own
    const Vertex after = leaves + 2 + leaves / 3;
    const Vertex order = after + 2 * leaves;
    for (Vertex v = after; v + 1 < order; ++v) edges.push_back({v, v + 1});
    const Graph graph = build_graph(order, {std::move(edges)}, Labels::sequential(0, order)).graph;
    const auto expected = reference_of(graph);
    for (const unsigned count : {1u, 2u, 5u}) {
      const auto tested = engine(graph, count);
      for (const Vertex source : {leaves, Vertex{0}, Vertex{1}, leaves + 1, after})
        ASSERT_NO_FATAL_FAILURE(expect_search(graph, *tested, source, expected.distances(source)));
    }
  }
}

TEST_P(EngineContract, wide_graphs_give_the_same_integers_with_one_thread_and_many) {
  for (const std::string spec :
       {"rmat?scale=13&edgefactor=16", "er?n=20000&degree=10", "star?n=50000", "complete?n=400",
        "grid?rows=200&cols=300", "ba?n=20000&degree=6"}) {
    const Graph whole = generated(spec), directed = some_arcs_of(whole, 0.6, 1);
    for (const unsigned count : {1u, 4u, 5u}) {
      const Graph& graph = count < 5 ? whole : directed;
      const auto expected = reference_of(graph);
      const auto tested = engine(graph, count);
      for (const Vertex source : {Vertex{0}, graph.order() / 2, graph.order() - 1}) {
        const auto row = expected.distances(source);
        ASSERT_NO_FATAL_FAILURE(expect_search(graph, *tested, source, row)) << spec;
        tested->distances(std::span(&source, 1), [&](Vertex, std::span<const Distance> found) {
          ASSERT_TRUE(std::equal(found.begin(), found.end(), row.begin(), row.end())) << spec;
        });
      }
    }
  }
}

TEST_P(EngineContract, summaries_agree_with_single_searches_for_any_number_of_sources) {
  RandomGraphs graphs(12, RandomGraphs::Kinds::both);
  std::mt19937 random(12);
  for (int round = 0; round < rounds(800); ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const auto tested = engine(graph);
    std::vector<Vertex> sources(random() % 200);  // they may repeat
    for (auto& source : sources) source = random() % graph.order();
    const auto summaries = tested->summarize(sources);
    ASSERT_EQ(summaries.size(), sources.size());
    for (std::size_t i = 0; i < sources.size(); i += 1 + i / 4) {
      const Search search = tested->search(sources[i]);
      ASSERT_EQ(summaries[i], (Summary{search.eccentricity, search.reached, search.distance_sum}));
    }
  }
}

TEST_P(EngineContract, many_lanes_in_wide_graphs_go_along_the_arcs) {
  for (const std::string spec :
       {"rmat?scale=12&edgefactor=16", "star?n=5000", "er?n=5000&degree=6"}) {
    const Graph graph = some_arcs_of(generated(spec), 0.6, 2);
    const auto reference = reference_of(graph);
    std::vector<Vertex> sources;
    for (Vertex i = 0; i < 600; ++i) sources.push_back(i * 7919 % graph.order());
    const auto summaries = engine(graph)->summarize(sources);
    for (std::size_t i = 0; i < sources.size(); i += 37) {
      Summary expected;
      for (const unsigned d : reference.distances(sources[i]))
        if (d != reference::kFar)
          expected = {std::max(expected.eccentricity, d), expected.reached + 1,
                      expected.distance_sum + d};
      ASSERT_EQ(summaries[i], expected) << spec;
    }
  }
}

TEST_P(EngineContract, distance_sums_add_up_over_the_sources) {
  std::mt19937 random(37);
  RandomGraphs graphs(37, RandomGraphs::Kinds::both);
  for (int round = 0; round < 300; ++round) {
    const Graph graph = round < 295
                            ? graphs.next()
                            : generated(round % 2 == 0 ? "ws?n=1500&p=0.05" : "star?n=2300");
    if (graph.order() == 0) continue;
    const auto reference = reference_of(graph);
    std::vector<Vertex> sources;
    for (std::size_t i = 0, count = random() % (round < 295 ? 20 : 1100); i < count; ++i)
      sources.push_back(random() % graph.order());
    DistanceSums sums(graph.order());
    const auto tested = engine(graph);
    tested->accumulate(sources, &sums);
    tested->accumulate(sources, &sums);  // adds up
    std::vector<Vertex> reached(graph.order(), 0), farthest(graph.order(), 0);
    std::vector<std::uint64_t> sum(graph.order(), 0), inverse(graph.order(), 0);
    for (const Vertex source : sources) {
      const auto row = reference.distances(source);
      for (Vertex v = 0; v < graph.order(); ++v) {
        if (row[v] == kUnreached) continue;
        reached[v] += 2;
        farthest[v] = std::max(farthest[v], row[v]);
        sum[v] += 2 * std::uint64_t{row[v]};
        if (row[v] > 0) inverse[v] += 2 * ((sums.unit + row[v] / 2) / row[v]);
      }
    }
    ASSERT_EQ(sums.sources, reached) << "graph " << round;
    ASSERT_EQ(sums.farthest, farthest) << "graph " << round;
    ASSERT_EQ(sums.sum, sum) << "graph " << round;
    ASSERT_EQ(sums.inverse_sum, inverse) << "graph " << round;
  }
}

TEST_P(EngineContract, dependencies_follow_all_shortest_paths_in_equal_shares) {
  std::mt19937 random(43);
  RandomGraphs graphs(43);
  for (int round = 0; round < 300; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const auto reference = reference_of(graph);
    std::vector<std::vector<unsigned>> distance;
    for (Vertex v = 0; v < graph.order(); ++v) distance.push_back(reference.distances(v));
    const auto paths = [&](Vertex s, Vertex t) {  // counted by walking back, level by level
      if (distance[s][t] == kUnreached) return 0.0;
      std::map<Vertex, double> level{{t, 1.0}};
      for (unsigned d = distance[s][t]; d > 0; --d) {
        std::map<Vertex, double> nearer;
        for (const auto& [v, count] : level)
          for (const Vertex u : reference.around[v])
            if (distance[s][u] + 1 == d) nearer[u] += count;
        level = nearer;
      }
      return level[s];
    };
    std::vector<double> weights;
    for (Vertex v = 0; v < graph.order(); ++v) weights.push_back(1 + random() % 5);
    const std::vector<Vertex> sources{static_cast<Vertex>(random() % graph.order()),
                                      static_cast<Vertex>(random() % graph.order())};
    Dependencies found = no_dependencies(graph, weights, Arcs::wanted);
    engine(graph)->accumulate(sources, &found);
    std::vector<double> vertices(graph.order(), 0), arcs(graph.arcs(), 0);
    for (const Vertex s : sources)
      for (Vertex t = 0; t < graph.order(); ++t) {
        if (t == s || distance[s][t] == kUnreached) continue;
        for (Vertex v = 0; v < graph.order(); ++v) {
          if (distance[s][v] == kUnreached) continue;
          const double sent = weights[s] * weights[t] * paths(s, v) / paths(s, t);
          if (v != s && v != t && distance[s][v] + distance[v][t] == distance[s][t])
            vertices[v] += sent * paths(v, t);
          for (std::size_t k = 0; k < graph.neighbors(v).size(); ++k) {
            const Vertex u = graph.neighbors(v)[k];
            if (distance[s][v] + 1 + distance[u][t] == distance[s][t])
              arcs[graph.offsets()[v] + k] += sent * paths(u, t);
          }
        }
      }
    for (Vertex v = 0; v < graph.order(); ++v)
      ASSERT_NEAR(found.vertices[v], vertices[v], 1e-9 * std::max(1.0, vertices[v]))
          << "graph " << round;
    for (std::size_t a = 0; a < arcs.size(); ++a)
      ASSERT_NEAR(found.arcs[a], arcs[a], 1e-9 * std::max(1.0, arcs[a])) << "graph " << round;
  }
}

TEST_P(EngineContract, dependencies_of_many_sources_agree_with_the_reference_along_edges_and_arcs) {
  std::mt19937 random(44);
  std::vector<Graph> graphs;
  for (const std::string spec : {"rmat?scale=10&edgefactor=12", "star?n=1500", "complete?n=700",
                                 "grid?rows=30&cols=31", "ba?n=1200&degree=3", "er?n=900&degree=3"})
    for (const bool directed : {false, true})
      graphs.push_back(directed ? some_arcs_of(generated(spec), 0.7, 3) : generated(spec));
  RandomGraphs small(44, RandomGraphs::Kinds::both);
  while (graphs.size() < static_cast<std::size_t>(rounds(200)))
    if (const Graph graph = small.next(); graph.order() > 0) graphs.push_back(graph);
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const Graph& graph = graphs[g];
    std::vector<double> weights;
    for (Vertex v = 0; v < graph.order(); ++v) weights.push_back(1 + random() % 5);
    std::vector<Vertex> sources;
    for (int i = 0; i < 77; ++i) sources.push_back(random() % graph.order());
    Dependencies found = no_dependencies(graph, weights, Arcs::wanted),
                 vertices_alone = no_dependencies(graph, weights);
    const auto tested = engine(graph);
    tested->accumulate(sources, &found);
    tested->accumulate(sources, &vertices_alone);
    ASSERT_EQ(found.vertices, vertices_alone.vertices) << "graph " << g;  // bit for bit
    const auto reference = reference_of(graph);
    reference::Graph::Dependencies expected{std::vector<long double>(graph.order(), 0), {}};
    for (const Vertex source : sources) reference.add_dependencies(source, weights, expected);
    for (Vertex v = 0; v < graph.order(); ++v) {
      const auto wanted = static_cast<double>(expected.vertices[v]);
      ASSERT_NEAR(found.vertices[v], wanted, 1e-10 * std::max(1.0, wanted))
          << "graph " << g << ", vertex " << v;
      for (std::size_t k = 0; k < graph.neighbors(v).size(); ++k) {
        const auto along = static_cast<double>(expected.arcs[{v, graph.neighbors(v)[k]}]);
        ASSERT_NEAR(found.arcs[graph.offsets()[v] + k], along, 1e-10 * std::max(1.0, along))
            << "graph " << g << ", arc of " << v;
      }
    }
  }
}

TEST_P(EngineContract,
       distributions_add_up_the_levels_of_single_searches_and_of_all_that_these_stand_for) {
  RandomGraphs graphs(21, RandomGraphs::Kinds::both);
  std::mt19937 random(21);
  for (int round = 0; round < rounds(400); ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const auto reference = reference_of(graph);
    std::vector<Vertex> sources(1 + random() % 300);  // they may repeat
    for (auto& source : sources) source = random() % graph.order();
    std::vector<Multiplicities> weights(sources.size());
    const auto below = [&](unsigned most) { return static_cast<Vertex>(random() % most); };
    for (auto& each : weights)
      each = {below(3), below(2), 0, below(8) == 0 ? 1000000u : 0u, 0,
              0,        0,        0, below(16) == 0 ? 5u : 0u};
    std::vector<std::uint64_t> expected, expected_weighted;
    const auto add = [](std::vector<std::uint64_t>& counts, std::size_t distance,
                        std::uint64_t more) {
      if (more == 0) return;
      counts.resize(std::max(counts.size(), distance + 1), 0);
      counts[distance] += more;
    };
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (const unsigned d : reference.distances(sources[i])) {
        if (d == reference::kFar) continue;
        add(expected, d, 1);
        for (std::size_t k = 0; k < weights[i].size(); ++k)
          add(expected_weighted, d + k, weights[i][k]);
      }
    const auto tested = engine(graph);
    ASSERT_EQ(counts_from(*tested, sources), expected) << "graph " << round;
    ASSERT_EQ(counts_from(*tested, sources, weights), expected_weighted) << "graph " << round;
  }
}

TEST_P(EngineContract, summaries_of_two_triangles_count_only_what_is_reached) {
  const auto tested = engine(graph_of(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}));
  const std::vector<Vertex> sources{0, 4};
  EXPECT_EQ(tested->summarize(sources), (std::vector<Summary>{{1, 3, 2}, {1, 3, 2}}));
}

TEST_P(EngineContract, wide_summaries_agree_with_single_searches) {
  for (const std::string spec :
       {"rmat?scale=12&edgefactor=16", "grid?rows=60&cols=70", "star?n=5000"}) {
    const Graph graph = generated(spec);
    const auto tested = engine(graph, 3);
    std::vector<Vertex> sources;
    for (Vertex v = 0; v < graph.order(); v += 7) sources.push_back(v);
    const auto summaries = tested->summarize(sources);
    for (std::size_t i = 0; i < sources.size(); i += 37) {
      const Search search = tested->search(sources[i]);
      ASSERT_EQ(summaries[i], (Summary{search.eccentricity, search.reached, search.distance_sum}))
          << spec;
    }
  }
}

TEST_P(EngineContract, retained_distances_outlive_later_searches_until_released) {
  const Graph graph = generated("grid?rows=5&cols=7");
  const auto expected = reference_of(graph);
  const auto tested = engine(graph);
  std::vector<DistanceHandle> rows;
  for (Vertex source = 0; source < 10; ++source) {
    tested->search(source);
    rows.push_back(tested->retain());
    EXPECT_EQ(tested->retain(), rows.back());  // retaining twice is retaining once
    if (source % 3 == 2) tested->release(rows[source]);
  }
  for (Vertex source = 0; source < 10; ++source)
    if (source % 3 != 2)
      expect_path(expected, tested->path(rows[source], 34), source, 34,
                  expected.distances(source)[34]);
}

TEST_P(EngineContract, an_interrupted_request_leaves_the_engine_usable) {
  const Graph graph = generated("grid?rows=30&cols=30");
  const auto tested = engine(graph);
  tested->interrupt_when([] { return true; });
  EXPECT_THROW(tested->search(0), Interrupted);
  const std::vector<Vertex> sources{0, 5, 7};
  EXPECT_THROW(tested->summarize(sources), Interrupted);
  tested->interrupt_when(nullptr);
  EXPECT_EQ(tested->search(0).eccentricity, 58u);
  EXPECT_EQ(tested->summarize(sources)[0].eccentricity, 58u);
}

TEST_P(EngineContract, a_graph_beyond_the_memory_limit_is_refused) {
  EXPECT_THROW(engine(generated("path?n=1000"), 1, 1000), DeviceError);
}

}  // namespace
}  // namespace antipode::testing
