#include "engine/cuda/block_search.hpp"

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/cuda/flags.hpp"
#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

namespace {

constexpr unsigned kNobody = PackedRow::kNobody;
// Threads for a search that has a multiprocessor to itself, that shares it with one, or with more; and with more, if it reaches.
constexpr unsigned kAlone = 1024, kPaired = 512, kMany = 352, kManyReaching = 320;
constexpr unsigned kMostTogether = 4;            // of the many
constexpr unsigned kReachingShare = 70;          // of shared memory, in hundredths, that many who reach may have together: the rest is cache
constexpr unsigned kLongQueue = 8192, kShortQueue = 2048;  // entries of a level
constexpr Vertex kLongestRow = 64, kMeanRow = 8;

// What the host wants to know of a single search; the sizes of levels as far as most searches go.
struct SingleAnswer {
  BlockResult result;
  Vertex level_sizes[1024];
};
static_assert(sizeof(SingleAnswer) <= Context::kPinned);

struct BlockJob {
  GraphView graph;
  PackedRows rows;
  const BlockSource* sources;
  unsigned count;                                // of sources
  BlockSource only;                              // the source, where there is a trail
  unsigned room;                                 // for entries, in each of two queues
  unsigned* next;                                // how many sources somebody has taken
  const unsigned* order;                         // in which they are taken; null: as they come
  BlockResult* results;
  Distance* rows_out;                            // one for each source, one after the other, where rows are told
  BlockTrail trail;                              // of the only source, …
  SingleAnswer* answer;                          // … whose answer goes to the host's memory, …
  Signal signal;                                 // … which is told
  ReachRequest request;
  Arrivals arrivals;
};

// What there is to tell: only how many there are at each distance; who is where, level by level or by distance; or all that a request to reach wants to know.
enum class Telling { counts, trail, rows, reach };

// What a level has found, in one word, so that it is counted at once: those who enter the next queue, and leaves that hang on this one, where they are counted.
struct Finds {
  static constexpr unsigned kLeaf = 1u << 18;
  static_assert(kShortQueue * kLongestRow < kLeaf && kShortQueue * PackedRow::kMostHanging < ~0u / kLeaf);
};

// One search as its block sees it.
struct BlockState {
  unsigned *visited, *now, *next;                // shared memory; the queues, of this level and the next, hold entries of packed rows
  unsigned *found, *hits;
  unsigned count;
  Vertex before;                                 // vertices nearer than this level
  Distance level;
  Distance* row;                                 // where rows are told
};

// What a search that reaches must know of a vertex: asked for together with its row, and looked at afterwards.
struct Standing {
  unsigned char flags = 0;
  Distance lower = kUnreached;
};

__device__ Standing standing_of(const ReachRequest& request, Vertex v) { return {request.flags == nullptr ? static_cast<unsigned char>(kCandidate | kOutside) : request.flags[v], request.lower[v]}; }

__device__ void reach(const BlockJob& job, const BlockState& state, Vertex v, const Standing& standing) {
  const Distance d = state.level;
  if ((standing.flags & kCandidate) != 0 && fresh(&state.hits[0]) < d) atomicMax(&state.hits[0], d);
  if ((standing.flags & kOutside) != 0 && fresh(&state.hits[1]) < d) atomicMax(&state.hits[1], d);
  if (standing.lower < d) atomicMax(&job.request.lower[v], d);
}

// Each lane offers some entries; those whose vertex nobody has visited enter the next queue. All lanes of the warp must come.
template <bool kLeaves, unsigned kOffers>
__device__ void offer(const BlockJob& job, const BlockState& state, const unsigned (&entries)[kOffers], unsigned leaves = 0) {
  bool mine[kOffers];
  unsigned bit[kOffers], before[kOffers];        // to look first, and claim only where nobody has, takes longer
  for (unsigned k = 0; k < kOffers; ++k) {
    bit[k] = __funnelshift_l(0, 1, entries[k]);  // by the last five bits
    before[k] = ~0u;
    if (entries[k] != kNobody) before[k] = atomicOr(&state.visited[PackedRow::vertex_of(entries[k]) / 32], bit[k]);
  }
  unsigned who[kOffers], total = 0;
  for (unsigned k = 0; k < kOffers; ++k) mine[k] = (bit[k] & ~before[k]) != 0;
  for (unsigned k = 0; k < kOffers; ++k) total += __popc(who[k] = __ballot_sync(~0u, mine[k]));
  if (total + leaves == 0) return;
  unsigned at = 0;
  if (lane() == 0) at = atomicAdd(state.found, total + leaves * Finds::kLeaf);
  if (kLeaves) at %= Finds::kLeaf;
  at = __shfl_sync(~0u, at, 0);
  if (at + total > job.room) return;             // that will be noticed
  unsigned* place = state.next + at;
  for (unsigned k = 0; k < kOffers; ++k) {
    if (mine[k]) place[__popc(who[k] & ((1u << lane()) - 1))] = entries[k];
    place += __popc(who[k]);
  }
}

// For those not looked at yet.
__device__ unsigned entry_of(const PackedRows& rows, Vertex v) { return PackedRow::entry_of(v) | PackedRow::hanging(rows.hanging != nullptr ? rows.hanging[v] : 0); }

// The share that one of so many lanes has of half a row.
template <unsigned kLanes>
struct alignas(sizeof(uint4) / kLanes) Share {
  unsigned entries[PackedRow::kHalf / kLanes];
};

// So many lanes look at a vertex. All lanes are together again without being told: waiting for them costs a twentieth of a level.
template <unsigned kThreads, Telling kTelling, unsigned kLanes>
__device__ void expand(const BlockJob& job, const BlockState& state) {
  constexpr unsigned kTogether = kWarp / kLanes;
  constexpr bool kLeaves = kTelling == Telling::counts;
  for (unsigned first = threadIdx.x / kWarp * kTogether; first < state.count; first += kThreads / kLanes) {
    const unsigned which = first + lane() / kLanes, part = lane() % kLanes;
    const bool active = which < state.count, leads = part == 0;
    const unsigned entry = active ? state.now[which] : 0;
    const Vertex v = PackedRow::vertex_of(entry);
    const bool is_wide = (entry & PackedRow::kWide) != 0;
    Share<kLanes> a, b;
    for (unsigned k = 0; k < PackedRow::kHalf / kLanes; ++k) a.entries[k] = b.entries[k] = kNobody;
    if (active) a = reinterpret_cast<const Share<kLanes>*>(&job.rows.first(v))[part];
    if (is_wide) b = reinterpret_cast<const Share<kLanes>*>(&job.rows.second(v))[part];
    const Standing standing = kTelling == Telling::reach && active && leads ? standing_of(job.request, v) : Standing();
    if (kTelling == Telling::trail && active && leads) job.trail.vertices[state.before + which] = v;
    if (kTelling == Telling::rows && active && leads) __stcs(&state.row[v], state.level);  // many rows would take the graph's place in the cache
    const unsigned leaves = kLeaves ? __reduce_add_sync(~0u, leads ? PackedRow::hanging_of(entry) : 0) : 0;
    offer<kLeaves>(job, state, a.entries, leaves);
    if (kTelling == Telling::reach && active && leads) reach(job, state, v, standing);
    if (!__any_sync(~0u, is_wide)) continue;
    offer<kLeaves>(job, state, b.entries);
    for (unsigned waiting = __ballot_sync(~0u, leads && (entry & PackedRow::kLong) != 0); waiting != 0; waiting &= waiting - 1) {
      const GraphView::Row row = job.graph.row(__shfl_sync(~0u, v, __ffs(waiting) - 1));
      for (Vertex k = PackedRow::kLength; k < row.degree; k += kWarp) offer<kLeaves, 1>(job, state, {k + lane() < row.degree ? entry_of(job.rows, job.graph.targets[row.begin + k + lane()]) : kNobody});
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

// What is in shared memory beside marks and queues.
struct BlockMemory {
  unsigned found[3];                             // by three levels, in turn
  unsigned hits[2], farthest, taken;
};

// The last thread keeps the accounts: most levels leave it nothing else to do.
template <unsigned kThreads>
__device__ bool keeps_accounts() { return threadIdx.x == kThreads - 1; }

// One search by the whole block; the result is the accountant's. What every warp does once a level is seen: what is not told is not worked out.
template <unsigned kThreads, Telling kTelling>
__device__ BlockResult searched(const BlockJob& job, unsigned which, const BlockSource& source, unsigned* shared, BlockMemory& memory) {
  constexpr bool kCounts = kTelling == Telling::counts || kTelling == Telling::reach;
  const unsigned words = job.graph.order / 32 + 1;
  const Vertex first = PackedRow::vertex_of(source.entry);
  BlockState state{shared, shared + words, shared + words + job.room, nullptr, memory.hits, 1, 0, source.level, kTelling == Telling::rows ? job.rows_out + std::size_t{which} * job.graph.order : nullptr};
  for (unsigned w = threadIdx.x; w < words; w += kThreads) state.visited[w] = w == first / 32 ? 1u << first % 32 : 0;
  if (threadIdx.x < 3) memory.found[threadIdx.x] = 0;
  if (threadIdx.x < 2) memory.hits[threadIdx.x] = 0;
  const bool accounts = keeps_accounts<kThreads>();
  if (accounts) {
    state.now[0] = source.entry;
    memory.farthest = kNoVertex;
    if (kTelling == Telling::trail) job.trail.begins[0] = 0;
    if (source.level != 0 && kCounts && job.arrivals.levels != nullptr) count_arrivals(job.arrivals, which, source.level, 1);
  }
  __syncthreads();
  BlockResult result{0, 1 + source.level, kNoVertex, 0, source.level, {0, 0}};
  for (unsigned turn = 0;;) {
    state.found = &memory.found[turn];
    turn = turn == 2 ? 0 : turn + 1;
    if (accounts) memory.found[turn] = 0;
    if (kThreads == kAlone && state.count <= kThreads / 2) {
      expand<kThreads, kTelling, 2>(job, state);
    } else {
      expand<kThreads, kTelling, 1>(job, state);
    }
    __syncthreads();
    const unsigned finds = fresh(state.found), count = kTelling == Telling::counts ? finds % Finds::kLeaf : finds, leaves = kTelling == Telling::counts ? finds / Finds::kLeaf : 0, all = count + leaves;
    state.before = result.reached;
    result.reached += all;
    if (kCounts && accounts && all != 0) {
      result.distance_sum += (state.level + 1ull) * all;
      if (job.arrivals.levels != nullptr) count_arrivals(job.arrivals, which, state.level + 1, all);
    }
    if (count - 1 >= job.room) {                 // nobody, or too many
      if (count != 0) {
        result.overflow = 1;
        result.reached = state.before;
      } else if (leaves != 0) {
        ++state.level;
      }
      break;
    }
    ++state.level;
    unsigned* const free = state.now;
    state.now = state.next;
    state.next = free;
    state.count = count;
    if (kTelling == Telling::trail && accounts) job.trail.begins[state.level] = state.before;
  }
  result.eccentricity = state.level;
  if (kTelling == Telling::trail)
    for (unsigned i = threadIdx.x; i < state.count; i += kThreads) atomicMin(&memory.farthest, PackedRow::vertex_of(state.now[i]));
  __syncthreads();
  result.farthest = fresh(&memory.farthest);
  result.reach = {fresh(&memory.hits[0]), fresh(&memory.hits[1])};
  return result;
}

__device__ Vertex level_size(const BlockTrail& trail, Distance level, Distance last, Vertex reached) { return (level < last ? trail.begins[level + 1] : reached) - trail.begins[level]; }

// A single search tells the host what it found; by all threads of the block.
__device__ void tell(const BlockTrail& trail, const BlockResult& result, SingleAnswer* answer, const Signal& signal) {
  __syncthreads();
  for (Distance level = threadIdx.x; level <= result.eccentricity && level < std::size(answer->level_sizes); level += blockDim.x) answer->level_sizes[level] = level_size(trail, level, result.eccentricity, result.reached);
  if (threadIdx.x == 0) answer->result = result;
  __syncthreads();
  if (threadIdx.x == 0) signal.give();
}

// The only source, or one after the other.
template <unsigned kThreads, Telling kTelling>
__global__ void __launch_bounds__(kThreads, kThreads == kMany ? kMostTogether : 1) block_search_kernel(BlockJob job) {
  extern __shared__ unsigned shared[];
  __shared__ BlockMemory memory;
  if constexpr (kTelling == Telling::trail) {
    const BlockResult result = searched<kThreads, kTelling>(job, 0, job.only, shared, memory);
    if (keeps_accounts<kThreads>()) *job.results = result;
    tell(job.trail, result, job.answer, job.signal);
  } else {
    for (;;) {
      if (threadIdx.x == 0) memory.taken = atomicAdd(job.next, 1u);
      __syncthreads();
      const unsigned place = memory.taken;
      __syncthreads();
      if (place >= job.count) return;
      const unsigned which = job.order == nullptr ? place : job.order[place];
      const BlockResult result = searched<kThreads, kTelling>(job, which, job.sources[which], shared, memory);
      if (keeps_accounts<kThreads>()) job.results[which] = result;
      __syncthreads();
    }
  }
}

// The distances of a single search go to their places by all multiprocessors; it would take the one that searches a tenth of its time. Nobody waits for it.
__global__ void follow_kernel(BlockTrail trail, const BlockResult* found, Distance* row, Vertex* level_sizes, Distance* least) {
  const Vertex reached = found->reached;
  const Distance eccentricity = found->eccentricity;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (Vertex i = thread; i < reached; i += threads) {
    Distance level = 0, end = eccentricity + 1;  // the last that does not begin beyond
    while (end - level > 1) {
      const Distance middle = level + (end - level) / 2;
      (trail.begins[middle] <= i ? level : end) = middle;
    }
    const Vertex v = trail.vertices[i];
    row[v] = level;
    if (found->overflow == 0) least[v] = max(least[v], max(level, eccentricity - level));
  }
  for (Distance level = thread; level <= eccentricity; level += threads) level_sizes[level] = level_size(trail, level, eccentricity, reached);
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

std::size_t shared_bytes(Vertex order, unsigned room) { return (std::size_t{order} / 32 + 1 + 2 * room) * sizeof(unsigned); }

template <unsigned kThreads, Telling kTelling>
void launch(const Context& context, unsigned blocks, const BlockJob& job) {
  const std::size_t bytes = shared_bytes(job.graph.order, job.room);
  check(cudaFuncSetAttribute(block_search_kernel<kThreads, kTelling>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)), "asking for shared memory");
  if (kThreads == kManyReaching) check(cudaFuncSetAttribute(block_search_kernel<kThreads, kTelling>, cudaFuncAttributePreferredSharedMemoryCarveout, kReachingShare), "asking for a cache");
  block_search_kernel<kThreads, kTelling><<<blocks, kThreads, bytes, context.stream()>>>(job);
  check(cudaGetLastError(), "launching a kernel");
}

template <Telling kTelling, unsigned kManyThreads>
void launch_with_enough_threads(const Context& context, unsigned blocks, const BlockJob& job) {
  const auto places = static_cast<unsigned>(context.multiprocessors());
  if (blocks <= places) return launch<kAlone, kTelling>(context, blocks, job);
  if (blocks <= 2 * places) return launch<kPaired, kTelling>(context, blocks, job);
  launch<kManyThreads, kTelling>(context, blocks, job);
}

}  // namespace

bool BlockSearches::has_short_rows(const Graph& graph) {
  if (graph.order() == 0 || graph.arcs() > std::uint64_t{kMeanRow} * graph.order()) return false;
  for (Vertex v = 0; v < graph.order(); ++v)
    if (graph.degree(v) > kLongestRow) return false;
  return true;
}

bool BlockSearches::suits(const Graph& graph) { return shared_bytes(graph.order(), kShortQueue) + 1024 <= static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) && has_short_rows(graph); }

BlockSearches::BlockSearches(const Context& context, const Graph& host_graph, const GraphView& graph, bool has_room) : context_(context), host_graph_(host_graph), graph_(graph), wants_leafless_(has_room), rows_(packed_rows(context, graph)), sources_(Lanes::kMost), starts_(Lanes::kMost), results_(Lanes::kMost), next_(1), order_(Lanes::kMost), trail_(graph.order), trail_begins_(std::size_t{graph.order} + 1), least_(graph.order) {
  context_.fill_bytes(least_.data(), 0, graph.order);
}

BlockAnswer BlockSearches::search(Vertex source, Distance* row, Vertex* level_sizes) {
  if (!reaches_all_) context_.fill_bytes(row, 0xFF, graph_.order);
  const unsigned room = shared_bytes(graph_.order, kLongQueue) + 1024 <= context_.shared_bytes() ? kLongQueue : kShortQueue;
  auto* const answer = static_cast<SingleAnswer*>(context_.pinned());
  const BlockTrail trail{trail_.data(), trail_begins_.data()};
  const Signal signal = context_.next_signal();
  launch<kAlone, Telling::trail>(context_, 1, {graph_, rows(), nullptr, 1, {PackedRow::entry_of(source), 0}, room, nullptr, nullptr, results_.data(), nullptr, trail, answer, signal, {}, {}});
  follow_kernel<<<context_.blocks_for(graph_.order), Context::kThreads, 0, context_.stream()>>>(trail, results_.data(), row, level_sizes, least_.data());
  check(cudaGetLastError(), "launching a kernel");
  context_.await(signal);
  reaches_all_ = reaches_all_ || (!host_graph_.is_directed() && answer->result.overflow == 0 && answer->result.reached == graph_.order);
  return {answer->result, answer->level_sizes};
}

bool BlockSearches::search(std::span<const Vertex> sources, Distance* distances) {
  if (!reaches_all_) context_.fill_bytes(distances, 0xFF, sources.size() * graph_.order);
  context_.fill_bytes(next_.data(), 0, 1);
  upload_starts(sources, nullptr);
  launch<kAlone, Telling::rows>(context_, static_cast<unsigned>(sources.size()), {graph_, rows(), starts_.data(), static_cast<unsigned>(sources.size()), {}, kShortQueue, next_.data(), nullptr, results_.data(), distances, {}, nullptr, {}, {}, {}});
  std::vector<BlockResult> results(sources.size());
  context_.download(std::span<BlockResult>(results), results_.data());
  return std::all_of(results.begin(), results.end(), [](const BlockResult& each) { return each.overflow == 0; });
}

void BlockSearches::upload_starts(std::span<const Vertex> sources, const Leafless* leafless) {
  std::vector<BlockSource> starts;
  for (const Vertex source : sources) starts.push_back(leafless != nullptr ? leafless->source(source) : BlockSource{PackedRow::entry_of(source), 0});
  context_.upload(starts_.data(), std::span<const BlockSource>(starts));
}

// Where there are many sources, and nothing to tell of every vertex, leaves are not worth a look each. It is tried once: all goes without, too.
const Leafless* BlockSearches::leafless() {
  if (std::exchange(wants_leafless_, false)) {
    try {
      leafless_ = Leafless::of(context_, host_graph_);
    } catch (const DeviceError&) {
    }
  }
  return leafless_.get();
}

std::vector<BlockResult> BlockSearches::reach(std::span<const Vertex> sources, const ReachRequest& request, const Arrivals& arrivals) {
  const std::size_t places = static_cast<std::size_t>(context_.multiprocessors());
  const bool reaches = request.lower != nullptr;
  // On each multiprocessor: as many as find room, and leave some to the cache if they reach; but so that all rounds are as full.
  const auto together = [&](Vertex order) {
    const std::size_t bytes = shared_bytes(order, kShortQueue) + sizeof(BlockMemory) + 1024, room = context_.shared_bytes_in_all();
    const std::size_t most = std::clamp<std::size_t>((reaches ? room / 100 * kReachingShare : room) / bytes, 1, kMostTogether) * places, rounds = (sources.size() + most - 1) / most;
    return (sources.size() + rounds * places - 1) / (rounds * places);
  };
  const Leafless* const without = !reaches && together(graph_.order) > 2 ? leafless() : nullptr;
  const GraphView graph = without != nullptr ? without->view() : graph_;
  const std::size_t resident = together(graph.order) * places;
  const auto count = static_cast<unsigned>(sources.size()), blocks = static_cast<unsigned>(std::min(resident, sources.size()));
  const bool some_wait = sources.size() > resident;
  context_.fill_bytes(next_.data(), 0, 1);
  upload_starts(sources, without);
  if (some_wait) {
    context_.upload(sources_.data(), sources);
    order_kernel<<<(count * kWarp + Context::kThreads - 1) / Context::kThreads, Context::kThreads, 0, context_.stream()>>>(sources_.data(), count, least_.data(), order_.data());
    check(cudaGetLastError(), "launching a kernel");
  }
  const BlockJob job{graph, without != nullptr ? without->rows() : rows(), starts_.data(), count, {}, kShortQueue, next_.data(), some_wait ? order_.data() : nullptr, results_.data(), nullptr, {}, nullptr, {}, request, arrivals};
  if (reaches) {
    launch_with_enough_threads<Telling::reach, kManyReaching>(context_, blocks, job);
  } else {
    launch_with_enough_threads<Telling::counts, kMany>(context_, blocks, job);
  }
  std::vector<BlockResult> results(sources.size());
  context_.download(std::span<BlockResult>(results), results_.data());
  return results;
}

}  // namespace antipode::cuda
