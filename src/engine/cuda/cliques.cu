#include "engine/cuda/cliques.hpp"

#include <cub/block/block_radix_sort.cuh>

#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

namespace {

constexpr unsigned kMostTried = 288, kMostTaken = 64;
constexpr unsigned kWords = kMostTried / 32;       // a bit for each
constexpr unsigned kThreads = 512;                 // as many may be sorted at once
constexpr unsigned kSlots = 1024;
static_assert(kMostTried % 32 == 0 && kMostTried <= kThreads && kWords <= kWarp);

struct CliqueAnswer {
  unsigned count;
  Vertex members[kMostTaken];
};

}  // namespace

struct CliqueScratch {
  unsigned count, done;
  Vertex tried[kMostTried];
  unsigned adjacent[kMostTried][kWords];
};

namespace {

// Rises with the degree: sixteen steps for each doubling.
constexpr unsigned kSteps = 33 * 16;
__device__ unsigned step_of(Vertex degree) {
  if (degree < 16) return degree;
  const unsigned log = 31 - __clz(degree);
  return (log - 3) * 16 + (degree >> (log - 4) & 15);
}

// action(v, degree) for the neighbours, by one block: what it needs is asked for several at a time. (The end of a row of the longest kind may hold the
// vertex itself.)
template <class Action>
__device__ void for_neighbours(const GraphView& graph, Vertex around, const GraphView::Row& row, Action action) {
  constexpr unsigned kAtOnce = 8;
  for (Vertex first = threadIdx.x; first < row.degree; first += kAtOnce * kThreads) {
    Vertex v[kAtOnce], degree[kAtOnce];
    for (unsigned k = 0; k < kAtOnce; ++k) v[k] = graph.targets[row.begin + min(first + k * kThreads, row.degree - 1)];
    for (unsigned k = 0; k < kAtOnce; ++k) degree[k] = GraphView::short_row(graph.rows[v[k]]).degree;
    for (unsigned k = 0; k < kAtOnce; ++k)
      if (first + k * kThreads < row.degree && v[k] != around) action(v[k], degree[k]);
  }
}

// The neighbours of highest degree in order, by one block. Where many have about the same degree, so that not all of them can be sorted, none
// of these is tried: which of them came first would be chance.
__global__ void __launch_bounds__(kThreads) choose_kernel(GraphView graph, Vertex around, CliqueScratch* scratch) {
  using Sort = cub::BlockRadixSort<std::uint64_t, kThreads, 1>;
  __shared__ union {
    unsigned histogram[kSteps];
    std::uint64_t keys[kThreads];
    Sort::TempStorage sort;
  } shared;
  __shared__ unsigned least, count;
  const GraphView::Row row = graph.row(around);
  if (threadIdx.x == 0) least = count = 0;
  if (row.degree > kThreads) {
    for (unsigned i = threadIdx.x; i < kSteps; i += kThreads) shared.histogram[i] = 0;
    __syncthreads();
    for_neighbours(graph, around, row, [&](Vertex, Vertex degree) { atomicAdd(&shared.histogram[step_of(degree)], 1); });
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned above = 0;
      least = step_of(graph.max_degree) + 1;
      while (least > 0 && above + shared.histogram[least - 1] <= kThreads) above += shared.histogram[--least];
    }
  }
  __syncthreads();
  shared.keys[threadIdx.x] = ~0ull;                // last
  __syncthreads();
  for_neighbours(graph, around, row, [&](Vertex v, Vertex degree) {
    if (step_of(degree) >= least) shared.keys[atomicAdd(&count, 1)] = std::uint64_t{~degree} << 32 | v;
  });
  __syncthreads();
  std::uint64_t key[1] = {shared.keys[threadIdx.x]};
  __syncthreads();
  Sort(shared.sort).Sort(key);
  if (threadIdx.x < kMostTried) scratch->tried[threadIdx.x] = static_cast<Vertex>(key[0]);
  if (threadIdx.x == 0) {
    scratch->count = min(count, kMostTried);
    scratch->done = 0;
  }
}

// By one block: all it needs is fetched at once, then lane i of its first warp holds what concerns 32 of those tried.
__device__ void take(const CliqueScratch& scratch, Vertex around, CliqueAnswer* answer) {
  __shared__ unsigned all[kMostTried * kWords];
  for (unsigned i = threadIdx.x; i < kMostTried * kWords; i += kThreads) all[i] = __ldcg(&scratch.adjacent[0][i]);
  __syncthreads();
  if (threadIdx.x >= kWarp) return;
  const unsigned begin = lane() * 32, left = scratch.count - min(scratch.count, begin);
  unsigned open = left >= 32 ? ~0u : (1u << left) - 1;  // adjacent to all taken so far, and not tried yet
  unsigned taken = 1;
  if (lane() == 0) answer->members[0] = around;
  for (unsigned with = __ballot_sync(~0u, open != 0); with != 0 && taken < kMostTaken; with = __ballot_sync(~0u, open != 0)) {
    const unsigned first = __ffs(with) - 1, i = 32 * first + __ffs(__shfl_sync(~0u, open, first)) - 1;
    if (lane() == first) open &= open - 1;
    open &= lane() < kWords ? all[i * kWords + lane()] : 0;
    if (lane() == 0) answer->members[taken] = scratch.tried[i];
    ++taken;
  }
  if (lane() == 0) answer->count = taken;
}

// A block looks through the row of one of those tried for the others; the last block to end takes.
__global__ void __launch_bounds__(kThreads) clique_kernel(GraphView graph, Vertex around, CliqueScratch* scratch, CliqueAnswer* answer) {
  __shared__ Vertex slots[kSlots];                 // a hash table of those tried …
  __shared__ unsigned numbers[kSlots];             // … and which of them it is
  __shared__ unsigned adjacent[kWords];
  __shared__ bool last;
  const auto slot_of = [](Vertex v) { return v * 2654435761u >> 22; };
  for (unsigned i = threadIdx.x; i < kSlots; i += kThreads) slots[i] = kNoVertex;
  if (threadIdx.x < kWords) adjacent[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < scratch->count; i += kThreads) {
    unsigned slot = slot_of(scratch->tried[i]);
    while (atomicCAS(&slots[slot], kNoVertex, scratch->tried[i]) != kNoVertex) slot = (slot + 1) % kSlots;
    numbers[slot] = i;
  }
  __syncthreads();
  if (blockIdx.x < scratch->count) {
    const GraphView::Row row = graph.row(scratch->tried[blockIdx.x]);
    const uint4* const quads = graph.quads(row);
    for (Vertex i = threadIdx.x; i < GraphView::quad_count(row.degree); i += kThreads) {
      const uint4 quad = quads[i];
      for (const Vertex u : {quad.x, quad.y, quad.z, quad.w}) {  // itself at the end, maybe: that does no harm
        unsigned slot = slot_of(u);
        while (slots[slot] != u && slots[slot] != kNoVertex) slot = (slot + 1) % kSlots;
        if (slots[slot] == u) atomicOr(&adjacent[numbers[slot] / 32], 1u << numbers[slot] % 32);
      }
    }
  }
  __syncthreads();
  if (threadIdx.x < kWords) scratch->adjacent[blockIdx.x][threadIdx.x] = adjacent[threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&scratch->done, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  take(*scratch, around, answer);
}

}  // namespace

Cliques::Cliques(const Context& context, const GraphView& graph) : context_(context), graph_(graph), scratch_(1) {}

Cliques::~Cliques() = default;

std::vector<Vertex> Cliques::around(Vertex v) const {
  static_assert(sizeof(CliqueAnswer) <= Context::kPinned);
  auto* const answer = static_cast<CliqueAnswer*>(context_.pinned());
  choose_kernel<<<1, kThreads, 0, context_.stream()>>>(graph_, v, scratch_.data());
  clique_kernel<<<kMostTried, kThreads, 0, context_.stream()>>>(graph_, v, scratch_.data(), answer);
  check(cudaGetLastError(), "launching a kernel");
  context_.finish();
  return {answer->members, answer->members + answer->count};
}

}  // namespace antipode::cuda
