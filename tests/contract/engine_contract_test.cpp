// What every engine promises, checked on each one that this machine can use.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <map>
#include <random>

#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

// An engine with one of its kernels, and the layout of the adjacency where that matters.
struct Tested {
  std::string engine, kernel, layout;
  std::string name() const {
    std::string result = engine + (kernel == "auto" ? "" : "_" + kernel) + (layout == "lists" ? "" : "_" + layout);
    std::replace(result.begin(), result.end(), '-', '_');
    return result;
  }
};

void PrintTo(const Tested& tested, std::ostream* out) { *out << tested.name(); }

std::vector<Tested> usable_engines() {
  std::vector<Tested> result;
  for (const EngineInfo& info : engines())
    for (const std::string& kernel : info.kernels) {
      if (!info.usable) continue;
      result.push_back({info.name, kernel, "lists"});
      if (kernel == "warp" || kernel == "standard") result.push_back({info.name, kernel, "matrix"});
    }
  return result;
}

class EngineContract : public ::testing::TestWithParam<Tested> {
 protected:
  std::unique_ptr<Engine> engine(const Graph& graph, unsigned threads = 2, std::uint64_t memory_limit = 0) const {
    return make_engine(GetParam().engine, graph, {threads, memory_limit, GetParam().kernel, GetParam().layout});
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, EngineContract, ::testing::ValuesIn(usable_engines()), [](const auto& tested) { return tested.param.name(); });

void expect_search(const Graph& graph, Engine& engine, Vertex source, const std::vector<unsigned>& expected) {
  const Search search = engine.search(source);
  std::vector<Vertex> sizes;
  std::uint64_t sum = 0;
  unsigned farthest = source;
  for (Vertex v = 0; v < graph.order(); ++v) {
    if (expected[v] == reference::kFar) continue;
    sizes.resize(std::max<std::size_t>(sizes.size(), expected[v] + 1), 0);
    ++sizes[expected[v]];
    sum += expected[v];
    if (expected[v] > expected[farthest] || (expected[v] == expected[farthest] && v < farthest)) farthest = v;
  }
  ASSERT_EQ(search.source, source);
  ASSERT_EQ(search.level_sizes, sizes);
  ASSERT_EQ(search.eccentricity + 1, sizes.size());
  ASSERT_EQ(search.farthest, farthest);
  ASSERT_EQ(search.distance_sum, sum);
  ASSERT_EQ(search.reached, std::accumulate(sizes.begin(), sizes.end(), Vertex{0}));
}

void expect_path(const reference::Graph& graph, const std::vector<Vertex>& path, Vertex from, Vertex to, unsigned distance) {
  if (distance == reference::kFar) {
    ASSERT_TRUE(path.empty());
    return;
  }
  ASSERT_EQ(path.size(), std::size_t{distance} + 1);
  ASSERT_EQ(path.front(), from);
  ASSERT_EQ(path.back(), to);
  for (std::size_t i = 1; i < path.size(); ++i) ASSERT_TRUE(graph.adjacent(path[i - 1], path[i]));
}

TEST_P(EngineContract, runs_under_the_name_it_was_asked_for) { EXPECT_EQ(engine(generated("karate"))->name(), GetParam().engine); }

TEST_P(EngineContract, searches_and_rows_and_paths_agree_with_the_reference_on_random_graphs) {
  RandomGraphs graphs(11);
  std::mt19937 random(11);
  for (int round = 0; round < 1600; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const auto expected = reference_of(graph);
    const auto tested = engine(graph);
    for (int k = 0; k < 3; ++k) {
      const Vertex source = random() % graph.order(), to = random() % graph.order();
      const auto row = expected.distances(source);
      ASSERT_NO_FATAL_FAILURE(expect_search(graph, *tested, source, row));
      ASSERT_NO_FATAL_FAILURE(expect_path(expected, tested->path(kLatestRow, to), source, to, row[to]));
      tested->distances(std::span(&source, 1), [&](Vertex from, std::span<const Distance> found) {
        ASSERT_EQ(from, source);
        ASSERT_TRUE(std::equal(found.begin(), found.end(), row.begin(), row.end()));
      });
    }
  }
}

TEST_P(EngineContract, wide_graphs_give_the_same_integers_with_one_thread_and_many) {
  for (const std::string spec : {"rmat?scale=13&edgefactor=16", "er?n=20000&degree=10", "star?n=50000", "complete?n=400", "grid?rows=200&cols=300", "ba?n=20000&degree=6"}) {
    const Graph graph = generated(spec);
    const auto expected = reference_of(graph);
    for (const unsigned count : {1u, 4u}) {
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
  RandomGraphs graphs(12);
  std::mt19937 random(12);
  for (int round = 0; round < 800; ++round) {
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

TEST_P(EngineContract, every_vertex_receives_the_distances_of_the_sources) {
  std::mt19937 random(37);
  RandomGraphs graphs(37);
  for (int round = 0; round < 300; ++round) {
    const Graph graph = round < 295 ? graphs.next() : generated(round % 2 == 0 ? "ws?n=1500&p=0.05" : "star?n=2300");
    if (graph.order() == 0) continue;
    const auto reference = reference_of(graph);
    std::vector<Vertex> sources;
    for (std::size_t i = 0, count = random() % (round < 295 ? 20 : 1100); i < count; ++i) sources.push_back(random() % graph.order());
    Received received(graph.order());
    const auto tested = engine(graph);
    tested->receive(sources, received);
    tested->receive(sources, received);  // adds up
    std::vector<Vertex> reached(graph.order(), 0), farthest(graph.order(), 0);
    std::vector<std::uint64_t> sum(graph.order(), 0), inverse(graph.order(), 0);
    for (const Vertex source : sources) {
      const auto row = reference.distances(source);
      for (Vertex v = 0; v < graph.order(); ++v) {
        if (row[v] == kUnreached) continue;
        reached[v] += 2;
        farthest[v] = std::max(farthest[v], row[v]);
        sum[v] += 2 * std::uint64_t{row[v]};
        if (row[v] > 0) inverse[v] += 2 * ((received.unit + row[v] / 2) / row[v]);
      }
    }
    ASSERT_EQ(received.sources, reached) << "graph " << round;
    ASSERT_EQ(received.farthest, farthest) << "graph " << round;
    ASSERT_EQ(received.sum, sum) << "graph " << round;
    ASSERT_EQ(received.inverse_sum, inverse) << "graph " << round;
  }
}

TEST_P(EngineContract, flows_follow_all_shortest_paths_in_equal_shares) {
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
    const std::vector<Vertex> sources{static_cast<Vertex>(random() % graph.order()), static_cast<Vertex>(random() % graph.order())};
    Flow flow{std::vector<double>(graph.order(), 0), std::vector<double>(graph.arcs(), 0)};
    engine(graph)->add_flow(sources, weights, flow);
    std::vector<double> vertices(graph.order(), 0), arcs(graph.arcs(), 0);
    for (const Vertex s : sources)
      for (Vertex t = 0; t < graph.order(); ++t) {
        if (t == s || distance[s][t] == kUnreached) continue;
        for (Vertex v = 0; v < graph.order(); ++v) {
          if (distance[s][v] == kUnreached) continue;
          const double sent = weights[s] * weights[t] * paths(s, v) / paths(s, t);
          if (v != s && v != t && distance[s][v] + distance[v][t] == distance[s][t]) vertices[v] += sent * paths(v, t);
          for (std::size_t k = 0; k < graph.neighbors(v).size(); ++k) {
            const Vertex u = graph.neighbors(v)[k];
            if (distance[s][v] + 1 + distance[u][t] == distance[s][t]) arcs[graph.offsets()[v] + k] += sent * paths(u, t);
          }
        }
      }
    for (Vertex v = 0; v < graph.order(); ++v) ASSERT_NEAR(flow.vertices[v], vertices[v], 1e-9 * std::max(1.0, vertices[v])) << "graph " << round;
    for (std::size_t a = 0; a < arcs.size(); ++a) ASSERT_NEAR(flow.arcs[a], arcs[a], 1e-9 * std::max(1.0, arcs[a])) << "graph " << round;
  }
}

TEST_P(EngineContract, distributions_add_up_the_levels_of_single_searches) {
  RandomGraphs graphs(21);
  std::mt19937 random(21);
  for (int round = 0; round < 400; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const auto reference = reference_of(graph);
    std::vector<Vertex> sources(1 + random() % 300);  // they may repeat
    for (auto& source : sources) source = random() % graph.order();
    std::vector<std::uint64_t> expected;
    for (const Vertex source : sources)
      for (const unsigned d : reference.distances(source)) {
        if (d == reference::kFar) continue;
        expected.resize(std::max<std::size_t>(expected.size(), d + 1), 0);
        ++expected[d];
      }
    ASSERT_EQ(engine(graph)->distribution(sources), expected) << "graph " << round;
  }
}

TEST_P(EngineContract, summaries_of_two_triangles_count_only_what_is_reached) {
  const auto tested = engine(graph_of(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}));
  const std::vector<Vertex> sources{0, 4};
  EXPECT_EQ(tested->summarize(sources), (std::vector<Summary>{{1, 3, 2}, {1, 3, 2}}));
}

TEST_P(EngineContract, wide_summaries_agree_with_single_searches) {
  for (const std::string spec : {"rmat?scale=12&edgefactor=16", "grid?rows=60&cols=70", "star?n=5000"}) {
    const Graph graph = generated(spec);
    const auto tested = engine(graph, 3);
    std::vector<Vertex> sources;
    for (Vertex v = 0; v < graph.order(); v += 7) sources.push_back(v);
    const auto summaries = tested->summarize(sources);
    for (std::size_t i = 0; i < sources.size(); i += 37) {
      const Search search = tested->search(sources[i]);
      ASSERT_EQ(summaries[i], (Summary{search.eccentricity, search.reached, search.distance_sum})) << spec;
    }
  }
}

TEST_P(EngineContract, kept_rows_outlive_later_searches_until_released) {
  const Graph graph = generated("grid?rows=5&cols=7");
  const auto expected = reference_of(graph);
  const auto tested = engine(graph);
  std::vector<Row> rows;
  for (Vertex source = 0; source < 10; ++source) {
    tested->search(source);
    rows.push_back(tested->keep());
    EXPECT_EQ(tested->keep(), rows.back());  // keeping twice is keeping once
    if (source % 3 == 2) tested->release(rows[source]);
  }
  for (Vertex source = 0; source < 10; ++source)
    if (source % 3 != 2) expect_path(expected, tested->path(rows[source], 34), source, 34, expected.distances(source)[34]);
}

// Bounds of a small graph, computed by the definitions.
struct Expected {
  std::vector<Distance> lower, upper;
  std::vector<bool> candidate, outside;

  explicit Expected(Vertex order) : lower(order, 0), upper(order, order), candidate(order, true), outside(order, true) {}
  Vertex count(const std::vector<bool>& set) const { return static_cast<Vertex>(std::count(set.begin(), set.end(), true)); }
  Distance largest(const std::vector<bool>& set, const std::vector<unsigned>& of) const {
    Distance most = 0;
    for (std::size_t v = 0; v < set.size(); ++v)
      if (set[v]) most = std::max(most, of[v]);
    return most;
  }
};

TEST_P(EngineContract, bounds_follow_their_definitions) {
  RandomConnectedGraphs graphs(13);
  std::mt19937 random(13);
  for (int round = 0; round < 800; ++round) {
    const Graph graph = graphs.next();
    const auto distances = reference_of(graph);
    const auto tested = engine(graph);
    Bounds& bounds = tested->bounds();
    bounds.reset();
    Expected expected(graph.order());
    for (int step = 0; step < 6; ++step) {
      const Vertex source = random() % graph.order();
      const auto row = distances.distances(source);
      const Distance e = tested->search(source).eccentricity, limit = random() % (e + 2), radius = limit / 2;
      const Distance reach = bounds.reach(kLatestRow, Among::candidates);
      ASSERT_EQ(reach, expected.largest(expected.candidate, row));
      ASSERT_EQ(bounds.reach(kLatestRow, Among::outside), expected.largest(expected.outside, row));
      ASSERT_EQ(bounds.max_upper(Among::outside), expected.largest(expected.outside, expected.upper));
      if (step % 2 == 0) {
        bounds.tighten(kLatestRow, source, e, reach);
        for (Vertex v = 0; v < graph.order(); ++v) expected.lower[v] = std::max({expected.lower[v], row[v], e - row[v]});
        for (Vertex v = 0; v < graph.order(); ++v) expected.upper[v] = std::min(expected.upper[v], row[v] + reach);
      } else {
        bounds.tighten_candidates(kLatestRow, reach);
        for (Vertex v = 0; v < graph.order(); ++v)
          if (expected.candidate[v]) expected.upper[v] = std::min(expected.upper[v], row[v] + reach);
      }
      bounds.drop(limit);
      for (Vertex v = 0; v < graph.order(); ++v)
        if (expected.upper[v] <= limit) expected.candidate[v] = expected.outside[v] = false;
      Vertex beyond = 0;
      for (Vertex v = 0; v < graph.order(); ++v) beyond += expected.candidate[v] && row[v] > radius ? 1 : 0;
      const Row latest[] = {kLatestRow};
      ASSERT_EQ(bounds.count_beyond(latest, radius), std::vector<Vertex>{beyond});
      bounds.set_ball(kLatestRow, radius);
      for (Vertex v = 0; v < graph.order(); ++v) expected.outside[v] = expected.candidate[v] && row[v] > radius;
      const Distance outside_reach = expected.largest(expected.outside, row);
      bounds.drop_inside(kLatestRow, outside_reach, limit);
      for (Vertex v = 0; v < graph.order(); ++v)
        if (expected.candidate[v] && !expected.outside[v] && row[v] + outside_reach <= limit) expected.candidate[v] = false;
      ASSERT_EQ(bounds.count(Among::candidates), expected.count(expected.candidate));
      ASSERT_EQ(bounds.count(Among::outside), expected.count(expected.outside));
      std::vector<Distance> lower(graph.order()), upper(graph.order());
      bounds.copy(lower, upper);
      ASSERT_EQ(lower, expected.lower);
      ASSERT_EQ(upper, expected.upper);
      const BoundsSummary summary = bounds.summary();
      ASSERT_EQ(summary.max_lower, *std::max_element(lower.begin(), lower.end()));
      ASSERT_EQ(summary.min_lower, *std::min_element(lower.begin(), lower.end()));
      ASSERT_EQ(summary.max_upper, *std::max_element(upper.begin(), upper.end()));
      ASSERT_EQ(summary.min_upper, *std::min_element(upper.begin(), upper.end()));
    }
  }
}

// Two copies of an engine, one asked for the large requests and one for the small ones that they stand for.
TEST_P(EngineContract, large_requests_do_what_the_small_ones_do) {
  RandomConnectedGraphs graphs(31);
  std::mt19937 random(31);
  for (int round = 0; round < 300; ++round) {
    const Graph graph = graphs.next();
    const auto large = engine(graph), small = engine(graph);
    Bounds &at_once = large->bounds(), &in_steps = small->bounds();
    at_once.reset();
    in_steps.reset();
    std::vector<Row> rows_there, rows_here;
    Distance limit = 0;
    for (int step = 0; step < 5; ++step) {
      const Vertex source = random() % graph.order();
      const Distance e = large->search(source).eccentricity;
      small->search(source);
      rows_there.push_back(large->keep());
      rows_here.push_back(small->keep());
      limit = std::max(limit, e - static_cast<Distance>(e > 0 ? random() % 2 : 0));
      ASSERT_EQ(at_once.absorb(rows_there.back(), source, e, limit), in_steps.Bounds::absorb(rows_here.back(), source, e, limit));
      const auto beyond = at_once.count_beyond(rows_there, limit / 2);
      ASSERT_EQ(beyond, in_steps.count_beyond(rows_here, limit / 2));
      const auto center = static_cast<std::size_t>(random() % rows_here.size());
      at_once.set_ball(rows_there[center], limit / 2);
      in_steps.set_ball(rows_here[center], limit / 2);
      ASSERT_EQ(beyond[center], at_once.count(Among::outside));
      const auto found = at_once.refine(rows_there, limit, 3), expected = in_steps.Bounds::refine(rows_here, limit, 3);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].row, expected[i].row);
        ASSERT_EQ(found[i].among, expected[i].among);
        ASSERT_EQ(found[i].reach, expected[i].reach);
      }
      for (const Among among : {Among::candidates, Among::outside}) {
        ASSERT_EQ(at_once.count(among), in_steps.count(among));
        ASSERT_EQ(at_once.max_upper(among), in_steps.max_upper(among));
        ASSERT_EQ(at_once.reach(rows_there.front(), among), in_steps.reach(rows_here.front(), among));
      }
      std::vector<Distance> lower(graph.order()), upper(lower), other_lower(lower), other_upper(lower);
      at_once.copy(lower, upper);
      in_steps.copy(other_lower, other_upper);
      ASSERT_EQ(lower, other_lower);
      ASSERT_EQ(upper, other_upper);
    }
  }
}

TEST_P(EngineContract, selection_follows_its_rules_and_breaks_ties_by_degree_then_number) {
  const Graph graph = graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {1, 5}});  // a path with a leaf at 1
  const auto tested = engine(graph);
  Bounds& bounds = tested->bounds();
  bounds.reset();
  EXPECT_EQ(bounds.select(Select::largest_upper, kLatestRow), 1u);  // nothing known: the highest degree
  const Search search = tested->search(1);
  bounds.tighten(kLatestRow, 1, search.eccentricity, search.eccentricity);
  EXPECT_EQ(bounds.select(Select::largest_upper, kLatestRow), 4u);
  EXPECT_EQ(bounds.select(Select::farthest, kLatestRow), 4u);
  EXPECT_EQ(bounds.select(Select::smallest_lower, kLatestRow), 2u);  // 0, 2, 3, 5 tie at 2; 2 and 3 have degree 2
  EXPECT_EQ(bounds.select(Select::largest_difference, kLatestRow), 3u);  // 3 and 4 tie; 3 has the higher degree
  EXPECT_EQ(bounds.select(Select::central, kLatestRow), 2u);  // 1 itself was searched
  bounds.set_ball(kLatestRow, 2);
  EXPECT_EQ(bounds.select(Select::outside_upper, kLatestRow), 4u);
  bounds.drop(6);
  EXPECT_EQ(bounds.select(Select::outside_upper, kLatestRow), kNoVertex);
}

TEST_P(EngineContract, pruning_drops_exactly_what_cannot_matter) {
  RandomConnectedGraphs graphs(14);
  for (int round = 0; round < 400; ++round) {
    const Graph graph = graphs.next();
    const auto tested = engine(graph);
    for (const Question question : {Question::diameter, Question::radius, Question::center, Question::periphery, Question::eccentricity}) {
      Bounds& bounds = tested->bounds();
      bounds.reset();
      const Search search = tested->search(0);
      bounds.tighten(kLatestRow, 0, search.eccentricity, search.eccentricity);
      std::vector<Distance> lower(graph.order()), upper(graph.order());
      bounds.copy(lower, upper);
      const Distance max_lower = *std::max_element(lower.begin(), lower.end()), min_upper = *std::min_element(upper.begin(), upper.end());
      const Distance max_upper = *std::max_element(upper.begin(), upper.end());
      Vertex left = 0;
      for (Vertex v = 0; v < graph.order(); ++v) {
        bool pruned = lower[v] == upper[v];
        if (question == Question::diameter) pruned |= upper[v] <= max_lower && 2 * lower[v] >= max_upper;
        if (question == Question::radius) pruned |= lower[v] >= min_upper;
        if (question == Question::center) pruned |= lower[v] > min_upper;
        if (question == Question::periphery) pruned |= upper[v] < max_lower;
        left += pruned ? 0 : 1;
      }
      ASSERT_EQ(bounds.prune(question), left);
    }
  }
}

// A state in the middle of an elimination: some candidates gone, a ball around some vertex.
struct Midway {
  Vertex center;
  Distance limit;
  std::vector<Distance> upper;
  std::vector<bool> candidate, outside;

  Midway(Engine& engine, const reference::Graph& graph, std::mt19937& random)
      : center(random() % graph.order()), upper(graph.order()), candidate(graph.order()), outside(graph.order()) {
    Bounds& bounds = engine.bounds();
    bounds.reset();
    const Search search = engine.search(center);
    limit = search.eccentricity + random() % (search.eccentricity + 1);
    bounds.tighten(kLatestRow, center, search.eccentricity, search.eccentricity);
    bounds.drop(limit);
    bounds.set_ball(kLatestRow, limit / 2);
    const auto row = graph.distances(center);
    for (Vertex v = 0; v < graph.order(); ++v) {
      upper[v] = std::min(row[v] + search.eccentricity, graph.order());
      candidate[v] = upper[v] > limit;
      outside[v] = candidate[v] && row[v] > limit / 2;
    }
  }
  static Distance reach(const std::vector<unsigned>& row, const std::vector<bool>& among) {
    Distance most = 0;
    for (std::size_t v = 0; v < row.size(); ++v)
      if (among[v]) most = std::max(most, row[v]);
    return most;
  }
};

void expect_sets(Bounds& bounds, const std::vector<bool>& candidate, const std::vector<bool>& outside) {
  for (Vertex v = 0; v < candidate.size(); ++v) ASSERT_EQ(bounds.is_candidate(v), candidate[v]);
  const auto found = bounds.sample(Among::outside, candidate.size(), 1);
  for (Vertex v = 0; v < outside.size(); ++v) ASSERT_EQ(std::find(found.begin(), found.end(), v) != found.end(), outside[v]);
}

TEST_P(EngineContract, a_batch_finds_every_reach_and_eliminates_around_every_source) {
  RandomConnectedGraphs graphs(15);
  std::mt19937 random(15);
  for (int round = 0; round < 1600; ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const auto tested = engine(graph);
    Midway now(*tested, reference, random);
    Bounds& bounds = tested->bounds();
    for (int batch = 0; batch < 2; ++batch) {
      std::vector<Vertex> sources(1 + random() % std::min<std::size_t>(bounds.batch_size(), random() % 3 == 0 ? 300 : 20));
      for (auto& source : sources) source = random() % graph.order();
      const auto reaches = bounds.reach(sources);
      std::vector<bool> candidate = now.candidate, outside = now.outside;
      now.limit += random() % 2;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto row = reference.distances(sources[i]);
        ASSERT_EQ(reaches[i].candidates, Midway::reach(row, now.candidate));
        ASSERT_EQ(reaches[i].outside, Midway::reach(row, now.outside));
        for (Vertex v = 0; v < graph.order(); ++v) {
          now.upper[v] = std::min(now.upper[v], row[v] + reaches[i].candidates);
          const bool inside = !now.outside[v] && row[v] + reaches[i].outside <= now.limit;
          if (now.upper[v] <= now.limit || inside) candidate[v] = outside[v] = false;
        }
      }
      bounds.drop_around(sources, reaches, now.limit);
      now.candidate = candidate, now.outside = outside;
      ASSERT_NO_FATAL_FAILURE(expect_sets(bounds, candidate, outside)) << "graph " << round;
    }
  }
}

TEST_P(EngineContract, a_batch_raises_lower_bounds_only_to_true_distances) {
  RandomConnectedGraphs graphs(16);
  std::mt19937 random(16);
  for (int round = 0; round < 400; ++round) {
    const Graph graph = graphs.next();
    const auto truth = reference_of(graph).eccentricities();
    const auto tested = engine(graph);
    tested->bounds().reset();
    const std::vector<Vertex> sources{static_cast<Vertex>(random() % graph.order()), static_cast<Vertex>(random() % graph.order())};
    tested->bounds().reach(sources);
    std::vector<Distance> lower(graph.order()), upper(graph.order());
    tested->bounds().copy(lower, upper);
    for (Vertex v = 0; v < graph.order(); ++v) ASSERT_LE(lower[v], truth[v]);
  }
}

TEST_P(EngineContract, a_ball_widened_around_a_clique_holds_what_is_near_to_it) {
  RandomConnectedGraphs graphs(17);
  std::mt19937 random(17);
  for (int round = 0; round < 1600; ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const auto tested = engine(graph);
    const Midway now(*tested, reference, random);
    std::vector<Vertex> clique{now.center};
    for (const Vertex v : graph.neighbors(now.center))
      if (std::all_of(clique.begin(), clique.end(), [&](Vertex member) { return reference.adjacent(v, member); })) clique.push_back(v);
    tested->bounds().widen_ball(kLatestRow, now.limit / 2, clique);
    std::vector<bool> outside = now.outside;
    for (const Vertex member : clique) {
      const auto row = reference.distances(member);
      for (Vertex v = 0; v < graph.order(); ++v)
        if (row[v] <= now.limit / 2) outside[v] = false;
    }
    ASSERT_NO_FATAL_FAILURE(expect_sets(tested->bounds(), now.candidate, outside)) << "graph " << round;
  }
}

TEST_P(EngineContract, stems_are_dropped_down_to_the_leaves) {
  RandomConnectedGraphs graphs(19);
  for (int round = 0; round < 800; ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    // A stem separates a path that ends in a leaf: strip leaves while what they hang on has two neighbours.
    std::vector<bool> candidate(graph.order(), true);
    for (Vertex leaf = 0; leaf < graph.order(); ++leaf) {
      if (reference.around[leaf].size() != 1) continue;
      std::vector<Vertex> chain{leaf, *reference.around[leaf].begin()};
      while (reference.around[chain.back()].size() == 2) {
        const auto& around = reference.around[chain.back()];
        chain.push_back(*around.begin() == chain[chain.size() - 2] ? *around.rbegin() : *around.begin());
      }
      for (const Vertex v : chain)
        if (reference.around[v].size() > 1) candidate[v] = false;
    }
    const auto tested = engine(graph);
    tested->bounds().reset();
    ASSERT_EQ(tested->bounds().drop_stems(), static_cast<Vertex>(std::count(candidate.begin(), candidate.end(), true)));
    ASSERT_NO_FATAL_FAILURE(expect_sets(tested->bounds(), candidate, candidate)) << "graph " << round;
  }
}

TEST_P(EngineContract, twins_are_dropped_but_for_the_first_of_each_class) {
  RandomConnectedGraphs graphs(18);
  std::mt19937 random(18);
  for (int round = 0; round < 800; ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const auto tested = engine(graph);
    const Midway now(*tested, reference, random);
    std::vector<bool> candidate = now.candidate, outside = now.outside;
    for (Vertex v = 0; v < graph.order(); ++v)
      for (Vertex u = 0; u < v && candidate[v]; ++u)
        if (now.candidate[u] && reference.around[u] == reference.around[v]) candidate[v] = outside[v] = false;
    ASSERT_EQ(tested->bounds().drop_twins(), static_cast<Vertex>(std::count(candidate.begin(), candidate.end(), true)));
    ASSERT_NO_FATAL_FAILURE(expect_sets(tested->bounds(), candidate, outside)) << "graph " << round;
  }
}

TEST_P(EngineContract, a_sample_is_drawn_from_the_set_without_repeats) {
  const auto tested = engine(generated("path?n=100"));
  tested->bounds().reset();
  const auto some = tested->bounds().sample(Among::candidates, 10, 3);
  EXPECT_EQ(std::set<Vertex>(some.begin(), some.end()).size(), 10u);
  EXPECT_EQ(tested->bounds().sample(Among::candidates, 10, 3), some);  // the same seed, the same sample
}

TEST_P(EngineContract, wide_batches_agree_with_single_searches) {
  for (const std::string spec : {"rmat?scale=12&edgefactor=8", "grid?rows=60&cols=70", "ws?n=6000", "star?n=5000"}) {
    const Graph whole = generated(spec);
    const Components parts = components(whole);
    const Graph graph = component_subgraph(whole, parts, parts.largest());
    for (const unsigned count : {1u, 4u}) {
      const auto tested = engine(graph, count);
      tested->bounds().reset();
      std::vector<Vertex> sources;
      for (Vertex v = 0; sources.size() < tested->bounds().batch_size() && v < graph.order(); v += 5) sources.push_back(v);
      const auto reaches = tested->bounds().reach(sources);
      for (std::size_t i = 0; i < sources.size(); i += 61) ASSERT_EQ(reaches[i].candidates, tested->search(sources[i]).eccentricity) << spec;
    }
  }
}

TEST_P(EngineContract, settling_many_sources_bounds_everyone_as_their_searches_would) {
  RandomConnectedGraphs graphs(19);
  std::mt19937 random(19);
  std::vector<Graph> all;
  for (int round = 0; round < 800; ++round) all.push_back(graphs.next());
  for (const std::string spec : {"path?n=600", "grid?rows=2&cols=400", "cycle?n=900"}) all.push_back(generated(spec));  // deep ones
  for (const Graph& graph : all) {
    const auto reference = reference_of(graph);
    const auto tested = engine(graph);
    Bounds& bounds = tested->bounds();
    bounds.reset();
    Expected expected(graph.order());
    const auto tighten = [&](Vertex source, Distance e) {
      const auto row = reference.distances(source);
      for (Vertex v = 0; v < graph.order(); ++v) {
        expected.lower[v] = std::max({expected.lower[v], row[v], e - row[v]});
        expected.upper[v] = std::min(expected.upper[v], row[v] + e);
      }
    };
    const Vertex first = random() % graph.order();
    const Distance depth = tested->search(first).eccentricity;
    bounds.tighten(kLatestRow, first, depth, depth);
    tighten(first, depth);
    for (int batch = 0; batch < 2; ++batch) {
      std::vector<Vertex> sources(1 + random() % 70);
      for (auto& source : sources) source = random() % graph.order();
      const auto before = expected.lower;
      const auto settled = bounds.settle(sources);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        ASSERT_EQ(settled[i].eccentricity, reference.eccentricity(sources[i]));
        ASSERT_EQ(settled[i].lower_before, before[sources[i]]);
        tighten(sources[i], settled[i].eccentricity);
      }
      std::vector<Distance> lower(graph.order()), upper(graph.order());
      bounds.copy(lower, upper);
      ASSERT_EQ(lower, expected.lower);
      ASSERT_EQ(upper, expected.upper);
    }
    std::vector<Vertex> lowest;
    for (Vertex v = 0; v < graph.order(); ++v)
      if (std::none_of(reference.around[v].begin(), reference.around[v].end(), [&](unsigned u) { return expected.lower[u] < expected.lower[v]; })) lowest.push_back(v);
    ASSERT_EQ(bounds.lowest(graph.order()), lowest);
  }
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
