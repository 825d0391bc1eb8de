// The kernel of a batch in bit lanes, and its launch: all levels in one cooperative launch, with a
// grid barrier after every level.
#include <cooperative_groups.h>

#include "antipode/error.hpp"
#include "engine/cuda/batch/lane_level.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr std::size_t kSharedReserve = 8 << 10;  // bytes that the bitmap must leave

// How the next level is computed.
enum class LaneMode { sources, neighbours, push, pull };

// State of a batch between two levels. Thread 0 of every block computes the same state from the
// counters of the last level. It lies in shared memory: registers are needed for words in flight.
struct LaneProgress {
  unsigned long long left, arrivals, active_arcs;
  unsigned active_huge;
  Distance level;  // the next
  LaneMode mode;
  bool filters;      // a pull reads only neighbours that changed in the last level
  bool both_filled;  // both sets of words are initialized
  unsigned side;     // the set of words that is read

  __device__ void choose_mode(const LaneJob& job) {
    const std::uint64_t order = job.graph.order;
    const bool pushes =
        arrivals * 8 < order && active_huge == 0 && active_arcs * 8 < job.graph.arcs;
    mode = level == 1   ? LaneMode::sources
           : !pushes    ? LaneMode::pull
           : level == 2 ? LaneMode::neighbours
                        : LaneMode::push;
    filters = mode == LaneMode::pull && job.may_filter && arrivals < 2 * order;
  }
  __device__ void advance(const LaneJob& job, const LaneLevel& found) {
    left -= fresh(&found.at_candidates);
    arrivals = fresh(&found.arrivals);
    active_arcs = fresh(&found.active_arcs);
    active_huge = fresh(&found.active_huge);
    if (mode == LaneMode::push || mode == LaneMode::pull) {
      both_filled = true;
      side = 1 - side;
    }
    ++level;
    choose_mode(job);
  }
  __device__ bool is_over(Vertex order) const {
    return left == 0 || arrivals == 0 || level > order;
  }
};

__device__ void clear(LaneLevel& level) {
  for (unsigned w = threadIdx.x; w < Lanes::kMost / 32; w += kLaneThreads)
    level.reached[w] = level.outside[w] = 0;
  if (threadIdx.x == 0)
    level.arrivals = level.at_candidates = level.active_arcs = level.active_huge =
        level.next_chunk = 0;
}

// Initializes what the first level reads; each level clears what the next one needs.
__device__ void prepare(const LaneJob& job, std::size_t words) {
  const std::size_t thread = grid_thread(), threads = grid_threads();
  const Vertex order = job.graph.order;
  for (std::size_t i = thread; i < words; i += threads) job.words[0][i] = uint4{0, 0, 0, 0};
  for (std::size_t w = thread; w <= order / 32; w += threads) {
    job.active[1][w] = 0;
    job.full[w] = w < order / 32 ? 0 : ~0u << order % 32;  // padding ranks count as full
  }
  for (std::size_t i = thread; i < job.count; i += threads) {
    job.control->farthest[i] = {};
    job.control->counts[i] = 1;
    job.control->sums[i] = 0;
    if (job.account.counts != nullptr) atomicAdd(&job.account.counts[job.sources[i]], 1u);
  }
  if (blockIdx.x == 0) clear(job.control->levels[1]);
}

// Number of sources that are candidates. Called by all threads of a block.
__device__ unsigned count_candidate_sources(const LaneJob& job) {
  static_assert(Lanes::kMost <= kLaneThreads);
  const bool is_source = threadIdx.x < job.count;
  return static_cast<unsigned>(__syncthreads_count(
      is_source && (job.request.flags == nullptr ||
                    (job.request.flags[job.sources[threadIdx.x]] & kCandidate) != 0)));
}

// Adds the counters of the block to those of all blocks.
template <unsigned kGroups, LaneOutput kOutput>
__device__ void publish(const LaneJob& job, const LaneLevel& mine, LaneLevel& all,
                        const unsigned* counters, Distance level) {
  if (threadIdx.x == 0 && mine.arrivals != 0) {
    atomicAdd(&all.arrivals, mine.arrivals);
    atomicAdd(&all.at_candidates, mine.at_candidates);
    atomicAdd(&all.active_arcs, mine.active_arcs);
    if (mine.active_huge != 0) atomicAdd(&all.active_huge, mine.active_huge);
  }
  for (unsigned w = threadIdx.x; w < Lanes::kMost / 32; w += kLaneThreads) {
    if (mine.reached[w] != 0) atomicOr(&all.reached[w], mine.reached[w]);
    if (mine.outside[w] != 0) atomicOr(&all.outside[w], mine.outside[w]);
  }
  if constexpr (kOutput == LaneOutput::lanes)
    for (unsigned c = threadIdx.x; c < job.count; c += kLaneThreads)
      if (const unsigned long long counted = counters[LaneCounters<kGroups>::place(c / 32, c % 32)];
          counted != 0) {
        atomicAdd(&job.control->counts[c], counted);
        atomicAdd(&job.control->sums[c], counted * level);
      }
}

// Adds the arrivals of this level to DistanceCounts: those of each bit lane times its weights, [k]
// of them k levels later. One block, one thread per bit lane; `before` counts what its bit lane had
// reached one level ago.
__device__ void add_weighted(const LaneJob& job, Distance level, unsigned long long& before) {
  unsigned long long arrived = 0;
  if (threadIdx.x < job.count) {
    const unsigned long long now = fresh(&job.control->counts[threadIdx.x]);
    arrived = now - before;
    before = now;
  }
  for (unsigned k = 0; k < std::tuple_size_v<Multiplicities>; ++k) {
    unsigned long long sum =
        arrived == 0 ? 0 : arrived * (&job.arrivals.weights[threadIdx.x][0])[k];
    if (!__any_sync(~0u, sum != 0)) continue;
    for (unsigned step = kWarp / 2; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (thread_of_warp() == 0) atomicAdd(&job.arrivals.levels[level + k], sum);
  }
}

template <unsigned kGroups, LaneOutput kOutput>
__global__ void __launch_bounds__(kLaneThreads, 1)
    lanes_kernel(const __grid_constant__ LaneJob job) {
  extern __shared__ unsigned filter[];
  __shared__ LaneLevel report;
  __shared__ unsigned counters[kOutput == LaneOutput::lanes ? LaneCounters<kGroups>::kSize : 1];
  __shared__ unsigned huge_words[kGroups * 4];
  __shared__ LaneProgress progress;
  __shared__ uint4 in_use[kGroups];
  const unsigned group = threadIdx.x % kGroups;
  unsigned long long before = 1;  // each search has reached its source
  prepare(job, std::size_t{job.graph.order} * kGroups);
  const unsigned candidate_sources = count_candidate_sources(job);
  if (threadIdx.x < kGroups) in_use[threadIdx.x] = full_word(job.count, threadIdx.x);
  if (threadIdx.x == 0)
    progress = {.left = job.request.candidates * job.count - candidate_sources,
                .arrivals = job.count,
                .active_arcs = 0,
                .active_huge = 0,
                .level = 1,
                .mode = LaneMode::sources,
                .filters = false,
                .both_filled = false,
                .side = 0};
  cg::this_grid().sync();
  while (!progress.is_over(job.graph.order)) {
    const Distance level = progress.level;
    LaneLevel& all = job.control->levels[level % 3];
    clear(report);
    if constexpr (kOutput == LaneOutput::lanes)
      for (unsigned c = threadIdx.x; c < LaneCounters<kGroups>::kSize; c += kLaneThreads)
        counters[c] = 0;
    if (blockIdx.x == 0) clear(job.control->levels[(level + 1) % 3]);
    for (std::size_t w = grid_thread(); w <= job.graph.order / 32; w += grid_threads())
      job.active[(level + 1) % 3][w] = 0;
    if (progress.filters)
      for (Vertex w = threadIdx.x; w <= job.graph.order / 32; w += kLaneThreads)
        filter[w] = job.active[(level - 1) % 3][w];
    __syncthreads();
    Level<kGroups, kOutput> lane_level{.job = job,
                                       .level = progress.level,
                                       .now = job.words[progress.side],
                                       .report = report,
                                       .counters = {counters},
                                       .all = in_use[group],
                                       .both_filled = progress.both_filled,
                                       .group = group};
    switch (progress.mode) {
      case LaneMode::sources:
        lane_level.write_first_level();
        break;
      case LaneMode::neighbours:
        lane_level.write_second_level();
        break;
      case LaneMode::push:
        if (!progress.both_filled) {
          lane_level.fill_second();
          cg::this_grid().sync();
        }
        lane_level.push();
        break;
      case LaneMode::pull:
        if (progress.filters) {
          lane_level.template pull<true>(filter, huge_words, &all.next_chunk);
        } else {
          lane_level.template pull<false>(nullptr, huge_words, &all.next_chunk);
        }
    }
    lane_level.add_up();
    __syncthreads();
    publish<kGroups, kOutput>(job, report, all, counters, level);
    cg::this_grid().sync();
    if (threadIdx.x == 0) {
      progress.advance(job, all);
      if (blockIdx.x == 0 && job.arrivals.levels != nullptr && job.arrivals.weights == nullptr)
        job.arrivals.levels[level] += progress.arrivals;
    }
    if constexpr (kOutput == LaneOutput::lanes)
      if (blockIdx.x == 0 && job.arrivals.weights != nullptr) add_weighted(job, level, before);
    if (blockIdx.x == 0)
      for (unsigned i = threadIdx.x; i < job.count; i += kLaneThreads) {
        if ((fresh(&all.reached[i / 32]) >> i % 32 & 1) != 0)
          job.control->farthest[i].candidates = level;
        if ((fresh(&all.outside[i / 32]) >> i % 32 & 1) != 0)
          job.control->farthest[i].outside = level;
      }
    __syncthreads();
  }
}

std::size_t groups_for(std::size_t lanes) {
  return lanes <= 128 ? 1 : lanes <= 256 ? 2 : lanes <= 512 ? 4 : 8;
}

}  // namespace

template <unsigned kGroups>
void Lanes::launch(LaneOutput output, const LaneJob& job, std::size_t shared) {
  const auto kernel = output == LaneOutput::farthest ? lanes_kernel<kGroups, LaneOutput::farthest>
                      : output == LaneOutput::lanes  ? lanes_kernel<kGroups, LaneOutput::lanes>
                                                     : lanes_kernel<kGroups, LaneOutput::vertices>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared)),
        "asking for shared memory");
  context_.launch_cooperative(kernel, kLaneThreads, shared, job);
}

void Lanes::run(std::span<const Vertex> sources, const FarthestRequest& request, LaneOutput output,
                Arrivals arrivals) {
  make_room(groups_for(sources.size()));
  context_.upload(sources_.data(), sources);
  run(sources_.data(), sources.size(), request, output, arrivals);
}

void Lanes::run(const Vertex* sources, std::size_t count, const FarthestRequest& request,
                LaneOutput output, Arrivals arrivals) {
  if (interrupted_()) throw Interrupted();
  const std::size_t groups = groups_for(count), words = groups * graph_.order,
                    marks = bitmap_words(graph_.order);
  make_room(groups);
  const bool filters = marks * sizeof(unsigned) + kSharedReserve <= context_.shared_bytes();
  const VertexSums account = output == LaneOutput::vertices ? account_ : VertexSums{};
  const LaneJob job{.graph = graph_,
                    .into = into_,
                    .words = {words_.data(), words_.data() + words},
                    .active = {marks_.data(), marks_.data() + marks, marks_.data() + 2 * marks},
                    .full = marks_.data() + 3 * marks,
                    .ranks = ranks_,
                    .control = control_.data(),
                    .request = request,
                    .account = account,
                    .arrivals = arrivals,
                    .sources = sources,
                    .count = static_cast<unsigned>(count),
                    .may_filter = filters};
  const std::size_t shared = filters ? marks * sizeof(unsigned) : 0;
  switch (groups) {
    case 1:
      launch<1>(output, job, shared);
      break;
    case 2:
      launch<2>(output, job, shared);
      break;
    case 4:
      launch<4>(output, job, shared);
      break;
    default:
      launch<8>(output, job, shared);
      break;
  }
}

}  // namespace antipode::cuda
