#include "engine/cpu/bounds.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "graph/parallel.hpp"

namespace antipode::cpu {

namespace {

using Rank =
    std::array<std::int64_t, 4>;  // compared from the left; the last entry makes equals differ
constexpr Rank kIneligible{std::numeric_limits<std::int64_t>::min(), 0, 0, 0};

}  // namespace

CpuBounds::CpuBounds(const Graph& graph, int threads, RowOf row_of, Lanes& lanes,
                     Interrupt interrupted)
    : graph_(graph),
      threads_(threads),
      row_of_(std::move(row_of)),
      lanes_(lanes),
      interrupted_(std::move(interrupted)),
      lower_(graph.order()),
      upper_(graph.order()),
      flags_(graph.order()) {
  reset();
}

void CpuBounds::reset() {
  std::fill(lower_.begin(), lower_.end(), Distance{0});
  std::fill(upper_.begin(), upper_.end(), graph_.order());
  std::fill(flags_.begin(), flags_.end(), static_cast<unsigned char>(kOutside));
  candidates_.resize(graph_.order());
  std::iota(candidates_.begin(), candidates_.end(), Vertex{0});
  starts_.clear();
  outside_count_ = graph_.order();
}

void CpuBounds::tighten(Row handle, Vertex source, Distance eccentricity, Distance reach) {
  const auto row = row_of_(handle);
  flags_[source] |= kSearched;
  levels_ = std::max(levels_, eccentricity);
  in_stretches(graph_.order(), threads_,
               [=, lower = lower_.data(), upper = upper_.data(), distances = row.data()](
                   std::size_t begin, std::size_t end) {
                 for (std::size_t v = begin; v < end; ++v) {
                   const Distance d = distances[v];
                   lower[v] = std::max(lower[v], std::max(d, eccentricity - d));
                   upper[v] = std::min(upper[v], d + reach);
                 }
               });
}

BoundsSummary CpuBounds::summary() const {
  if (graph_.order() == 0) return {};
  const auto wider = [](const BoundsSummary& a, const BoundsSummary& b) {
    return BoundsSummary{std::max(a.max_lower, b.max_lower), std::max(a.max_upper, b.max_upper),
                         std::min(a.min_lower, b.min_lower), std::min(a.min_upper, b.min_upper),
                         a.candidates};
  };
  return folded(graph_.order(), threads_,
                BoundsSummary{0, 0, kUnreached, kUnreached, count(Among::candidates)}, wider,
                [&](std::size_t v) {
                  return BoundsSummary{lower_[v], upper_[v], lower_[v], upper_[v], 0};
                });
}

Vertex CpuBounds::prune(Question question) {
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
  return count(Among::candidates);
}

// The vertex of the largest of key(0), …, key(count - 1); each key ends in minus the vertex.
template <class Key>
Vertex CpuBounds::best(std::size_t count, Key key) const {
  const Rank highest = folded(
      count, threads_, kIneligible, [](const Rank& a, const Rank& b) { return std::max(a, b); },
      key);
  return highest == kIneligible ? kNoVertex : static_cast<Vertex>(-highest[3]);
}

Vertex CpuBounds::select(Select rule, Row handle) const {
  const bool needs_row = rule == Select::farthest || rule == Select::central;
  const auto row = needs_row ? row_of_(handle) : std::span<const Distance>();
  const auto rank = [&](Vertex v, std::int64_t first, std::int64_t second) {
    return Rank{first, second, graph_.degree(v), -std::int64_t{v}};
  };
  const auto among_candidates = [&](auto key) {
    return best(candidates(), [&](std::size_t i) { return key(candidates_[i]); });
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
      return among_candidates([&](Vertex v) { return rank(v, row[v], 0); });
    case Select::outside_upper:
      return among_candidates([&](Vertex v) {
        return in(v, Among::outside) ? rank(v, upper_[v], lower_[v]) : kIneligible;
      });
    case Select::central:
      return best(graph_.order(), [&](std::size_t i) {
        const Vertex v = static_cast<Vertex>(i);
        const std::int64_t lower = lower_[v];
        return (flags_[v] & kSearched) == 0 ? rank(v, -(lower + row[v]), -lower) : kIneligible;
      });
  }
  return kNoVertex;
}

void CpuBounds::copy(std::span<Distance> lower, std::span<Distance> upper) const {
  std::copy(lower_.begin(), lower_.end(), lower.begin());
  std::copy(upper_.begin(), upper_.end(), upper.begin());
}

void CpuBounds::restore(std::span<const Distance> lower, std::span<const Distance> upper) {
  reset();
  std::copy(lower.begin(), lower.end(), lower_.begin());
  std::copy(upper.begin(), upper.end(), upper_.begin());
}

Vertex CpuBounds::count(Among among) const {
  if (among == Among::candidates) return static_cast<Vertex>(candidates());
  if (outside_count_ != kNoVertex) return outside_count_;
  return outside_count_ = folded(candidates(), threads_, Vertex{0}, std::plus<>(),
                                 [&](std::size_t i) { return Vertex{in(candidates_[i], among)}; });
}

template <class Value>
Distance CpuBounds::largest(Among among, Value value) const {
  const auto larger = [](Distance a, Distance b) { return std::max(a, b); };
  return folded(candidates(), threads_, Distance{0}, larger, [&](std::size_t i) {
    return in(candidates_[i], among) ? value(candidates_[i]) : 0;
  });
}

bool CpuBounds::is_candidate(Vertex v) const {
  return std::binary_search(candidates_.begin(), candidates_.end(), v);
}

Distance CpuBounds::max_upper(Among among) const {
  return largest(among, [&](Vertex v) { return upper_[v]; });
}

Distance CpuBounds::reach(Row handle, Among among) const {
  const auto row = row_of_(handle);
  return largest(among, [&](Vertex v) { return row[v]; });
}

void CpuBounds::tighten_candidates(Row handle, Distance reach) {
  const auto row = row_of_(handle);
  for_candidates([&](Vertex v) { upper_[v] = std::min(upper_[v], row[v] + reach); });
}

void CpuBounds::drop(Distance limit) {
  remove_if([&](Vertex v) { return upper_[v] <= limit; });
}

void CpuBounds::drop_inside(Row handle, Distance reach, Distance limit) {
  const auto row = row_of_(handle);
  remove_if([&](Vertex v) { return !in(v, Among::outside) && row[v] + reach <= limit; });
}

std::vector<Vertex> CpuBounds::count_beyond(std::span<const Row> rows, Distance radius) const {
  std::vector<Vertex> result;
  for (const Row handle : rows) {
    const auto row = row_of_(handle);
    result.push_back(folded(candidates(), threads_, Vertex{0}, std::plus<>(),
                            [&](std::size_t i) { return Vertex{row[candidates_[i]] > radius}; }));
  }
  return result;
}

void CpuBounds::set_ball(Row handle, Distance radius) {
  const auto row = row_of_(handle);
  outside_count_ = kNoVertex;
  for_candidates([&](Vertex v) {
    flags_[v] =
        static_cast<unsigned char>(row[v] > radius ? flags_[v] | kOutside : flags_[v] & ~kOutside);
  });
}

}  // namespace antipode::cpu
