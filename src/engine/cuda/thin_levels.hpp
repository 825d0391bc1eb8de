// Thin levels of a search by slices, which every block does for itself, since it would take longer to hear of them than they take: it knows who is
// seen from its shared memory, and asks the GPU's for the rows. Most are in the four neighbours that lie side by side: one answer a level. Where there
// are few with short rows, one warp goes on and waits for nobody.
#pragma once

#include "engine/cuda/slices.hpp"

namespace antipode::cuda {

// 32 vertices, some of which are in the frontier.
struct ThinWord {
  unsigned at, bits;
};

// Some quads of a row.
struct ThinStretch {
  unsigned begin, length;
};

struct ThinMemory {
  static constexpr unsigned kMost = 256;           // in a frontier
  static constexpr unsigned kArcs = 4096;          // of them, in all
  static constexpr unsigned kStretches = kMost + kArcs / 128;
  struct Cells {
    unsigned arcs, stretches, found;
    Vertex least;                                  // of those found
  } cells[2];                                      // of this level and the next, in turn
  Vertex list[2][kMost];                           // the frontier, and the next
  ThinStretch stretches[kStretches];
  ThinWord words[kMost];                           // what a pull found, before it is listed …
  unsigned noted;                                  // … and how many these are, or more, if there is no room
  SliceState state;                                // where a warp has come to
};

class ThinLevels {
 public:
  __device__ ThinLevels(const SliceJob& job, const Slice& slice, ThinMemory& memory) : job_(job), slice_(slice), memory_(memory) {}

  // Found by a pull: four words from this one on. All lanes come; begin_notes before the first.
  __device__ void begin_notes() { has_room_ = true; }
  __device__ void note(unsigned first, const unsigned (&bits)[4]) {
    if (!has_room_) return;
    const unsigned mine = (bits[0] != 0) + (bits[1] != 0) + (bits[2] != 0) + (bits[3] != 0), end = inclusive_sum(mine);
    unsigned at = 0;
    if (lane() == kWarp - 1) at = atomicAdd(&memory_.noted, end) + end;
    at = __shfl_sync(~0u, at, kWarp - 1);
    has_room_ = at <= ThinMemory::kMost;
    if (!has_room_) return;                        // nobody will look at them
    at = at - __shfl_sync(~0u, end, kWarp - 1) + end - mine;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (bits[k] != 0) memory_.words[at++] = {first + k, bits[k]};
  }

  // From the frontier in the list of its level, or as it was noted, until one is too wide.
  __device__ SliceState run(SliceState state) {
    if (memory_.noted != 0) list_noted(state.level % 2);
    while (true) {
      if (state.size <= kWarp) state = go_on_as_few(state);
      if (!job_.goes_on(state) || state.size > ThinMemory::kMost) break;
      const unsigned now = state.level % 2;
      ThinMemory::Cells& cells = memory_.cells[now];
      const Vertex v = threadIdx.x < state.size ? memory_.list[now][threadIdx.x] : kNobody;
      const uint4 head = look(v, cells);
      __syncthreads();
      if (cells.arcs > ThinMemory::kArcs) break;
      if (threadIdx.x == 0) memory_.cells[1 - now] = {0, 0, 0, kNoVertex};
      const unsigned stretches = cells.stretches;
      unsigned i = threadIdx.x / kWarp;
      uint4 next = quad(i, stretches);             // on its way while the first neighbours are looked at
      if (v != kNobody) offer(head, state.level + 1, cells);
      for (; i < stretches; i += kSliceWarps) {
        const uint4 here = next;
        next = quad(i + kSliceWarps, stretches);
        if (here.x != kNobody) offer(here, state.level + 1, cells);
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
    __syncthreads();                               // all know how the last level went
    if (threadIdx.x < kWarp) {
      state = go_on_as_warp(state);
      if (lane() == 0) {
        memory_.state = state;
        memory_.cells[state.level % 2] = {0, 0, 0, kNoVertex};
      }
    }
    __syncthreads();
    return memory_.state;
  }

  // A lane has a vertex.
  __device__ SliceState go_on_as_warp(SliceState state) {
    while (job_.goes_on(state) && state.size <= kWarp) {
      const Vertex v = lane() < state.size ? memory_.list[state.level % 2][lane()] : kNobody;
      const uint4 head = v != kNobody ? job_.graph.heads[v] : uint4{};
      const GraphView::Row row = v != kNobody ? GraphView::short_row(job_.graph.rows[v]) : GraphView::Row{0, 0};
      if (__any_sync(~0u, row.degree > kShortRow)) break;
      Vertex* const next = memory_.list[(state.level + 1) % 2];
      Vertex least = kNoVertex;
      unsigned found = 0;
      offer(head, v != kNobody, state.level + 1, next, found, least);
      if (__any_sync(~0u, row.degree > 4)) offer(row.degree > 4 ? job_.graph.quads(row)[1] : uint4{}, row.degree > 4, state.level + 1, next, found, least);
      __syncwarp();
      state.size = found;
      if (found == 0) break;
      ++state.level;
      state.reached += found;
      state.farthest = __reduce_min_sync(~0u, least);
      if (blockIdx.x == 0 && lane() == 0) job_.tell_size(state);
    }
    return state;
  }

  // Those not seen before are found. All are asked for before the first answer is looked at.
  __device__ void claim(const Vertex (&u)[4], bool (&is_new)[4]) const {
    unsigned before[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) before[k] = atomicOr(&slice_.seen[u[k] / 32], 1u << u[k] % 32);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) is_new[k] = (before[k] >> u[k] % 32 & 1) == 0;
  }

  // By all lanes of a warp, some of which have nothing.
  __device__ void offer(const uint4& quad, bool has_any, Distance level, Vertex* next, unsigned& found, Vertex& least) const {
    const Vertex u[4] = {quad.x, quad.y, quad.z, quad.w};
    bool is_new[4] = {false, false, false, false};
    if (has_any) claim(u, is_new);
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned all = __ballot_sync(~0u, is_new[k]);
      if (is_new[k]) {
        next[found + __popc(all & ((1u << lane()) - 1))] = u[k];
        if (blockIdx.x == 0) job_.row[u[k]] = level;
        least = min(least, u[k]);
      }
      found += __popc(all);
    }
  }

  // A warp has a word.
  __device__ void list_noted(unsigned now) {
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    for (unsigned i = threadIdx.x / kWarp; i < memory_.noted; i += kSliceWarps) {
      const ThinWord word = memory_.words[i];
      unsigned at = 0;
      if (lane() == 0) at = atomicAdd(&count, __popc(word.bits));
      at = __shfl_sync(~0u, at, 0) + __popc(word.bits & ((1u << lane()) - 1));
      if ((word.bits >> lane() & 1) != 0) memory_.list[now][at] = 32 * word.at + lane();
    }
    __syncthreads();
  }

  // Returns the first neighbours; others are left to a warp each, in stretches.
  __device__ uint4 look(Vertex v, ThinMemory::Cells& cells) const {
    uint4 head{};
    unsigned arcs = 0;
    if (v != kNobody) {
      head = job_.graph.heads[v];
      const GraphView::Row row = GraphView::short_row(job_.graph.rows[v]);
      arcs = min(row.degree, ThinMemory::kArcs + 1);
      if (row.degree > 4 && arcs <= ThinMemory::kArcs) {
        const unsigned begin = static_cast<unsigned>(row.begin / 4), end = begin + GraphView::quad_count(row.degree);
        const unsigned from = begin + (row.degree > GraphView::kHugeRow ? 0 : 1), pieces = (end - from + kWarp - 1) / kWarp;
        unsigned at = atomicAdd(&cells.stretches, pieces);
        for (unsigned q = from; q < end; q += kWarp, ++at)
          if (at < ThinMemory::kStretches) memory_.stretches[at] = {q, min(kWarp, end - q)};
      }
    }
    const unsigned sum = __reduce_add_sync(~0u, arcs);
    if (lane() == 0 && sum != 0) atomicAdd(&cells.arcs, sum);
    return head;
  }

  // The lane's part of a stretch, if there is any.
  __device__ uint4 quad(unsigned i, unsigned stretches) const {
    const ThinStretch mine = i < stretches ? memory_.stretches[i] : ThinStretch{0, 0};
    return lane() < mine.length ? reinterpret_cast<const uint4*>(job_.graph.targets)[mine.begin + lane()] : uint4{kNobody, kNobody, kNobody, kNobody};
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
  bool has_room_ = true;                           // for notes, as far as this warp knows
};

}  // namespace antipode::cuda
