// What a block has of a graph whose rows are shared out over the shared memory of all blocks, and
// how it pulls a level there, tells what it found and hears of others.
#pragma once

#include <cuda_pipeline.h>

#include "engine/cuda/device/bitmap.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/search/resident/slice_layout.hpp"
#include "engine/cuda/search/resident/slice_search.hpp"

namespace antipode::cuda {

inline constexpr unsigned kSliceThreads = 1024, kSliceWarps = kSliceThreads / kWarp;

// Words of a bitmap, in fours; a notice may go a little beyond the last vertex.
__host__ __device__ inline unsigned slice_words(Vertex order) {
  return (order / 32 + kNoticeWords + 3) / 4 * 4;
}

// All at once, whatever others write or read meanwhile.
__device__ inline void write_notice(uint4* to, const uint4& notice) {
  asm volatile(
      "{ .reg .b128 all; .reg .b64 low, high; mov.b64 low, {%1, %2}; mov.b64 high, {%3, %4}; "
      "mov.b128 all, {low, high}; st.relaxed.gpu.global.b128 [%0], all; }" ::"l"(to),
      "r"(notice.x), "r"(notice.y), "r"(notice.z), "r"(notice.w)
      : "memory");
}
__device__ inline uint4 read_notice(const uint4* from) {
  uint4 notice;
  asm volatile(
      "{ .reg .b128 all; .reg .b64 low, high; ld.relaxed.gpu.global.b128 all, [%4]; mov.b128 {low, "
      "high}, all; mov.b64 {%0, %1}, low; mov.b64 {%2, %3}, high; }"
      : "=r"(notice.x), "=r"(notice.y), "=r"(notice.z), "=r"(notice.w)
      : "l"(from)
      : "memory");
  return notice;
}

// Where the search has come to: the level, those reached so far, how many of them are the level's,
// and the first of these.
struct SliceState {
  Distance level;
  Vertex reached, size, farthest;
};

// How the distances in the whole graph follow from those in the skeleton.
struct Unfolding {
  GraphView whole;
  const unsigned* folds;  // null: there is nothing to unfold
  const uint4* lists;
  Distance* row;  // of the whole graph
  CandidateProbe watched;
  Vertex* counts;  // of vertices at each distance; zero between searches, and so is …
  struct Meeting {
    unsigned long long farthest;  // distance, then the first vertex there, counted down
    Distance reach;               // of those watched
    unsigned done;                // blocks
  } * meeting;                    // … where the blocks meet

  __device__ unsigned fold(Vertex v) const { return folds == nullptr ? v : folds[v]; }
};

struct SliceJob {
  GraphView graph;  // as it is searched
  Unfolding unfolding;
  const SlicePart* parts;  // of each block
  const uint4* heads;  // the first four neighbours of each vertex; itself where there are fewer,
                       // and where there are more …
  static constexpr Vertex kMore = 1u << 31;  // … this in the last of them
  unsigned most_quads, most_words;           // of a part
  const unsigned short* owners;              // of all quads: which of its part's vertices each has
  const unsigned* words;                     // of each notice: its first
  const unsigned* last_notices;              // of each part that has any …
  unsigned part_count;                       // … of which there are so many
  uint4* notices;                            // twice, in turn
  unsigned notice_count;
  unsigned* rounds;           // of all searches so far
  Distance* row;              // of the graph as it is searched
  Vertex* level_sizes;        // of the whole
  const SearchOutcome* from;  // null, or the source is the farthest of these
  SearchOutcome* ends;        // others, since some may still read those when the first writes these
  const unsigned *cancel, *also_cancelled_by;  // null: the search is wanted
  SearchAnswer* answer;                        // in the host's memory
  Distance limit;
  unsigned source_count;
  Vertex sources[kMostStarts];

  __device__ bool is_folded() const { return unfolding.folds != nullptr; }
  __device__ Vertex source(unsigned i) const {
    return from != nullptr ? from->farthest : sources[i];
  }

  __device__ bool goes_on(const SliceState& state) const {
    return state.size != 0 && state.reached < graph.order && state.level < limit;
  }

  // By one thread of all.
  __device__ void tell_size(const SliceState& state) const {
    if (is_folded()) return;  // it is not the whole level
    level_sizes[state.level] = state.size;
    if (state.level < std::size(answer->level_sizes)) answer->level_sizes[state.level] = state.size;
  }
  __device__ void tell_ends(const SearchOutcome& found) const {
    *ends = found;
    answer->source = found.source;
    answer->levels = found.eccentricity + 1;
    answer->farthest = found.farthest;
    answer->in_vain = 0;
  }
};

// The lowest bits of 16 bytes.
__device__ inline unsigned packed_bits(const uint4& bytes) {
  const auto four = [](unsigned word) { return word * 0x01020408u >> 24 & 15; };
  return four(bytes.x) | four(bytes.y) << 4 | four(bytes.z) << 8 | four(bytes.w) << 12;
}

// In shared memory.
struct Slice : SlicePart {
  unsigned* seen;  // of all vertices
  uint4* quads;
  unsigned char* found;    // own vertices, from a multiple of 32 on: pulled in this level
  unsigned* entered;       // own vertices that have their distance, a bit each, from there on
  unsigned short* owners;  // of each quad
  Vertex base;             // the multiple of 32
  static constexpr unsigned kTogether =
      sizeof(uint4) /
      sizeof(unsigned short);  // owners that are read at once: a part begins at a multiple of this

  __device__ Slice(const SliceJob& job, uint4* shared) : SlicePart(job.parts[blockIdx.x]) {
    base = 32 * word;
    seen = reinterpret_cast<unsigned*>(shared);
    quads = shared + slice_words(job.graph.order) / 4;
    owners = reinterpret_cast<unsigned short*>(quads + job.most_quads);
    found = reinterpret_cast<unsigned char*>(owners + job.most_quads);
    entered = reinterpret_cast<unsigned*>(found + 32 * job.most_words);
  }
  static std::size_t bytes(Vertex order, unsigned most_quads, unsigned most_words) {
    return slice_words(order) * sizeof(unsigned) +
           std::size_t{most_quads} * (sizeof(uint4) + sizeof(unsigned short)) +
           std::size_t{most_words} * (32 + sizeof(unsigned));
  }

  // The part is on its way; it must be waited for before the first pull. Nobody is seen yet.
  __device__ void load(const SliceJob& job) const {
    const uint4* const rows = reinterpret_cast<const uint4*>(job.graph.targets) + begin;
    const uint4* const whose = reinterpret_cast<const uint4*>(job.owners + begin);
    for (unsigned q = threadIdx.x; q < length; q += kSliceThreads)
      __pipeline_memcpy_async(&quads[q], &rows[q], sizeof(uint4));
    for (unsigned i = threadIdx.x; i < (length + kTogether - 1) / kTogether; i += kSliceThreads)
      __pipeline_memcpy_async(reinterpret_cast<uint4*>(owners) + i, &whose[i], sizeof(uint4));
    __pipeline_commit();
    for (unsigned w = threadIdx.x; w < slice_words(job.graph.order) / 4; w += kSliceThreads)
      reinterpret_cast<uint4*>(seen)[w] = {0, 0, 0, 0};
    for (unsigned w = threadIdx.x; w < 8 * words; w += kSliceThreads)
      reinterpret_cast<unsigned*>(found)[w] = 0;
    for (unsigned w = threadIdx.x; w < words; w += kSliceThreads) entered[w] = 0;
  }
  __device__ static void await_load() {
    __pipeline_wait_prior(0);
    __syncthreads();
  }

  // Whoever finds a neighbour that is reached has found one of the frontier; hubs come first in a
  // row.
  __device__ void pull() const {
    unsigned char* const own_found = found + (first - base);
#pragma unroll 2
    for (unsigned q = threadIdx.x; q < length; q += kSliceThreads) {
      const unsigned own = owners[q];
      if (is_in(seen, first + own)) continue;
      const uint4 quad = quads[q];
      if (is_in(seen, quad.x) || (is_in(seen, quad.y) | is_in(seen, quad.z) | is_in(seen, quad.w)))
        own_found[own] = 1;
    }
  }

  // What was pulled is told to all, and nobody is found afterwards. Three lanes of four have a word
  // each.
  __device__ void tell(uint4* notices, unsigned round) const {
    const unsigned count = (words + kNoticeWords - 1) / kNoticeWords, part = lane() % 4;
    for (unsigned begin = (threadIdx.x - lane()) / 4; begin < count; begin += kSliceThreads / 4) {
      const unsigned i = begin + lane() / 4, w = kNoticeWords * i + part;
      unsigned bits = 0;
      if (part < kNoticeWords && w < words) {
        uint4* const bytes = reinterpret_cast<uint4*>(found) + 2 * w;
        bits = packed_bits(bytes[0]) | packed_bits(bytes[1]) << 16;
        if (bits != 0) bytes[0] = bytes[1] = {0, 0, 0, 0};
      }
      const unsigned second = __shfl_down_sync(~0u, bits, 1),
                     third = __shfl_down_sync(~0u, bits, 2);
      if (part == 0 && i < count) write_notice(&notices[notice + i], {bits, second, third, round});
    }
  }

  // Until each part has told its last, and most likely the rest; to ask for all again and again
  // would keep them from being written.
  __device__ void await(const SliceJob& job, const uint4* notices, unsigned round) const {
    if (threadIdx.x < job.part_count) {
      const uint4* const last = &notices[job.last_notices[threadIdx.x]];
      while (read_notice(last).w != round) {
      }
    }
    __syncthreads();
  }

  // action(k, first word, three words of those not seen before), where there are any: the thread's
  // k-th, which begins again where there are too many to be kept. Blocks begin at different places,
  // or all would wait for the same part of the cache.
  static constexpr unsigned kAtOnce = 3;
  static constexpr unsigned kMostKept = kAtOnce * kSliceThreads;  // notices
  template <class Action>
  __device__ void hear(const SliceJob& job, const uint4* notices, unsigned round,
                       Action action) const {
    const unsigned all = job.notice_count,
                   shift = static_cast<unsigned>(std::uint64_t{all} * blockIdx.x / gridDim.x);
    for (unsigned first = threadIdx.x; first < all; first += kAtOnce * kSliceThreads) {
      uint4 there[kAtOnce];
      unsigned from[kAtOnce], at[kAtOnce];
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) {
        const unsigned i = first + k * kSliceThreads;
        from[k] = i + shift < all ? i + shift : i + shift - all;
        if (i < all) there[k] = read_notice(&notices[from[k]]);
        if (i < all) at[k] = job.words[from[k]];
      }
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) {
        if (first + k * kSliceThreads >= all) break;
        while (there[k].w != round) there[k] = read_notice(&notices[from[k]]);
        if ((there[k].x | there[k].y | there[k].z) == 0) continue;
        const uint4 fresh = see(at[k], there[k]);
        if ((fresh.x | fresh.y | fresh.z) != 0) action(k, at[k] & ~kSharedNotice, fresh);
      }
    }
  }

  // Those of three words who were not seen before.
  __device__ uint4 see(unsigned at, const uint4& bits) const {
    unsigned* const here = seen + (at & ~kSharedNotice);
    uint4 before;
    if ((at & kSharedNotice) != 0) {
      before.x = bits.x != 0 ? atomicOr(&here[0], bits.x) : 0;
      before.y = bits.y != 0 ? atomicOr(&here[1], bits.y) : 0;
      before.z = bits.z != 0 ? atomicOr(&here[2], bits.z) : 0;
    } else {
      before = {here[0], here[1], here[2], 0};
      here[0] = before.x | bits.x;
      here[1] = before.y | bits.y;
      here[2] = before.z | bits.z;
    }
    return {bits.x & ~before.x, bits.y & ~before.y, bits.z & ~before.z, 0};
  }

  // The own vertices that were not entered yet get their distance, if they have none. A lane looks
  // at a word of them, a warp has those with any.
  __device__ void enter(Distance* row, Distance level, bool have_distances) const {
    for (unsigned begin = threadIdx.x / kWarp; begin < words; begin += kSliceThreads) {
      const unsigned w = begin + kSliceWarps * lane();
      unsigned fresh = 0;
      if (w < words) {
        const unsigned all = seen[word + w];
        fresh = all & ~entered[w];
        entered[w] = all;
      }
      if (have_distances) continue;
      for (unsigned waiting = __ballot_sync(~0u, fresh != 0); waiting != 0;
           waiting &= waiting - 1) {
        const unsigned which = __ffs(waiting) - 1;
        const Vertex v = base + 32 * (begin + kSliceWarps * which) + lane();
        if ((__shfl_sync(~0u, fresh, which) >> lane() & 1) != 0 && v - first < count)
          row[v] = level;
      }
    }
  }
};

}  // namespace antipode::cuda
