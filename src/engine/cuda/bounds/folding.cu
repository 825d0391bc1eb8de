// Drops candidates that another vertex dominates: pendant paths and twins (docs/definitions.md,
// rules 5 and 6). Twins are found by hashing neighbour sets into slots and comparing each with the
// first of its slot. The host follows only pendant paths that are too long for one thread.
#include <bit>

#include "engine/cuda/bounds/bounds.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/layout/flags.hpp"
#include "graph/folding.hpp"

namespace antipode::cuda {

namespace {

// Follows the pendant path from every leaf. A path of more than kSteps vertices is left to the
// host.
__global__ void drop_pendant_paths_kernel(GraphView graph, unsigned char* flags,
                                          unsigned* too_long) {
  constexpr unsigned kSteps = 1024;
  for (std::size_t leaf = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; leaf < graph.order;
       leaf += std::size_t{gridDim.x} * blockDim.x) {
    GraphView::Range range = graph.range(static_cast<Vertex>(leaf));
    if (range.degree != 1) continue;
    Vertex previous = static_cast<Vertex>(leaf), v = graph.targets[range.begin];
    range = graph.range(v);
    for (unsigned steps = 0; range.degree == 2; ++steps) {
      if (steps == kSteps) {
        *too_long = 1;
        return;
      }
      flags[v] &= kSearched;  // concurrent writes are equal
      const Vertex one = graph.targets[range.begin], other = graph.targets[range.begin + 1],
                   next = one == previous ? other : one;
      previous = v;
      v = next;
      range = graph.range(v);
    }
    if (range.degree > 2) flags[v] &= kSearched;
  }
}

__device__ std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

// One warp per candidate: a hash of its set of neighbours.
__global__ void hash_neighbours_kernel(GraphView graph, const unsigned char* flags,
                                       std::uint64_t* hashes, unsigned char* undecided) {
  for (std::size_t v = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / kWarp;
       v < graph.order; v += std::size_t{gridDim.x} * blockDim.x / kWarp) {
    if (thread_of_warp() == 0) undecided[v] = flags[v] & kCandidate;
    if ((flags[v] & kCandidate) == 0) continue;
    const GraphView::Range range = graph.range(static_cast<Vertex>(v));
    std::uint64_t sum = 0;
    for (Vertex i = thread_of_warp(); i < range.degree; i += kWarp)
      sum += mix(graph.targets[range.begin + i] + 0x9E3779B97F4A7C15ull);
    for (unsigned step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (thread_of_warp() == 0) hashes[v] = sum;
  }
}

// Slot of a hash in a round. Different hashes may share a slot, but hardly in the next round.
__device__ std::uint64_t slot_of(std::uint64_t hash, unsigned round, std::uint64_t slots) {
  return mix(hash + round) & (slots - 1);
}

// Compares in the order of DeviceGraph, which depends on the set of neighbours alone.
__device__ bool same_neighbours(const GraphView& graph, Vertex a, Vertex b) {
  const GraphView::Range one = graph.range(a), other = graph.range(b);
  bool same = one.degree == other.degree;
  for (Vertex i = thread_of_warp(); same && i < one.degree; i += kWarp)
    same = graph.targets[one.begin + i] == graph.targets[other.begin + i];
  return __all_sync(~0u, same);
}

// The first candidate of a slot is the first of its class. Others with the same neighbours are
// dropped; the rest stays undecided until the next round.
__global__ void compare_kernel(GraphView graph, const std::uint64_t* hashes, const Vertex* first,
                               unsigned round, std::uint64_t slots, unsigned char* undecided,
                               unsigned char* flags, unsigned* any_undecided) {
  for (std::size_t at = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / kWarp;
       at < graph.order; at += std::size_t{gridDim.x} * blockDim.x / kWarp) {
    if (undecided[at] == 0) continue;
    const Vertex v = static_cast<Vertex>(at), leader = first[slot_of(hashes[v], round, slots)];
    const bool is_leader = leader == v, is_twin = !is_leader && hashes[leader] == hashes[v] &&
                                                  same_neighbours(graph, leader, v);
    if (thread_of_warp() != 0) continue;
    if (is_twin) flags[v] &= kSearched;
    if (is_leader || is_twin) {
      undecided[v] = 0;
    } else {
      *any_undecided = 1;
    }
  }
}

}  // namespace

void CudaBounds::drop_pendant_paths() {
  const Buffer<unsigned> too_long(1);
  context_.fill_bytes(too_long.data(), 0, 1);
  drop_pendant_paths_kernel<<<context_.blocks_for(order()), Context::kThreads, 0,
                              context_.stream()>>>(view_, flags_data(), too_long.data());
  check(cudaGetLastError(), "launching a kernel");
  if (context_.value(too_long.data()) != 0) {
    const std::vector<unsigned char> is_base =
        bases_of_pendant_paths(graph_.adjacency(), static_cast<int>(threads()));
    std::vector<Vertex> dropped;
    for (Vertex v = 0; v < order(); ++v)
      if (is_base[v] != 0) dropped.push_back(v);
    drop_vertices(dropped);
  }
  invalidate_counts();
}

void CudaBounds::drop_twins() {
  const std::uint64_t slots = std::bit_ceil(4 * std::uint64_t{counts().candidates} + 1);
  const Buffer<std::uint64_t> hashes(order());
  const Buffer<unsigned char> undecided(order());
  const Buffer<Vertex> first(slots);
  const Buffer<unsigned> any_undecided(1);
  const unsigned blocks = context_.blocks_for(std::size_t{order()} * kWarp);
  hash_neighbours_kernel<<<blocks, Context::kThreads, 0, context_.stream()>>>(
      view_, flags_data(), hashes.data(), undecided.data());
  check(cudaGetLastError(), "launching a kernel");
  unsigned more = 1;
  for (unsigned round = 0; more != 0; ++round) {
    context_.fill_bytes(first.data(), 0xFF, slots);
    context_.fill_bytes(any_undecided.data(), 0, 1);
    for_each(context_, order(),
             [=, hashes = hashes.data(), undecided = undecided.data(),
              first = first.data()] __device__(std::size_t v) {
               if (undecided[v] != 0)
                 atomicMin(&first[slot_of(hashes[v], round, slots)], static_cast<Vertex>(v));
             });
    compare_kernel<<<blocks, Context::kThreads, 0, context_.stream()>>>(
        view_, hashes.data(), first.data(), round, slots, undecided.data(), flags_data(),
        any_undecided.data());
    check(cudaGetLastError(), "launching a kernel");
    more = context_.value(any_undecided.data());
  }
  invalidate_counts();
}

void CudaBounds::drop_vertices(std::span<const Vertex> dropped) {
  const Buffer<Vertex> list(dropped.size());
  context_.upload(list.data(), dropped);
  for_each(context_, dropped.size(),
           [list = list.data(), flags = flags_data()] __device__(std::size_t i) {
             flags[list[i]] &= kSearched;
           });
  context_.finish();
  invalidate_counts();
}

}  // namespace antipode::cuda
