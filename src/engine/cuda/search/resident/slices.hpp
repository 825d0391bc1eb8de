// A block's slice of a graph in shared memory: how it is loaded, how a level is pulled, and how
// blocks exchange what they found. A notice is one 16-byte store: three words of a bitmap, and the
// round.
#pragma once

#include <cuda_pipeline.h>

#include "engine/cuda/device/bitmap.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/search/resident/slice_layout.hpp"
#include "engine/cuda/search/resident/slice_search.hpp"

namespace antipode::cuda {

inline constexpr unsigned kSliceThreads = 1024, kSliceWarps = kSliceThreads / kWarp;

// Words of a bitmap, a multiple of four; a notice may extend beyond the last vertex.
__host__ __device__ inline unsigned slice_words(Vertex order) {
  return (order / 32 + kNoticeWords + 3) / 4 * 4;
}

// Single 16-byte accesses: round and bits in two stores would be a race.
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

// Progress of the search: the level, the vertices reached so far, the size of the level, and its
// least vertex.
struct SliceState {
  Distance level;
  Vertex reached, size, farthest;
};

// How distances in the whole graph follow from those in the skeleton.
struct Unfolding {
  GraphView whole;
  const unsigned* folds;  // null: the graph is not folded
  const uint4* lists;
  Distance* distances;  // of the whole graph
  CandidateProbe probe;
  // Number of vertices at each distance. Zero between searches, and so is `totals`.
  Vertex* counts;
  struct Totals {
    unsigned long long farthest;  // distance, then kNoVertex minus the least vertex
    Distance reach;               // largest distance to a probed candidate
    unsigned done;                // blocks
  } * totals;

  __device__ unsigned fold(Vertex v) const { return folds == nullptr ? v : folds[v]; }
};

struct SliceJob {
  GraphView graph;  // the graph that is searched
  Unfolding unfolding;
  const SliceView* parts;  // one slice per block
  // The first four neighbours of each vertex, padded with itself; kMore is set in the last of them
  // if there are more.
  const uint4* heads;
  static constexpr Vertex kMore = 1u << 31;
  unsigned most_quads, most_words;  // of a slice
  const unsigned short* owners;     // of each quad: its vertex, counted from the slice's first
  const unsigned* words;            // of each notice: its first word
  const unsigned* last_notices;     // last notice of each slice that is not empty …
  unsigned part_count;              // … and their number
  uint4* notices;                   // double buffer
  unsigned notice_count;
  unsigned* rounds;                        // rounds of all searches so far
  Distance* distances;                     // of the graph that is searched
  Vertex* level_sizes;                     // of the whole
  const SearchOutcome* from;               // if not null, the source is from->farthest
  SearchOutcome* ends;                     // another object: a slow block may still read `from`
  const unsigned *cancel, *second_cancel;  // null: not cancelled
  SearchAnswer* answer;                    // pinned
  Distance limit;
  unsigned source_count;
  Vertex sources[kMostStarts];

  __device__ bool is_folded() const { return unfolding.folds != nullptr; }
  __device__ Vertex source(unsigned i) const {
    return from != nullptr ? from->farthest : sources[i];
  }

  __device__ bool continues(const SliceState& state) const {
    return state.size != 0 && state.reached < graph.order && state.level < limit;
  }

  // By one thread of the grid.
  __device__ void write_level_size(const SliceState& state) const {
    if (is_folded()) return;  // sizes in the skeleton are not those of the whole graph
    level_sizes[state.level] = state.size;
    if (state.level < std::size(answer->level_sizes)) answer->level_sizes[state.level] = state.size;
  }
  __device__ void write_outcome(const SearchOutcome& found) const {
    *ends = found;
    answer->source = found.source;
    answer->levels = found.eccentricity + 1;
    answer->farthest = found.farthest;
    answer->stop_pulling = 0;
  }
};

// The lowest bits of 16 bytes, by one multiplication per four bytes.
__device__ inline unsigned packed_bits(const uint4& bytes) {
  const auto four = [](unsigned word) { return word * 0x01020408u >> 24 & 15; };
  return four(bytes.x) | four(bytes.y) << 4 | four(bytes.z) << 8 | four(bytes.w) << 12;
}

// Views of the block's shared memory.
struct Slice : SliceView {
  unsigned* seen;  // bitmap of all reached vertices
  uint4* quads;
  unsigned char* found;    // found by this pull: one byte per vertex, from `base` on
  unsigned* written;       // distance written: one bit per vertex, from `base` on
  unsigned short* owners;  // of each quad
  Vertex base;             // the first vertex rounded down to a multiple of 32
  // Owners in one read; a slice begins at a multiple of this.
  static constexpr unsigned kOwnersPerRead = sizeof(uint4) / sizeof(unsigned short);

  __device__ Slice(const SliceJob& job, uint4* shared) : SliceView(job.parts[blockIdx.x]) {
    base = 32 * word;
    seen = reinterpret_cast<unsigned*>(shared);
    quads = shared + slice_words(job.graph.order) / 4;
    owners = reinterpret_cast<unsigned short*>(quads + job.most_quads);
    found = reinterpret_cast<unsigned char*>(owners + job.most_quads);
    written = reinterpret_cast<unsigned*>(found + 32 * job.most_words);
  }
  static std::size_t bytes(Vertex order, unsigned most_quads, unsigned most_words) {
    return slice_words(order) * sizeof(unsigned) +
           std::size_t{most_quads} * (sizeof(uint4) + sizeof(unsigned short)) +
           std::size_t{most_words} * (32 + sizeof(unsigned));
  }

  // Starts loading the slice and clears the bitmaps. Call await_load() before the first pull.
  __device__ void load(const SliceJob& job) const {
    const uint4* const slice_quads = reinterpret_cast<const uint4*>(job.graph.targets) + begin;
    const uint4* const slice_owners = reinterpret_cast<const uint4*>(job.owners + begin);
    for (unsigned q = threadIdx.x; q < length; q += kSliceThreads)
      __pipeline_memcpy_async(&quads[q], &slice_quads[q], sizeof(uint4));
    for (unsigned i = threadIdx.x; i < (length + kOwnersPerRead - 1) / kOwnersPerRead;
         i += kSliceThreads)
      __pipeline_memcpy_async(reinterpret_cast<uint4*>(owners) + i, &slice_owners[i],
                              sizeof(uint4));
    __pipeline_commit();
    for (unsigned w = threadIdx.x; w < slice_words(job.graph.order) / 4; w += kSliceThreads)
      reinterpret_cast<uint4*>(seen)[w] = {0, 0, 0, 0};
    for (unsigned w = threadIdx.x; w < 8 * words; w += kSliceThreads)
      reinterpret_cast<unsigned*>(found)[w] = 0;
    for (unsigned w = threadIdx.x; w < words; w += kSliceThreads) written[w] = 0;
  }
  __device__ static void await_load() {
    __pipeline_wait_prior(0);
    __syncthreads();
  }

  // A vertex with a reached neighbour is new in this level; hubs come first in an adjacency.
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

  // Writes the notices of this pull and clears `found`. Three of four threads have one word each.
  __device__ void write_notices(uint4* notices, unsigned round) const {
    const unsigned count = (words + kNoticeWords - 1) / kNoticeWords,
                   word_index = thread_of_warp() % 4;
    for (unsigned begin = (threadIdx.x - thread_of_warp()) / 4; begin < count;
         begin += kSliceThreads / 4) {
      const unsigned i = begin + thread_of_warp() / 4, w = kNoticeWords * i + word_index;
      unsigned bits = 0;
      if (word_index < kNoticeWords && w < words) {
        uint4* const bytes = reinterpret_cast<uint4*>(found) + 2 * w;
        bits = packed_bits(bytes[0]) | packed_bits(bytes[1]) << 16;
        if (bits != 0) bytes[0] = bytes[1] = {0, 0, 0, 0};
      }
      const unsigned second = __shfl_down_sync(~0u, bits, 1),
                     third = __shfl_down_sync(~0u, bits, 2);
      if (word_index == 0 && i < count)
        write_notice(&notices[notice + i], {bits, second, third, round});
    }
  }

  // Waits for the last notice of each slice; the others have then most likely arrived. Polling all
  // notices would delay their stores.
  __device__ void await_notices(const SliceJob& job, const uint4* notices, unsigned round) const {
    if (threadIdx.x < job.part_count) {
      const uint4* const last = &notices[job.last_notices[threadIdx.x]];
      while (read_notice(last).w != round) {
      }
    }
    __syncthreads();
  }

  // Reads all notices of a round. Calls action(k, first word, three words) for new bits; k counts
  // the thread's notices modulo kInFlight. Blocks start at different notices, or all would wait for
  // the same part of the L2 cache.
  static constexpr unsigned kInFlight = 3;
  static constexpr unsigned kMostListed = kInFlight * kSliceThreads;  // notices
  template <class Action>
  __device__ void read_notices(const SliceJob& job, const uint4* notices, unsigned round,
                               Action action) const {
    const unsigned all = job.notice_count,
                   shift = static_cast<unsigned>(std::uint64_t{all} * blockIdx.x / gridDim.x);
    for (unsigned first = threadIdx.x; first < all; first += kInFlight * kSliceThreads) {
      uint4 notice_words[kInFlight];
      unsigned from[kInFlight], at[kInFlight];
#pragma unroll
      for (unsigned k = 0; k < kInFlight; ++k) {
        const unsigned i = first + k * kSliceThreads;
        from[k] = i + shift < all ? i + shift : i + shift - all;
        if (i < all) notice_words[k] = read_notice(&notices[from[k]]);
        if (i < all) at[k] = job.words[from[k]];
      }
#pragma unroll
      for (unsigned k = 0; k < kInFlight; ++k) {
        if (first + k * kSliceThreads >= all) break;
        while (notice_words[k].w != round) notice_words[k] = read_notice(&notices[from[k]]);
        if ((notice_words[k].x | notice_words[k].y | notice_words[k].z) == 0) continue;
        const uint4 new_bits = mark_seen(at[k], notice_words[k]);
        if ((new_bits.x | new_bits.y | new_bits.z) != 0)
          action(k, at[k] & ~kSharedNotice, new_bits);
      }
    }
  }

  // Marks three words of bits as seen; returns those that are new.
  __device__ uint4 mark_seen(unsigned at, const uint4& bits) const {
    unsigned* const cell = seen + (at & ~kSharedNotice);
    uint4 before;
    if ((at & kSharedNotice) != 0) {
      before.x = bits.x != 0 ? atomicOr(&cell[0], bits.x) : 0;
      before.y = bits.y != 0 ? atomicOr(&cell[1], bits.y) : 0;
      before.z = bits.z != 0 ? atomicOr(&cell[2], bits.z) : 0;
    } else {
      before = {cell[0], cell[1], cell[2], 0};
      cell[0] = before.x | bits.x;
      cell[1] = before.y | bits.y;
      cell[2] = before.z | bits.z;
    }
    return {bits.x & ~before.x, bits.y & ~before.y, bits.z & ~before.z, 0};
  }

  // Writes the distances of own vertices found since the last call, unless thin levels wrote them.
  // A thread tests one word; the warp writes those with new bits.
  __device__ void write_distances(Distance* distances, Distance level, bool is_written) const {
    for (unsigned begin = threadIdx.x / kWarp; begin < words; begin += kSliceThreads) {
      const unsigned w = begin + kSliceWarps * thread_of_warp();
      unsigned new_bits = 0;
      if (w < words) {
        const unsigned all = seen[word + w];
        new_bits = all & ~written[w];
        written[w] = all;
      }
      if (is_written) continue;
      for (unsigned waiting = __ballot_sync(~0u, new_bits != 0); waiting != 0;
           waiting &= waiting - 1) {
        const unsigned which = __ffs(waiting) - 1;
        const Vertex v = base + 32 * (begin + kSliceWarps * which) + thread_of_warp();
        if ((__shfl_sync(~0u, new_bits, which) >> thread_of_warp() & 1) != 0 && v - first < count)
          distances[v] = level;
      }
    }
  }
};

}  // namespace antipode::cuda
