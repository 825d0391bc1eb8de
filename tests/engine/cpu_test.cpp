// Building blocks of the CPU engine that no contract reaches by itself.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "engine/cpu/part_evaluator.hpp"
#include "golf/wild_part.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

// From all vertices of the part, by a search from each.
golf::PartScore expected_score(const golf::Part& part) {
  const auto graph = reference_of(to_graph(part).materialized());
  golf::PartScore score;
  std::vector<std::uint64_t> pairs(part.order, 0);
  for (Vertex source = 0; source < part.size; ++source)
    for (const Distance d : graph.distances(source)) {
      if (d == kUnreached) {
        ++score.unreached;
        continue;
      }
      ++pairs[d];
      score.sum += d;
      score.diameter = std::max(score.diameter, d);
    }
  score.last = score.diameter > 0 ? pairs[score.diameter] : 0;
  return score;
}

TEST(PartEvaluator, scores_are_those_of_searches_from_every_vertex_of_the_part) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  std::mt19937 random(81);
  for (int round = 0; round < 400; ++round) {
    std::vector<Vertex> group{static_cast<Vertex>(1 + random() % 150)};
    while (random() % 3 == 0 && group.size() < 3) group.push_back(1 + random() % 5);
    const Vertex size = 1 + random() % 5;
    golf::Part part = wild_part(size, group, random() % (3 * size + 1), random);
    const auto evaluator = cpu::part_evaluator(part);
    for (int change = 0; change < 3; ++change) {  // one evaluator serves many parts
      const golf::PartScore expected = expected_score(part);
      const auto score = evaluator->score(part, 0, kNoLimit);
      ASSERT_TRUE(score.has_value());
      ASSERT_EQ(*score, expected) << to_text(part);
      part = wild_part(size, group, random() % (3 * size + 1), random);
    }
  }
}

TEST(PartEvaluator, gives_nothing_only_if_the_energy_exceeds_the_limit) {
  std::mt19937 random(82);
  for (int round = 0; round < 400; ++round) {
    const Vertex size = 1 + random() % 4;
    const golf::Part part = wild_part(size, {static_cast<Vertex>(2 + random() % 100)},
                                      1 + random() % (3 * size), random);
    const Distance aim = random() % 6;
    const golf::PartScore expected = expected_score(part);
    const auto exact = static_cast<double>(energy(part, expected, aim));
    const auto evaluator = cpu::part_evaluator(part);
    const auto at_limit = evaluator->score(part, aim, exact);
    ASSERT_TRUE(at_limit.has_value()) << to_text(part);
    ASSERT_EQ(*at_limit, expected);
    ASSERT_FALSE(evaluator->score(part, aim, exact - 1).has_value()) << to_text(part);
  }
}

}  // namespace
}  // namespace antipode::testing
