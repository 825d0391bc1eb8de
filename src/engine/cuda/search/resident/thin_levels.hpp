// Thin levels of a search by slices, which every block does for itself, since it would take longer
// to hear of them than they take: it knows who is seen from its shared memory, and asks the GPU's
// for the rows. Most are in the four neighbours that lie side by side: one answer a level. Where
// there are few with short rows, one warp goes on and waits for nobody.
#pragma once

#include "engine/cuda/search/resident/slices.hpp"

namespace antipode::cuda {

// Some quads of a row.
struct ThinChunk {
  unsigned begin, length;
};

struct ThinMemory {
  static constexpr unsigned kMost = 256;   // in a frontier
  static constexpr unsigned kArcs = 4096;  // of them, in all
  static constexpr unsigned kStretches = kMost + kArcs / 128;
  static constexpr unsigned kMostOfFew = 8;  // arcs of a vertex, where a warp has them all
  struct Cells {
    unsigned arcs, stretches, found;
    Vertex least;         // of those found
  } cells[2];             // of this level and the next, in turn
  Vertex list[2][kMost];  // the frontier, and the next
  ThinChunk stretches[kStretches];
  uint4 heads[2][kWarp];  // of the frontiers, while they are that small
  unsigned listed;        // so far, when a pull has found them
  SliceState state;       // where a warp has come to …
  bool is_wide;           // … and whether there are too many arcs for a block
};

class ThinLevels {
 public:
  __device__ ThinLevels(const SliceJob& job, const Slice& slice, ThinMemory& memory)
      : job_(job), slice_(slice), memory_(memory) {}

  // Found by a pull: three words from this vertex on. There is room for all.
  __device__ void list(Vertex first, const uint4& three, Distance level) {
    const unsigned words[kNoticeWords] = {three.x, three.y, three.z};
    unsigned at = atomicAdd(&memory_.listed, __popc(three.x) + __popc(three.y) + __popc(three.z));
#pragma unroll
    for (unsigned k = 0; k < kNoticeWords; ++k)
      for (unsigned bits = words[k]; bits != 0; bits &= bits - 1)
        memory_.list[level % 2][at++] = first + 32 * k + __ffs(bits) - 1;
  }

  // From the frontier in the list of its level until one is too wide.
  __device__ SliceState run(SliceState state) {
    while (true) {
      if (state.size <= kWarp) {
        state = go_on_as_few(state);
        if (memory_.is_wide) break;
      }
      if (!job_.goes_on(state) || state.size > ThinMemory::kMost) break;
      const unsigned now = state.level % 2;
      ThinMemory::Cells& cells = memory_.cells[now];
      const Vertex v = threadIdx.x < state.size ? memory_.list[now][threadIdx.x] : kNoVertex;
      const uint4 head = look(v, cells);
      __syncthreads();
      if (cells.arcs > ThinMemory::kArcs) break;
      if (threadIdx.x == 0) memory_.cells[1 - now] = {0, 0, 0, kNoVertex};
      const unsigned stretches = cells.stretches;
      unsigned i = threadIdx.x / kWarp;
      uint4 next = quad(i, stretches);  // on its way while the first neighbours are looked at
      if (v != kNoVertex) offer(head, state.level + 1, cells);
      for (; i < stretches; i += kSliceWarps) {
        const uint4 here = next;
        next = quad(i + kSliceWarps, stretches);
        if (here.x != kNoVertex) offer(here, state.level + 1, cells);
      }
      __syncthreads();
      state.size = cells.found;
      if (state.size == 0) break;
      ++state.level;
      state.reached += state.size;
      state.farthest = cells.least;
      if (blockIdx.x == 0 && threadIdx.x == 0) job_.tell_size(state);
    }
    return state;
  }

 private:
  __device__ SliceState go_on_as_few(SliceState state) {
    __syncthreads();  // all know how the last level went
    if (threadIdx.x < kWarp) {
      bool is_wide = false;
      state = go_on_as_warp(state, is_wide);
      if (lane() == 0) {
        memory_.state = state;
        memory_.is_wide = is_wide;
        memory_.cells[state.level % 2] = {0, 0, 0, kNoVertex};
      }
    }
    __syncthreads();
    return memory_.state;
  }

  // Four lanes have a vertex, a neighbour each: eight vertices at once. If there is a row too long
  // for that, nothing is done.
  static constexpr unsigned kTogether = kWarp / 4;
  __device__ SliceState go_on_as_warp(SliceState state, bool& is_wide) {
    if (lane() < state.size)
      memory_.heads[state.level % 2][lane()] = job_.heads[memory_.list[state.level % 2][lane()]];
    __syncwarp();
    while (state.size <= kWarp && job_.goes_on(state)) {
      if (state.size <= kTogether       ? go_on_with_short_rows<1>(state)
          : state.size <= 2 * kTogether ? go_on_with_short_rows<2>(state)
                                        : go_on_with_short_rows<4>(state))
        continue;
      const uint4* const heads = memory_.heads[state.level % 2];
      const bool has_more = lane() < state.size && heads[lane()].w >= SliceJob::kMore;
      const GraphView::Range row =
          has_more ? GraphView::short_row(job_.graph.rows[memory_.list[state.level % 2][lane()]])
                   : GraphView::Range{0, 0};
      is_wide = __reduce_add_sync(~0u, min(row.degree, ThinMemory::kArcs + 1)) > ThinMemory::kArcs;
      if (__any_sync(~0u, row.degree > ThinMemory::kMostOfFew)) break;
      Finds finds{0, kNoVertex};
      for (unsigned begin = 0; begin < state.size; begin += kTogether) {
        const unsigned i = begin + lane() / 4;
        offer(state, finds,
              i < state.size
                  ? reinterpret_cast<const Vertex*>(heads)[4 * i + lane() % 4] & ~SliceJob::kMore
                  : kNoVertex);
        const Vertex degree = __shfl_sync(~0u, row.degree, i);
        const EdgeOffset at = __shfl_sync(~0u, row.begin, i);
        for (unsigned from = 4; __any_sync(~0u, degree > from); from += 4)
          offer(state, finds,
                degree > from ? job_.graph.targets[at + from + lane() % 4] : kNoVertex);
      }
      __syncwarp();
      advance(state, finds);
    }
    return state;
  }

  // While there are at most eight times kTimes vertices, not half as many, and four neighbours
  // each; false: there is a longer row. While the next heads are on their way everything else is
  // worked out, so that little is left to do when they come.
  template <unsigned kTimes>
  __device__ bool go_on_with_short_rows(SliceState& state) {
    const auto is_for_us = [&] {
      return state.size <= kTimes * kTogether &&
             (kTimes == 1 || state.size > kTimes / 2 * kTogether) && job_.goes_on(state);
    };
    for (bool goes_on = true; goes_on;) {
      const Vertex* const heads = reinterpret_cast<const Vertex*>(memory_.heads[state.level % 2]);
      Vertex u[kTimes];
      uint4 ahead[kTimes];
      unsigned at[kTimes];
      bool has_more = false;
#pragma unroll
      for (unsigned k = 0; k < kTimes; ++k) {
        const bool mine = kTogether * k + lane() / 4 < state.size;
        u[k] = mine ? heads[kWarp * k + lane()] : kNoVertex;
        has_more |= mine && u[k] >= SliceJob::kMore;
      }
#pragma unroll
      for (unsigned k = 0; k < kTimes; ++k) ahead[k] = asked(u[k]);
      if (__any_sync(~0u, has_more)) return false;
      Finds finds{0, kNoVertex};
      claim(state, finds, u, at);
      advance(state, finds);
      goes_on = is_for_us();
#pragma unroll
      for (unsigned k = 0; k < kTimes; ++k) keep(at[k], ahead[k], state.level);
      __syncwarp();
    }
    return true;
  }

  struct Finds {
    unsigned count;
    Vertex least;  // of the lane's
  };

  __device__ void advance(SliceState& state, const Finds& finds) const {
    state.size = finds.count;
    if (finds.count == 0) return;
    ++state.level;
    state.reached += finds.count;
    if (job_.is_folded()) return;
    state.farthest = __reduce_min_sync(~0u, finds.least);
    if (blockIdx.x == 0 && lane() == 0) job_.tell_size(state);
  }

  // By all lanes of the only warp, without branches. What must be known of neighbours to go on is
  // asked for before it is known whether they are new.
  __device__ void offer(const SliceState& state, Finds& finds, Vertex u) {
    const uint4 ahead = asked(u);
    unsigned at[1];
    claim<1>(state, finds, {u}, at);
    keep(at[0], ahead, state.level + 1);
  }
  __device__ uint4 asked(Vertex u) const {
    return job_.heads[u != kNoVertex ? u & ~SliceJob::kMore : 0];
  }

  // Those who are new are listed: where each is then, if it is.
  static constexpr unsigned kNowhere = ~0u;
  template <unsigned kTimes>
  __device__ void claim(const SliceState& state, Finds& finds, const Vertex (&u)[kTimes],
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
      at[k] = is_new ? finds.count + __popc(all & ((1u << lane()) - 1)) : kNowhere;
      if (is_new) memory_.list[level % 2][at[k]] = u[k];
      if (is_new && blockIdx.x == 0) job_.row[u[k]] = level;
      finds.least = min(finds.least, is_new ? u[k] : kNoVertex);
      finds.count += __popc(all);
    }
  }
  __device__ void keep(unsigned at, const uint4& head, Distance level) {
    if (at < kWarp) memory_.heads[level % 2][at] = head;
  }
  __device__ static unsigned bit_of(Vertex u) { return u != kNoVertex ? 1u << u % 32 : 0; }

  // Those not seen before are found. All are asked for before the first answer is looked at.
  __device__ void claim(const Vertex (&u)[4], bool (&is_new)[4]) const {
    unsigned before[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) before[k] = atomicOr(&slice_.seen[u[k] / 32], 1u << u[k] % 32);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) is_new[k] = (before[k] >> u[k] % 32 & 1) == 0;
  }

  // Returns the first neighbours; others are left to a warp each, in stretches.
  __device__ uint4 look(Vertex v, ThinMemory::Cells& cells) const {
    uint4 head{};
    unsigned arcs = 0;
    if (v != kNoVertex) {
      head = job_.graph.heads[v];
      const GraphView::Range row = GraphView::short_row(job_.graph.rows[v]);
      arcs = min(row.degree, ThinMemory::kArcs + 1);
      if (row.degree > 4 && arcs <= ThinMemory::kArcs) {
        const unsigned begin = static_cast<unsigned>(row.begin / 4),
                       end = begin + GraphView::quad_count(row.degree);
        unsigned at = atomicAdd(&cells.stretches, (end - begin - 1 + kWarp - 1) / kWarp);
        for (unsigned q = begin + 1; q < end; q += kWarp, ++at)
          if (at < ThinMemory::kStretches) memory_.stretches[at] = {q, min(kWarp, end - q)};
      }
    }
    const unsigned sum = __reduce_add_sync(~0u, arcs);
    if (lane() == 0 && sum != 0) atomicAdd(&cells.arcs, sum);
    return head;
  }

  // The lane's part of a stretch, if there is any.
  __device__ uint4 quad(unsigned i, unsigned stretches) const {
    const ThinChunk mine = i < stretches ? memory_.stretches[i] : ThinChunk{0, 0};
    return lane() < mine.length
               ? reinterpret_cast<const uint4*>(job_.graph.targets)[mine.begin + lane()]
               : uint4{kNoVertex, kNoVertex, kNoVertex, kNoVertex};
  }

  // By a thread.
  __device__ void offer(const uint4& quad, Distance level, ThinMemory::Cells& cells) const {
    const Vertex u[4] = {quad.x, quad.y, quad.z, quad.w};
    bool is_new[4];
    claim(u, is_new);
    unsigned count = 0;
    Vertex least = kNoVertex;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      if (!is_new[k]) continue;
      ++count;
      least = min(least, u[k]);
      if (blockIdx.x == 0) job_.row[u[k]] = level;
    }
    if (count == 0) return;
    atomicMin(&cells.least, least);
    unsigned at = atomicAdd(&cells.found, count);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (is_new[k] && at < ThinMemory::kMost) memory_.list[level % 2][at++] = u[k];
  }

  const SliceJob& job_;
  const Slice& slice_;
  ThinMemory& memory_;
};

}  // namespace antipode::cuda
