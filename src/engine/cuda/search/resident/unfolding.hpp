// Maps a search from the graph to its skeleton at its start, and the distances back at its end. A
// removed (simplicial) vertex is one step farther than its nearest remaining neighbour.
#pragma once

#include "engine/cuda/layout/flags.hpp"
#include "engine/cuda/search/resident/slices.hpp"

namespace antipode::cuda {

// Where a search in the skeleton begins: with the sources that it contains. If it contains none,
// with the neighbours of the first source, at distance one. (The sources are a clique: the
// remaining neighbours of one removed vertex serve for all.)
struct SliceStart {
  Vertex places[kMostStarts];
  Vertex around[Fold::kMostDegree];  // neighbours in the whole graph, if no source remains
  Vertex source;                     // the first
  unsigned count;
  Distance level;  // distance of the places

  // By one warp.
  __device__ void find(const SliceJob& job) {
    unsigned found = 0;
    const Vertex one = job.source(0);
    const auto add = [&](unsigned fold) {
      const unsigned present = __ballot_sync(~0u, (fold & Fold::kRemoved) == 0);
      if ((fold & Fold::kRemoved) == 0)
        places[found + __popc(present & ((1u << thread_of_warp()) - 1))] = fold;
      found += __popc(present);
    };
    for (unsigned first = 0; first < job.source_count; first += kWarp)
      add(first + thread_of_warp() < job.source_count
              ? job.unfolding.fold(job.source(first + thread_of_warp()))
              : Fold::kRemoved);
    const bool is_around = found == 0;
    if (is_around) {
      const GraphView::Range range = GraphView::short_range(job.unfolding.whole.ranges[one]);
      const Vertex u = thread_of_warp() < range.degree
                           ? job.unfolding.whole.targets[range.begin + thread_of_warp()]
                           : kNoVertex;
      if (thread_of_warp() < Fold::kMostDegree) around[thread_of_warp()] = u;
      add(u != kNoVertex ? job.unfolding.folds[u] : Fold::kRemoved);
    }
    if (thread_of_warp() != 0) return;
    source = one;
    count = found;
    level = is_around ? 1 : 0;
  }
};

class Unfolder {
 public:
  struct Memory {
    static constexpr Distance kLevels = 64;
    // Per thread of a warp, to avoid conflicts; larger distances are counted in GPU memory.
    Vertex counts[kLevels][kWarp];
    unsigned long long farthest;
    Distance reach, limit;  // of probed candidates
    bool is_last;           // this block is the last to finish
  };
  __device__ Unfolder(const SliceJob& job, const SliceStart& start, Memory& memory)
      : job_(job), start_(start), memory_(memory), all_(job.unfolding) {}

  // By all blocks, before the grid barrier.
  __device__ void prepare() {
    for (unsigned i = threadIdx.x; i < Memory::kLevels * kWarp; i += kSliceThreads)
      memory_.counts[i / kWarp][thread_of_warp()] = 0;
    if (threadIdx.x != 0) return;
    memory_.farthest = 0;
    memory_.reach = 0;
    memory_.limit = all_.probe.limit();
  }

  // After the barrier: writes every vertex's distance; the last block writes the answer.
  __device__ void run() {
    unfold();
    __syncthreads();
    for (Distance d = threadIdx.x / kWarp; d < Memory::kLevels; d += kSliceWarps)
      if (const Vertex count = __reduce_add_sync(~0u, memory_.counts[d][thread_of_warp()]);
          count != 0 && thread_of_warp() == 0)
        atomicAdd(&all_.counts[d], count);
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicMax(&all_.totals->farthest, memory_.farthest);
      if (memory_.reach != 0) atomicMax(&all_.totals->reach, memory_.reach);
      __threadfence();
      memory_.is_last = atomicAdd(&all_.totals->done, 1) == gridDim.x - 1;
      __threadfence();
    }
    __syncthreads();
    if (memory_.is_last) write_answer();
  }

 private:
  // The remaining vertices that determine the distance.
  __device__ uint4 anchors_of(unsigned fold) const {
    return (fold & Fold::kListed) != 0
               ? all_.lists[fold & Fold::kPlace]
               : uint4{fold & Fold::kPlace, kNoVertex, kNoVertex, kNoVertex};
  }
  __device__ Distance nearest(const uint4& four) const {
    const Distance x = job_.distances[four.x],
                   y = four.y != kNoVertex ? job_.distances[four.y] : kUnreached,
                   z = four.z != kNoVertex ? job_.distances[four.z] : kUnreached,
                   w = four.w != kNoVertex ? job_.distances[four.w] : kUnreached;
    return min(min(x, y), min(z, w));
  }

  // A removed vertex is one step farther. Removed sources, and removed neighbours of the first, are
  // nearer than the skeleton shows.
  __device__ Distance corrected(Vertex v, unsigned fold, Distance found) const {
    if ((fold & Fold::kRemoved) == 0 || found == kUnreached) return found;
    if (++found > 2) return found;
    if (v == start_.source) return 0;
    for (unsigned i = 1; i < job_.source_count; ++i)
      if (v == job_.sources[i]) return 0;
    if (start_.level == 1)
      for (const Vertex u : start_.around)
        if (u == v) return 1;
    return found;
  }

  // All threads of the warp must call it.
  __device__ void count(Distance found) {
    const bool is_near = found < Memory::kLevels;
    if (is_near) atomicAdd(&memory_.counts[found][thread_of_warp()], 1);
    for (unsigned left = __ballot_sync(~0u, !is_near && found != kUnreached); left != 0;) {
      const Distance distance = __shfl_sync(~0u, found, __ffs(left) - 1);
      const unsigned same = __ballot_sync(~0u, found == distance);
      if (thread_of_warp() == 0) atomicAdd(&all_.counts[distance], __popc(same));
      left &= ~same;
    }
  }

  __device__ void unfold() {
    constexpr unsigned kInFlight = 3;
    const Vertex order = all_.whole.order, threads = gridDim.x * kSliceThreads;
    Distance deepest = 0, reach = 0;
    Vertex first = kNoVertex;  // the first vertex at distance `deepest`
    for (std::size_t begin = blockIdx.x * kSliceThreads + threadIdx.x - thread_of_warp();
         begin < order; begin += std::size_t{kInFlight} * threads) {
      unsigned folds[kInFlight];
      bool is_probed[kInFlight];
      uint4 four[kInFlight];
      Distance found[kInFlight];
#pragma unroll
      for (unsigned k = 0; k < kInFlight; ++k) {
        const std::size_t v = begin + thread_of_warp() + std::size_t{k} * threads;
        folds[k] = v < order ? all_.folds[v] : 0;
        is_probed[k] =
            v < order && all_.probe.flags != nullptr && (all_.probe.flags[v] & kCandidate) != 0;
      }
#pragma unroll
      for (unsigned k = 0; k < kInFlight; ++k) four[k] = anchors_of(folds[k]);
#pragma unroll
      for (unsigned k = 0; k < kInFlight; ++k) found[k] = nearest(four[k]);
#pragma unroll
      for (unsigned k = 0; k < kInFlight; ++k) {
        const std::size_t v = begin + thread_of_warp() + std::size_t{k} * threads;
        Distance d = corrected(static_cast<Vertex>(v), folds[k], found[k]);
        if (v >= order || d > job_.limit) d = kUnreached;
        if (v < order) all_.distances[v] = d;
        if (is_probed[k] && all_.probe.upper[v] > memory_.limit) reach = max(reach, d);
        if (d != kUnreached && (first == kNoVertex || d > deepest))
          deepest = d, first = static_cast<Vertex>(v);
        count(d);
      }
    }
    const Distance most = __reduce_max_sync(~0u, deepest);
    const Vertex least = __reduce_min_sync(~0u, deepest == most ? first : kNoVertex);
    reach = __reduce_max_sync(~0u, reach);
    if (thread_of_warp() != 0) return;
    if (least != kNoVertex)
      atomicMax(&memory_.farthest,
                static_cast<unsigned long long>(most) << 32 | (kNoVertex - least));
    if (reach != 0) atomicMax(&memory_.reach, reach);
  }

  __device__ void write_answer() {
    const unsigned long long farthest = fresh(&all_.totals->farthest);
    const auto eccentricity = static_cast<Distance>(farthest >> 32);
    for (Distance d = threadIdx.x; d <= eccentricity; d += kSliceThreads) {
      const Vertex count = fresh(&all_.counts[d]);
      job_.level_sizes[d] = count;
      if (d < std::size(job_.answer->level_sizes)) job_.answer->level_sizes[d] = count;
      all_.counts[d] = 0;
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    job_.write_outcome(
        {.source = start_.source,
         .eccentricity = eccentricity,
         .farthest = kNoVertex - static_cast<Vertex>(farthest),
         .reach = all_.probe.flags != nullptr ? fresh(&all_.totals->reach) : kUnreached});
    *all_.totals = {0, 0, 0};
  }

  const SliceJob& job_;
  const SliceStart& start_;
  Memory& memory_;
  const Unfolding& all_;
};

}  // namespace antipode::cuda
