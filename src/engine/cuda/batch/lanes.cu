#include "engine/cuda/batch/lanes.hpp"

#include <cooperative_groups.h>
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/cuda/batch/lane_level.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr std::size_t kLeft = 8 << 10;  // of shared memory, for all but the bitmap

// How a level is done.
enum class LevelMode { sources, neighbours, push, pull };

// What thread 0 of every block knows of the last level, and what follows for the next; all compute
// the same. It lies in shared memory, since registers are for the words on their way.
struct Progress {
  unsigned long long left, arrivals, active_arcs;
  unsigned active_huge;
  Distance level;  // the next
  LevelMode mode;
  bool filters;   // a pull looks only at neighbours that have changed
  bool both;      // both sets of words hold something
  unsigned side;  // the set that is read

  __device__ void plan(const LaneJob& job) {
    const std::uint64_t order = job.graph.order;
    const bool pushes =
        arrivals * 8 < order && active_huge == 0 && active_arcs * 8 < job.graph.arcs;
    mode = level == 1   ? LevelMode::sources
           : !pushes    ? LevelMode::pull
           : level == 2 ? LevelMode::neighbours
                        : LevelMode::push;
    filters = mode == LevelMode::pull && job.may_filter && arrivals < 2 * order;
  }
  __device__ void go_on(const LaneJob& job, const LaneLevel& found) {
    left -= fresh(&found.at_candidates);
    arrivals = fresh(&found.arrivals);
    active_arcs = fresh(&found.active_arcs);
    active_huge = fresh(&found.active_huge);
    if (mode == LevelMode::push || mode == LevelMode::pull) {
      both = true;
      side = 1 - side;
    }
    ++level;
    plan(job);
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

// What the first level needs; levels clear the rest in time.
__device__ void prepare(const LaneJob& job, std::size_t words) {
  const std::size_t thread = grid_thread(), threads = grid_threads();
  const Vertex order = job.graph.order;
  for (std::size_t i = thread; i < words; i += threads) job.words[0][i] = uint4{0, 0, 0, 0};
  for (std::size_t w = thread; w <= order / 32; w += threads) {
    job.active[1][w] = 0;
    job.full[w] = w < order / 32 ? 0 : ~0u << order % 32;  // ranks that nobody has count as full
  }
  for (std::size_t i = thread; i < job.count; i += threads) {
    job.control->reaches[i] = {};
    job.control->counts[i] = 1;
    job.control->sums[i] = 0;
    if (job.account.counts != nullptr) atomicAdd(&job.account.counts[job.sources[i]], 1u);
  }
  if (blockIdx.x == 0) clear(job.control->levels[1]);
}

// How many sources are candidates.
__device__ unsigned started(const LaneJob& job) {
  static_assert(Lanes::kMost <= kLaneThreads);
  const bool is_source = threadIdx.x < job.count;
  return static_cast<unsigned>(__syncthreads_count(
      is_source && (job.request.flags == nullptr ||
                    (job.request.flags[job.sources[threadIdx.x]] & kCandidate) != 0)));
}

// What the block found goes to all.
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

// Adds what came in this level, of every lane as often as its weights say, [k] of them k levels
// later. One block, a thread a lane; `before` is what this thread's lane had reached a level ago.
__device__ void weigh(const LaneJob& job, Distance level, unsigned long long& before) {
  unsigned long long come = 0;
  if (threadIdx.x < job.count) {
    const unsigned long long now = fresh(&job.control->counts[threadIdx.x]);
    come = now - before;
    before = now;
  }
  for (unsigned k = 0; k < std::tuple_size_v<Multiplicities>; ++k) {
    unsigned long long sum = come == 0 ? 0 : come * (&job.arrivals.weights[threadIdx.x][0])[k];
    if (!__any_sync(~0u, sum != 0)) continue;
    for (unsigned step = kWarp / 2; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (lane() == 0) atomicAdd(&job.arrivals.levels[level + k], sum);
  }
}

template <unsigned kGroups, LaneOutput kOutput>
__global__ void __launch_bounds__(kLaneThreads, 1)
    lanes_kernel(const __grid_constant__ LaneJob job) {
  extern __shared__ unsigned filter[];
  __shared__ LaneLevel report;
  __shared__ unsigned counters[kOutput == LaneOutput::lanes ? LaneCounters<kGroups>::kSize : 1];
  __shared__ unsigned huge_words[kGroups * 4];
  __shared__ Progress progress;
  __shared__ uint4 in_use[kGroups];
  const unsigned group = threadIdx.x % kGroups;
  unsigned long long before = 1;  // a lane has reached its source
  prepare(job, std::size_t{job.graph.order} * kGroups);
  const unsigned already = started(job);
  if (threadIdx.x < kGroups) in_use[threadIdx.x] = full_word(job.count, threadIdx.x);
  if (threadIdx.x == 0)
    progress = {job.request.candidates * job.count - already,
                job.count,
                0,
                0,
                1,
                LevelMode::sources,
                false,
                false,
                0};
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
    Level<kGroups, kOutput> here{job,           progress.level, job.words[progress.side],
                                 report,        {counters},     in_use[group],
                                 progress.both, group};
    switch (progress.mode) {
      case LevelMode::sources:
        here.from_sources();
        break;
      case LevelMode::neighbours:
        here.from_neighbours();
        break;
      case LevelMode::push:
        if (!progress.both) {
          here.fill_second();
          cg::this_grid().sync();
        }
        here.push();
        break;
      case LevelMode::pull:
        if (progress.filters) {
          here.template pull<true>(filter, huge_words, &all.next_chunk);
        } else {
          here.template pull<false>(nullptr, huge_words, &all.next_chunk);
        }
    }
    here.add_up();
    __syncthreads();
    publish<kGroups, kOutput>(job, report, all, counters, level);
    cg::this_grid().sync();
    if (threadIdx.x == 0) {
      progress.go_on(job, all);
      if (blockIdx.x == 0 && job.arrivals.levels != nullptr && job.arrivals.weights == nullptr)
        job.arrivals.levels[level] += progress.arrivals;
    }
    if constexpr (kOutput == LaneOutput::lanes)
      if (blockIdx.x == 0 && job.arrivals.weights != nullptr) weigh(job, level, before);
    if (blockIdx.x == 0)
      for (unsigned i = threadIdx.x; i < job.count; i += kLaneThreads) {
        if ((fresh(&all.reached[i / 32]) >> i % 32 & 1) != 0)
          job.control->reaches[i].candidates = level;
        if ((fresh(&all.outside[i / 32]) >> i % 32 & 1) != 0)
          job.control->reaches[i].outside = level;
      }
    __syncthreads();
  }
}

// By falling number of steps that a row takes; within that in the order of the graph, which may be
// one of places near each other.
__device__ unsigned rank_key(Vertex degree) {
  return degree > Lanes::kHugeRow   ? 0
         : degree > Lanes::kWideRow ? 1
                                    : 2 + (Lanes::kWideRow - degree) / 8;
}

void make_keys(const Context& context, const GraphView& graph, Vertex* numbers, unsigned char* keys,
               Vertex* counts) {
  for_each(context, graph.order, [=] __device__(std::size_t v) {
    const unsigned key = rank_key(graph.degree(static_cast<Vertex>(v)));
    numbers[v] = static_cast<Vertex>(v);
    keys[v] = static_cast<unsigned char>(key);
    if (key < 2) atomicAdd(&counts[key], 1u);
  });
}

void add_near(const Context& context, Vertex order, const VertexAccount& account) {
  for_each(context, order, [=] __device__(std::size_t v) {
    for (Distance level = 1; level < VertexAccount::kNear; ++level)
      if (const Vertex lanes = account.near[std::size_t{level} * order + v]; lanes > 0)
        account.add(static_cast<Vertex>(v), level, lanes);
  });
}

std::size_t groups_for(std::size_t lanes) {
  return lanes <= 128 ? 1 : lanes <= 256 ? 2 : lanes <= 512 ? 4 : 8;
}

std::size_t bitmap_words(Vertex order) { return std::size_t{order} / 32 + 1; }

}  // namespace

Lanes::Lanes(const Context& context, const Graph& host_graph, const GraphView& graph,
             const GraphView& into, std::size_t most, SearchKernels& kernels,
             std::function<bool()> interrupted)
    : context_(context),
      host_graph_(host_graph),
      graph_(graph),
      into_(into),
      most_(most),
      kernels_(kernels),
      interrupted_(std::move(interrupted)) {}

Lanes::~Lanes() = default;

void Lanes::rank_vertices() {
  const std::size_t order = graph_.order;
  Buffer<Vertex> ranked(order);
  const Buffer<Vertex> numbers(order);
  const Buffer<unsigned char> keys(order), sorted(order);
  const Buffer<Vertex> counts(2);  // of huge rows and of wide ones
  context_.fill_bytes(counts.data(), 0, 2);
  make_keys(context_, into_, numbers.data(), keys.data(), counts.data());
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.data(), sorted.data(), numbers.data(),
                                        ranked.data(), order, 0, 8, context_.stream()),
        "sizing a sort");
  const Buffer<unsigned char> scratch(bytes);
  check(cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, keys.data(), sorted.data(),
                                        numbers.data(), ranked.data(), order, 0, 8,
                                        context_.stream()),
        "sorting vertices");
  Vertex found[2];
  context_.download(std::span<Vertex>(found), counts.data());
  ranked_ = std::move(ranked);
  ranks_ = {ranked_.data(), found[0],
            static_cast<Vertex>(
                std::min<std::size_t>(order, (std::size_t{found[0]} + found[1] + 31) / 32 * 32))};
}

void Lanes::make_room(std::size_t groups) {
  if (control_.size() == 0) {
    sources_ = Buffer<Vertex>(kMost);
    marks_ = Buffer<unsigned>(4 * bitmap_words(graph_.order));
    rank_vertices();
    control_ = Buffer<LaneControl>(1);
  }
  if (words_.size() >= 2 * groups * graph_.order) return;
  words_ = Buffer<uint4>();  // the old ones go first
  words_ = Buffer<uint4>(2 * groups * graph_.order);
}

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
  const bool filters = marks * sizeof(unsigned) + kLeft <= context_.shared_bytes();
  const VertexAccount account = output == LaneOutput::vertices ? account_ : VertexAccount{};
  const LaneJob job{graph_,
                    into_,
                    {words_.data(), words_.data() + words},
                    {marks_.data(), marks_.data() + marks, marks_.data() + 2 * marks},
                    marks_.data() + 3 * marks,
                    ranks_,
                    control_.data(),
                    request,
                    account,
                    arrivals,
                    sources,
                    static_cast<unsigned>(count),
                    filters};
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

// Nothing where no block searches for each source, or one of them outgrew its queue.
std::span<const BlockResult> Lanes::by_blocks(std::span<const Vertex> sources,
                                              const FarthestRequest& request, Arrivals arrivals) {
  if (kernels_.has_block() && interrupted_()) throw Interrupted();
  return kernels_.search_each(sources, request, arrivals);
}

bool Lanes::search_concurrently(std::span<const Vertex> sources, Distance* rows) {
  if (kernels_.has_block() && interrupted_()) throw Interrupted();
  return kernels_.search_concurrently(sources, rows);
}

std::vector<FarthestDistance> Lanes::farthest_from(std::span<const Vertex> sources,
                                                   const FarthestRequest& request) {
  std::vector<FarthestDistance> result(sources.size());
  if (sources.empty()) return result;
  if (const auto found = by_blocks(sources, request, {}); !found.empty()) {
    std::transform(found.begin(), found.end(), result.begin(),
                   [](const BlockResult& each) { return each.reach; });
    return result;
  }
  run(sources, request, LaneOutput::farthest, {});
  context_.download(std::span<FarthestDistance>(result), control_.data()->reaches);
  return result;
}

std::vector<Summary> Lanes::summarize(std::span<const Vertex> sources) {
  std::vector<Summary> result;
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto part = sources.subspan(begin, std::min(most_, sources.size() - begin));
    if (const auto found = by_blocks(part, {nullptr, nullptr, graph_.order}, {}); !found.empty()) {
      for (const BlockResult& each : found)
        result.push_back({each.eccentricity, each.reached, each.distance_sum});
      continue;
    }
    run(part, {nullptr, nullptr, graph_.order}, LaneOutput::lanes, {});
    std::vector<FarthestDistance> reaches(part.size());
    std::vector<unsigned long long> counts(part.size()), sums(part.size());
    context_.download(std::span<FarthestDistance>(reaches), control_.data()->reaches);
    context_.download(std::span<unsigned long long>(counts), control_.data()->counts);
    context_.download(std::span<unsigned long long>(sums), control_.data()->sums);
    for (std::size_t i = 0; i < part.size(); ++i)
      result.push_back({reaches[i].candidates, static_cast<Vertex>(counts[i]), sums[i]});
  }
  return result;
}

template <class Total, class Part>
void Lanes::add_to(std::vector<Total>& totals, const Buffer<Part>& parts) {
  std::vector<Part> here(parts.size());
  context_.download(std::span<Part>(here), parts.data());
  std::transform(here.begin(), here.end(), totals.begin(), totals.begin(), std::plus<>());
}

void Lanes::add_distances(std::span<const Vertex> sources, DistanceSums& sums) {
  const std::size_t order = graph_.order;
  if (accounts_.sums.size() == 0)
    accounts_ = {Buffer<Vertex>(VertexAccount::kNear * order), Buffer<unsigned long long>(order),
                 Buffer<unsigned long long>(order), Buffer<Vertex>(order), Buffer<Distance>(order)};
  context_.fill_bytes(accounts_.near.data(), 0, accounts_.near.size());
  context_.fill_bytes(accounts_.sums.data(), 0, order);
  context_.fill_bytes(accounts_.inverse_sums.data(), 0, order);
  context_.fill_bytes(accounts_.counts.data(), 0, order);
  context_.fill_bytes(accounts_.farthest.data(), 0, order);
  account_ = {accounts_.near.data(),   accounts_.sums.data(),     accounts_.inverse_sums.data(),
              accounts_.counts.data(), accounts_.farthest.data(), sums.unit};
  context_.make_room(list_, sources.size());
  context_.upload(list_.data(), sources);
  for (std::size_t begin = 0; begin < sources.size(); begin += most_)
    run(list_.data() + begin, std::min(most_, sources.size() - begin),
        {nullptr, nullptr, graph_.order}, LaneOutput::vertices, {});
  add_near(context_, graph_.order, account_);
  add_to(sums.sum, accounts_.sums);
  add_to(sums.inverse_sum, accounts_.inverse_sums);
  add_to(sums.sources, accounts_.counts);
  std::vector<Distance> farthest(order);
  context_.download(std::span<Distance>(farthest), accounts_.farthest.data());
  std::transform(farthest.begin(), farthest.end(), sums.farthest.begin(), sums.farthest.begin(),
                 [](Distance a, Distance b) { return std::max(a, b); });
}

// By blocks where there are some; should one of them fail in the middle, all is done again in
// lanes. No weights: all count once.
std::vector<std::uint64_t> Lanes::add_arrivals(std::span<const Vertex> sources,
                                               std::span<const Multiplicities> weights) {
  const std::size_t levels = std::size_t{graph_.order} + 1 + std::tuple_size_v<Multiplicities>;
  if (arrivals_.size() == 0) arrivals_ = Buffer<unsigned long long>(levels);
  if (!weights.empty() && weights_.size() == 0) weights_ = Buffer<Multiplicities>(kMost);
  context_.fill_bytes(arrivals_.data(), 0, levels);
  const Arrivals arrivals{arrivals_.data(), weights.empty() ? nullptr : weights_.data()};
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto part = sources.subspan(begin, std::min(most_, sources.size() - begin));
    if (!weights.empty()) context_.upload(weights_.data(), weights.subspan(begin, part.size()));
    const bool block_each = kernels_.has_block();
    if (block_each && !by_blocks(part, {nullptr, nullptr, graph_.order}, arrivals).empty())
      continue;
    if (block_each) return add_arrivals(sources, weights);
    run(part, {nullptr, nullptr, graph_.order},
        weights.empty() ? LaneOutput::farthest : LaneOutput::lanes, arrivals);
  }
  std::vector<unsigned long long> counted(levels);
  context_.download(std::span<unsigned long long>(counted), arrivals_.data());
  std::vector<std::uint64_t> result(counted.begin(), counted.end());
  while (!result.empty() && result.back() == 0) result.pop_back();
  return result;
}

void Lanes::count(std::span<const Vertex> sources, DistanceCounts& counts) {
  if (sources.empty()) return;
  const auto multiplicities = counts.multiplicities;
  if (multiplicities.empty()) counts.add(0, 0, sources.size());
  for (std::size_t i = 0; i < multiplicities.size(); ++i) counts.add(i, 0, 1);
  counts.add(add_arrivals(sources, multiplicities));
}

}  // namespace antipode::cuda
