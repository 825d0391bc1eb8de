// One level of betweenness: forward, where path counts are formed, and back, where what passes is.
// What a warp, or a block where rows are long, does for the 32 sources of a group.
#pragma once

#include "engine/cuda/brandes/dependencies.hpp"
#include "engine/cuda/device/warp.hpp"

namespace antipode::cuda {

// What the blocks tell each other. Three sets of counts rotate: of this level, of the next, and the
// one being cleared.
struct DependencyControl {
  struct Found {
    unsigned long long entries, wide, arcs;
  } found[3];
  unsigned too_many[32];  // of each group: sources with more paths than can be counted
};

inline constexpr unsigned kDependencyThreads = 1024, kDependencyWarps = kDependencyThreads / kWarp;
inline constexpr Vertex kWideRow = 512;  // longer rows are a block's
inline constexpr double kMostPaths = 0x1p900;

struct DependencyJob {
  GraphView graph, into;
  const Vertex* sources;
  unsigned count, groups;  // of sources, and of groups of 32
  const double* weights;
  double *paths, *share, *through, *along;  // along: null where arcs are not wanted
  std::size_t positions;
  unsigned *seen, *masks[3];
  uint2* entries;          // cell (group × order + vertex) and lanes, level after level
  unsigned* wide_entries;  // places of those with a wide row
  ulonglong2* starts;      // of each level: its first entry, its first wide one
  const Vertex* wide;      // all vertices with a wide row
  Vertex wide_count;
  DependencyControl* control;

  __device__ bool is_wide(Vertex v) const {
    return graph.degree(v) > kWideRow || into.degree(v) > kWideRow;
  }
  __device__ unsigned lanes_of(unsigned group) const {
    return count - group * 32 >= 32 ? ~0u : (1u << (count - group * 32)) - 1;
  }
};

struct Cell {
  Vertex v;
  unsigned group;
  std::size_t base;  // of the group's cells
  __device__ Cell(const DependencyJob& job, unsigned cell)
      : v(cell % job.graph.order),
        group(cell / job.graph.order),
        base(std::size_t{group} * job.graph.order) {}
};

// Which part of a row is looked at: all of it by one warp, or every kDependencyWarps-th piece
// of 32.
struct Share {
  unsigned which, of;
};

// The values of those neighbours that have lanes in the mask, added up in the order of the row;
// `met` gets the lanes. each(position, mask, value) sees every one.
template <class Each>
__device__ double gathered(const GraphView& graph, const GraphView::Range& row, std::size_t base,
                           const unsigned* masks, unsigned mask, const double* values, Share share,
                           unsigned& met, Each each) {
  constexpr unsigned kAtOnce = 4;
  double sum = 0;
  for (EdgeOffset first = share.which * kWarp; first < row.degree; first += share.of * kWarp) {
    const bool here = first + lane() < row.degree;
    const Vertex u = here ? graph.targets[row.begin + first + lane()] : 0;
    const unsigned common = here ? masks[base + u] & mask : 0;
    met |= common;
    for (unsigned waiting = __ballot_sync(~0u, common != 0); waiting != 0;) {
      double value[kAtOnce];
      unsigned owner[kAtOnce], lanes[kAtOnce];
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) {
        owner[k] = waiting != 0 ? __ffs(waiting) - 1 : 0;
        lanes[k] = __shfl_sync(~0u, common, owner[k]);
        if (waiting == 0) lanes[k] = 0;
        waiting &= waiting - 1;
        const Vertex its = __shfl_sync(~0u, u, owner[k]);
        value[k] = (lanes[k] >> lane() & 1) != 0 ? values[(base + its) * kWarp + lane()] : 0;
      }
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) {
        sum += value[k];
        if (lanes[k] != 0) each(row.begin + first + owner[k], value[k]);
      }
    }
  }
  met = __reduce_or_sync(~0u, met);
  return sum;
}

// A warp or a block looks at a row. Of a block every warp comes, each brings its part, and the
// first gets the sum in the order of the warps.
struct Sums {
  double values[kDependencyWarps][kWarp];
  unsigned met[kDependencyWarps];
};
__device__ inline double joined(Sums& sums, double mine, unsigned& met) {
  const unsigned warp = threadIdx.x / kWarp;
  sums.values[warp][lane()] = mine;
  if (lane() == 0) sums.met[warp] = met;
  __syncthreads();
  double sum = 0;
  for (unsigned w = 0; w < kDependencyWarps; ++w) sum += sums.values[w][lane()], met |= sums.met[w];
  __syncthreads();
  return sum;
}

// The lanes of a warp that have something append it, in their order.
template <class T>
__device__ void append(bool mine, T value, T* list, unsigned long long begin,
                       unsigned long long* count) {
  const unsigned those = __ballot_sync(~0u, mine);
  if (those == 0) return;
  unsigned long long at = 0;
  if (lane() == 0) at = atomicAdd(count, static_cast<unsigned long long>(__popc(those)));
  at = begin + __shfl_sync(~0u, at, 0) + __popc(those & ((1u << lane()) - 1));
  if (mine) list[at] = value;
}

// A level on its way forward, as a thread sees it.
struct Forward {
  const DependencyJob& job;
  ulonglong2 begin, end;  // of this level, entries and wide ones
  const unsigned* now;    // lanes of this level …
  unsigned* next;         // … and of the next
  DependencyControl::Found& found;

  // Vertices not seen yet by some lane of a neighbour. All lanes of the warp must come.
  __device__ void push_row(const uint2& entry, Share share) const {
    const Cell cell(job, entry.x);
    const GraphView::Range row = job.graph.range(cell.v);
    for (EdgeOffset first = share.which * kWarp; first < row.degree; first += share.of * kWarp) {
      const bool here = first + lane() < row.degree;
      const Vertex u = here ? job.graph.targets[row.begin + first + lane()] : 0;
      const unsigned news = here ? entry.y & ~job.seen[cell.base + u] : 0;
      const bool is_first = news != 0 && atomicOr(&next[cell.base + u], news) == 0;
      add(is_first, static_cast<unsigned>(cell.base + u), u);
    }
  }
  __device__ void add(bool mine, unsigned cell, Vertex v) const {
    const unsigned those = __ballot_sync(~0u, mine);
    if (those == 0) return;
    unsigned long long at = 0;
    if (lane() == 0) at = atomicAdd(&found.entries, static_cast<unsigned long long>(__popc(those)));
    at = end.x + __shfl_sync(~0u, at, 0) + __popc(those & ((1u << lane()) - 1));
    if (mine) job.entries[at] = {cell, 0};
    append(mine && job.is_wide(v), static_cast<unsigned>(at), job.wide_entries, end.y, &found.wide);
    const unsigned arcs = __reduce_add_sync(~0u, mine ? min(job.graph.degree(v), 1u << 20) : 0);
    if (lane() == 0) atomicAdd(&found.arcs, static_cast<unsigned long long>(arcs));
  }

  __device__ void store(const Cell& cell, unsigned mask, double paths) const {
    if ((mask >> lane() & 1) != 0) job.paths[(cell.base + cell.v) * kWarp + lane()] = paths;
    const unsigned too_many =
        __ballot_sync(~0u, (mask >> lane() & 1) != 0 && !(paths <= kMostPaths));
    if (lane() == 0 && too_many != 0) atomicOr(&job.control->too_many[cell.group], too_many);
  }
  // The lanes that found a vertex in a push: how many paths has each?
  __device__ void count_paths(unsigned long long at, Share share, Sums* sums) const {
    const Cell cell(job, job.entries[at].x);
    const unsigned mask = next[cell.base + cell.v];
    unsigned met = 0;
    double paths = gathered(job.into, job.into.range(cell.v), cell.base, now, mask, job.paths,
                            share, met, [](EdgeOffset, double) {});
    if (sums != nullptr) paths = joined(*sums, paths, met);
    if (share.which != 0) return;
    store(cell, mask, paths);
    if (lane() != 0) return;
    job.entries[at].y = mask;
    job.seen[cell.base + cell.v] |= mask;
  }
  // A vertex that lacks some lanes looks for them in its whole row.
  __device__ void look_around(const Cell& cell, unsigned lacks, Share share, Sums* sums) const {
    unsigned met = 0;
    double paths = gathered(job.into, job.into.range(cell.v), cell.base, now, lacks, job.paths,
                            share, met, [](EdgeOffset, double) {});
    if (sums != nullptr) paths = joined(*sums, paths, met);
    if (share.which != 0 || met == 0) return;
    store(cell, met, paths);
    const unsigned at = static_cast<unsigned>(cell.base + cell.v);
    add_settled(at, cell.v, met);
    if (lane() != 0) return;
    next[at] = met;
    job.seen[at] |= met;
  }
  __device__ void add_settled(unsigned cell, Vertex v, unsigned mask) const {
    if (lane() != 0) return;
    const unsigned long long at = end.x + atomicAdd(&found.entries, 1ull);
    job.entries[at] = {cell, mask};
    if (job.is_wide(v))
      job.wide_entries[end.y + atomicAdd(&found.wide, 1ull)] = static_cast<unsigned>(at);
    atomicAdd(&found.arcs, static_cast<unsigned long long>(min(job.graph.degree(v), 1u << 20)));
  }

  __device__ void push(unsigned warp, unsigned warps) const {
    for (unsigned long long i = begin.x + warp; i < end.x; i += warps)
      if (const uint2 entry = job.entries[i]; !job.is_wide(entry.x % job.graph.order))
        push_row(entry, {0, 1});
    for (unsigned long long i = begin.y + blockIdx.x; i < end.y; i += gridDim.x)
      push_row(job.entries[job.wide_entries[i]], {threadIdx.x / kWarp, kDependencyWarps});
  }
  __device__ void count(unsigned long long entries, unsigned long long wide, Sums& sums,
                        unsigned warp, unsigned warps) const {
    for (unsigned long long i = end.x + warp; i < end.x + entries; i += warps)
      if (!job.is_wide(job.entries[i].x % job.graph.order)) count_paths(i, {0, 1}, nullptr);
    for (unsigned long long i = end.y + blockIdx.x; i < end.y + wide; i += gridDim.x)
      count_paths(job.wide_entries[i], {threadIdx.x / kWarp, kDependencyWarps}, &sums);
  }
  __device__ void look(Sums& sums, unsigned warp, unsigned warps) const {
    const std::size_t cells = std::size_t{job.groups} * job.graph.order;
    for (std::size_t first = std::size_t{warp} * kWarp; first < cells;
         first += std::size_t{warps} * kWarp) {
      unsigned lacks = 0;
      if (const std::size_t at = first + lane(); at < cells) {
        const Cell cell(job, static_cast<unsigned>(at));
        lacks = job.lanes_of(cell.group) & ~job.seen[at];
        if (lacks != 0 && job.is_wide(cell.v)) lacks = 0;
      }
      for (unsigned waiting = __ballot_sync(~0u, lacks != 0); waiting != 0;
           waiting &= waiting - 1) {
        const unsigned owner = __ffs(waiting) - 1;
        look_around(Cell(job, static_cast<unsigned>(first + owner)), __shfl_sync(~0u, lacks, owner),
                    {0, 1}, nullptr);
      }
    }
    for (unsigned i = blockIdx.x; i < job.wide_count * job.groups; i += gridDim.x) {
      const unsigned group = i / job.wide_count;
      const Cell cell(job, group * job.graph.order + job.wide[i % job.wide_count]);
      const unsigned lacks = job.lanes_of(group) & ~fresh(&job.seen[cell.base + cell.v]);
      __syncthreads();  // nobody has gone on to write it
      if (lacks != 0) look_around(cell, lacks, {threadIdx.x / kWarp, kDependencyWarps}, &sums);
    }
  }
};

// A level on its way back: what each of its vertices wants, for every path to it, from what those
// one level on want.
struct Back {
  const DependencyJob& job;
  const unsigned* beyond;  // lanes of the level beyond
  unsigned* here;          // and of this one, for the next step

  __device__ void send(const uint2& entry, bool is_source, Share share, Sums* sums) const {
    const Cell cell(job, entry.x);
    const unsigned mask = entry.y & ~job.control->too_many[cell.group];
    const bool mine = (mask >> lane() & 1) != 0;
    const std::size_t at = (cell.base + cell.v) * kWarp + lane();
    const double paths = mine ? job.paths[at] : 0;
    const unsigned source = cell.group * 32 + lane();
    const double from_source = mine ? job.weights[job.sources[source]] : 0;
    unsigned met = 0;
    double sum = gathered(job.graph, job.graph.range(cell.v), cell.base, beyond, mask, job.share,
                          share, met, [&](EdgeOffset position, double value) {
                            if (job.along == nullptr) return;
                            const double along = total(from_source * (paths * value));
                            if (lane() == 0)
                              job.along[cell.group * job.positions + position] += along;
                          });
    if (sums != nullptr) sum = joined(*sums, sum, met);
    if (share.which != 0) return;
    const double through = mine ? paths * sum : 0;
    if (mine) job.share[at] = (job.weights[cell.v] + through) / paths;
    // What starts at a vertex does not pass it; but other sources of the group may have reached it
    // on their way.
    const double passes = total(is_source ? 0 : from_source * through);
    if (lane() != 0) return;
    job.through[cell.base + cell.v] += passes;
    here[cell.base + cell.v] = mask;
  }
  // The sum over the lanes, always in the same order.
  __device__ static double total(double value) {
    for (unsigned step = kWarp / 2; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
  }
};

}  // namespace antipode::cuda
