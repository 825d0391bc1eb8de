// The bounds of many vertices at once: batches of sources, and sets dropped for the structure
// around them.
#include <algorithm>

#include "engine/host/bounds.hpp"
#include "engine/host/descent.hpp"
#include "engine/host/offset_search.hpp"
#include "graph/folding.hpp"
#include "graph/sample.hpp"

namespace antipode::host {

// Let a vertex be at distance radius + 1 from the center. It is within radius of the clique if and
// only if some shortest path to the center passes the clique.
void HostBounds::widen_ball(DistanceHandle handle, Distance radius,
                            std::span<const Vertex> clique) {
  census_known_ = false;
  const auto distances = distances_of(handle);
  Descent descent(graph_.adjacency(), distances, clique, descent_memory_);
  for (const Vertex v : candidates_)
    if (in(v, Among::outside) && distances[v] == radius + 1 && descent.enters(v))
      flags_[v] &= static_cast<unsigned char>(~kOutside);
}

void HostBounds::drop_pendant_paths() {
  const auto is_base = bases_of_pendant_paths(graph_.adjacency(), threads_);
  remove_if([&](Vertex v) { return is_base[v] != 0; });
}

void HostBounds::drop_twins() {
  std::vector<Vertex> leaving;
  for (const auto& members : twin_classes(graph_.adjacency(), candidates_))
    leaving.insert(leaving.end(), members.begin() + 1, members.end());
  std::sort(leaving.begin(), leaving.end());
  remove_if([&](Vertex v) { return std::binary_search(leaving.begin(), leaving.end(), v); });
}

std::vector<Vertex> HostBounds::lowest(std::size_t most) const {
  std::vector<Vertex> result;
  for (const Vertex v : candidates_) {
    const auto neighbours = graph_.neighbors(v);
    if (std::none_of(neighbours.begin(), neighbours.end(),
                     [&](Vertex u) { return lower_[u] < lower_[v]; }))
      result.push_back(v);
    if (result.size() == most) break;
  }
  return result;
}

void HostBounds::mark_searched(std::span<const Vertex> sources, std::span<SourceOutcome> outcomes) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    outcomes[i].lower_before = lower_[sources[i]];
    flags_[sources[i]] |= kSearched;
  }
  census_known_ = false;
}

void HostBounds::raise_lower(std::span<const Distance> lower) {
  for (std::size_t v = 0; v < lower_.size(); ++v) lower_[v] = std::max(lower_[v], lower[v]);
}

void HostBounds::reduce_upper(std::span<const Distance> upper) {
  for (std::size_t v = 0; v < upper_.size(); ++v) upper_[v] = std::min(upper_[v], upper[v]);
}

// A batch gives the eccentricities, and the largest distance of every vertex to a source. Two
// offset searches do the rest. They may prune by the bounds themselves, since both change by at
// most one from a vertex to its neighbour.
std::vector<SourceOutcome> HostBounds::tighten_from(std::span<const Vertex> sources) {
  std::vector<SourceOutcome> outcomes(sources.size());
  mark_searched(sources, outcomes);
  marks_.assign(graph_.order(), kMarkCandidate);
  std::vector<FarthestDistance> farthest(sources.size());
  find_farthest(sources, {marks_, farthest, lower_});
  std::vector<OffsetSource> starts;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    outcomes[i].eccentricity = farthest[i].candidates;
    starts.push_back({sources[i], farthest[i].candidates});
  }
  descending_offset_search(graph_.adjacency(), starts, lower_);
  offset_search(graph_.adjacency(), std::move(starts), kUnreached - 1, upper_);
  return outcomes;
}

std::vector<Vertex> HostBounds::sample(Among among, std::size_t most, std::uint64_t seed) const {
  std::vector<Vertex> all;
  for (const Vertex v : candidates_)
    if (in(v, among)) all.push_back(v);
  return draw_sample(std::move(all), most, seed);
}

std::vector<FarthestDistance> HostBounds::farthest_from(std::span<const Vertex> sources) {
  marks_.assign(graph_.order(), 0);
  for (const Vertex v : candidates_)
    marks_[v] =
        static_cast<unsigned char>(kMarkCandidate | (in(v, Among::outside) ? kMarkOutside : 0));
  std::vector<FarthestDistance> farthest(sources.size());
  find_farthest(sources, {marks_, farthest, lower_});
  return farthest;
}

void HostBounds::eliminate_around(std::span<const Vertex> sources,
                                  std::span<const FarthestDistance> farthest, Distance limit) {
  auto offsets = starts_.next(sources, farthest, limit);
  if (offsets.is_new) around_.assign(graph_.order(), kUnreached);
  offset_search(graph_.adjacency(), std::move(offsets.candidates), limit, around_);
  census_known_ = false;
  for (const Vertex v : candidates_) upper_[v] = std::min(upper_[v], around_[v]);

  std::vector<Distance> inside(graph_.order(), kUnreached);
  offset_search(graph_.adjacency(), std::move(offsets.outside), limit, inside);
  remove_if([&](Vertex v) {
    return upper_[v] <= limit || (!in(v, Among::outside) && inside[v] <= limit);
  });
}

}  // namespace antipode::host
