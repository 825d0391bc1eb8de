// Annealing: scores, walks and searches on every engine that has them; bounds, files and planes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <tuple>

#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "antipode/measures.hpp"
#include "golf/wild_part.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

std::vector<std::string> part_engines() {
  std::vector<std::string> result;
  for (const EngineInfo& info : engines())
    if (info.usable && info.anneals) result.push_back(info.name);
  return result;
}

class GolfContract : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Engines, GolfContract, ::testing::ValuesIn(part_engines()),
                         [](const auto& tested) { return tested.param; });

// By all searches of the expanded graph.
golf::PartScore expected_score(const golf::Part& part) {
  const auto graph = reference_of(to_graph(part));
  golf::PartScore score;
  for (Vertex r = 0; r < part.size; ++r)
    for (const unsigned d : graph.distances(r)) {
      if (d == reference::kFar) {
        ++score.unreached;
        continue;
      }
      score.sum += d;
      if (d > score.diameter) score.diameter = d, score.last = 0;
      if (d == score.diameter && d > 0) ++score.last;
    }
  return score;
}

TEST_P(GolfContract, scores_are_those_of_the_expanded_graph) {
  std::mt19937 random(3);
  const auto engine = golf::make_part_engine(GetParam(), 2);
  for (int round = 0; round < 600; ++round) {
    const Vertex size = 1 + random() % 9;
    std::vector<Vertex> group{static_cast<Vertex>(1 + random() % (round % 3 == 0 ? 200 : 40))};
    if (round % 4 == 1) group.push_back(1 + random() % 9);
    if (round % 8 == 5) group.insert(group.begin(), 2 + random() % 3);
    const golf::Part part = wild_part(size, group, 1 + random() % (3 * size), random);
    if (part.edges.empty()) continue;
    ASSERT_EQ(engine->evaluate(part), expected_score(part)) << "part " << round << "\n"
                                                            << to_text(part);
  }
}

TEST_P(GolfContract, larger_parts_are_scored_by_every_way_an_engine_has) {
  const auto engine = golf::make_part_engine(GetParam(), 2);
  // A warp a chain, blocks of two sizes, the whole GPU; no symmetry; multiples of 32 and others.
  for (const auto& [order, degree, size] : std::vector<std::array<Vertex, 3>>{{400, 5, 2},
                                                                              {640, 4, 4},
                                                                              {1168, 6, 8},
                                                                              {512, 4, 16},
                                                                              {2048, 3, 64},
                                                                              {3000, 5, 60},
                                                                              {60, 4, 60},
                                                                              {300, 7, 300},
                                                                              {4096, 4, 64}}) {
    const golf::Part part = golf::random_part(order, degree, size, order);
    ASSERT_EQ(engine->evaluate(part), expected_score(part))
        << order << ", " << degree << ", " << size;
  }
}

struct Shape {
  Vertex order, degree, size;
  std::vector<Vertex> group = {};
};

std::vector<golf::Chain> random_chains(golf::PartEngine& engine, std::size_t count,
                                       const Shape& shape) {
  std::vector<golf::Chain> chains(count);
  for (std::size_t i = 0; i < count; ++i) {
    chains[i].seed = i + 7;
    chains[i].part = chains[i].best =
        golf::random_part(shape.order, shape.degree, shape.size, i, shape.group);
    chains[i].score = chains[i].best_score = engine.evaluate(chains[i].part);
  }
  return chains;
}

// A few steps of each, small enough for compute-sanitizer.
TEST_P(GolfContract, every_way_of_walking_takes_a_few_steps) {
  const auto engine = golf::make_part_engine(GetParam(), 2);
  for (const Shape& shape : {Shape{130, 5, 2}, Shape{520, 4, 8}, Shape{2080, 3, 32},
                             Shape{8512, 3, 64}, Shape{40000, 4, 20}, Shape{24, 3, 24},
                             Shape{1260, 4, 4, {35, 9}}, Shape{4800, 3, 40, {3, 5, 8}}}) {
    std::vector<golf::Chain> chains = random_chains(*engine, 2, shape);
    engine->anneal(chains, shape.degree, {static_cast<double>(shape.order), 1, 4, 3}, 4);
    for (const golf::Chain& chain : chains)
      ASSERT_EQ(chain.score, expected_score(chain.part)) << shape.order;
  }
}

// However many steps an engine tries at the same time, hot or cold.
TEST_P(GolfContract, a_walk_is_the_same_one_step_at_a_time) {
  const auto engine = golf::make_part_engine(GetParam(), 2);
  for (const Shape& shape :
       {Shape{485, 5, 5}, Shape{1024, 3, 16}, Shape{640, 4, 64}, Shape{4096, 4, 64},
        Shape{8512, 3, 64}, Shape{40000, 4, 20}, Shape{130, 5, 2}, Shape{1260, 4, 4, {35, 9}},
        Shape{4800, 3, 40, {3, 5, 8}}}) {
    const auto& [order, degree, size, group] = shape;
    for (const double temperature : {1e9, static_cast<double>(order) / 10, 1.0}) {
      std::vector<golf::Chain> chains = random_chains(*engine, 2, shape);
      auto slowly = chains;
      constexpr std::uint64_t kSteps = 70;
      const golf::Schedule schedule{temperature, temperature, kSteps,
                                    golf::moore_bounds(order, degree).diameter};
      engine->anneal(chains, degree, schedule, kSteps);
      for (std::uint64_t step = 0; step < kSteps; ++step)
        engine->anneal(slowly, degree, schedule, 1);
      for (std::size_t i = 0; i < chains.size(); ++i) {
        ASSERT_EQ(chains[i].part, slowly[i].part) << order << " at " << temperature;
        ASSERT_EQ(chains[i].score, slowly[i].score);
        ASSERT_EQ(chains[i].best_score, slowly[i].best_score);
        ASSERT_EQ(chains[i].step, slowly[i].step);
        ASSERT_EQ(chains[i].accepted, slowly[i].accepted);
        if (!group.empty() && temperature == 1) {
          ASSERT_EQ(chains[i].score, expected_score(chains[i].part)) << order;
        }
      }
    }
  }
}

TEST_P(GolfContract, a_walk_keeps_degrees_and_says_the_truth) {
  const auto engine = golf::make_part_engine(GetParam(), 2);
  for (const auto& [order, degree, size] : std::vector<std::array<Vertex, 3>>{
           {50, 4, 50}, {172, 6, 2}, {485, 5, 5}, {640, 4, 64}, {1024, 3, 16}, {4096, 4, 64}}) {
    std::vector<golf::Chain> chains = random_chains(*engine, 3, {order, degree, size});
    auto again = chains;
    const std::vector<golf::Chain> before = chains;
    const golf::Schedule schedule{static_cast<double>(order) / 10, 1, 200,
                                  golf::moore_bounds(order, degree).diameter};
    engine->anneal(chains, degree, schedule, 200);
    for (int part = 0; part < 4; ++part) engine->anneal(again, degree, schedule, 50);
    std::uint64_t accepted = 0;
    for (std::size_t i = 0; i < chains.size(); ++i) {
      const golf::Chain& chain = chains[i];
      ASSERT_EQ(chain.step, 200u);
      ASSERT_EQ(chain.score, expected_score(chain.part)) << order;
      ASSERT_EQ(chain.best_score, expected_score(chain.best)) << order;
      ASSERT_LE(chain.best_score, before[i].score);
      ASSERT_EQ(chain.part.edges.size(), before[i].part.edges.size());
      for (const golf::Part& each : {chain.part, chain.best})
        for (const Vertex d : each.degrees()) ASSERT_LE(d, degree);
      ASSERT_EQ(chain.score, again[i].score) << "the same steps in four requests";
      ASSERT_EQ(chain.best_score, again[i].best_score);
      accepted += chain.accepted;
    }
    EXPECT_GT(accepted, 0u) << order;
  }
}

TEST_P(GolfContract, a_search_improves_and_goes_on_from_its_state) {
  const auto engine = golf::make_part_engine(GetParam(), 2);
  golf::Options options;
  options.order = 256, options.degree = 5, options.part = 16, options.chains = 2,
  options.steps = 400;
  golf::Search whole(*engine, options), first(*engine, options);
  while (whole.round(0.05)) {
  }
  first.round(0);
  golf::Search second(*engine, options, first.state());
  while (second.round(0.05)) {
  }
  EXPECT_EQ(whole.best().best, second.best().best);
  EXPECT_EQ(whole.best().best_score, expected_score(whole.best().best));
  EXPECT_LT(whole.best().best_score, engine->evaluate(golf::random_part(256, 5, 16, 1)));
}

TEST_P(GolfContract, the_examples_are_as_good_as_they_say) {
  struct Example {
    const char* name;
    Distance diameter;
    double average;
  };
  const auto engine = golf::make_part_engine(GetParam(), 2);
  for (const auto& [name, diameter, average] : {Example{"50-4-10", 4, 2.640816},
                                                {"1726-30-2", 3, 2.480000},
                                                {"4855-15-5", 4, 3.429007},
                                                {"9344-6-16", 7, 5.487170}}) {
    std::ifstream file(std::string(ANTIPODE_EXAMPLES) + "/golf/" + name + ".part");
    ASSERT_TRUE(file) << name;
    const golf::Part part =
        golf::parse_part(name, std::string(std::istreambuf_iterator<char>(file), {}));
    const golf::PartScore expected = expected_score(part);
    EXPECT_EQ(engine->evaluate(part), expected) << name;
    EXPECT_EQ(expected.diameter, diameter) << name;
    EXPECT_LE(golf::average_of(part, expected).value(), average + 1e-6) << name;
  }
}

TEST(Golf, bounds_are_those_that_are_known) {
  const auto check = [](Vertex order, Vertex degree, Distance diameter, double average) {
    const golf::MooreBounds bounds = golf::moore_bounds(order, degree);
    EXPECT_EQ(bounds.diameter, diameter) << order;
    EXPECT_NEAR(bounds.average.value(), average, 5e-7) << order;
  };
  check(50, 4, 3, 2.591837);
  check(72, 4, 4, 2.985915);
  check(1726, 30, 3, 2.460870);
  check(9344, 6, 6, 5.373863);
  check(65536, 6, 7, 6.553124);
  check(100000, 8, 6, 5.738637);
  check(1000000, 32, 5, 3.982079);
  check(1, 0, 0, 0);
  check(2, 1, 1, 1);
  check(10, 3, 2, 5.0 / 3);  // Petersen's graph attains it
}

TEST(Golf, parts_survive_a_file_and_bad_files_are_refused_with_the_line) {
  const golf::Part part = golf::random_part(60, 4, 6, 1);
  EXPECT_EQ(golf::parse_part("a", to_text(part)), part);
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      golf::parse_part("a.part", text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string head = "antipode part 1\norder 12\npart 3\ngroup 4\nedges 2\n";
  EXPECT_EQ(complaint(head + "0 1 2\n1 2 3\n"), "");
  EXPECT_NE(complaint("hello\n").find("a.part:1"), std::string::npos);
  EXPECT_NE(
      complaint("antipode part 1\norder 12\npart 5\ngroup 4\nedges 0\n").find("does not divide 12"),
      std::string::npos);
  EXPECT_NE(
      complaint("antipode part 1\norder 12\npart 3\ngroup 5\nedges 0\n").find("make 15, not 12"),
      std::string::npos);
  EXPECT_NE(complaint(head + "0 1 2\n1 2 4\n").find("a.part:7: shift 4 in a group of 4"),
            std::string::npos);
  EXPECT_NE(complaint(head + "0 1 2\n1 3 0\n").find("vertices 0 to 2"), std::string::npos);
  EXPECT_NE(complaint(head + "0 1 2\n1 1 0\n").find("to itself"), std::string::npos);
  EXPECT_NE(complaint(head + "0 1 2\n").find("ends too early"), std::string::npos);
  EXPECT_NE(complaint(head + "0 1 2\n1 2 x\n").find("whole number"), std::string::npos);
  EXPECT_NE(complaint(head + "0 1 2\n1 2 3\n0 2 1\n").find("more than the 2 edges"),
            std::string::npos);
}

// Points or lines that lost a neighbour get a neighbour of the other kind instead; no degree is
// exceeded.
TEST(Golf, trimmed_planes_have_the_least_diameter_and_nearly_the_least_average) {
  for (const Vertex degree : {6u, 8u, 9u, 14u})
    for (Vertex lost = 4; lost <= 2 * degree; ++lost) {
      const Vertex order = 2 * (degree * (degree - 1) + 1) - lost;
      const golf::Part plane =
          golf::whole_part(generated(fmt::format("plane?degree={}&n={}", degree, order)));
      const golf::PartScore score = expected_score(plane);
      const golf::MooreBounds bounds = golf::moore_bounds(order, degree);
      for (const Vertex d : plane.degrees()) ASSERT_LE(d, degree);
      ASSERT_EQ(score.unreached, 0u);
      ASSERT_EQ(score.diameter, bounds.diameter) << order << ", " << degree;
      ASSERT_LT(golf::average_of(plane, score).value() - bounds.average.value(),
                4.0 / (degree * degree))
          << order << ", " << degree;
    }
}

TEST(Golf, a_search_begins_near_a_plane_where_there_is_one) {
  const auto engine = golf::make_part_engine("cpu", 2);
  golf::Options options;
  options.order = 140, options.degree = 9, options.steps = 50;
  golf::Search search(*engine, options);
  EXPECT_EQ(search.part_size(), 140u);
  EXPECT_LE(search.best().best_score,
            expected_score(golf::whole_part(generated("plane?degree=9&n=140"))));
  options.part = 10;  // who wants another part gets it
  EXPECT_EQ(golf::Search(*engine, options).part_size(), 10u);
}

}  // namespace
}  // namespace antipode::testing
