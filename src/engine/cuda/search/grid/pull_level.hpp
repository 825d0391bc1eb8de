// One level of a search by many warps over bitmaps: pulled, where every vertex not reached looks
// for a neighbour that was, or scattered into bitmaps of every block. And the frontier of such a
// level on its way into the queue.
#pragma once

#include "engine/cuda/search/grid/search_level.hpp"

namespace antipode::cuda {

inline constexpr Vertex kManyMarks =
    1'000'000;  // of so many vertices the marks do not fit a block's cache

// The part of the bitmap that a block goes through at a time. Vertices are numbered within it.
struct PullMemory {
  static constexpr unsigned
      kUnit = 8,
      kUnits = 40,
      kWords =
          kUnit * kUnits;   // words of the bitmap that are one read, and belong to the same block
  unsigned words[kWords];   // who was reached
  uint4 found[kWords * 2];  // who is now: a byte each
  unsigned short lookers[kWords * 32];  // those who look at their first four neighbours; later,
                                        // those who look at all the rest
  unsigned short others[kWords * 32];   // those who must look on
  WarpCounter looker_count, other_count, far_count;
};

// A level pulled: every vertex not reached looks for a neighbour that was, and so has found one of
// the frontier. Reads the seen, and writes all of the other bitmap. Most find one among their first
// four neighbours. Others would keep their warps waiting: they look on afterwards, eight lanes
// each; and those that look at hundreds in vain have the whole block in the end. What is asked of
// the memory is asked for several vertices before the first answer is looked at.
class Pull {
 public:
  __device__ Pull(const SearchJob& job, const Marks& marks, Distance level, PullMemory& memory,
                  LevelCount& tally)
      : job_(job), marks_(marks), level_(level), memory_(memory), tally_(tally) {}

  // Where most are not reached, all are gone through.
  __device__ void run(bool by_all) {
    const unsigned units = (word_count() + PullMemory::kUnit - 1) / PullMemory::kUnit;
    for (first_ = blockIdx.x; first_ < units; first_ += PullMemory::kUnits * gridDim.x) {
      words_here_ =
          min(PullMemory::kUnits, (units - first_ + gridDim.x - 1) / gridDim.x) * PullMemory::kUnit;
      if (threadIdx.x == 0)
        for (WarpCounter* each : {&memory_.looker_count, &memory_.other_count, &memory_.far_count})
          each->clear();
      __syncthreads();
      read_words(!by_all);
      __syncthreads();
      look_first(by_all);
      __syncthreads();
      look_on();
      __syncthreads();
      look_far();
      write_words();
      __syncthreads();
    }
  }

 private:
  static constexpr unsigned kAtOnce = 2, kTeam = 8;
  static constexpr Vertex kTeamLooks =
      4 + 64 * 4 * kTeam;  // at so many a team looks before its block does

  __device__ unsigned word_count() const {
    return job_.graph.order / 32 + (job_.graph.order % 32 != 0 ? 1 : 0);
  }
  __device__ unsigned word_of(unsigned i) const {
    return (first_ + i / PullMemory::kUnit * gridDim.x) * PullMemory::kUnit + i % PullMemory::kUnit;
  }
  __device__ Vertex vertex_of(unsigned which) const {
    return word_of(which / 32) * 32 + which % 32;
  }
  __device__ bool meets(const uint4& four) const {
    return is_in(marks_.seen, four.x) | is_in(marks_.seen, four.y) | is_in(marks_.seen, four.z) |
           is_in(marks_.seen, four.w);
  }

  __device__ void enter(unsigned which, Vertex v) {
    reinterpret_cast<unsigned char*>(memory_.found)[which] = 1;
    job_.row[v] = level_;
    tally_.found(v, 0);
  }

  // Two threads a word: each has half of those who look.
  __device__ void read_words(bool lists) {
    constexpr unsigned kHalf = 16;
    for (unsigned first = threadIdx.x - lane(); first < 2 * words_here_; first += blockDim.x) {
      const unsigned part = first + lane(), i = part / 2, w = word_of(i);
      const bool mine = part < 2 * words_here_ && w < word_count();
      const unsigned seen = mine ? marks_.seen[w] : ~0u;
      if (part < 2 * words_here_) {
        memory_.found[part] = {0, 0, 0, 0};
        memory_.words[i] = seen;
      }
      if (!lists) continue;
      const unsigned there = w == job_.graph.order / 32 ? (1u << job_.graph.order % 32) - 1 : ~0u;
      unsigned open = ((~seen & there) >> kHalf * (part % 2)) & ((1u << kHalf) - 1);
      const unsigned mine_here = __popc(open), end = inclusive_sum(mine_here);
      unsigned at = memory_.looker_count.add(__shfl_sync(~0u, end, kWarp - 1)) + end - mine_here;
      for (; open != 0; open &= open - 1)
        memory_.lookers[at++] = static_cast<unsigned short>(part * kHalf + __ffs(open) - 1);
    }
  }

  __device__ void look_first(bool by_all) {
    const unsigned count = by_all ? words_here_ * 32 : memory_.looker_count.value();
    for (unsigned first = threadIdx.x; first - lane() < count; first += blockDim.x * kAtOnce) {
      unsigned which[kAtOnce];
      Vertex v[kAtOnce];
      uint4 four[kAtOnce];
      bool wants[kAtOnce], hit[kAtOnce];
      for (unsigned k = 0; k < kAtOnce; ++k) {
        const unsigned i = first + k * blockDim.x;
        which[k] = i < count ? (by_all ? i : memory_.lookers[i]) : 0;
        v[k] = vertex_of(which[k]);
        wants[k] =
            i < count &&
            (!by_all || ((memory_.words[i / 32] >> i % 32 & 1) == 0 && v[k] < job_.graph.order));
        four[k] = wants[k] ? __ldcs(&job_.into.heads[v[k]]) : uint4{0, 0, 0, 0};
      }
      if (job_.graph.order < kManyMarks) {
        for (unsigned k = 0; k < kAtOnce; ++k) hit[k] = wants[k] & meets(four[k]);
      } else {  // the first alone, which is the likeliest: every look costs
        for (unsigned k = 0; k < kAtOnce; ++k) hit[k] = wants[k] & is_in(marks_.seen, four[k].x);
        for (unsigned k = 0; k < kAtOnce; ++k)
          if (wants[k] && !hit[k])
            hit[k] = is_in(marks_.seen, four[k].y) | is_in(marks_.seen, four[k].z) |
                     is_in(marks_.seen, four[k].w);
      }
      for (unsigned k = 0; k < kAtOnce; ++k) {
        if (hit[k]) enter(which[k], v[k]);
        tally_.looked_at += wants[k] ? 4 : 0;
        wants[k] &= !hit[k] & (four[k].w != v[k]);  // and the row goes on
      }
      enlist(wants, which, memory_.others, memory_.other_count);
    }
  }

  __device__ void look_on() {
    const unsigned count = memory_.other_count.value(), teams = blockDim.x / kTeam,
                   member = threadIdx.x % kTeam;
    for (unsigned first = threadIdx.x / kTeam; first - lane() / kTeam < count;
         first += teams * kAtOnce) {
      unsigned which[kAtOnce];
      Vertex v[kAtOnce];
      GraphView::Range rows[kAtOnce];
      for (unsigned k = 0; k < kAtOnce; ++k) {
        const unsigned i = first + k * teams;
        which[k] = i < count ? memory_.others[i] : 0;
        v[k] = vertex_of(which[k]);
        rows[k] = i < count ? GraphView::short_row(job_.into.rows[v[k]]) : GraphView::Range{0, 0};
      }
      for (Vertex from = 4; from < kTeamLooks; from += 4 * kTeam) {
        uint4 four[kAtOnce];
        bool more = false;
        for (unsigned k = 0; k < kAtOnce; ++k) more |= from < rows[k].degree;
        if (!__any_sync(~0u, more)) break;
        for (unsigned k = 0; k < kAtOnce; ++k)
          four[k] = from + 4 * member < rows[k].degree ? job_.into.quads(rows[k])[from / 4 + member]
                                                       : uint4{v[k], v[k], v[k], v[k]};
        for (unsigned k = 0; k < kAtOnce; ++k) {
          const bool looks = from + 4 * member < rows[k].degree;
          const unsigned who = __ballot_sync(~0u, looks && meets(four[k]));
          tally_.looked_at += looks ? 4 : 0;
          if ((who >> (lane() - member) & ((1u << kTeam) - 1)) == 0) continue;
          if (member == 0) enter(which[k], v[k]);
          rows[k].degree = 0;
        }
      }
      bool far[kAtOnce];
      for (unsigned k = 0; k < kAtOnce; ++k) far[k] = member == 0 && rows[k].degree > kTeamLooks;
      enlist(far, which, memory_.lookers, memory_.far_count);
    }
  }

  __device__ void look_far() {
    for (unsigned i = 0; i < memory_.far_count.value(); ++i) {
      const Vertex v = vertex_of(memory_.lookers[i]);
      const GraphView::Range row = job_.into.row(v);
      bool hit = false;
      for (Vertex from = kTeamLooks; from < row.degree && !hit; from += 4 * blockDim.x) {
        const bool looks = from + 4 * threadIdx.x < row.degree;
        hit = __syncthreads_or(looks && meets(job_.into.quads(row)[from / 4 + threadIdx.x]));
        tally_.looked_at += looks ? 4 : 0;
      }
      if (hit && threadIdx.x == 0) enter(memory_.lookers[i], v);
    }
    if (memory_.far_count.value() != 0) __syncthreads();
  }

  __device__ void write_words() {
    const auto bits = [](unsigned bytes) {
      return (bytes * (1u << 24 | 1u << 17 | 1u << 10 | 1u << 3)) >> 24 & 15;
    };  // of four bytes, each 0 or 1
    for (unsigned i = threadIdx.x; i < words_here_; i += blockDim.x) {
      if (word_of(i) >= word_count()) continue;
      const uint4 a = memory_.found[2 * i], b = memory_.found[2 * i + 1];
      marks_.before[word_of(i)] = memory_.words[i] | bits(a.x) | bits(a.y) << 4 | bits(a.z) << 8 |
                                  bits(a.w) << 12 | bits(b.x) << 16 | bits(b.y) << 20 |
                                  bits(b.z) << 24 | bits(b.w) << 28;
    }
  }

  // Those who want it enter the list. All lanes of the warp must come.
  __device__ void enlist(const bool (&wants)[kAtOnce], const unsigned (&which)[kAtOnce],
                         unsigned short* list, WarpCounter& count) {
    unsigned who[kAtOnce], total = 0;
    for (unsigned k = 0; k < kAtOnce; ++k) total += __popc(who[k] = __ballot_sync(~0u, wants[k]));
    if (total == 0) return;
    unsigned at = count.add(total);
    for (unsigned k = 0; k < kAtOnce; ++k) {
      if (wants[k])
        list[at + __popc(who[k] & ((1u << lane()) - 1))] = static_cast<unsigned short>(which[k]);
      at += __popc(who[k]);
    }
  }

  const SearchJob& job_;
  const Marks& marks_;
  Distance level_;
  PullMemory& memory_;
  LevelCount& tally_;
  unsigned first_ = 0, words_here_ = 0;  // the first unit of this part, and all its words
};

// A level pushed whose arcs are so many that every block marks whom they lead to, reached or not,
// in a bitmap of its own, in shared memory: the GPU's takes a microsecond for 50,000 single writes.
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

// When all have: those who are new get their distances, and with all who were seen before enter the
// other bitmap. A warp has four quads of words, eight lanes each, which share the blocks' bitmaps.
__device__ inline void collect(const SearchJob& job, const Marks& marks, Distance level,
                               unsigned warp, unsigned warps, LevelCount& tally) {
  constexpr unsigned kQuads = 4;
  const unsigned quads = bitmap_quads(job.graph.order), which = lane() % kQuads;
  for (unsigned first = warp * kQuads; first < quads; first += warps * kQuads) {
    const bool mine = first + which < quads;
    const uint4 seen =
        mine ? reinterpret_cast<const uint4*>(marks.seen)[first + which] : uint4{0, 0, 0, 0};
    uint4 all = seen;
#pragma unroll 8
    for (unsigned b = lane() / kQuads; b < gridDim.x; b += kWarp / kQuads) {
      const uint4 its =
          mine ? job.scattered[std::size_t{quads} * b + first + which] : uint4{0, 0, 0, 0};
      all = {all.x | its.x, all.y | its.y, all.z | its.z, all.w | its.w};
    }
    for (unsigned step = kQuads; step < kWarp; step *= 2)
      all = {all.x | __shfl_xor_sync(~0u, all.x, step), all.y | __shfl_xor_sync(~0u, all.y, step),
             all.z | __shfl_xor_sync(~0u, all.z, step), all.w | __shfl_xor_sync(~0u, all.w, step)};
    if (mine && lane() < kQuads) reinterpret_cast<uint4*>(marks.before)[first + which] = all;
    const unsigned fresh[4] = {all.x & ~seen.x, all.y & ~seen.y, all.z & ~seen.z, all.w & ~seen.w};
    for (unsigned quad = 0; quad < kQuads; ++quad)
      for (unsigned k = 0; k < 4; ++k) {
        const Vertex v = ((first + quad) * 4 + k) * 32 + lane();
        if ((__shfl_sync(~0u, fresh[k], quad) >> lane() & 1) == 0) continue;
        job.row[v] = level;
        tally.found(v, 0);
      }
  }
}

// The frontier that is not there yet enters the queue: the difference of the bitmaps after a pull,
// and after marks those at its distance. Neighbouring words go to different warps: each has few to
// go through.
template <class Queue>
__device__ void queue_frontier(const SearchJob& job, const Marks& marks, bool pulled,
                               Distance level, const Queue& queue, unsigned warp, unsigned warps,
                               LevelCount& tally) {
  const std::size_t words = (std::size_t{job.graph.order} + 31) / 32;
  for (std::size_t first = warp; first < words; first += std::size_t{warps} * kWarp) {
    const std::size_t w = first + std::size_t{warps} * lane();
    const unsigned bits = w < words ? marks.seen[w] & ~(pulled ? marks.before[w] : 0) : 0;
    for (unsigned waiting = __ballot_sync(~0u, bits != 0); waiting != 0; waiting &= waiting - 1) {
      const unsigned owner = __ffs(waiting) - 1;
      const Vertex v = static_cast<Vertex>((first + std::size_t{warps} * owner) * 32 + lane());
      const bool mine =
          (__shfl_sync(~0u, bits, owner) >> lane() & 1) != 0 && (pulled || job.row[v] == level);
      const std::uint64_t packed = mine ? job.graph.rows[v] : 0;
      if (mine) tally.found(v, GraphView::short_row(packed).degree);
      append<1>(job.graph, {v}, {packed}, queue);
    }
  }
}

}  // namespace antipode::cuda
