// Bounds and candidate sets: the requests that search from many sources at once. Batches give
// eccentricities and farthest distances; offset searches (docs/definitions.md) carry them to all
// vertices. Memory: 8 bytes per vertex, and 4 per vertex for each concurrent search.
#include <algorithm>

#include "engine/cuda/batch/lanes.hpp"
#include "engine/cuda/batch/offset_searches.hpp"
#include "engine/cuda/bounds/bounds.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/layout/flags.hpp"
#include "graph/sample.hpp"

namespace antipode::cuda {

namespace {

// Searches whose distances are all in memory, one search after the other.
struct ConcurrentSearches {
  const Distance* distances;
  unsigned count;  // of searches
  Vertex order;
  Distance *lower, *upper;
  unsigned char* flags;
  FarthestDistance* farthest;
  const Distance* around;  // upper bounds from the offset searches of earlier batches
};

// Finds the farthest distances of each search, and raises lower bounds to the largest distance.
__global__ void farthest_kernel(const ConcurrentSearches job) {
  constexpr unsigned kInFlight = 8;  // loads in flight
  __shared__ FarthestDistance found[Lanes::kMost];
  for (unsigned i = threadIdx.x; i < job.count; i += blockDim.x) found[i] = {};
  __syncthreads();
  const std::size_t rounded = (std::size_t{job.order} + kWarp - 1) / kWarp * kWarp;
  for (std::size_t v = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; v < rounded;
       v += std::size_t{gridDim.x} * blockDim.x) {
    const bool in_range = v < job.order;
    const unsigned char flags = in_range ? job.flags[v] : 0;
    if (!__any_sync(~0u, (flags & kCandidate) != 0)) continue;
    Distance most = 0;
    for (unsigned first = 0; first < job.count; first += kInFlight) {
      Distance d[kInFlight];
      for (unsigned k = 0; k < kInFlight; ++k)
        d[k] = in_range && first + k < job.count
                   ? job.distances[(first + k) * std::size_t{job.order} + v]
                   : kUnreached;
      for (unsigned k = 0; k < kInFlight && first + k < job.count; ++k) {
        if (d[k] == kUnreached) d[k] = 0;
        most = max(most, d[k]);
        const Distance candidates = __reduce_max_sync(~0u, (flags & kCandidate) != 0 ? d[k] : 0),
                       outside = __reduce_max_sync(~0u, (flags & kOutside) != 0 ? d[k] : 0);
        FarthestDistance& farthest = found[first + k];
        if (thread_of_warp() == 0 && candidates > fresh(&farthest.candidates))
          atomicMax(&farthest.candidates, candidates);
        if (thread_of_warp() == 0 && outside > fresh(&farthest.outside))
          atomicMax(&farthest.outside, outside);
      }
    }
    if (in_range && job.lower[v] < most) job.lower[v] = most;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < job.count; i += blockDim.x) {
    atomicMax(&job.farthest[i].candidates, found[i].candidates);
    atomicMax(&job.farthest[i].outside, found[i].outside);
  }
}

// Lowers upper bounds by d + farthest of each search, and drops the candidates at most the limit.
__global__ void drop_around_kernel(const ConcurrentSearches job, Distance limit) {
  for (std::size_t v = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; v < job.order;
       v += std::size_t{gridDim.x} * blockDim.x) {
    const unsigned char flags = job.flags[v];
    if ((flags & kCandidate) == 0) continue;
    Distance upper = min(job.upper[v], job.around[v]), inside = kUnreached;
    for (unsigned i = 0; i < job.count; ++i) {
      const Distance d = job.distances[i * std::size_t{job.order} + v];
      if (d == kUnreached) continue;
      upper = min(upper, d + job.farthest[i].candidates);
      inside = min(inside, d + job.farthest[i].outside);
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
        const Vertex* neighbours = view.targets + view.begin(v);
        for (Vertex i = 0, degree = view.degree(v); i < degree; ++i)
          if (lower[neighbours[i]] < lower[v]) return false;
        return true;
      });
  if (result.size() > most) result.resize(most);
  return result;
}

// Batches give the eccentricities and the largest distance of every vertex to a source; two offset
// searches do the rest. They may prune by the bounds themselves, since both change by at most one
// from a vertex to its neighbour.
std::vector<SourceOutcome> CudaBounds::tighten_from(std::span<const Vertex> sources) {
  invalidate_counts();
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
  std::vector<host::OffsetSource> starts;
  for (std::size_t begin = 0; begin < sources.size(); begin += lanes_.most()) {
    const auto batch = sources.subspan(begin, std::min(lanes_.most(), sources.size() - begin));
    const auto farthest =
        lanes_.farthest_from(batch, {nullptr, lower_data(), std::uint64_t{order()}});
    for (std::size_t i = 0; i < batch.size(); ++i) {
      outcomes[begin + i] = {farthest[i].candidates, lower_before[begin + i]};
      starts.push_back({batch[i], farthest[i].candidates});
    }
  }
  offset_searches_.descending_offset_search(starts, lower_data());
  offset_searches_.offset_search(std::move(starts), kUnreached - 1, upper_data());
  return outcomes;
}

std::vector<Vertex> CudaBounds::sample(Among among, std::size_t most, std::uint64_t seed) const {
  return draw_sample(
      reducer_.indices_where(order(), [mask = mask_of(among), flags = flags_data()] __device__(
                                          Vertex v) { return (flags[v] & mask) != 0; }),
      most, seed);
}

// If there are few enough sources for concurrent searches, their distances are kept. They also
// answer eliminate_around, which would take two more searches.
std::vector<FarthestDistance> CudaBounds::farthest_from(std::span<const Vertex> sources) {
  concurrent_.clear();
  if (!sources.empty() && sources.size() <= lanes_.concurrent() && lanes_.concurrent() > 1) {
    if (concurrent_distances_.size() == 0) {
      concurrent_farthest_ = Buffer<FarthestDistance>(lanes_.concurrent());
      concurrent_distances_ = Buffer<Distance>(lanes_.concurrent() * order());
    }
    if (lanes_.search_concurrently(sources, concurrent_distances_.data())) {
      concurrent_.assign(sources.begin(), sources.end());
      return farthest_of_concurrent();
    }
  }
  const Vertex candidates = counts().candidates;
  best_outside_.reset();  // lower bounds may rise
  return lanes_.farthest_from(sources, {flags_data(), lower_data(), candidates});
}

std::vector<FarthestDistance> CudaBounds::farthest_of_concurrent() {
  best_outside_.reset();  // lower bounds may rise
  context_.fill_bytes(concurrent_farthest_.data(), 0, concurrent_.size());
  const ConcurrentSearches job{.distances = concurrent_distances_.data(),
                               .count = static_cast<unsigned>(concurrent_.size()),
                               .order = order(),
                               .lower = lower_data(),
                               .upper = upper_data(),
                               .flags = flags_data(),
                               .farthest = concurrent_farthest_.data(),
                               .around = nullptr};
  farthest_kernel<<<context_.blocks_for(order()), Context::kThreads, 0, context_.stream()>>>(job);
  check(cudaGetLastError(), "launching a kernel");
  std::vector<FarthestDistance> farthest(concurrent_.size());
  context_.download(std::span<FarthestDistance>(farthest), concurrent_farthest_.data());
  return farthest;
}

void CudaBounds::drop_around_concurrent(std::span<const FarthestDistance> farthest,
                                        Distance limit) {
  context_.upload(concurrent_farthest_.data(), farthest);
  const ConcurrentSearches job{.distances = concurrent_distances_.data(),
                               .count = static_cast<unsigned>(concurrent_.size()),
                               .order = order(),
                               .lower = lower_data(),
                               .upper = upper_data(),
                               .flags = flags_data(),
                               .farthest = concurrent_farthest_.data(),
                               .around = around_.data()};
  drop_around_kernel<<<context_.blocks_for(order()), Context::kThreads, 0, context_.stream()>>>(
      job, limit);
  check(cudaGetLastError(), "launching a kernel");
  invalidate_counts();
}

void CudaBounds::eliminate_around(std::span<const Vertex> sources,
                                  std::span<const FarthestDistance> farthest, Distance limit) {
  const bool is_concurrent = !sources.empty() && std::equal(sources.begin(), sources.end(),
                                                            concurrent_.begin(), concurrent_.end());
  const std::size_t searched = is_concurrent ? 0 : sources.size();
  if (around_.size() == 0) around_ = Buffer<Distance>(order());
  auto starts = starts_.next(sources.first(searched), farthest.first(searched), limit);
  if (starts.is_new) context_.fill_bytes(around_.data(), 0xFF, order());
  offset_searches_.offset_search(std::move(starts.candidates), limit, around_.data());
  if (is_concurrent) return drop_around_concurrent(farthest, limit);
  if (inside_.size() == 0) inside_ = Buffer<Distance>(order());
  context_.fill_bytes(inside_.data(), 0xFF, order());
  offset_searches_.offset_search(std::move(starts.outside), limit, inside_.data());
  for_each(context_, order(),
           [=, around = around_.data(), inside = inside_.data(), upper = upper_data(),
            flags = flags_data()] __device__(std::size_t v) {
             if ((flags[v] & kCandidate) == 0) return;
             upper[v] = min(upper[v], around[v]);
             if (upper[v] <= limit || ((flags[v] & kOutside) == 0 && inside[v] <= limit))
               flags[v] &= kSearched;
           });
  invalidate_counts();
}

}  // namespace antipode::cuda
