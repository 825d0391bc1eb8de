// One call, one answer: against the reference, on graphs of no, one, two and many vertices, in one
// piece or several.
#include "antipode/antipode.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>

#include "support/factories.hpp"

namespace antipode::testing {
namespace {

const AskOptions kError{.engine_options = {1}},
    kLargest{.disconnected = Disconnected::largest, .engine_options = {1}},
    kEach{.disconnected = Disconnected::per_component, .engine_options = {1}},
    kInfinite{.disconnected = Disconnected::infinite, .engine_options = {1}},
    kReachable{.disconnected = Disconnected::reachable, .engine_options = {1}};

void expect_path(const reference::Graph& graph, const ComponentDistance& answer, Distance length) {
  ASSERT_EQ(answer.path.size(), std::size_t{length} + 1);
  std::vector<unsigned> path;
  for (const std::string& label : answer.path)
    path.push_back(static_cast<unsigned>(std::stoul(label)));
  for (std::size_t i = 1; i < path.size(); ++i) ASSERT_TRUE(graph.adjacent(path[i - 1], path[i]));
  ASSERT_EQ(graph.distances(path.front())[path.back()], length);
}

// Diameter and radius of each component, by its smallest vertex; the component that 'largest'
// means.
struct Slow {
  reference::Graph graph;
  std::vector<unsigned> part, eccentricity;
  std::map<unsigned, unsigned> order, diameter, radius;
  unsigned largest = 0;

  explicit Slow(const Graph& of)
      : graph(reference_of(of)), part(graph.components()), eccentricity(graph.eccentricities()) {
    for (unsigned v = 0; v < graph.order(); ++v) {
      const unsigned p = part[v];
      const bool is_first = order[p]++ == 0;
      diameter[p] = std::max(diameter[p], eccentricity[v]);
      radius[p] = is_first ? eccentricity[v] : std::min(radius[p], eccentricity[v]);
    }
    for (const auto& [p, count] : order)
      if (order.find(largest) == order.end() || count > order[largest]) largest = p;
  }
};

TEST(Ask, answers_the_same_with_an_engine_that_is_kept) {
  RandomGraphs graphs(72);
  int kept_count = 0;
  for (int round = 0; round < 300; ++round) {
    const Graph graph = graphs.next();
    const Components parts = components(graph);
    if (parts.count() != 1) continue;
    ++kept_count;
    const auto engine = make_engine("cpu", graph, {1});
    const auto paths = make_path_engine("cpu", graph, {1});
    AskOptions options = kError;
    options.kept = {.engine = engine.get(), .paths = paths.get(), .components = &parts};
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(diameter(graph, options).lower, diameter(graph, kError).lower);
      EXPECT_EQ(radius(graph, options).path.size(), radius(graph, kError).path.size());
      EXPECT_EQ(eccentricities(graph, options).upper, eccentricities(graph, kError).upper);
      EXPECT_EQ(center(graph, options).vertices, center(graph, kError).vertices);
      EXPECT_EQ(periphery(graph, options).vertices, periphery(graph, kError).vertices);
    }
  }
  EXPECT_GT(kept_count, 50);
}

TEST(Ask, agrees_with_the_reference_on_random_graphs_in_any_number_of_pieces) {
  RandomGraphs graphs(71);
  int split = 0;
  for (int round = 0; round < 600; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const Slow slow(graph);
    const DistanceAnswer far = diameter(graph, kLargest), near = radius(graph, kLargest),
                         each = diameter(graph, kEach);
    ASSERT_TRUE(far.exact() && near.exact() && each.exact());
    ASSERT_EQ(far.lower, slow.diameter.at(slow.largest)) << round;
    ASSERT_EQ(near.lower, slow.radius.at(slow.largest)) << round;
    ASSERT_NO_FATAL_FAILURE(expect_path(slow.graph, far, far.lower));
    ASSERT_NO_FATAL_FAILURE(expect_path(slow.graph, near, near.lower));
    ASSERT_EQ(slow.part[static_cast<unsigned>(std::stoul(far.path.front()))], slow.largest)
        << round;
    ASSERT_EQ(far.about.order, slow.order.at(slow.largest));
    ASSERT_EQ(far.about.components, slow.order.size());
    ASSERT_EQ(each.lower, slow.graph.diameter()) << round;
    const auto all = eccentricities(graph, kEach), some = eccentricities(graph, kLargest);
    ASSERT_TRUE(all.exact && some.exact);
    for (Vertex v = 0; v < graph.order(); ++v) {
      ASSERT_EQ(all.lower[v], slow.eccentricity[v]) << round;
      ASSERT_EQ(some.upper[v], slow.part[v] == slow.largest ? slow.eccentricity[v] : kNoPath)
          << round;
    }
    if (slow.order.size() == 1) {
      ASSERT_EQ(diameter(graph, kError).lower, far.lower);
      ASSERT_FALSE(diameter(graph, kInfinite).infinite);
      continue;
    }
    ++split;
    ASSERT_EQ(each.per_component.size(), slow.order.size());
    const DistanceAnswer none = diameter(graph, kInfinite);
    ASSERT_TRUE(none.infinite);
    ASSERT_EQ(none.lower, kNoPath);
    ASSERT_EQ(none.upper, kNoPath);
    ASSERT_EQ(none.path.size(), 2u);
    ASSERT_NE(slow.part[static_cast<unsigned>(std::stoul(none.path[0]))],
              slow.part[static_cast<unsigned>(std::stoul(none.path[1]))]);
    ASSERT_EQ(eccentricities(graph, kInfinite).lower, std::vector<Length>(graph.order(), kNoPath));
  }
  EXPECT_GT(split, 50);
}

TEST(Ask, center_and_periphery_are_those_of_the_reference) {
  RandomGraphs graphs(73);
  int split = 0, derived = 0;
  for (int round = 0; round < 400; ++round) {
    const Graph whole = graphs.next();
    if (whole.order() == 0) continue;
    const Graph graph = round % 4 == 0 ? reorder(whole, VertexOrder::degree) : whole;
    const Slow slow(whole);
    std::vector<Vertex> inner, outer;
    for (Vertex v = 0; v < graph.order(); ++v) {
      const unsigned at = round % 4 == 0 ? graph.origin(v) : v;
      if (slow.part[at] != slow.largest) continue;
      if (slow.eccentricity[at] == slow.radius.at(slow.largest)) inner.push_back(v);
      if (slow.eccentricity[at] == slow.diameter.at(slow.largest)) outer.push_back(v);
    }
    const VertexSetAnswer near = center(graph, kLargest), far = periphery(graph, kLargest);
    ASSERT_TRUE(near.exact && far.exact);
    ASSERT_EQ(near.vertices, inner) << round;
    ASSERT_EQ(far.vertices, outer) << round;
    ASSERT_EQ(near.lower, slow.radius.at(slow.largest));
    ASSERT_EQ(near.upper, near.lower);
    ASSERT_EQ(far.lower, slow.diameter.at(slow.largest));
    ASSERT_EQ(near.labels.size(), inner.size());
    for (std::size_t i = 0; i < inner.size(); ++i) ASSERT_EQ(near.labels[i], graph.label(inner[i]));
    ASSERT_EQ(near.about.order, slow.order.at(slow.largest));
    split += near.about.components > 1 ? 1 : 0;
    derived += graph.is_derived() ? 1 : 0;
  }
  EXPECT_GT(split, 50);
  EXPECT_GT(derived, 50);
  struct Stopped final : Observer {
    bool stop() override { return true; }
  } observer;
  const VertexSetAnswer stopped =
      center(generated("ws?n=3000&p=0.05"), {.engine_options = {1}, .observer = &observer});
  EXPECT_FALSE(stopped.exact);
  EXPECT_TRUE(stopped.vertices.empty() && stopped.labels.empty());
  EXPECT_LE(stopped.lower, stopped.upper);
  EXPECT_EQ(center(graph_of(1, {})).labels, std::vector<std::string>{"0"});
  EXPECT_EQ(periphery(graph_of(3, {{0, 1}, {1, 2}})).labels, (std::vector<std::string>{"0", "2"}));
  using Ask = VertexSetAnswer (*)(const Graph&, const AskOptions&);
  for (const Ask ask : {Ask{center}, Ask{periphery}}) {
    EXPECT_THROW(ask(graph_of(2, {}), {}), UsageError);
    EXPECT_THROW(ask(graph_of(0, {}), kLargest), UsageError);
    EXPECT_THROW(ask(graph_of(2, {}), kEach), UsageError);
    EXPECT_THROW(ask(graph_of(2, {}), kInfinite), UsageError);
    EXPECT_THROW(ask(graph_of(2, {{0, 1}}, Direction::forward), {}), UsageError);
  }
}

TEST(Ask, pairs_are_those_with_a_path) {
  RandomGraphs graphs(72, RandomGraphs::Kinds::both);
  for (int round = 0; round < 300; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const auto reference = reference_of(graph);
    std::uint64_t pairs = 0, sum = 0;
    std::vector<double> near;
    for (unsigned v = 0; v < reference.order(); ++v) {
      double mine = 0, reached = 0;
      for (const unsigned d : reference.distances(v))
        if (d != reference::kFar && d > 0) mine += d, ++reached;
      pairs += static_cast<std::uint64_t>(reached), sum += static_cast<std::uint64_t>(mine);
      near.push_back(mine == 0 ? 0 : reached / mine * reached / (reference.order() - 1));
    }
    const AverageAnswer mean = average(graph, kReachable);
    ASSERT_EQ(mean.reachable, pairs);
    ASSERT_EQ(mean.sum, sum);
    ASSERT_EQ(mean.about.order, graph.order());
    const CentralityAnswer found = closeness(graph, kReachable);
    ASSERT_TRUE(found.exact);
    for (Vertex v = 0; v < graph.order(); ++v) ASSERT_NEAR(found.values[v], near[v], 1e-12);
    reference::Graph::Dependencies sums{std::vector<long double>(graph.order(), 0), {}};
    const std::vector<double> ones(graph.order(), 1);
    for (unsigned v = 0; v < reference.order(); ++v) reference.add_dependencies(v, ones, sums);
    const CentralityAnswer between = betweenness(graph, kReachable);
    ASSERT_TRUE(between.exact);
    for (Vertex v = 0; v < graph.order(); ++v)
      ASSERT_NEAR(between.values[v],
                  static_cast<double>(sums.vertices[v]) / (graph.is_directed() ? 1 : 2),
                  1e-9 * (1 + between.values[v]));
  }
}

TEST(Ask, centrality_in_the_largest_component_is_that_of_the_component_alone) {
  for (const Direction direction : {Direction::none, Direction::forward}) {
    const Graph whole = graph_of(7, {{0, 5}, {1, 2}, {2, 3}, {3, 4}, {4, 6}}, direction),
                part = graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}, direction);
    const std::vector<Vertex> members{1, 2, 3, 4, 6};
    const auto near = closeness(whole, kLargest), between = betweenness(whole, kLargest);
    const auto near_alone = closeness(part, kReachable),
               between_alone = betweenness(part, kReachable);
    EXPECT_EQ(near.about.order, 5u);
    ASSERT_EQ(near.values.size(), 7u);
    ASSERT_EQ(between.values.size(), 7u);
    for (std::size_t i = 0; i < members.size(); ++i) {
      EXPECT_EQ(near.values[members[i]], near_alone.values[i]);
      EXPECT_EQ(between.values[members[i]], between_alone.values[i]);
    }
    EXPECT_TRUE(std::isnan(near.values[0]) && std::isnan(between.values[5]));
  }
}

TEST(Ask, refuses_what_has_no_meaning) {
  const Graph two = graph_of(2, {}), none = graph_of(0, {}), one = graph_of(1, {});
  EXPECT_THROW(diameter(two), UsageError);
  EXPECT_THROW(radius(two), UsageError);
  EXPECT_THROW(eccentricities(two), UsageError);
  EXPECT_THROW(average(two), UsageError);
  EXPECT_THROW(closeness(two), UsageError);
  EXPECT_THROW(betweenness(two), UsageError);
  EXPECT_THROW(diameter(none, kLargest), UsageError);
  EXPECT_THROW(average(none, kLargest), UsageError);
  EXPECT_THROW(diameter(two, kReachable), UsageError);
  EXPECT_THROW(average(two, kEach), UsageError);
  EXPECT_THROW(betweenness(two, kInfinite), UsageError);
  EXPECT_THROW(diameter(graph_of(2, {{0, 1}}, Direction::forward)), UsageError);
  // Weakly connected is not enough where edges have a direction.
  const Graph in = graph_of(3, {{0, 1}, {2, 1}}, Direction::forward),
              round = graph_of(3, {{0, 1}, {1, 2}, {2, 0}}, Direction::forward);
  EXPECT_THROW(average(in), UsageError);
  EXPECT_THROW(closeness(in), UsageError);
  EXPECT_THROW(betweenness(in), UsageError);
  EXPECT_EQ(average(in, kReachable).reachable, 2u);
  EXPECT_EQ(average(round).sum, 9u);
  EXPECT_TRUE(closeness(round).exact && betweenness(round).exact);
  AskOptions sample;
  sample.samples = 1;
  EXPECT_THROW(diameter(one, sample), UsageError);
  EXPECT_EQ(diameter(one).path, std::vector<std::string>{"0"});
  EXPECT_EQ(eccentricities(one).lower, std::vector<Length>{0});
  EXPECT_EQ(closeness(one).values, std::vector<double>{0});
}

// Whatever the parent has asked before: threads and engines do not outlive a fork.
TEST(Ask, a_forked_child_answers_as_its_parent_did) {
  const Graph graph = generated("ws?n=3000&p=0.05");
  const AskOptions options{.engine = "cpu", .engine_options = {4}};
  const auto answers = [&] {
    std::vector<double> all = betweenness(graph, options).values;
    const auto add = [&](const std::vector<double>& more) {
      all.insert(all.end(), more.begin(), more.end());
    };
    add(closeness(graph, options).values);
    for (const Length e : eccentricities(graph, options).lower) all.push_back(e);
    all.push_back(diameter(graph, options).lower);
    all.push_back(radius(graph, options).upper);
    all.push_back(average(graph, options).mean());
    return all;
  };
  set_threads(4);
  const std::vector<double> expected = answers();
  const auto engine = make_engine("cpu", graph, {4});
  const Summary known = engine->summarize(std::vector<Vertex>{7}).front();
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);  // a child that hangs is ended
      const bool same = engine->summarize(std::vector<Vertex>{7}).front() == known &&
                        engine->search(7).eccentricity == known.eccentricity &&
                        generated("ws?n=3000&p=0.05").size() == graph.size() &&
                        answers() == expected;
      _exit(same ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(answers(), expected);
  set_threads(0);
}

TEST(Ask, stops_when_time_is_up_or_the_observer_says_so) {
  struct Impatient final : Observer {
    void progress(const Progress&) override { ++told; }
    bool stop() override { return told > 0; }
    int told = 0;
  } observer;
  const Graph graph = generated("ws?n=3000&p=0.05");
  AskOptions options{.engine_options = {1}, .observer = &observer};
  const CentralityAnswer some = betweenness(graph, options);
  EXPECT_FALSE(some.exact);
  EXPECT_EQ(some.values.size(), graph.order());
  EXPECT_TRUE(some.epsilon.has_value());
  EXPECT_EQ(observer.told, 1);
  options.observer = nullptr;
  options.time_limit = 1e-9;
  EXPECT_FALSE(closeness(graph, options).exact);
  EXPECT_FALSE(diameter(graph, options).exact());
  EXPECT_FALSE(average(graph, options).exact());
}

// Of components that are not searched any more only the number of vertices is known.
TEST(Ask, stops_between_components) {
  struct Stopped final : Observer {
    bool stop() override { return true; }
  } observer;
  reference::Pairs pairs;
  for (unsigned v = 0; v < 12; v += 3) pairs.insert(pairs.end(), {{v, v + 1}, {v + 1, v + 2}});
  pairs.emplace_back(11, 12);
  const Graph graph = graph_of(14, pairs);  // three paths of three, one of four, one alone
  const DistanceAnswer found =
      diameter(graph, {.disconnected = Disconnected::per_component, .observer = &observer});
  ASSERT_EQ(found.per_component.size(), 5u);
  for (const std::size_t i : {1, 2, 3}) {
    EXPECT_EQ(found.per_component[i].searches, 0u);
    EXPECT_EQ(found.per_component[i].upper, 2u);
    EXPECT_FALSE(found.per_component[i].exact());
  }
  EXPECT_TRUE(found.per_component[4].exact());
  EXPECT_EQ(found.upper, 3u);
  const EccentricityAnswer all =
      eccentricities(graph, {.disconnected = Disconnected::per_component, .observer = &observer});
  EXPECT_FALSE(all.exact);
  EXPECT_EQ(all.upper[0], 2u);
  EXPECT_EQ(all.lower[0], 0u);
}

}  // namespace
}  // namespace antipode::testing
