#include "engine/cuda/block_search.hpp"

#include <algorithm>

#include "engine/cuda/flags.hpp"
#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

namespace {

constexpr unsigned kNobody = PackedRow::kNobody;
// Threads for a search that has a multiprocessor to itself, that shares it with one, or with more; and with more, if it has something to tell of every vertex.
constexpr unsigned kAlone = 1024, kPaired = 512, kMany = 256, kManyTelling = 320;
constexpr unsigned kLongRing = 16384, kShortRing = 4096;
constexpr Vertex kLongestRow = 64, kMeanRow = 8;

struct BlockJob {
  GraphView graph;
  PackedRows rows;
  const Vertex* sources;
  unsigned count;                                // of sources
  Vertex only;                                   // the source, if there is one alone and no list
  unsigned ring;                                 // entries, a power of two
  unsigned* next;                                // how many sources somebody has taken
  const unsigned* order;                         // in which they are taken; null: as they come
  BlockResult* results;
  Distance* rows_out;                            // one for each source, one after the other; null: not wanted
  BlockTrail trail;                              // of the only source; null: not wanted
  ReachRequest request;
  bool reaching;                                 // the request counts
  Arrivals arrivals;
};

// One search as its block sees it.
struct BlockState {
  unsigned *visited, *ring, *found, *hits;       // shared memory; the ring holds entries of packed rows
  unsigned mask, head, count;
  Vertex before;                                 // vertices nearer than this level
  Distance level;
  Distance* row;                                 // null: not wanted
};

// The vertex at this place in its level is looked at, together with its row: nobody waits for what is asked of memory here.
__device__ void account(const BlockJob& job, const BlockState& state, unsigned place, Vertex v) {
  const Distance d = state.level;
  if (job.trail.vertices != nullptr) job.trail.vertices[state.before + place] = v;
  if (state.row != nullptr) __stcs(&state.row[v], d);  // many rows would take the graph's place in the cache
  if (!job.reaching) return;
  const unsigned char flags = job.request.flags == nullptr ? kCandidate | kOutside : job.request.flags[v];
  if ((flags & kCandidate) != 0 && fresh(&state.hits[0]) < d) atomicMax(&state.hits[0], d);
  if ((flags & kOutside) != 0 && fresh(&state.hits[1]) < d) atomicMax(&state.hits[1], d);
  if (job.request.lower[v] < d) atomicMax(&job.request.lower[v], d);
}

// Each lane offers some entries; those whose vertex nobody has visited enter the ring behind this level. All lanes of the warp must come.
template <unsigned kOffers>
__device__ void offer(const BlockState& state, const unsigned (&entries)[kOffers]) {
  bool mine[kOffers];
  unsigned before[kOffers];                      // to look first, and claim only where nobody has, takes longer
  for (unsigned k = 0; k < kOffers; ++k)
    if (entries[k] != kNobody) before[k] = atomicOr(&state.visited[PackedRow::vertex_of(entries[k]) / 32], 1u << entries[k] % 32);
  for (unsigned k = 0; k < kOffers; ++k) mine[k] = entries[k] != kNobody && (before[k] >> entries[k] % 32 & 1) == 0;
  unsigned who[kOffers], total = 0;
  for (unsigned k = 0; k < kOffers; ++k) total += __popc(who[k] = __ballot_sync(~0u, mine[k]));
  if (total == 0) return;
  unsigned at = 0;
  if (lane() == 0) at = atomicAdd(state.found, total);
  at = __shfl_sync(~0u, at, 0) + state.count;
  for (unsigned k = 0; k < kOffers; ++k) {
    const unsigned place = at + __popc(who[k] & ((1u << lane()) - 1));
    if (mine[k] && place <= state.mask) state.ring[(state.head + place) & state.mask] = entries[k];
    at += __popc(who[k]);
  }
}

__device__ void expand(const BlockJob& job, const BlockState& state, unsigned threads) {
  for (unsigned first = threadIdx.x - lane(); first < state.count; first += threads) {
    const bool active = first + lane() < state.count;
    const unsigned entry = active ? state.ring[(state.head + first + lane()) & state.mask] : 0;
    const Vertex v = PackedRow::vertex_of(entry);
    const bool is_wide = (entry & PackedRow::kWide) != 0;
    const uint4 a = active ? job.rows.first(v) : PackedRow::nobody(), b = is_wide ? job.rows.second(v) : PackedRow::nobody();
    if (active) account(job, state, first + lane(), v);
    __syncwarp();
    offer<4>(state, {a.x, a.y, a.z, a.w});
    if (!__any_sync(~0u, is_wide)) continue;
    offer<4>(state, {b.x, b.y, b.z, b.w});
    for (unsigned waiting = __ballot_sync(~0u, (entry & PackedRow::kLong) != 0); waiting != 0; waiting &= waiting - 1) {
      const GraphView::Row row = job.graph.row(__shfl_sync(~0u, v, __ffs(waiting) - 1));
      for (Vertex k = PackedRow::kLength; k < row.degree; k += kWarp) offer<1>(state, {k + lane() < row.degree ? PackedRow::entry_of(job.graph.targets[row.begin + k + lane()]) : kNobody});
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
  BlockState state{shared, shared + words, nullptr, hits, job.ring - 1, 0, 1, 0, 0, job.rows_out == nullptr ? nullptr : job.rows_out + std::size_t{which} * job.graph.order};
  for (unsigned w = threadIdx.x; w < words; w += blockDim.x) state.visited[w] = w == source / 32 ? 1u << source % 32 : 0;
  if (threadIdx.x < 3) found[threadIdx.x] = 0;
  if (threadIdx.x < 2) hits[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    state.ring[0] = PackedRow::entry_of(source);
    *farthest = kNoVertex;
    if (job.trail.begins != nullptr) job.trail.begins[0] = 0;
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
    state.before = result.reached;
    result.reached += count;
    result.distance_sum += (state.level + 1ull) * count;
    if (threadIdx.x == 0 && job.trail.begins != nullptr) job.trail.begins[state.level + 1] = state.before;
    if (threadIdx.x == 0 && job.arrivals.levels != nullptr) count_arrivals(job.arrivals, which, state.level + 1, count);
  }
  result.eccentricity = state.level;
  if (state.row != nullptr || job.trail.vertices != nullptr)
    for (unsigned i = threadIdx.x; i < state.count; i += blockDim.x) atomicMin(farthest, PackedRow::vertex_of(state.ring[(state.head + i) & state.mask]));
  __syncthreads();
  result.farthest = fresh(farthest);
  result.reach = {fresh(&hits[0]), fresh(&hits[1])};
  return result;
}

template <unsigned kThreads>
__global__ void __launch_bounds__(kThreads, 1) block_search_kernel(BlockJob job) {
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
    const unsigned place = taken;
    __syncthreads();
    if (place >= job.count) return;
    const unsigned which = job.order == nullptr ? place : job.order[place];
    const BlockResult result = searched(job, which, job.sources[which], shared, found, hits, &farthest);
    if (threadIdx.x == 0) job.results[which] = result;
    __syncthreads();
  }
}

// What the host wants to know of a single search; the sizes of levels as far as most searches go.
struct SingleAnswer {
  BlockResult result;
  Vertex level_sizes[1024];
};
static_assert(sizeof(SingleAnswer) <= Context::kPinned);

// The distances of a single search go to their places by all multiprocessors: that takes microseconds, and would take the one that
// searches a tenth of its time. The answer goes to the host.
__global__ void follow_kernel(BlockTrail trail, const BlockResult* found, Distance* row, Vertex* level_sizes, SingleAnswer* answer) {
  const Vertex reached = found->reached, levels = found->eccentricity + 1;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (Vertex i = thread; i < reached; i += threads) {
    Distance level = 0, end = levels;            // the last that does not begin beyond
    while (end - level > 1) {
      const Distance middle = level + (end - level) / 2;
      (trail.begins[middle] <= i ? level : end) = middle;
    }
    row[trail.vertices[i]] = level;
  }
  for (Distance level = thread; level < levels; level += threads) {
    const Vertex size = (level + 1 < levels ? trail.begins[level + 1] : reached) - trail.begins[level];
    level_sizes[level] = size;
    if (level < std::size(answer->level_sizes)) answer->level_sizes[level] = size;
  }
  if (thread == 0) answer->result = *found;
}

// Sources whose searches go far are taken first, so that nobody waits for them in the end. A warp finds the place of one.
__global__ void order_kernel(const Vertex* sources, unsigned count, const Distance* least, unsigned* order) {
  __shared__ Distance keys[Lanes::kMost];
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) keys[i] = least[sources[i]];
  __syncthreads();
  const unsigned which = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (which >= count) return;
  unsigned before = 0;
  for (unsigned i = lane(); i < count; i += kWarp) before += keys[i] > keys[which] || (keys[i] == keys[which] && i < which);
  before = __reduce_add_sync(~0u, before);
  if (lane() == 0) order[before] = which;
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

bool BlockSearches::suits(const Graph& graph) { return shared_bytes(graph.order(), kShortRing) + 1024 <= static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) && has_short_rows(graph); }

BlockSearches::BlockSearches(const Context& context, const GraphView& graph, bool is_directed) : context_(context), graph_(graph), is_directed_(is_directed), rows_(packed_rows(context, graph)), sources_(Lanes::kMost), results_(Lanes::kMost), next_(1), order_(Lanes::kMost), trail_(graph.order), trail_begins_(std::size_t{graph.order} + 1), least_(graph.order) {
  context_.fill_bytes(least_.data(), 0, graph.order);
}

BlockAnswer BlockSearches::search(Vertex source, Distance* row, Vertex* level_sizes) {
  if (!reaches_all_) context_.fill_bytes(row, 0xFF, graph_.order);
  const unsigned ring = shared_bytes(graph_.order, kLongRing) + 1024 <= context_.shared_bytes() ? kLongRing : kShortRing;
  auto* const answer = static_cast<SingleAnswer*>(context_.pinned());
  const BlockTrail trail{trail_.data(), trail_begins_.data()};
  launch<kAlone>(context_, 1, {graph_, rows(), nullptr, 1, source, ring, nullptr, nullptr, results_.data(), nullptr, trail, {}, false, {}});
  follow_kernel<<<context_.blocks_for(graph_.order), Context::kThreads, 0, context_.stream()>>>(trail, results_.data(), row, level_sizes, answer);
  check(cudaGetLastError(), "launching a kernel");
  context_.finish();
  if (answer->result.overflow == 0)
    for_each(context_, graph_.order, [row, least = least_.data(), eccentricity = answer->result.eccentricity] __device__(std::size_t v) {  // nobody waits for it
      if (row[v] <= eccentricity) least[v] = max(least[v], max(row[v], eccentricity - row[v]));
    });
  reaches_all_ = reaches_all_ || (!is_directed_ && answer->result.overflow == 0 && answer->result.reached == graph_.order);
  return {answer->result, answer->level_sizes};
}

bool BlockSearches::search(std::span<const Vertex> sources, Distance* distances) {
  if (!reaches_all_) context_.fill_bytes(distances, 0xFF, sources.size() * graph_.order);
  context_.fill_bytes(next_.data(), 0, 1);
  context_.upload(sources_.data(), sources);
  launch<kAlone>(context_, static_cast<unsigned>(sources.size()), {graph_, rows(), sources_.data(), static_cast<unsigned>(sources.size()), 0, kShortRing, next_.data(), nullptr, results_.data(), distances, {}, {}, false, {}});
  std::vector<BlockResult> results(sources.size());
  context_.download(std::span<BlockResult>(results), results_.data());
  return std::all_of(results.begin(), results.end(), [](const BlockResult& each) { return each.overflow == 0; });
}

std::vector<BlockResult> BlockSearches::reach(std::span<const Vertex> sources, const ReachRequest& request, const Arrivals& arrivals) {
  context_.fill_bytes(next_.data(), 0, 1);
  context_.upload(sources_.data(), sources);
  const std::size_t bytes = shared_bytes(graph_.order, kShortRing) + 1024;
  const std::size_t places = static_cast<std::size_t>(context_.multiprocessors()), resident = std::clamp<std::size_t>(context_.shared_bytes() / bytes, 1, 2048 / kManyTelling) * places;
  const auto count = static_cast<unsigned>(sources.size());
  const bool some_wait = sources.size() > resident;
  if (some_wait) {
    order_kernel<<<(count * kWarp + Context::kThreads - 1) / Context::kThreads, Context::kThreads, 0, context_.stream()>>>(sources_.data(), count, least_.data(), order_.data());
    check(cudaGetLastError(), "launching a kernel");
  }
  const BlockJob job{graph_, rows(), sources_.data(), count, 0, kShortRing, next_.data(), some_wait ? order_.data() : nullptr, results_.data(), nullptr, {}, request, request.lower != nullptr, arrivals};
  const auto blocks = static_cast<unsigned>(std::min(resident, sources.size()));
  if (blocks <= places) launch<kAlone>(context_, blocks, job);
  else if (blocks <= 2 * places) launch<kPaired>(context_, blocks, job);
  else if (job.reaching) launch<kManyTelling>(context_, blocks, job);
  else launch<kMany>(context_, blocks, job);
  std::vector<BlockResult> results(sources.size());
  context_.download(std::span<BlockResult>(results), results_.data());
  return results;
}

}  // namespace antipode::cuda
