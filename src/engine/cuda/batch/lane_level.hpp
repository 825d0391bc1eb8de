// One level of a batch in bit lanes: every vertex gathers its neighbours' words (pull), or the few
// that changed push their new bits. The first two levels are written directly from the sources.
#pragma once

#include "engine/cuda/batch/lane_counters.hpp"
#include "engine/cuda/batch/lanes.hpp"
#include "engine/cuda/layout/flags.hpp"

namespace antipode::cuda {

inline constexpr unsigned kLaneThreads = 1024;
inline std::size_t bitmap_words(Vertex order) { return std::size_t{order} / 32 + 1; }
__device__ inline unsigned grid_thread() { return blockIdx.x * kLaneThreads + threadIdx.x; }
__device__ inline unsigned grid_threads() { return gridDim.x * kLaneThreads; }

// Counters of a level, added up over all blocks. Three rotate: this level, the next, and the one
// being cleared.
struct LaneLevel {
  unsigned long long arrivals, at_candidates;  // new bits; those at candidates
  unsigned long long active_arcs;              // of the vertices with new bits
  unsigned active_huge,
      next_chunk;  // vertices with new bits and a huge degree; chunks of vertices taken by warps
  unsigned reached[Lanes::kMost / 32],
      outside[Lanes::kMost / 32];  // bit lanes that reached a candidate; one outside the ball
};

// Results of each bit lane.
struct LaneControl {
  LaneLevel levels[3];
  FarthestDistance farthest[Lanes::kMost];
  unsigned long long counts[Lanes::kMost], sums[Lanes::kMost];
};

struct LaneJob {
  GraphView graph, into;  // leaving arcs for pushes, entering arcs for pulls
  uint4* words[2];  // kGroups per vertex. The levels from sources write the first set; later ones
                    // read one set and write the other
  unsigned* active[3];  // bitmaps of vertices with new bits: in the last level, in this one, and
                        // the one being cleared
  unsigned* full;       // one bit per rank: both sets have all bit lanes
  LaneRanks ranks;
  LaneControl* control;
  FarthestRequest request;
  VertexSums account;
  Arrivals arrivals;
  const Vertex* sources;
  unsigned count;   // of sources
  bool may_filter;  // a bitmap of all vertices fits in shared memory
};

// A level, seen from one thread. References are to shared memory: registers are needed for words in
// flight.
template <unsigned kGroups, LaneOutput kOutput>
struct Level {
  const LaneJob& job;
  const Distance& level;
  const uint4* now;   // words
  LaneLevel& report;  // of the block
  LaneCounters<kGroups> counters;
  const uint4& all;         // the bit lanes in use, of this thread's group
  const bool& both_filled;  // if not, the second set is not initialized, and all of it is written
  unsigned group;           // the group of 128 bit lanes that this thread handles

  // Sums of this thread.
  unsigned arrivals = 0, at_candidates = 0, active_arcs = 0;

  __device__ uint4* next() const { return now == job.words[0] ? job.words[1] : job.words[0]; }
  __device__ const unsigned* active() const { return job.active[(level - 1) % 3]; }
  __device__ unsigned* active_next() const { return job.active[level % 3]; }

  __device__ std::size_t at(Vertex v) const { return std::size_t{v} * kGroups + group; }
  __device__ bool was_active(Vertex v) const { return (active()[v / 32] >> v % 32 & 1) != 0; }
  __device__ unsigned char flags_of(Vertex v) const {
    return job.request.flags == nullptr ? kCandidate | kOutside : job.request.flags[v];
  }
  __device__ void raise_lower(Vertex v) const {
    if (job.request.lower != nullptr && job.request.lower[v] < level)
      job.request.lower[v] = level;  // concurrent writes are equal
  }

  // Marks a vertex with new bits; several threads may do so.
  __device__ void activate(Vertex v, Vertex degree) {
    if ((atomicOr(&active_next()[v / 32], 1u << v % 32) >> v % 32 & 1) == 0) count_active(degree);
  }
  __device__ void count_active(Vertex degree) {
    active_arcs += min(degree, Lanes::kHugeDegree);  // a larger sum would not change the next mode
    if (degree > Lanes::kHugeDegree) atomicAdd(&report.active_huge, 1u);
  }

  // Accounts for new bits of a vertex, in this thread's group.
  __device__ void add_arrivals(Vertex v, uint4 new_bits) {
    const unsigned bits = count(new_bits);
    arrivals += bits;
    if constexpr (kOutput == LaneOutput::vertices) return;  // all are candidates
    const unsigned char flags = flags_of(v);
    if ((flags & kCandidate) != 0) {
      at_candidates += bits;
      add_words(report.reached, new_bits);
    }
    if ((flags & kOutside) != 0) add_words(report.outside, new_bits);
    raise_lower(v);
  }

  // The same for one 32-bit word; several threads may account for bits of the same vertex.
  __device__ void add_arrivals(Vertex v, unsigned word, unsigned bits) {
    const unsigned char flags = flags_of(v);
    arrivals += __popc(bits);
    if ((flags & kCandidate) != 0) {
      at_candidates += __popc(bits);
      add_bits(&report.reached[word], bits);
    }
    if ((flags & kOutside) != 0) add_bits(&report.outside[word], bits);
    raise_lower(v);
    if constexpr (kOutput == LaneOutput::lanes) counters.add(word, bits);
    if constexpr (kOutput == LaneOutput::vertices) {
      const VertexSums& account = job.account;
      const unsigned count = __popc(bits);
      if (level < VertexSums::kNear) {
        atomicAdd(&account.near[std::size_t{level} * job.graph.order + v], count);
      } else {
        atomicAdd(&account.sums[v], static_cast<unsigned long long>(level) * count);
        atomicAdd(&account.inverse_sums[v], inverse_of(level, account.unit) * count);
        atomicAdd(&account.counts[v], count);
        atomicMax(&account.farthest[v], level);
      }
    }
  }
  __device__ static void add_bits(unsigned* shared_word, unsigned bits) {
    if ((bits & ~fresh(shared_word)) != 0) atomicOr(shared_word, bits);
  }

  __device__ void add_words(unsigned* shared_words, uint4 bits) const {
    add_bits(&shared_words[group * 4], bits.x);
    add_bits(&shared_words[group * 4 + 1], bits.y);
    add_bits(&shared_words[group * 4 + 2], bits.z);
    add_bits(&shared_words[group * 4 + 3], bits.w);
  }

  // Writes and accounts for the words that a vertex has gathered. `threads`: mask of the threads
  // that have the groups of the vertex; no others do, so no atomic operation is needed. Returns
  // whether the vertex needs no more levels: it has all bit lanes, and none was new.
  __device__ bool update(Vertex v, Vertex degree, uint4 own, uint4 sum, unsigned threads) {
    const uint4 new_bits = sum - own;
    const bool is_new = any(new_bits), vertex_is_new = __any_sync(threads, is_new);
    if (vertex_is_new || !both_filled || was_active(v))
      next()[at(v)] = sum;  // the other set lacks the bits of the last level
    if (is_new) add_arrivals(v, new_bits);
    if constexpr (kOutput == LaneOutput::vertices) {
      if (vertex_is_new) {
        unsigned bits = count(new_bits);
        for (unsigned step = 1; step < kGroups; step *= 2)
          bits += __shfl_xor_sync(threads, bits, step);
        if (group == 0 && level < VertexSums::kNear)
          atomicAdd(&job.account.near[std::size_t{level} * job.graph.order + v], bits);
        if (group == 0 && level >= VertexSums::kNear) job.account.add(v, level, bits);
      }
    }
    if (vertex_is_new && group == 0) {
      atomicOr(&active_next()[v / 32], 1u << v % 32);
      count_active(degree);
    }
    return __all_sync(threads, sum == all) && !vertex_is_new;
  }

  // Sets a bit in one of the first two levels, which keep no other record. (Never that of its own
  // source: there are no loops.)
  __device__ void mark_reached(Vertex v, unsigned word, unsigned bit) {
    if ((atomicOr(reinterpret_cast<unsigned*>(job.words[0]) + std::size_t{v} * kGroups * 4 + word,
                  bit) &
         bit) != 0)
      return;
    add_arrivals(v, word, bit);
    atomicOr(&active_next()[v / 32], 1u << v % 32);
    count_active(job.graph.degree(v));  // once for every bit lane, since each follows these arcs
  }

  // The first level: one warp per part of a source's neighbours; one block for all neighbours of a
  // hub.
  __device__ void write_first_level() {
    const unsigned warp = grid_thread() / kWarp, warps = grid_threads() / kWarp;
    const unsigned parts = max(1u, warps / job.count);
    for (unsigned i = warp; i < job.count * parts; i += warps) {
      const unsigned search = i % job.count, part = i / job.count;
      const Vertex source = job.sources[search];
      const GraphView::Range range = job.graph.range(source);
      if (part == 0 && thread_of_warp() == 0)
        atomicOr(reinterpret_cast<unsigned*>(job.words[0]) + std::size_t{source} * kGroups * 4 +
                     search / 32,
                 1u << search % 32);
      if (range.degree > Lanes::kHugeDegree) continue;
      for (Vertex k = part * kWarp + thread_of_warp(); k < range.degree; k += parts * kWarp)
        mark_reached(job.graph.targets[range.begin + k], search / 32, 1u << search % 32);
    }
    if (job.graph.max_degree <= Lanes::kHugeDegree) return;
    for (unsigned search = blockIdx.x; search < job.count; search += gridDim.x) {
      const GraphView::Range range = job.graph.range(job.sources[search]);
      if (range.degree <= Lanes::kHugeDegree) continue;
      for (Vertex k = threadIdx.x; k < range.degree; k += kLaneThreads)
        mark_reached(job.graph.targets[range.begin + k], search / 32, 1u << search % 32);
    }
  }

  // The second level, if few arcs leave the sources' neighbours: one warp per neighbour.
  __device__ void write_second_level() {
    const unsigned warp = grid_thread() / kWarp, warps = grid_threads() / kWarp;
    const unsigned parts = max(1u, warps / job.count);
    for (unsigned i = warp; i < job.count * parts; i += warps) {
      const unsigned search = i % job.count, part = i / job.count;
      const GraphView::Range range = job.graph.range(job.sources[search]);
      for (Vertex k = part; k < range.degree; k += parts) {
        const GraphView::Range second = job.graph.range(job.graph.targets[range.begin + k]);
        for (Vertex j = thread_of_warp(); j < second.degree; j += kWarp)
          mark_reached(job.graph.targets[second.begin + j], search / 32, 1u << search % 32);
      }
    }
  }

  // Before the first `push`, copies the first set of words to the second, except at active
  // vertices: what the second set lacks is what they push.
  __device__ void fill_second() const {
    const std::size_t words = std::size_t{job.graph.order} * kGroups;
    for (std::size_t i = grid_thread(); i < words; i += grid_threads())
      job.words[1][i] =
          was_active(static_cast<Vertex>(i / kGroups)) ? uint4{0, 0, 0, 0} : job.words[0][i];
  }

  // One warp per active vertex, one thread per neighbour. Only bits that a neighbour lacks are
  // written to its next words; so the new bits of an active vertex stay the difference of its two
  // words while others push.
  __device__ void push() {
    const unsigned warp = grid_thread() / kWarp, warps = grid_threads() / kWarp;
    constexpr unsigned kWords = kGroups * 4;
    const auto* const in = reinterpret_cast<const unsigned*>(now);
    auto* const out = reinterpret_cast<unsigned*>(next());
    const Vertex bitmap_words = job.graph.order / 32 + 1;
    for (Vertex w = warp; w < bitmap_words; w += warps)
      for (unsigned waiting = active()[w]; waiting != 0; waiting &= waiting - 1) {
        const Vertex v = w * 32 + __ffs(waiting) - 1;
        const std::size_t own_word = std::size_t{v} * kWords + thread_of_warp();
        const unsigned new_bits =
                           thread_of_warp() < kWords ? in[own_word] & ~fresh(&out[own_word]) : 0,
                       filled = __ballot_sync(~0u, new_bits != 0);
        const GraphView::Range range = job.graph.range(v);
        for (Vertex k = 0; k < range.degree; k += kWarp) {
          const bool in_range = k + thread_of_warp() < range.degree;
          const Vertex u = in_range ? job.graph.targets[range.begin + k + thread_of_warp()] : v;
          bool changed = false;
          for (unsigned left = filled; left != 0; left &= left - 1) {
            const unsigned word = __ffs(left) - 1;
            unsigned bits = __shfl_sync(~0u, new_bits, word);
            bits = in_range ? bits & ~in[std::size_t{u} * kWords + word] : 0;
            if (bits != 0) bits &= ~atomicOr(&out[std::size_t{u} * kWords + word], bits);
            if (bits == 0) continue;
            add_arrivals(u, word, bits);
            changed = true;
          }
          if (changed) activate(u, job.graph.degree(u));
        }
        if (new_bits != 0) atomicOr(&out[own_word], new_bits);
      }
  }

  // The OR of the words of eight neighbours; with a filter only of those that changed. All eight
  // loads are issued before the first is used.
  template <bool kFilter>
  __device__ uint4 words_of(uint4 a, uint4 b, const unsigned* changed) const {
    const Vertex u[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    uint4 word[8];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
      word[k] = uint4{0, 0, 0, 0};
      if (!kFilter || (changed[u[k] / 32] >> u[k] % 32 & 1) != 0) word[k] = now[at(u[k])];
    }
    return ((word[0] | word[1]) | (word[2] | word[3])) |
           ((word[4] | word[5]) | (word[6] | word[7]));
  }

  // Low degrees: one thread per vertex and group, 32 vertices per warp, in chunks that warps take
  // dynamically.
  template <bool kFilter>
  __device__ void pull_short(const unsigned* changed, unsigned* next_chunk) {
    constexpr unsigned kVertices = kWarp / kGroups;
    const unsigned slot = thread_of_warp() / kGroups,
                   threads = (kGroups == kWarp ? ~0u : ((1u << kGroups) - 1)) << slot * kGroups;
    const Vertex order = job.graph.order, chunks = (order - job.ranks.wide + kWarp - 1) / kWarp;
    for (;;) {
      unsigned chunk = 0;
      if (thread_of_warp() == 0) chunk = atomicAdd(next_chunk, 1u);
      chunk = __shfl_sync(~0u, chunk, 0);
      if (chunk >= chunks) return;
      const Vertex first = job.ranks.wide + chunk * kWarp;  // a multiple of 32
      const unsigned full = job.full[first / 32];
      if (full == ~0u) continue;
      const Vertex my_vertex =
          first + thread_of_warp() < order ? job.ranks.list[first + thread_of_warp()] : 0;
      const std::uint64_t my_range = job.into.ranges[my_vertex];
      unsigned done = 0;
      typename LaneCounters<kGroups>::PendingCounts pending;
      for (unsigned round = 0; round < kGroups; ++round) {
        const unsigned vertex = round * kVertices + slot;
        const Vertex v = __shfl_sync(~0u, my_vertex, vertex);
        const GraphView::Range range = GraphView::short_range(__shfl_sync(~0u, my_range, vertex));
        bool ended = false;
        uint4 new_bits{0, 0, 0, 0};
        if ((full >> vertex & 1) == 0) {
          const uint4 own = now[at(v)], *const quads = job.into.quads(range), self{v, v, v, v};
          const Vertex count = GraphView::quad_count(range.degree);
          uint4 sum = own, a = count > 0 ? quads[0] : self, b = count > 1 ? quads[1] : self;
          for (Vertex i = 0; i < count && !(sum == all);) {
            const uint4 these = a, those = b;
            i += 2;
            a = i < count ? quads[i]
                          : self;  // loaded while the words of `these` and `those` arrive
            b = i + 1 < count ? quads[i + 1] : self;
            sum = sum | words_of<kFilter>(these, those, changed);
          }
          ended = update(v, range.degree, own, sum, threads);
          new_bits = sum - own;
        }
        if constexpr (kOutput == LaneOutput::lanes) counters.add_pending(group, new_bits, pending);
        const unsigned ends = __ballot_sync(~0u, ended && group == 0);
        done |= __ballot_sync(~0u, thread_of_warp() < kVertices &&
                                       (ends >> thread_of_warp() * kGroups & 1) != 0)
                << round * kVertices;
      }
      if constexpr (kOutput == LaneOutput::lanes) counters.add(group, pending);
      if (thread_of_warp() == 0 && done != 0) job.full[first / 32] = full | done;
    }
  }

  // High degrees: one warp per vertex.
  template <bool kFilter>
  __device__ void pull_wide(const unsigned* changed) {
    const unsigned warp = grid_thread() / kWarp, warps = grid_threads() / kWarp;
    constexpr Vertex kSlots = kWarp / kGroups;
    for (Vertex rank = job.ranks.huge + warp; rank < job.ranks.wide; rank += warps) {
      if ((fresh(&job.full[rank / 32]) >> rank % 32 & 1) != 0) continue;
      const Vertex v = job.ranks.list[rank];
      const GraphView::Range range = job.into.range(v);
      const uint4 own = now[at(v)], *const quads = job.into.quads(range), self{v, v, v, v};
      const Vertex count = GraphView::quad_count(range.degree);
      uint4 sum = own;
      for (Vertex i = thread_of_warp() / kGroups;
           !__all_sync(~0u, sum == all) && __any_sync(~0u, i < count); i += 2 * kSlots) {
        sum = sum | words_of<kFilter>(i < count ? quads[i] : self,
                                      i + kSlots < count ? quads[i + kSlots] : self, changed);
        for (unsigned step = kGroups; step < kWarp; step *= 2) sum = sum | shuffled_xor(sum, step);
      }
      bool ended = false;
      if (thread_of_warp() < kGroups) {
        ended = update(v, range.degree, own, sum, kGroups == kWarp ? ~0u : (1u << kGroups) - 1);
        if constexpr (kOutput == LaneOutput::lanes) counters.add(group, sum - own);
      }
      if (thread_of_warp() == 0 && ended) atomicOr(&job.full[rank / 32], 1u << rank % 32);
      __syncwarp();
    }
  }

  // Highest degrees: one block per vertex.
  template <bool kFilter>
  __device__ void pull_huge(const unsigned* changed, unsigned* words) {
    for (Vertex rank = blockIdx.x; rank < job.ranks.huge; rank += gridDim.x) {
      const Vertex v = job.ranks.list[rank];
      const GraphView::Range range = job.into.range(v);
      const uint4 own = now[at(v)], *const quads = job.into.quads(range), self{v, v, v, v};
      if (__syncthreads_and(own == all && both_filled && !was_active(v))) continue;
      if (threadIdx.x < kGroups * 4) words[threadIdx.x] = 0;
      __syncthreads();
      const Vertex count = GraphView::quad_count(range.degree);
      constexpr Vertex kStep = kLaneThreads / kGroups;
      uint4 partial{0, 0, 0, 0};
      for (Vertex i = threadIdx.x / kGroups; i < count; i += 2 * kStep)
        partial = partial |
                  words_of<kFilter>(quads[i], i + kStep < count ? quads[i + kStep] : self, changed);
      for (unsigned step = kGroups; step < kWarp; step *= 2)
        partial = partial | shuffled_xor(partial, step);
      if (thread_of_warp() < kGroups) add_words(words, partial);
      __syncthreads();
      if (threadIdx.x < kGroups) {
        const uint4 sum = own | uint4{words[group * 4], words[group * 4 + 1], words[group * 4 + 2],
                                      words[group * 4 + 3]};
        update(v, range.degree, own, sum, kGroups == kWarp ? ~0u : (1u << kGroups) - 1);
        if constexpr (kOutput == LaneOutput::lanes) counters.add(group, sum - own);
      }
      __syncthreads();
    }
  }

  template <bool kFilter>
  __device__ void pull(const unsigned* changed, unsigned* words, unsigned* next_chunk) {
    pull_huge<kFilter>(changed, words);
    pull_wide<kFilter>(changed);
    pull_short<kFilter>(changed, next_chunk);
  }

  // Adds the sums of this thread to those of the block.
  __device__ void add_up() {
    unsigned long long counted[3] = {
        arrivals, kOutput == LaneOutput::vertices ? arrivals : at_candidates, active_arcs};
    for (unsigned step = kWarp / 2; step > 0; step /= 2)
      for (auto& each : counted) each += __shfl_down_sync(~0u, each, step);
    if (thread_of_warp() != 0 || counted[0] == 0) return;
    atomicAdd(&report.arrivals, counted[0]);
    atomicAdd(&report.at_candidates, counted[1]);
    atomicAdd(&report.active_arcs, counted[2]);
  }
};

}  // namespace antipode::cuda
