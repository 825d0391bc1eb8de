#include "engine/cpu/bounds.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "antipode/error.hpp"
#include "engine/cpu/descent.hpp"
#include "engine/cpu/traversal.hpp"
#include "engine/cpu/twins.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

namespace {

using Rank = std::array<std::int64_t, 4>;       // compared from the left; the last entry makes equals differ
constexpr Rank kIneligible{std::numeric_limits<std::int64_t>::min(), 0, 0, 0};

}  // namespace

CpuBounds::CpuBounds(const Graph& graph, int threads, RowOf row_of, Lanes& lanes, Interrupt interrupted)
    : graph_(graph), threads_(threads), row_of_(std::move(row_of)), lanes_(lanes), interrupted_(std::move(interrupted)), lower_(graph.order()), upper_(graph.order()), flags_(graph.order()) {
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
#pragma omp parallel for simd num_threads(threads_) if (graph_.order() > kWorthThreads)
  for (Vertex v = 0; v < graph_.order(); ++v) {
    const Distance d = row[v];
    lower_[v] = std::max(lower_[v], std::max(d, eccentricity - d));
    upper_[v] = std::min(upper_[v], d + reach);
  }
}

BoundsSummary CpuBounds::summary() const {
  if (graph_.order() == 0) return {};
  Distance max_lower = 0, max_upper = 0, min_lower = kUnreached, min_upper = kUnreached;
#pragma omp parallel for simd num_threads(threads_) if (graph_.order() > kWorthThreads) reduction(max : max_lower, max_upper) reduction(min : min_lower, min_upper)
  for (Vertex v = 0; v < graph_.order(); ++v) {
    max_lower = std::max(max_lower, lower_[v]);
    max_upper = std::max(max_upper, upper_[v]);
    min_lower = std::min(min_lower, lower_[v]);
    min_upper = std::min(min_upper, upper_[v]);
  }
  return {max_lower, max_upper, min_lower, min_upper, count(Among::candidates)};
}

// Removes the candidates for which leaves(v) holds. Each thread packs its stretch, then the stretches close up.
template <class Leaves>
void CpuBounds::remove_if(Leaves leaves) {
  const int team = candidates() > kWorthThreads ? threads_ : 1;
  std::vector<std::size_t> ends(static_cast<std::size_t>(team));
  const auto begin_of = [&](std::size_t part) { return candidates() * part / ends.size(); };
#pragma omp parallel for num_threads(team) schedule(static, 1)
  for (std::size_t part = 0; part < ends.size(); ++part) {
    std::size_t out = begin_of(part);
    for (std::size_t i = begin_of(part); i < begin_of(part + 1); ++i)
      if (!leaves(candidates_[i])) candidates_[out++] = candidates_[i];
    ends[part] = out;
  }
  auto out = candidates_.begin() + static_cast<std::ptrdiff_t>(ends[0]);
  for (std::size_t part = 1; part < ends.size(); ++part)
    out = std::copy(candidates_.begin() + static_cast<std::ptrdiff_t>(begin_of(part)),
                    candidates_.begin() + static_cast<std::ptrdiff_t>(ends[part]), out);
  if (out != candidates_.end()) outside_count_ = kNoVertex;
  candidates_.erase(out, candidates_.end());
}

Vertex CpuBounds::prune(Question question) {
  const BoundsSummary all = summary();
  remove_if([&](Vertex v) {
    const Distance lower = lower_[v], upper = upper_[v];
    if (lower == upper) return true;
    switch (question) {
      case Question::diameter: return upper <= all.max_lower && 2 * std::uint64_t{lower} >= all.max_upper;
      case Question::radius: return lower >= all.min_upper;
      case Question::center: return lower > all.min_upper;
      case Question::periphery: return upper < all.max_lower;
      case Question::eccentricity: return false;
    }
    return false;
  });
  return count(Among::candidates);
}

// The vertex of the largest of key(0), …, key(count - 1); each key ends in minus the vertex.
template <class Key>
Vertex CpuBounds::best(std::size_t count, Key key) const {
  Rank highest = kIneligible;
#pragma omp parallel num_threads(threads_) if (count > kWorthThreads)
  {
    Rank top = kIneligible;
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < count; ++i) top = std::max(top, key(i));
#pragma omp critical(antipode_cpu_best)
    highest = std::max(highest, top);
  }
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
    case Select::largest_upper: return among_candidates([&](Vertex v) { return rank(v, upper_[v], 0); });
    case Select::smallest_lower: return among_candidates([&](Vertex v) { return rank(v, -std::int64_t{lower_[v]}, 0); });
    case Select::largest_difference:
      return among_candidates([&](Vertex v) { return rank(v, std::int64_t{upper_[v]} - lower_[v], 0); });
    case Select::farthest: return among_candidates([&](Vertex v) { return rank(v, row[v], 0); });
    case Select::outside_upper:
      return among_candidates([&](Vertex v) { return in(v, Among::outside) ? rank(v, upper_[v], lower_[v]) : kIneligible; });
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

Vertex CpuBounds::count(Among among) const {
  if (among == Among::candidates) return static_cast<Vertex>(candidates());
  if (outside_count_ != kNoVertex) return outside_count_;
  Vertex total = 0;
#pragma omp parallel for num_threads(threads_) if (candidates() > kWorthThreads) reduction(+ : total)
  for (std::size_t i = 0; i < candidates(); ++i) total += in(candidates_[i], among) ? 1 : 0;
  return outside_count_ = total;
}

template <class Value>
Distance CpuBounds::largest(Among among, Value value) const {
  Distance result = 0;
#pragma omp parallel for num_threads(threads_) if (candidates() > kWorthThreads) reduction(max : result)
  for (std::size_t i = 0; i < candidates(); ++i)
    if (in(candidates_[i], among)) result = std::max(result, value(candidates_[i]));
  return result;
}

bool CpuBounds::is_candidate(Vertex v) const { return std::binary_search(candidates_.begin(), candidates_.end(), v); }

Distance CpuBounds::max_upper(Among among) const {
  return largest(among, [&](Vertex v) { return upper_[v]; });
}

Distance CpuBounds::reach(Row handle, Among among) const {
  const auto row = row_of_(handle);
  return largest(among, [&](Vertex v) { return row[v]; });
}

void CpuBounds::tighten_candidates(Row handle, Distance reach) {
  const auto row = row_of_(handle);
#pragma omp parallel for num_threads(threads_) if (candidates() > kWorthThreads)
  for (std::size_t i = 0; i < candidates(); ++i) {
    const Vertex v = candidates_[i];
    upper_[v] = std::min(upper_[v], row[v] + reach);
  }
}

void CpuBounds::drop(Distance limit) {
  remove_if([&](Vertex v) { return upper_[v] <= limit; });
}

void CpuBounds::drop_inside(Row handle, Distance reach, Distance limit) {
  const auto row = row_of_(handle);
  remove_if([&](Vertex v) { return !in(v, Among::outside) && row[v] + reach <= limit; });
}

Vertex CpuBounds::count_beyond(Row handle, Distance radius) const {
  const auto row = row_of_(handle);
  Vertex total = 0;
#pragma omp parallel for num_threads(threads_) if (candidates() > kWorthThreads) reduction(+ : total)
  for (std::size_t i = 0; i < candidates(); ++i) total += row[candidates_[i]] > radius ? 1 : 0;
  return total;
}

void CpuBounds::set_ball(Row handle, Distance radius) {
  const auto row = row_of_(handle);
  outside_count_ = kNoVertex;
#pragma omp parallel for num_threads(threads_) if (candidates() > kWorthThreads)
  for (std::size_t i = 0; i < candidates(); ++i) {
    auto& flags = flags_[candidates_[i]];
    flags = static_cast<unsigned char>(row[candidates_[i]] > radius ? flags | kOutside : flags & ~kOutside);
  }
}

// A vertex at radius + 1 from the centre is within radius of the clique just if some shortest path to the centre enters it
// through the clique.
void CpuBounds::widen_ball(Row handle, Distance radius, std::span<const Vertex> clique) {
  outside_count_ = kNoVertex;
  Descent descent(graph_, row_of_(handle), clique, descent_memory_);
  const auto row = row_of_(handle);
  for (const Vertex v : candidates_)
    if (in(v, Among::outside) && row[v] == radius + 1 && descent.enters(v)) flags_[v] &= static_cast<unsigned char>(~kOutside);
}

std::vector<std::vector<Vertex>> CpuBounds::drop_twins() {
  auto classes = twin_classes(graph_, candidates_);
  std::vector<Vertex> leaving;
  for (const auto& members : classes) leaving.insert(leaving.end(), members.begin() + 1, members.end());
  std::sort(leaving.begin(), leaving.end());
  remove_if([&](Vertex v) { return std::binary_search(leaving.begin(), leaving.end(), v); });
  return classes;
}

std::vector<Vertex> CpuBounds::lowest(std::size_t most) const {
  std::vector<Vertex> result;
  for (const Vertex v : candidates_) {
    const auto row = graph_.neighbors(v);
    if (std::none_of(row.begin(), row.end(), [&](Vertex u) { return lower_[u] < lower_[v]; })) result.push_back(v);
    if (result.size() == most) break;
  }
  return result;
}

std::vector<Settled> CpuBounds::settle(std::span<const Vertex> sources) {
  constexpr Distance kDeep = 200;  // from here on lanes meet so rarely that each thread had better search alone
  std::vector<Settled> settled(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    settled[i].lower_before = lower_[sources[i]];
    flags_[sources[i]] |= kSearched;
  }
  if (levels_ > kDeep) {
    settle_by_searches(sources, settled);
  } else {
    settle_by_lanes(sources, settled);
  }
  return settled;
}

// Lanes give the eccentricities and the largest distance of every vertex to a source; two offset searches do the rest. They may
// prune by the bounds themselves, since both change by at most one from a vertex to its neighbour.
void CpuBounds::settle_by_lanes(std::span<const Vertex> sources, std::span<Settled> settled) {
  marks_.assign(graph_.order(), kMarkCandidate);
  std::vector<Reach> reaches(sources.size());
  lanes_.reach(sources, {marks_, reaches, lower_});
  std::vector<OffsetStart> starts;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    settled[i].eccentricity = reaches[i].candidates;
    starts.push_back({sources[i], reaches[i].candidates});
  }
  descending_offset_search(graph_, starts, lower_);
  offset_search(graph_, std::move(starts), kUnreached - 1, upper_);
}

void CpuBounds::settle_by_searches(std::span<const Vertex> sources, std::span<Settled> settled) {
  bool stopped = false;
#pragma omp parallel num_threads(threads_)
  {
    Traversal traversal(graph_, 1);
    std::vector<Distance> row(graph_.order()), lower(graph_.order(), 0), upper(graph_.order(), kUnreached);
#pragma omp for schedule(dynamic, 1)
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (relaxed_load(stopped)) continue;
      if (interrupted_()) {
        relaxed_store(stopped, true);
        continue;
      }
      const Distance e = settled[i].eccentricity = traversal.run(sources[i], row, [] { return false; }).eccentricity;
      for (Vertex v = 0; v < graph_.order(); ++v) {
        lower[v] = std::max(lower[v], std::max(row[v], e - row[v]));
        upper[v] = std::min(upper[v], row[v] + e);
      }
    }
#pragma omp critical(antipode_cpu_settle)
    for (Vertex v = 0; v < graph_.order(); ++v) {
      lower_[v] = std::max(lower_[v], lower[v]);
      upper_[v] = std::min(upper_[v], upper[v]);
    }
  }
  if (stopped) throw Interrupted();
}

std::vector<Vertex> CpuBounds::sample(Among among, std::size_t most, std::uint64_t seed) const {
  std::vector<Vertex> all;
  for (const Vertex v : candidates_)
    if (in(v, among)) all.push_back(v);
  if (all.size() <= most) return all;
  std::vector<Vertex> chosen;
  std::mt19937_64 random(seed);
  std::sample(all.begin(), all.end(), std::back_inserter(chosen), most, random);
  return chosen;
}

std::vector<Reach> CpuBounds::reach(std::span<const Vertex> sources) {
  marks_.assign(graph_.order(), 0);
  for (const Vertex v : candidates_) marks_[v] = static_cast<unsigned char>(kMarkCandidate | (in(v, Among::outside) ? kMarkOutside : 0));
  std::vector<Reach> reaches(sources.size());
  lanes_.reach(sources, {marks_, reaches, lower_});
  return reaches;
}

void CpuBounds::drop_around(std::span<const Vertex> sources, std::span<const Reach> reaches, Distance limit) {
  std::vector<OffsetStart> fresh, outside;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    fresh.push_back({sources[i], reaches[i].candidates});
    outside.push_back({sources[i], reaches[i].outside});
  }
  const bool again = starts_.empty() || limit != around_limit_;  // values beyond an older limit were not followed
  starts_.insert(starts_.end(), fresh.begin(), fresh.end());
  if (again) around_.assign(graph_.order(), kUnreached);
  around_limit_ = limit;
  offset_search(graph_, again ? starts_ : std::move(fresh), limit, around_);
  for (const Vertex v : candidates_) upper_[v] = std::min(upper_[v], around_[v]);

  std::vector<Distance> inside(graph_.order(), kUnreached);
  offset_search(graph_, std::move(outside), limit, inside);
  remove_if([&](Vertex v) { return upper_[v] <= limit || (!in(v, Among::outside) && inside[v] <= limit); });
}

}  // namespace antipode::cpu
