#include "engine/cuda/search/grid/traversal.hpp"

#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/device/reduce.hpp"
#include "engine/cuda/search/grid/lone_levels.hpp"
#include "engine/cuda/search/grid/pull_level.hpp"
#include "engine/cuda/search/resident/slice_search.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kThreads = 768;  // more would have too few registers each

constexpr Found kNothing{0, 0, 0, 0, kNoVertex};

__host__ __device__ std::size_t bitmap_words(Vertex order) {
  return 4 * std::size_t{bitmap_quads(order)};
}

__device__ Marks marks_of(const SearchJob& job, bool flipped) {
  unsigned* const other = job.marks + bitmap_words(job.graph.order);
  return flipped ? Marks{other, job.marks} : Marks{job.marks, other};
}

// Room for the first level's entries, counted by every block on its own and written by the first.
struct FirstQueue {
  using Place = unsigned;
  std::uint64_t* next;
  unsigned* used;
  __device__ Place reserve(unsigned entries) const { return atomicAdd(used, entries); }
  __device__ void put(Place place, unsigned i, AdjacencyChunk stretch) const {
    if (blockIdx.x == 0) next[place + i] = stretch.packed();
  }
};

constexpr unsigned kUnit = PullMemory::kUnit * 32;  // vertices that belong to the same block

// A block's share of the GPU's memory as a search wants it: nobody is reached.
__device__ void clear(const SearchJob& job) {
  const unsigned units = job.graph.order / kUnit + 1,
                 mine = (units - min(units, blockIdx.x) + gridDim.x - 1) / gridDim.x;
  for (unsigned i = threadIdx.x; i < mine * kUnit; i += kThreads) {
    const std::size_t v = (blockIdx.x + std::size_t{i / kUnit} * gridDim.x) * kUnit + i % kUnit;
    if (v < job.graph.order) job.row[v] = kUnreached;
    if (v % 32 == 0 && v / 32 < bitmap_words(job.graph.order))
      job.marks[v / 32] = job.marks[bitmap_words(job.graph.order) + v / 32] = 0;
  }
}

// By the block that has cleared it.
__device__ void reach(const SearchJob& job, Vertex v, Distance level) {
  if (v / kUnit % gridDim.x != blockIdx.x) return;
  job.row[v] = level;
  atomicOr(&job.marks[v / 32], 1u << v % 32);
}

// Where a search begins: with its sources, or with the neighbours of the only one, who are all new.
// Every block computes the same.
__device__ void begin(const SearchJob& job, SearchState& state) {
  __shared__ LevelCount report;
  __shared__ unsigned entries;
  const GraphView::Range row =
      job.source_count == 1 ? job.graph.row(job.sources[0]) : GraphView::Range{0, 0};
  const bool is_ahead = row.degree > 0 && row.degree <= kThreads && job.limit > 0;
  const unsigned count = is_ahead ? row.degree : job.source_count;
  const bool mine = threadIdx.x < count;
  const Vertex v = !mine      ? 0
                   : is_ahead ? job.graph.targets[row.begin + threadIdx.x]
                              : job.sources[threadIdx.x];
  const std::uint64_t packed = mine ? job.graph.rows[v] : 0;
  if (threadIdx.x == 0) {
    report = LevelCount();
    entries = 0;
  }
  clear(job);
  __syncthreads();
  if (threadIdx.x < job.source_count) reach(job, job.sources[threadIdx.x], 0);
  if (mine && is_ahead) reach(job, v, 1);
  LevelCount tally;
  if (mine) tally.found(v, GraphView::short_row(packed).degree);
  append<1>(job.graph, {v}, {packed}, FirstQueue{job.queue, &entries});
  add_up(tally, report);
  __syncthreads();
  if (threadIdx.x != 0) return;
  state = SearchState();
  state.reached = state.size = state.size_before = job.source_count;
  if (is_ahead) state.advance(report.vertices, report.arcs, report.least);
  state.farthest = report.least;
  state.arcs = report.arcs;
  state.visited_arcs = report.arcs + std::uint64_t{is_ahead ? row.degree : 0};
  state.count = entries;
  state.may_pull = job.may_pull;
  state.mode = next_mode(job, state);
  if (blockIdx.x != 0) return;
  job.level_sizes[0] = job.source_count;
  job.level_sizes[state.level] = state.size;
  for (Found& found : job.control->found) found = kNothing;
}

// What the block found goes to all.
__device__ void publish(const LevelCount& report, Found& found) {
  if (report.vertices == 0 && report.looked_at == 0) return;
  atomicAdd(&found.vertices, report.vertices);
  atomicAdd(&found.arcs, static_cast<unsigned long long>(report.arcs));
  atomicAdd(&found.looked_at, static_cast<unsigned long long>(report.looked_at));
  atomicMin(&found.least, report.least);
}

// After a level that all have done together.
__device__ void go_on(const SearchJob& job, SearchState& state, const Found& found,
                      unsigned long long nanoseconds) {
  state.pulled = state.mode == LevelMode::pull || state.mode == LevelMode::scatter;
  state.flipped ^= state.pulled;
  state.queued = state.mode == LevelMode::push || state.mode == LevelMode::queue;
  switch (state.mode) {
    case LevelMode::queue:
      state.arcs = found.arcs;
      state.visited_arcs =
          static_cast<unsigned long long>(job.mean_degree * static_cast<float>(state.reached));
      break;
    case LevelMode::pull:
      state.pull_time += nanoseconds;
      state.push_time += TraversalTuning::kLevelTime + state.arcs / TraversalTuning::kPushRate;
      if (found.looked_at > TraversalTuning::kVainFactor * state.arcs &&
          found.looked_at > job.graph.order)
        state.may_pull = false;  // fewer looks cost nothing
      state.advance(found.vertices,
                    static_cast<unsigned long long>(static_cast<float>(found.vertices) *
                                                    (job.mean_degree + 1)),
                    found.least);
      return;
    case LevelMode::mark:
    case LevelMode::scatter:
      state.advance(found.vertices,
                    static_cast<unsigned long long>(
                        likely_arcs(job, state, static_cast<float>(found.vertices))),
                    found.least);
      break;
    default:
      state.advance(found.vertices, found.arcs, found.least);
  }
  state.base += state.count;
  state.count = found.entries;
}

// What a block has in shared memory: one at a time.
union BlockMemory {
  __device__ BlockMemory() {}
  LoneBlockMemory lone;
  PullMemory pull;
  struct {
    std::uint64_t waiting[GatheringQueue::kRoom];
    SharedPush push;
  } wide;
};
static_assert(kMostStarts <= kThreads && kThreads <= SharedPush::kMostThreads);
static_assert(sizeof(BlockMemory) + sizeof(Vertex) * VertexClaims::kTried + 1024 <=
              99 * 1024);  // what the smallest GPUs have for a block

// A level by all, until each has told the others what it found.
__device__ void level_together(const SearchJob& job, const SearchState& state,
                               const VertexClaims& claims, const Marks& marks, BlockMemory& memory,
                               Found& found, unsigned warp, unsigned warps) {
  __shared__ LevelCount report;
  __shared__ unsigned waiting_count;
  if (threadIdx.x == 0) {
    report = LevelCount();
    waiting_count = 0;
  }
  __syncthreads();
  const GridQueue queue{job.queue + state.base, job.queue + state.base + state.count, state.count,
                        &found.entries};
  const GatheringQueue gathering{queue, memory.wide.waiting, &waiting_count};
  const Distance level = state.level + 1;
  const bool gathers =
      state.mode == LevelMode::queue ||
      (state.mode == LevelMode::push &&
       max(state.count, state.arcs / kWarp) > min(TraversalTuning::kFewEntries, warps));
  LevelCount tally;
  if (state.mode == LevelMode::pull) {
    Pull(job, marks, level, memory.pull, tally).run(state.reached < job.graph.order / 2);
  } else if (state.mode == LevelMode::queue) {
    queue_frontier(job, marks, state.pulled, state.level, gathering, warp, warps, tally);
  } else if (state.mode == LevelMode::mark) {
    if (state.count <= warps) {
      push_few<2>(claims, level, MarksAlone{queue}, warp, warps, tally);
    } else {
      for_each_arc<4>(job.graph, queue, warp, warps, [&](const Vertex(&u)[4]) {
        offer(claims, level, u, MarksAlone{queue}, tally);
      });
    }
  } else if (state.mode == LevelMode::scatter) {
    scatter(job, queue, reinterpret_cast<uint4*>(&memory), warp, warps);
    cg::this_grid().sync();
    collect(job, marks, level, warp, warps, tally);
  } else if (!gathers) {
    push_few<2>(claims, level, ThinGridQueue{queue}, warp, warps, tally);
  } else if (state.count <= warps) {
    push_few<2>(claims, level, gathering, warp, warps, tally);
  } else {
    push_shared<2>(claims, level, gathering, memory.wide.push, tally);
  }
  add_up(tally, report);
  __syncthreads();
  if (threadIdx.x == 0) publish(report, found);
  if (gathers) gathering.hand_over();
}

__global__ void __launch_bounds__(kThreads, 1)
    search_kernel(const __grid_constant__ SearchJob job) {
  extern __shared__ uint4 memory_words[];
  BlockMemory& memory = *reinterpret_cast<BlockMemory*>(memory_words);
  const cg::grid_group grid = cg::this_grid();
  const std::size_t thread = grid.thread_rank();
  const unsigned warp = static_cast<unsigned>(thread / kWarp),
                 warps = static_cast<unsigned>(grid.size() / kWarp);
  __shared__ Vertex tried[VertexClaims::kTried];
  __shared__ SearchState state;  // the first thread of every block computes the same: thousands of
                                 // warps must not all ask the same memory
  for (unsigned i = threadIdx.x; i < VertexClaims::kTried; i += kThreads) tried[i] = kNoVertex;
  begin(job, state);
  grid.sync();
  for (std::uint64_t round = 1;
       state.mode != LevelMode::over && round <= 2 * std::uint64_t{job.graph.order} + 2; ++round) {
    Found& found = job.control->found[round % 3];
    if (thread == 0) job.control->found[(round + 1) % 3] = kNothing;
    const Marks marks = marks_of(job, state.flipped);
    const VertexClaims claims{job.graph, job.row, marks.seen, tried};
    if (state.mode == LevelMode::alone) {
      if (blockIdx.x == 0) go_on_alone(job, state, claims, memory.lone);
      grid.sync();
      if (threadIdx.x == 0) state = fresh_copy(&job.control->alone);
    } else {
      const unsigned long long start = clock_now();
      level_together(job, state, claims, marks, memory, found, warp, warps);
      grid.sync();
      if (threadIdx.x == 0) {
        go_on(job, state, fresh_copy(&found), clock_now() - start);
        if (thread == 0) job.level_sizes[state.level] = state.size;
      }
    }
    if (threadIdx.x == 0) state.mode = next_mode(job, state);
    __syncthreads();
  }
  if (blockIdx.x != 0) return;
  if (thread == 0) {
    job.control->ends[0] = {job.sources[0], state.level, state.farthest};
    job.answer->source = job.sources[0];
    job.answer->levels = state.level + 1;
    job.answer->farthest = state.farthest;
    job.answer->in_vain = !state.may_pull || state.pull_time > state.push_time ? 1 : 0;
  }
  for (unsigned level = threadIdx.x;
       level <= state.level && level < std::size(job.answer->level_sizes); level += kThreads)
    job.answer->level_sizes[level] = job.level_sizes[level];
  __syncthreads();
  if (thread == 0) job.signal.give();
}

float mean_degree(const GraphView& graph) {
  return static_cast<float>(graph.arcs) / static_cast<float>(std::max<Vertex>(graph.order, 1));
}

// Of the vertices at the ends of arcs, each as often as arcs enter it.
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

// What a block may have in shared memory, beside what it has in any case; and what it has: a bitmap
// for scattered levels where degrees are even, since hubs lead to a pull before. All levels pay for
// it with a smaller cache.
std::size_t most_shared_bytes(const Context& context) {
  return context.shared_bytes() - (sizeof(Vertex) * VertexClaims::kTried + 1024);
}
constexpr unsigned kScatteredDegree = 16;  // in the mean, at least
std::size_t shared_bytes(const Context& context, Vertex order, float mean_degree,
                         float neighbour_degree) {
  constexpr float kEven = 2;
  const std::size_t with_bitmap =
      std::max(bitmap_words(order) * sizeof(unsigned), sizeof(BlockMemory) + 1);
  return mean_degree > kScatteredDegree && neighbour_degree < kEven * mean_degree &&
                 with_bitmap <= most_shared_bytes(context)
             ? with_bitmap
             : sizeof(BlockMemory);
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
      scattered_(shared_bytes_ > sizeof(BlockMemory)
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

Search Traversal::search(Vertex source, Distance* row) {
  if (const auto found = kernels_.search_alone(source, row, level_sizes_.data()))
    return to_search(source, found->result.eccentricity + 1, found->result.farthest,
                     found->level_sizes);
  start(source, row);
  if (kernels_.resident() != nullptr) {
    context_.finish();
  } else {
    context_.await(done_);
  }
  return outcome();
}

const SearchOutcome* Traversal::start(Vertex source, Distance* row, const CandidateProbe& watched) {
  together({&source, 1}, kUnreached, row, &control_.data()->ends[0], watched);
  return ends();
}

const SearchOutcome* Traversal::start_next(const SearchOutcome* from, Distance* row,
                                           const CancelFlags& cancel, AnswerSlot slot,
                                           const CandidateProbe& watched) {
  kernels_.resident()->start({}, kUnreached, from, row, level_sizes(slot),
                             &control_.data()->ends[static_cast<std::size_t>(slot)], cancel,
                             watched, static_cast<SearchAnswer*>(context_.pinned(slot)));
  return ends(slot);
}

const SearchOutcome* Traversal::ends(AnswerSlot slot) const {
  return &control_.data()->ends[static_cast<std::size_t>(slot)];
}

Search Traversal::outcome(AnswerSlot slot) {
  const SearchAnswer& answer = *static_cast<const SearchAnswer*>(context_.pinned(slot));
  may_pull_ = may_pull_ && answer.in_vain == 0;
  return to_search(answer.source, answer.levels, answer.farthest, answer.level_sizes, slot);
}

void Traversal::distances_to_nearest(std::span<const Vertex> sources, Distance limit,
                                     Distance* row) {
  together(sources, limit, row, &control_.data()->nearest_ends);
}

void Traversal::together(std::span<const Vertex> sources, Distance limit, Distance* row,
                         SearchOutcome* ends, const CandidateProbe& watched) {
  auto* const answer = static_cast<SearchAnswer*>(context_.pinned());
  if (SliceSearch* const resident = kernels_.resident())
    return resident->start(sources, limit, nullptr, row, level_sizes_.data(), ends, {}, watched,
                           answer);
  SearchJob job{graph_,
                into_,
                row,
                queue_.data(),
                marks_.data(),
                scattered_.data(),
                level_sizes_.data(),
                control_.data(),
                answer,
                done_ = context_.next_signal(),
                mean_degree_,
                neighbour_degree_,
                limit,
                may_pull_,
                static_cast<unsigned>(sources.size()),
                {}};
  std::copy(sources.begin(), sources.end(), job.sources);
  context_.launch_together(search_kernel, kThreads, shared_bytes_, job);
}

// What the host says of a search. The sizes of its levels are on the GPU, and the first of them
// here if `known_sizes` holds any.
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
