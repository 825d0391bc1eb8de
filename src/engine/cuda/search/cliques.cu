#include "engine/cuda/search/cliques.hpp"

#include <algorithm>

#include "engine/cuda/device/warp.hpp"

namespace antipode::cuda {

namespace {

constexpr unsigned kMostCandidates = 288, kMostTaken = 64;
constexpr unsigned kMostSorted = 512;
constexpr unsigned kWords = kMostCandidates / 32;  // words of a bitmap of the candidates
constexpr unsigned kThreads = 1024, kTeam = 256,
                   kTeams = kThreads / kTeam;  // threads that read one adjacency together
constexpr unsigned kSlots = 1024;
static_assert(kMostCandidates % 32 == 0 && kMostCandidates <= kMostSorted && kWords <= kWarp &&
              kThreads % kMostSorted == 0);

struct CliqueAnswer {
  unsigned count;
  Vertex members[kMostTaken];
};

struct CliqueCandidates {
  unsigned count;
  Vertex vertices[kMostCandidates];  // by descending degree
};

}  // namespace

struct CliqueScratch {
  CliqueCandidates candidates;
  unsigned blocks_done;  // blocks that are done; zero between requests, and so is …
  unsigned adjacent[kMostCandidates][kWords];  // … the adjacency matrix of the candidates
};

namespace {

// Histogram bin of a degree, increasing with it: sixteen bins per doubling.
constexpr unsigned kBins = 33 * 16;
__device__ unsigned bin_of(Vertex degree) {
  if (degree < 16) return degree;
  const unsigned log = 31 - __clz(degree);
  return (log - 3) * 16 + (degree >> (log - 4) & 15);
}

// Calls action(v, degree) for all neighbours, by one block; each thread has several loads in
// flight. (The range of a vertex of degree kLongDegree or more includes padding, which is the
// vertex itself.)
template <class Action>
__device__ void for_neighbours(const GraphView& graph, Vertex around, const GraphView::Range& range,
                               Action action) {
  constexpr unsigned kInFlight = 8;
  for (Vertex first = threadIdx.x; first < range.degree; first += kInFlight * kThreads) {
    Vertex v[kInFlight], degree[kInFlight];
    for (unsigned k = 0; k < kInFlight; ++k)
      v[k] = graph.targets[range.begin + min(first + k * kThreads, range.degree - 1)];
    for (unsigned k = 0; k < kInFlight; ++k)
      degree[k] = GraphView::short_range(graph.ranges[v[k]]).degree;
    for (unsigned k = 0; k < kInFlight; ++k)
      if (first + k * kThreads < range.degree && v[k] != around) action(v[k], degree[k]);
  }
}

// Shared memory of a block that selects the candidates.
struct SelectionMemory {
  union {
    unsigned histogram[kBins];
    unsigned ranks[kMostSorted];  // rank of each key
  };
  std::uint64_t keys[kMostSorted];
  unsigned least_bin, count;
};

// Selects the neighbours of highest degree, sorted, by one block. If the last histogram bin does
// not fit the sort, none of its vertices is selected, so that the result does not depend on the
// order of atomics.
__device__ void select_candidates(const GraphView& graph, Vertex around, SelectionMemory& memory,
                                  CliqueCandidates& candidates) {
  const GraphView::Range range = graph.range(around);
  if (threadIdx.x == 0) memory.least_bin = memory.count = 0;
  if (range.degree > kMostSorted) {
    for (unsigned i = threadIdx.x; i < kBins; i += kThreads) memory.histogram[i] = 0;
    __syncthreads();
    for_neighbours(graph, around, range,
                   [&](Vertex, Vertex degree) { atomicAdd(&memory.histogram[bin_of(degree)], 1); });
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned above = 0, least_bin = bin_of(graph.max_degree) + 1;
      while (least_bin > 0 && above + memory.histogram[least_bin - 1] <= kMostSorted)
        above += memory.histogram[--least_bin];
      memory.least_bin = least_bin;
    }
  }
  __syncthreads();
  for_neighbours(graph, around, range, [&](Vertex v, Vertex degree) {
    if (bin_of(degree) >= memory.least_bin)
      memory.keys[atomicAdd(&memory.count, 1)] = std::uint64_t{~degree} << 32 | v;
  });
  if (threadIdx.x < kMostSorted) memory.ranks[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = threadIdx.x % kMostSorted, count = memory.count;
  if (i < count) {
    unsigned rank = 0;
    for (unsigned j = threadIdx.x / kMostSorted; j < count; j += kThreads / kMostSorted)
      rank += memory.keys[j] < memory.keys[i] ? 1 : 0;
    atomicAdd(&memory.ranks[i], rank);
  }
  __syncthreads();
  if (threadIdx.x < count && memory.ranks[threadIdx.x] < kMostCandidates)
    candidates.vertices[memory.ranks[threadIdx.x]] = static_cast<Vertex>(memory.keys[threadIdx.x]);
  if (threadIdx.x == 0) candidates.count = min(count, kMostCandidates);
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads)
    select_candidates_kernel(GraphView graph, Vertex around, CliqueScratch* scratch) {
  __shared__ SelectionMemory memory;
  select_candidates(graph, around, memory, scratch->candidates);
}

// Chooses the clique, by the first warp of one block. Thread i holds the bits of 32 candidates. The
// matrix is cleared for the next request.
__device__ void choose_clique(const CliqueCandidates& candidates, Vertex around,
                              CliqueScratch* scratch, CliqueAnswer* answer, const Signal& signal) {
  __shared__ unsigned matrix[kMostCandidates * kWords];
  for (unsigned i = threadIdx.x; i < kMostCandidates * kWords; i += kThreads) {
    matrix[i] = __ldcg(&scratch->adjacent[0][i]);
    scratch->adjacent[0][i] = 0;
  }
  __syncthreads();
  if (threadIdx.x >= kWarp) return;
  const unsigned begin = thread_of_warp() * 32,
                 remaining = candidates.count - min(candidates.count, begin);
  unsigned eligible =
      remaining >= 32 ? ~0u
                      : (1u << remaining) - 1;  // adjacent to all taken so far, and not tried yet
  unsigned taken = 1;
  if (thread_of_warp() == 0) answer->members[0] = around;
  for (unsigned warp_mask = __ballot_sync(~0u, eligible != 0); warp_mask != 0 && taken < kMostTaken;
       warp_mask = __ballot_sync(~0u, eligible != 0)) {
    const unsigned first = __ffs(warp_mask) - 1,
                   i = 32 * first + __ffs(__shfl_sync(~0u, eligible, first)) - 1;
    if (thread_of_warp() == first) eligible &= eligible - 1;
    eligible &= thread_of_warp() < kWords ? matrix[i * kWords + thread_of_warp()] : 0;
    if (thread_of_warp() == 0) answer->members[taken] = candidates.vertices[i];
    ++taken;
  }
  if (thread_of_warp() != 0) return;
  answer->count = taken;
  signal.give();
  scratch->blocks_done = 0;
}

// Each team tests the adjacency of one candidate for the other candidates; the last block to finish
// chooses the clique. If there are few neighbours, every block selects the candidates itself, which
// is faster than a second kernel.
__global__ void __launch_bounds__(kThreads)
    clique_kernel(GraphView graph, Vertex around, bool is_selected, CliqueScratch* scratch,
                  CliqueAnswer* answer, Signal signal) {
  __shared__ SelectionMemory selection;
  __shared__ CliqueCandidates candidates;
  __shared__ Vertex slots[kSlots];      // a hash table of the candidates …
  __shared__ unsigned numbers[kSlots];  // … and their ranks
  __shared__ bool last;
  const auto slot_of = [](Vertex v) { return v * 2654435761u >> 22; };
  for (unsigned i = threadIdx.x; i < kSlots; i += kThreads) slots[i] = kNoVertex;
  if (is_selected) {
    if (threadIdx.x < kMostCandidates)
      candidates.vertices[threadIdx.x] = scratch->candidates.vertices[threadIdx.x];
    if (threadIdx.x == 0) candidates.count = scratch->candidates.count;
    __syncthreads();
  } else {
    select_candidates(graph, around, selection, candidates);
  }
  if (threadIdx.x < candidates.count) {
    unsigned slot = slot_of(candidates.vertices[threadIdx.x]);
    while (atomicCAS(&slots[slot], kNoVertex, candidates.vertices[threadIdx.x]) != kNoVertex)
      slot = (slot + 1) % kSlots;
    numbers[slot] = threadIdx.x;
  }
  __syncthreads();
  for (unsigned i = blockIdx.x + gridDim.x * (threadIdx.x / kTeam); i < candidates.count;
       i += gridDim.x * kTeams) {
    const GraphView::Range range = graph.range(candidates.vertices[i]);
    const uint4* const quads = graph.quads(range);
    for (Vertex q = threadIdx.x % kTeam; q < GraphView::quad_count(range.degree); q += kTeam) {
      const uint4 quad = quads[q];
      for (const Vertex u :
           {quad.x, quad.y, quad.z, quad.w}) {  // padding is the vertex itself, and harmless
        unsigned slot = slot_of(u);
        while (slots[slot] != u && slots[slot] != kNoVertex) slot = (slot + 1) % kSlots;
        if (slots[slot] == u)
          atomicOr(&scratch->adjacent[i][numbers[slot] / 32], 1u << numbers[slot] % 32);
      }
    }
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&scratch->blocks_done, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  choose_clique(candidates, around, scratch, answer, signal);
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
  const bool selects_first = degree > kMostSorted;
  if (selects_first)
    select_candidates_kernel<<<1, kThreads, 0, context_.stream()>>>(graph_, v, scratch_.data());
  const auto blocks = std::min(static_cast<unsigned>(context_.multiprocessors()), kMostCandidates);
  clique_kernel<<<blocks, kThreads, 0, context_.stream()>>>(graph_, v, selects_first,
                                                            scratch_.data(), answer, signal);
  check(cudaGetLastError(), "launching a kernel");
  context_.await(signal);
  return {answer->members, answer->members + answer->count};
}

}  // namespace antipode::cuda
