// Steps of a search by the whole GPU: how it begins, runs a level by all blocks, and updates its
// state afterwards. The loop over levels is in traversal.cu.
#pragma once

#include <cooperative_groups.h>

#include "engine/cuda/search/grid/lone_levels.hpp"
#include "engine/cuda/search/grid/scatter_level.hpp"

namespace antipode::cuda {

inline constexpr unsigned kSearchThreads = 768;  // more threads would have too few registers

inline constexpr LevelTotals kNoTotals{
    .entries = 0, .arcs = 0, .arcs_read = 0, .vertices = 0, .least = kNoVertex};

__host__ __device__ inline std::size_t bitmap_words(Vertex order) {
  return 4 * std::size_t{bitmap_quads(order)};
}

__device__ inline Marks marks_of(const SearchJob& job, bool flipped) {
  unsigned* const other = job.marks + bitmap_words(job.graph.order);
  return flipped ? Marks{other, job.marks} : Marks{job.marks, other};
}

// The queue of the first level: every block counts its entries, block 0 writes them.
struct FirstQueue {
  using Place = unsigned;
  std::uint64_t* next;
  unsigned* used;
  __device__ Place reserve(unsigned entries) const { return atomicAdd(used, entries); }
  __device__ void put(Place place, unsigned i, AdjacencyChunk chunk) const {
    if (blockIdx.x == 0) next[place + i] = chunk.pack();
  }
};

inline constexpr unsigned kClearUnit =
    PullMemory::kUnit * 32;  // vertices that are cleared by the same block

// Resets the block's share of distances and bitmaps: no vertex is reached.
__device__ inline void clear_share(const SearchJob& job) {
  const unsigned units = job.graph.order / kClearUnit + 1,
                 own_units = (units - min(units, blockIdx.x) + gridDim.x - 1) / gridDim.x;
  for (unsigned i = threadIdx.x; i < own_units * kClearUnit; i += kSearchThreads) {
    const std::size_t v =
        (blockIdx.x + std::size_t{i / kClearUnit} * gridDim.x) * kClearUnit + i % kClearUnit;
    if (v < job.graph.order) job.distances[v] = kUnreached;
    if (v % 32 == 0 && v / 32 < bitmap_words(job.graph.order))
      job.marks[v / 32] = job.marks[bitmap_words(job.graph.order) + v / 32] = 0;
  }
}

// Executed by the block that cleared the vertex; other blocks do nothing.
__device__ inline void mark_reached(const SearchJob& job, Vertex v, Distance level) {
  if (v / kClearUnit % gridDim.x != blockIdx.x) return;
  job.distances[v] = level;
  atomicOr(&job.marks[v / 32], 1u << v % 32);
}

// Initialises the search: with the neighbours of a single source if they fit one per thread,
// otherwise with the sources. Every block computes the same state.
__device__ inline void begin_search(const SearchJob& job, SearchState& state) {
  __shared__ LevelCount report;
  __shared__ unsigned entries;
  const GraphView::Range range =
      job.source_count == 1 ? job.graph.range(job.sources[0]) : GraphView::Range{0, 0};
  const bool from_neighbours = range.degree > 0 && range.degree <= kSearchThreads && job.limit > 0;
  const unsigned count = from_neighbours ? range.degree : job.source_count;
  const bool has_vertex = threadIdx.x < count;
  const Vertex v = !has_vertex       ? 0
                   : from_neighbours ? job.graph.targets[range.begin + threadIdx.x]
                                     : job.sources[threadIdx.x];
  const std::uint64_t packed = has_vertex ? job.graph.ranges[v] : 0;
  if (threadIdx.x == 0) {
    report = LevelCount();
    entries = 0;
  }
  clear_share(job);
  __syncthreads();
  if (threadIdx.x < job.source_count) mark_reached(job, job.sources[threadIdx.x], 0);
  if (has_vertex && from_neighbours) mark_reached(job, v, 1);
  LevelCount tally;
  if (has_vertex) tally.found(v, GraphView::short_range(packed).degree);
  append<1>(job.graph, {v}, {packed}, FirstQueue{job.queue, &entries});
  add_up(tally, report);
  __syncthreads();
  if (threadIdx.x != 0) return;
  state = SearchState();
  state.reached = state.size = state.size_before = job.source_count;
  if (from_neighbours) state.advance(report.vertices, report.arcs, report.least);
  state.farthest = report.least;
  state.arcs = report.arcs;
  state.visited_arcs = report.arcs + std::uint64_t{from_neighbours ? range.degree : 0};
  state.count = entries;
  state.may_pull = job.may_pull;
  state.mode = next_mode(job, state);
  if (blockIdx.x != 0) return;
  job.level_sizes[0] = job.source_count;
  job.level_sizes[state.level] = state.size;
  for (LevelTotals& totals : job.control->totals) totals = kNoTotals;
}

// Adds the block's counts to the totals.
__device__ inline void publish(const LevelCount& report, LevelTotals& totals) {
  if (report.vertices == 0 && report.arcs_read == 0) return;
  atomicAdd(&totals.vertices, report.vertices);
  atomicAdd(&totals.arcs, static_cast<unsigned long long>(report.arcs));
  atomicAdd(&totals.arcs_read, static_cast<unsigned long long>(report.arcs_read));
  atomicMin(&totals.least, report.least);
}

// Updates the state after a level done by all blocks.
__device__ inline void finish_level(const SearchJob& job, SearchState& state,
                                    const LevelTotals& totals, unsigned long long nanoseconds) {
  state.pulled = state.mode == LevelMode::pull || state.mode == LevelMode::scatter;
  state.flipped ^= state.pulled;
  state.queued = state.mode == LevelMode::push || state.mode == LevelMode::queue;
  switch (state.mode) {
    case LevelMode::queue:
      state.arcs = totals.arcs;
      state.visited_arcs =
          static_cast<unsigned long long>(job.mean_degree * static_cast<float>(state.reached));
      break;
    case LevelMode::pull:
      state.pull_time += nanoseconds;
      state.push_time += TraversalTuning::kLevelTime + state.arcs / TraversalTuning::kPushRate;
      if (totals.arcs_read > TraversalTuning::kFutileFactor * state.arcs &&
          totals.arcs_read > job.graph.order)
        state.may_pull = false;  // a pull of fewer arcs is cheap in any case
      state.advance(totals.vertices,
                    static_cast<unsigned long long>(static_cast<float>(totals.vertices) *
                                                    (job.mean_degree + 1)),
                    totals.least);
      return;
    case LevelMode::mark:
    case LevelMode::scatter:
      state.advance(totals.vertices,
                    static_cast<unsigned long long>(
                        likely_arcs(job, state, static_cast<float>(totals.vertices))),
                    totals.least);
      break;
    default:
      state.advance(totals.vertices, totals.arcs, totals.least);
  }
  state.base += state.count;
  state.count = totals.entries;
}

// Shared memory of a block; each mode uses one member.
union GridSearchMemory {
  __device__ GridSearchMemory() {}
  LoneBlockMemory lone;
  PullMemory pull;
  struct {
    std::uint64_t staged[StagingQueue::kRoom];
    SharedPush push;
  } wide;
};
static_assert(kMostStarts <= kSearchThreads && kSearchThreads <= SharedPush::kMostThreads);
static_assert(sizeof(GridSearchMemory) + sizeof(Vertex) * VertexClaims::kTried + 1024 <=
              99 * 1024);  // shared memory of a block on the smallest GPUs

// One level by all blocks, including the totals.
__device__ inline void run_level(const SearchJob& job, const SearchState& state,
                                 const VertexClaims& claims, const Marks& marks,
                                 GridSearchMemory& memory, LevelTotals& totals, unsigned warp,
                                 unsigned warps) {
  __shared__ LevelCount report;
  __shared__ unsigned staged_count;
  if (threadIdx.x == 0) {
    report = LevelCount();
    staged_count = 0;
  }
  __syncthreads();
  const GridQueue queue{.now = job.queue + state.base,
                        .next = job.queue + state.base + state.count,
                        .count = state.count,
                        .found = &totals.entries};
  const StagingQueue staging{queue, memory.wide.staged, &staged_count};
  const Distance level = state.level + 1;
  const bool stages =
      state.mode == LevelMode::queue ||
      (state.mode == LevelMode::push &&
       max(state.count, state.arcs / kWarp) > min(TraversalTuning::kFewEntries, warps));
  LevelCount tally;
  if (state.mode == LevelMode::pull) {
    Pull(job, marks, level, memory.pull, tally).run(state.reached < job.graph.order / 2);
  } else if (state.mode == LevelMode::queue) {
    queue_frontier(job, marks, state.pulled, state.level, staging, warp, warps, tally);
  } else if (state.mode == LevelMode::mark) {
    if (state.count <= warps) {
      push_few<2>(claims, level, MarksOnly{queue}, warp, warps, tally);
    } else {
      for_each_arc<4>(job.graph, queue, warp, warps, [&](const Vertex(&u)[4]) {
        offer(claims, level, u, MarksOnly{queue}, tally);
      });
    }
  } else if (state.mode == LevelMode::scatter) {
    scatter(job, queue, reinterpret_cast<uint4*>(&memory), warp, warps);
    cooperative_groups::this_grid().sync();
    collect(job, marks, level, warp, warps, tally);
  } else if (!stages) {
    push_few<2>(claims, level, ThinGridQueue{queue}, warp, warps, tally);
  } else if (state.count <= warps) {
    push_few<2>(claims, level, staging, warp, warps, tally);
  } else {
    push_shared<2>(claims, level, staging, memory.wide.push, tally);
  }
  add_up(tally, report);
  __syncthreads();
  if (threadIdx.x == 0) publish(report, totals);
  if (stages) staging.flush();
}

}  // namespace antipode::cuda
