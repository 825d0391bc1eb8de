// Queues of adjacency chunks, from which levels are pushed: ranges of at most kChunkArcs arcs, so
// that a hub is shared by many warps [Merrill, Garland & Grimshaw 2012]. One queue is in GPU
// memory, one in the shared memory of a block. Memory: 8 bytes per entry.
#pragma once

#include "antipode/graph.hpp"
#include "engine/cuda/device/warp.hpp"

namespace antipode::cuda {

// Most arcs of a chunk; longer adjacencies have several.
inline constexpr unsigned kChunkArcs = 128;

// A queue entry: a range of at most kChunkArcs arcs, packed into 64 bits.
struct AdjacencyChunk {
  EdgeOffset begin;
  unsigned length;
  __device__ std::uint64_t pack() const { return begin << 9 | length; }
  __device__ static AdjacencyChunk of(std::uint64_t packed) {
    return {packed >> 9, static_cast<unsigned>(packed & 511)};
  }
};

// A queue in GPU memory for all blocks; its levels lie one behind the other.
struct GridQueue {
  using Place = unsigned long long;
  static constexpr bool kThin = false;
  std::uint64_t *now, *next;
  unsigned long long count;   // of this level
  unsigned long long* found;  // of the next level
  __device__ std::uint64_t get(unsigned long long i) const { return now[i]; }
  __device__ Place reserve(unsigned entries) const {
    return atomicAdd(found, static_cast<unsigned long long>(entries));
  }
  __device__ void put(Place place, unsigned i, AdjacencyChunk chunk) const {
    next[place + i] = chunk.pack();
  }
};

// The same for few entries. Bandwidth is then no limit, so loads are issued before it is known
// whether they are needed.
struct ThinGridQueue : GridQueue {
  static constexpr bool kThin = true;
};

// The same, but a block stages its entries in shared memory until the level ends. If thousands of
// warps reserve places with one global counter, each waits for all before it: 1.5 ns per warp.
// Entries that do not fit the staging area go to the global queue at once.
struct StagingQueue {
  struct Place {
    unsigned staged;
    unsigned long long overflow;  // place of the overflowing entries, minus the index of the first
  };
  static constexpr bool kThin = false;
  static constexpr unsigned kRoom = 8192;
  GridQueue all;
  std::uint64_t* staged;  // in shared memory
  unsigned* staged_count;
  unsigned long long count = all.count;
  __device__ std::uint64_t get(unsigned long long i) const { return all.get(i); }
  __device__ Place reserve(unsigned entries) const {
    const unsigned first = atomicAdd(staged_count, entries), end = first + entries,
                   fits = max(first, kRoom);
    return {first, end <= kRoom ? 0 : all.reserve(end - fits) - fits};
  }
  __device__ void put(Place place, unsigned i, AdjacencyChunk chunk) const {
    const unsigned at = place.staged + i;
    if (at < kRoom) {
      staged[at] = chunk.pack();
    } else {
      all.put(place.overflow, at, chunk);
    }
  }
  // By all threads of the block, after the level and a barrier.
  __device__ void flush() const {
    __shared__ unsigned long long place;
    const unsigned entries = min(*staged_count, kRoom);
    if (threadIdx.x == 0 && entries > 0) place = all.reserve(entries);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < entries; i += blockDim.x) all.next[place + i] = staged[i];
    if (threadIdx.x == 0) *staged_count = 0;
  }
};

// A queue that takes nothing: the next level is likely to be pulled.
struct MarksOnly : GridQueue {};

// A double-buffered queue in the shared memory of one block. Entries that do not fit spill to GPU
// memory.
struct BlockQueue {
  using Place = unsigned;
  static constexpr bool kThin = true;
  static constexpr unsigned kRoom = 2048;
  std::uint64_t *now, *next, *spill;
  unsigned count;
  unsigned* found;
  __device__ std::uint64_t get(unsigned i) const { return now[i]; }
  __device__ Place reserve(unsigned entries) const { return atomicAdd(found, entries); }
  __device__ void put(Place place, unsigned i, AdjacencyChunk chunk) const {
    (place + i < kRoom ? next : spill)[place + i] = chunk.pack();
  }
};

// Broadcasts the value of one thread of the warp.
__device__ inline unsigned broadcast(unsigned from, unsigned value) {
  return __shfl_sync(~0u, value, from);
}
__device__ inline unsigned long long broadcast(unsigned from, unsigned long long value) {
  return __shfl_sync(~0u, value, from);
}
__device__ inline StagingQueue::Place broadcast(unsigned from, StagingQueue::Place place) {
  return {broadcast(from, place.staged), broadcast(from, place.overflow)};
}

}  // namespace antipode::cuda
