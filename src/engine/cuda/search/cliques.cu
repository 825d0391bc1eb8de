#include "engine/cuda/search/cliques.hpp"

#include <algorithm>

#include "engine/cuda/device/warp.hpp"

namespace antipode::cuda {

namespace {

constexpr unsigned kMostTried = 288, kMostTaken = 64;
constexpr unsigned kMostSorted = 512;
constexpr unsigned kWords = kMostTried / 32;  // a bit for each
constexpr unsigned kThreads = 1024, kTeam = 256,
                   kTeams = kThreads / kTeam;  // a team looks through a row
constexpr unsigned kSlots = 1024;
static_assert(kMostTried % 32 == 0 && kMostTried <= kMostSorted && kWords <= kWarp &&
              kThreads % kMostSorted == 0);

struct CliqueAnswer {
  unsigned count;
  Vertex members[kMostTaken];
};

struct Tried {
  unsigned count;
  Vertex who[kMostTried];  // by falling degree
};

}  // namespace

struct CliqueScratch {
  Tried tried;
  unsigned done;                          // blocks; zero between requests, and so is …
  unsigned adjacent[kMostTried][kWords];  // … who is whose neighbour
};

namespace {

// Rises with the degree: sixteen steps for each doubling.
constexpr unsigned kSteps = 33 * 16;
__device__ unsigned step_of(Vertex degree) {
  if (degree < 16) return degree;
  const unsigned log = 31 - __clz(degree);
  return (log - 3) * 16 + (degree >> (log - 4) & 15);
}

// action(v, degree) for the neighbours, by one block: what it needs is asked for several at a time.
// (The end of a row of the longest kind may hold the vertex itself.)
template <class Action>
__device__ void for_neighbours(const GraphView& graph, Vertex around, const GraphView::Range& row,
                               Action action) {
  constexpr unsigned kAtOnce = 8;
  for (Vertex first = threadIdx.x; first < row.degree; first += kAtOnce * kThreads) {
    Vertex v[kAtOnce], degree[kAtOnce];
    for (unsigned k = 0; k < kAtOnce; ++k)
      v[k] = graph.targets[row.begin + min(first + k * kThreads, row.degree - 1)];
    for (unsigned k = 0; k < kAtOnce; ++k)
      degree[k] = GraphView::short_row(graph.rows[v[k]]).degree;
    for (unsigned k = 0; k < kAtOnce; ++k)
      if (first + k * kThreads < row.degree && v[k] != around) action(v[k], degree[k]);
  }
}

// What a block needs to choose whom to try.
struct Choice {
  union {
    unsigned histogram[kSteps];
    unsigned before[kMostSorted];  // how many are tried before each
  };
  std::uint64_t keys[kMostSorted];
  unsigned least, count;
};

// The neighbours of highest degree in order, by one block. Where many have about the same degree,
// so that not all of them can be sorted, none of these is tried: which of them came first would be
// chance.
__device__ void choose(const GraphView& graph, Vertex around, Choice& memory, Tried& tried) {
  const GraphView::Range row = graph.row(around);
  if (threadIdx.x == 0) memory.least = memory.count = 0;
  if (row.degree > kMostSorted) {
    for (unsigned i = threadIdx.x; i < kSteps; i += kThreads) memory.histogram[i] = 0;
    __syncthreads();
    for_neighbours(graph, around, row, [&](Vertex, Vertex degree) {
      atomicAdd(&memory.histogram[step_of(degree)], 1);
    });
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned above = 0, least = step_of(graph.max_degree) + 1;
      while (least > 0 && above + memory.histogram[least - 1] <= kMostSorted)
        above += memory.histogram[--least];
      memory.least = least;
    }
  }
  __syncthreads();
  for_neighbours(graph, around, row, [&](Vertex v, Vertex degree) {
    if (step_of(degree) >= memory.least)
      memory.keys[atomicAdd(&memory.count, 1)] = std::uint64_t{~degree} << 32 | v;
  });
  if (threadIdx.x < kMostSorted) memory.before[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = threadIdx.x % kMostSorted, count = memory.count;
  if (i < count) {
    unsigned before = 0;
    for (unsigned j = threadIdx.x / kMostSorted; j < count; j += kThreads / kMostSorted)
      before += memory.keys[j] < memory.keys[i] ? 1 : 0;
    atomicAdd(&memory.before[i], before);
  }
  __syncthreads();
  if (threadIdx.x < count && memory.before[threadIdx.x] < kMostTried)
    tried.who[memory.before[threadIdx.x]] = static_cast<Vertex>(memory.keys[threadIdx.x]);
  if (threadIdx.x == 0) tried.count = min(count, kMostTried);
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads)
    choose_kernel(GraphView graph, Vertex around, CliqueScratch* scratch) {
  __shared__ Choice memory;
  choose(graph, around, memory, scratch->tried);
}

// By one block, which leaves nothing behind: all it needs is fetched at once, then lane i of its
// first warp holds what concerns 32 of those tried.
__device__ void take(const Tried& tried, Vertex around, CliqueScratch* scratch,
                     CliqueAnswer* answer, const Signal& signal) {
  __shared__ unsigned all[kMostTried * kWords];
  for (unsigned i = threadIdx.x; i < kMostTried * kWords; i += kThreads) {
    all[i] = __ldcg(&scratch->adjacent[0][i]);
    scratch->adjacent[0][i] = 0;
  }
  __syncthreads();
  if (threadIdx.x >= kWarp) return;
  const unsigned begin = lane() * 32, left = tried.count - min(tried.count, begin);
  unsigned open =
      left >= 32 ? ~0u : (1u << left) - 1;  // adjacent to all taken so far, and not tried yet
  unsigned taken = 1;
  if (lane() == 0) answer->members[0] = around;
  for (unsigned with = __ballot_sync(~0u, open != 0); with != 0 && taken < kMostTaken;
       with = __ballot_sync(~0u, open != 0)) {
    const unsigned first = __ffs(with) - 1,
                   i = 32 * first + __ffs(__shfl_sync(~0u, open, first)) - 1;
    if (lane() == first) open &= open - 1;
    open &= lane() < kWords ? all[i * kWords + lane()] : 0;
    if (lane() == 0) answer->members[taken] = tried.who[i];
    ++taken;
  }
  if (lane() != 0) return;
  answer->count = taken;
  signal.give();
  scratch->done = 0;
}

// A team looks through the row of one of those tried for the others; the last block to end takes.
// Where there are few neighbours every block chooses for itself, which is faster than to wait for
// another kernel.
__global__ void __launch_bounds__(kThreads)
    clique_kernel(GraphView graph, Vertex around, bool is_chosen, CliqueScratch* scratch,
                  CliqueAnswer* answer, Signal signal) {
  __shared__ Choice choice;
  __shared__ Tried tried;
  __shared__ Vertex slots[kSlots];      // a hash table of those tried …
  __shared__ unsigned numbers[kSlots];  // … and which of them it is
  __shared__ bool last;
  const auto slot_of = [](Vertex v) { return v * 2654435761u >> 22; };
  for (unsigned i = threadIdx.x; i < kSlots; i += kThreads) slots[i] = kNoVertex;
  if (is_chosen) {
    if (threadIdx.x < kMostTried) tried.who[threadIdx.x] = scratch->tried.who[threadIdx.x];
    if (threadIdx.x == 0) tried.count = scratch->tried.count;
    __syncthreads();
  } else {
    choose(graph, around, choice, tried);
  }
  if (threadIdx.x < tried.count) {
    unsigned slot = slot_of(tried.who[threadIdx.x]);
    while (atomicCAS(&slots[slot], kNoVertex, tried.who[threadIdx.x]) != kNoVertex)
      slot = (slot + 1) % kSlots;
    numbers[slot] = threadIdx.x;
  }
  __syncthreads();
  for (unsigned i = blockIdx.x + gridDim.x * (threadIdx.x / kTeam); i < tried.count;
       i += gridDim.x * kTeams) {
    const GraphView::Range row = graph.row(tried.who[i]);
    const uint4* const quads = graph.quads(row);
    for (Vertex q = threadIdx.x % kTeam; q < GraphView::quad_count(row.degree); q += kTeam) {
      const uint4 quad = quads[q];
      for (const Vertex u :
           {quad.x, quad.y, quad.z, quad.w}) {  // itself at the end, maybe: that does no harm
        unsigned slot = slot_of(u);
        while (slots[slot] != u && slots[slot] != kNoVertex) slot = (slot + 1) % kSlots;
        if (slots[slot] == u)
          atomicOr(&scratch->adjacent[i][numbers[slot] / 32], 1u << numbers[slot] % 32);
      }
    }
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&scratch->done, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  take(tried, around, scratch, answer, signal);
}

}  // namespace

Cliques::Cliques(const Context& context, const GraphView& graph)
    : context_(context), graph_(graph), scratch_(1) {
  context.fill_bytes(scratch_.data(), 0, 1);
}

Cliques::~Cliques() = default;

std::vector<Vertex> Cliques::around(Vertex v, Vertex degree) const {
  static_assert(sizeof(CliqueAnswer) <= Context::kPinned);
  auto* const answer = static_cast<CliqueAnswer*>(context_.pinned());
  const Signal signal = context_.next_signal();
  const bool chooses_first = degree > kMostSorted;
  if (chooses_first)
    choose_kernel<<<1, kThreads, 0, context_.stream()>>>(graph_, v, scratch_.data());
  const auto blocks = std::min(static_cast<unsigned>(context_.multiprocessors()), kMostTried);
  clique_kernel<<<blocks, kThreads, 0, context_.stream()>>>(graph_, v, chooses_first,
                                                            scratch_.data(), answer, signal);
  check(cudaGetLastError(), "launching a kernel");
  context_.await(signal);
  return {answer->members, answer->members + answer->count};
}

}  // namespace antipode::cuda
