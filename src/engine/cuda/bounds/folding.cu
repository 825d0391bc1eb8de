// Candidates that leave because others are no nearer to anything: stems and twins
// (docs/definitions.md, rules 5 and 6). The GPU finds them, and the host only follows chains that
// are too long for a thread.
#include <bit>

#include "engine/cuda/bounds/bounds.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/layout/flags.hpp"
#include "graph/folding.hpp"

namespace antipode::cuda {

namespace {

// From every leaf along its chain. A thread that would walk for too long says so instead.
__global__ void drop_pendant_paths_kernel(GraphView graph, unsigned char* flags,
                                          unsigned* too_long) {
  constexpr unsigned kSteps = 1024;
  for (std::size_t leaf = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; leaf < graph.order;
       leaf += std::size_t{gridDim.x} * blockDim.x) {
    GraphView::Range row = graph.range(static_cast<Vertex>(leaf));
    if (row.degree != 1) continue;
    Vertex below = static_cast<Vertex>(leaf), v = graph.targets[row.begin];
    row = graph.range(v);
    for (unsigned steps = 0; row.degree == 2; ++steps) {
      if (steps == kSteps) {
        *too_long = 1;
        return;
      }
      flags[v] &= kSearched;  // several may write, all the same
      const Vertex one = graph.targets[row.begin], other = graph.targets[row.begin + 1],
                   next = one == below ? other : one;
      below = v;
      v = next;
      row = graph.range(v);
    }
    if (row.degree > 2) flags[v] &= kSearched;
  }
}

__device__ std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

// A warp a row: a hash of the set of neighbours. All candidates wait to be compared.
__global__ void hash_rows_kernel(GraphView graph, const unsigned char* flags, std::uint64_t* hashes,
                                 unsigned char* waits) {
  for (std::size_t v = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / kWarp;
       v < graph.order; v += std::size_t{gridDim.x} * blockDim.x / kWarp) {
    if (lane() == 0) waits[v] = flags[v] & kCandidate;
    if ((flags[v] & kCandidate) == 0) continue;
    const GraphView::Range row = graph.range(static_cast<Vertex>(v));
    std::uint64_t sum = 0;
    for (Vertex i = lane(); i < row.degree; i += kWarp)
      sum += mixed(graph.targets[row.begin + i] + 0x9E3779B97F4A7C15ull);
    for (unsigned step = kWarp / 2; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane() == 0) hashes[v] = sum;
  }
}

// Where those with the same hash meet in a round; others may share the slot, but in another round
// they will not.
__device__ std::uint64_t slot_of(std::uint64_t hash, unsigned round, std::uint64_t slots) {
  return mixed(hash + round) & (slots - 1);
}

// Both rows in the order in which DeviceGraph has left them, which depends on nothing but the
// neighbours.
__device__ bool same_row(const GraphView& graph, Vertex a, Vertex b) {
  const GraphView::Range one = graph.range(a), other = graph.range(b);
  bool same = one.degree == other.degree;
  for (Vertex i = lane(); same && i < one.degree; i += kWarp)
    same = graph.targets[one.begin + i] == graph.targets[other.begin + i];
  return __all_sync(~0u, same);
}

// The first of a slot is the first of its class. Whoever has the same row leaves; whoever has not
// waits for the next round.
__global__ void compare_kernel(GraphView graph, const std::uint64_t* hashes, const Vertex* first,
                               unsigned round, std::uint64_t slots, unsigned char* waits,
                               unsigned char* flags, unsigned* waiting) {
  for (std::size_t at = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / kWarp;
       at < graph.order; at += std::size_t{gridDim.x} * blockDim.x / kWarp) {
    if (waits[at] == 0) continue;
    const Vertex v = static_cast<Vertex>(at), leader = first[slot_of(hashes[v], round, slots)];
    const bool leads = leader == v,
               twin = !leads && hashes[leader] == hashes[v] && same_row(graph, leader, v);
    if (lane() != 0) continue;
    if (twin) flags[v] &= kSearched;
    if (leads || twin) {
      waits[v] = 0;
    } else {
      *waiting = 1;
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
    const std::vector<unsigned char> stem = stems(graph_.rows(), static_cast<int>(threads()));
    std::vector<Vertex> leaving;
    for (Vertex v = 0; v < order(); ++v)
      if (stem[v] != 0) leaving.push_back(v);
    drop_all(leaving);
  }
  forget();
}

void CudaBounds::drop_twins() {
  const std::uint64_t slots = std::bit_ceil(4 * std::uint64_t{counts().candidates} + 1);
  const Buffer<std::uint64_t> hashes(order());
  const Buffer<unsigned char> waits(order());
  const Buffer<Vertex> first(slots);
  const Buffer<unsigned> waiting(1);
  const unsigned blocks = context_.blocks_for(std::size_t{order()} * kWarp);
  hash_rows_kernel<<<blocks, Context::kThreads, 0, context_.stream()>>>(
      view_, flags_data(), hashes.data(), waits.data());
  check(cudaGetLastError(), "launching a kernel");
  unsigned more = 1;
  for (unsigned round = 0; more != 0; ++round) {
    context_.fill_bytes(first.data(), 0xFF, slots);
    context_.fill_bytes(waiting.data(), 0, 1);
    for_each(context_, order(),
             [=, hashes = hashes.data(), waits = waits.data(),
              first = first.data()] __device__(std::size_t v) {
               if (waits[v] != 0)
                 atomicMin(&first[slot_of(hashes[v], round, slots)], static_cast<Vertex>(v));
             });
    compare_kernel<<<blocks, Context::kThreads, 0, context_.stream()>>>(
        view_, hashes.data(), first.data(), round, slots, waits.data(), flags_data(),
        waiting.data());
    check(cudaGetLastError(), "launching a kernel");
    more = context_.value(waiting.data());
  }
  forget();
}

void CudaBounds::drop_all(std::span<const Vertex> leaving) {
  const Buffer<Vertex> list(leaving.size());
  context_.upload(list.data(), leaving);
  for_each(context_, leaving.size(),
           [list = list.data(), flags = flags_data()] __device__(std::size_t i) {
             flags[list[i]] &= kSearched;
           });
  context_.finish();
  forget();
}

}  // namespace antipode::cuda
