// Engines and measures on voltage graphs against the graphs they stand for, on every engine that is
// usable here.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "antipode/measures.hpp"
#include "golf/wild_part.hpp"
#include "graph/limits.hpp"
#include "support/requests.hpp"

namespace antipode::testing {
namespace {

// Every request of an engine that has a part, beside one that has rows: first those that need none,
// in any order, then those that do.
TEST(Part, engines_answer_as_they_do_of_rows) {
  std::mt19937 random(31);
  for (const EngineInfo& info : engines()) {
    if (!info.usable) continue;
    for (int round = 0; round < 40; ++round) {
      std::vector<Vertex> group{
          static_cast<Vertex>(1 + random() % 80)};  // short runs get rows, too
      if (round % 3 == 1) group.insert(group.begin(), 1 + random() % 7);
      if (round % 6 == 1) group.push_back(1);
      const Vertex size =
          round % 8 == 7 ? 70 : 1 + random() % 9;  // 70: more than one word of sources
      golf::Part part = round == 0 ? golf::make_part(300, 1)
                                   : wild_part(size, group, 1 + random() % (3 * size), random);
      if (round == 0) part.edges = {{0, 0, 1}};  // a ring: so long that it gets rows
      const Graph graph = to_graph(part), rows = graph.materialized();
      const auto engine = make_engine(info.name, graph), other = make_engine(info.name, rows);
      EXPECT_EQ(engine->info().name, info.name);
      for (int request = 0; request < 6; ++request) {
        const Vertex source = random() % part.order, to = random() % part.order;
        const Search found = engine->search(source), expected = other->search(source);
        ASSERT_EQ(std::tie(found.source, found.eccentricity, found.farthest, found.reached,
                           found.distance_sum, found.level_sizes),
                  std::tie(expected.source, expected.eccentricity, expected.farthest,
                           expected.reached, expected.distance_sum, expected.level_sizes))
            << to_text(part);
        const auto path = engine->path(kLatest, to);
        ASSERT_EQ(path.size(), other->path(kLatest, to).size());
        for (std::size_t i = 1; i < path.size(); ++i)
          ASSERT_TRUE(std::ranges::binary_search(rows.neighbors(path[i - 1]), path[i]));
        std::vector<Vertex> sources(1 + random() % 100);
        for (Vertex& each : sources) each = random() % part.order;
        ASSERT_EQ(engine->summarize(sources), other->summarize(sources));
        ASSERT_EQ(counts_from(*engine, sources), counts_from(*other, sources));
        const std::vector<Multiplicities> weights(sources.size(), Multiplicities{2, 0, 1});
        ASSERT_EQ(counts_from(*engine, sources, weights), counts_from(*other, sources, weights));
        std::vector<Distance> expected_rows, found_rows;
        const auto into = [](std::vector<Distance>& all) {
          return [&](Vertex, std::span<const Distance> row) {
            all.insert(all.end(), row.begin(), row.end());
          };
        };
        const std::size_t few = request < 5 ? 1 : std::min<std::size_t>(sources.size(), 20);
        engine->distances(std::span(sources).first(few), into(found_rows));
        other->distances(std::span(sources).first(few), into(expected_rows));
        ASSERT_EQ(found_rows, expected_rows);
      }
      const Search last = engine->search(0);
      const DistanceHandle kept = engine->retain();
      engine->search(part.order - 1);
      EXPECT_EQ(engine->path(kept, last.farthest).size(), std::size_t{last.eccentricity} + 1);
      if (components(graph).count() == 1) {
        engine->bounds().reset();
        engine->bounds().tighten(kept, 0, last.eccentricity, last.eccentricity);
        EXPECT_GE(engine->bounds().summary().max_lower, last.eccentricity);
      }
    }
  }
}

// Where there is no room for rows, and need be none.
TEST(Part, measures_write_no_rows_down) {
  const golf::Part part = golf::random_part(200'000, 8, 10, 7);
  struct Limit {
    explicit Limit(std::uint64_t bytes) { set_memory_limit(bytes); }
    ~Limit() { set_memory_limit(0); }
  } limit(resident_memory() + 8'000'000);
  EXPECT_THROW(to_graph(part).neighbors(0), DeviceError);
  EXPECT_THROW(triangles(to_graph(part)), DeviceError);
  const Fingerprint known = fingerprint(to_graph(part));
  EXPECT_EQ(known.order, part.order);
  for (const EngineInfo& info : engines()) {
    if (!info.usable) continue;
    const Graph graph = to_graph(part);
    EXPECT_EQ(graph.size(), 800'000u);
    EXPECT_EQ(components(graph).count(), 1u);
    set_memory_limit(0);  // a platform may take much when it starts
    const auto engine = make_engine(info.name, graph);
    engine->search(0);
    set_memory_limit(resident_memory() + 8'000'000);
    Observer observer;
    CheckpointStore no_checkpoint;
    const Diameter found = diameter(*engine, {}, observer);
    const golf::PartScore score = golf::make_part_engine("cpu", 2)->evaluate(part);
    EXPECT_EQ(found.lower, score.diameter);
    EXPECT_EQ(std::ranges::max(
                  eccentricities(*engine, Question::eccentricity, observer, no_checkpoint).lower),
              score.diameter);
    const Average mean = average(*engine, 0, 1, observer);
    EXPECT_DOUBLE_EQ(mean.mean(), golf::average_of(part, score).value());
  }
}

// The first vertex of every remainder stands for all of them; without that knowledge the answers
// are the same.
TEST(Part, measures_from_the_part_alone_are_those_of_the_whole_graph) {
  std::mt19937 random(23);
  for (int round = 0; round < 60; ++round) {
    std::vector<Vertex> group{static_cast<Vertex>(1 + random() % 30)};
    if (round % 3 == 1) group.push_back(1 + random() % 5);
    const Vertex size = 1 + random() % 6;
    const golf::Part part = wild_part(size, group, 1 + random() % (3 * size), random);
    const Graph graph = to_graph(part), plain = graph.materialized();
    EXPECT_EQ(graph.residues(), part.size);
    EXPECT_EQ(fingerprint(graph), fingerprint(plain));
    for (const EngineInfo& info : engines()) {
      if (!info.usable) continue;
      const auto engine = make_engine(info.name, graph), other = make_engine(info.name, plain);
      Observer observer;
      const Average few = average(*engine, 0, 1, observer), all = average(*other, 0, 1, observer);
      EXPECT_EQ(few.pairs, all.pairs);
      EXPECT_EQ(few.unreachable, all.unreachable);
      EXPECT_EQ(few.sources, all.sources);
      if (all.unreachable > 0) continue;
      CheckpointStore no_checkpoint;
      const auto expected =
          eccentricities(*other, Question::eccentricity, observer, no_checkpoint).lower;
      for (const Question question :
           {Question::eccentricity, Question::radius, Question::center, Question::periphery})
        EXPECT_EQ(eccentricities(*engine, question, observer, no_checkpoint).lower, expected);
      const Diameter found = diameter(*engine, {}, observer);
      EXPECT_TRUE(found.exact());
      EXPECT_EQ(found.lower, *std::max_element(expected.begin(), expected.end()));
      EXPECT_EQ(found.witness.path.size(), std::size_t{found.lower} + 1);
    }
  }
}

}  // namespace
}  // namespace antipode::testing
