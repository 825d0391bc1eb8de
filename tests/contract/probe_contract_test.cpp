// What every engine promises of chains of searches: the same as one search after the other.
#include <random>

#include "contract/contract.hpp"
#include "engine/host/probe.hpp"

namespace antipode::testing {

namespace {

using Kind = SearchFrom::Kind;

// The chain by the small requests alone, whatever the engine has of its own.
std::vector<Probe> step_by_step(Engine& engine, const SearchChain& chain) {
  return host::interpret(
      engine, chain, [&](Vertex source, Distance lower, std::span<const DistanceHandle> centers) {
        Probe result;
        result.search = engine.search(source);
        const Distance limit = std::max(lower, result.search.eccentricity);
        result.effect = engine.candidates().CandidateSets::apply_search(
            kLatest, source, result.search.eccentricity, limit, centers);
        result.distances = engine.retain();
        return result;
      });
}

SearchChain double_sweep(Vertex source) {
  return {.starts = {{.vertex = source}, {.kind = Kind::farthest_of_previous}}};
}

SearchChain single(Vertex source, Distance lower = 0,
                   std::vector<DistanceHandle> centers = {kLatest}) {
  return {.starts = {{.vertex = source}}, .lower = lower, .centers = std::move(centers)};
}

SearchChain midpoint(const Search& of, DistanceHandle distances,
                     std::vector<DistanceHandle> centers, std::vector<Vertex> known = {}) {
  return {.starts = {{.kind = Kind::midpoint, .vertex = of.farthest, .distances = distances}},
          .lower = of.eccentricity,
          .centers = std::move(centers),
          .known = std::move(known)};
}

void expect_same(const Probe& there, const Probe& here) {
  EXPECT_EQ(there.search.source, here.search.source);
  EXPECT_EQ(there.search.eccentricity, here.search.eccentricity);
  EXPECT_EQ(there.search.farthest, here.search.farthest);
  EXPECT_EQ(there.search.reached, here.search.reached);
  EXPECT_EQ(there.search.distance_sum, here.search.distance_sum);
  EXPECT_EQ(there.search.level_sizes, here.search.level_sizes);
  EXPECT_EQ(there.effect.farthest, here.effect.farthest);
  EXPECT_EQ(there.effect.center, here.effect.center);
  EXPECT_EQ(there.effect.outside, here.effect.outside);
  EXPECT_EQ(there.path, here.path);
}

void expect_same_state(Engine& there, Engine& here) {
  const Census census = there.candidates().census(), expected = here.candidates().census();
  EXPECT_EQ(census.candidates, expected.candidates);
  EXPECT_EQ(census.outside, expected.outside);
  EXPECT_EQ(census.max_upper, expected.max_upper);
  EXPECT_EQ(census.max_upper_outside, expected.max_upper_outside);
  const Vertex order = here.graph().order();
  std::vector<Distance> lower(order), upper(order), expected_lower(order), expected_upper(order);
  there.bounds().copy(lower, upper);
  here.bounds().copy(expected_lower, expected_upper);
  EXPECT_EQ(lower, expected_lower);
  EXPECT_EQ(upper, expected_upper);
}

void release(Engine& engine, const std::vector<Probe>& probes) {
  for (const Probe& each : probes)
    if (each.is_searched()) engine.release(each.distances);
}

std::size_t path_length(const Engine& engine, const Probe& probe) {
  return engine.path(probe.distances, probe.search.farthest).size();
}

}  // namespace

TEST_P(EngineContract, a_double_sweep_is_two_searches) {
  RandomConnectedGraphs graphs(41);
  std::mt19937 random(41);
  for (int round = 0; round < rounds(300) && !HasFailure(); ++round) {
    const Graph graph = graphs.next();
    const auto large = engine(graph), small = engine(graph);
    for (int again = 0; again < 2; ++again) {  // what is left of the first must not matter
      SearchChain chain = double_sweep(random() % graph.order());
      if (round % 3 == 0) chain.ball = SearchChain::Ball::stays;
      chain.look_ahead = {
          .worth_midpoint = round % 2 == 0 ? kNoVertex : static_cast<Vertex>(round % 5),
          .few_share = static_cast<Vertex>(round % 4)};
      large->candidates().reset();
      small->candidates().reset();
      const auto there = large->probe(chain), here = step_by_step(*small, chain);
      ASSERT_EQ(there.size(), here.size());
      ASSERT_TRUE(there.size() < 2 || there[0].effect.outside > 0);
      for (std::size_t i = 0; i < there.size(); ++i) {
        expect_same(there[i], here[i]);
        EXPECT_EQ(path_length(*large, there[i]), there[i].search.eccentricity + 1);
        EXPECT_EQ(large->candidates().farthest_in(Among::candidates, there[i].distances),
                  small->candidates().farthest_in(Among::candidates, here[i].distances));
      }
      expect_same_state(*large, *small);
      release(*large, there);
      release(*small, here);
    }
  }
}

TEST_P(EngineContract, look_ahead_does_not_change_what_follows) {
  RandomConnectedGraphs graphs(47);
  std::mt19937 random(47);
  for (int round = 0; round < rounds(300) && !HasFailure(); ++round) {
    const Graph graph = round == 0   ? generated("ba?n=6000&degree=3")
                        : round == 1 ? generated("ba?n=6000&degree=1")
                                     : graphs.next();  // some levels are wide
    const auto large = engine(graph), small = engine(graph);
    for (int again = 0; again < 2; ++again) {
      SearchChain chain = double_sweep(random() % graph.order());
      large->candidates().reset();
      small->candidates().reset();
      const auto here = step_by_step(*small, chain);
      chain.look_ahead = {.worth_midpoint = static_cast<Vertex>(round % 3),
                          .few_share = static_cast<Vertex>(round % 4)};
      const auto there = large->probe(chain);
      ASSERT_EQ(there.size(), here.size());
      std::vector<Vertex> known;
      std::vector<DistanceHandle> centers, same_centers;
      for (std::size_t i = 0; i < there.size(); ++i) {
        known.push_back(there[i].search.source);
        centers.push_back(there[i].distances);
        same_centers.push_back(here[i].distances);
      }
      centers.push_back(kLatest);
      same_centers.push_back(kLatest);
      if (again == 1 && round % 5 == 0) {  // something else comes first
        const Vertex other = random() % graph.order();
        EXPECT_EQ(large->search(other).level_sizes, small->search(other).level_sizes);
      }
      const auto next =
          large->probe(midpoint(there.back().search, there.back().distances, centers, known));
      const auto expected = step_by_step(
          *small, midpoint(here.back().search, here.back().distances, same_centers, known));
      ASSERT_EQ(next.size(), 1u);
      ASSERT_EQ(expected.size(), 1u);
      expect_same(next.front(), expected.front());
      if (next.front().is_searched()) {
        EXPECT_EQ(path_length(*large, next.front()), next.front().search.eccentricity + 1);
      }
      expect_same_state(*large, *small);
      for (const auto* const probes : {&there, &next}) release(*large, *probes);
      for (const auto* const probes : {&here, &expected}) release(*small, *probes);
    }
  }
}

TEST_P(EngineContract, the_midpoint_of_a_path_is_searched_unless_it_is_known) {
  RandomConnectedGraphs graphs(43);
  std::mt19937 random(43);
  for (int round = 0; round < rounds(300) && !HasFailure(); ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const auto large = engine(graph), small = engine(graph);
    large->candidates().reset();
    small->candidates().reset();
    const Vertex source = random() % graph.order();
    const Probe first = large->probe(double_sweep(source)).front(),
                same = small->probe(double_sweep(source)).front();
    const SearchChain chain = midpoint(first.search, first.distances, {first.distances, kLatest});
    const auto there = large->probe(chain);
    ASSERT_EQ(there.size(), 1u);
    const std::vector<Vertex>& path = there.front().path;
    ASSERT_EQ(path.size(), first.search.eccentricity + 1u);
    EXPECT_EQ(path.front(), source);
    EXPECT_EQ(path.back(), first.search.farthest);
    for (std::size_t i = 0; i < path.size(); ++i)
      EXPECT_EQ(reference.distances(source)[path[i]], i);
    for (std::size_t i = 1; i < path.size(); ++i)
      EXPECT_EQ(reference.distances(path[i - 1])[path[i]], 1u);
    ASSERT_TRUE(there.front().is_searched());
    const Vertex middle = path[path.size() / 2];
    auto expected =
        step_by_step(*small, single(middle, first.search.eccentricity, {same.distances, kLatest}));
    expected.front().path = path;
    expect_same(there.front(), expected.front());
    expect_same_state(*large, *small);
    SearchChain known = chain;
    known.known = {first.search.farthest, middle};
    const auto again = large->probe(known);
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again.front().path, path);
    EXPECT_FALSE(again.front().is_searched());
    expect_same_state(*large, *small);
    EXPECT_EQ(large->search(middle).level_sizes,
              small->search(middle).level_sizes);  // nothing of what was skipped is left
  }
}

TEST_P(EngineContract, a_choice_knows_what_a_batch_has_shown) {
  RandomConnectedGraphs graphs(53);
  std::mt19937 random(53);
  for (int round = 0; round < rounds(300) && !HasFailure(); ++round) {
    const Graph graph = graphs.next();
    const auto tested = engine(graph), reference = make_engine("cpu", graph);
    const Vertex source = random() % graph.order();
    std::vector<Vertex> sources;
    for (int i = 0; i < 3; ++i) sources.push_back(random() % graph.order());
    Vertex chosen[2];
    for (Engine* const each : {tested.get(), reference.get()}) {
      CandidateSets& sets = each->candidates();
      sets.reset();
      const auto first = each->probe(single(source));
      sets.drop(first.front().search.eccentricity);  // without a census
      sets.farthest_from(sources);
      chosen[each == reference.get()] = sets.select(Select::outside_upper, kLatest);
      release(*each, first);
    }
    EXPECT_EQ(chosen[0], chosen[1]) << "graph " << round;
  }
}

TEST_P(EngineContract, a_midpoint_is_searched_where_the_distances_are_not_retained) {
  RandomConnectedGraphs graphs(59);
  std::mt19937 random(59);
  for (int round = 0; round < 100 && !HasFailure(); ++round) {
    const Graph graph = graphs.next();
    const auto large = engine(graph), small = engine(graph);
    const Vertex source = random() % graph.order();
    const Search found = large->search(source), same = small->search(source);
    ASSERT_EQ(found.farthest, same.farthest);
    large->candidates().reset();
    small->candidates().reset();
    const auto there = large->probe(midpoint(found, kLatest, {kLatest})),
               here = step_by_step(*small, midpoint(same, kLatest, {kLatest}));
    ASSERT_EQ(there.size(), 1u);
    ASSERT_TRUE(there.front().is_searched() && here.front().is_searched());
    expect_same(there.front(), here.front());
    expect_same_state(*large, *small);
  }
}

}  // namespace antipode::testing
