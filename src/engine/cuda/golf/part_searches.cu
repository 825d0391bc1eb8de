// Searches of voltage graphs without adjacency: one launch per level. A warp takes 32 vertices of
// one residue, whose neighbours are consecutive, too. Memory: 20 bytes per vertex.
#include <algorithm>
#include <utility>

#include "antipode/error.hpp"
#include "engine/cuda/device/context.hpp"
#include "engine/cuda/device/description.hpp"
#include "engine/cuda/golf/engines.hpp"
#include "engine/cuda/golf/part_walk.hpp"

namespace antipode::cuda {

namespace {

// More factors above 1 than these would give too many vertices.
constexpr unsigned kMostDigits = 32;
using Word = unsigned long long;

struct PartLevel {
  unsigned order, size, shifts;
  unsigned factors[kMostDigits], factor_count;
  const unsigned* starts;  // first step of each residue
  const golf::PartStep* steps;
  Word all;  // one bit per source
  const Word* seen;
  Word* next;
  Distance* distances;  // of the first source; null: not wanted
  Distance level;
  unsigned* counts;  // of each source: vertices it reaches in this level
};

// Counts the set bits of the warp for each of 32 sources; thread s gets the count of source s.
__device__ unsigned count_by_source(unsigned fresh) {
  unsigned sum = 0;
  for (unsigned any = __reduce_or_sync(~0u, fresh); any != 0; any &= any - 1) {
    const unsigned source = static_cast<unsigned>(__ffs(static_cast<int>(any))) - 1,
                   count = static_cast<unsigned>(__popc(__ballot_sync(~0u, fresh >> source & 1)));
    if (thread_of_warp() == source) sum = count;
  }
  return sum;
}

template <bool kCyclic>
__global__ void part_level_kernel(const __grid_constant__ PartLevel job) {
  __shared__ unsigned counts[PartSearches::kLanes];
  if (threadIdx.x < PartSearches::kLanes) counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned chunks = (job.shifts + kWarp - 1) / kWarp, warps = gridDim.x * blockDim.x / kWarp;
  unsigned low = 0, high = 0;
  for (unsigned item = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp; item < chunks * job.size;
       item += warps) {
    const unsigned residue = item / chunks, q = item % chunks * kWarp + thread_of_warp();
    const bool in_range = q < job.shifts;
    const std::size_t at = static_cast<std::size_t>(residue) * job.shifts + q;
    const Word own = in_range ? job.seen[at] : job.all;
    Word sum = own;
    for (unsigned k = job.starts[residue];
         k < job.starts[residue + 1] && __any_sync(~0u, sum != job.all); ++k) {
      const golf::PartStep step = job.steps[k];
      if (sum != job.all)
        sum |= job.seen[static_cast<std::size_t>(step.to) * job.shifts +
                        shifted<kCyclic>(job, q, step.shift)];
    }
    const Word fresh = sum ^ own;
    if (in_range) job.next[at] = sum;
    if (job.distances != nullptr && (fresh & 1) != 0)
      job.distances[static_cast<std::size_t>(q) * job.size + residue] = job.level;
    low += count_by_source(static_cast<unsigned>(fresh));
    high += count_by_source(static_cast<unsigned>(fresh >> 32));
  }
  if (low != 0) atomicAdd(&counts[thread_of_warp()], low);
  if (high != 0) atomicAdd(&counts[kWarp + thread_of_warp()], high);
  __syncthreads();
  if (threadIdx.x < PartSearches::kLanes && counts[threadIdx.x] != 0)
    atomicAdd(&job.counts[threadIdx.x], counts[threadIdx.x]);
}

class CudaPartSearches final : public PartSearches {
 public:
  explicit CudaPartSearches(const golf::Part& part)
      : part_(part), seen_(part.order), next_(part.order), distances_(part.order), counts_(kLanes) {
    const PartSteps steps(part);
    starts_ = Buffer<unsigned>(steps.starts.size());
    steps_ = Buffer<golf::PartStep>(std::max<std::size_t>(1, steps.list.size()));
    context_.upload(starts_.data(), std::span<const unsigned>(steps.starts));
    context_.upload(steps_.data(), std::span<const golf::PartStep>(steps.list));
    context_.finish();  // before `steps` is destroyed
    level_.order = part.order, level_.size = part.size, level_.shifts = part.shifts();
    level_.factor_count = 0;
    for (const Vertex factor : part.group)
      if (factor > 1) level_.factors[level_.factor_count++] = factor;
    level_.starts = starts_.data(), level_.steps = steps_.data(), level_.counts = counts_.data();
  }

  std::string description() const override { return describe_device().detail; }

  void begin(std::span<const Vertex> sources, FirstDistances first) override {
    context_.fill_bytes(seen_.data(), 0, seen_.size());
    level_.all = sources.size() == kLanes ? ~Word{0} : (Word{1} << sources.size()) - 1;
    level_.distances = first == FirstDistances::stored ? distances_.data() : nullptr;
    if (first == FirstDistances::stored) {
      const Distance zero = 0;
      context_.fill_bytes(distances_.data(), 0xFF, distances_.size());
      context_.upload(distances_.data() + sources[0], std::span(&zero, 1));
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Word word = Word{1} << i;
      context_.upload(seen_.data() +
                          static_cast<std::size_t>(sources[i] % part_.size) * part_.shifts() +
                          sources[i] / part_.size,
                      std::span<const Word>(&word, 1));
    }
    context_.finish();
  }

  Counts next(Distance level) override {
    level_.level = level, level_.seen = seen_.data(), level_.next = next_.data();
    context_.fill_bytes(counts_.data(), 0, kLanes);
    const auto kernel =
        level_.factor_count <= 1 ? part_level_kernel<true> : part_level_kernel<false>;
    kernel<<<context_.blocks_for(part_.order), Context::kThreads, 0, context_.stream()>>>(level_);
    check(cudaGetLastError(), "launching a kernel");
    std::swap(seen_, next_);
    return context_.value(reinterpret_cast<const Counts*>(counts_.data()));
  }

  void copy_distances(std::span<Distance> distances) const override {
    context_.download(distances, distances_.data());
  }

 private:
  const golf::Part& part_;
  Context context_;
  Buffer<Word> seen_, next_;
  Buffer<Distance> distances_;
  Buffer<unsigned> counts_, starts_;
  Buffer<golf::PartStep> steps_;
  PartLevel level_{};
};

}  // namespace

std::unique_ptr<PartSearches> make_part_searches(const golf::Part& part,
                                                 const EngineOptions& options) {
  const std::uint64_t free = free_memory(),
                      limit =
                          options.memory_limit == 0 ? free : std::min(free, options.memory_limit),
                      need = part_search_bytes(part.order);
  if (need > limit)
    throw OutOfMemory("the cuda engine needs about " + std::to_string(need) +
                      " bytes for this part, and " + std::to_string(limit) +
                      " may be used: raise --memory-limit, or use --engine cpu");
  return std::make_unique<CudaPartSearches>(part);
}

}  // namespace antipode::cuda
