#include "engine/host/bounds.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "graph/parallel.hpp"

namespace antipode::host {

namespace {

// Compared from the left; the last entry is minus the vertex, so no two ranks are equal.
using Rank = std::array<std::int64_t, 4>;
constexpr Rank kIneligible{std::numeric_limits<std::int64_t>::min(), 0, 0, 0};

}  // namespace

HostBounds::HostBounds(const Graph& graph, int threads)
    : graph_(graph),
      threads_(threads),
      lower_(graph.order()),
      upper_(graph.order()),
      flags_(graph.order()) {
  reset();
}

void HostBounds::reset() {
  std::fill(lower_.begin(), lower_.end(), Distance{0});
  std::fill(upper_.begin(), upper_.end(), graph_.order());
  std::fill(flags_.begin(), flags_.end(), static_cast<unsigned char>(kOutside));
  candidates_.resize(graph_.order());
  std::iota(candidates_.begin(), candidates_.end(), Vertex{0});
  starts_.clear();
  census_known_ = false;
}

void HostBounds::tighten(DistanceHandle handle, Vertex source, Distance eccentricity,
                         Distance farthest) {
  const auto distances = distances_of(handle);
  flags_[source] |= kSearched;
  deepest_ = std::max(deepest_, eccentricity);
  census_known_ = false;
  in_chunks(graph_.order(), threads_,
            [=, lower = lower_.data(), upper = upper_.data(), distances = distances.data()](
                std::size_t begin, std::size_t end) {
              for (std::size_t v = begin; v < end; ++v) {
                const Distance d = distances[v];
                lower[v] = std::max(lower[v], std::max(d, eccentricity - d));
                upper[v] = std::min(upper[v], d + farthest);
              }
            });
}

BoundsSummary HostBounds::summary() const {
  if (graph_.order() == 0) return {};
  const auto wider = [](const BoundsSummary& a, const BoundsSummary& b) {
    return BoundsSummary{.max_lower = std::max(a.max_lower, b.max_lower),
                         .max_upper = std::max(a.max_upper, b.max_upper),
                         .min_lower = std::min(a.min_lower, b.min_lower),
                         .min_upper = std::min(a.min_upper, b.min_upper),
                         .candidates = a.candidates};
  };
  const BoundsSummary none{.max_lower = 0,
                           .max_upper = 0,
                           .min_lower = kUnreached,
                           .min_upper = kUnreached,
                           .candidates = static_cast<Vertex>(candidates_.size())};
  return fold(graph_.order(), threads_, none, wider, [&](std::size_t v) {
    return BoundsSummary{.max_lower = lower_[v],
                         .max_upper = upper_[v],
                         .min_lower = lower_[v],
                         .min_upper = upper_[v],
                         .candidates = 0};
  });
}

Vertex HostBounds::prune(Question question) {
  const BoundsSummary all = summary();
  remove_if([&](Vertex v) {
    const Distance lower = lower_[v], upper = upper_[v];
    if (lower == upper) return true;
    switch (question) {
      case Question::diameter:
        return upper <= all.max_lower && 2 * std::uint64_t{lower} >= all.max_upper;
      case Question::radius:
        return lower >= all.min_upper;
      case Question::center:
        return lower > all.min_upper;
      case Question::periphery:
        return upper < all.max_lower;
      case Question::eccentricity:
        return false;
    }
    return false;
  });
  return static_cast<Vertex>(candidates_.size());
}

// The vertex with the largest of key(0), …, key(count - 1).
template <class Key>
Vertex HostBounds::best(std::size_t count, Key key) const {
  const Rank highest = fold(
      count, threads_, kIneligible, [](const Rank& a, const Rank& b) { return std::max(a, b); },
      key);
  return highest == kIneligible ? kNoVertex : static_cast<Vertex>(-highest[3]);
}

Vertex HostBounds::select(Select rule, DistanceHandle handle) const {
  const bool needs_distances = rule == Select::farthest || rule == Select::central;
  const auto distances = needs_distances ? distances_of(handle) : std::span<const Distance>();
  const auto rank = [&](Vertex v, std::int64_t first, std::int64_t second) {
    return Rank{first, second, graph_.degree(v), -std::int64_t{v}};
  };
  const auto among_candidates = [&](auto key) {
    return best(candidates_.size(), [&](std::size_t i) { return key(candidates_[i]); });
  };
  switch (rule) {
    case Select::largest_upper:
      return among_candidates([&](Vertex v) { return rank(v, upper_[v], 0); });
    case Select::smallest_lower:
      return among_candidates([&](Vertex v) { return rank(v, -std::int64_t{lower_[v]}, 0); });
    case Select::largest_difference:
      return among_candidates(
          [&](Vertex v) { return rank(v, std::int64_t{upper_[v]} - lower_[v], 0); });
    case Select::farthest:
      return among_candidates([&](Vertex v) { return rank(v, distances[v], 0); });
    case Select::outside_upper:
      return among_candidates([&](Vertex v) {
        return in(v, Among::outside) ? rank(v, upper_[v], lower_[v]) : kIneligible;
      });
    case Select::central:
      return best(graph_.order(), [&](std::size_t i) {
        const Vertex v = static_cast<Vertex>(i);
        const std::int64_t lower = lower_[v];
        return (flags_[v] & kSearched) == 0 ? rank(v, -(lower + distances[v]), -lower)
                                            : kIneligible;
      });
  }
  return kNoVertex;
}

void HostBounds::copy(std::span<Distance> lower, std::span<Distance> upper) const {
  std::copy(lower_.begin(), lower_.end(), lower.begin());
  std::copy(upper_.begin(), upper_.end(), upper.begin());
}

void HostBounds::restore(std::span<const Distance> lower, std::span<const Distance> upper) {
  reset();
  std::copy(lower.begin(), lower.end(), lower_.begin());
  std::copy(upper.begin(), upper.end(), upper_.begin());
}

Census HostBounds::census() const {
  if (census_known_) return census_;
  const auto both = [](const Census& a, const Census& b) {
    return Census{.candidates = a.candidates,
                  .outside = a.outside + b.outside,
                  .max_upper = std::max(a.max_upper, b.max_upper),
                  .max_upper_outside = std::max(a.max_upper_outside, b.max_upper_outside)};
  };
  census_ = fold(candidates_.size(), threads_, Census{}, both, [&](std::size_t i) {
    const Vertex v = candidates_[i];
    const Distance upper = upper_[v];
    const bool outside = in(v, Among::outside);
    return Census{.candidates = 0,
                  .outside = Vertex{outside},
                  .max_upper = upper,
                  .max_upper_outside = outside ? upper : 0};
  });
  census_.candidates = static_cast<Vertex>(candidates_.size());
  census_known_ = true;
  return census_;
}

bool HostBounds::contains(Vertex candidate) const {
  return std::binary_search(candidates_.begin(), candidates_.end(), candidate);
}

Distance HostBounds::farthest_in(Among among, DistanceHandle handle) const {
  const auto distances = distances_of(handle);
  const auto larger = [](Distance a, Distance b) { return std::max(a, b); };
  return fold(candidates_.size(), threads_, Distance{0}, larger, [&](std::size_t i) {
    return in(candidates_[i], among) ? distances[candidates_[i]] : 0;
  });
}

void HostBounds::eliminate(DistanceHandle handle, Among among, Distance farthest, Distance limit) {
  const auto distances = distances_of(handle);
  if (among == Among::outside)
    return remove_if(
        [&](Vertex v) { return !in(v, Among::outside) && distances[v] + farthest <= limit; });
  census_known_ = false;
  for_candidates([&](Vertex v) { upper_[v] = std::min(upper_[v], distances[v] + farthest); });
  drop(limit);
}

void HostBounds::drop(Distance limit) {
  remove_if([&](Vertex v) { return upper_[v] <= limit; });
}

void HostBounds::set_ball(DistanceHandle center, Distance radius) {
  const auto distances = distances_of(center);
  census_known_ = false;
  for_candidates([&](Vertex v) {
    flags_[v] = static_cast<unsigned char>(distances[v] > radius ? flags_[v] | kOutside
                                                                 : flags_[v] & ~kOutside);
  });
}

std::size_t HostBounds::choose_ball(std::span<const DistanceHandle> centers, Distance radius) {
  std::size_t best = 0;
  Vertex fewest = kNoVertex;
  for (std::size_t c = 0; c < centers.size(); ++c) {
    const auto distances = distances_of(centers[c]);
    const Vertex beyond =
        fold(candidates_.size(), threads_, Vertex{0}, std::plus<>(),
             [&](std::size_t i) { return Vertex{distances[candidates_[i]] > radius}; });
    if (beyond < fewest) best = c, fewest = beyond;
  }
  set_ball(centers[best], radius);
  return best;
}

}  // namespace antipode::host
