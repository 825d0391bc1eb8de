// From the graph to its skeleton, where a search begins, and back again when it has come to an end.
#pragma once

#include "engine/cuda/layout/flags.hpp"
#include "engine/cuda/search/resident/slices.hpp"

namespace antipode::cuda {

// Where a search begins: with those of its sources that are in the skeleton; if none is, around the
// first of them, a step away. (They are a clique: what is around one that came off is as near to
// others.)
struct SliceStart {
  Vertex places[kMostStarts];
  Vertex around[Fold::kLongest];  // in the whole graph, if none is
  Vertex source;                  // the first
  unsigned count;                 // of places
  Distance level;                 // theirs

  // By one warp.
  __device__ void find(const SliceJob& job) {
    unsigned found = 0;
    const Vertex one = job.source(0);
    const auto add = [&](unsigned fold) {
      const unsigned there = __ballot_sync(~0u, (fold & Fold::kOff) == 0);
      if ((fold & Fold::kOff) == 0) places[found + __popc(there & ((1u << lane()) - 1))] = fold;
      found += __popc(there);
    };
    for (unsigned first = 0; first < job.source_count; first += kWarp)
      add(first + lane() < job.source_count ? job.unfolding.fold(job.source(first + lane()))
                                            : Fold::kOff);
    const bool is_around = found == 0;
    if (is_around) {
      const GraphView::Range row = GraphView::short_row(job.unfolding.whole.rows[one]);
      const Vertex u =
          lane() < row.degree ? job.unfolding.whole.targets[row.begin + lane()] : kNoVertex;
      if (lane() < Fold::kLongest) around[lane()] = u;
      add(u != kNoVertex ? job.unfolding.folds[u] : Fold::kOff);
    }
    if (lane() != 0) return;
    source = one;
    count = found;
    level = is_around ? 1 : 0;
  }
};

class Unfolder {
 public:
  struct Memory {
    static constexpr Distance kLevels = 64;
    Vertex counts[kLevels][kWarp];  // by lanes, so that they do not wait for each other; farther
                                    // ones are counted in the GPU's memory
    unsigned long long farthest;
    Distance reach, limit;  // of those watched
    bool is_last;           // of the blocks
  };
  __device__ Unfolder(const SliceJob& job, const SliceStart& start, Memory& memory)
      : job_(job), start_(start), memory_(memory), all_(job.unfolding) {}

  // By all blocks, before the barrier.
  __device__ void prepare() {
    for (unsigned i = threadIdx.x; i < Memory::kLevels * kWarp; i += kSliceThreads)
      memory_.counts[i / kWarp][lane()] = 0;
    if (threadIdx.x != 0) return;
    memory_.farthest = 0;
    memory_.reach = 0;
    memory_.limit = all_.watched.limit();
  }

  // After it: every vertex gets its distance, and the last block tells how far it went.
  __device__ void run() {
    unfold();
    __syncthreads();
    for (Distance d = threadIdx.x / kWarp; d < Memory::kLevels; d += kSliceWarps)
      if (const Vertex count = __reduce_add_sync(~0u, memory_.counts[d][lane()]);
          count != 0 && lane() == 0)
        atomicAdd(&all_.counts[d], count);
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicMax(&all_.meeting->farthest, memory_.farthest);
      if (memory_.reach != 0) atomicMax(&all_.meeting->reach, memory_.reach);
      __threadfence();
      memory_.is_last = atomicAdd(&all_.meeting->done, 1) == gridDim.x - 1;
      __threadfence();
    }
    __syncthreads();
    if (memory_.is_last) tell();
  }

 private:
  // Whom to ask for the distance.
  __device__ uint4 asked(unsigned fold) const {
    return (fold & Fold::kListed) != 0
               ? all_.lists[fold & Fold::kPlace]
               : uint4{fold & Fold::kPlace, kNoVertex, kNoVertex, kNoVertex};
  }
  __device__ Distance nearest(const uint4& four) const {
    const Distance x = job_.row[four.x], y = four.y != kNoVertex ? job_.row[four.y] : kUnreached,
                   z = four.z != kNoVertex ? job_.row[four.z] : kUnreached,
                   w = four.w != kNoVertex ? job_.row[four.w] : kUnreached;
    return min(min(x, y), min(z, w));
  }

  // One who came off is a step farther. Sources that did, and what else came off around them, are
  // nearer than the skeleton knows.
  __device__ Distance corrected(Vertex v, unsigned fold, Distance found) const {
    if ((fold & Fold::kOff) == 0 || found == kUnreached) return found;
    if (++found > 2) return found;
    if (v == start_.source) return 0;
    for (unsigned i = 1; i < job_.source_count; ++i)
      if (v == job_.sources[i]) return 0;
    if (start_.level == 1)
      for (const Vertex u : start_.around)
        if (u == v) return 1;
    return found;
  }

  // All lanes come.
  __device__ void count(Distance found) {
    const bool is_near = found < Memory::kLevels;
    if (is_near) atomicAdd(&memory_.counts[found][lane()], 1);
    for (unsigned left = __ballot_sync(~0u, !is_near && found != kUnreached); left != 0;) {
      const Distance here = __shfl_sync(~0u, found, __ffs(left) - 1);
      const unsigned same = __ballot_sync(~0u, found == here);
      if (lane() == 0) atomicAdd(&all_.counts[here], __popc(same));
      left &= ~same;
    }
  }

  __device__ void unfold() {
    constexpr unsigned kAtOnce = 3;
    const Vertex order = all_.whole.order, threads = gridDim.x * kSliceThreads;
    Distance deepest = 0, reach = 0;
    Vertex first = kNoVertex;  // as deep as that
    for (std::size_t begin = blockIdx.x * kSliceThreads + threadIdx.x - lane(); begin < order;
         begin += std::size_t{kAtOnce} * threads) {
      unsigned folds[kAtOnce];
      bool is_watched[kAtOnce];
      uint4 four[kAtOnce];
      Distance found[kAtOnce];
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) {
        const std::size_t v = begin + lane() + std::size_t{k} * threads;
        folds[k] = v < order ? all_.folds[v] : 0;
        is_watched[k] =
            v < order && all_.watched.flags != nullptr && (all_.watched.flags[v] & kCandidate) != 0;
      }
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) four[k] = asked(folds[k]);
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) found[k] = nearest(four[k]);
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) {
        const std::size_t v = begin + lane() + std::size_t{k} * threads;
        Distance d = corrected(static_cast<Vertex>(v), folds[k], found[k]);
        if (v >= order || d > job_.limit) d = kUnreached;
        if (v < order) all_.row[v] = d;
        if (is_watched[k] && all_.watched.upper[v] > memory_.limit) reach = max(reach, d);
        if (d != kUnreached && (first == kNoVertex || d > deepest))
          deepest = d, first = static_cast<Vertex>(v);
        count(d);
      }
    }
    const Distance most = __reduce_max_sync(~0u, deepest);
    const Vertex least = __reduce_min_sync(~0u, deepest == most ? first : kNoVertex);
    reach = __reduce_max_sync(~0u, reach);
    if (lane() != 0) return;
    if (least != kNoVertex)
      atomicMax(&memory_.farthest,
                static_cast<unsigned long long>(most) << 32 | (kNoVertex - least));
    if (reach != 0) atomicMax(&memory_.reach, reach);
  }

  __device__ void tell() {
    const unsigned long long farthest = fresh(&all_.meeting->farthest);
    const auto eccentricity = static_cast<Distance>(farthest >> 32);
    for (Distance d = threadIdx.x; d <= eccentricity; d += kSliceThreads) {
      const Vertex count = fresh(&all_.counts[d]);
      job_.level_sizes[d] = count;
      if (d < std::size(job_.answer->level_sizes)) job_.answer->level_sizes[d] = count;
      all_.counts[d] = 0;
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    job_.tell_ends({start_.source, eccentricity, kNoVertex - static_cast<Vertex>(farthest),
                    all_.watched.flags != nullptr ? fresh(&all_.meeting->reach) : kUnreached});
    *all_.meeting = {0, 0, 0};
  }

  const SliceJob& job_;
  const SliceStart& start_;
  Memory& memory_;
  const Unfolding& all_;
};

}  // namespace antipode::cuda
