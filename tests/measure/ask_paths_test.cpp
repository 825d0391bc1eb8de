// The functions that answer in one call, of graphs with lengths or directions, with every policy,
// against distances between all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "antipode/ask.hpp"
#include "antipode/error.hpp"
#include "support/path_graphs.hpp"

namespace antipode {
namespace {

constexpr std::uint64_t kCases = 150;  // of each kind

class AskPaths : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  template <class Check>
  void for_each_case(Check check) {
    const auto [directed, weighted] = GetParam();
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
      SCOPED_TRACE(seed);
      const PathCase made = random_path_case(seed, directed, weighted, 14);
      if (made.order > 0) check(made.graph(), made.reference());
      if (HasFatalFailure()) return;
    }
  }
};

using Set = std::vector<Vertex>;

// Vertices that reach each other, largest first; of equal ones that with the first vertex.
std::vector<Set> parts_of(const reference::Paths& paths) {
  std::vector<Set> parts;
  std::vector<bool> seen(paths.order, false);
  for (Vertex v = 0; v < paths.order; ++v) {
    if (seen[v]) continue;
    Set part;
    for (Vertex u = v; u < paths.order; ++u)
      if (paths.distance[u][v] != paths.kNone && paths.distance[v][u] != paths.kNone)
        part.push_back(u), seen[u] = true;
    parts.push_back(part);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Set& a, const Set& b) { return a.size() > b.size(); });
  return parts;
}

Set all_of(const reference::Paths& paths) {
  Set all;
  for (Vertex v = 0; v < paths.order; ++v) all.push_back(v);
  return all;
}

// Shortest paths between vertices of a strong component stay inside it.
struct Slow {
  const reference::Paths& paths;
  Set members;

  Length eccentricity(Vertex v) const {
    Length longest = 0;
    for (const Vertex u : members)
      if (paths.distance[v][u] != paths.kNone) longest = std::max(longest, paths.distance[v][u]);
    return longest;
  }
  bool reaches_all(Vertex v) const {
    return std::all_of(members.begin(), members.end(),
                       [&](Vertex u) { return paths.distance[v][u] != paths.kNone; });
  }
  Length diameter() const {
    Length longest = 0;
    for (const Vertex v : members) longest = std::max(longest, eccentricity(v));
    return longest;
  }
  Length radius() const {
    Length least = kNoPath;
    for (const Vertex v : members)
      if (reaches_all(v)) least = std::min(least, eccentricity(v));
    return least;
  }
  Set center() const {
    Set result;
    for (const Vertex v : members)
      if (reaches_all(v) && eccentricity(v) == radius()) result.push_back(v);
    return result;
  }
  Set periphery() const {
    Set result;
    for (const Vertex v : members)
      if (eccentricity(v) == diameter()) result.push_back(v);
    return result;
  }
};

AskOptions with(Disconnected policy) {
  AskOptions options;
  options.disconnected = policy;
  options.engine = "cpu";
  options.engine_options.threads = 1;
  return options;
}

void expect_answers(const Graph& graph, const Slow& slow, const AskOptions& options) {
  const DistanceAnswer far = diameter(graph, options), near = radius(graph, options);
  ASSERT_EQ(far.lower, slow.diameter());
  ASSERT_EQ(far.upper, slow.diameter());
  const Vertex from = graph.find(far.path.front()), to = graph.find(far.path.back());
  ASSERT_EQ(slow.paths.distance[from][to], slow.diameter());
  ASSERT_EQ(near.upper, slow.radius());
  ASSERT_EQ(near.lower, slow.radius());
  ASSERT_EQ(near.undefined, slow.radius() == kNoPath);
  ASSERT_EQ(center(graph, options).vertices, slow.center());
  ASSERT_EQ(periphery(graph, options).vertices, slow.periphery());
  const EccentricityAnswer all = eccentricities(graph, options);
  for (Vertex v = 0; v < graph.order(); ++v) {
    const bool asked = std::find(slow.members.begin(), slow.members.end(), v) != slow.members.end();
    ASSERT_EQ(all.lower[v], asked ? slow.eccentricity(v) : kNoPath);
    ASSERT_EQ(all.upper[v], all.lower[v]);
  }
}

TEST_P(AskPaths, of_the_largest_component) {
  for_each_case([&](const Graph& graph, const reference::Paths& paths) {
    expect_answers(graph, {paths, parts_of(paths).front()}, with(Disconnected::largest));
  });
}

TEST_P(AskPaths, of_all_where_pairs_without_a_path_do_not_count) {
  for_each_case([&](const Graph& graph, const reference::Paths& paths) {
    if (graph.is_directed())
      expect_answers(graph, {paths, all_of(paths)}, with(Disconnected::reachable));
    else
      EXPECT_THROW(diameter(graph, with(Disconnected::reachable)), UsageError);
  });
}

TEST_P(AskPaths, of_a_graph_where_not_every_vertex_reaches_every_other) {
  for_each_case([&](const Graph& graph, const reference::Paths& paths) {
    const auto parts = parts_of(paths);
    const AskOptions infinite = with(Disconnected::infinite), error = with(Disconnected::error);
    if (parts.size() == 1) {
      ASSERT_EQ(diameter(graph, error).lower, paths.diameter());
      ASSERT_FALSE(diameter(graph, infinite).infinite);
      return;
    }
    EXPECT_THROW(diameter(graph, error), UsageError);
    const DistanceAnswer none = diameter(graph, infinite);
    ASSERT_TRUE(none.infinite);
    ASSERT_EQ(none.lower, kNoPath);
    ASSERT_EQ(paths.distance[graph.find(none.path.front())][graph.find(none.path.back())],
              paths.kNone);
  });
}

TEST_P(AskPaths, of_each_component) {
  for_each_case([&](const Graph& graph, const reference::Paths& paths) {
    if (graph.is_directed()) {
      EXPECT_THROW(diameter(graph, with(Disconnected::per_component)), UsageError);
      return;
    }
    const auto parts = parts_of(paths);
    const DistanceAnswer far = diameter(graph, with(Disconnected::per_component));
    ASSERT_EQ(far.lower, paths.diameter());
    if (parts.size() == 1) return;
    ASSERT_EQ(far.per_component.size(), parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      ASSERT_EQ(far.per_component[i].about.order, parts[i].size());
    const EccentricityAnswer all = eccentricities(graph, with(Disconnected::per_component));
    for (Vertex v = 0; v < graph.order(); ++v) ASSERT_EQ(all.lower[v], paths.out_eccentricity(v));
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, AskPaths,
                         testing::Values(std::tuple(false, true), std::tuple(true, false),
                                         std::tuple(true, true)),
                         [](const auto& kind) {
                           return std::string(std::get<0>(kind.param) ? "directed" : "") +
                                  (std::get<1>(kind.param) ? "weighted" : "");
                         });

TEST(AskPathsStopped, bounds_where_it_was_stopped) {
  const Graph graph = generate("grid?rows=9&cols=9&lengths=1..9").graph;
  struct Stop final : Observer {
    bool stop() override { return true; }
  } stop;
  AskOptions options = with(Disconnected::error);
  options.observer = &stop;
  const DistanceAnswer answer = diameter(graph, options);
  EXPECT_FALSE(answer.exact());
  EXPECT_LE(answer.upper, 80u * 9);
  EXPECT_EQ(answer.about.unit, graph.unit());
}

}  // namespace
}  // namespace antipode
