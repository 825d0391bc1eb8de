// The part of the bounds that deals with many sources at once.
#include <algorithm>

#include "engine/cuda/batch/lanes.hpp"
#include "engine/cuda/batch/waves.hpp"
#include "engine/cuda/bounds/bounds.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/layout/flags.hpp"
#include "graph/sample.hpp"

namespace antipode::cuda {

namespace {

struct ConcurrentRows {
  const Distance* rows;  // one after the other
  unsigned count;
  Vertex order;
  Distance *lower, *upper;
  unsigned char* flags;
  FarthestDistance* reaches;
  const Distance* around;  // by the waves of other batches
};

// How far each row reaches, among candidates and among those outside; and what its distances say of
// the candidates' eccentricities.
__global__ void reach_of_rows_kernel(const ConcurrentRows job) {
  constexpr unsigned kAtOnce = 8;  // rows on their way
  __shared__ FarthestDistance found[Lanes::kMost];
  for (unsigned i = threadIdx.x; i < job.count; i += blockDim.x) found[i] = {};
  __syncthreads();
  const std::size_t rounded = (std::size_t{job.order} + kWarp - 1) / kWarp * kWarp;
  for (std::size_t v = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; v < rounded;
       v += std::size_t{gridDim.x} * blockDim.x) {
    const bool here = v < job.order;
    const unsigned char flags = here ? job.flags[v] : 0;
    if (!__any_sync(~0u, (flags & kCandidate) != 0)) continue;
    Distance most = 0;
    for (unsigned first = 0; first < job.count; first += kAtOnce) {
      Distance d[kAtOnce];
      for (unsigned k = 0; k < kAtOnce; ++k)
        d[k] = here && first + k < job.count ? job.rows[(first + k) * std::size_t{job.order} + v]
                                             : kUnreached;
      for (unsigned k = 0; k < kAtOnce && first + k < job.count; ++k) {
        if (d[k] == kUnreached) d[k] = 0;
        most = max(most, d[k]);
        const Distance candidates = __reduce_max_sync(~0u, (flags & kCandidate) != 0 ? d[k] : 0),
                       outside = __reduce_max_sync(~0u, (flags & kOutside) != 0 ? d[k] : 0);
        FarthestDistance& reach = found[first + k];
        if (lane() == 0 && candidates > fresh(&reach.candidates))
          atomicMax(&reach.candidates, candidates);
        if (lane() == 0 && outside > fresh(&reach.outside)) atomicMax(&reach.outside, outside);
      }
    }
    if (here && job.lower[v] < most) job.lower[v] = most;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < job.count; i += blockDim.x) {
    atomicMax(&job.reaches[i].candidates, found[i].candidates);
    atomicMax(&job.reaches[i].outside, found[i].outside);
  }
}

// Who is no farther than that from a source, by way of which everybody is near enough, leaves.
__global__ void drop_around_rows_kernel(const ConcurrentRows job, Distance limit) {
  for (std::size_t v = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; v < job.order;
       v += std::size_t{gridDim.x} * blockDim.x) {
    const unsigned char flags = job.flags[v];
    if ((flags & kCandidate) == 0) continue;
    Distance upper = min(job.upper[v], job.around[v]), inside = kUnreached;
    for (unsigned i = 0; i < job.count; ++i) {
      const Distance d = job.rows[i * std::size_t{job.order} + v];
      if (d == kUnreached) continue;
      upper = min(upper, d + job.reaches[i].candidates);
      inside = min(inside, d + job.reaches[i].outside);
    }
    job.upper[v] = upper;
    if (upper <= limit || ((flags & kOutside) == 0 && inside <= limit))
      job.flags[v] = flags & kSearched;
  }
}

}  // namespace

std::vector<Vertex> CudaBounds::lowest(std::size_t most) const {
  auto result = reducer_.indices_where(
      order(), [view = view_, lower = lower_data(), flags = flags_data()] __device__(Vertex v) {
        if ((flags[v] & kCandidate) == 0) return false;
        const Vertex* row = view.targets + view.begin(v);
        for (Vertex i = 0, degree = view.degree(v); i < degree; ++i)
          if (lower[row[i]] < lower[v]) return false;
        return true;
      });
  if (result.size() > most) result.resize(most);
  return result;
}

// Lanes give the eccentricities and the largest distance of every vertex to a source; two offset
// searches do the rest. They may prune by the bounds themselves, since both change by at most one
// from a vertex to its neighbour.
std::vector<SourceOutcome> CudaBounds::tighten_from(std::span<const Vertex> sources) {
  forget();
  std::vector<SourceOutcome> outcomes(sources.size());
  Buffer<Vertex> list(sources.size());
  Buffer<Distance> before(sources.size());
  context_.upload(list.data(), sources);
  for_each(context_, sources.size(),
           [list = list.data(), before = before.data(), lower = lower_data(),
            flags = flags_data()] __device__(std::size_t i) {
             before[i] = lower[list[i]];
             flags[list[i]] |= kSearched;  // sources may repeat; all write the same
           });
  std::vector<Distance> lower_before(sources.size());
  context_.download(std::span<Distance>(lower_before), before.data());
  std::vector<host::WaveStart> starts;
  for (std::size_t begin = 0; begin < sources.size(); begin += lanes_.most()) {
    const auto part = sources.subspan(begin, std::min(lanes_.most(), sources.size() - begin));
    const auto reaches =
        lanes_.farthest_from(part, {nullptr, lower_data(), std::uint64_t{order()}});
    for (std::size_t i = 0; i < part.size(); ++i) {
      outcomes[begin + i] = {reaches[i].candidates, lower_before[begin + i]};
      starts.push_back({part[i], reaches[i].candidates});
    }
  }
  waves_.descending_offset_search(starts, lower_data());
  waves_.offset_search(std::move(starts), kUnreached - 1, upper_data());
  return outcomes;
}

std::vector<Vertex> CudaBounds::sample(Among among, std::size_t most, std::uint64_t seed) const {
  return sampled(
      reducer_.indices_where(order(), [mask = mask_of(among), flags = flags_data()] __device__(
                                          Vertex v) { return (flags[v] & mask) != 0; }),
      most, seed);
}

// Few sources on a road: all rows are there at once, and answer what else would take two more
// searches.
std::vector<FarthestDistance> CudaBounds::farthest_from(std::span<const Vertex> sources) {
  concurrent_.clear();
  if (!sources.empty() && sources.size() <= lanes_.concurrent() && lanes_.concurrent() > 1) {
    if (concurrent_distances_.size() == 0) {
      concurrent_farthest_ = Buffer<FarthestDistance>(lanes_.concurrent());
      concurrent_distances_ = Buffer<Distance>(lanes_.concurrent() * order());
    }
    if (lanes_.search_concurrently(sources, concurrent_distances_.data())) {
      concurrent_.assign(sources.begin(), sources.end());
      return reach_of_rows();
    }
  }
  const Vertex candidates = counts().candidates;
  best_outside_.reset();  // lower bounds may rise
  return lanes_.farthest_from(sources, {flags_data(), lower_data(), candidates});
}

std::vector<FarthestDistance> CudaBounds::reach_of_rows() {
  best_outside_.reset();  // lower bounds may rise
  context_.fill_bytes(concurrent_farthest_.data(), 0, concurrent_.size());
  const ConcurrentRows job{concurrent_distances_.data(),
                           static_cast<unsigned>(concurrent_.size()),
                           order(),
                           lower_data(),
                           upper_data(),
                           flags_data(),
                           concurrent_farthest_.data(),
                           nullptr};
  reach_of_rows_kernel<<<context_.blocks_for(order()), Context::kThreads, 0, context_.stream()>>>(
      job);
  check(cudaGetLastError(), "launching a kernel");
  std::vector<FarthestDistance> reaches(concurrent_.size());
  context_.download(std::span<FarthestDistance>(reaches), concurrent_farthest_.data());
  return reaches;
}

void CudaBounds::drop_around_rows(std::span<const FarthestDistance> reaches, Distance limit) {
  context_.upload(concurrent_farthest_.data(), reaches);
  const ConcurrentRows job{concurrent_distances_.data(),
                           static_cast<unsigned>(concurrent_.size()),
                           order(),
                           lower_data(),
                           upper_data(),
                           flags_data(),
                           concurrent_farthest_.data(),
                           around_.data()};
  drop_around_rows_kernel<<<context_.blocks_for(order()), Context::kThreads, 0,
                            context_.stream()>>>(job, limit);
  check(cudaGetLastError(), "launching a kernel");
  forget();
}

void CudaBounds::eliminate_around(std::span<const Vertex> sources,
                                  std::span<const FarthestDistance> reaches, Distance limit) {
  const bool has_rows = !sources.empty() && std::equal(sources.begin(), sources.end(),
                                                       concurrent_.begin(), concurrent_.end());
  const std::size_t waving = has_rows ? 0 : sources.size();
  if (around_.size() == 0) around_ = Buffer<Distance>(order());
  auto waves = starts_.next(sources.first(waving), reaches.first(waving), limit);
  if (waves.is_new) context_.fill_bytes(around_.data(), 0xFF, order());
  waves_.offset_search(std::move(waves.candidates), limit, around_.data());
  if (has_rows) return drop_around_rows(reaches, limit);
  if (inside_.size() == 0) inside_ = Buffer<Distance>(order());
  context_.fill_bytes(inside_.data(), 0xFF, order());
  waves_.offset_search(std::move(waves.outside), limit, inside_.data());
  for_each(context_, order(),
           [=, around = around_.data(), inside = inside_.data(), upper = upper_data(),
            flags = flags_data()] __device__(std::size_t v) {
             if ((flags[v] & kCandidate) == 0) return;
             upper[v] = min(upper[v], around[v]);
             if (upper[v] <= limit || ((flags[v] & kOutside) == 0 && inside[v] <= limit))
               flags[v] &= kSearched;
           });
  forget();
}

}  // namespace antipode::cuda
