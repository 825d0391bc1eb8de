#include "engine/cuda/search/resident/slice_search.hpp"

#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/search/resident/thin_levels.hpp"
#include "engine/cuda/search/resident/unfolding.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

struct SliceMemory {
  unsigned rounds;  // of all searches before
  unsigned fresh;   // in a level, in all
  Vertex least;     // of these, if they are the whole graph's
  ThinMemory thin;
  SliceStart start;
  Unfolder::Memory unfolder;
};

class SliceLevels {
 public:
  __device__ SliceLevels(const SliceJob& job, const Slice& slice, SliceMemory& memory)
      : job_(job), slice_(slice), memory_(memory), thin_(job, slice, memory.thin) {}

  // The frontier is listed. Thin levels are done by every block for itself: they take less time
  // than it would to tell the others.
  __device__ SliceState run(SliceState state) {
    bool is_thin = true;
    if (!job_.goes_on(state)) slice_.await_load();
    unsigned round = memory_.rounds;
    while (job_.goes_on(state)) {
      if (is_thin) {
        enter(state);
        const Distance before = state.level;
        __syncthreads();  // all have entered whom they saw before
        state = thin_.run(state);
        slice_.await_load();
        if (state.level != before) slice_.enter(job_.row, state.level, true);
        is_thin = false;
      } else {
        state = pull(state, ++round);
        is_thin = is_listed_;
      }
    }
    enter(state);
    if (blockIdx.x == 0 && threadIdx.x == 0 && round != memory_.rounds)
      *job_.rounds = round;  // all have read it, since all have told something
    return state;
  }

 private:
  // What the last pull found gets its distance, if it has none.
  __device__ void enter(const SliceState& state) {
    if (awaits_entry_) slice_.enter(job_.row, state.level, false);
    awaits_entry_ = false;
  }

  // A level by all together. The next frontier is listed if it is thin.
  __device__ SliceState pull(SliceState state, unsigned round) {
    uint4* const notices = job_.notices + round % 2 * job_.notice_count;
    slice_.pull();
    __syncthreads();
    if (threadIdx.x == 0) {  // all know how the last level went
      memory_.fresh = memory_.thin.listed = 0;
      memory_.least = kNoVertex;
      memory_.thin.cells[(state.level + 1) % 2] = {0, 0, 0, kNoVertex};
    }
    slice_.tell(notices, round);
    enter(state);  // while others have not come so far
    slice_.await(job_, notices, round);
    unsigned fresh = 0, first[Slice::kAtOnce];
    Vertex least = kNoVertex;
    uint4 found[Slice::kAtOnce]{};
    slice_.hear(job_, notices, round, [&](unsigned k, unsigned word, const uint4& three) {
      fresh += __popc(three.x) + __popc(three.y) + __popc(three.z);
      if (!job_.is_folded())
        least = min(least, 32 * word + (three.x != 0   ? __ffs(three.x) - 1
                                        : three.y != 0 ? __ffs(three.y) + 31
                                                       : __ffs(three.z) + 63));
      first[k] = 32 * word;
      found[k] = three;
    });
    __syncwarp();
    if (__any_sync(~0u, fresh != 0)) {
      fresh = __reduce_add_sync(~0u, fresh);
      if (lane() == 0) atomicAdd(&memory_.fresh, fresh);
      if (least != kNoVertex) atomicMin(&memory_.least, least);
    }
    __syncthreads();
    state.size = memory_.fresh;
    is_listed_ = state.size <= ThinMemory::kMost && job_.notice_count <= Slice::kMostKept;
    if (state.size == 0) return state;
    ++state.level;
    state.reached += state.size;
    state.farthest = memory_.least;
    awaits_entry_ = true;
    if (blockIdx.x == 0 && threadIdx.x == 0) job_.tell_size(state);
    if (is_listed_) {
#pragma unroll
      for (unsigned k = 0; k < Slice::kAtOnce; ++k)
        if ((found[k].x | found[k].y | found[k].z) != 0)
          thin_.list(first[k], found[k], state.level);
    }
    return state;
  }

  const SliceJob& job_;
  const Slice& slice_;
  SliceMemory& memory_;
  ThinLevels thin_;
  bool is_listed_ = false, awaits_entry_ = false;  // what the last pull found
};

// All blocks know where it begins.
__device__ SliceState begin(const SliceJob& job, const Slice& slice, SliceMemory& memory) {
  const SliceStart& start = memory.start;
  __syncthreads();
  const unsigned parity = start.level % 2;
  if (threadIdx.x == 0) memory.thin.cells[parity] = {0, 0, 0, kNoVertex};
  SliceState state{start.level, start.count, start.count, kNoVertex};
  for (unsigned i = 0; i < start.count; ++i) state.farthest = min(state.farthest, start.places[i]);
  if (threadIdx.x < start.count) {
    const Vertex v = start.places[threadIdx.x];
    atomicOr(&slice.seen[v / 32], 1u << v % 32);
    memory.thin.list[parity][threadIdx.x] = v;
    if (blockIdx.x == 0) job.row[v] = start.level;
    if (v - slice.first < slice.count)
      atomicOr(&slice.entered[(v - slice.base) / 32], 1u << v % 32);
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) job.tell_size(state);
  __syncthreads();
  return state;
}

__global__ void __launch_bounds__(kSliceThreads, 1)
    slice_kernel(const __grid_constant__ SliceJob job) {
  extern __shared__ uint4 shared[];
  __shared__ SliceMemory memory;
  const Slice slice(job, shared);
  if ((job.cancel != nullptr && *job.cancel != 0) ||
      (job.also_cancelled_by != nullptr && *job.also_cancelled_by != 0))
    return;
  if (threadIdx.x < kWarp) memory.start.find(job);  // while the others load
  if (threadIdx.x == kWarp) memory.rounds = *job.rounds;
  slice.load(job);
  SliceState state = begin(job, slice, memory);
  if (slice.count != 0)
    state = SliceLevels(job, slice, memory)
                .run(state);  // the others would not wait for a block that has nothing to tell
  if (state.reached < job.graph.order)
    for (Vertex own = threadIdx.x; own < slice.count; own += kSliceThreads)
      if (!is_in(slice.seen, slice.first + own)) job.row[slice.first + own] = kUnreached;
  if (job.is_folded()) {
    Unfolder unfolder(job, memory.start, memory.unfolder);
    unfolder.prepare();
    cg::this_grid().sync();
    unfolder.run();
  } else if (blockIdx.x == 0 && threadIdx.x == 0) {
    job.tell_ends({memory.start.source, state.level, state.farthest});
  }
}

// As thin levels want them.
Buffer<uint4> marked_heads(const Context& context, const GraphView& graph) {
  Buffer<uint4> heads(graph.order);
  for_each(context, graph.order, [graph, heads = heads.data()] __device__(std::size_t v) {
    heads[v] = graph.heads[v];
    if (graph.degree(static_cast<Vertex>(v)) > 4) heads[v].w |= SliceJob::kMore;
  });
  return heads;
}

}  // namespace

struct SliceSearch::Unfolded {
  Unfolded(const Context& context, const SliceLayout& layout)
      : folds(layout.folds.size()),
        lists(layout.lists.size() / 4),
        row(layout.graph.order()),
        counts(layout.folds.size() + 1),
        meeting(1) {
    context.upload(folds.data(), std::span<const unsigned>(layout.folds));
    context.upload(reinterpret_cast<Vertex*>(lists.data()), std::span<const Vertex>(layout.lists));
    context.fill_bytes(counts.data(), 0, counts.size());
    context.fill_bytes(meeting.data(), 0, 1);
  }

  Buffer<unsigned> folds;
  Buffer<uint4> lists;
  Buffer<Distance> row;  // of the skeleton
  Buffer<Vertex> counts;
  Buffer<Unfolding::Meeting> meeting;
};

std::shared_ptr<const SliceLayout> SliceSearch::layout(const Graph& graph) {
  constexpr std::size_t kMostFolded =
      4;  // a graph becomes smaller, but not by more than so many times
  const auto blocks = static_cast<std::size_t>(
      std::max(attribute(cudaDevAttrMultiProcessorCount) - 1, 1));  // a path is walked beside
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
    unfolded_ = std::make_unique<Unfolded>(context, layout);
  }
  graph_ = skeleton_ ? skeleton_->view() : whole;
  heads_ = marked_heads(context, graph_);
  context.upload(parts_.data(), std::span<const SlicePart>(layout.parts));
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

Unfolding SliceSearch::unfolding(Distance* row, const CandidateProbe& watched) const {
  if (!unfolded_) return {};
  return {whole_,  unfolded_->folds.data(),  unfolded_->lists.data(),  row,
          watched, unfolded_->counts.data(), unfolded_->meeting.data()};
}

void SliceSearch::start(std::span<const Vertex> sources, Distance limit, const SearchOutcome* from,
                        Distance* row, Vertex* level_sizes, SearchOutcome* ends,
                        const CancelFlags& cancel, const CandidateProbe& watched,
                        SearchAnswer* answer) {
  SliceJob job{graph_,
               unfolding(row, watched),
               parts_.data(),
               heads_.data(),
               most_quads_,
               most_words_,
               owners_.data(),
               words_.data(),
               last_notices_.data(),
               static_cast<unsigned>(last_notices_.size()),
               notices_.data(),
               static_cast<unsigned>(words_.size()),
               rounds_.data(),
               unfolded_ ? unfolded_->row.data() : row,
               level_sizes,
               from,
               ends,
               cancel.one,
               cancel.other,
               answer,
               limit,
               std::max(static_cast<unsigned>(sources.size()), 1u),
               {}};
  std::copy(sources.begin(), sources.end(), job.sources);
  context_.launch_parts_together(static_cast<unsigned>(parts_.size()), slice_kernel, kSliceThreads,
                                 Slice::bytes(graph_.order, most_quads_, most_words_), job);
}

}  // namespace antipode::cuda
