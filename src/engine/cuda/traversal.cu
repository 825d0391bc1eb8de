#include "engine/cuda/traversal.hpp"

#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/search_level.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kThreads = 1024;

// How the next level is done: by one block alone, pushed, pulled; or the frontier only goes from the bitmaps into the queue.
enum class Manner : unsigned { alone, push, pull, queue, over };

// The frontier, and where the search has come to.
struct State {
  Distance level = 0;
  Vertex reached = 1, size = 1, size_before = 1, farthest = kNoVertex;
  Manner manner = Manner::alone;
  unsigned long long base = 0, count = 0;    // its entries in the queue
  unsigned long long arcs = 0, visited_arcs = 0;
  unsigned long long pull_time = 0, push_time = 0;  // nanoseconds that pulls have taken, and that pushes would have, by the clock of block 0
  bool pulled = false;                       // it is in the bitmaps, not in the queue
  bool flipped = false;                      // the bitmaps have changed places
  bool may_pull = true;
  bool ended = false;
  unsigned unused = 0;                       // no byte without a value: other blocks read it word by word

  __device__ void advance(Vertex vertices, unsigned long long found_arcs, Vertex least) {
    ended = vertices == 0;
    if (ended) return;
    ++level;
    size_before = size;
    size = vertices;
    reached += vertices;
    arcs = found_arcs;
    visited_arcs += found_arcs;
    farthest = least;
  }
};

}  // namespace

struct SearchControl {
  Found found[3];                            // this level's, the next one's, and the one being cleared
  State alone;                               // where a block that went on alone has come to
};

// What the host wants to know; the sizes of levels as far as most searches go.
struct SearchAnswer {
  Vertex levels, farthest;
  unsigned in_vain;
  Vertex level_sizes[1024];
};
static_assert(sizeof(SearchAnswer) <= Context::kPinned);

namespace {

constexpr Found kNothing{0, 0, 0, 0, kNoVertex};

__host__ __device__ std::size_t bitmap_words(Vertex order) { return std::size_t{order} / 32 + 1; }

__device__ Marks marks_of(const SearchJob& job, bool flipped) {
  unsigned* const other = job.marks + bitmap_words(job.graph.order);
  return flipped ? Marks{other, job.marks} : Marks{job.marks, other};
}

__device__ bool worth_pulling(const SearchJob& job, const State& state) {
  if (!state.may_pull) return false;
  if (state.pulled) return state.size >= state.size_before || state.size >= job.graph.order / job.tuning.pull_size;
  if (state.arcs < job.tuning.pull_arcs) return false;
  // Vertices not reached look at so many neighbours before they meet the frontier, unless they have fewer.
  const unsigned long long arcs = job.graph.arcs, left = arcs - min(arcs, state.visited_arcs);
  const unsigned long long mean_degree = job.graph.arcs / job.graph.order, looks = min(left / state.arcs, mean_degree) + 1;
  return (job.graph.order - state.reached) * looks < state.arcs * job.tuning.pull_gain;
}

__device__ Manner next_manner(const SearchJob& job, const State& state) {
  if (state.ended || state.reached == job.graph.order || state.level == job.limit) return Manner::over;
  if (worth_pulling(job, state)) return Manner::pull;
  if (state.pulled) return Manner::queue;
  return state.arcs < job.tuning.alone_arcs ? Manner::alone : Manner::push;
}

// Thin levels, by one block: its threads meet at the block's own barrier, and the queue is in its shared memory. Goes on until a level is
// wide or the search ends.
__device__ void go_on_alone(const SearchJob& job, State state) {
  __shared__ std::uint64_t queue[2][BlockQueue::kRoom];
  __shared__ Tally reports[3];               // this level's, the next one's, and the one being cleared
  __shared__ unsigned entries[3];
  if (threadIdx.x < 3) {
    reports[threadIdx.x] = Tally();
    entries[threadIdx.x] = 0;
  }
  for (unsigned i = threadIdx.x; i < state.count; i += kThreads) queue[0][i] = job.queue[state.base + i];
  std::uint64_t* const spill = job.queue + state.base + state.count;
  const Reaching claims{job.graph, job.row, marks_of(job, state.flipped).seen};
  __syncthreads();
  unsigned round = 0;
  do {
    const unsigned slot = round % 3, cleared = (round + 1) % 3;
    if (threadIdx.x == 0) {
      reports[cleared] = Tally();
      entries[cleared] = 0;
    }
    const BlockQueue levels{queue[round % 2], queue[(round + 1) % 2], spill, static_cast<unsigned>(state.count), &entries[slot]};
    Tally tally;
    push<2>(claims, state.level + 1, levels, threadIdx.x / kWarp, kThreads / kWarp, tally);
    add_up(tally, reports[slot]);
    __syncthreads();
    state.advance(reports[slot].vertices, reports[slot].arcs, reports[slot].least);
    if (state.ended) break;
    state.count = entries[slot];
    if (threadIdx.x == 0) job.level_sizes[state.level] = state.size;
    ++round;
  } while (state.arcs < 2 * job.tuning.alone_arcs && state.count <= BlockQueue::kRoom && state.reached < job.graph.order && state.level < job.limit);
  state.base = static_cast<unsigned long long>(spill - job.queue);
  for (unsigned i = threadIdx.x; i < min(static_cast<unsigned>(state.count), BlockQueue::kRoom); i += kThreads) spill[i] = queue[round % 2][i];
  if (threadIdx.x == 0) job.control->alone = state;
}

// The GPU's memory as a search wants it.
__device__ void prepare(const SearchJob& job, std::size_t thread, std::size_t threads) {
  for (std::size_t v = thread; v < job.graph.order; v += threads) job.row[v] = kUnreached;
  for (std::size_t w = thread; w < bitmap_words(job.graph.order); w += threads) job.marks[w] = 0;
  if (thread < std::size(job.control->found)) job.control->found[thread] = kNothing;
  if (thread == 0) job.level_sizes[0] = job.source_count;
}

// The sources are offered by one warp; what it found, everybody reads.
__device__ void enter_sources(const SearchJob& job, Found& found) {
  const GridQueue queue{nullptr, job.queue, 0, &found.entries};
  Tally tally;
  for (unsigned first = 0; first < job.source_count; first += kWarp) {
    const Vertex source[1] = {first + lane() < job.source_count ? job.sources[first + lane()] : kNobody};
    offer(Reaching{job.graph, job.row, job.marks}, 0, source, queue, tally);
  }
  atomicAdd(&found.arcs, static_cast<unsigned long long>(tally.arcs));
  atomicMin(&found.least, tally.least);
}

__device__ State first_state(const SearchJob& job, const Found& found) {
  State state;
  state.reached = state.size = state.size_before = job.source_count;
  state.farthest = found.least;
  state.arcs = state.visited_arcs = found.arcs;
  state.count = found.entries;
  state.may_pull = job.may_pull;
  state.manner = next_manner(job, state);
  return state;
}

// What the block found goes to all.
__device__ void publish(Tally& report, Found& found) {
  if (report.vertices == 0 && report.looked_at == 0) return;
  atomicAdd(&found.vertices, report.vertices);
  atomicAdd(&found.arcs, static_cast<unsigned long long>(report.arcs));
  atomicAdd(&found.looked_at, static_cast<unsigned long long>(report.looked_at));
  atomicMin(&found.least, report.least);
  report = Tally();
}

// After a level that all have done together.
__device__ void go_on(const SearchJob& job, State& state, const Found& found, unsigned long long nanoseconds) {
  const bool pulled = state.manner == Manner::pull;
  if (state.manner == Manner::queue) {
    state.arcs = found.arcs;
    state.visited_arcs = job.graph.arcs / job.graph.order * state.reached;
  } else {
    if (pulled) {
      state.pull_time += nanoseconds;
      state.push_time += job.tuning.level_time + state.arcs / job.tuning.push_rate;
      if (found.looked_at > job.tuning.vain_factor * state.arcs) state.may_pull = false;
    }
    const unsigned long long mean_degree = job.graph.arcs / job.graph.order + 1;
    state.advance(found.vertices, pulled ? found.vertices * mean_degree : found.arcs, found.least);
  }
  if (pulled) {
    state.flipped = !state.flipped;
  } else {
    state.base += state.count;
    state.count = found.entries;
  }
  state.pulled = pulled;
}

__global__ void __launch_bounds__(kThreads, 1) search_kernel(const __grid_constant__ SearchJob job) {
  const cg::grid_group grid = cg::this_grid();
  const std::size_t thread = grid.thread_rank(), threads = grid.size();
  const unsigned warp = static_cast<unsigned>(thread / kWarp), warps = static_cast<unsigned>(threads / kWarp);
  __shared__ Tally report;                   // of this block, for one level
  __shared__ State state;                    // the first thread of every block computes the same: thousands of warps must not all ask the same memory
  prepare(job, thread, threads);
  grid.sync();
  if (warp == 0) enter_sources(job, job.control->found[0]);
  grid.sync();
  if (threadIdx.x == 0) {
    report = Tally();
    state = first_state(job, fresh_copy(&job.control->found[0]));
  }
  __syncthreads();
  for (std::uint64_t round = 1; state.manner != Manner::over && round <= 2 * std::uint64_t{job.graph.order} + 2; ++round) {
    Found& found = job.control->found[round % 3];
    if (thread == 0) job.control->found[(round + 1) % 3] = kNothing;
    if (state.manner == Manner::alone) {
      if (blockIdx.x == 0) go_on_alone(job, state);
      grid.sync();
      if (threadIdx.x == 0) state = fresh_copy(&job.control->alone);
    } else {
      const unsigned long long start = clock_now();
      const Marks marks = marks_of(job, state.flipped);
      const GridQueue queue{job.queue + state.base, job.queue + state.base + state.count, state.count, &found.entries};
      Tally tally;
      switch (state.manner) {
        case Manner::push: push<2>(Reaching{job.graph, job.row, marks.seen}, state.level + 1, queue, warp, warps, tally); break;
        case Manner::pull:
          pull(job, marks, state.level + 1, warp, warps, &found.entries, tally);
          if (job.into.max_degree <= kHugeRow) break;
          grid.sync();
          pull_huge(job, marks, state.level + 1, &found.entries, tally);
          break;
        default: queue_frontier(job, marks, queue, warp, warps, tally);
      }
      add_up(tally, report);
      __syncthreads();
      if (threadIdx.x == 0) publish(report, found);
      grid.sync();
      if (threadIdx.x == 0) {
        go_on(job, state, fresh_copy(&found), clock_now() - start);
        if (thread == 0) job.level_sizes[state.level] = state.size;
      }
    }
    if (threadIdx.x == 0) state.manner = next_manner(job, state);
    __syncthreads();
  }
  if (blockIdx.x != 0) return;
  if (thread == 0) {
    job.answer->levels = state.level + 1;
    job.answer->farthest = state.farthest;
    job.answer->in_vain = !state.may_pull || state.pull_time > state.push_time ? 1 : 0;
  }
  for (unsigned level = threadIdx.x; level <= state.level && level < std::size(job.answer->level_sizes); level += kThreads) job.answer->level_sizes[level] = job.level_sizes[level];
}

// One block walks back from `to`: its threads look at the neighbours for the first that is a step nearer, and each already asks for the
// row of its own, should that be the one.
__global__ void __launch_bounds__(kThreads) path_kernel(GraphView into, const Distance* distances, Vertex to, Vertex* path) {
  __shared__ GraphView::Row row;
  __shared__ Vertex at;
  __shared__ unsigned first[2];              // of this step, and of the next
  if (threadIdx.x == 0) {
    row = into.row(to);
    at = to;
    first[0] = first[1] = kNobody;
  }
  __syncthreads();
  for (Distance d = distances[to];; --d) {
    if (threadIdx.x == 0) path[d] = at;
    if (d == 0) return;
    unsigned& found = first[d % 2];
    const GraphView::Row here = row;
    for (Vertex begin = 0; begin < here.degree; begin += kThreads) {
      const Vertex i = begin + threadIdx.x;
      const Vertex u = i < here.degree ? into.targets[here.begin + i] : to;
      const GraphView::Row its = into.row(u);
      if (i < here.degree && distances[u] + 1 == d) atomicMin(&found, i);
      __syncthreads();
      const unsigned nearest = found;
      if (begin + kThreads < here.degree) __syncthreads();  // all have read it
      if (nearest == i) {
        row = its;
        at = u;
      }
      if (nearest != kNobody) break;         // for all threads alike
    }
    if (threadIdx.x == 0) first[(d + 1) % 2] = kNobody;
    __syncthreads();
  }
}

}  // namespace

Traversal::Traversal(const Context& context, const GraphView& graph, const GraphView& into, std::optional<BlockSearches>& blocks, std::optional<ClusterSearch>& clusters)
    : context_(context), graph_(graph), into_(into), blocks_(blocks), clusters_(clusters), queue_(graph.order + graph.arcs / kStretch + 2), marks_(2 * bitmap_words(graph.order)), level_sizes_(std::size_t{graph.order} + 2), huge_(graph.arcs / kHugeRow + 1), control_(1) {
  context.fill_bytes(level_sizes_.data(), 0, level_sizes_.size());
}

Traversal::~Traversal() = default;

std::uint64_t Traversal::bytes(const Graph& graph) { return 8 * (std::uint64_t{graph.order()} + graph.arcs() / kStretch + 2) + 8 * bitmap_words(graph.order()) + 4 * (std::uint64_t{graph.order()} + graph.arcs() / kHugeRow + 3); }

template <class Alone>
std::optional<Search> Traversal::alone(std::optional<Alone>& searches, Vertex source, Distance* row) {
  if (!searches) return std::nullopt;
  const BlockAnswer found = searches->search(source, row, level_sizes_.data());
  if (found.result.overflow == 0) return described(source, found.result.eccentricity + 1, found.result.farthest, found.level_sizes);
  searches.reset();  // the graph is wider than it looked
  return std::nullopt;
}

Search Traversal::search(Vertex source, Distance* row) {
  if (const auto found = alone(blocks_, source, row)) return *found;
  if (const auto found = alone(clusters_, source, row)) return *found;
  const SearchAnswer& answer = together({&source, 1}, kUnreached, row);
  may_pull_ = may_pull_ && answer.in_vain == 0;
  return described(source, answer.levels, answer.farthest, answer.level_sizes);
}

void Traversal::distances_to_nearest(std::span<const Vertex> sources, Distance limit, Distance* row) { together(sources, limit, row); }

const SearchAnswer& Traversal::together(std::span<const Vertex> sources, Distance limit, Distance* row) {
  auto* const answer = static_cast<SearchAnswer*>(context_.pinned());
  SearchJob job{graph_, into_, row, queue_.data(), marks_.data(), huge_.data(), level_sizes_.data(), control_.data(), answer, tuning_, limit, may_pull_, static_cast<unsigned>(sources.size()), {}};
  std::copy(sources.begin(), sources.end(), job.sources);
  context_.launch_together(search_kernel, kThreads, 0, job);
  context_.finish();
  return *answer;
}

// What the host says of a search. The sizes of its levels are on the GPU, and the first of them here if `known_sizes` holds any.
Search Traversal::described(Vertex source, Vertex levels, Vertex farthest, std::span<const Vertex> known_sizes) {
  Search result;
  result.source = source;
  result.eccentricity = levels - 1;
  result.farthest = farthest;
  if (levels <= known_sizes.size()) {
    result.level_sizes.assign(known_sizes.begin(), known_sizes.begin() + levels);
  } else {
    result.level_sizes.resize(levels);
    context_.download(std::span<Vertex>(result.level_sizes), level_sizes_.data());
  }
  for (std::size_t level = 0; level < result.level_sizes.size(); ++level) {
    result.reached += result.level_sizes[level];
    result.distance_sum += level * result.level_sizes[level];
  }
  return result;
}

std::vector<Vertex> Traversal::path(const Distance* row, Vertex to) {
  const Distance distance = context_.value(row + to);
  if (distance == kUnreached) return {};
  if (path_.size() <= distance) path_ = Buffer<Vertex>(std::size_t{distance} + 1);
  const PackedRow* const rows = into_.targets != graph_.targets ? nullptr : blocks_ ? blocks_->rows() : clusters_ ? clusters_->rows() : nullptr;
  if (rows != nullptr) {
    walk_back(context_, graph_, rows, row, to, path_.data());
  } else {
    path_kernel<<<1, kThreads, 0, context_.stream()>>>(into_, row, to, path_.data());
    check(cudaGetLastError(), "launching a kernel");
  }
  std::vector<Vertex> result(std::size_t{distance} + 1);
  context_.download(std::span<Vertex>(result), path_.data());
  return result;
}

}  // namespace antipode::cuda
