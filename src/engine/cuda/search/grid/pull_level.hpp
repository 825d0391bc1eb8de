// One pulled level of a search by the whole GPU, over bitmaps: every unreached vertex looks for a
// reached neighbour (bottom-up) [Beamer, Asanović & Patterson 2012]. Memory: two bits per vertex.
#pragma once

#include "engine/cuda/search/grid/search_level.hpp"

namespace antipode::cuda {

inline constexpr Vertex kManyMarks =
    1'000'000;  // the bitmap of so many vertices does not fit the L1 cache

// The part of the bitmap that a block processes at a time. Vertices are numbered within it.
struct PullMemory {
  // The words of a unit are one read, and belong to the same block.
  static constexpr unsigned kUnit = 8, kUnits = 40, kWords = kUnit * kUnits;
  unsigned words[kWords];   // reached before this level
  uint4 found[kWords * 2];  // found in this level: one byte per vertex
  // Vertices that test their first four neighbours; later, those left to the whole block.
  unsigned short pending[kWords * 32];
  unsigned short unresolved[kWords * 32];  // vertices that test further neighbours
  WarpCounter pending_count, unresolved_count, remaining_count;
};

// One pulled level: every unreached vertex looks for a reached neighbour, which must be in the
// frontier. Reads marks.seen and writes all of marks.before; they are swapped afterwards. Most
// vertices find a neighbour among their first four. The others would keep their warps waiting: they
// are listed, and continue with eight threads each, and after kTeamArcs neighbours with the whole
// block. Each thread has loads for several vertices in flight.
class Pull {
 public:
  __device__ Pull(const SearchJob& job, const Marks& marks, Distance level, PullMemory& memory,
                  LevelCount& tally)
      : job_(job), marks_(marks), level_(level), memory_(memory), tally_(tally) {}

  // If most vertices are unreached (by_all), all are processed without a list.
  __device__ void run(bool by_all) {
    const unsigned units = (word_count() + PullMemory::kUnit - 1) / PullMemory::kUnit;
    for (first_unit_ = blockIdx.x; first_unit_ < units;
         first_unit_ += PullMemory::kUnits * gridDim.x) {
      words_ = min(PullMemory::kUnits, (units - first_unit_ + gridDim.x - 1) / gridDim.x) *
               PullMemory::kUnit;
      if (threadIdx.x == 0)
        for (WarpCounter* each :
             {&memory_.pending_count, &memory_.unresolved_count, &memory_.remaining_count})
          each->clear();
      __syncthreads();
      read_words(!by_all);
      __syncthreads();
      test_first_four(by_all);
      __syncthreads();
      test_by_teams();
      __syncthreads();
      test_by_block();
      write_words();
      __syncthreads();
    }
  }

 private:
  static constexpr unsigned kInFlight = 2, kTeam = 8;
  static constexpr Vertex kTeamArcs =
      4 + 64 * 4 * kTeam;  // neighbours that a team tests before its block does

  __device__ unsigned word_count() const {
    return job_.graph.order / 32 + (job_.graph.order % 32 != 0 ? 1 : 0);
  }
  __device__ unsigned word_of(unsigned i) const {
    return (first_unit_ + i / PullMemory::kUnit * gridDim.x) * PullMemory::kUnit +
           i % PullMemory::kUnit;
  }
  __device__ Vertex vertex_of(unsigned which) const {
    return word_of(which / 32) * 32 + which % 32;
  }
  __device__ bool meets(const uint4& four) const {
    return is_in(marks_.seen, four.x) | is_in(marks_.seen, four.y) | is_in(marks_.seen, four.z) |
           is_in(marks_.seen, four.w);
  }

  __device__ void mark_found(unsigned which, Vertex v) {
    reinterpret_cast<unsigned char*>(memory_.found)[which] = 1;
    job_.distances[v] = level_;
    tally_.found(v, 0);
  }

  // Two threads per word, one for each half.
  __device__ void read_words(bool builds_list) {
    constexpr unsigned kHalf = 16;
    for (unsigned first = threadIdx.x - thread_of_warp(); first < 2 * words_; first += blockDim.x) {
      const unsigned half_word = first + thread_of_warp(), i = half_word / 2, w = word_of(i);
      const bool mine = half_word < 2 * words_ && w < word_count();
      const unsigned seen = mine ? marks_.seen[w] : ~0u;
      if (half_word < 2 * words_) {
        memory_.found[half_word] = {0, 0, 0, 0};
        memory_.words[i] = seen;
      }
      if (!builds_list) continue;
      const unsigned valid = w == job_.graph.order / 32 ? (1u << job_.graph.order % 32) - 1 : ~0u;
      unsigned open = ((~seen & valid) >> kHalf * (half_word % 2)) & ((1u << kHalf) - 1);
      const unsigned own_count = __popc(open), end = inclusive_sum(own_count);
      unsigned at = memory_.pending_count.add(__shfl_sync(~0u, end, kWarp - 1)) + end - own_count;
      for (; open != 0; open &= open - 1)
        memory_.pending[at++] = static_cast<unsigned short>(half_word * kHalf + __ffs(open) - 1);
    }
  }

  __device__ void test_first_four(bool by_all) {
    const unsigned count = by_all ? words_ * 32 : memory_.pending_count.value();
    for (unsigned first = threadIdx.x; first - thread_of_warp() < count;
         first += blockDim.x * kInFlight) {
      unsigned which[kInFlight];
      Vertex v[kInFlight];
      uint4 four[kInFlight];
      bool is_open[kInFlight], hit[kInFlight];
      for (unsigned k = 0; k < kInFlight; ++k) {
        const unsigned i = first + k * blockDim.x;
        which[k] = i < count ? (by_all ? i : memory_.pending[i]) : 0;
        v[k] = vertex_of(which[k]);
        is_open[k] =
            i < count &&
            (!by_all || ((memory_.words[i / 32] >> i % 32 & 1) == 0 && v[k] < job_.graph.order));
        four[k] = is_open[k] ? __ldcs(&job_.into.heads[v[k]]) : uint4{0, 0, 0, 0};
      }
      if (job_.graph.order < kManyMarks) {
        for (unsigned k = 0; k < kInFlight; ++k) hit[k] = is_open[k] & meets(four[k]);
      } else {  // first the likeliest neighbour alone: every test costs
        for (unsigned k = 0; k < kInFlight; ++k)
          hit[k] = is_open[k] & is_in(marks_.seen, four[k].x);
        for (unsigned k = 0; k < kInFlight; ++k)
          if (is_open[k] && !hit[k])
            hit[k] = is_in(marks_.seen, four[k].y) | is_in(marks_.seen, four[k].z) |
                     is_in(marks_.seen, four[k].w);
      }
      for (unsigned k = 0; k < kInFlight; ++k) {
        if (hit[k]) mark_found(which[k], v[k]);
        tally_.arcs_read += is_open[k] ? 4 : 0;
        is_open[k] &= !hit[k] & (four[k].w != v[k]);  // no padding yet: there are more neighbours
      }
      append_to(is_open, which, memory_.unresolved, memory_.unresolved_count);
    }
  }

  __device__ void test_by_teams() {
    const unsigned count = memory_.unresolved_count.value(), teams = blockDim.x / kTeam,
                   member = threadIdx.x % kTeam;
    for (unsigned first = threadIdx.x / kTeam; first - thread_of_warp() / kTeam < count;
         first += teams * kInFlight) {
      unsigned which[kInFlight];
      Vertex v[kInFlight];
      GraphView::Range ranges[kInFlight];
      for (unsigned k = 0; k < kInFlight; ++k) {
        const unsigned i = first + k * teams;
        which[k] = i < count ? memory_.unresolved[i] : 0;
        v[k] = vertex_of(which[k]);
        ranges[k] =
            i < count ? GraphView::short_range(job_.into.ranges[v[k]]) : GraphView::Range{0, 0};
      }
      for (Vertex from = 4; from < kTeamArcs; from += 4 * kTeam) {
        uint4 four[kInFlight];
        bool more = false;
        for (unsigned k = 0; k < kInFlight; ++k) more |= from < ranges[k].degree;
        if (!__any_sync(~0u, more)) break;
        for (unsigned k = 0; k < kInFlight; ++k)
          four[k] = from + 4 * member < ranges[k].degree
                        ? job_.into.quads(ranges[k])[from / 4 + member]
                        : uint4{v[k], v[k], v[k], v[k]};
        for (unsigned k = 0; k < kInFlight; ++k) {
          const bool has_quad = from + 4 * member < ranges[k].degree;
          const unsigned hits = __ballot_sync(~0u, has_quad && meets(four[k]));
          tally_.arcs_read += has_quad ? 4 : 0;
          if ((hits >> (thread_of_warp() - member) & ((1u << kTeam) - 1)) == 0) continue;
          if (member == 0) mark_found(which[k], v[k]);
          ranges[k].degree = 0;
        }
      }
      bool remains[kInFlight];
      for (unsigned k = 0; k < kInFlight; ++k)
        remains[k] = member == 0 && ranges[k].degree > kTeamArcs;
      append_to(remains, which, memory_.pending, memory_.remaining_count);
    }
  }

  __device__ void test_by_block() {
    for (unsigned i = 0; i < memory_.remaining_count.value(); ++i) {
      const Vertex v = vertex_of(memory_.pending[i]);
      const GraphView::Range range = job_.into.range(v);
      bool hit = false;
      for (Vertex from = kTeamArcs; from < range.degree && !hit; from += 4 * blockDim.x) {
        const bool has_quad = from + 4 * threadIdx.x < range.degree;
        hit = __syncthreads_or(has_quad && meets(job_.into.quads(range)[from / 4 + threadIdx.x]));
        tally_.arcs_read += has_quad ? 4 : 0;
      }
      if (hit && threadIdx.x == 0) mark_found(memory_.pending[i], v);
    }
    if (memory_.remaining_count.value() != 0) __syncthreads();
  }

  __device__ void write_words() {
    // Packs the lowest bits of four bytes.
    const auto bits = [](unsigned bytes) {
      return (bytes * (1u << 24 | 1u << 17 | 1u << 10 | 1u << 3)) >> 24 & 15;
    };
    for (unsigned i = threadIdx.x; i < words_; i += blockDim.x) {
      if (word_of(i) >= word_count()) continue;
      const uint4 a = memory_.found[2 * i], b = memory_.found[2 * i + 1];
      marks_.before[word_of(i)] = memory_.words[i] | bits(a.x) | bits(a.y) << 4 | bits(a.z) << 8 |
                                  bits(a.w) << 12 | bits(b.x) << 16 | bits(b.y) << 20 |
                                  bits(b.z) << 24 | bits(b.w) << 28;
    }
  }

  // Appends the chosen vertices to the list. All threads of the warp must call it.
  __device__ void append_to(const bool (&chosen)[kInFlight], const unsigned (&which)[kInFlight],
                            unsigned short* list, WarpCounter& count) {
    unsigned ballots[kInFlight], total = 0;
    for (unsigned k = 0; k < kInFlight; ++k)
      total += __popc(ballots[k] = __ballot_sync(~0u, chosen[k]));
    if (total == 0) return;
    unsigned at = count.add(total);
    for (unsigned k = 0; k < kInFlight; ++k) {
      if (chosen[k])
        list[at + __popc(ballots[k] & ((1u << thread_of_warp()) - 1))] =
            static_cast<unsigned short>(which[k]);
      at += __popc(ballots[k]);
    }
  }

  const SearchJob& job_;
  const Marks& marks_;
  Distance level_;
  PullMemory& memory_;
  LevelCount& tally_;
  unsigned first_unit_ = 0, words_ = 0;  // first unit and number of words of the present part
};

}  // namespace antipode::cuda
