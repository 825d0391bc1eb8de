// One level of Brandes' algorithm for groups of 32 sources: the forward phase counts shortest
// paths, the backward phase adds dependencies. A warp handles one vertex of one group; a block does
// if the degree is wide.
#pragma once

#include "engine/cuda/brandes/dependencies.hpp"
#include "engine/cuda/device/warp.hpp"

namespace antipode::cuda {

// Counters over all blocks. Three rotate: this level, the next, and the one being cleared.
struct DependencyControl {
  struct Found {
    unsigned long long entries, wide, arcs;
  } found[3];
  unsigned too_many[32];  // of each group: sources with more paths than can be counted
};

inline constexpr unsigned kDependencyThreads = 1024, kDependencyWarps = kDependencyThreads / kWarp;
inline constexpr Vertex kWideDegree = 512;  // higher degrees take a block
inline constexpr double kMostPaths = 0x1p900;

struct DependencyJob {
  GraphView graph, into;
  const Vertex* sources;
  unsigned count, groups;  // of sources, and of groups of 32
  const double* weights;
  double *paths, *share, *through, *along;  // along: null if arcs are not wanted
  std::size_t positions;
  unsigned *seen, *masks[3];
  uint2* entries;          // cell (group × order + vertex) and source mask, level after level
  unsigned* wide_entries;  // indices of the entries of wide degree
  ulonglong2* starts;      // of each level: first entry, first wide entry
  const Vertex* wide;      // all vertices of wide degree
  Vertex wide_count;
  DependencyControl* control;

  __device__ bool is_wide(Vertex v) const {
    return graph.degree(v) > kWideDegree || into.degree(v) > kWideDegree;
  }
  __device__ unsigned sources_of(unsigned group) const {
    return count - group * 32 >= 32 ? ~0u : (1u << (count - group * 32)) - 1;
  }
};

// A vertex, for one group of sources.
struct Cell {
  Vertex v;
  unsigned group;
  std::size_t base;  // first cell of the group
  __device__ Cell(const DependencyJob& job, unsigned cell)
      : v(cell % job.graph.order),
        group(cell / job.graph.order),
        base(std::size_t{group} * job.graph.order) {}
};

// Which part of an adjacency a warp reads: chunks of 32 neighbours, every `of`-th from number
// `which` on.
struct Share {
  unsigned which, of;
};

// Sum, in the order of the adjacency, of the values of the neighbours that have sources in the
// mask; `found` gets these sources. Each thread sums for its source. each(position, value) is
// called for every such neighbour.
template <class Each>
__device__ double gather(const GraphView& graph, const GraphView::Range& range, std::size_t base,
                         const unsigned* masks, unsigned mask, const double* values, Share share,
                         unsigned& found, Each each) {
  constexpr unsigned kInFlight = 4;
  double sum = 0;
  for (EdgeOffset first = share.which * kWarp; first < range.degree; first += share.of * kWarp) {
    const bool in_range = first + thread_of_warp() < range.degree;
    const Vertex u = in_range ? graph.targets[range.begin + first + thread_of_warp()] : 0;
    const unsigned common = in_range ? masks[base + u] & mask : 0;
    found |= common;
    for (unsigned waiting = __ballot_sync(~0u, common != 0); waiting != 0;) {
      double value[kInFlight];
      unsigned owner[kInFlight], sources[kInFlight];
#pragma unroll
      for (unsigned k = 0; k < kInFlight; ++k) {
        owner[k] = waiting != 0 ? __ffs(waiting) - 1 : 0;
        sources[k] = __shfl_sync(~0u, common, owner[k]);
        if (waiting == 0) sources[k] = 0;
        waiting &= waiting - 1;
        const Vertex neighbour = __shfl_sync(~0u, u, owner[k]);
        value[k] = (sources[k] >> thread_of_warp() & 1) != 0
                       ? values[(base + neighbour) * kWarp + thread_of_warp()]
                       : 0;
      }
#pragma unroll
      for (unsigned k = 0; k < kInFlight; ++k) {
        sum += value[k];
        if (sources[k] != 0) each(range.begin + first + owner[k], value[k]);
      }
    }
  }
  found = __reduce_or_sync(~0u, found);
  return sum;
}

// Adds the sums of the warps of a block in the order of the warps. Called by all of them.
struct BlockSums {
  double values[kDependencyWarps][kWarp];
  unsigned found_sources[kDependencyWarps];
};
__device__ inline double sum_over_block(BlockSums& sums, double mine, unsigned& found_sources) {
  const unsigned warp = threadIdx.x / kWarp;
  sums.values[warp][thread_of_warp()] = mine;
  if (thread_of_warp() == 0) sums.found_sources[warp] = found_sources;
  __syncthreads();
  double sum = 0;
  for (unsigned w = 0; w < kDependencyWarps; ++w)
    sum += sums.values[w][thread_of_warp()], found_sources |= sums.found_sources[w];
  __syncthreads();
  return sum;
}

// Appends the values of those threads of a warp that have one, in their order.
template <class T>
__device__ void append(bool mine, T value, T* list, unsigned long long begin,
                       unsigned long long* count) {
  const unsigned those = __ballot_sync(~0u, mine);
  if (those == 0) return;
  unsigned long long at = 0;
  if (thread_of_warp() == 0) at = atomicAdd(count, static_cast<unsigned long long>(__popc(those)));
  at = begin + __shfl_sync(~0u, at, 0) + __popc(those & ((1u << thread_of_warp()) - 1));
  if (mine) list[at] = value;
}

// One level of the forward phase, seen from one thread.
struct Forward {
  const DependencyJob& job;
  ulonglong2 begin, end;  // of this level: entries, wide entries
  const unsigned* now;    // source masks of this level …
  unsigned* next;         // … and of the next
  DependencyControl::Found& found;

  // Finds neighbours that some of the entry's sources have not reached yet. Called by all threads
  // of the warp.
  __device__ void push_neighbours(const uint2& entry, Share share) const {
    const Cell cell(job, entry.x);
    const GraphView::Range range = job.graph.range(cell.v);
    for (EdgeOffset first = share.which * kWarp; first < range.degree; first += share.of * kWarp) {
      const bool in_range = first + thread_of_warp() < range.degree;
      const Vertex u = in_range ? job.graph.targets[range.begin + first + thread_of_warp()] : 0;
      const unsigned new_sources = in_range ? entry.y & ~job.seen[cell.base + u] : 0;
      const bool is_first = new_sources != 0 && atomicOr(&next[cell.base + u], new_sources) == 0;
      add(is_first, static_cast<unsigned>(cell.base + u), u);
    }
  }
  __device__ void add(bool mine, unsigned cell, Vertex v) const {
    const unsigned those = __ballot_sync(~0u, mine);
    if (those == 0) return;
    unsigned long long at = 0;
    if (thread_of_warp() == 0)
      at = atomicAdd(&found.entries, static_cast<unsigned long long>(__popc(those)));
    at = end.x + __shfl_sync(~0u, at, 0) + __popc(those & ((1u << thread_of_warp()) - 1));
    if (mine) job.entries[at] = {cell, 0};
    append(mine && job.is_wide(v), static_cast<unsigned>(at), job.wide_entries, end.y, &found.wide);
    const unsigned arcs = __reduce_add_sync(~0u, mine ? min(job.graph.degree(v), 1u << 20) : 0);
    if (thread_of_warp() == 0) atomicAdd(&found.arcs, static_cast<unsigned long long>(arcs));
  }

  __device__ void store(const Cell& cell, unsigned mask, double paths) const {
    if ((mask >> thread_of_warp() & 1) != 0)
      job.paths[(cell.base + cell.v) * kWarp + thread_of_warp()] = paths;
    const unsigned too_many =
        __ballot_sync(~0u, (mask >> thread_of_warp() & 1) != 0 && !(paths <= kMostPaths));
    if (thread_of_warp() == 0 && too_many != 0)
      atomicOr(&job.control->too_many[cell.group], too_many);
  }
  // Counts the paths of an entry that a push has found.
  __device__ void count_paths(unsigned long long at, Share share, BlockSums* sums) const {
    const Cell cell(job, job.entries[at].x);
    const unsigned mask = next[cell.base + cell.v];
    unsigned found_sources = 0;
    double paths = gather(job.into, job.into.range(cell.v), cell.base, now, mask, job.paths, share,
                          found_sources, [](EdgeOffset, double) {});
    if (sums != nullptr) paths = sum_over_block(*sums, paths, found_sources);
    if (share.which != 0) return;
    store(cell, mask, paths);
    if (thread_of_warp() != 0) return;
    job.entries[at].y = mask;
    job.seen[cell.base + cell.v] |= mask;
  }
  // Pull: looks for the missing sources of a vertex among all its neighbours, and counts their
  // paths.
  __device__ void pull_vertex(const Cell& cell, unsigned missing, Share share,
                              BlockSums* sums) const {
    unsigned found_sources = 0;
    double paths = gather(job.into, job.into.range(cell.v), cell.base, now, missing, job.paths,
                          share, found_sources, [](EdgeOffset, double) {});
    if (sums != nullptr) paths = sum_over_block(*sums, paths, found_sources);
    if (share.which != 0 || found_sources == 0) return;
    store(cell, found_sources, paths);
    const unsigned at = static_cast<unsigned>(cell.base + cell.v);
    add_entry(at, cell.v, found_sources);
    if (thread_of_warp() != 0) return;
    next[at] = found_sources;
    job.seen[at] |= found_sources;
  }
  __device__ void add_entry(unsigned cell, Vertex v, unsigned mask) const {
    if (thread_of_warp() != 0) return;
    const unsigned long long at = end.x + atomicAdd(&found.entries, 1ull);
    job.entries[at] = {cell, mask};
    if (job.is_wide(v))
      job.wide_entries[end.y + atomicAdd(&found.wide, 1ull)] = static_cast<unsigned>(at);
    atomicAdd(&found.arcs, static_cast<unsigned long long>(min(job.graph.degree(v), 1u << 20)));
  }

  __device__ void push(unsigned warp, unsigned warps) const {
    for (unsigned long long i = begin.x + warp; i < end.x; i += warps)
      if (const uint2 entry = job.entries[i]; !job.is_wide(entry.x % job.graph.order))
        push_neighbours(entry, {0, 1});
    for (unsigned long long i = begin.y + blockIdx.x; i < end.y; i += gridDim.x)
      push_neighbours(job.entries[job.wide_entries[i]], {threadIdx.x / kWarp, kDependencyWarps});
  }
  __device__ void count(unsigned long long entries, unsigned long long wide, BlockSums& sums,
                        unsigned warp, unsigned warps) const {
    for (unsigned long long i = end.x + warp; i < end.x + entries; i += warps)
      if (!job.is_wide(job.entries[i].x % job.graph.order)) count_paths(i, {0, 1}, nullptr);
    for (unsigned long long i = end.y + blockIdx.x; i < end.y + wide; i += gridDim.x)
      count_paths(job.wide_entries[i], {threadIdx.x / kWarp, kDependencyWarps}, &sums);
  }
  __device__ void pull(BlockSums& sums, unsigned warp, unsigned warps) const {
    const std::size_t cells = std::size_t{job.groups} * job.graph.order;
    for (std::size_t first = std::size_t{warp} * kWarp; first < cells;
         first += std::size_t{warps} * kWarp) {
      unsigned missing = 0;
      if (const std::size_t at = first + thread_of_warp(); at < cells) {
        const Cell cell(job, static_cast<unsigned>(at));
        missing = job.sources_of(cell.group) & ~job.seen[at];
        if (missing != 0 && job.is_wide(cell.v)) missing = 0;
      }
      for (unsigned waiting = __ballot_sync(~0u, missing != 0); waiting != 0;
           waiting &= waiting - 1) {
        const unsigned owner = __ffs(waiting) - 1;
        pull_vertex(Cell(job, static_cast<unsigned>(first + owner)),
                    __shfl_sync(~0u, missing, owner), {0, 1}, nullptr);
      }
    }
    for (unsigned i = blockIdx.x; i < job.wide_count * job.groups; i += gridDim.x) {
      const unsigned group = i / job.wide_count;
      const Cell cell(job, group * job.graph.order + job.wide[i % job.wide_count]);
      const unsigned missing = job.sources_of(group) & ~fresh(&job.seen[cell.base + cell.v]);
      __syncthreads();  // all threads have read it before one of them writes
      if (missing != 0) pull_vertex(cell, missing, {threadIdx.x / kWarp, kDependencyWarps}, &sums);
    }
  }
};

// One level of the backward phase: what each of its vertices gets per path, from the vertices of
// the next level.
struct Backward {
  const DependencyJob& job;
  const unsigned* next;  // source masks of the next level
  unsigned* now;         // of this level, for the step after this one

  __device__ void add_dependencies(const uint2& entry, bool is_source, Share share,
                                   BlockSums* sums) const {
    const Cell cell(job, entry.x);
    const unsigned mask = entry.y & ~job.control->too_many[cell.group];
    const bool mine = (mask >> thread_of_warp() & 1) != 0;
    const std::size_t at = (cell.base + cell.v) * kWarp + thread_of_warp();
    const double paths = mine ? job.paths[at] : 0;
    const unsigned source = cell.group * 32 + thread_of_warp();
    const double from_source = mine ? job.weights[job.sources[source]] : 0;
    unsigned found_sources = 0;
    double sum = gather(job.graph, job.graph.range(cell.v), cell.base, next, mask, job.share, share,
                        found_sources, [&](EdgeOffset position, double value) {
                          if (job.along == nullptr) return;
                          const double along = total(from_source * (paths * value));
                          if (thread_of_warp() == 0)
                            job.along[cell.group * job.positions + position] += along;
                        });
    if (sums != nullptr) sum = sum_over_block(*sums, sum, found_sources);
    if (share.which != 0) return;
    const double through = mine ? paths * sum : 0;
    if (mine) job.share[at] = (job.weights[cell.v] + through) / paths;
    // A vertex gets no dependency of its own source; but other sources of the group may have
    // reached it on their way.
    const double passes = total(is_source ? 0 : from_source * through);
    if (thread_of_warp() != 0) return;
    job.through[cell.base + cell.v] += passes;
    now[cell.base + cell.v] = mask;
  }
  // The sum over the threads of a warp, always in the same order.
  __device__ static double total(double value) {
    for (unsigned step = kWarp / 2; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
  }
};

}  // namespace antipode::cuda
