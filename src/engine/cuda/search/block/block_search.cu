#include "engine/cuda/search/block/block_search.hpp"

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/cuda/layout/leafless.hpp"
#include "engine/cuda/search/block/block_run.hpp"

namespace antipode::cuda {

namespace {

constexpr unsigned kMostResident = 4;  // blocks of kMany threads on a multiprocessor
// Percent of shared memory for batches with farthest distances; the rest remains L1 cache.
constexpr unsigned kFarthestShare = 70;
constexpr unsigned kLongQueue = 8192, kShortQueue = 2048;  // entries

static_assert(sizeof(BlockResult) * kMostBatch <= Context::kPinnedForBatch);
// Both counts of a level must fit one word.
static_assert(kShortQueue * kHighestPackedDegree < Finds::kLeaf &&
              kShortQueue * PackedEntry::kMostLeaves < ~0u / Finds::kLeaf);

// Searches the only source, or sources one after the other until all are taken.
template <unsigned kThreads, BlockOutput kOutput>
__global__ void __launch_bounds__(kThreads, kThreads == kMany ? kMostResident : 1)
    block_search_kernel(BlockJob job) {
  extern __shared__ unsigned all_shared[];
  BlockSearchMemory& memory = *reinterpret_cast<BlockSearchMemory*>(all_shared);
  unsigned* const shared = reinterpret_cast<unsigned*>(&memory + 1);
  if constexpr (kOutput == BlockOutput::trail) {
    const BlockResult result =
        search_by_block<kThreads, kOutput>(job, 0, job.single_source, shared, memory);
    if (is_counting_thread<kThreads>()) *job.results = result;
    write_answer(job.trail, result, job.answer, job.signal);
  } else {
    for (;;) {
      if (threadIdx.x == 0) {
        __threadfence_system();  // results are visible before the next counter value
        memory.taken = atomicAdd(job.next, 1u);
      }
      __syncthreads();
      const unsigned place = memory.taken;
      __syncthreads();
      if (place >= job.count) {
        if (place == job.count + gridDim.x - 1 &&
            threadIdx.x == 0) {  // the last block: all results are written
          *job.next = 0;
          job.signal.give();
        }
        return;
      }
      const unsigned which = job.order == nullptr ? place : job.order[place];
      const BlockResult result =
          search_by_block<kThreads, kOutput>(job, which, job.sources[which], shared, memory);
      if (is_counting_thread<kThreads>()) job.results[which] = result;
      __syncthreads();
    }
  }
}

// Writes the distances of a single search, by all multiprocessors: for the searching block it would
// take a tenth of its time. The host does not wait for it.
__global__ void write_trail_kernel(BlockTrail trail, const BlockResult* found, Distance* distances,
                                   Vertex* level_sizes, Distance* least) {
  const Vertex reached = found->reached;
  const Distance eccentricity = found->eccentricity;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (Vertex i = thread; i < reached; i += threads) {
    // binary search for the last level that begins at or before i
    Distance level = 0, end = eccentricity + 1;
    while (end - level > 1) {
      const Distance half = level + (end - level) / 2;
      (trail.begins[half] <= i ? level : end) = half;
    }
    const Vertex v = trail.vertices[i];
    distances[v] = level;
    if (found->overflow == 0) least[v] = max(least[v], max(level, eccentricity - level));
  }
  for (Distance level = thread; level <= eccentricity; level += threads)
    level_sizes[level] = level_size(trail, level, eccentricity, reached);
}

// Orders the sources by decreasing lower bound of their eccentricity, so that the longest searches
// do not come last. One warp ranks one source.
__global__ void order_kernel(const Vertex* sources, unsigned count, const Distance* least,
                             unsigned* order) {
  __shared__ Distance keys[kMostBatch];
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) keys[i] = least[sources[i]];
  __syncthreads();
  const unsigned which = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  if (which >= count) return;
  unsigned before = 0;
  for (unsigned i = thread_of_warp(); i < count; i += kWarp)
    before += keys[i] > keys[which] || (keys[i] == keys[which] && i < which);
  before = __reduce_add_sync(~0u, before);
  if (thread_of_warp() == 0) order[before] = which;
}

std::size_t shared_bytes(Vertex order, unsigned room) {
  return sizeof(BlockSearchMemory) +
         (std::size_t{PackedEntry::words(order)} + kWarp + 2 * room) * sizeof(unsigned);
}

template <unsigned kThreads, BlockOutput kOutput>
void launch(const Context& context, unsigned blocks, const BlockJob& job) {
  const std::size_t bytes = shared_bytes(job.graph.order, job.queue_room);
  check(cudaFuncSetAttribute(block_search_kernel<kThreads, kOutput>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "asking for shared memory");
  if (kOutput == BlockOutput::farthest && kThreads == kManyFarthest)
    check(cudaFuncSetAttribute(block_search_kernel<kThreads, kOutput>,
                               cudaFuncAttributePreferredSharedMemoryCarveout, kFarthestShare),
          "asking for a cache");
  block_search_kernel<kThreads, kOutput><<<blocks, kThreads, bytes, context.stream()>>>(job);
  check(cudaGetLastError(), "launching a kernel");
}

template <BlockOutput kOutput, unsigned kManyThreads>
void launch_with_enough_threads(const Context& context, unsigned blocks, const BlockJob& job) {
  const auto places = static_cast<unsigned>(context.multiprocessors());
  if (blocks <= places) return launch<kAlone, kOutput>(context, blocks, job);
  if (blocks <= 2 * places) return launch<kPaired, kOutput>(context, blocks, job);
  launch<kManyThreads, kOutput>(context, blocks, job);
}

// Blocks per multiprocessor: as many as fit, with room for L1 cache if there are farthest
// distances, and balanced over the rounds.
std::size_t blocks_each(const Context& context, Vertex order, std::size_t sources,
                        bool wants_farthest) {
  const auto places = static_cast<std::size_t>(context.multiprocessors());
  const std::size_t bytes = shared_bytes(order, kShortQueue) + 1024,
                    room = context.shared_bytes_per_multiprocessor(),
                    most =
                        places * std::clamp<std::size_t>(
                                     (wants_farthest ? room / 100 * kFarthestShare : room) / bytes,
                                     1, kMostResident),
                    rounds = (sources + most - 1) / most;
  return (sources + rounds * places - 1) / (rounds * places);
}

}  // namespace

bool BlockSearches::suits(const Graph& graph) {
  return shared_bytes(graph.order(), kShortQueue) <=
             static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) &&
         has_low_degrees(graph);
}

BlockSearches::BlockSearches(const Context& context, const Graph& host_graph,
                             const GraphView& graph, bool has_room)
    : context_(context),
      host_graph_(host_graph),
      graph_(graph),
      wants_leafless_(has_room),
      packed_(pack_adjacency(context, graph)),
      sources_(kMostBatch),
      starts_(kMostBatch),
      single_result_(1),
      next_(1),
      order_(kMostBatch),
      trail_(graph.order),
      trail_begins_(std::size_t{graph.order} + 1),
      eccentricity_bounds_(graph.order) {
  context_.fill_bytes(eccentricity_bounds_.data(), 0, graph.order);
  context_.fill_bytes(next_.data(), 0, 1);
}

BlockSearches::~BlockSearches() = default;

BlockAnswer BlockSearches::search(Vertex source, Distance* distances, Vertex* level_sizes) {
  if (!is_connected_) context_.fill_bytes(distances, 0xFF, graph_.order);
  const unsigned room =
      shared_bytes(graph_.order, kLongQueue) <= context_.shared_bytes() ? kLongQueue : kShortQueue;
  auto* const answer = static_cast<SingleAnswer*>(context_.pinned());
  const BlockTrail trail{trail_.data(), trail_begins_.data()};
  const Signal signal = context_.next_signal();
  launch<kAlone, BlockOutput::trail>(context_, 1,
                                     {.graph = graph_,
                                      .adjacency = adjacency(),
                                      .sources = nullptr,
                                      .count = 1,
                                      .single_source = {PackedEntry::entry_of(source), 0},
                                      .queue_room = room,
                                      .next = nullptr,
                                      .order = nullptr,
                                      .results = single_result_.data(),
                                      .signal = signal,
                                      .distances = nullptr,
                                      .trail = trail,
                                      .answer = answer,
                                      .request = {},
                                      .arrivals = {}});
  write_trail_kernel<<<context_.blocks_for(graph_.order), Context::kThreads, 0,
                       context_.stream()>>>(trail, single_result_.data(), distances, level_sizes,
                                            eccentricity_bounds_.data());
  check(cudaGetLastError(), "launching a kernel");
  context_.await(signal);
  is_connected_ = is_connected_ || (!host_graph_.is_directed() && answer->result.overflow == 0 &&
                                    answer->result.reached == graph_.order);
  return {answer->result, answer->level_sizes};
}

bool BlockSearches::search(std::span<const Vertex> sources, Distance* distances) {
  if (!is_connected_) context_.fill_bytes(distances, 0xFF, sources.size() * graph_.order);
  upload_starts(sources, nullptr);
  const Signal signal = context_.next_signal();
  launch<kAlone, BlockOutput::distances>(context_, static_cast<unsigned>(sources.size()),
                                         {.graph = graph_,
                                          .adjacency = adjacency(),
                                          .sources = starts_.data(),
                                          .count = static_cast<unsigned>(sources.size()),
                                          .single_source = {},
                                          .queue_room = kShortQueue,
                                          .next = next_.data(),
                                          .order = nullptr,
                                          .results = results(),
                                          .signal = signal,
                                          .distances = distances,
                                          .trail = {},
                                          .answer = nullptr,
                                          .request = {},
                                          .arrivals = {}});
  context_.await(signal);
  return std::all_of(results(), results() + sources.size(),
                     [](const BlockResult& each) { return each.overflow == 0; });
}

void BlockSearches::upload_starts(std::span<const Vertex> sources, const Leafless* leafless) {
  std::vector<BlockSource> starts;
  for (const Vertex source : sources)
    starts.push_back(leafless != nullptr ? leafless->source(source)
                                         : BlockSource{PackedEntry::entry_of(source), 0});
  context_.upload(starts_.data(), std::span<const BlockSource>(starts));
}

// Without outputs per vertex, leaves need not be expanded. The copy is built once; if memory is
// short, batches do without.
const Leafless* BlockSearches::leafless() {
  if (std::exchange(wants_leafless_, false)) {
    try {
      leafless_ = Leafless::of(context_, host_graph_);
    } catch (const DeviceError&) {
    }
  }
  return leafless_.get();
}

std::span<const BlockResult> BlockSearches::search_each(std::span<const Vertex> sources,
                                                        const FarthestRequest& request,
                                                        const Arrivals& arrivals) {
  const std::size_t places = static_cast<std::size_t>(context_.multiprocessors());
  const bool wants_farthest = request.lower != nullptr;
  const Leafless* const leafless_graph =
      !wants_farthest && blocks_each(context_, graph_.order, sources.size(), wants_farthest) > 2
          ? leafless()
          : nullptr;
  const GraphView graph = leafless_graph != nullptr ? leafless_graph->view() : graph_;
  const std::size_t resident =
      blocks_each(context_, graph.order, sources.size(), wants_farthest) * places;
  const auto count = static_cast<unsigned>(sources.size()),
             blocks = static_cast<unsigned>(std::min(resident, sources.size()));
  const bool is_ordered = sources.size() > resident;
  upload_starts(sources, leafless_graph);
  if (is_ordered) {
    context_.upload(sources_.data(), sources);
    order_kernel<<<(count * kWarp + Context::kThreads - 1) / Context::kThreads, Context::kThreads,
                   0, context_.stream()>>>(sources_.data(), count, eccentricity_bounds_.data(),
                                           order_.data());
    check(cudaGetLastError(), "launching a kernel");
  }
  const Signal signal = context_.next_signal();
  const BlockJob job{
      .graph = graph,
      .adjacency = leafless_graph != nullptr ? leafless_graph->adjacency() : adjacency(),
      .sources = starts_.data(),
      .count = count,
      .single_source = {},
      .queue_room = kShortQueue,
      .next = next_.data(),
      .order = is_ordered ? order_.data() : nullptr,
      .results = results(),
      .signal = signal,
      .distances = nullptr,
      .trail = {},
      .answer = nullptr,
      .request = request,
      .arrivals = arrivals};
  if (wants_farthest) {
    launch_with_enough_threads<BlockOutput::farthest, kManyFarthest>(context_, blocks, job);
  } else {
    launch_with_enough_threads<BlockOutput::counts, kMany>(context_, blocks, job);
  }
  context_.await(signal);
  return {results(), sources.size()};
}

}  // namespace antipode::cuda
