// Average and closeness with lengths against distances between all pairs, on random graphs.
#include "antipode/path_averages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "antipode/error.hpp"
#include "measure/state.hpp"
#include "support/checkpoints.hpp"
#include "support/path_graphs.hpp"

namespace antipode {
namespace {

constexpr std::uint64_t kCases = 1000;  // of each kind

class PathAverages : public ::testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  template <class Check>
  void for_each_case(std::uint64_t cases, Check check) {
    const auto [directed, weighted] = GetParam();
    for (std::uint64_t seed = 0; seed < cases; ++seed) {
      SCOPED_TRACE(seed);
      const PathCase made = random_path_case(seed, directed, weighted);
      const Graph graph = made.graph();
      const auto engine =
          make_path_engine("cpu", graph, {.threads = static_cast<unsigned>(1 + seed % 3)});
      check(*engine, made.reference());
      if (HasFatalFailure()) return;
    }
  }
  Observer observer_;
  CheckpointStore none_;
};

std::vector<Length> all_distances(const reference::Paths& paths) {
  std::vector<Length> result;
  for (unsigned u = 0; u < paths.order; ++u)
    for (unsigned v = 0; v < paths.order; ++v)
      if (u != v && paths.distance[u][v] != reference::Paths::kNone)
        result.push_back(paths.distance[u][v]);
  std::sort(result.begin(), result.end());
  return result;
}

void expect_distribution(const PathAverage& found, const std::vector<Length>& distances) {
  const auto& [width, pairs, squares] = *found.distribution;
  std::vector<std::uint64_t> expected(found.longest / width + 1, 0);
  for (const Length d : distances) ++expected[d / width];
  ASSERT_EQ(pairs, expected);
  ASSERT_TRUE(width == 1 ? found.longest < 2048
                         : found.longest / width < 2048 && found.longest / width >= 1024);
  long double mean = 0, variance = 0;
  for (const Length d : distances) mean += static_cast<long double>(d);
  mean /= static_cast<long double>(distances.size());
  for (const Length d : distances)
    variance += (static_cast<long double>(d) - mean) * (static_cast<long double>(d) - mean);
  variance /= static_cast<long double>(distances.size());
  ASSERT_NEAR(found.variance().value(), static_cast<double>(variance),
              1e-9 * static_cast<double>(variance) + 1e-12);
  for (const double share : {0.01, 0.5, 0.9, 1.0}) {
    const auto at =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(distances.size())) - 1);
    const PathAverage::Range range = found.quantile(share);
    ASSERT_LE(range.least, distances[at]);
    ASSERT_GE(range.most, distances[at]);
    ASSERT_LT(range.most - range.least, width);
  }
}

TEST_P(PathAverages, sums_and_distribution_are_those_of_all_pairs) {
  for_each_case(kCases, [&](PathEngine& engine, const reference::Paths& paths) {
    if (paths.order == 0) {
      ASSERT_THROW(average(engine, {}, observer_, none_), UsageError);
      return;
    }
    const std::vector<Length> distances = all_distances(paths);
    for (const Spread spread : {Spread::none, Spread::distribution}) {
      const PathAverage found = average(engine, {.spread = spread}, observer_, none_);
      ASSERT_TRUE(found.exact());
      ASSERT_EQ(found.sources, paths.order);
      ASSERT_EQ(found.reachable, distances.size());
      ASSERT_EQ(found.unreachable,
                std::uint64_t{paths.order} * (paths.order - 1) - distances.size());
      ASSERT_TRUE(found.sum == std::accumulate(distances.begin(), distances.end(), LengthSum{0}));
      ASSERT_EQ(found.longest, distances.empty() ? 0 : distances.back());
      ASSERT_EQ(found.shortest, distances.empty() ? 0 : distances.front());
      ASSERT_EQ(found.distribution.has_value(), spread == Spread::distribution);
      if (found.distribution && !distances.empty()) expect_distribution(found, distances);
      if (HasFatalFailure()) return;
    }
  });
}

TEST_P(PathAverages, resumed_averages_are_the_same) {
  for_each_case(kCases / 5, [&](PathEngine& engine, const reference::Paths& paths) {
    if (paths.order == 0) return;
    for (const std::size_t samples : {std::size_t{0}, std::size_t{7}})
      for (const Spread spread : {Spread::none, Spread::distribution}) {
        const PathAverageOptions options{.samples = samples, .seed = 5, .spread = spread};
        const PathAverage whole = average(engine, options, observer_, none_),
                          parts = antipode::testing::resumed_until_finished(
                              [&](Observer&observer, CheckpointStore&checkpoint) {
                                return average(engine, options, observer, checkpoint);
                              });
        ASSERT_TRUE(whole.sum == parts.sum);
        ASSERT_EQ(whole.reachable, parts.reachable);
        ASSERT_EQ(whole.unreachable, parts.unreachable);
        ASSERT_EQ(whole.longest, parts.longest);
        ASSERT_EQ(whole.error, parts.error);
        if (spread == Spread::none) continue;
        ASSERT_EQ(whole.distribution->pairs, parts.distribution->pairs);
        ASSERT_TRUE(whole.distribution->squares == parts.distribution->squares);
      }
  });
}

TEST_P(PathAverages, closeness_has_all_three_formulas) {
  for_each_case(kCases, [&](PathEngine& engine, const reference::Paths& paths) {
    const auto classic = closeness(engine, ClosenessFormula::classic, observer_, none_),
               scaled = closeness(engine, ClosenessFormula::wasserman_faust, observer_, none_),
               harmonic = closeness(engine, ClosenessFormula::harmonic, observer_, none_);
    ASSERT_TRUE(classic.finished && scaled.finished && harmonic.finished);
    for (unsigned v = 0; v < paths.order; ++v) {
      double sum = 0, inverses = 0, others = 0;
      for (unsigned u = 0; u < paths.order; ++u) {
        const std::uint64_t d = paths.distance[v][u];
        if (u == v || d == reference::Paths::kNone) continue;
        ++others;
        sum += static_cast<double>(d);
        inverses += d == 0 ? 0 : 1 / static_cast<double>(d);
      }
      const double nearness = sum > 0 ? others / sum : 0;
      ASSERT_NEAR(classic.value(v), nearness, 1e-12 * nearness);
      ASSERT_NEAR(scaled.value(v), nearness * others / std::max(paths.order - 1.0, 1.0),
                  1e-12 * nearness);
      ASSERT_NEAR(harmonic.value(v), inverses, 1e-12 * inverses);
    }
  });
}

TEST_P(PathAverages, resumed_closeness_is_the_same) {
  for_each_case(kCases / 5, [&](PathEngine& engine, const reference::Paths&) {
    for (const auto formula : {ClosenessFormula::classic, ClosenessFormula::harmonic}) {
      const PathCloseness whole = closeness(engine, formula, observer_, none_),
                          parts = antipode::testing::resumed_until_finished(
                              [&](Observer&observer, CheckpointStore&checkpoint) {
                                return closeness(engine, formula, observer, checkpoint);
                              });
      ASSERT_EQ(whole.reached, parts.reached);
      ASSERT_EQ(whole.inverse_sum, parts.inverse_sum);
      ASSERT_TRUE(whole.sum == parts.sum);
    }
  });
}

// One field of a saved state changed, and its checksum with it: no such state is accepted.
template <class Run>
void expect_refused(Run run, std::size_t offset_of_values) {
  antipode::testing::MemoryCheckpoint checkpoint;
  antipode::testing::Impatient observer;
  ASSERT_FALSE(run(observer, checkpoint).finished);
  std::vector<unsigned char> state = checkpoint.load();
  ASSERT_GT(state.size(), offset_of_values);
  ++state[offset_of_values];
  checkpoint.save(state);
  Observer patient;
  ASSERT_THROW(run(patient, checkpoint), InputError);
}

TEST(PathAverageStates, changed_ones_are_refused) {
  const Graph graph = generate("grid?rows=20&cols=20&lengths=1..1000&seed=1").graph;
  const auto engine = make_path_engine("cpu", graph, {.threads = 1});
  const std::size_t reached = 8, eccentricity = 8 + 4 + 8;  // behind their counts, of one source
  for (const Spread spread : {Spread::none, Spread::distribution})
    for (const std::size_t offset : {std::size_t{0}, reached, eccentricity})
      expect_refused(
          [&](Observer& observer, CheckpointStore& checkpoint) {
            return average(*engine, {.spread = spread}, observer, checkpoint);
          },
          offset);
  expect_refused(
      [&](Observer& observer, CheckpointStore& checkpoint) {
        return closeness(*engine, ClosenessFormula::harmonic, observer, checkpoint);
      },
      eccentricity + 8 + 8 + 16 + 8);  // an inverse
}

// Every word of a saved state changed, and its seal with it: the totals of the lists show it.
template <class Run>
void expect_all_changes_refused(Run run) {
  antipode::testing::MemoryCheckpoint checkpoint;
  antipode::testing::Impatient observer;
  ASSERT_FALSE(run(observer, checkpoint).finished);
  const std::vector<unsigned char> state = checkpoint.load();
  const std::size_t content = state.size() - sizeof(std::uint64_t);
  for (std::size_t at = 0; at < content; at += 4) {
    std::vector<unsigned char> changed = state;
    changed[at] += 2;
    const std::uint64_t seal = seal_of(changed.data(), content);
    std::memcpy(changed.data() + content, &seal, sizeof(seal));
    checkpoint.save(changed);
    Observer patient;
    EXPECT_THROW(run(patient, checkpoint), InputError) << at;
  }
}

TEST(PathAverageStates, with_any_word_changed_under_a_new_seal_are_refused) {
  const Graph graph = generate("grid?rows=12&cols=12&lengths=1..1000&seed=3").graph;
  const auto engine = make_path_engine("cpu", graph, {.threads = 1});
  for (const Spread spread : {Spread::none, Spread::distribution})
    expect_all_changes_refused([&](Observer& observer, CheckpointStore& checkpoint) {
      return average(*engine, {.spread = spread}, observer, checkpoint);
    });
  for (const auto formula : {ClosenessFormula::wasserman_faust, ClosenessFormula::harmonic})
    expect_all_changes_refused([&](Observer& observer, CheckpointStore& checkpoint) {
      return closeness(*engine, formula, observer, checkpoint);
    });
}

TEST(PathAverageStates, a_stopped_average_counts_whole_sources) {
  const Graph graph = generate("grid?rows=20&cols=20&lengths=1..9&seed=2").graph;
  const auto engine = make_path_engine("cpu", graph, {.threads = 1});
  antipode::testing::Impatient observer;
  CheckpointStore none;
  const PathAverage found = average(*engine, {.spread = Spread::distribution}, observer, none);
  EXPECT_FALSE(found.finished);
  EXPECT_GT(found.sources, 0u);
  EXPECT_EQ(found.reachable, found.sources * 399u);
  const auto& pairs = found.distribution->pairs;
  EXPECT_EQ(std::accumulate(pairs.begin(), pairs.end(), std::uint64_t{0}), found.reachable);
}

TEST(PathAverageUnits, lengths_are_in_the_unit_of_the_file) {
  const Graph graph =
      build_graph(3, {{{0, 1}, {1, 2}}}, {{5, 15}}, {.factor = 1, .decimals = 1, .halvings = 0},
                  Labels::sequential(0, 3))
          .graph;
  const auto engine = make_path_engine("cpu", graph, {});
  Observer observer;
  CheckpointStore none;
  const PathCloseness near = closeness(*engine, ClosenessFormula::classic, observer, none);
  EXPECT_DOUBLE_EQ(near.value(0), 2 / 2.5);  // 0.5 and 2
  const PathCloseness sum = closeness(*engine, ClosenessFormula::harmonic, observer, none);
  EXPECT_DOUBLE_EQ(sum.value(0), 1 / 0.5 + 1 / 2.0);
  EXPECT_EQ(sum_to_text(LengthSum{1} << 64, graph.unit()), "1844674407370955161.6");
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<bool, bool>>& info) {
  const auto [directed, weighted] = info.param;
  return std::string(directed ? "directed" : "undirected") + (weighted ? "_lengths" : "_edges");
}

INSTANTIATE_TEST_SUITE_P(Paths, PathAverages,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool()), name_of);

}  // namespace
}  // namespace antipode
