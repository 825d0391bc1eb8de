// A scattered level of a search by the whole GPU: every block marks targets in a bitmap of its own,
// in shared memory; then the bitmaps are combined. Also here: how the frontier enters the queue
// after levels that leave it in bitmaps. Memory: one bit per vertex and block.
#pragma once

#include "engine/cuda/search/grid/pull_level.hpp"

namespace antipode::cuda {

// The first half of a scattered level: every block marks the targets of its arcs, reached or not,
// in its own bitmap in shared memory. (Atomics in GPU memory take a microsecond per 50,000.)
__device__ inline void scatter(const SearchJob& job, const GridQueue& queue, uint4* own,
                               unsigned warp, unsigned warps) {
  const unsigned quads = bitmap_quads(job.graph.order);
  for (unsigned q = threadIdx.x; q < quads; q += blockDim.x) own[q] = {0, 0, 0, 0};
  __syncthreads();
  for_each_arc<4>(job.graph, queue, warp, warps, [own](const Vertex(&u)[4]) {
    for (const Vertex each : u)
      if (each != kNoVertex)
        atomicOr(reinterpret_cast<unsigned*>(own) + each / 32, 1u << each % 32);
  });
  __syncthreads();
  for (unsigned q = threadIdx.x; q < quads; q += blockDim.x)
    job.scattered[std::size_t{quads} * blockIdx.x + q] = own[q];
}

// The second half, after a grid barrier: the blocks' bitmaps are combined, new vertices get their
// distances, and the result is the other bitmap. A warp processes four quads of words, eight
// threads each, which divide the blocks' bitmaps.
__device__ inline void collect(const SearchJob& job, const Marks& marks, Distance level,
                               unsigned warp, unsigned warps, LevelCount& tally) {
  constexpr unsigned kQuads = 4;
  const unsigned quads = bitmap_quads(job.graph.order), which = thread_of_warp() % kQuads;
  for (unsigned first = warp * kQuads; first < quads; first += warps * kQuads) {
    const bool mine = first + which < quads;
    const uint4 seen =
        mine ? reinterpret_cast<const uint4*>(marks.seen)[first + which] : uint4{0, 0, 0, 0};
    uint4 all = seen;
#pragma unroll 8
    for (unsigned b = thread_of_warp() / kQuads; b < gridDim.x; b += kWarp / kQuads) {
      const uint4 block_bits =
          mine ? job.scattered[std::size_t{quads} * b + first + which] : uint4{0, 0, 0, 0};
      all = {all.x | block_bits.x, all.y | block_bits.y, all.z | block_bits.z,
             all.w | block_bits.w};
    }
    for (unsigned step = kQuads; step < kWarp; step *= 2)
      all = {all.x | __shfl_xor_sync(~0u, all.x, step), all.y | __shfl_xor_sync(~0u, all.y, step),
             all.z | __shfl_xor_sync(~0u, all.z, step), all.w | __shfl_xor_sync(~0u, all.w, step)};
    if (mine && thread_of_warp() < kQuads)
      reinterpret_cast<uint4*>(marks.before)[first + which] = all;
    const unsigned fresh[4] = {all.x & ~seen.x, all.y & ~seen.y, all.z & ~seen.z, all.w & ~seen.w};
    for (unsigned quad = 0; quad < kQuads; ++quad)
      for (unsigned k = 0; k < 4; ++k) {
        const Vertex v = ((first + quad) * 4 + k) * 32 + thread_of_warp();
        if ((__shfl_sync(~0u, fresh[k], quad) >> thread_of_warp() & 1) == 0) continue;
        job.distances[v] = level;
        tally.found(v, 0);
      }
  }
}

// Appends the frontier to the queue: after a pull the difference of the bitmaps, after marking all
// vertices at its distance. Neighbouring words go to different warps, for balance.
template <class Queue>
__device__ void queue_frontier(const SearchJob& job, const Marks& marks, bool pulled,
                               Distance level, const Queue& queue, unsigned warp, unsigned warps,
                               LevelCount& tally) {
  const std::size_t words = (std::size_t{job.graph.order} + 31) / 32;
  for (std::size_t first = warp; first < words; first += std::size_t{warps} * kWarp) {
    const std::size_t w = first + std::size_t{warps} * thread_of_warp();
    const unsigned bits = w < words ? marks.seen[w] & ~(pulled ? marks.before[w] : 0) : 0;
    for (unsigned waiting = __ballot_sync(~0u, bits != 0); waiting != 0; waiting &= waiting - 1) {
      const unsigned owner = __ffs(waiting) - 1;
      const Vertex v =
          static_cast<Vertex>((first + std::size_t{warps} * owner) * 32 + thread_of_warp());
      const bool mine = (__shfl_sync(~0u, bits, owner) >> thread_of_warp() & 1) != 0 &&
                        (pulled || job.distances[v] == level);
      const std::uint64_t packed = mine ? job.graph.ranges[v] : 0;
      if (mine) tally.found(v, GraphView::short_range(packed).degree);
      append<1>(job.graph, {v}, {packed}, queue);
    }
  }
}

}  // namespace antipode::cuda
