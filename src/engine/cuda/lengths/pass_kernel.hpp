// The kernel of passes.hpp. Marks are one bit per place, set where a source has climbed to, then a
// byte per level that has such places.
#pragma once

#include "engine/cuda/device/bitmap.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/lengths/passes.hpp"

namespace antipode::cuda {

struct PassGraph {
  unsigned order, levels;
  const unsigned *level_begin, *level_stored, *offsets;
  const uint2* arcs;
  const unsigned* level_of;
};

struct PassJob {
  const unsigned* places;  // of the sources, 32 of each batch; kNoVertex: none
  unsigned batches;
  unsigned* next;       // batch that no block has taken
  unsigned* distances;  // a line of 32 for each block and place
  unsigned* marks;      // for each block; null: in shared memory
  PassOutcome* outcomes;
};

__host__ __device__ constexpr unsigned pass_bitmap_words(unsigned order) { return order / 32 + 1; }
__host__ __device__ constexpr unsigned pass_words(unsigned order, unsigned levels) {
  return pass_bitmap_words(order) + levels / 4 + 1;
}

// One block's view of a batch.
struct PassBlock {
  const PassGraph& graph;
  unsigned* lines;       // distances of this block
  unsigned* marks;       // bitmap of places
  unsigned char* rises;  // of each level: whether a place in it is marked

  __device__ unsigned& distance(unsigned place) const {
    return lines[std::size_t{place} * kWarp + thread_of_warp()];
  }
  __device__ unsigned warp() const { return threadIdx.x / kWarp; }
  __device__ unsigned warps() const { return blockDim.x / kWarp; }

  // Whether the place was not marked before. By one thread.
  __device__ bool mark(unsigned place) const {
    const unsigned bit = 1u << place % 32;
    if ((atomicOr(&marks[place / 32], bit) & bit) != 0) return false;
    rises[graph.level_of[place]] = 1;
    return true;
  }

  // action(place) by a whole warp for each marked place of the level.
  template <class Action>
  __device__ void for_each_marked(unsigned level, Action action) const {
    const unsigned begin = graph.level_begin[level], end = graph.level_begin[level + 1];
    for (unsigned word = begin / 32 + warp(); word <= (end - 1) / 32; word += warps()) {
      unsigned bits = marks[word];
      if (word == begin / 32) bits &= ~0u << begin % 32;
      if (word == (end - 1) / 32) bits &= ~0u >> (31 - (end - 1) % 32);
      for (; bits != 0; bits &= bits - 1) action(word * 32 + __ffs(static_cast<int>(bits)) - 1);
    }
  }

  __device__ void clear() const {
    for (unsigned i = threadIdx.x; i < pass_words(graph.order, graph.levels); i += blockDim.x)
      marks[i] = 0;
  }

  // By the first warp: every source is at distance 0 from itself.
  __device__ void begin(const unsigned* places) const {
    const unsigned mine = places[thread_of_warp()];
    for (unsigned source = 0; source < kWarp; ++source) {
      const unsigned place = __shfl_sync(~0u, mine, static_cast<int>(source));
      if (place == kNoVertex) continue;
      const bool is_new = __shfl_sync(~0u, thread_of_warp() == 0 && mark(place), 0);
      if (is_new) distance(place) = kNoLength;
      __syncwarp();
      if (thread_of_warp() == source) distance(place) = 0;
      __syncwarp();
    }
  }

  // The places that a marked one rises to are marked, and have no distances yet.
  __device__ void mark_above(unsigned place) const {
    const unsigned end = graph.offsets[place + 1];
    for (unsigned first = graph.offsets[place]; first < end; first += kWarp) {
      const unsigned arc = first + thread_of_warp();
      const unsigned above = arc < end ? graph.arcs[arc].x : 0;
      unsigned fresh = __ballot_sync(~0u, arc < end && mark(above));
      for (; fresh != 0; fresh &= fresh - 1)
        distance(__shfl_sync(~0u, above, __ffs(static_cast<int>(fresh)) - 1)) = kNoLength;
    }
  }

  __device__ void raise(unsigned place) const {
    const unsigned from = distance(place);
    const unsigned end = graph.offsets[place + 1];
    for (unsigned i = graph.offsets[place]; i < end; ++i) {
      const uint2 arc = graph.arcs[i];
      if (from != kNoLength) atomicMin(&distance(arc.x), from + arc.y);
    }
  }

  __device__ void climb() const {
    for (unsigned level = graph.levels; level-- > 1;) {
      if (rises[level] == 0) continue;
      for_each_marked(level, [&](unsigned place) { mark_above(place); });
      __syncthreads();
      for_each_marked(level, [&](unsigned place) { raise(place); });
      __syncthreads();
    }
  }

  // The least of the climb and of the ways down from above.
  __device__ unsigned lowered(unsigned place) const {
    unsigned best = is_in(marks, place) ? distance(place) : kNoLength;
    const unsigned end = graph.offsets[place + 1];
    unsigned i = graph.offsets[place];
    for (; i + 4 <= end; i += 4) {
      const uint2 a = graph.arcs[i], b = graph.arcs[i + 1], c = graph.arcs[i + 2],
                  d = graph.arcs[i + 3];
      const unsigned from_a = distance(a.x), from_b = distance(b.x), from_c = distance(c.x),
                     from_d = distance(d.x);
      best = min(min(min(best, from_a + a.y), min(from_b + b.y, from_c + c.y)), from_d + d.y);
    }
    for (; i < end; ++i) {
      const uint2 arc = graph.arcs[i];
      best = min(best, distance(arc.x) + arc.y);
    }
    return best;
  }
};

__global__ void __launch_bounds__(512, 4) pass_kernel(const PassGraph graph, const PassJob job) {
  extern __shared__ unsigned shared_marks[];
  __shared__ unsigned batch, farthest[kWarp], reached[kWarp];
  __shared__ unsigned long long sum[kWarp];
  const unsigned words = pass_words(graph.order, graph.levels);
  unsigned* const marks =
      job.marks == nullptr ? shared_marks : job.marks + std::size_t{blockIdx.x} * words;
  const PassBlock block{
      .graph = graph,
      .lines = job.distances + std::size_t{blockIdx.x} * graph.order * kWarp,
      .marks = marks,
      .rises = reinterpret_cast<unsigned char*>(marks + pass_bitmap_words(graph.order))};
  for (;;) {
    if (threadIdx.x == 0) batch = atomicAdd(job.next, 1u);
    if (threadIdx.x < kWarp) farthest[threadIdx.x] = reached[threadIdx.x] = 0, sum[threadIdx.x] = 0;
    block.clear();
    __syncthreads();
    const unsigned mine = batch;
    if (mine >= job.batches) return;
    if (block.warp() == 0) block.begin(job.places + mine * kWarp);
    __syncthreads();
    block.climb();
    unsigned far = 0, count = 0;
    unsigned long long total = 0;
    for (unsigned level = 0; level < graph.levels; ++level) {
      const unsigned end = graph.level_begin[level + 1], stored = graph.level_stored[level];
      for (unsigned place = graph.level_begin[level] + block.warp(); place < end;
           place += block.warps()) {
        const unsigned found = block.lowered(place);
        if (place < stored) block.distance(place) = found;
        if (found >= kNoLength) continue;
        far = max(far, found);
        total += found;
        ++count;
      }
      __syncthreads();
    }
    atomicMax(&farthest[thread_of_warp()], far);
    atomicAdd(&reached[thread_of_warp()], count);
    atomicAdd(&sum[thread_of_warp()], total);
    __syncthreads();
    if (threadIdx.x < kWarp)
      job.outcomes[mine * kWarp + threadIdx.x] = {.sum = sum[threadIdx.x],
                                                  .farthest = farthest[threadIdx.x],
                                                  .reached = reached[threadIdx.x]};
    __syncthreads();
  }
}

}  // namespace antipode::cuda
