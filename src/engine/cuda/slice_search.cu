#include "engine/cuda/slice_search.hpp"

#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/thin_levels.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

struct SliceMemory {
  SliceState state;
  unsigned fresh;                                  // in a level, in all
  Vertex least;                                    // of these
  ThinMemory thin;                                 // the first block's
};

class SliceLevels {
 public:
  __device__ SliceLevels(const SliceJob& job, const Slice& slice, SliceMemory& memory) : job_(job), slice_(slice), memory_(memory), thin_(job, slice, memory.thin) {}

  // The frontier is in the first block's list, and thin or not.
  __device__ SliceState run(SliceState state, bool is_thin) {
    if (!is_thin || !job_.goes_on(state)) slice_.await_load();
    for (unsigned round = 0; job_.goes_on(state); ++round) {
      unsigned* const bitmap = job_.bitmaps + round % 2 * slice_words(job_.graph.order);
      if (is_thin) {
        state = go_on_alone(state, bitmap);
        slice_.await_load();
        is_thin = false;
      } else {
        const Vertex before = state.size;
        state = pull(state, bitmap, before <= kListing);
        is_thin = before <= kListing && state.size <= ThinMemory::kMost;
      }
    }
    return state;
  }

 private:
  static constexpr Vertex kListing = 16384;        // larger frontiers are not likely to become thin at once

  // Thin levels by the first block, which then tells the others.
  __device__ SliceState go_on_alone(SliceState state, unsigned* bitmap) {
    const Distance before = state.level;
    if (blockIdx.x == 0) {
      __syncthreads();                             // all have entered whom they saw before
      if (threadIdx.x < kThinThreads) state = thin_.run(state);
      if (threadIdx.x == 0) memory_.state = state;
      __syncthreads();
      state = memory_.state;
      if (state.reached < job_.graph.order && state.level != before)
        for (unsigned w = threadIdx.x; w < slice_words(job_.graph.order) / 4; w += kSliceThreads) reinterpret_cast<uint4*>(bitmap)[w] = reinterpret_cast<const uint4*>(slice_.seen)[w];
      if (threadIdx.x == 0) *job_.state = state;
    }
    cg::this_grid().sync();
    if (blockIdx.x != 0 && threadIdx.x == 0) memory_.state = fresh_copy(job_.state);
    __syncthreads();
    state = memory_.state;
    if (state.reached == job_.graph.order || state.level == before) return state;
    if (blockIdx.x != 0) slice_.read(bitmap, job_.graph.order, [](Vertex, const uint4&) {});
    __syncthreads();
    slice_.enter(job_.row, state.level, true);
    return state;
  }

  // A level by all. The first block may list the next frontier, in case that it is thin.
  __device__ SliceState pull(SliceState state, unsigned* bitmap, bool lists) {
    slice_.pull();
    __syncthreads();
    slice_.write_down(bitmap);
    if (threadIdx.x == 0) {
      memory_.fresh = memory_.thin.noted = 0;
      memory_.least = kNoVertex;
      memory_.thin.cells[(state.level + 1) % 2] = {0, 0, 0, kNoVertex};
    }
    cg::this_grid().sync();
    unsigned fresh = 0;
    Vertex least = kNoVertex;
    slice_.read(bitmap, job_.graph.order, [&](Vertex first, const uint4& four) {
      const unsigned words[4] = {four.x, four.y, four.z, four.w}, count = __popc(four.x) + __popc(four.y) + __popc(four.z) + __popc(four.w);
      fresh += count;
#pragma unroll
      for (unsigned k = 4; k-- > 0;)
        if (words[k] != 0) least = min(least, first + 32 * k + __ffs(words[k]) - 1);
      if (lists && blockIdx.x == 0) thin_.note(first / 32, words);
    });
    if (__any_sync(~0u, fresh != 0)) {
      fresh = __reduce_add_sync(~0u, fresh);
      least = __reduce_min_sync(~0u, least);
      if (lane() == 0) {
        atomicAdd(&memory_.fresh, fresh);
        atomicMin(&memory_.least, least);
      }
    }
    __syncthreads();
    state.size = memory_.fresh;
    if (state.size == 0) return state;
    ++state.level;
    state.reached += state.size;
    state.farthest = memory_.least;
    if (blockIdx.x == 0 && threadIdx.x == 0) job_.tell_size(state);
    slice_.enter(job_.row, state.level, false);
    return state;
  }

  const SliceJob& job_;
  const Slice& slice_;
  SliceMemory& memory_;
  ThinLevels thin_;
};

__global__ void __launch_bounds__(kSliceThreads, 1) slice_kernel(const __grid_constant__ SliceJob job) {
  extern __shared__ uint4 shared[];
  __shared__ SliceMemory memory;
  __shared__ unsigned arcs;                        // of the sources
  for (unsigned w = blockIdx.x * kSliceThreads + threadIdx.x; w < 2 * slice_words(job.graph.order); w += gridDim.x * kSliceThreads) job.next_bitmaps[w] = 0;
  if (job.skips != nullptr && *job.skips != 0) return;
  const Slice slice(job, shared);
  slice.load(job);
  if (threadIdx.x == 0) {
    arcs = memory.thin.noted = 0;
    memory.thin.cells[0] = {0, 0, 0, kNoVertex};
  }
  __syncthreads();
  SliceState state{0, job.source_count, job.source_count, kNoVertex};
  const Vertex source = job.source(threadIdx.x < job.source_count ? threadIdx.x : 0);  // all know the sources
  for (unsigned i = 0; i < job.source_count; ++i) state.farthest = min(state.farthest, job.source(i));
  if (threadIdx.x < job.source_count) {
    atomicOr(&slice.seen[source / 32], 1u << source % 32);
    atomicAdd(&arcs, GraphView::short_row(job.graph.rows[source]).degree);
    memory.thin.list[0][threadIdx.x] = source;
    if (blockIdx.x == 0) job.row[source] = 0;
    if (source - slice.first < slice.count) atomicOr(&slice.entered[(source - slice.base) / 32], 1u << source % 32);
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) job.tell_size(state);
  __syncthreads();
  state = SliceLevels(job, slice, memory).run(state, arcs <= ThinMemory::kArcs);
  if (state.reached < job.graph.order)
    for (Vertex own = threadIdx.x; own < slice.count; own += kSliceThreads)
      if (!is_in(slice.seen, slice.first + own)) job.row[slice.first + own] = kUnreached;
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  *job.ends = {source, state.level, state.farthest};
  job.answer->source = source;
  job.answer->levels = state.level + 1;
  job.answer->farthest = state.farthest;
  job.answer->in_vain = 0;
}

}  // namespace

// How the rows are shared out: in equal parts.
struct SliceSearch::Cut {
  Cut(const Graph& graph, std::size_t blocks);

  std::vector<SlicePart> parts;
  std::vector<unsigned short> owners;
  unsigned most_quads = 0, most_words = 0;         // of a part
  Vertex most_owned = 0;
};

SliceSearch::Cut::Cut(const Graph& graph, std::size_t blocks) {
  const auto quads_of = [&](Vertex v) { return GraphView::quad_count(graph.degree(v)); };
  std::uint64_t all = 0;
  for (Vertex v = 0; v < graph.order(); ++v) all += quads_of(v);
  most_quads = static_cast<unsigned>((all + blocks * Slice::kTogether - 1) / (blocks * Slice::kTogether) * Slice::kTogether);
  const auto close = [&] {
    const SlicePart& part = parts.back();
    most_words = std::max(most_words, (part.first + part.count - 1) / 32 + 1 - part.first / 32);
    most_owned = std::max(most_owned, part.count);
  };
  const auto open = [&](Vertex first) {
    if (!parts.empty()) close();
    parts.push_back({static_cast<unsigned>(owners.size()), 0, first, 0});
  };
  for (Vertex v = 0; v < graph.order(); ++v) {
    Vertex quads = quads_of(v);
    if (parts.empty() || (quads > 0 && parts.back().length == most_quads)) open(v);
    while (true) {
      SlicePart& part = parts.back();
      const Vertex here = std::min(quads, most_quads - part.length);
      part.count = v + 1 - part.first;
      part.length += here;
      owners.insert(owners.end(), here, static_cast<unsigned short>(v - part.first));
      quads -= here;
      if (quads == 0) break;
      open(v);
    }
  }
  close();
  parts.resize(blocks, {0, 0, 0, 0});
  owners.resize(owners.size() + Slice::kTogether);  // the last are read together with others
}

bool SliceSearch::suits(const Graph& graph) {
  const auto blocks = static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount));
  const std::size_t most = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) - sizeof(SliceMemory) - 1024;
  if (graph.is_directed() || graph.arcs() == 0 || graph.arcs() / blocks * sizeof(Vertex) + graph.order() / 8 > most) return false;
  const Cut cut(graph, blocks);
  return cut.most_owned < 0xFFFF && Slice::bytes(graph.order(), cut.most_quads, cut.most_words) <= most;
}

SliceSearch::SliceSearch(const Context& context, const Graph& graph, const GraphView& view) : SliceSearch(context, view, Cut(graph, static_cast<std::size_t>(context.multiprocessors()))) {}

SliceSearch::SliceSearch(const Context& context, const GraphView& view, const Cut& cut)
    : context_(context), graph_(view), most_quads_(cut.most_quads), most_words_(cut.most_words), parts_(cut.parts.size()), owners_(cut.owners.size()), bitmaps_(std::size_t{4} * slice_words(view.order)), state_(1) {
  context.upload(parts_.data(), std::span<const SlicePart>(cut.parts));
  context.upload(owners_.data(), std::span<const unsigned short>(cut.owners));
  context.fill_bytes(bitmaps_.data(), 0, bitmaps_.size());
  check(cudaFuncSetAttribute(slice_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(context.shared_bytes() - sizeof(SliceMemory) - 1024)), "making room in shared memory");
  context.finish();
}

SliceSearch::~SliceSearch() = default;

void SliceSearch::start(std::span<const Vertex> sources, Distance limit, Distance* row, Vertex* level_sizes, SearchEnds* ends, const unsigned* skips, SearchAnswer* answer) {
  const bool odd = !odd_;
  const std::size_t pair = std::size_t{2} * slice_words(graph_.order);
  SliceJob job{graph_, parts_.data(), most_quads_, most_words_, owners_.data(), bitmaps_.data() + (odd ? pair : 0), bitmaps_.data() + (odd ? 0 : pair), state_.data(), row, level_sizes, ends, skips, answer, limit, sources.empty(), std::max(static_cast<unsigned>(sources.size()), 1u), {}};
  std::copy(sources.begin(), sources.end(), job.sources);
  context_.launch_together(slice_kernel, kSliceThreads, Slice::bytes(graph_.order, most_quads_, most_words_), job);
  odd_ = odd;                                      // if nothing was started, nothing was cleared
}

}  // namespace antipode::cuda
