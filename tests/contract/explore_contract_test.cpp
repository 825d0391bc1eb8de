// What every engine promises of requests in which one search follows another.
#include <random>

#include "contract/contract.hpp"

namespace antipode::testing {

namespace {

void expect_same(const Explored& there, const Explored& here) {
  EXPECT_EQ(there.search.source, here.search.source);
  EXPECT_EQ(there.search.eccentricity, here.search.eccentricity);
  EXPECT_EQ(there.search.farthest, here.search.farthest);
  EXPECT_EQ(there.search.level_sizes, here.search.level_sizes);
  EXPECT_EQ(there.absorbed.reach, here.absorbed.reach);
  EXPECT_EQ(there.absorbed.center, here.absorbed.center);
  EXPECT_EQ(there.absorbed.outside, here.absorbed.outside);
}

void expect_same(Bounds& there, Bounds& here, Vertex order) {
  for (const Among among : {Among::candidates, Among::outside}) {
    EXPECT_EQ(there.count(among), here.count(among));
    EXPECT_EQ(there.max_upper(among), here.max_upper(among));
  }
  std::vector<Distance> lower(order), upper(order), expected_lower(order), expected_upper(order);
  there.copy(lower, upper);
  here.copy(expected_lower, expected_upper);
  EXPECT_EQ(lower, expected_lower);
  EXPECT_EQ(upper, expected_upper);
}

}  // namespace

TEST_P(EngineContract, a_sweep_is_two_explorations) {
  RandomConnectedGraphs graphs(41);
  std::mt19937 random(41);
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    const Graph graph = graphs.next();
    const auto large = engine(graph), small = engine(graph);
    const bool may_move = round % 3 != 0;
    const SweepPlan plan{may_move, round % 2 == 0 ? kNoVertex : static_cast<Vertex>(round % 5),
                         static_cast<Vertex>(round % 4)};
    for (int again = 0; again < 2; ++again) {  // what is left of the first must not matter
      const Vertex source = random() % graph.order();
      large->bounds().reset();
      small->bounds().reset();
      const auto there = large->sweep(source, plan);
      std::vector<Explored> here = small->Engine::sweep(source, plan);
      ASSERT_EQ(here.size(), 1u);
      if (there.size() > 1) {
        const Row centers[] = {here[0].row, kLatestRow};
        here.push_back(small->explore(here[0].search.farthest, here[0].search.eccentricity,
                                      std::span(centers).first(may_move ? 2 : 1)));
      }
      ASSERT_EQ(there.size(), here.size());
      ASSERT_TRUE(there.size() < 2 || there[0].absorbed.outside > 0);
      for (std::size_t i = 0; i < there.size(); ++i) {
        expect_same(there[i], here[i]);
        EXPECT_EQ(large->path(there[i].row, there[i].search.farthest).size(),
                  there[i].search.eccentricity + 1);
        EXPECT_EQ(large->bounds().reach(there[i].row, Among::candidates),
                  small->bounds().reach(here[i].row, Among::candidates));
      }
      expect_same(large->bounds(), small->bounds(), graph.order());
      for (const Explored& explored : there) large->release(explored.row);
      for (const Explored& explored : here) small->release(explored.row);
    }
  }
}

TEST_P(EngineContract, what_a_sweep_expects_next_is_the_same_as_without) {
  RandomConnectedGraphs graphs(47);
  std::mt19937 random(47);
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    const Graph graph = round == 0   ? generated("ba?n=6000&degree=3")
                        : round == 1 ? generated("ba?n=6000&degree=1")
                                     : graphs.next();  // some levels are wide
    const auto large = engine(graph), small = engine(graph);
    const SweepPlan plan{true, static_cast<Vertex>(round % 3), static_cast<Vertex>(round % 4)};
    for (int again = 0; again < 2; ++again) {
      const Vertex source = random() % graph.order();
      large->bounds().reset();
      small->bounds().reset();
      const auto there = large->sweep(source, plan), here = small->sweep(source, {});
      ASSERT_EQ(there.size(), here.size());
      const Explored &last = there.back(), &same = here.back();
      std::vector<Vertex> known;
      std::vector<Row> centers, same_centers;
      for (std::size_t i = 0; i < there.size(); ++i) {
        known.push_back(there[i].search.source);
        centers.push_back(there[i].row);
        same_centers.push_back(here[i].row);
      }
      centers.push_back(kLatestRow);
      same_centers.push_back(kLatestRow);
      if (again == 1 && round % 5 == 0) {  // something else comes first
        const Vertex other = random() % graph.order();
        EXPECT_EQ(large->search(other).level_sizes, small->search(other).level_sizes);
      }
      const Middle next = large->explore_middle(last.row, last.search.farthest,
                                                last.search.eccentricity, centers, known);
      const Middle expected = small->explore_middle(same.row, same.search.farthest,
                                                    same.search.eccentricity, same_centers, known);
      EXPECT_EQ(next.path, expected.path);
      ASSERT_EQ(next.explored.has_value(), expected.explored.has_value());
      if (next.explored) {
        expect_same(*next.explored, *expected.explored);
        EXPECT_EQ(large->path(next.explored->row, next.explored->search.farthest).size(),
                  next.explored->search.eccentricity + 1);
        large->release(next.explored->row);
        small->release(expected.explored->row);
      }
      expect_same(large->bounds(), small->bounds(), graph.order());
      for (const Explored& explored : there) large->release(explored.row);
      for (const Explored& explored : here) small->release(explored.row);
    }
  }
}

TEST_P(EngineContract, the_middle_of_a_path_is_explored_unless_it_is_known) {
  RandomConnectedGraphs graphs(43);
  std::mt19937 random(43);
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    const Graph graph = graphs.next();
    const auto reference = reference_of(graph);
    const auto large = engine(graph), small = engine(graph);
    large->bounds().reset();
    small->bounds().reset();
    const Vertex source = random() % graph.order();
    const Explored first = large->sweep(source, {}).front(),
                   same = small->sweep(source, {}).front();
    const Row centers[] = {first.row, kLatestRow}, same_centers[] = {same.row, kLatestRow};
    const Distance lower = first.search.eccentricity;
    const Middle there =
        large->explore_middle(first.row, first.search.farthest, lower, centers, {});
    ASSERT_EQ(there.path.size(), lower + 1u);
    EXPECT_EQ(there.path.front(), source);
    EXPECT_EQ(there.path.back(), first.search.farthest);
    for (std::size_t i = 0; i < there.path.size(); ++i)
      EXPECT_EQ(reference.distances(source)[there.path[i]], i);
    for (std::size_t i = 1; i < there.path.size(); ++i)
      EXPECT_EQ(reference.distances(there.path[i - 1])[there.path[i]], 1u);
    ASSERT_TRUE(there.explored);
    const Vertex middle = there.path[there.path.size() / 2];
    expect_same(*there.explored, small->explore(middle, lower, same_centers));
    expect_same(large->bounds(), small->bounds(), graph.order());
    const Vertex known[] = {first.search.farthest, middle};
    const Middle again =
        large->explore_middle(first.row, first.search.farthest, lower, centers, known);
    EXPECT_EQ(again.path, there.path);
    EXPECT_FALSE(again.explored);
    expect_same(large->bounds(), small->bounds(), graph.order());
    EXPECT_EQ(large->search(middle).level_sizes,
              small->search(middle).level_sizes);  // nothing of what was skipped is left
  }
}

TEST_P(EngineContract, a_choice_knows_what_a_batch_has_shown) {
  RandomConnectedGraphs graphs(53);
  std::mt19937 random(53);
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    const Graph graph = graphs.next();
    const auto tested = engine(graph), reference = make_engine("cpu", graph);
    const Vertex source = random() % graph.order();
    std::vector<Vertex> sources;
    for (int i = 0; i < 3; ++i) sources.push_back(random() % graph.order());
    Vertex chosen[2];
    for (Engine* const each : {tested.get(), reference.get()}) {
      each->bounds().reset();
      const Row latest[] = {kLatestRow};
      const Explored explored = each->explore(source, 0, latest);
      each->bounds().drop(explored.search.eccentricity);  // nobody counts who is left
      each->bounds().reach(sources);
      chosen[each == reference.get()] = each->bounds().select(Select::outside_upper, kLatestRow);
      each->release(explored.row);
    }
    EXPECT_EQ(chosen[0], chosen[1]) << "graph " << round;
  }
}

TEST_P(EngineContract, the_middle_of_a_path_is_explored_where_its_row_is_not_kept) {
  RandomConnectedGraphs graphs(59);
  std::mt19937 random(59);
  for (int round = 0; round < 100 && !HasFailure(); ++round) {
    const Graph graph = graphs.next();
    const auto large = engine(graph), small = engine(graph);
    const Vertex source = random() % graph.order();
    const Row latest[] = {kLatestRow};
    const Search found = large->search(source), same = small->search(source);
    ASSERT_EQ(found.farthest, same.farthest);
    large->bounds().reset();
    small->bounds().reset();
    const Middle there =
        large->explore_middle(kLatestRow, found.farthest, found.eccentricity, latest, {});
    const Middle here =
        small->Engine::explore_middle(kLatestRow, same.farthest, same.eccentricity, latest, {});
    EXPECT_EQ(there.path, here.path);
    ASSERT_TRUE(there.explored && here.explored);
    expect_same(*there.explored, *here.explored);
    expect_same(large->bounds(), small->bounds(), graph.order());
  }
}

}  // namespace antipode::testing
