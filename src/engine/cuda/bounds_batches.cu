// The part of the bounds that deals with many sources at once.
#include <algorithm>

#include "engine/cuda/bounds.hpp"
#include "engine/cuda/flags.hpp"
#include "graph/sample.hpp"

namespace antipode::cuda {

std::vector<Vertex> CudaBounds::lowest(std::size_t most) const {
  auto result = reducer_.those(order(), [view = view_, lower = lower_.data(), flags = flags_.data()] __device__(Vertex v) {
    if ((flags[v] & kCandidate) == 0) return false;
    const Vertex* row = view.targets + view.begin(v);
    for (Vertex i = 0, degree = view.degree(v); i < degree; ++i)
      if (lower[row[i]] < lower[v]) return false;
    return true;
  });
  if (result.size() > most) result.resize(most);
  return result;
}

// Lanes give the eccentricities and the largest distance of every vertex to a source; two offset searches do the rest. They may
// prune by the bounds themselves, since both change by at most one from a vertex to its neighbour.
std::vector<Settled> CudaBounds::settle(std::span<const Vertex> sources) {
  std::vector<Settled> settled(sources.size());
  Buffer<Vertex> list(sources.size());
  Buffer<Distance> before(sources.size());
  context_.upload(list.data(), sources);
  for_each(context_, sources.size(), [list = list.data(), before = before.data(), lower = lower_.data(), flags = flags_.data()] __device__(std::size_t i) {
    before[i] = lower[list[i]];
    flags[list[i]] |= kSearched;  // sources may repeat; all write the same
  });
  std::vector<Distance> lower_before(sources.size());
  context_.download(std::span<Distance>(lower_before), before.data());
  std::vector<WaveStart> starts;
  for (std::size_t begin = 0; begin < sources.size(); begin += lanes_.most()) {
    const auto part = sources.subspan(begin, std::min(lanes_.most(), sources.size() - begin));
    const auto reaches = lanes_.reach(part, {nullptr, lower_.data(), std::uint64_t{order()}});
    for (std::size_t i = 0; i < part.size(); ++i) {
      settled[begin + i] = {reaches[i].candidates, lower_before[begin + i]};
      starts.push_back({part[i], reaches[i].candidates});
    }
  }
  waves_.descending_offset_search(starts, lower_.data());
  waves_.offset_search(std::move(starts), kUnreached - 1, upper_.data());
  forget();
  return settled;
}

std::vector<Vertex> CudaBounds::sample(Among among, std::size_t most, std::uint64_t seed) const {
  return sampled(reducer_.those(order(), [mask = mask_of(among), flags = flags_.data()] __device__(Vertex v) { return (flags[v] & mask) != 0; }), most, seed);
}

std::vector<Reach> CudaBounds::reach(std::span<const Vertex> sources) {
  return lanes_.reach(sources, {flags_.data(), lower_.data(), count(Among::candidates)});
}

void CudaBounds::drop_around(std::span<const Vertex> sources, std::span<const Reach> reaches, Distance limit) {
  if (around_.size() == 0) around_ = Buffer<Distance>(order());
  if (inside_.size() == 0) inside_ = Buffer<Distance>(order());
  auto waves = starts_.next(sources, reaches, limit);
  if (waves.is_new) context_.fill_bytes(around_.data(), 0xFF, order());
  waves_.offset_search(std::move(waves.candidates), limit, around_.data());
  context_.fill_bytes(inside_.data(), 0xFF, order());
  waves_.offset_search(std::move(waves.outside), limit, inside_.data());
  for_each(context_, order(), [=, around = around_.data(), inside = inside_.data(), upper = upper_.data(), flags = flags_.data()] __device__(std::size_t v) {
    if ((flags[v] & kCandidate) == 0) return;
    upper[v] = min(upper[v], around[v]);
    if (upper[v] <= limit || ((flags[v] & kOutside) == 0 && inside[v] <= limit)) flags[v] &= kSearched;
  });
  forget();
}

}  // namespace antipode::cuda
