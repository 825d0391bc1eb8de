// Measures with lengths and directions against distances between all pairs, on random graphs.
#include <gtest/gtest.h>

#include <cstdlib>

#include "antipode/path_measures.hpp"
#include "support/checkpoints.hpp"
#include "support/path_graphs.hpp"

namespace antipode {
namespace {

// Of each kind; ANTIPODE_PATH_CASES asks for more.
std::uint64_t cases() {
  const char* const asked = std::getenv("ANTIPODE_PATH_CASES");
  return asked == nullptr ? 5000 : std::strtoull(asked, nullptr, 10);
}

// Says stop from the k-th question on.
class StopsAfter : public Observer {
 public:
  explicit StopsAfter(std::uint64_t questions) : left_(questions) {}
  bool stop() override { return left_ == 0 || --left_ == 0; }
  bool has_stopped() const { return left_ == 0; }
  void progress(const Progress& now) override {
    EXPECT_LE(now.lower, now.upper);
    EXPECT_GE(now.lower, lower_);
    lower_ = now.lower;
    upper_ = std::min(upper_, now.upper);
  }
  Length told_lower() const { return lower_; }
  Length told_upper() const { return upper_; }

 private:
  std::uint64_t left_;
  Length lower_ = 0, upper_ = kNoPath;
};

class PathMeasures : public ::testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  // One in `share` of the cases, with at most so many vertices.
  template <class Check>
  void for_each_case(Check check, std::uint64_t share = 1, unsigned most = 24) {
    const auto [directed, weighted] = GetParam();
    for (std::uint64_t seed = 0; seed < cases(); seed += share) {
      SCOPED_TRACE(seed);
      const PathCase made = random_path_case(seed, directed, weighted, most);
      const Graph graph = made.graph();
      const auto engine = make_path_engine("cpu", graph, {.threads = 1});
      check(*engine, made.reference());
      if (HasFatalFailure()) return;
    }
  }
  Observer observer_;
};

void expect_path(const Graph& graph, const Witness& witness, Length length,
                 const reference::Paths& paths) {
  ASSERT_FALSE(witness.path.empty());
  EXPECT_EQ(witness.path.front(), witness.from);
  EXPECT_EQ(witness.path.back(), witness.to);
  EXPECT_EQ(paths.distance[witness.from][witness.to], length);
  Length sum = 0;
  for (std::size_t i = 1; i < witness.path.size(); ++i) {
    const Adjacency adjacency = graph.adjacency();
    const auto around = adjacency.neighbors(witness.path[i - 1]);
    const auto at = std::find(around.begin(), around.end(), witness.path[i]);
    ASSERT_NE(at, around.end());
    sum += adjacency.length(adjacency.offsets[witness.path[i - 1]] +
                            static_cast<EdgeOffset>(at - around.begin()));
  }
  EXPECT_EQ(sum, length);
}

TEST_P(PathMeasures, diameter_is_the_longest_finite_distance) {
  for_each_case([&](PathEngine& engine, const reference::Paths& paths) {
    const PathDiameter answer = diameter(engine, observer_);
    ASSERT_TRUE(answer.exact());
    ASSERT_EQ(answer.lower, paths.diameter()) << answer.searches;
    if (paths.order > 0) expect_path(engine.graph(), answer.witness, answer.lower, paths);
  });
}

TEST_P(PathMeasures, diameter_of_larger_graphs) {
  const auto check = [&](PathEngine& engine, const reference::Paths& paths) {
    const PathDiameter answer = diameter(engine, observer_);
    ASSERT_TRUE(answer.exact());
    ASSERT_EQ(answer.lower, paths.diameter());
    if (paths.order > 0) expect_path(engine.graph(), answer.witness, answer.lower, paths);
  };
  for_each_case(check, 10, 70);
  for_each_case(check, 100, 200);
}

TEST_P(PathMeasures, diameter_stopped_at_any_moment_has_bounds) {
  for_each_case(
      [&](PathEngine& engine, const reference::Paths& paths) {
        for (std::uint64_t questions = 1;; ++questions) {
          StopsAfter observer(questions);
          const PathDiameter answer = diameter(engine, observer);
          ASSERT_LE(answer.lower, paths.diameter());
          ASSERT_GE(answer.upper, paths.diameter());
          ASSERT_LE(observer.told_lower(), paths.diameter());
          ASSERT_GE(observer.told_upper(), paths.diameter());
          if (!answer.witness.path.empty())
            expect_path(engine.graph(), answer.witness, answer.lower, paths);
          if (!observer.has_stopped()) break;
        }
      },
      20, 40);
}

TEST_P(PathMeasures, eccentricities_are_the_longest_finite_distances_of_each_vertex) {
  for_each_case([&](PathEngine& engine, const reference::Paths& paths) {
    CheckpointStore none;
    for (const Along along : {Along::arcs, Along::reversed_arcs}) {
      const PathEccentricities answer = eccentricities(engine, along, observer_, none);
      ASSERT_TRUE(answer.exact);
      for (Vertex v = 0; v < paths.order; ++v)
        ASSERT_EQ(answer.lower[v],
                  along == Along::arcs ? paths.out_eccentricity(v) : paths.in_eccentricity(v));
      ASSERT_EQ(answer.lower, answer.upper);
    }
  });
}

void expect_bounds(const PathEccentricities& answer, Along along, const reference::Paths& paths) {
  for (Vertex v = 0; v < paths.order; ++v) {
    const Length truth =
        along == Along::arcs ? paths.out_eccentricity(v) : paths.in_eccentricity(v);
    ASSERT_LE(answer.lower[v], truth);
    ASSERT_GE(answer.upper[v], truth);
    if (answer.lower[v] == answer.upper[v] && along == Along::arcs) {
      ASSERT_EQ(answer.reached[v], paths.reached(v));
    }
  }
}

TEST_P(PathMeasures, eccentricities_of_larger_graphs_have_certificates) {
  for_each_case(
      [&](PathEngine& engine, const reference::Paths& paths) {
        CheckpointStore none;
        const PathEccentricities answer = eccentricities(engine, Along::arcs, observer_, none);
        ASSERT_TRUE(answer.exact);
        ASSERT_EQ(answer.lower, answer.upper);
        expect_bounds(answer, Along::arcs, paths);
        if (answer.lower_sources.empty()) return;
        for (Vertex v = 0; v < paths.order; ++v) {
          Length least = 0, most = kNoPath;
          for (const Vertex t : answer.lower_sources) least = std::max(least, paths.distance[t][v]);
          for (const Vertex s : answer.upper_sources)
            most = std::min(most, paths.out_eccentricity(s) + paths.distance[s][v]);
          ASSERT_EQ(least, answer.lower[v]);
          ASSERT_EQ(most, answer.upper[v]);
        }
      },
      10, 90);
}

TEST_P(PathMeasures, eccentricities_stopped_at_any_moment_have_bounds_and_go_on) {
  for_each_case(
      [&](PathEngine& engine, const reference::Paths& paths) {
        for (const Along along : {Along::arcs, Along::reversed_arcs})
          for (std::uint64_t questions = 1;; ++questions) {
            StopsAfter observer(questions);
            testing::MemoryCheckpoint checkpoint;
            const PathEccentricities answer = eccentricities(engine, along, observer, checkpoint);
            expect_bounds(answer, along, paths);
            if (!observer.has_stopped()) break;
            const PathEccentricities rest = eccentricities(engine, along, observer_, checkpoint);
            ASSERT_TRUE(rest.exact);
            ASSERT_EQ(rest.lower, rest.upper);
            expect_bounds(rest, along, paths);
          }
      },
      100, 40);
}

TEST_P(PathMeasures, radius_and_center_are_of_the_vertices_that_reach_all) {
  for_each_case([&](PathEngine& engine, const reference::Paths& paths) {
    const PathCenter answer = center(engine, Question::center, observer_);
    ASSERT_TRUE(answer.exact);
    std::vector<Vertex> members;
    Length radius = kNoPath;
    Vertex reach_all = 0;
    for (Vertex v = 0; v < paths.order; ++v) {
      if (paths.reached(v) < paths.order) continue;
      ++reach_all;
      if (paths.out_eccentricity(v) < radius) radius = paths.out_eccentricity(v), members.clear();
      if (paths.out_eccentricity(v) == radius) members.push_back(v);
    }
    ASSERT_EQ(answer.reach_all, reach_all);
    ASSERT_EQ(answer.center, members);
    if (reach_all > 0) {
      ASSERT_EQ(answer.lower, radius);
    }
  });
}

TEST_P(PathMeasures, periphery_has_the_vertices_where_the_longest_paths_begin) {
  for_each_case([&](PathEngine& engine, const reference::Paths& paths) {
    const PathPeriphery answer = periphery(engine, observer_);
    ASSERT_TRUE(answer.exact);
    std::vector<Vertex> members;
    for (Vertex v = 0; v < paths.order; ++v)
      if (paths.out_eccentricity(v) == paths.diameter()) members.push_back(v);
    ASSERT_EQ(answer.periphery, members);
  });
}

TEST_P(PathMeasures, center_and_periphery_of_larger_graphs_and_stopped) {
  for_each_case(
      [&](PathEngine& engine, const reference::Paths& paths) {
        Length radius = kNoPath;
        for (Vertex v = 0; v < paths.order; ++v)
          if (paths.reached(v) == paths.order) radius = std::min(radius, paths.out_eccentricity(v));
        for (const Question question : {Question::radius, Question::center})
          for (std::uint64_t questions = 1;; ++questions) {
            StopsAfter observer(questions);
            const PathCenter answer = center(engine, question, observer);
            ASSERT_LE(answer.lower, radius);
            ASSERT_TRUE(answer.upper >= radius || radius == kNoPath);
            if (answer.exact && radius != kNoPath) {
              ASSERT_EQ(answer.upper, radius);
              ASSERT_FALSE(answer.center.empty());
              expect_path(engine.graph(), answer.witness, radius, paths);
            }
            if (!observer.has_stopped()) break;
          }
        for (std::uint64_t questions = 1;; ++questions) {
          StopsAfter observer(questions);
          const PathPeriphery answer = periphery(engine, observer);
          ASSERT_LE(answer.lower, paths.diameter());
          ASSERT_GE(answer.upper, paths.diameter());
          for (Vertex v = 0; v < paths.order && answer.exact; ++v)
            ASSERT_EQ(std::count(answer.periphery.begin(), answer.periphery.end(), v),
                      paths.out_eccentricity(v) == paths.diameter() ? 1 : 0);
          if (!observer.has_stopped()) break;
        }
      },
      40, 60);
}

TEST_P(PathMeasures, pairs_with_a_path_are_counted) {
  for_each_case([&](PathEngine& engine, const reference::Paths& paths) {
    ASSERT_EQ(reachable_pairs(engine.graph(), observer_), paths.reachable_pairs());
  });
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<bool, bool>>& info) {
  const auto [directed, weighted] = info.param;
  return std::string(directed ? "directed" : "undirected") + (weighted ? "_lengths" : "_edges");
}

INSTANTIATE_TEST_SUITE_P(Paths, PathMeasures,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool()), name_of);

}  // namespace
}  // namespace antipode
