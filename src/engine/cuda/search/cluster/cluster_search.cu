#include "engine/cuda/search/cluster/cluster_search.hpp"

#include <cooperative_groups.h>

#include <algorithm>

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kBlocks =
    16;  // of the cluster: more than every GPU must offer, as many as Hopper does
constexpr unsigned kThreads = 512;
constexpr unsigned kQueue = 4096;  // entries a block and level
constexpr std::size_t kShared = 227 << 10, kLeft = 2048;
static_assert(kBlocks * kShared * 8 + 2 * kWarp * 32 <= PackedRow::kVertices);  // nobodies included

std::size_t words_a_block(Vertex order) { return (std::size_t{order} / 32 + kBlocks) / kBlocks; }
std::size_t shared_bytes(Vertex order) {
  return (words_a_block(order) + kWarp + 2 * kQueue) * sizeof(unsigned);
}

struct ClusterJob {
  GraphView graph;
  PackedRows rows;
  Vertex source;
  Distance* row;
  Vertex* level_sizes;
  BlockResult* result;  // in the host's memory
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define ANTIPODE_CLUSTERS

// What every block of the cluster has, at the same place of its shared memory.
struct Mailbox {
  unsigned found[3];  // vertices handed to this block: in this level, the next, and the one being
                      // cleared
  unsigned overflow;
  Vertex farthest;
};

struct ClusterState {
  cg::cluster_group cluster;
  Mailbox* mailbox;
  unsigned *marks, *queue;  // this block's; the others' are at the same place. Queues hold entries
                            // of packed rows
  unsigned me, marks_at,
      idle;       // this block, its marks' address, and where there this lane may claim nobody
  unsigned turn;  // whose queue this warp's next finds go to
  Distance level;
};

// Marks a bit at this address of that block's shared memory, and says what was marked there before.
__device__ unsigned marked_before(unsigned block, unsigned at, unsigned bit) {
  unsigned result;
  asm volatile(
      "{ .reg .u32 there; mapa.shared::cluster.u32 there, %1, %2; "
      "atom.relaxed.cluster.shared::cluster.or.b32 %0, [there], %3; }"
      : "=r"(result)
      : "r"(at), "r"(block), "r"(bit)
      : "memory");
  return result;
}

// Each lane offers some entries; those whose vertex nobody has claimed enter somebody's queue. All
// lanes of the warp must come.
template <unsigned kOffers>
__device__ void offer(const ClusterJob& job, ClusterState& state,
                      const unsigned (&entries)[kOffers]) {
  bool mine[kOffers];
  unsigned bit[kOffers],
      before[kOffers];  // all answers are on their way at once: none waits for another
  for (unsigned k = 0; k < kOffers; ++k) {
    const unsigned word = PackedRow::vertex_of(entries[k]) / 32;
    const bool is_somebody = job.rows.is_somebody(entries[k]);
    bit[k] = __funnelshift_l(0, 1, entries[k]);  // by the last five bits
    before[k] =
        marked_before(is_somebody ? word % kBlocks : state.me,
                      state.marks_at + 4 * (is_somebody ? word / kBlocks : state.idle), bit[k]);
  }
  unsigned who[kOffers], total = 0;
  for (unsigned k = 0; k < kOffers; ++k) {
    mine[k] = (bit[k] & before[k]) == 0;
    total += __popc(who[k] = __ballot_sync(~0u, mine[k]));
    if (mine[k])
      asm volatile("prefetch.global.L2 [%0];" ::"l"(
          &job.rows.first(PackedRow::vertex_of(entries[k]))));  // the next level asks for it
  }
  if (total == 0) return;
  const unsigned to = state.turn++ % kBlocks, slot = (state.level + 1) % 3;
  unsigned at = 0;
  if (lane() == 0)
    at = atomicAdd(&state.cluster.map_shared_rank(state.mailbox, to)->found[slot], total);
  at = __shfl_sync(~0u, at, 0);
  unsigned* const queue =
      state.cluster.map_shared_rank(state.queue, to) + (state.level + 1) % 2 * kQueue;
  for (unsigned k = 0; k < kOffers; ++k) {
    const unsigned place = at + __popc(who[k] & ((1u << lane()) - 1));
    if (mine[k] && place < kQueue) queue[place] = entries[k];
    at += __popc(who[k]);
  }
}

// Distances are written here rather than by who claims a vertex: the barrier of the cluster waits
// for all that was written before it, and this has arrived by then.
__device__ void expand(const ClusterJob& job, ClusterState& state, unsigned count) {
  const unsigned* const queue = state.queue + state.level % 2 * kQueue;
  const unsigned nobody = PackedRow::nobody(job.graph.order, 0);
  for (unsigned first = threadIdx.x - lane(); first < count; first += kThreads) {
    const bool active = first + lane() < count;
    const unsigned entry = active ? queue[first + lane()] : 0;
    const Vertex v = PackedRow::vertex_of(entry);
    const bool is_wide = (entry & PackedRow::kWide) != 0;
    uint4 a{nobody, nobody, nobody, nobody}, b = a;
    if (active) a = job.rows.first(v);
    if (is_wide) b = job.rows.second(v);
    if (active) job.row[v] = state.level;
    PackedRow::leave_out_where_from(entry, nobody, a);
    offer<4>(job, state, {a.x, a.y, a.z, a.w});
    if (!__any_sync(~0u, is_wide)) continue;
    offer<4>(job, state, {b.x, b.y, b.z, b.w});
    for (unsigned waiting = __ballot_sync(~0u, (entry & PackedRow::kLong) != 0); waiting != 0;
         waiting &= waiting - 1) {
      const GraphView::Range row = job.graph.row(__shfl_sync(~0u, v, __ffs(waiting) - 1));
      for (Vertex k = PackedRow::kLength; k < row.degree; k += kWarp)
        offer<1>(job, state,
                 {k + lane() < row.degree
                      ? PackedRow::entry_of(job.graph.targets[row.begin + k + lane()])
                      : nobody});
    }
  }
}

__device__ void search_by_cluster(const ClusterJob& job) {
  extern __shared__ unsigned shared[];
  __shared__ Mailbox mailbox;
  __shared__ unsigned in_all, overflows;  // over all blocks, after a level
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned me = cluster.block_rank(), words = (job.graph.order / 32 + kBlocks) / kBlocks,
                 home = job.source / 32 % kBlocks;
  unsigned* const marks = shared + 2 * kQueue;
  ClusterState state{cluster,
                     &mailbox,
                     marks,
                     shared,
                     me,
                     static_cast<unsigned>(__cvta_generic_to_shared(marks)),
                     words + lane(),
                     me * 5 + threadIdx.x / kWarp,
                     0};
  for (unsigned w = threadIdx.x; w < words; w += kThreads) state.marks[w] = 0;
  if (threadIdx.x < kWarp) state.marks[words + threadIdx.x] = ~0u;
  if (threadIdx.x == 0) {
    mailbox = {{0, 0, 0}, 0, kNoVertex};
    if (me == home) state.queue[0] = PackedRow::entry_of(job.source);
    if (me == 0) job.level_sizes[0] = 1;
  }
  __syncthreads();
  if (threadIdx.x == 0 && me == home)
    state.marks[job.source / 32 / kBlocks] = 1u << job.source % 32;
  cluster.sync();
  unsigned count = me == home ? 1 : 0;
  BlockResult result{0, 1, kNoVertex, 0, 0, {0, 0}};
  for (; state.level <= job.graph.order; ++state.level) {
    expand(job, state, count);
    const unsigned slot = (state.level + 1) % 3;
    if (threadIdx.x == 0) mailbox.found[(state.level + 2) % 3] = 0;
    cluster.sync();
    if (threadIdx.x < kWarp) {
      const unsigned its =
          lane() < kBlocks ? cluster.map_shared_rank(&mailbox, lane())->found[slot] : 0;
      const unsigned sum = __reduce_add_sync(~0u, its);
      const bool over = __any_sync(~0u, its > kQueue);
      if (lane() == 0) in_all = sum, overflows = over ? 1 : 0;
    }
    __syncthreads();
    if (in_all == 0) break;
    if (overflows != 0) {
      result.overflow = 1;
      break;
    }
    count = mailbox.found[slot];
    result.reached += in_all;
    result.distance_sum += (state.level + 1ull) * in_all;
    if (me == 0 && threadIdx.x == 0) job.level_sizes[state.level + 1] = in_all;
  }
  // The last level is still in the queues.
  unsigned least = kNoVertex;
  for (unsigned i = threadIdx.x; i < count && result.overflow == 0; i += kThreads)
    least = min(least, PackedRow::vertex_of(state.queue[state.level % 2 * kQueue + i]));
  least = __reduce_min_sync(~0u, least);
  if (lane() == 0 && least != kNoVertex)
    atomicMin(&cluster.map_shared_rank(&mailbox, 0)->farthest, least);
  cluster.sync();
  if (me != 0 || threadIdx.x != 0) return;
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

// How the kernel above is launched.
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
  if (!has_short_rows(graph) || shared_bytes(graph.order()) + kLeft > kShared) return false;
  // Clusters of this size are Hopper's, and even there only where so many multiprocessors lie
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
  cudaGetLastError();  // a GPU that has none is no error
  return fits;
}

ClusterSearch::ClusterSearch(const Context& context, const GraphView& graph)
    : context_(context), graph_(graph), rows_(packed_rows(context, graph)) {}

BlockAnswer ClusterSearch::search(Vertex source, Distance* row, Vertex* level_sizes) {
  context_.fill_bytes(row, 0xFF, graph_.order);
  struct Answer {
    BlockResult result;
    Vertex level_sizes[1024];
  };
  auto* const answer = static_cast<Answer*>(context_.pinned());
  const Launch launch(graph_.order, context_.stream());
  check(cudaLaunchKernelEx(&launch.config, cluster_search_kernel,
                           ClusterJob{graph_, rows(), source, row, level_sizes, &answer->result}),
        "launching a kernel");
  const std::size_t quick =
      std::min<std::size_t>(std::size(answer->level_sizes), std::size_t{graph_.order} + 1);
  context_.download(std::span<Vertex>(answer->level_sizes, quick), level_sizes);
  return {answer->result, std::span<const Vertex>(answer->level_sizes, quick)};
}

}  // namespace antipode::cuda
