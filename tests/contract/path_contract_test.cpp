// What every path engine promises, checked on each one that this machine can use, and on the plain
// searches by heap that stand in where an engine has none of its own.
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <set>

#include "antipode/error.hpp"
#include "antipode/path_engine.hpp"
#include "engine/host/length_paths.hpp"
#include "support/path_graphs.hpp"
#include "support/path_shapes.hpp"

namespace antipode::testing {

namespace {

constexpr std::uint64_t kCases = 500;  // of each kind
constexpr Along kBoth[] = {Along::arcs, Along::reversed_arcs};

std::vector<std::string> usable_names() {
  std::vector<std::string> names{"host"};
  for (const EngineInfo& info : engines())
    if (info.usable) names.push_back(info.name);
  return names;
}

std::unique_ptr<PathEngine> engine_of(const std::string& name, const Graph& graph,
                                      unsigned threads) {
  if (name == "host") {
    EngineInfo info;
    info.name = name;
    return host::length_paths(graph, info);
  }
  return make_path_engine(name, graph, {.threads = threads});
}

// Distances of a larger graph, by the arcs it was built from. [Dijkstra 1959]
class Expected {
 public:
  explicit Expected(const PathCase& of) : leaving_(of.order), entering_(of.order) {
    for (const reference::Arc& arc : of.arcs) {
      const std::uint64_t length = of.weighted ? arc.length : 1;
      add(arc.from, arc.to, length);
      if (!of.directed) add(arc.to, arc.from, length);
    }
  }

  std::vector<Length> distances(const std::vector<PathStart>& starts, Along along) const {
    const auto& arcs = along == Along::arcs ? leaving_ : entering_;
    std::vector<Length> result(arcs.size(), kNoPath);
    std::set<std::pair<Length, Vertex>> open;
    const auto lower = [&](Vertex v, Length to) {
      if (to >= result[v]) return;
      open.erase({result[v], v});
      open.insert({result[v] = to, v});
    };
    for (const PathStart& start : starts) lower(start.vertex, start.from);
    while (!open.empty()) {
      const auto [distance, v] = *open.begin();
      open.erase(open.begin());
      for (const auto& [to, length] : arcs[v]) lower(to, distance + length);
    }
    return result;
  }

 private:
  void add(Vertex from, Vertex to, Length length) {
    leaving_[from].push_back({to, length});
    entering_[to].push_back({from, length});
  }
  std::vector<std::vector<std::pair<Vertex, Length>>> leaving_, entering_;
};

PathSearch search_of(Vertex source, const std::vector<Length>& distances) {
  PathSearch result{.source = source, .farthest = kNoVertex};
  for (Vertex v = 0; v < distances.size(); ++v) {
    if (distances[v] == kNoPath) continue;
    ++result.reached;
    if (result.farthest == kNoVertex || distances[v] > result.eccentricity)
      result.eccentricity = distances[v], result.farthest = v;
  }
  return result;
}

PathSummary summary_of(const std::vector<Length>& distances) {
  PathSummary result;
  for (const Length distance : distances) {
    if (distance == kNoPath) continue;
    ++result.reached;
    result.eccentricity = std::max(result.eccentricity, distance);
    result.distance_sum += distance;
  }
  return result;
}

// Every request, for these sources.
void expect_all(PathEngine& engine, const Expected& expected, const std::vector<Vertex>& sources,
                std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Vertex order = engine.graph().order();
  std::vector<Length> distances(order);
  for (const Along along : kBoth) {
    std::vector<std::vector<Length>> right;
    for (const Vertex source : sources)
      right.push_back(expected.distances({{.vertex = source}}, along));
    for (std::size_t i = 0; i < std::min<std::size_t>(sources.size(), 8); ++i) {
      const PathSearch found = engine.search(sources[i], along, distances),
                       wanted = search_of(sources[i], right[i]);
      ASSERT_EQ(distances, right[i]);
      ASSERT_EQ(found.source, wanted.source);
      ASSERT_EQ(found.eccentricity, wanted.eccentricity);
      ASSERT_EQ(found.farthest, wanted.farthest);
      ASSERT_EQ(found.reached, wanted.reached);
    }
    const std::vector<PathSummary> summaries = engine.summarize(sources, along);
    ASSERT_EQ(summaries.size(), sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i)
      ASSERT_EQ(summaries[i], summary_of(right[i])) << "source " << sources[i];
    std::multiset<Vertex> seen;
    engine.rows(sources, along, [&](Vertex source, std::span<const Length> row) {
      seen.insert(source);
      const auto at = std::find(sources.begin(), sources.end(), source) - sources.begin();
      ASSERT_TRUE(std::equal(row.begin(), row.end(), right[static_cast<std::size_t>(at)].begin(),
                             right[static_cast<std::size_t>(at)].end()));
    });
    ASSERT_EQ(seen, std::multiset<Vertex>(sources.begin(), sources.end()));
    for (int round = 0; round < 3 && order > 0; ++round) {
      std::vector<PathStart> starts(1 + random() % 5);
      for (PathStart& start : starts)
        start = {.vertex = static_cast<Vertex>(random() % order), .from = random() % 2000};
      engine.search_from(starts, along, distances);
      ASSERT_EQ(distances, expected.distances(starts, along));
    }
  }
}

// Several searches in one call, along the arcs and against them in any order.
void expect_each(PathEngine& engine, const Expected& expected, const std::vector<Vertex>& sources,
                 std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Length>> distances(sources.empty() ? 0 : random() % 6,
                                             std::vector<Length>(engine.graph().order()));
  std::vector<PathRequest> requests;
  for (std::vector<Length>& each : distances)
    requests.push_back({.source = sources[random() % sources.size()],
                        .along = kBoth[random() % 2],
                        .distances = each});
  const std::vector<PathSearch> found = engine.search_each(requests);
  ASSERT_EQ(found.size(), requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto right = expected.distances({{.vertex = requests[i].source}}, requests[i].along);
    const PathSearch wanted = search_of(requests[i].source, right);
    ASSERT_EQ(distances[i], right);
    ASSERT_EQ(found[i].source, wanted.source);
    ASSERT_EQ(found[i].eccentricity, wanted.eccentricity);
    ASSERT_EQ(found[i].farthest, wanted.farthest);
    ASSERT_EQ(found[i].reached, wanted.reached);
  }
}

std::vector<Vertex> all_of(Vertex order) {
  std::vector<Vertex> result(order);
  std::iota(result.begin(), result.end(), Vertex{0});
  return result;
}

std::vector<Vertex> some_of(Vertex order, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Vertex> result(count);
  for (Vertex& v : result) v = static_cast<Vertex>(random() % order);
  return result;
}

}  // namespace

class PathContract : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<PathEngine> engine(const Graph& graph, unsigned threads = 2) const {
    return engine_of(GetParam(), graph, threads);
  }
  void expect_random_cases(bool directed, bool weighted, std::uint64_t cases) {
    for (std::uint64_t seed = 0; seed < cases; ++seed) {
      SCOPED_TRACE(seed);
      const PathCase made = random_path_case(seed, directed, weighted);
      const auto tested = engine(made.graph(), 1 + seed % 3);
      const Expected expected(made);
      expect_each(*tested, expected, all_of(made.order), seed);
      expect_all(*tested, expected, all_of(made.order), seed);
      expect_each(*tested, expected, all_of(made.order), ~seed);  // perhaps folded by now
      if (HasFatalFailure()) return;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, PathContract, ::testing::ValuesIn(usable_names()),
                         [](const auto& tested) { return tested.param; });

TEST_P(PathContract, runs_under_the_name_it_was_asked_for) {
  const PathCase made = random_path_case(1, false, true);
  EXPECT_EQ(engine(made.graph())->info().name, GetParam());
}

TEST_P(PathContract, requests_on_random_graphs_with_lengths) {
  expect_random_cases(false, true, 2 * kCases);
}
TEST_P(PathContract, requests_on_random_digraphs_with_lengths) {
  expect_random_cases(true, true, 2 * kCases);
}
TEST_P(PathContract, requests_on_random_graphs_without_lengths) {
  expect_random_cases(false, false, kCases / 5);
}
TEST_P(PathContract, requests_on_random_digraphs_without_lengths) {
  expect_random_cases(true, false, kCases / 5);
}

TEST(PathContractReference, agrees_with_all_pairs) {
  for (std::uint64_t seed = 0; seed < kCases; ++seed) {
    const PathCase made = random_path_case(seed, seed % 2 == 0, true);
    const Expected expected(made);
    const auto reference = made.reference();
    for (Vertex v = 0; v < made.order; ++v) {
      ASSERT_EQ(expected.distances({{.vertex = v}}, Along::arcs), reference.distance[v]);
      const auto back = expected.distances({{.vertex = v}}, Along::reversed_arcs);
      for (Vertex u = 0; u < made.order; ++u) ASSERT_EQ(back[u], reference.distance[u][v]);
    }
  }
}

TEST_P(PathContract, requests_on_tiny_graphs) {
  for (const bool directed : {false, true})
    for (unsigned order = 0; order <= 3; ++order)
      for (const std::uint64_t length : {0, 1, 7}) {
        PathCase made{.order = order, .directed = directed, .weighted = true, .arcs = {}};
        expect_all(*engine(made.graph()), Expected(made), all_of(order), 1);
        for (unsigned v = 1; v < order; ++v)
          made.arcs.push_back({.from = v - 1, .to = v, .length = length});
        expect_all(*engine(made.graph()), Expected(made), all_of(order), 1);
      }
}

TEST_P(PathContract, requests_on_larger_graphs_with_all_kinds_of_lengths) {
  for (const Shape& shape : kShapes)
    for (const LengthKind lengths : kLengths)
      for (const bool directed : {false, true}) {
        SCOPED_TRACE(::testing::Message() << shape.name << ", lengths " << static_cast<int>(lengths)
                                          << (directed ? ", directed" : ""));
        PathCase made = shape.make(lengths);
        made.directed = directed;
        expect_all(*engine(made.graph()), Expected(made), some_of(made.order, 70, 5), 7);
        if (HasFatalFailure()) return;
      }
}

TEST_P(PathContract, summaries_of_all_vertices) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.name);
    const PathCase made = shape.make(LengthKind::small);
    const Expected expected(made);
    const auto summaries = engine(made.graph())->summarize(all_of(made.order), Along::arcs);
    for (Vertex v = 0; v < made.order; ++v)
      ASSERT_EQ(summaries[v], summary_of(expected.distances({{.vertex = v}}, Along::arcs)));
  }
}

TEST_P(PathContract, answers_are_the_same_with_any_number_of_threads) {
  const PathCase made = roads(LengthKind::small);
  const Graph graph = made.graph();
  const auto sources = all_of(made.order);
  const auto once = engine(graph, 1)->summarize(sources, Along::arcs);
  for (const unsigned threads : {2u, 3u})
    EXPECT_EQ(engine(graph, threads)->summarize(sources, Along::arcs), once);
}

TEST_P(PathContract, another_graph_on_the_same_machine) {
  const PathCase first = grid(LengthKind::small), second = roads(LengthKind::beyond_32_bits);
  const auto one = engine(first.graph());
  const auto other = one->on(second.graph());
  expect_all(*other, Expected(second), some_of(second.order, 20, 3), 3);
  expect_all(*one, Expected(first), some_of(first.order, 20, 3), 3);
  EXPECT_EQ(other->info().name, one->info().name);
}

TEST_P(PathContract, an_interrupted_engine_stays_usable) {
  const PathCase made = roads(LengthKind::small);
  const Expected expected(made);
  const auto sources = some_of(made.order, 100, 9);
  const auto tested = engine(made.graph());
  std::vector<Length> distances(made.order);
  for (const int allowed : {0, 1, 2, 5}) {
    std::atomic<int> asked{0};
    tested->interrupt_when([&] { return asked.fetch_add(1) >= allowed; });
    if (allowed == 0) {
      EXPECT_THROW(tested->search(3, Along::arcs, distances), Interrupted);
    }
    EXPECT_THROW(
        {
          for (int i = 0; i < 10; ++i) tested->summarize(sources, Along::arcs);
        },
        Interrupted);
    EXPECT_THROW(
        {
          for (int i = 0; i < 10; ++i)
            tested->rows(sources, Along::arcs, [](Vertex, std::span<const Length>) {});
        },
        Interrupted);
    tested->interrupt_when(nullptr);
    expect_all(*tested, expected, sources, 11);
    if (HasFatalFailure()) return;
  }
}

TEST_P(PathContract, a_failing_sink_ends_the_rows) {
  const PathCase made = roads(LengthKind::small);
  const auto tested = engine(made.graph());
  const auto sources = all_of(50);
  EXPECT_THROW(tested->rows(sources, Along::arcs,
                            [](Vertex, std::span<const Length>) { throw UsageError("enough"); }),
               UsageError);
  expect_all(*tested, Expected(made), sources, 13);
}

}  // namespace antipode::testing
