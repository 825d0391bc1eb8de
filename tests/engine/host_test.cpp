// The building blocks that engines share (engine/host), each by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "engine/host/backtrack.hpp"
#include "engine/host/bounds.hpp"
#include "engine/host/brandes.hpp"
#include "engine/host/distance_slots.hpp"
#include "engine/host/offset_search.hpp"
#include "support/factories.hpp"
#include "support/requests.hpp"

namespace antipode::testing {
namespace {

TEST(Backtrack, leads_from_the_source_along_arcs_and_one_level_at_a_time) {
  RandomGraphs graphs(71, RandomGraphs::Kinds::both);
  for (int round = 0; round < 600; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const auto reference = reference_of(graph);
    const Vertex source = static_cast<Vertex>(round) % graph.order();
    const std::vector<Distance> distances = reference.distances(source);
    for (Vertex to = 0; to < graph.order(); ++to) {
      const auto path = host::backtrack(graph, distances, to);
      if (distances[to] == kUnreached) {
        ASSERT_TRUE(path.empty());
        continue;
      }
      ASSERT_EQ(path.size(), distances[to] + std::size_t{1});
      ASSERT_EQ(path.front(), source);
      ASSERT_EQ(path.back(), to);
      for (std::size_t i = 1; i < path.size(); ++i)
        ASSERT_TRUE(reference.adjacent(path[i - 1], path[i]));
    }
  }
}

using Slots = host::DistanceSlots<std::vector<int>>;

std::vector<int>& next(Slots& slots, int value) {
  auto& buffer = slots.next([] { return std::vector<int>(1); });
  buffer.front() = value;
  return buffer;
}

TEST(DistanceSlots, retained_distances_survive_later_searches) {
  Slots slots;
  next(slots, 1);
  EXPECT_EQ(slots[kLatest].front(), 1);
  const DistanceHandle one = slots.retain();
  EXPECT_EQ(slots.retain(), one);  // still the latest
  EXPECT_EQ(slots[kLatest].front(), 1);
  next(slots, 2);
  EXPECT_EQ(slots[one].front(), 1);
  EXPECT_EQ(slots[kLatest].front(), 2);
  const DistanceHandle two = slots.retain();
  EXPECT_NE(one, two);
  slots.release(one);
  next(slots, 3);
  EXPECT_EQ(slots[two].front(), 2);
  EXPECT_EQ(slots.retain(), one);  // the free slot is used again
  EXPECT_EQ(slots[one].front(), 3);
}

TEST(DistanceSlots, the_latest_distances_stay_when_their_handle_is_released) {
  Slots slots;
  next(slots, 7);
  slots.release(slots.retain());
  EXPECT_EQ(slots[kLatest].front(), 7);
  EXPECT_EQ(slots.latest(), 0u);
}

TEST(DistanceSlots, buffers_are_made_only_while_none_is_free) {
  Slots slots;
  int made = 0;
  const auto make = [&] { return std::vector<int>(1, ++made); };
  for (int round = 0; round < 5; ++round) {
    slots.next(make);
    const DistanceHandle handle = slots.retain();
    slots.next(make);
    slots.release(handle);
  }
  EXPECT_EQ(made, 2);
  std::vector<int> ahead = slots.spare(make);
  ahead.front() = 9;
  slots.swap_next(ahead);
  EXPECT_EQ(slots[kLatest].front(), 9);
}

struct Offsets {
  std::vector<host::OffsetSource> starts;
  std::vector<std::vector<Distance>> distances;  // from each
};

Offsets random_offsets(const Graph& graph, std::mt19937& random) {
  const auto reference = reference_of(graph);
  Offsets result;
  for (unsigned i = 0, count = 1 + random() % 4; i < count; ++i) {
    const host::OffsetSource start{static_cast<Vertex>(random() % graph.order()),
                                   static_cast<Distance>(random() % 7)};
    result.starts.push_back(start);
    result.distances.push_back(reference.distances(start.source));
  }
  return result;
}

TEST(OffsetSearch, lowers_values_to_the_least_level_and_distance_within_the_limit) {
  RandomGraphs graphs(72);
  std::mt19937 random(72);
  for (int round = 0; round < 800; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const Distance limit = random() % 12;
    std::vector<Distance> values(graph.order(), kUnreached), expected = values;
    for (int batch = 0; batch < 2; ++batch) {  // the second starts from the values of the first
      const Offsets offsets = random_offsets(graph, random);
      host::offset_search(graph.adjacency(), offsets.starts, limit, values);
      for (std::size_t i = 0; i < offsets.starts.size(); ++i)
        for (Vertex v = 0; v < graph.order(); ++v) {
          if (offsets.distances[i][v] == kUnreached) continue;
          const Distance value = offsets.starts[i].level + offsets.distances[i][v];
          if (value <= limit) expected[v] = std::min(expected[v], value);
        }
      ASSERT_EQ(values, expected);
    }
  }
}

TEST(OffsetSearch, descending_raises_values_to_the_largest_level_less_the_distance) {
  RandomGraphs graphs(73);
  std::mt19937 random(73);
  for (int round = 0; round < 800; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    std::vector<Distance> values(graph.order(), 0), expected = values;
    for (int batch = 0; batch < 2; ++batch) {
      const Offsets offsets = random_offsets(graph, random);
      host::descending_offset_search(graph.adjacency(), offsets.starts, values);
      for (std::size_t i = 0; i < offsets.starts.size(); ++i)
        for (Vertex v = 0; v < graph.order(); ++v)
          if (const Distance level = offsets.starts[i].level, d = offsets.distances[i][v];
              d < level)
            expected[v] = std::max(expected[v], level - d);
      ASSERT_EQ(values, expected);
    }
  }
}

TEST(Brandes, dependencies_are_those_of_the_reference_with_any_number_of_threads) {
  RandomGraphs graphs(74, RandomGraphs::Kinds::both);
  std::mt19937 random(74);
  for (int round = 0; round < 300; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const auto reference = reference_of(graph);
    std::vector<double> weights;
    for (Vertex v = 0; v < graph.order(); ++v) weights.push_back(1 + random() % 3);
    std::vector<Vertex> sources(1 + random() % graph.order());
    for (Vertex& source : sources) source = random() % graph.order();
    reference::Graph::Dependencies expected{std::vector<long double>(graph.order(), 0), {}};
    for (const Vertex source : sources) reference.add_dependencies(source, weights, expected);
    Dependencies one = no_dependencies(graph, weights, Arcs::wanted), many = one;
    host::add_dependencies(graph, 1, sources, one, [] { return false; });
    host::add_dependencies(graph, 3, sources, many, [] { return false; });
    ASSERT_EQ(one.vertices, many.vertices);  // bit for bit
    ASSERT_EQ(one.arcs, many.arcs);
    for (Vertex v = 0; v < graph.order(); ++v) {
      const auto sum = static_cast<double>(expected.vertices[v]);
      ASSERT_NEAR(one.vertices[v], sum, 1e-10 * std::max(1.0, sum));
      for (std::size_t k = 0; k < graph.neighbors(v).size(); ++k) {
        const auto on_arc = static_cast<double>(expected.arcs[{v, graph.neighbors(v)[k]}]);
        ASSERT_NEAR(one.arcs[graph.offsets()[v] + k], on_arc, 1e-10 * std::max(1.0, on_arc));
      }
    }
  }
}

// Bounds whose distances come from the reference.
class ReferenceBounds final : public host::HostBounds {
 public:
  explicit ReferenceBounds(const Graph& graph) : HostBounds(graph, 1) {
    const auto reference = reference_of(graph);
    for (Vertex v = 0; v < graph.order(); ++v) rows_.push_back(reference.distances(v));
  }
  // The handle of the distances from a vertex.
  static DistanceHandle from(Vertex source) { return DistanceHandle{source + 1}; }
  std::span<const Distance> distances(Vertex source) const { return rows_[source]; }

 private:
  std::span<const Distance> distances_of(DistanceHandle handle) const override {
    return rows_[static_cast<std::uint32_t>(handle) - 1];
  }
  void find_farthest(std::span<const Vertex> sources,
                     const host::FarthestRequest& request) override {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      host::FarthestRequest one = request;
      FarthestDistance farthest;
      for (Vertex v = 0; v < rows_.size(); ++v) {
        const Distance d = rows_[sources[i]][v];
        one.lower[v] = std::max(one.lower[v], d);
        if ((one.marks[v] & host::kMarkCandidate) != 0)
          farthest.candidates = std::max(farthest.candidates, d);
        if ((one.marks[v] & host::kMarkOutside) != 0)
          farthest.outside = std::max(farthest.outside, d);
      }
      one.farthest[i] = farthest;
    }
  }

  std::vector<std::vector<Distance>> rows_;
};

TEST(HostBounds, enclose_every_eccentricity_and_end_with_it) {
  RandomConnectedGraphs graphs(75);
  std::mt19937 random(75);
  for (int round = 0; round < 300; ++round) {
    const Graph graph = graphs.next();
    const auto exact = reference_of(graph).eccentricities();
    const Vertex order = graph.order();
    ReferenceBounds bounds(graph);
    bounds.reset();
    std::vector<Vertex> sources(order);
    std::iota(sources.begin(), sources.end(), Vertex{0});
    std::shuffle(sources.begin(), sources.end(), random);
    std::vector<Distance> lower(order), upper(order);
    for (const Vertex source : sources) {
      bounds.tighten(ReferenceBounds::from(source), source, exact[source], exact[source]);
      bounds.copy(lower, upper);
      ASSERT_EQ(lower[source], exact[source]);
      ASSERT_EQ(upper[source], exact[source]);
      for (Vertex v = 0; v < order; ++v) ASSERT_TRUE(lower[v] <= exact[v] && exact[v] <= upper[v]);
    }
    EXPECT_EQ(bounds.summary().max_lower, *std::max_element(exact.begin(), exact.end()));
    EXPECT_EQ(bounds.summary().min_upper, *std::min_element(exact.begin(), exact.end()));
    EXPECT_EQ(bounds.prune(Question::eccentricity), 0u);
  }
}

TEST(HostBounds, the_ball_contains_the_candidates_within_its_radius) {
  const Graph graph = generated("path?n=9");
  ReferenceBounds sets(graph);
  sets.reset();
  EXPECT_EQ(sets.census().candidates, 9u);
  sets.set_ball(ReferenceBounds::from(4), 2);
  EXPECT_EQ(sets.census().outside, 4u);  // 0, 1, 7 and 8
  const DistanceHandle centers[] = {ReferenceBounds::from(0), ReferenceBounds::from(3),
                                    ReferenceBounds::from(5)};
  EXPECT_EQ(sets.choose_ball(centers, 4), 1u);  // leaves one outside, as the third does
  EXPECT_EQ(sets.census().outside, 1u);
  EXPECT_EQ(sets.farthest_in(Among::outside, ReferenceBounds::from(0)), 8u);
  sets.drop_pendant_paths();  // the path itself
  EXPECT_EQ(sets.farthest_in(Among::candidates, ReferenceBounds::from(0)), 8u);
  EXPECT_EQ(sets.census().candidates, 2u);  // its ends
}

}  // namespace
}  // namespace antipode::testing
