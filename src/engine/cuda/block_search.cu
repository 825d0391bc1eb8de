#include "engine/cuda/block_search.hpp"

#include <algorithm>

#include "engine/cuda/flags.hpp"
#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

namespace {

constexpr unsigned kNobody = PackedRow::kNobody;
constexpr unsigned kAlone = 1024, kMany = 256;   // threads for one search that has the GPU to itself, and for one of many
constexpr unsigned kLongRing = 16384, kShortRing = 4096;
constexpr std::size_t kShared = 227 << 10;       // shared memory a block can have
constexpr Vertex kLongestRow = 64, kMeanRow = 8;

struct BlockJob {
  GraphView graph;
  const PackedRow* rows;
  const Vertex* sources;
  unsigned count;                                // of sources
  Vertex only;                                   // the source, if there is one alone and no list
  unsigned ring;                                 // entries, a power of two
  unsigned* next;                                // the next source that nobody has taken
  BlockResult* results;
  Distance* row;                                 // null: not wanted
  Vertex* level_sizes;                           // null: not wanted
  ReachRequest request;
  bool reaching;                                 // the request counts
  Arrivals arrivals;
};

// One search as its block sees it.
struct BlockState {
  unsigned *visited, *ring, *found, *hits;       // shared memory
  unsigned mask, head, count;
  Distance level;
};

__device__ void account(const BlockJob& job, const BlockState& state, Vertex u) {
  const Distance d = state.level + 1;
  if (job.row != nullptr) job.row[u] = d;
  if (!job.reaching) return;
  const unsigned char flags = job.request.flags == nullptr ? kCandidate | kOutside : job.request.flags[u];
  if ((flags & kCandidate) != 0 && fresh(&state.hits[0]) < d) atomicMax(&state.hits[0], d);
  if ((flags & kOutside) != 0 && fresh(&state.hits[1]) < d) atomicMax(&state.hits[1], d);
  if (job.request.lower[u] < d) atomicMax(&job.request.lower[u], d);
}

// Each lane offers some vertices; those nobody has visited enter the ring behind this level. All lanes of the warp must come.
template <unsigned kOffers>
__device__ void offer(const BlockJob& job, const BlockState& state, const unsigned (&u)[kOffers]) {
  bool mine[kOffers];
  for (unsigned k = 0; k < kOffers; ++k) mine[k] = u[k] != kNobody && (fresh(&state.visited[u[k] / 32]) >> u[k] % 32 & 1) == 0;
  for (unsigned k = 0; k < kOffers; ++k)
    if (mine[k]) mine[k] = (atomicOr(&state.visited[u[k] / 32], 1u << u[k] % 32) >> u[k] % 32 & 1) == 0;
  unsigned who[kOffers], total = 0;
  for (unsigned k = 0; k < kOffers; ++k) total += __popc(who[k] = __ballot_sync(~0u, mine[k]));
  if (total == 0) return;
  unsigned at = 0;
  if (lane() == 0) at = atomicAdd(state.found, total);
  at = __shfl_sync(~0u, at, 0) + state.count;
  const unsigned before = (1u << lane()) - 1;
  for (unsigned k = 0; k < kOffers; ++k) {
    if (mine[k]) {
      const unsigned place = at + __popc(who[k] & before);
      if (place <= state.mask) state.ring[(state.head + place) & state.mask] = u[k];
      account(job, state, u[k]);
    }
    at += __popc(who[k]);
  }
}

__device__ void expand(const BlockJob& job, const BlockState& state, unsigned threads) {
  for (unsigned first = threadIdx.x - lane(); first < state.count; first += threads) {
    const bool active = first + lane() < state.count;
    const Vertex v = active ? state.ring[(state.head + first + lane()) & state.mask] : 0;
    const PackedRow row = active ? job.rows[v] : PackedRow::nobody();
    offer<4>(job, state, {row.first.x, row.first.y, row.first.z, row.first.w});
    if (!__any_sync(~0u, row.second.x != kNobody)) continue;
    offer<4>(job, state, {row.second.x, row.second.y, row.second.z, row.last()});
    for (unsigned waiting = __ballot_sync(~0u, row.goes_on()); waiting != 0; waiting &= waiting - 1) {
      const Vertex hub = __shfl_sync(~0u, v, __ffs(waiting) - 1);
      const Vertex degree = job.graph.degree(hub);
      for (Vertex k = PackedRow::kLength; k < degree; k += kWarp) offer<1>(job, state, {k + lane() < degree ? job.graph.targets[job.graph.begin(hub) + k + lane()] : kNobody});
    }
  }
}

// So many vertices are at this distance from everyone that source number `which` stands for.
__device__ void count_arrivals(const Arrivals& arrivals, unsigned which, Distance level, unsigned count) {
  if (arrivals.weights == nullptr) {
    atomicAdd(&arrivals.levels[level], static_cast<unsigned long long>(count));
    return;
  }
  const Vertex* const weights = &arrivals.weights[which][0];
  for (unsigned k = 0; k < std::tuple_size_v<Engine::Weights>; ++k)
    if (weights[k] != 0) atomicAdd(&arrivals.levels[level + k], static_cast<unsigned long long>(weights[k]) * count);
}

// One search by the whole block.
__device__ BlockResult searched(const BlockJob& job, unsigned which, Vertex source, unsigned* shared, unsigned* found, unsigned* hits, unsigned* farthest) {
  const unsigned words = job.graph.order / 32 + 1;
  BlockState state{shared, shared + words, nullptr, hits, job.ring - 1, 0, 1, 0};
  for (unsigned w = threadIdx.x; w < words; w += blockDim.x) state.visited[w] = w == source / 32 ? 1u << source % 32 : 0;
  if (threadIdx.x < 3) found[threadIdx.x] = 0;
  if (threadIdx.x < 2) hits[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    state.ring[0] = source;
    *farthest = kNoVertex;
    if (job.row != nullptr) job.row[source] = 0;
    if (job.level_sizes != nullptr) job.level_sizes[0] = 1;
  }
  __syncthreads();
  BlockResult result{0, 1, kNoVertex, 0, 0, {0, 0}};
  for (; state.level <= job.graph.order; ++state.level) {
    state.found = &found[state.level % 3];
    if (threadIdx.x == 0) found[(state.level + 1) % 3] = 0;
    expand(job, state, blockDim.x);
    __syncthreads();
    const unsigned count = fresh(state.found);
    if (count == 0) break;
    if (state.count + count > job.ring) {
      result.overflow = 1;
      break;
    }
    state.head = (state.head + state.count) & state.mask;
    state.count = count;
    result.reached += count;
    result.distance_sum += (state.level + 1ull) * count;
    if (threadIdx.x == 0 && job.level_sizes != nullptr) job.level_sizes[state.level + 1] = count;
    if (threadIdx.x == 0 && job.arrivals.levels != nullptr) count_arrivals(job.arrivals, which, state.level + 1, count);
  }
  result.eccentricity = state.level;
  if (job.row != nullptr)
    for (unsigned i = threadIdx.x; i < state.count; i += blockDim.x) atomicMin(farthest, state.ring[(state.head + i) & state.mask]);
  __syncthreads();
  result.farthest = fresh(farthest);
  result.reach = {fresh(&hits[0]), fresh(&hits[1])};
  return result;
}

template <unsigned kThreads>
__global__ void __launch_bounds__(kThreads) block_search_kernel(BlockJob job) {
  extern __shared__ unsigned shared[];
  __shared__ unsigned found[3], hits[2], farthest, taken;
  if (job.sources == nullptr) {
    const BlockResult result = searched(job, 0, job.only, shared, found, hits, &farthest);
    if (threadIdx.x == 0) *job.results = result;
    return;
  }
  for (;;) {
    if (threadIdx.x == 0) taken = atomicAdd(job.next, 1u);
    __syncthreads();
    const unsigned which = taken;
    __syncthreads();
    if (which >= job.count) return;
    const BlockResult result = searched(job, which, job.sources[which], shared, found, hits, &farthest);
    if (threadIdx.x == 0) job.results[which] = result;
    __syncthreads();
  }
}

std::size_t shared_bytes(Vertex order, unsigned ring) { return (std::size_t{order} / 32 + 1 + ring) * sizeof(unsigned); }

template <unsigned kThreads>
void launch(const Context& context, unsigned blocks, const BlockJob& job) {
  const std::size_t bytes = shared_bytes(job.graph.order, job.ring);
  check(cudaFuncSetAttribute(block_search_kernel<kThreads>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)), "asking for shared memory");
  block_search_kernel<kThreads><<<blocks, kThreads, bytes, context.stream()>>>(job);
  check(cudaGetLastError(), "launching a kernel");
}

}  // namespace

bool BlockSearches::has_short_rows(const Graph& graph) {
  if (graph.order() == 0 || graph.arcs() > std::uint64_t{kMeanRow} * graph.order()) return false;
  for (Vertex v = 0; v < graph.order(); ++v)
    if (graph.degree(v) > kLongestRow) return false;
  return true;
}

bool BlockSearches::suits(const Graph& graph) { return shared_bytes(graph.order(), kShortRing) + 1024 <= kShared && has_short_rows(graph); }

BlockSearches::BlockSearches(const Context& context, const GraphView& graph) : context_(context), graph_(graph), rows_(packed_rows(context, graph)), sources_(Lanes::kMost), results_(Lanes::kMost), next_(1) {}

BlockAnswer BlockSearches::search(Vertex source, Distance* row, Vertex* level_sizes) {
  context_.fill_bytes(row, 0xFF, graph_.order);
  const unsigned ring = shared_bytes(graph_.order, kLongRing) + 1024 <= kShared ? kLongRing : kShortRing;
  // Both come back in one wait, as far as most searches go.
  struct Answer {
    BlockResult result;
    Vertex level_sizes[1024];
  };
  static_assert(sizeof(Answer) <= Context::kPinned);
  auto* const answer = static_cast<Answer*>(context_.pinned());
  launch<kAlone>(context_, 1, {graph_, rows_.data(), nullptr, 1, source, ring, nullptr, &answer->result, row, level_sizes, {}, false, {}});
  const std::size_t quick = std::min<std::size_t>(std::size(answer->level_sizes), std::size_t{graph_.order} + 1);
  context_.download(std::span<Vertex>(answer->level_sizes, quick), level_sizes);
  return {answer->result, std::span<const Vertex>(answer->level_sizes, quick)};
}

std::vector<BlockResult> BlockSearches::reach(std::span<const Vertex> sources, const ReachRequest& request, const Arrivals& arrivals) {
  context_.fill_bytes(next_.data(), 0, 1);
  context_.upload(sources_.data(), sources);
  const std::size_t bytes = shared_bytes(graph_.order, kShortRing) + 1024;
  const std::size_t resident = std::clamp<std::size_t>(kShared / bytes, 1, 2048 / kMany) * static_cast<std::size_t>(context_.multiprocessors());
  const BlockJob job{graph_, rows_.data(), sources_.data(), static_cast<unsigned>(sources.size()), 0, kShortRing, next_.data(), results_.data(), nullptr, nullptr, request, request.lower != nullptr, arrivals};
  launch<kMany>(context_, static_cast<unsigned>(std::min(resident, sources.size())), job);
  std::vector<BlockResult> results(sources.size());
  context_.download(std::span<BlockResult>(results), results_.data());
  return results;
}

}  // namespace antipode::cuda
