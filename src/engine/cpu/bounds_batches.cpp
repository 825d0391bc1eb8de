// The part of the bounds that deals with many vertices at once: batches of sources, and sets
// dropped by what their neighbours are.
#include <algorithm>
#include <atomic>
#include <mutex>

#include "antipode/error.hpp"
#include "engine/cpu/bounds.hpp"
#include "engine/cpu/descent.hpp"
#include "engine/cpu/traversal.hpp"
#include "graph/folding.hpp"
#include "graph/sample.hpp"

namespace antipode::cpu {

// A vertex at radius + 1 from the centre is within radius of the clique just if some shortest path
// to the centre enters it through the clique.
void CpuBounds::widen_ball(Row handle, Distance radius, std::span<const Vertex> clique) {
  outside_count_ = kNoVertex;
  Descent descent(graph_.rows(), row_of_(handle), clique, descent_memory_);
  const auto row = row_of_(handle);
  for (const Vertex v : candidates_)
    if (in(v, Among::outside) && row[v] == radius + 1 && descent.enters(v))
      flags_[v] &= static_cast<unsigned char>(~kOutside);
}

Vertex CpuBounds::drop_stems() {
  const auto stem = stems(graph_.rows(), threads_);
  remove_if([&](Vertex v) { return stem[v] != 0; });
  return count(Among::candidates);
}

Vertex CpuBounds::drop_twins() {
  std::vector<Vertex> leaving;
  for (const auto& members : twin_classes(graph_.rows(), candidates_))
    leaving.insert(leaving.end(), members.begin() + 1, members.end());
  std::sort(leaving.begin(), leaving.end());
  remove_if([&](Vertex v) { return std::binary_search(leaving.begin(), leaving.end(), v); });
  return count(Among::candidates);
}

std::vector<Vertex> CpuBounds::lowest(std::size_t most) const {
  std::vector<Vertex> result;
  for (const Vertex v : candidates_) {
    const auto row = graph_.neighbors(v);
    if (std::none_of(row.begin(), row.end(), [&](Vertex u) { return lower_[u] < lower_[v]; }))
      result.push_back(v);
    if (result.size() == most) break;
  }
  return result;
}

std::vector<Settled> CpuBounds::settle(std::span<const Vertex> sources) {
  constexpr Distance kDeep =
      200;  // from here on lanes meet so rarely that each thread had better search alone
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

// Lanes give the eccentricities and the largest distance of every vertex to a source; two offset
// searches do the rest. They may prune by the bounds themselves, since both change by at most one
// from a vertex to its neighbour.
void CpuBounds::settle_by_lanes(std::span<const Vertex> sources, std::span<Settled> settled) {
  marks_.assign(graph_.order(), kMarkCandidate);
  std::vector<Reach> reaches(sources.size());
  lanes_.reach(sources, {marks_, reaches, lower_});
  std::vector<WaveStart> starts;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    settled[i].eccentricity = reaches[i].candidates;
    starts.push_back({sources[i], reaches[i].candidates});
  }
  descending_offset_search(graph_.rows(), starts, lower_);
  offset_search(graph_.rows(), std::move(starts), kUnreached - 1, upper_);
}

void CpuBounds::settle_by_searches(std::span<const Vertex> sources, std::span<Settled> settled) {
  std::atomic<std::size_t> next{0};
  std::mutex adding;
  in_team(threads_, [&](int) {
    Traversal traversal(graph_, 1);
    std::vector<Distance> row(graph_.order()), lower(graph_.order(), 0),
        upper(graph_.order(), kUnreached);
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < sources.size();) {
      if (interrupted_()) {
        next.store(sources.size(), std::memory_order_relaxed);
        throw Interrupted();
      }
      const Distance e = settled[i].eccentricity =
          traversal.run(sources[i], row, [] { return false; }).eccentricity;
      for (Vertex v = 0; v < graph_.order(); ++v) {
        lower[v] = std::max(lower[v], std::max(row[v], e - row[v]));
        upper[v] = std::min(upper[v], row[v] + e);
      }
    }
    const std::lock_guard lock(adding);
    for (Vertex v = 0; v < graph_.order(); ++v) {
      lower_[v] = std::max(lower_[v], lower[v]);
      upper_[v] = std::min(upper_[v], upper[v]);
    }
  });
}

std::vector<Vertex> CpuBounds::sample(Among among, std::size_t most, std::uint64_t seed) const {
  std::vector<Vertex> all;
  for (const Vertex v : candidates_)
    if (in(v, among)) all.push_back(v);
  return sampled(std::move(all), most, seed);
}

std::vector<Reach> CpuBounds::reach(std::span<const Vertex> sources) {
  marks_.assign(graph_.order(), 0);
  for (const Vertex v : candidates_)
    marks_[v] =
        static_cast<unsigned char>(kMarkCandidate | (in(v, Among::outside) ? kMarkOutside : 0));
  std::vector<Reach> reaches(sources.size());
  lanes_.reach(sources, {marks_, reaches, lower_});
  return reaches;
}

void CpuBounds::drop_around(std::span<const Vertex> sources, std::span<const Reach> reaches,
                            Distance limit) {
  auto waves = starts_.next(sources, reaches, limit);
  if (waves.is_new) around_.assign(graph_.order(), kUnreached);
  offset_search(graph_.rows(), std::move(waves.candidates), limit, around_);
  for (const Vertex v : candidates_) upper_[v] = std::min(upper_[v], around_[v]);

  std::vector<Distance> inside(graph_.order(), kUnreached);
  offset_search(graph_.rows(), std::move(waves.outside), limit, inside);
  remove_if([&](Vertex v) {
    return upper_[v] <= limit || (!in(v, Among::outside) && inside[v] <= limit);
  });
}

}  // namespace antipode::cpu
