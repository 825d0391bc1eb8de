#include "engine/cuda/search/resident/slice_search.hpp"

#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/search/resident/slice_levels.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

__global__ void __launch_bounds__(kSliceThreads, 1)
    slice_kernel(const __grid_constant__ SliceJob job) {
  extern __shared__ uint4 shared[];
  __shared__ SliceMemory memory;
  const Slice slice(job, shared);
  if ((job.cancel != nullptr && *job.cancel != 0) ||
      (job.second_cancel != nullptr && *job.second_cancel != 0))
    return;
  if (threadIdx.x < kWarp) memory.start.find(job);  // while other warps load the slice
  if (threadIdx.x == kWarp) memory.rounds = *job.rounds;
  slice.load(job);
  SliceState state = begin_search(job, slice, memory);
  if (slice.count != 0)
    // Blocks without vertices write no notices and have nothing to do.
    state = SliceLevels(job, slice, memory).run(state);
  if (state.reached < job.graph.order)
    for (Vertex own = threadIdx.x; own < slice.count; own += kSliceThreads)
      if (!is_in(slice.seen, slice.first + own)) job.distances[slice.first + own] = kUnreached;
  if (job.is_folded()) {
    Unfolder unfolder(job, memory.start, memory.unfolder);
    unfolder.prepare();
    cg::this_grid().sync();
    unfolder.run();
  } else if (blockIdx.x == 0 && threadIdx.x == 0) {
    job.write_outcome(
        {.source = memory.start.source, .eccentricity = state.level, .farthest = state.farthest});
  }
}

// The heads, with SliceJob::kMore set where there are more neighbours.
Buffer<uint4> marked_heads(const Context& context, const GraphView& graph) {
  Buffer<uint4> heads(graph.order);
  for_each(context, graph.order, [graph, heads = heads.data()] __device__(std::size_t v) {
    heads[v] = graph.heads[v];
    if (graph.degree(static_cast<Vertex>(v)) > 4) heads[v].w |= SliceJob::kMore;
  });
  return heads;
}

}  // namespace

struct SliceSearch::UnfoldingBuffers {
  UnfoldingBuffers(const Context& context, const SliceLayout& layout)
      : folds(layout.folds.size()),
        lists(layout.lists.size() / 4),
        distances(layout.graph.order()),
        counts(layout.folds.size() + 1),
        totals(1) {
    context.upload(folds.data(), std::span<const unsigned>(layout.folds));
    context.upload(reinterpret_cast<Vertex*>(lists.data()), std::span<const Vertex>(layout.lists));
    context.fill_bytes(counts.data(), 0, counts.size());
    context.fill_bytes(totals.data(), 0, 1);
  }

  Buffer<unsigned> folds;
  Buffer<uint4> lists;
  Buffer<Distance> distances;  // of the skeleton
  Buffer<Vertex> counts;
  Buffer<Unfolding::Totals> totals;
};

std::shared_ptr<const SliceLayout> SliceSearch::layout(const Graph& graph) {
  // Folding is tried only if it may suffice: no graph is expected to shrink by a larger factor.
  constexpr std::size_t kMostFolded = 4;
  // leaves one multiprocessor for backtracking
  const auto blocks =
      static_cast<std::size_t>(std::max(attribute(cudaDevAttrMultiProcessorCount) - 1, 1));
  const std::size_t most =
      static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) -
      sizeof(SliceMemory) - 1024;
  if (graph.is_directed() || graph.arcs() == 0 ||
      graph.arcs() / blocks * sizeof(Vertex) + graph.order() / 8 > kMostFolded * most)
    return nullptr;
  auto layout = std::make_shared<const SliceLayout>(graph, blocks);
  const bool fits =
      layout->most_owned < 0xFFFF &&
      Slice::bytes(layout->graph.order(), layout->most_quads, layout->most_words) <= most;
  return fits ? layout : nullptr;
}

std::uint64_t SliceSearch::bytes(const Graph& graph, const SliceLayout& layout) {
  const std::uint64_t slices =
      layout.graph.arcs() / 2 + 18 * std::uint64_t{layout.graph.order()} + (64 << 10);
  return slices + (layout.is_folded()
                       ? DeviceGraph::bytes(layout.graph) + 12 * std::uint64_t{graph.order()} +
                             layout.lists.size() * sizeof(Vertex)
                       : 0);
}

SliceSearch::SliceSearch(const Context& context, const SliceLayout& layout, const GraphView& whole)
    : context_(context),
      whole_(whole),
      most_quads_(layout.most_quads),
      most_words_(layout.most_words),
      parts_(layout.parts.size()),
      owners_(layout.owners.size()),
      last_notices_(layout.last_notices.size()),
      words_(layout.notices.size()),
      notices_(2 * layout.notices.size()),
      rounds_(1) {
  if (layout.is_folded()) {
    skeleton_.emplace(context, layout.graph);
    unfolded_ = std::make_unique<UnfoldingBuffers>(context, layout);
  }
  graph_ = skeleton_ ? skeleton_->view() : whole;
  heads_ = marked_heads(context, graph_);
  context.upload(parts_.data(), std::span<const SliceView>(layout.parts));
  context.upload(owners_.data(), std::span<const unsigned short>(layout.owners));
  context.upload(last_notices_.data(), std::span<const unsigned>(layout.last_notices));
  context.upload(words_.data(), std::span<const unsigned>(layout.notices));
  context.fill_bytes(notices_.data(), 0, notices_.size());
  context.fill_bytes(rounds_.data(), 0, 1);
  check(cudaFuncSetAttribute(slice_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(context.shared_bytes() - sizeof(SliceMemory) - 1024)),
        "making room in shared memory");
  context.finish();
}

SliceSearch::~SliceSearch() = default;

Unfolding SliceSearch::unfolding(Distance* distances, const CandidateProbe& probe) const {
  if (!unfolded_) return {};
  return {.whole = whole_,
          .folds = unfolded_->folds.data(),
          .lists = unfolded_->lists.data(),
          .distances = distances,
          .probe = probe,
          .counts = unfolded_->counts.data(),
          .totals = unfolded_->totals.data()};
}

void SliceSearch::start(std::span<const Vertex> sources, Distance limit, const SearchOutcome* from,
                        Distance* distances, Vertex* level_sizes, SearchOutcome* ends,
                        const CancelFlags& cancel, const CandidateProbe& probe,
                        SearchAnswer* answer) {
  SliceJob job{.graph = graph_,
               .unfolding = unfolding(distances, probe),
               .parts = parts_.data(),
               .heads = heads_.data(),
               .most_quads = most_quads_,
               .most_words = most_words_,
               .owners = owners_.data(),
               .words = words_.data(),
               .last_notices = last_notices_.data(),
               .part_count = static_cast<unsigned>(last_notices_.size()),
               .notices = notices_.data(),
               .notice_count = static_cast<unsigned>(words_.size()),
               .rounds = rounds_.data(),
               .distances = unfolded_ ? unfolded_->distances.data() : distances,
               .level_sizes = level_sizes,
               .from = from,
               .ends = ends,
               .cancel = cancel.one,
               .second_cancel = cancel.other,
               .answer = answer,
               .limit = limit,
               .source_count = std::max(static_cast<unsigned>(sources.size()), 1u),
               .sources = {}};
  std::copy(sources.begin(), sources.end(), job.sources);
  context_.launch_cooperative_blocks(static_cast<unsigned>(parts_.size()), slice_kernel,
                                     kSliceThreads,
                                     Slice::bytes(graph_.order, most_quads_, most_words_), job);
}

}  // namespace antipode::cuda
