#include "engine/cuda/traversal.hpp"

#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/search_level.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kThreads = 1024;

// Thin levels, by one block: its threads meet at the block's own barrier. Goes on until a level is wide or the search ends.
__device__ void go_on_alone(const Job& job, State state, Stage& stage) {
  __shared__ Found found[3];
  if (threadIdx.x < 3) found[threadIdx.x] = Found{0, 0, 0, 0};
  __syncthreads();
  bool ended = false;
  for (unsigned round = 0; !ended && state.arcs < 2 * job.tuning.alone_arcs; ++round) {
    Found& mine = found[round % 3];
    if (threadIdx.x == 0) found[(round + 1) % 3] = Found{0, 0, 0, 0};
    Tally tally;
    push(job, state, threadIdx.x / kWarp, kThreads / kWarp, &mine.entries, stage, tally);
    add_up(tally, mine);
    __syncthreads();
    ended = mine.vertices == 0;
    if (ended) break;
    state.base += state.count;
    state.count = mine.entries;
    state.arcs = mine.arcs;
    state.visited_arcs += mine.arcs;
    state.reached += mine.vertices;
    ++state.level;
    if (threadIdx.x == 0) job.level_sizes[state.level] = mine.vertices;
  }
  if (threadIdx.x != 0) return;
  SearchControl& control = *job.control;
  control.base = state.base;
  control.count = state.count;
  control.arcs = state.arcs;
  control.level = state.level;
  control.reached = state.reached;
  control.visited_arcs = state.visited_arcs;
  control.ended = ended ? 1 : 0;
}

__global__ void __launch_bounds__(kThreads, 1) search_kernel(Job job) {
  const cg::grid_group grid = cg::this_grid();
  const std::size_t thread = grid.thread_rank(), threads = grid.size();
  const unsigned warp = static_cast<unsigned>(thread / kWarp), warps = static_cast<unsigned>(threads / kWarp);
  SearchControl& control = *job.control;
  __shared__ Found report;                   // of this block, for one level
  __shared__ std::uint64_t staged[kThreads / kWarp][kStage];
  Stage stage{staged[threadIdx.x / kWarp]};
  if (threadIdx.x == 0) report = Found{0, 0, 0, 0};
  for (std::size_t v = thread; v < job.graph.order; v += threads) job.row[v] = v == job.source ? 0 : kUnreached;
  for (std::size_t w = thread; w <= job.graph.order / 32; w += threads) job.visited[w] = w == job.source / 32 ? 1u << job.source % 32 : 0;
  if (thread == 0) {
    control.found[0] = Found{0, 0, 0, 0};
    control.farthest = kNoVertex;
    job.level_sizes[0] = 1;
  }
  grid.sync();

  State state;
  state.arcs = state.visited_arcs = job.graph.degree(job.source);
  if (warp == 0) {
    Tally known;
    append(job, lane() == 0, job.source, 0, &control.found[0].entries, stage, known);
    flush(job, stage, 0, &control.found[0].entries);
  }
  state.count = (state.arcs + kStretch - 1) / kStretch;
  grid.sync();

  bool may_pull = job.may_pull;
  for (std::uint64_t round = 1; state.reached < job.graph.order && state.arcs > 0 && round <= 2 * std::uint64_t{job.graph.order} + 2; ++round) {
    Found& found = control.found[round % 3];
    if (thread == 0) control.found[(round + 1) % 3] = Found{0, 0, 0, 0};
    if (round == 1) {
      if (thread == 0) found = Found{0, 0, 0, 0};
      grid.sync();
    }
    const unsigned long long left = job.graph.arcs - state.visited_arcs;
    const bool pulls = may_pull && state.arcs >= job.tuning.pull_arcs && state.arcs * job.tuning.pull_share > left;
    if (!pulls && !state.pulled && state.arcs < job.tuning.alone_arcs) {
      if (blockIdx.x == 0) go_on_alone(job, state, stage);
      grid.sync();
      state.base = fresh(&control.base);
      state.count = fresh(&control.count);
      state.arcs = fresh(&control.arcs);
      state.level = fresh(&control.level);
      state.reached = fresh(&control.reached);
      state.visited_arcs = fresh(&control.visited_arcs);
      if (fresh(&control.ended) != 0) break;
      continue;
    }
    Tally tally;
    if (pulls) {
      if (!state.pulled) {
        mark_frontier(job, state, thread, threads);
        grid.sync();
      }
      pull(job, state, warp, warps, tally);
    } else if (state.pulled) {
      queue_frontier(job, warp, warps, state.base + state.count, &found.entries, stage);
      grid.sync();
      state.base += state.count;
      state.count = fresh(&found.entries);
      state.pulled = false;
      continue;  // the frontier has only changed its form
    } else {
      push(job, state, warp, warps, &found.entries, stage, tally);
    }
    add_up(tally, report);
    __syncthreads();
    if (threadIdx.x == 0 && (report.vertices != 0 || report.looked_at != 0)) {
      atomicAdd(&found.arcs, report.arcs);
      atomicAdd(&found.looked_at, report.looked_at);
      atomicAdd(&found.vertices, report.vertices);
      report = Found{0, 0, 0, 0};
    }
    grid.sync();
    const unsigned long long before = state.arcs;
    const Vertex vertices = fresh(&found.vertices);
    if (vertices == 0) break;
    state.arcs = fresh(&found.arcs);
    state.visited_arcs += state.arcs;
    state.reached += vertices;
    ++state.level;
    if (thread == 0) job.level_sizes[state.level] = vertices;
    if (pulls) {
      if (fresh(&found.looked_at) > job.tuning.vain_factor * before) may_pull = false;
      unsigned* const swapped = job.frontier;
      job.frontier = job.next;
      job.next = swapped;
    } else {
      state.base += state.count;
      state.count = fresh(&found.entries);
    }
    state.pulled = pulls;
  }
  grid.sync();
  Vertex farthest = kNoVertex;
  for (std::size_t v = thread; v < job.graph.order; v += threads)
    if (job.row[v] == state.level) farthest = min(farthest, static_cast<Vertex>(v));
  farthest = __reduce_min_sync(~0u, farthest);
  if (lane() == 0 && farthest != kNoVertex) atomicMin(&control.farthest, farthest);
  if (thread == 0) {
    control.levels = state.level + 1;
    control.in_vain = may_pull ? 0 : 1;
  }
}

// One warp walks back: its lanes look at 32 neighbours at a time for one that is a step nearer.
__global__ void path_kernel(GraphView graph, const Distance* row, Vertex to, Vertex* path) {
  Vertex at = to;
  for (Distance d = row[to];; --d) {
    if (lane() == 0) path[d] = at;
    if (d == 0) return;
    const Vertex* around = graph.targets + graph.begin(at);
    for (Vertex k = 0, degree = graph.degree(at); k < degree; k += kWarp) {
      const Vertex u = k + lane() < degree ? around[k + lane()] : at;
      const unsigned nearer = __ballot_sync(~0u, row[u] + 1 == d);
      if (nearer == 0) continue;
      at = __shfl_sync(~0u, u, __ffs(nearer) - 1);
      break;
    }
  }
}

std::size_t bitmap_words(Vertex order) { return std::size_t{order} / 32 + 1; }

}  // namespace

Traversal::Traversal(const Context& context, const GraphView& graph, std::optional<BlockSearches>& blocks)
    : context_(context), graph_(graph), blocks_(blocks), queue_(graph.order + graph.arcs / kStretch + 2), marks_(3 * bitmap_words(graph.order)), level_sizes_(std::size_t{graph.order} + 2), control_(1) {
  context.fill_bytes(level_sizes_.data(), 0, level_sizes_.size());
  context.fill_bytes(control_.data(), 0, 1);
}

Traversal::~Traversal() = default;

std::uint64_t Traversal::bytes(const Graph& graph) { return 8 * (std::uint64_t{graph.order()} + graph.arcs() / kStretch + 2) + 12 * bitmap_words(graph.order()) + 4 * (std::uint64_t{graph.order()} + 2); }

Search Traversal::search(Vertex source, Distance* row) {
  if (blocks_) {
    const BlockAnswer found = blocks_->search(source, row, level_sizes_.data());
    if (found.result.overflow == 0) return described(source, found.result.eccentricity + 1, found.result.farthest, found.level_sizes);
    blocks_.reset();  // wider than it looked
  }
  return together(source, row);
}

Search Traversal::together(Vertex source, Distance* row) {
  const std::size_t words = bitmap_words(graph_.order);
  const Job job{graph_, row, queue_.data(), marks_.data(), marks_.data() + words, marks_.data() + 2 * words, level_sizes_.data(), control_.data(), tuning_, source, may_pull_};
  context_.launch_together(search_kernel, kThreads, job);
  // Both come back in one wait, as far as most searches go.
  struct Answer {
    SearchControl control;
    Vertex level_sizes[1024];
  };
  static_assert(sizeof(Answer) <= Context::kPinned);
  auto* const answer = static_cast<Answer*>(context_.pinned());
  const std::size_t quick = std::min<std::size_t>(std::size(answer->level_sizes), level_sizes_.size());
  check(cudaMemcpyAsync(&answer->control, control_.data(), sizeof(SearchControl), cudaMemcpyDeviceToHost, context_.stream()), "copying from the GPU");
  context_.download(std::span<Vertex>(answer->level_sizes, quick), level_sizes_.data());
  may_pull_ = may_pull_ && answer->control.in_vain == 0;
  return described(source, answer->control.levels, answer->control.farthest, std::span<const Vertex>(answer->level_sizes, quick));
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
  path_kernel<<<1, kWarp, 0, context_.stream()>>>(graph_, row, to, path_.data());
  check(cudaGetLastError(), "launching a kernel");
  std::vector<Vertex> result(std::size_t{distance} + 1);
  context_.download(std::span<Vertex>(result), path_.data());
  return result;
}

}  // namespace antipode::cuda
