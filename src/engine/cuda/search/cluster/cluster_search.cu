#include "engine/cuda/search/cluster/cluster_search.hpp"

#include <cooperative_groups.h>

#include <algorithm>

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

// Blocks of the cluster: not portable, but Hopper allows it.
constexpr unsigned kBlocks = 16;
constexpr unsigned kThreads = 512;
constexpr unsigned kQueue = 4096;  // entries per block and level
constexpr std::size_t kShared = 227 << 10, kLeft = 2048;
static_assert(kBlocks * kShared * 8 + 2 * kWarp * 32 <=
              PackedEntry::kVertices);  // padding included

std::size_t words_a_block(Vertex order) { return (std::size_t{order} / 32 + kBlocks) / kBlocks; }
std::size_t shared_bytes(Vertex order) {
  return (words_a_block(order) + kWarp + 2 * kQueue) * sizeof(unsigned);
}

struct ClusterJob {
  GraphView graph;
  PackedAdjacency adjacency;
  Vertex source;
  Distance* distances;
  Vertex* level_sizes;
  BlockResult* result;  // pinned
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define ANTIPODE_CLUSTERS

// Shared by the cluster, at the same offset in every block.
struct Mailbox {
  // Vertices in this block's queue: of this level, the next, and the one being cleared.
  unsigned found[3];
  unsigned overflow;
  Vertex farthest;
};

struct ClusterState {
  cg::cluster_group cluster;
  Mailbox* mailbox;
  // This block's; those of other blocks have the same offset. Queues hold packed entries.
  unsigned *marks, *queue;
  unsigned rank;          // of this block
  unsigned marks_at;      // shared-memory address of marks
  unsigned padding_word;  // where this thread tests padding: a word with all bits set
  unsigned next_queue;    // block whose queue gets this warp's next finds
  Distance level;
};

// Sets a bit at this address of that block's shared memory; returns the previous word.
__device__ unsigned mark(unsigned block, unsigned at, unsigned bit) {
  unsigned result;
  asm volatile(
      "{ .reg .u32 remote; mapa.shared::cluster.u32 remote, %1, %2; "
      "atom.relaxed.cluster.shared::cluster.or.b32 %0, [remote], %3; }"
      : "=r"(result)
      : "r"(at), "r"(block), "r"(bit)
      : "memory");
  return result;
}

// Every thread of the warp offers some entries; those not visited before enter one block's queue.
// All threads of the warp must call it.
template <unsigned kOffers>
__device__ void offer(const ClusterJob& job, ClusterState& state,
                      const unsigned (&entries)[kOffers]) {
  bool mine[kOffers];
  unsigned bit[kOffers],
      before[kOffers];  // all atomics are in flight at once
  for (unsigned k = 0; k < kOffers; ++k) {
    const unsigned word = PackedEntry::vertex_of(entries[k]) / 32;
    const bool is_vertex = job.adjacency.is_vertex(entries[k]);
    bit[k] = __funnelshift_l(0, 1, entries[k]);  // by the low five bits
    before[k] =
        mark(is_vertex ? word % kBlocks : state.rank,
             state.marks_at + 4 * (is_vertex ? word / kBlocks : state.padding_word), bit[k]);
  }
  unsigned ballots[kOffers], total = 0;
  for (unsigned k = 0; k < kOffers; ++k) {
    mine[k] = (bit[k] & before[k]) == 0;
    total += __popc(ballots[k] = __ballot_sync(~0u, mine[k]));
    if (mine[k])
      asm volatile("prefetch.global.L2 [%0];" ::"l"(
          &job.adjacency.first(PackedEntry::vertex_of(entries[k]))));  // for the next level
  }
  if (total == 0) return;
  const unsigned to = state.next_queue++ % kBlocks, slot = (state.level + 1) % 3;
  unsigned at = 0;
  if (thread_of_warp() == 0)
    at = atomicAdd(&state.cluster.map_shared_rank(state.mailbox, to)->found[slot], total);
  at = __shfl_sync(~0u, at, 0);
  unsigned* const queue =
      state.cluster.map_shared_rank(state.queue, to) + (state.level + 1) % 2 * kQueue;
  for (unsigned k = 0; k < kOffers; ++k) {
    const unsigned place = at + __popc(ballots[k] & ((1u << thread_of_warp()) - 1));
    if (mine[k] && place < kQueue) queue[place] = entries[k];
    at += __popc(ballots[k]);
  }
}

// Distances are written here, not when a vertex is claimed. The cluster barrier waits for earlier
// writes; these have arrived by then.
__device__ void expand(const ClusterJob& job, ClusterState& state, unsigned count) {
  const unsigned* const queue = state.queue + state.level % 2 * kQueue;
  const unsigned padding = PackedEntry::padding(job.graph.order, 0);
  for (unsigned first = threadIdx.x - thread_of_warp(); first < count; first += kThreads) {
    const bool active = first + thread_of_warp() < count;
    const unsigned entry = active ? queue[first + thread_of_warp()] : 0;
    const Vertex v = PackedEntry::vertex_of(entry);
    const bool is_wide = (entry & PackedEntry::kWide) != 0;
    uint4 a{padding, padding, padding, padding}, b = a;
    if (active) a = job.adjacency.first(v);
    if (is_wide) b = job.adjacency.second(v);
    if (active) job.distances[v] = state.level;
    PackedEntry::replace_parent(entry, padding, a);
    offer<4>(job, state, {a.x, a.y, a.z, a.w});
    if (!__any_sync(~0u, is_wide)) continue;
    offer<4>(job, state, {b.x, b.y, b.z, b.w});
    for (unsigned waiting = __ballot_sync(~0u, (entry & PackedEntry::kLong) != 0); waiting != 0;
         waiting &= waiting - 1) {
      const GraphView::Range range = job.graph.range(__shfl_sync(~0u, v, __ffs(waiting) - 1));
      for (Vertex k = PackedEntry::kLength; k < range.degree; k += kWarp)
        offer<1>(job, state,
                 {k + thread_of_warp() < range.degree
                      ? PackedEntry::entry_of(job.graph.targets[range.begin + k + thread_of_warp()])
                      : padding});
    }
  }
}

__device__ void search_by_cluster(const ClusterJob& job) {
  extern __shared__ unsigned shared[];
  __shared__ Mailbox mailbox;
  __shared__ unsigned total, overflowed;  // totals of all blocks after a level
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), words = (job.graph.order / 32 + kBlocks) / kBlocks,
                 source_block = job.source / 32 % kBlocks;
  unsigned* const marks = shared + 2 * kQueue;
  ClusterState state{.cluster = cluster,
                     .mailbox = &mailbox,
                     .marks = marks,
                     .queue = shared,
                     .rank = rank,
                     .marks_at = static_cast<unsigned>(__cvta_generic_to_shared(marks)),
                     .padding_word = words + thread_of_warp(),
                     .next_queue = rank * 5 + threadIdx.x / kWarp,
                     .level = 0};
  for (unsigned w = threadIdx.x; w < words; w += kThreads) state.marks[w] = 0;
  if (threadIdx.x < kWarp) state.marks[words + threadIdx.x] = ~0u;
  if (threadIdx.x == 0) {
    mailbox = {{0, 0, 0}, 0, kNoVertex};
    if (rank == source_block) state.queue[0] = PackedEntry::entry_of(job.source);
    if (rank == 0) job.level_sizes[0] = 1;
  }
  __syncthreads();
  if (threadIdx.x == 0 && rank == source_block)
    state.marks[job.source / 32 / kBlocks] = 1u << job.source % 32;
  cluster.sync();
  unsigned count = rank == source_block ? 1 : 0;
  BlockResult result{.eccentricity = 0,
                     .reached = 1,
                     .farthest = kNoVertex,
                     .overflow = 0,
                     .distance_sum = 0,
                     .reach = {0, 0}};
  for (; state.level <= job.graph.order; ++state.level) {
    expand(job, state, count);
    const unsigned slot = (state.level + 1) % 3;
    if (threadIdx.x == 0) mailbox.found[(state.level + 2) % 3] = 0;
    cluster.sync();
    if (threadIdx.x < kWarp) {
      const unsigned count_there =
          thread_of_warp() < kBlocks
              ? cluster.map_shared_rank(&mailbox, thread_of_warp())->found[slot]
              : 0;
      const unsigned sum = __reduce_add_sync(~0u, count_there);
      const bool over = __any_sync(~0u, count_there > kQueue);
      if (thread_of_warp() == 0) total = sum, overflowed = over ? 1 : 0;
    }
    __syncthreads();
    if (total == 0) break;
    if (overflowed != 0) {
      result.overflow = 1;
      break;
    }
    count = mailbox.found[slot];
    result.reached += total;
    result.distance_sum += (state.level + 1ull) * total;
    if (rank == 0 && threadIdx.x == 0) job.level_sizes[state.level + 1] = total;
  }
  // The vertices of the last level are still in the queues.
  unsigned least = kNoVertex;
  for (unsigned i = threadIdx.x; i < count && result.overflow == 0; i += kThreads)
    least = min(least, PackedEntry::vertex_of(state.queue[state.level % 2 * kQueue + i]));
  least = __reduce_min_sync(~0u, least);
  if (thread_of_warp() == 0 && least != kNoVertex)
    atomicMin(&cluster.map_shared_rank(&mailbox, 0)->farthest, least);
  cluster.sync();
  if (rank != 0 || threadIdx.x != 0) return;
  result.eccentricity = state.level;
  result.farthest = mailbox.farthest;
  *job.result = result;
}

#endif

__global__ void __launch_bounds__(kThreads, 1)
    cluster_search_kernel(const __grid_constant__ ClusterJob job) {
#if defined(ANTIPODE_CLUSTERS)
  search_by_cluster(job);
#endif
}

// Launch configuration of the kernel above.
struct Launch {
  explicit Launch(Vertex order, cudaStream_t stream = nullptr) {
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = kBlocks;
    size.val.clusterDim.y = size.val.clusterDim.z = 1;
    config.gridDim = dim3(kBlocks);
    config.blockDim = dim3(kThreads);
    config.dynamicSmemBytes = shared_bytes(order);
    config.stream = stream;
    config.attrs = &size;
    config.numAttrs = 1;
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  cudaLaunchAttribute size{};
  cudaLaunchConfig_t config{};
};

}  // namespace

bool ClusterSearch::suits(const Graph& graph) {
  if (!has_low_degrees(graph) || shared_bytes(graph.order()) + kLeft > kShared) return false;
  // Not every GPU has clusters of this size; even on Hopper they need enough multiprocessors close
  // together.
  const Launch launch(graph.order());
  int clusters = 0;
  const bool fits =
      cudaFuncSetAttribute(cluster_search_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed,
                           1) == cudaSuccess &&
      cudaFuncSetAttribute(cluster_search_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(launch.config.dynamicSmemBytes)) == cudaSuccess &&
      cudaOccupancyMaxActiveClusters(&clusters, cluster_search_kernel, &launch.config) ==
          cudaSuccess &&
      clusters > 0;
  cudaGetLastError();  // clears the error of a GPU without clusters
  return fits;
}

ClusterSearch::ClusterSearch(const Context& context, const GraphView& graph)
    : context_(context), graph_(graph), packed_(pack_adjacency(context, graph)) {}

BlockAnswer ClusterSearch::search(Vertex source, Distance* distances, Vertex* level_sizes) {
  context_.fill_bytes(distances, 0xFF, graph_.order);
  struct Answer {
    BlockResult result;
    Vertex level_sizes[1024];
  };
  auto* const answer = static_cast<Answer*>(context_.pinned());
  const Launch launch(graph_.order, context_.stream());
  check(cudaLaunchKernelEx(&launch.config, cluster_search_kernel,
                           ClusterJob{.graph = graph_,
                                      .adjacency = adjacency(),
                                      .source = source,
                                      .distances = distances,
                                      .level_sizes = level_sizes,
                                      .result = &answer->result}),
        "launching a kernel");
  const std::size_t known =
      std::min<std::size_t>(std::size(answer->level_sizes), std::size_t{graph_.order} + 1);
  context_.download(std::span<Vertex>(answer->level_sizes, known), level_sizes);
  return {answer->result, std::span<const Vertex>(answer->level_sizes, known)};
}

}  // namespace antipode::cuda
