// One level of a batch of searches: every vertex gathers its neighbours' words, or the few that
// changed push theirs.
#pragma once

#include "engine/cuda/batch/lane_counters.hpp"
#include "engine/cuda/batch/lanes.hpp"
#include "engine/cuda/layout/flags.hpp"

namespace antipode::cuda {

inline constexpr unsigned kLaneThreads = 1024;
__device__ inline unsigned grid_thread() { return blockIdx.x * kLaneThreads + threadIdx.x; }
__device__ inline unsigned grid_threads() { return gridDim.x * kLaneThreads; }

// nothing; the sums of every lane; the sums of every vertex

// What the blocks tell each other of a level. Three rotate: this level, the next, the one being
// cleared.
struct LaneLevel {
  unsigned long long arrivals, at_candidates;  // new bits, and those of them at candidates
  unsigned long long active_arcs;              // of the vertices that got any
  unsigned active_huge,
      next_chunk;  // such vertices with huge rows; chunks of vertices that warps have taken
  unsigned reached[Lanes::kMost / 32],
      outside[Lanes::kMost / 32];  // lanes that reached a candidate, or one outside the ball
};

// Results, one for each lane.
struct LaneControl {
  LaneLevel levels[3];
  FarthestDistance reaches[Lanes::kMost];
  unsigned long long counts[Lanes::kMost], sums[Lanes::kMost];
};

struct LaneJob {
  GraphView graph, into;  // rows that leave, for pushes, and rows that enter, for pulls
  uint4* words[2];  // the first levels read and write the first set, the others read one and write
                    // the other; a vertex has kGroups of them
  unsigned* active[3];  // bitmaps: who got new bits in the last level, in this one, and the one
                        // being cleared
  unsigned* full;       // a bit a rank: all lanes, in both sets of words
  LaneRanks ranks;
  LaneControl* control;
  FarthestRequest request;
  VertexAccount account;
  Arrivals arrivals;
  const Vertex* sources;
  unsigned count;   // of sources
  bool may_filter;  // a bitmap fits the block's shared memory
};

// The level as a thread sees it.
template <unsigned kGroups, LaneOutput kOutput>
struct Level {
  const LaneJob& job;
  const Distance& level;  // in shared memory, as all that is referred to here: registers are for
                          // the words on their way
  const uint4* now;       // words
  LaneLevel& report;      // of the block
  LaneCounters<kGroups> counters;
  const uint4& all;  // the lanes in use of this thread's group
  const bool& both;  // both sets of words hold something; else all of the second is written
  unsigned group;    // of this thread, where a thread has one

  // Counted by this thread.
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
      job.request.lower[v] = level;  // whoever else writes, writes the same
  }

  // The vertex has changed; others may say so, too.
  __device__ void activate(Vertex v, Vertex degree) {
    if ((atomicOr(&active_next()[v / 32], 1u << v % 32) >> v % 32 & 1) == 0) count_active(degree);
  }
  __device__ void count_active(Vertex degree) {
    active_arcs += min(degree, Lanes::kHugeRow);  // a hint; more would not change it
    if (degree > Lanes::kHugeRow) atomicAdd(&report.active_huge, 1u);
  }

  // New lanes at a vertex, in this thread's group.
  __device__ void arrive(Vertex v, uint4 fresh) {
    const unsigned bits = count(fresh);
    arrivals += bits;
    if constexpr (kOutput == LaneOutput::vertices) return;  // all are candidates
    const unsigned char flags = flags_of(v);
    if ((flags & kCandidate) != 0) {
      at_candidates += bits;
      add_words(report.reached, fresh);
    }
    if ((flags & kOutside) != 0) add_words(report.outside, fresh);
    raise_lower(v);
  }

  // New lanes at a vertex, in one 32-bit word; several threads may bring some to the same vertex.
  __device__ void arrive(Vertex v, unsigned word, unsigned bits) {
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
      const VertexAccount& account = job.account;
      const unsigned lanes = __popc(bits);
      if (level < VertexAccount::kNear) {
        atomicAdd(&account.near[std::size_t{level} * job.graph.order + v], lanes);
      } else {
        atomicAdd(&account.sums[v], static_cast<unsigned long long>(level) * lanes);
        atomicAdd(&account.inverse_sums[v], inverse_of(level, account.unit) * lanes);
        atomicAdd(&account.counts[v], lanes);
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

  // A vertex has gathered `sum`: writes what is new, and tells. The lanes of `team` have the
  // vertex's groups, and nobody else has it, so that nothing need be waited for. Returns whether
  // the vertex is done for good: all lanes are there, and nothing was new.
  __device__ bool settle(Vertex v, Vertex degree, uint4 own, uint4 sum, unsigned team) {
    const uint4 fresh = sum - own;
    const bool is_new = any(fresh), vertex_is_new = __any_sync(team, is_new);
    if (vertex_is_new || !both || was_active(v))
      next()[at(v)] = sum;  // what came in the last level is missing in these words
    if (is_new) arrive(v, fresh);
    if constexpr (kOutput == LaneOutput::vertices) {
      if (vertex_is_new) {
        unsigned bits = count(fresh);
        for (unsigned step = 1; step < kGroups; step *= 2)
          bits += __shfl_xor_sync(team, bits, step);
        if (group == 0 && level < VertexAccount::kNear)
          atomicAdd(&job.account.near[std::size_t{level} * job.graph.order + v], bits);
        if (group == 0 && level >= VertexAccount::kNear) job.account.add(v, level, bits);
      }
    }
    if (vertex_is_new && group == 0) {
      atomicOr(&active_next()[v / 32], 1u << v % 32);
      count_active(degree);
    }
    return __all_sync(team, sum == all) && !vertex_is_new;
  }

  // A lane of the batch comes to a vertex by one of the first two levels, which leave no other
  // trace than this. (Not to its source: no vertex is its own neighbour.)
  __device__ void come(Vertex v, unsigned word, unsigned bit) {
    if ((atomicOr(reinterpret_cast<unsigned*>(job.words[0]) + std::size_t{v} * kGroups * 4 + word,
                  bit) &
         bit) != 0)
      return;
    arrive(v, word, bit);
    atomicOr(&active_next()[v / 32], 1u << v % 32);
    count_active(job.graph.degree(v));  // once for every lane: each follows these arcs by itself
  }

  // The first level: a source and some of its neighbours a warp; a block for all neighbours of a
  // hub.
  __device__ void from_sources() {
    const unsigned warp = grid_thread() / kWarp, warps = grid_threads() / kWarp;
    const unsigned shares = max(1u, warps / job.count);
    for (unsigned i = warp; i < job.count * shares; i += warps) {
      const unsigned which = i % job.count, share = i / job.count;
      const Vertex source = job.sources[which];
      const GraphView::Range row = job.graph.range(source);
      if (share == 0 && lane() == 0)
        atomicOr(reinterpret_cast<unsigned*>(job.words[0]) + std::size_t{source} * kGroups * 4 +
                     which / 32,
                 1u << which % 32);
      if (row.degree > Lanes::kHugeRow) continue;
      for (Vertex k = share * kWarp + lane(); k < row.degree; k += shares * kWarp)
        come(job.graph.targets[row.begin + k], which / 32, 1u << which % 32);
    }
    if (job.graph.max_degree <= Lanes::kHugeRow) return;
    for (unsigned which = blockIdx.x; which < job.count; which += gridDim.x) {
      const GraphView::Range row = job.graph.range(job.sources[which]);
      if (row.degree <= Lanes::kHugeRow) continue;
      for (Vertex k = threadIdx.x; k < row.degree; k += kLaneThreads)
        come(job.graph.targets[row.begin + k], which / 32, 1u << which % 32);
    }
  }

  // The second level, where few arcs leave the neighbours of the sources: a neighbour a warp.
  __device__ void from_neighbours() {
    const unsigned warp = grid_thread() / kWarp, warps = grid_threads() / kWarp;
    const unsigned shares = max(1u, warps / job.count);
    for (unsigned i = warp; i < job.count * shares; i += warps) {
      const unsigned which = i % job.count, share = i / job.count;
      const GraphView::Range row = job.graph.range(job.sources[which]);
      for (Vertex k = share; k < row.degree; k += shares) {
        const GraphView::Range its = job.graph.range(job.graph.targets[row.begin + k]);
        for (Vertex j = lane(); j < its.degree; j += kWarp)
          come(job.graph.targets[its.begin + j], which / 32, 1u << which % 32);
      }
    }
  }

  // Before the first push of the usual kind: the second set of words is told what the first says,
  // except of those that push, whose news are what is missing.
  __device__ void fill_second() const {
    const std::size_t words = std::size_t{job.graph.order} * kGroups;
    for (std::size_t i = grid_thread(); i < words; i += grid_threads())
      job.words[1][i] =
          was_active(static_cast<Vertex>(i / kGroups)) ? uint4{0, 0, 0, 0} : job.words[0][i];
  }

  // A warp an active vertex, a lane a neighbour. Only bits that a neighbour did not have enter its
  // new words, so that what is new at an active vertex can be read from its two words all the time.
  __device__ void push() {
    const unsigned warp = grid_thread() / kWarp, warps = grid_threads() / kWarp;
    constexpr unsigned kWords = kGroups * 4;
    const auto* const in = reinterpret_cast<const unsigned*>(now);
    auto* const out = reinterpret_cast<unsigned*>(next());
    const Vertex bitmap_words = job.graph.order / 32 + 1;
    for (Vertex w = warp; w < bitmap_words; w += warps)
      for (unsigned waiting = active()[w]; waiting != 0; waiting &= waiting - 1) {
        const Vertex v = w * 32 + __ffs(waiting) - 1;
        const std::size_t mine = std::size_t{v} * kWords + lane();
        const unsigned news = lane() < kWords ? in[mine] & ~fresh(&out[mine]) : 0,
                       filled = __ballot_sync(~0u, news != 0);
        const GraphView::Range row = job.graph.range(v);
        for (Vertex k = 0; k < row.degree; k += kWarp) {
          const bool here = k + lane() < row.degree;
          const Vertex u = here ? job.graph.targets[row.begin + k + lane()] : v;
          bool changed = false;
          for (unsigned left = filled; left != 0; left &= left - 1) {
            const unsigned word = __ffs(left) - 1;
            unsigned bits = __shfl_sync(~0u, news, word);
            bits = here ? bits & ~in[std::size_t{u} * kWords + word] : 0;
            if (bits != 0) bits &= ~atomicOr(&out[std::size_t{u} * kWords + word], bits);
            if (bits == 0) continue;
            arrive(u, word, bits);
            changed = true;
          }
          if (changed) activate(u, job.graph.degree(u));
        }
        if (news != 0) atomicOr(&out[mine], news);
      }
  }

  // The words of eight neighbours, two reads of four columns; with a filter only of those that have
  // changed. All are on their way before the first is looked at.
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

  // Short rows: a thread for every group of a vertex, 32 vertices a warp, taken as warps get free.
  template <bool kFilter>
  __device__ void pull_short(const unsigned* changed, unsigned* next_chunk) {
    constexpr unsigned kAtOnce = kWarp / kGroups;
    const unsigned slot = lane() / kGroups, team = (kGroups == kWarp ? ~0u : ((1u << kGroups) - 1))
                                                   << slot * kGroups;
    const Vertex order = job.graph.order, chunks = (order - job.ranks.wide + kWarp - 1) / kWarp;
    for (;;) {
      unsigned chunk = 0;
      if (lane() == 0) chunk = atomicAdd(next_chunk, 1u);
      chunk = __shfl_sync(~0u, chunk, 0);
      if (chunk >= chunks) return;
      const Vertex first = job.ranks.wide + chunk * kWarp;  // a multiple of 32
      const unsigned full = job.full[first / 32];
      if (full == ~0u) continue;
      const Vertex mine = first + lane() < order ? job.ranks.list[first + lane()] : 0;
      const std::uint64_t my_row = job.into.ranges[mine];
      unsigned done = 0;
      typename LaneCounters<kGroups>::Kept kept;
      for (unsigned round = 0; round < kGroups; ++round) {
        const unsigned which = round * kAtOnce + slot;
        const Vertex v = __shfl_sync(~0u, mine, which);
        const GraphView::Range row = GraphView::short_range(__shfl_sync(~0u, my_row, which));
        bool ended = false;
        uint4 come{0, 0, 0, 0};
        if ((full >> which & 1) == 0) {
          const uint4 own = now[at(v)], *const columns = job.into.quads(row), self{v, v, v, v};
          const Vertex count = GraphView::quad_count(row.degree);
          uint4 sum = own, a = count > 0 ? columns[0] : self, b = count > 1 ? columns[1] : self;
          for (Vertex i = 0; i < count && !(sum == all);) {
            const uint4 these = a, those = b;
            i += 2;
            a = i < count ? columns[i]
                          : self;  // already on their way while the words are waited for
            b = i + 1 < count ? columns[i + 1] : self;
            sum = sum | words_of<kFilter>(these, those, changed);
          }
          ended = settle(v, row.degree, own, sum, team);
          come = sum - own;
        }
        if constexpr (kOutput == LaneOutput::lanes) counters.keep(group, come, kept);
        const unsigned ends = __ballot_sync(~0u, ended && group == 0);
        done |= __ballot_sync(~0u, lane() < kAtOnce && (ends >> lane() * kGroups & 1) != 0)
                << round * kAtOnce;
      }
      if constexpr (kOutput == LaneOutput::lanes) counters.add(group, kept);
      if (lane() == 0 && done != 0) job.full[first / 32] = full | done;
    }
  }

  // Wide rows: a warp a vertex, whose lanes share the row.
  template <bool kFilter>
  __device__ void pull_wide(const unsigned* changed) {
    const unsigned warp = grid_thread() / kWarp, warps = grid_threads() / kWarp;
    constexpr Vertex kSlots = kWarp / kGroups;
    for (Vertex rank = job.ranks.huge + warp; rank < job.ranks.wide; rank += warps) {
      if ((fresh(&job.full[rank / 32]) >> rank % 32 & 1) != 0) continue;
      const Vertex v = job.ranks.list[rank];
      const GraphView::Range row = job.into.range(v);
      const uint4 own = now[at(v)], *const columns = job.into.quads(row), self{v, v, v, v};
      const Vertex count = GraphView::quad_count(row.degree);
      uint4 sum = own;
      for (Vertex i = lane() / kGroups; !__all_sync(~0u, sum == all) && __any_sync(~0u, i < count);
           i += 2 * kSlots) {
        sum = sum | words_of<kFilter>(i < count ? columns[i] : self,
                                      i + kSlots < count ? columns[i + kSlots] : self, changed);
        for (unsigned step = kGroups; step < kWarp; step *= 2) sum = sum | shuffled_xor(sum, step);
      }
      bool ended = false;
      if (lane() < kGroups) {
        ended = settle(v, row.degree, own, sum, kGroups == kWarp ? ~0u : (1u << kGroups) - 1);
        if constexpr (kOutput == LaneOutput::lanes) counters.add(group, sum - own);
      }
      if (lane() == 0 && ended) atomicOr(&job.full[rank / 32], 1u << rank % 32);
      __syncwarp();
    }
  }

  // Huge rows: a block a vertex.
  template <bool kFilter>
  __device__ void pull_huge(const unsigned* changed, unsigned* words) {
    for (Vertex rank = blockIdx.x; rank < job.ranks.huge; rank += gridDim.x) {
      const Vertex v = job.ranks.list[rank];
      const GraphView::Range row = job.into.range(v);
      const uint4 own = now[at(v)], *const columns = job.into.quads(row), self{v, v, v, v};
      if (__syncthreads_and(own == all && both && !was_active(v))) continue;
      if (threadIdx.x < kGroups * 4) words[threadIdx.x] = 0;
      __syncthreads();
      const Vertex count = GraphView::quad_count(row.degree);
      constexpr Vertex kStep = kLaneThreads / kGroups;
      uint4 part{0, 0, 0, 0};
      for (Vertex i = threadIdx.x / kGroups; i < count; i += 2 * kStep)
        part = part | words_of<kFilter>(columns[i], i + kStep < count ? columns[i + kStep] : self,
                                        changed);
      for (unsigned step = kGroups; step < kWarp; step *= 2) part = part | shuffled_xor(part, step);
      if (lane() < kGroups) add_words(words, part);
      __syncthreads();
      if (threadIdx.x < kGroups) {
        const uint4 sum = own | uint4{words[group * 4], words[group * 4 + 1], words[group * 4 + 2],
                                      words[group * 4 + 3]};
        settle(v, row.degree, own, sum, kGroups == kWarp ? ~0u : (1u << kGroups) - 1);
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

  // What this thread has counted goes to the block's report.
  __device__ void add_up() {
    unsigned long long counted[3] = {
        arrivals, kOutput == LaneOutput::vertices ? arrivals : at_candidates, active_arcs};
    for (unsigned step = kWarp / 2; step > 0; step /= 2)
      for (auto& each : counted) each += __shfl_down_sync(~0u, each, step);
    if (lane() != 0 || counted[0] == 0) return;
    atomicAdd(&report.arrivals, counted[0]);
    atomicAdd(&report.at_candidates, counted[1]);
    atomicAdd(&report.active_arcs, counted[2]);
  }
};

}  // namespace antipode::cuda
