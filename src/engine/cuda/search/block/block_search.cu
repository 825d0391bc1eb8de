#include "engine/cuda/search/block/block_search.hpp"

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/cuda/search/block/block_level.hpp"

namespace antipode::cuda {

namespace {

// Threads for a search that has a multiprocessor to itself, that shares it with one, or with more;
// and with more, if it reaches.
constexpr unsigned kAlone = 1024, kPaired = 512, kMany = 288, kManyReaching = 320;
constexpr unsigned kMostTogether = 4;    // of the many
constexpr unsigned kReachingShare = 70;  // of shared memory, in hundredths, that many who reach may
                                         // have together: the rest is cache
constexpr unsigned kLongQueue = 8192, kShortQueue = 2048;  // entries of a level

static_assert(sizeof(BlockResult) * kMostBatch <= Context::kPinnedForBatch);
// A level and its leaves must be told apart.
static_assert(kShortQueue * kLongestPackedRow < Finds::kLeaf &&
              kShortQueue * PackedRow::kMostHanging < ~0u / Finds::kLeaf);

// So many vertices are at this distance from everyone that source number `which` stands for.
__device__ void count_arrivals(const Arrivals& arrivals, unsigned which, Distance level,
                               unsigned count) {
  if (arrivals.weights == nullptr) {
    atomicAdd(&arrivals.levels[level], static_cast<unsigned long long>(count));
    return;
  }
  const Vertex* const weights = &arrivals.weights[which][0];
  for (unsigned k = 0; k < std::tuple_size_v<Multiplicities>; ++k)
    if (weights[k] != 0)
      atomicAdd(&arrivals.levels[level + k], static_cast<unsigned long long>(weights[k]) * count);
}

// What is in shared memory before marks and queues.
struct BlockMemory {
  WarpCounter found[3];  // by three levels, in turn
  unsigned hits[2], farthest, taken;
};

// The last thread keeps the accounts: most levels leave it nothing else to do.
template <unsigned kThreads>
__device__ bool keeps_accounts() {
  return threadIdx.x == kThreads - 1;
}

// One search by the whole block; the result is the accountant's. What every warp does once a level
// is seen: what is not told is not worked out.
template <unsigned kThreads, BlockOutput kTelling>
__device__ BlockResult searched(const BlockJob& job, unsigned which, const BlockSource& source,
                                unsigned* shared, BlockMemory& memory) {
  constexpr bool kCounts = kTelling == BlockOutput::counts || kTelling == BlockOutput::reach;
  const unsigned words = PackedRow::words(job.graph.order);
  const Vertex first = PackedRow::vertex_of(source.entry);
  unsigned* const queues = shared + words + kWarp;
  BlockState state{shared,
                   queues,
                   queues + job.room,
                   nullptr,
                   memory.hits,
                   PackedRow::nobody(job.graph.order, lane()),
                   1,
                   0,
                   source.level,
                   kTelling == BlockOutput::rows
                       ? job.rows_out + std::size_t{which} * job.graph.order
                       : nullptr};
  for (unsigned w = threadIdx.x; w < words; w += kThreads)
    state.visited[w] = w == first / 32 ? 1u << first % 32 : 0;
  if (threadIdx.x < kWarp) state.visited[words + threadIdx.x] = ~0u;
  if (threadIdx.x < 3) memory.found[threadIdx.x].clear();
  if (threadIdx.x < 2) memory.hits[threadIdx.x] = 0;
  const bool accounts = keeps_accounts<kThreads>();
  if (accounts) {
    state.now[0] = source.entry;
    memory.farthest = kNoVertex;
    if (kTelling == BlockOutput::trail) job.trail.begins[0] = 0;
    if (source.level != 0 && kCounts && job.arrivals.levels != nullptr)
      count_arrivals(job.arrivals, which, source.level, 1);
  }
  __syncthreads();
  BlockResult result{0, 1 + source.level, kNoVertex, 0, source.level, {0, 0}};
  for (unsigned turn = 0;;) {
    state.found = &memory.found[turn];
    turn = turn == 2 ? 0 : turn + 1;
    if (accounts) memory.found[turn].clear();
    if (kThreads == kAlone && state.count <= kThreads / 2) {
      expand<kThreads, kTelling, 2>(job, state);
    } else {
      expand<kThreads, kTelling, 1>(job, state);
    }
    __syncthreads();
    const unsigned finds = state.found->value(),
                   count = kTelling == BlockOutput::counts ? finds % Finds::kLeaf : finds,
                   leaves = kTelling == BlockOutput::counts ? finds / Finds::kLeaf : 0,
                   all = count + leaves;
    state.before = result.reached;
    result.reached += all;
    if (kCounts && accounts && all != 0) {
      result.distance_sum += (state.level + 1ull) * all;
      if (job.arrivals.levels != nullptr) count_arrivals(job.arrivals, which, state.level + 1, all);
    }
    if (count - 1 >= job.room) {  // nobody, or too many
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
    if (kTelling == BlockOutput::trail && accounts) job.trail.begins[state.level] = state.before;
  }
  result.eccentricity = state.level;
  if (kTelling == BlockOutput::trail)
    for (unsigned i = threadIdx.x; i < state.count; i += kThreads)
      atomicMin(&memory.farthest, PackedRow::vertex_of(state.now[i]));
  __syncthreads();
  result.farthest = fresh(&memory.farthest);
  result.reach = {fresh(&memory.hits[0]), fresh(&memory.hits[1])};
  return result;
}

__device__ Vertex level_size(const BlockTrail& trail, Distance level, Distance last,
                             Vertex reached) {
  return (level < last ? trail.begins[level + 1] : reached) - trail.begins[level];
}

// A single search tells the host what it found; by all threads of the block.
__device__ void tell(const BlockTrail& trail, const BlockResult& result, SingleAnswer* answer,
                     const Signal& signal) {
  __syncthreads();
  for (Distance level = threadIdx.x;
       level <= result.eccentricity && level < std::size(answer->level_sizes); level += blockDim.x)
    answer->level_sizes[level] = level_size(trail, level, result.eccentricity, result.reached);
  if (threadIdx.x == 0) answer->result = result;
  __syncthreads();
  if (threadIdx.x == 0) signal.give();
}

// The only source, or one after the other.
template <unsigned kThreads, BlockOutput kTelling>
__global__ void __launch_bounds__(kThreads, kThreads == kMany ? kMostTogether : 1)
    block_search_kernel(BlockJob job) {
  extern __shared__ unsigned all_shared[];
  BlockMemory& memory = *reinterpret_cast<BlockMemory*>(all_shared);
  unsigned* const shared = reinterpret_cast<unsigned*>(&memory + 1);
  if constexpr (kTelling == BlockOutput::trail) {
    const BlockResult result = searched<kThreads, kTelling>(job, 0, job.only, shared, memory);
    if (keeps_accounts<kThreads>()) *job.results = result;
    tell(job.trail, result, job.answer, job.signal);
  } else {
    for (;;) {
      if (threadIdx.x == 0) {
        __threadfence_system();  // whoever sees that another source is taken finds the last result
        memory.taken = atomicAdd(job.next, 1u);
      }
      __syncthreads();
      const unsigned place = memory.taken;
      __syncthreads();
      if (place >= job.count) {
        if (place == job.count + gridDim.x - 1 &&
            threadIdx.x == 0) {  // the last one: all others have nothing left to do
          *job.next = 0;
          job.signal.give();
        }
        return;
      }
      const unsigned which = job.order == nullptr ? place : job.order[place];
      const BlockResult result =
          searched<kThreads, kTelling>(job, which, job.sources[which], shared, memory);
      if (keeps_accounts<kThreads>()) job.results[which] = result;
      __syncthreads();
    }
  }
}

// The distances of a single search go to their places by all multiprocessors; it would take the one
// that searches a tenth of its time. Nobody waits for it.
__global__ void follow_kernel(BlockTrail trail, const BlockResult* found, Distance* row,
                              Vertex* level_sizes, Distance* least) {
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
  for (Distance level = thread; level <= eccentricity; level += threads)
    level_sizes[level] = level_size(trail, level, eccentricity, reached);
}

// Sources whose searches go far are taken first, so that nobody waits for them in the end. A warp
// finds the place of one.
__global__ void order_kernel(const Vertex* sources, unsigned count, const Distance* least,
                             unsigned* order) {
  __shared__ Distance keys[kMostBatch];
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) keys[i] = least[sources[i]];
  __syncthreads();
  const unsigned which = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (which >= count) return;
  unsigned before = 0;
  for (unsigned i = lane(); i < count; i += kWarp)
    before += keys[i] > keys[which] || (keys[i] == keys[which] && i < which);
  before = __reduce_add_sync(~0u, before);
  if (lane() == 0) order[before] = which;
}

std::size_t shared_bytes(Vertex order, unsigned room) {
  return sizeof(BlockMemory) +
         (std::size_t{PackedRow::words(order)} + kWarp + 2 * room) * sizeof(unsigned);
}

template <unsigned kThreads, BlockOutput kTelling>
void launch(const Context& context, unsigned blocks, const BlockJob& job) {
  const std::size_t bytes = shared_bytes(job.graph.order, job.room);
  check(cudaFuncSetAttribute(block_search_kernel<kThreads, kTelling>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "asking for shared memory");
  if (kTelling == BlockOutput::reach && kThreads == kManyReaching)
    check(cudaFuncSetAttribute(block_search_kernel<kThreads, kTelling>,
                               cudaFuncAttributePreferredSharedMemoryCarveout, kReachingShare),
          "asking for a cache");
  block_search_kernel<kThreads, kTelling><<<blocks, kThreads, bytes, context.stream()>>>(job);
  check(cudaGetLastError(), "launching a kernel");
}

template <BlockOutput kTelling, unsigned kManyThreads>
void launch_with_enough_threads(const Context& context, unsigned blocks, const BlockJob& job) {
  const auto places = static_cast<unsigned>(context.multiprocessors());
  if (blocks <= places) return launch<kAlone, kTelling>(context, blocks, job);
  if (blocks <= 2 * places) return launch<kPaired, kTelling>(context, blocks, job);
  launch<kManyThreads, kTelling>(context, blocks, job);
}

}  // namespace

bool BlockSearches::suits(const Graph& graph) {
  return shared_bytes(graph.order(), kShortQueue) <=
             static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) &&
         has_short_rows(graph);
}

BlockSearches::BlockSearches(const Context& context, const Graph& host_graph,
                             const GraphView& graph, bool has_room)
    : context_(context),
      host_graph_(host_graph),
      graph_(graph),
      wants_leafless_(has_room),
      rows_(packed_rows(context, graph)),
      sources_(kMostBatch),
      starts_(kMostBatch),
      only_(1),
      next_(1),
      order_(kMostBatch),
      trail_(graph.order),
      trail_begins_(std::size_t{graph.order} + 1),
      least_(graph.order) {
  context_.fill_bytes(least_.data(), 0, graph.order);
  context_.fill_bytes(next_.data(), 0, 1);
}

BlockAnswer BlockSearches::search(Vertex source, Distance* row, Vertex* level_sizes) {
  if (!reaches_all_) context_.fill_bytes(row, 0xFF, graph_.order);
  const unsigned room =
      shared_bytes(graph_.order, kLongQueue) <= context_.shared_bytes() ? kLongQueue : kShortQueue;
  auto* const answer = static_cast<SingleAnswer*>(context_.pinned());
  const BlockTrail trail{trail_.data(), trail_begins_.data()};
  const Signal signal = context_.next_signal();
  launch<kAlone, BlockOutput::trail>(context_, 1,
                                     {graph_,
                                      rows(),
                                      nullptr,
                                      1,
                                      {PackedRow::entry_of(source), 0},
                                      room,
                                      nullptr,
                                      nullptr,
                                      only_.data(),
                                      signal,
                                      nullptr,
                                      trail,
                                      answer,
                                      {},
                                      {}});
  follow_kernel<<<context_.blocks_for(graph_.order), Context::kThreads, 0, context_.stream()>>>(
      trail, only_.data(), row, level_sizes, least_.data());
  check(cudaGetLastError(), "launching a kernel");
  context_.await(signal);
  reaches_all_ = reaches_all_ || (!host_graph_.is_directed() && answer->result.overflow == 0 &&
                                  answer->result.reached == graph_.order);
  return {answer->result, answer->level_sizes};
}

bool BlockSearches::search(std::span<const Vertex> sources, Distance* distances) {
  if (!reaches_all_) context_.fill_bytes(distances, 0xFF, sources.size() * graph_.order);
  upload_starts(sources, nullptr);
  const Signal signal = context_.next_signal();
  launch<kAlone, BlockOutput::rows>(context_, static_cast<unsigned>(sources.size()),
                                    {graph_,
                                     rows(),
                                     starts_.data(),
                                     static_cast<unsigned>(sources.size()),
                                     {},
                                     kShortQueue,
                                     next_.data(),
                                     nullptr,
                                     results(),
                                     signal,
                                     distances,
                                     {},
                                     nullptr,
                                     {},
                                     {}});
  context_.await(signal);
  return std::all_of(results(), results() + sources.size(),
                     [](const BlockResult& each) { return each.overflow == 0; });
}

void BlockSearches::upload_starts(std::span<const Vertex> sources, const Leafless* leafless) {
  std::vector<BlockSource> starts;
  for (const Vertex source : sources)
    starts.push_back(leafless != nullptr ? leafless->source(source)
                                         : BlockSource{PackedRow::entry_of(source), 0});
  context_.upload(starts_.data(), std::span<const BlockSource>(starts));
}

// Where there are many sources, and nothing to tell of every vertex, leaves are not worth a look
// each. It is tried once: all goes without, too.
const Leafless* BlockSearches::leafless() {
  if (std::exchange(wants_leafless_, false)) {
    try {
      leafless_ = Leafless::of(context_, host_graph_);
    } catch (const DeviceError&) {
    }
  }
  return leafless_.get();
}

std::span<const BlockResult> BlockSearches::reach(std::span<const Vertex> sources,
                                                  const FarthestRequest& request,
                                                  const Arrivals& arrivals) {
  const std::size_t places = static_cast<std::size_t>(context_.multiprocessors());
  const bool reaches = request.lower != nullptr;
  // On each multiprocessor: as many as find room, and leave some to the cache if they reach; but so
  // that all rounds are as full.
  const auto together = [&](Vertex order) {
    const std::size_t bytes = shared_bytes(order, kShortQueue) + 1024,
                      room = context_.shared_bytes_in_all();
    const std::size_t most = std::clamp<std::size_t>(
                                 (reaches ? room / 100 * kReachingShare : room) / bytes, 1,
                                 kMostTogether) *
                             places,
                      rounds = (sources.size() + most - 1) / most;
    return (sources.size() + rounds * places - 1) / (rounds * places);
  };
  const Leafless* const without = !reaches && together(graph_.order) > 2 ? leafless() : nullptr;
  const GraphView graph = without != nullptr ? without->view() : graph_;
  const std::size_t resident = together(graph.order) * places;
  const auto count = static_cast<unsigned>(sources.size()),
             blocks = static_cast<unsigned>(std::min(resident, sources.size()));
  const bool some_wait = sources.size() > resident;
  upload_starts(sources, without);
  if (some_wait) {
    context_.upload(sources_.data(), sources);
    order_kernel<<<(count * kWarp + Context::kThreads - 1) / Context::kThreads, Context::kThreads,
                   0, context_.stream()>>>(sources_.data(), count, least_.data(), order_.data());
    check(cudaGetLastError(), "launching a kernel");
  }
  const Signal signal = context_.next_signal();
  const BlockJob job{graph,
                     without != nullptr ? without->rows() : rows(),
                     starts_.data(),
                     count,
                     {},
                     kShortQueue,
                     next_.data(),
                     some_wait ? order_.data() : nullptr,
                     results(),
                     signal,
                     nullptr,
                     {},
                     nullptr,
                     request,
                     arrivals};
  if (reaches) {
    launch_with_enough_threads<BlockOutput::reach, kManyReaching>(context_, blocks, job);
  } else {
    launch_with_enough_threads<BlockOutput::counts, kMany>(context_, blocks, job);
  }
  context_.await(signal);
  return {results(), sources.size()};
}

}  // namespace antipode::cuda
