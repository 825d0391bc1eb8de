// The levels of a search by resident slices, as one block runs them: thin levels for itself, others
// together with all blocks.
#pragma once

#include "engine/cuda/search/resident/thin_levels.hpp"
#include "engine/cuda/search/resident/unfolding.hpp"

namespace antipode::cuda {

struct SliceMemory {
  unsigned rounds;        // of all earlier searches
  unsigned new_vertices;  // vertices found in this level by all blocks
  Vertex least;           // least of them, if the graph is not folded
  ThinMemory thin;
  SliceStart start;
  Unfolder::Memory unfolder;
};

class SliceLevels {
 public:
  __device__ SliceLevels(const SliceJob& job, const Slice& slice, SliceMemory& memory)
      : job_(job), slice_(slice), memory_(memory), thin_(job, slice, memory.thin) {}

  // Runs the levels; the frontier is listed at the start. Every block does thin levels for itself,
  // which takes less time than an exchange of notices.
  __device__ SliceState run(SliceState state) {
    bool is_thin = true;
    if (!job_.continues(state)) slice_.await_load();
    unsigned round = memory_.rounds;
    while (job_.continues(state)) {
      if (is_thin) {
        write_pending_distances(state);
        const Distance before = state.level;
        __syncthreads();  // before thin levels change `seen`
        state = thin_.run(state);
        slice_.await_load();
        if (state.level != before) slice_.write_distances(job_.distances, state.level, true);
        is_thin = false;
      } else {
        state = pull(state, ++round);
        is_thin = is_listed_;
      }
    }
    write_pending_distances(state);
    if (blockIdx.x == 0 && threadIdx.x == 0 && round != memory_.rounds)
      *job_.rounds = round;  // all blocks have read it, since all have written notices
    return state;
  }

 private:
  // Writes distances of the last pull's finds, if that is pending.
  __device__ void write_pending_distances(const SliceState& state) {
    if (distances_pending_) slice_.write_distances(job_.distances, state.level, false);
    distances_pending_ = false;
  }

  // One level by all blocks. The next frontier is listed if it is thin.
  __device__ SliceState pull(SliceState state, unsigned round) {
    uint4* const notices = job_.notices + round % 2 * job_.notice_count;
    slice_.pull();
    __syncthreads();
    if (threadIdx.x == 0) {  // all threads have read the last level's counts
      memory_.new_vertices = memory_.thin.listed = 0;
      memory_.least = kNoVertex;
      memory_.thin.counters[(state.level + 1) % 2] = {
          .arcs = 0, .chunks = 0, .found = 0, .least = kNoVertex};
    }
    slice_.write_notices(notices, round);
    write_pending_distances(state);  // overlaps with waiting for other blocks
    slice_.await_notices(job_, notices, round);
    unsigned new_vertices = 0, first[Slice::kInFlight];
    Vertex least = kNoVertex;
    uint4 found[Slice::kInFlight]{};
    slice_.read_notices(job_, notices, round, [&](unsigned k, unsigned word, const uint4& three) {
      new_vertices += __popc(three.x) + __popc(three.y) + __popc(three.z);
      if (!job_.is_folded())
        least = min(least, 32 * word + (three.x != 0   ? __ffs(three.x) - 1
                                        : three.y != 0 ? __ffs(three.y) + 31
                                                       : __ffs(three.z) + 63));
      first[k] = 32 * word;
      found[k] = three;
    });
    __syncwarp();
    if (__any_sync(~0u, new_vertices != 0)) {
      new_vertices = __reduce_add_sync(~0u, new_vertices);
      if (thread_of_warp() == 0) atomicAdd(&memory_.new_vertices, new_vertices);
      if (least != kNoVertex) atomicMin(&memory_.least, least);
    }
    __syncthreads();
    state.size = memory_.new_vertices;
    is_listed_ = state.size <= ThinMemory::kMostVertices && job_.notice_count <= Slice::kMostListed;
    if (state.size == 0) return state;
    ++state.level;
    state.reached += state.size;
    state.farthest = memory_.least;
    distances_pending_ = true;
    if (blockIdx.x == 0 && threadIdx.x == 0) job_.write_level_size(state);
    if (is_listed_) {
#pragma unroll
      for (unsigned k = 0; k < Slice::kInFlight; ++k)
        if ((found[k].x | found[k].y | found[k].z) != 0)
          thin_.list(first[k], found[k], state.level);
    }
    return state;
  }

  const SliceJob& job_;
  const Slice& slice_;
  SliceMemory& memory_;
  ThinLevels thin_;
  bool is_listed_ = false, distances_pending_ = false;  // state of the last pull's finds
};

// Initialises the state; the same in all blocks.
__device__ inline SliceState begin_search(const SliceJob& job, const Slice& slice,
                                          SliceMemory& memory) {
  const SliceStart& start = memory.start;
  __syncthreads();
  const unsigned parity = start.level % 2;
  if (threadIdx.x == 0)
    memory.thin.counters[parity] = {.arcs = 0, .chunks = 0, .found = 0, .least = kNoVertex};
  SliceState state{
      .level = start.level, .reached = start.count, .size = start.count, .farthest = kNoVertex};
  for (unsigned i = 0; i < start.count; ++i) state.farthest = min(state.farthest, start.places[i]);
  if (threadIdx.x < start.count) {
    const Vertex v = start.places[threadIdx.x];
    atomicOr(&slice.seen[v / 32], 1u << v % 32);
    memory.thin.list[parity][threadIdx.x] = v;
    if (blockIdx.x == 0) job.distances[v] = start.level;
    if (v - slice.first < slice.count)
      atomicOr(&slice.written[(v - slice.base) / 32], 1u << v % 32);
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) job.write_level_size(state);
  __syncthreads();
  return state;
}

}  // namespace antipode::cuda
