#include "engine/cuda/search/grid/traversal.hpp"

#include <algorithm>

#include "engine/cuda/device/reduce.hpp"
#include "engine/cuda/search/grid/search_steps.hpp"
#include "engine/cuda/search/resident/slice_search.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

__global__ void __launch_bounds__(kSearchThreads, 1)
    search_kernel(const __grid_constant__ SearchJob job) {
  extern __shared__ uint4 memory_words[];
  GridSearchMemory& memory = *reinterpret_cast<GridSearchMemory*>(memory_words);
  const cg::grid_group grid = cg::this_grid();
  const std::size_t thread = grid.thread_rank();
  const unsigned warp = static_cast<unsigned>(thread / kWarp),
                 warps = static_cast<unsigned>(grid.size() / kWarp);
  __shared__ Vertex tried[VertexClaims::kTried];
  // The first thread of every block computes the same state: thousands of warps must not all read
  // one address.
  __shared__ SearchState state;
  for (unsigned i = threadIdx.x; i < VertexClaims::kTried; i += kSearchThreads)
    tried[i] = kNoVertex;
  begin_search(job, state);
  grid.sync();
  for (std::uint64_t round = 1;
       state.mode != LevelMode::over && round <= 2 * std::uint64_t{job.graph.order} + 2; ++round) {
    LevelTotals& totals = job.control->totals[round % 3];
    if (thread == 0) job.control->totals[(round + 1) % 3] = kNoTotals;
    const Marks marks = marks_of(job, state.flipped);
    const VertexClaims claims{
        .graph = job.graph, .distances = job.distances, .seen = marks.seen, .tried = tried};
    if (state.mode == LevelMode::alone) {
      if (blockIdx.x == 0) continue_on_block(job, state, claims, memory.lone);
      grid.sync();
      if (threadIdx.x == 0) state = fresh_copy(&job.control->alone);
    } else {
      const unsigned long long start = clock_now();
      run_level(job, state, claims, marks, memory, totals, warp, warps);
      grid.sync();
      if (threadIdx.x == 0) {
        finish_level(job, state, fresh_copy(&totals), clock_now() - start);
        if (thread == 0) job.level_sizes[state.level] = state.size;
      }
    }
    if (threadIdx.x == 0) state.mode = next_mode(job, state);
    __syncthreads();
  }
  if (blockIdx.x != 0) return;
  if (thread == 0) {
    job.control->ends[0] = {
        .source = job.sources[0], .eccentricity = state.level, .farthest = state.farthest};
    job.answer->source = job.sources[0];
    job.answer->levels = state.level + 1;
    job.answer->farthest = state.farthest;
    job.answer->stop_pulling = !state.may_pull || state.pull_time > state.push_time ? 1 : 0;
  }
  for (unsigned level = threadIdx.x;
       level <= state.level && level < std::size(job.answer->level_sizes); level += kSearchThreads)
    job.answer->level_sizes[level] = job.level_sizes[level];
  __syncthreads();
  if (thread == 0) job.signal.give();
}

float mean_degree(const GraphView& graph) {
  return static_cast<float>(graph.arcs) / static_cast<float>(std::max<Vertex>(graph.order, 1));
}

// Mean degree of the vertices at the ends of arcs, each weighted by its entering arcs.
float mean_neighbour_degree(const Context& context, const GraphView& graph, const GraphView& into) {
  if (graph.arcs == 0) return 0;
  const auto all = Reducer(context).reduce(
      graph.order, 0ull,
      [] __device__(unsigned long long a, unsigned long long b) { return a + b; },
      [graph, into] __device__(Vertex v) {
        return std::uint64_t{into.degree(v)} * graph.degree(v);
      });
  return static_cast<float>(all) / static_cast<float>(graph.arcs);
}

// Largest dynamic shared memory of a block, and what a search uses: more than GridSearchMemory only
// for a bitmap if degrees are even. (Otherwise hubs lead to a pull before a level is scattered.)
// Shared memory is taken from the L1 cache of all levels.
std::size_t most_shared_bytes(const Context& context) {
  return context.shared_bytes() - (sizeof(Vertex) * VertexClaims::kTried + 1024);
}
constexpr unsigned kScatteredDegree = 16;  // least mean degree for scattered levels
std::size_t shared_bytes(const Context& context, Vertex order, float mean_degree,
                         float neighbour_degree) {
  constexpr float kEven = 2;
  const std::size_t with_bitmap =
      std::max(bitmap_words(order) * sizeof(unsigned), sizeof(GridSearchMemory) + 1);
  return mean_degree > kScatteredDegree && neighbour_degree < kEven * mean_degree &&
                 with_bitmap <= most_shared_bytes(context)
             ? with_bitmap
             : sizeof(GridSearchMemory);
}

}  // namespace

Traversal::Traversal(const Context& context, const GraphView& graph, const GraphView& into,
                     SearchKernels& kernels)
    : context_(context),
      graph_(graph),
      into_(into),
      kernels_(kernels),
      queue_(graph.order + graph.arcs / kChunkArcs + 2),
      marks_(2 * bitmap_words(graph.order)),
      level_sizes_(kSearchSlots * (std::size_t{graph.order} + 2)),
      mean_degree_(mean_degree(graph)),
      neighbour_degree_(mean_neighbour_degree(context, graph, into)),
      shared_bytes_(shared_bytes(context, graph.order, mean_degree_, neighbour_degree_)),
      scattered_(shared_bytes_ > sizeof(GridSearchMemory)
                     ? static_cast<std::size_t>(context.multiprocessors()) *
                           bitmap_quads(graph.order)
                     : 0),
      control_(1) {
  context.fill_bytes(level_sizes_.data(), 0, level_sizes_.size());
  check(cudaFuncSetAttribute(search_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(most_shared_bytes(context))),
        "making room in shared memory");
}

Traversal::~Traversal() = default;

std::uint64_t Traversal::bytes(const Graph& graph) {
  const std::uint64_t bitmap = sizeof(unsigned) * bitmap_words(graph.order());
  const bool may_scatter =
      graph.arcs() > kScatteredDegree * std::uint64_t{graph.order()} &&
      bitmap <= static_cast<std::uint64_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  return 8 * (std::uint64_t{graph.order()} + graph.arcs() / kChunkArcs + 2) + 2 * bitmap +
         12 * (std::uint64_t{graph.order()} + 2) +
         (may_scatter
              ? bitmap * static_cast<std::uint64_t>(attribute(cudaDevAttrMultiProcessorCount))
              : 0);
}

Search Traversal::search(Vertex source, Distance* distances) {
  if (const auto answer = kernels_.search_single(source, distances, level_sizes_.data()))
    return to_search(source, answer->result.eccentricity + 1, answer->result.farthest,
                     answer->level_sizes);
  start(source, distances);
  if (kernels_.resident() != nullptr) {
    context_.finish();
  } else {
    context_.await(done_);
  }
  return outcome();
}

const SearchOutcome* Traversal::start(Vertex source, Distance* distances,
                                      const CandidateProbe& probe) {
  launch({&source, 1}, kUnreached, distances, &control_.data()->ends[0], probe);
  return ends();
}

const SearchOutcome* Traversal::start_next(const SearchOutcome* from, Distance* distances,
                                           const CancelFlags& cancel, AnswerSlot slot,
                                           const CandidateProbe& probe) {
  kernels_.resident()->start({}, kUnreached, from, distances, level_sizes(slot),
                             &control_.data()->ends[static_cast<std::size_t>(slot)], cancel, probe,
                             static_cast<SearchAnswer*>(context_.pinned(slot)));
  return ends(slot);
}

const SearchOutcome* Traversal::ends(AnswerSlot slot) const {
  return &control_.data()->ends[static_cast<std::size_t>(slot)];
}

Search Traversal::outcome(AnswerSlot slot) {
  const SearchAnswer& answer = *static_cast<const SearchAnswer*>(context_.pinned(slot));
  may_pull_ = may_pull_ && answer.stop_pulling == 0;
  return to_search(answer.source, answer.levels, answer.farthest, answer.level_sizes, slot);
}

void Traversal::distances_to_nearest(std::span<const Vertex> sources, Distance limit,
                                     Distance* distances) {
  launch(sources, limit, distances, &control_.data()->nearest_ends);
}

void Traversal::launch(std::span<const Vertex> sources, Distance limit, Distance* distances,
                       SearchOutcome* ends, const CandidateProbe& probe) {
  auto* const answer = static_cast<SearchAnswer*>(context_.pinned());
  if (SliceSearch* const resident = kernels_.resident())
    return resident->start(sources, limit, nullptr, distances, level_sizes_.data(), ends, {}, probe,
                           answer);
  SearchJob job{.graph = graph_,
                .into = into_,
                .distances = distances,
                .queue = queue_.data(),
                .marks = marks_.data(),
                .scattered = scattered_.data(),
                .level_sizes = level_sizes_.data(),
                .control = control_.data(),
                .answer = answer,
                .signal = done_ = context_.next_signal(),
                .mean_degree = mean_degree_,
                .neighbour_degree = neighbour_degree_,
                .limit = limit,
                .may_pull = may_pull_,
                .source_count = static_cast<unsigned>(sources.size()),
                .sources = {}};
  std::copy(sources.begin(), sources.end(), job.sources);
  context_.launch_cooperative(search_kernel, kSearchThreads, shared_bytes_, job);
}

// The search as the host reports it. The sizes of all levels are on the GPU; the first are in
// `known_sizes`, if it holds any.
Search Traversal::to_search(Vertex source, Vertex levels, Vertex farthest,
                            std::span<const Vertex> known_sizes, AnswerSlot slot) {
  Search result;
  result.source = source;
  result.eccentricity = levels - 1;
  result.farthest = farthest;
  if (levels <= known_sizes.size()) {
    result.level_sizes.assign(known_sizes.begin(), known_sizes.begin() + levels);
  } else {
    result.level_sizes.resize(levels);
    context_.download(std::span<Vertex>(result.level_sizes), level_sizes(slot));
  }
  for (std::size_t level = 0; level < result.level_sizes.size(); ++level) {
    result.reached += result.level_sizes[level];
    result.distance_sum += level * result.level_sizes[level];
  }
  return result;
}

}  // namespace antipode::cuda
