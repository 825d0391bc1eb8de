// Thin levels of a search by the whole GPU, done by one block alone: it needs only its own barrier,
// and its queue is in shared memory. If all chunks are short, each thread takes one queue entry. If
// there are at most 32 entries, one warp does the levels without any barrier of the block.
#pragma once

#include "engine/cuda/search/grid/search_state.hpp"

namespace antipode::cuda {

inline constexpr unsigned kThreadArcs = 8;  // most arcs that one thread pushes, four at a time

struct LoneBlockMemory {
  std::uint64_t queue[2][BlockQueue::kRoom];  // double buffer: this level and the next
  LevelCount report;
  unsigned entries;  // of the next level
  unsigned round;    // levels done
  // Changed by the first thread only, between barriers.
  SearchState state;
};

__device__ inline AdjacencyChunk own_chunk(const std::uint64_t* queue, unsigned count) {
  return threadIdx.x < count ? AdjacencyChunk::of(queue[threadIdx.x]) : AdjacencyChunk{0, 0};
}

// Every thread pushes its own chunk. Chunks begin at a multiple of four arcs, so four neighbours
// are one read.
__device__ inline void push_per_thread(const VertexClaims& claims, Distance level,
                                       const AdjacencyChunk& mine, const BlockQueue& queue,
                                       LevelCount& tally) {
  for (unsigned first = 0; __any_sync(~0u, first < mine.length); first += 4) {
    const uint4 quad =
        first < mine.length
            ? *reinterpret_cast<const uint4*>(claims.graph.targets + mine.begin + first)
            : uint4{};
    const Vertex u[4] = {
        first < mine.length ? quad.x : kNoVertex, first + 1 < mine.length ? quad.y : kNoVertex,
        first + 2 < mine.length ? quad.z : kNoVertex, first + 3 < mine.length ? quad.w : kNoVertex};
    offer(claims, level, u, queue, tally);
  }
}

// Updates the state after a level, by one thread.
__device__ inline void advance(const SearchJob& job, unsigned vertices, unsigned arcs, Vertex least,
                               LoneBlockMemory& memory) {
  memory.state.advance(vertices, arcs, least);
  if (!memory.state.ended) {
    memory.state.count = memory.entries;
    ++memory.round;
    job.level_sizes[memory.state.level] = memory.state.size;
  }
  memory.entries = 0;
}

// Levels of at most 32 short chunks, by one warp: one thread per chunk.
__device__ inline void continue_on_warp(const SearchJob& job, const VertexClaims& claims,
                                        std::uint64_t* spill, LoneBlockMemory& memory) {
  __syncwarp();
  for (SearchState& state = memory.state; state.continues(job) && state.count <= kWarp;) {
    const unsigned round = memory.round;
    const BlockQueue queue{.now = memory.queue[round % 2],
                           .next = memory.queue[(round + 1) % 2],
                           .spill = spill,
                           .count = static_cast<unsigned>(state.count),
                           .found = &memory.entries};
    const AdjacencyChunk mine = own_chunk(queue.now, queue.count);
    if (__any_sync(~0u, mine.length > kThreadArcs)) return;
    LevelCount tally;
    push_per_thread(claims, state.level + 1, mine, queue, tally);
    const unsigned vertices = __reduce_add_sync(~0u, tally.vertices),
                   arcs = __reduce_add_sync(~0u, tally.arcs);
    const Vertex least = __reduce_min_sync(~0u, tally.least);
    if (thread_of_warp() == 0) advance(job, vertices, arcs, least, memory);
    __syncwarp();
  }
}

// Continues, by one block, until a level is wide or the search ends.
__device__ inline void continue_on_block(const SearchJob& job, const SearchState& before,
                                         const VertexClaims& claims, LoneBlockMemory& memory) {
  const unsigned threads = blockDim.x;
  if (threadIdx.x == 0) {
    memory.report = LevelCount();
    memory.entries = memory.round = 0;
    memory.state = before;
  }
  for (unsigned i = threadIdx.x; i < before.count; i += threads)
    memory.queue[0][i] = job.queue[before.base + i];
  std::uint64_t* const spill = job.queue + before.base + before.count;
  __syncthreads();
  while (true) {
    if (threadIdx.x < kWarp) continue_on_warp(job, claims, spill, memory);
    __syncthreads();
    if (!memory.state.continues(job) || memory.state.arcs >= 2 * TraversalTuning::kAloneArcs ||
        memory.state.count > BlockQueue::kRoom)
      break;
    const unsigned count = static_cast<unsigned>(memory.state.count);
    const Distance level = memory.state.level + 1;
    const BlockQueue queue{.now = memory.queue[memory.round % 2],
                           .next = memory.queue[(memory.round + 1) % 2],
                           .spill = spill,
                           .count = count,
                           .found = &memory.entries};
    const AdjacencyChunk mine = own_chunk(queue.now, count);
    LevelCount tally;
    if (!__syncthreads_or(mine.length > kThreadArcs) && count <= threads) {
      push_per_thread(claims, level, mine, queue, tally);
    } else {
      push<2>(claims, level, queue, threadIdx.x / kWarp, threads / kWarp, tally);
    }
    add_up(tally, memory.report);
    __syncthreads();
    // No barrier is needed: the first warp waits for its first thread, and the other warps wait
    // for the first.
    if (threadIdx.x != 0) continue;
    advance(job, memory.report.vertices, memory.report.arcs, memory.report.least, memory);
    memory.report = LevelCount();
  }
  if (memory.state.continues(job))
    for (unsigned i = threadIdx.x;
         i < min(static_cast<unsigned>(memory.state.count), BlockQueue::kRoom); i += threads)
      spill[i] = memory.queue[memory.round % 2][i];
  if (threadIdx.x != 0) return;
  job.control->alone = memory.state;
  job.control->alone.base = static_cast<unsigned long long>(spill - job.queue);
}

}  // namespace antipode::cuda
