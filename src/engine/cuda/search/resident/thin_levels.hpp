// Thin levels of a search by resident slices. Every block does them for itself: that takes less
// time than an exchange of notices. Its bitmap of reached vertices is in shared memory; adjacency
// comes from GPU memory, mostly the first four neighbours: one load latency per level. If the
// frontier is small and degrees are low, one warp continues without barriers of the block.
#pragma once

#include "engine/cuda/search/resident/slices.hpp"

namespace antipode::cuda {

// Some quads of an adjacency.
struct ThinChunk {
  unsigned begin, length;
};

struct ThinMemory {
  static constexpr unsigned kMostVertices = 256;  // vertices of a thin frontier
  static constexpr unsigned kMostArcs = 4096;     // arcs of a thin frontier
  static constexpr unsigned kMostChunks = kMostVertices + kMostArcs / 128;
  static constexpr unsigned kMostWarpDegree = 8;  // largest degree in levels done by one warp
  struct Counters {
    unsigned arcs, chunks, found;
    Vertex least;                 // least vertex found
  } counters[2];                  // double buffer: this level and the next
  Vertex list[2][kMostVertices];  // the frontier, and the next
  ThinChunk chunks[kMostChunks];
  uint4 heads[2][kWarp];  // first neighbours of frontiers of at most a warp
  unsigned listed;        // entries of the list so far, after a pull
  SliceState state;       // state after the levels of one warp
  bool is_wide;           // whether the frontier has too many arcs for thin levels
};

class ThinLevels {
 public:
  __device__ ThinLevels(const SliceJob& job, const Slice& slice, ThinMemory& memory)
      : job_(job), slice_(slice), memory_(memory) {}

  // Appends the finds of a pull, given as three words from vertex `first` on. The list has room.
  __device__ void list(Vertex first, const uint4& three, Distance level) {
    const unsigned words[kNoticeWords] = {three.x, three.y, three.z};
    unsigned at = atomicAdd(&memory_.listed, __popc(three.x) + __popc(three.y) + __popc(three.z));
#pragma unroll
    for (unsigned k = 0; k < kNoticeWords; ++k)
      for (unsigned bits = words[k]; bits != 0; bits &= bits - 1)
        memory_.list[level % 2][at++] = first + 32 * k + __ffs(bits) - 1;
  }

  // Continues from the listed frontier until one is too wide.
  __device__ SliceState run(SliceState state) {
    while (true) {
      if (state.size <= kWarp) {
        state = run_on_warp(state);
        if (memory_.is_wide) break;
      }
      if (!job_.continues(state) || state.size > ThinMemory::kMostVertices) break;
      const unsigned now = state.level % 2;
      ThinMemory::Counters& counters = memory_.counters[now];
      const Vertex v = threadIdx.x < state.size ? memory_.list[now][threadIdx.x] : kNoVertex;
      const uint4 head = load_range(v, counters);
      __syncthreads();
      if (counters.arcs > ThinMemory::kMostArcs) break;
      if (threadIdx.x == 0)
        memory_.counters[1 - now] = {.arcs = 0, .chunks = 0, .found = 0, .least = kNoVertex};
      const unsigned chunks = counters.chunks;
      unsigned i = threadIdx.x / kWarp;
      // look-ahead: loads while the first neighbours are processed
      uint4 next = quad(i, chunks);
      if (v != kNoVertex) expand_quad(head, state.level + 1, counters);
      for (; i < chunks; i += kSliceWarps) {
        const uint4 current = next;
        next = quad(i + kSliceWarps, chunks);
        if (current.x != kNoVertex) expand_quad(current, state.level + 1, counters);
      }
      __syncthreads();
      state.size = counters.found;
      if (state.size == 0) break;
      ++state.level;
      state.reached += state.size;
      state.farthest = counters.least;
      if (blockIdx.x == 0 && threadIdx.x == 0) job_.write_level_size(state);
    }
    return state;
  }

 private:
  __device__ SliceState run_on_warp(SliceState state) {
    __syncthreads();  // all threads have read the last level's counts
    if (threadIdx.x < kWarp) {
      bool is_wide = false;
      state = continue_on_warp(state, is_wide);
      if (thread_of_warp() == 0) {
        memory_.state = state;
        memory_.is_wide = is_wide;
        memory_.counters[state.level % 2] = {
            .arcs = 0, .chunks = 0, .found = 0, .least = kNoVertex};
      }
    }
    __syncthreads();
    return memory_.state;
  }

  // Four threads per vertex, one per neighbour: eight vertices at once. Stops at a vertex of too
  // high degree.
  static constexpr unsigned kVerticesPerWarp = kWarp / 4;
  __device__ SliceState continue_on_warp(SliceState state, bool& is_wide) {
    if (thread_of_warp() < state.size)
      memory_.heads[state.level % 2][thread_of_warp()] =
          job_.heads[memory_.list[state.level % 2][thread_of_warp()]];
    __syncwarp();
    while (state.size <= kWarp && job_.continues(state)) {
      if (state.size <= kVerticesPerWarp       ? continue_with_low_degrees<1>(state)
          : state.size <= 2 * kVerticesPerWarp ? continue_with_low_degrees<2>(state)
                                               : continue_with_low_degrees<4>(state))
        continue;
      const uint4* const heads = memory_.heads[state.level % 2];
      const bool has_more =
          thread_of_warp() < state.size && heads[thread_of_warp()].w >= SliceJob::kMore;
      const GraphView::Range range =
          has_more ? GraphView::short_range(
                         job_.graph.ranges[memory_.list[state.level % 2][thread_of_warp()]])
                   : GraphView::Range{0, 0};
      is_wide = __reduce_add_sync(~0u, min(range.degree, ThinMemory::kMostArcs + 1)) >
                ThinMemory::kMostArcs;
      if (__any_sync(~0u, range.degree > ThinMemory::kMostWarpDegree)) break;
      Finds finds{0, kNoVertex};
      for (unsigned begin = 0; begin < state.size; begin += kVerticesPerWarp) {
        const unsigned i = begin + thread_of_warp() / 4;
        expand_neighbour(
            state, finds,
            i < state.size ? reinterpret_cast<const Vertex*>(heads)[4 * i + thread_of_warp() % 4] &
                                 ~SliceJob::kMore
                           : kNoVertex);
        const Vertex degree = __shfl_sync(~0u, range.degree, i);
        const EdgeOffset at = __shfl_sync(~0u, range.begin, i);
        for (unsigned from = 4; __any_sync(~0u, degree > from); from += 4)
          expand_neighbour(
              state, finds,
              degree > from ? job_.graph.targets[at + from + thread_of_warp() % 4] : kNoVertex);
      }
      __syncwarp();
      advance(state, finds);
    }
    return state;
  }

  // Levels of at most 8 kTimes vertices, more than half as many, of degree four or less; false:
  // there is a higher degree. Everything that does not depend on the next heads is computed while
  // they load.
  template <unsigned kTimes>
  __device__ bool continue_with_low_degrees(SliceState& state) {
    const auto fits = [&] {
      return state.size <= kTimes * kVerticesPerWarp &&
             (kTimes == 1 || state.size > kTimes / 2 * kVerticesPerWarp) && job_.continues(state);
    };
    for (bool is_active = true; is_active;) {
      const Vertex* const heads = reinterpret_cast<const Vertex*>(memory_.heads[state.level % 2]);
      Vertex u[kTimes];
      uint4 next_heads[kTimes];
      unsigned at[kTimes];
      bool has_more = false;
#pragma unroll
      for (unsigned k = 0; k < kTimes; ++k) {
        const bool mine = kVerticesPerWarp * k + thread_of_warp() / 4 < state.size;
        u[k] = mine ? heads[kWarp * k + thread_of_warp()] : kNoVertex;
        has_more |= mine && u[k] >= SliceJob::kMore;
      }
#pragma unroll
      for (unsigned k = 0; k < kTimes; ++k) next_heads[k] = load_head(u[k]);
      if (__any_sync(~0u, has_more)) return false;
      Finds finds{0, kNoVertex};
      list_new(state, finds, u, at);
      advance(state, finds);
      is_active = fits();
#pragma unroll
      for (unsigned k = 0; k < kTimes; ++k) store_head(at[k], next_heads[k], state.level);
      __syncwarp();
    }
    return true;
  }

  struct Finds {
    unsigned count;
    Vertex least;  // of this thread's
  };

  __device__ void advance(SliceState& state, const Finds& finds) const {
    state.size = finds.count;
    if (finds.count == 0) return;
    ++state.level;
    state.reached += finds.count;
    if (job_.is_folded()) return;
    state.farthest = __reduce_min_sync(~0u, finds.least);
    if (blockIdx.x == 0 && thread_of_warp() == 0) job_.write_level_size(state);
  }

  // By all threads of one warp, without branches. Heads of neighbours are loaded before it is known
  // whether the neighbours are new.
  __device__ void expand_neighbour(const SliceState& state, Finds& finds, Vertex u) {
    const uint4 head = load_head(u);
    unsigned at[1];
    list_new<1>(state, finds, {u}, at);
    store_head(at[0], head, state.level + 1);
  }
  __device__ uint4 load_head(Vertex u) const {
    return job_.heads[u != kNoVertex ? u & ~SliceJob::kMore : 0];
  }

  // Lists the new vertices; at[k] is the place of each, kNotListed if it was seen before.
  static constexpr unsigned kNotListed = ~0u;
  template <unsigned kTimes>
  __device__ void list_new(const SliceState& state, Finds& finds, const Vertex (&u)[kTimes],
                           unsigned (&at)[kTimes]) {
    const Distance level = state.level + 1;
    unsigned before[kTimes];
#pragma unroll
    for (unsigned k = 0; k < kTimes; ++k)
      before[k] = atomicOr(&slice_.seen[u[k] != kNoVertex ? u[k] / 32 : 0], bit_of(u[k]));
#pragma unroll
    for (unsigned k = 0; k < kTimes; ++k) {
      const bool is_new = (bit_of(u[k]) & ~before[k]) != 0;
      const unsigned all = __ballot_sync(~0u, is_new);
      at[k] = is_new ? finds.count + __popc(all & ((1u << thread_of_warp()) - 1)) : kNotListed;
      if (is_new) memory_.list[level % 2][at[k]] = u[k];
      if (is_new && blockIdx.x == 0) job_.distances[u[k]] = level;
      finds.least = min(finds.least, is_new ? u[k] : kNoVertex);
      finds.count += __popc(all);
    }
  }
  __device__ void store_head(unsigned at, const uint4& head, Distance level) {
    if (at < kWarp) memory_.heads[level % 2][at] = head;
  }
  __device__ static unsigned bit_of(Vertex u) { return u != kNoVertex ? 1u << u % 32 : 0; }

  // Marks four vertices as seen and tells which are new. All atomics are in flight before the first
  // result is used.
  __device__ void mark_seen(const Vertex (&u)[4], bool (&is_new)[4]) const {
    unsigned before[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) before[k] = atomicOr(&slice_.seen[u[k] / 32], 1u << u[k] % 32);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) is_new[k] = (before[k] >> u[k] % 32 & 1) == 0;
  }

  // Returns the first four neighbours; further ones are listed as chunks, one for a warp each.
  __device__ uint4 load_range(Vertex v, ThinMemory::Counters& counters) const {
    uint4 head{};
    unsigned arcs = 0;
    if (v != kNoVertex) {
      head = job_.graph.heads[v];
      const GraphView::Range range = GraphView::short_range(job_.graph.ranges[v]);
      arcs = min(range.degree, ThinMemory::kMostArcs + 1);
      if (range.degree > 4 && arcs <= ThinMemory::kMostArcs) {
        const unsigned begin = static_cast<unsigned>(range.begin / 4),
                       end = begin + GraphView::quad_count(range.degree);
        unsigned at = atomicAdd(&counters.chunks, (end - begin - 1 + kWarp - 1) / kWarp);
        for (unsigned q = begin + 1; q < end; q += kWarp, ++at)
          if (at < ThinMemory::kMostChunks) memory_.chunks[at] = {q, min(kWarp, end - q)};
      }
    }
    const unsigned sum = __reduce_add_sync(~0u, arcs);
    if (thread_of_warp() == 0 && sum != 0) atomicAdd(&counters.arcs, sum);
    return head;
  }

  // This thread's quad of a chunk, or none.
  __device__ uint4 quad(unsigned i, unsigned chunks) const {
    const ThinChunk mine = i < chunks ? memory_.chunks[i] : ThinChunk{0, 0};
    return thread_of_warp() < mine.length
               ? reinterpret_cast<const uint4*>(job_.graph.targets)[mine.begin + thread_of_warp()]
               : uint4{kNoVertex, kNoVertex, kNoVertex, kNoVertex};
  }

  // By one thread.
  __device__ void expand_quad(const uint4& quad, Distance level,
                              ThinMemory::Counters& counters) const {
    const Vertex u[4] = {quad.x, quad.y, quad.z, quad.w};
    bool is_new[4];
    mark_seen(u, is_new);
    unsigned count = 0;
    Vertex least = kNoVertex;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      if (!is_new[k]) continue;
      ++count;
      least = min(least, u[k]);
      if (blockIdx.x == 0) job_.distances[u[k]] = level;
    }
    if (count == 0) return;
    atomicMin(&counters.least, least);
    unsigned at = atomicAdd(&counters.found, count);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (is_new[k] && at < ThinMemory::kMostVertices) memory_.list[level % 2][at++] = u[k];
  }

  const SliceJob& job_;
  const Slice& slice_;
  ThinMemory& memory_;
};

}  // namespace antipode::cuda
