// One breadth-first search in one cooperative launch, by the whole GPU. All blocks are resident and
// meet at a grid barrier after every level; the host waits once. Wide levels are pulled, others
// pushed from a queue; while levels are thin, one block continues alone and saves the barriers
// [Beamer, Asanović & Patterson 2012; Merrill, Garland & Grimshaw 2012]. The queue holds chunks of
// adjacency, so that a hub is shared by many warps. Memory: 20 bytes per vertex, 8 per 128 arcs, 2
// bits per vertex; if degrees are even, one bit per vertex and multiprocessor.
#pragma once

#include <vector>

#include "engine/cuda/search/plan.hpp"

namespace antipode::cuda {

struct SearchControl;

class Traversal {
 public:
  // Searches use the planned kernels if there are any: a block or a cluster, then resident slices.
  Traversal(const Context& context, const GraphView& graph, const GraphView& into,
            SearchKernels& kernels);
  ~Traversal();
  static std::uint64_t bytes(const Graph& graph);

  Search search(Vertex source, Distance* distances);
  // The same in two parts, if the whole GPU searches. Kernels that read the distances may be
  // launched in between; wait for the stream before outcome(). Returns where the result will be on
  // the GPU.
  bool is_whole_gpu() const { return kernels_.is_whole_gpu(); }
  const SearchOutcome* start(Vertex source, Distance* distances, const CandidateProbe& probe = {});
  // Chains of searches without waiting for the host: each starts from `from->farthest`, which may
  // be a midpoint, unless it is cancelled. Answers of several searches are outstanding in their
  // slots.
  bool can_follow() const { return is_whole_gpu() && kernels_.resident() != nullptr; }
  const SearchOutcome* start_next(const SearchOutcome* from, Distance* distances,
                                  const CancelFlags& cancel, AnswerSlot slot,
                                  const CandidateProbe& probe = {});
  const SearchOutcome* ends(AnswerSlot slot = AnswerSlot::search) const;
  Search outcome(AnswerSlot slot = AnswerSlot::search);
  // The distance of every vertex to the nearest of at most kMostStarts distinct, pairwise adjacent
  // sources, up to `limit`; farther vertices are kUnreached. Does not wait.
  void distances_to_nearest(std::span<const Vertex> sources, Distance limit, Distance* distances);
  // Shared with batch/offset_searches.cu, whose kernels never run at the same time.
  std::uint64_t* queue() const { return queue_.data(); }

 private:
  void launch(std::span<const Vertex> sources, Distance limit, Distance* distances,
              SearchOutcome* ends, const CandidateProbe& probe = {});  // launches, does not wait
  Vertex* level_sizes(AnswerSlot slot) {
    return level_sizes_.data() + static_cast<std::size_t>(slot) * (std::size_t{graph_.order} + 2);
  }
  Search to_search(Vertex source, Vertex levels, Vertex farthest,
                   std::span<const Vertex> known_sizes, AnswerSlot slot = AnswerSlot::search);

  const Context& context_;
  GraphView graph_, into_;
  SearchKernels& kernels_;
  Buffer<std::uint64_t> queue_;
  Buffer<unsigned> marks_;  // two bitmaps: reached now, and one level before
  Buffer<Vertex> level_sizes_;
  float mean_degree_, neighbour_degree_;  // of all vertices; of vertices at the ends of arcs
  std::size_t shared_bytes_;              // dynamic, of a block
  Buffer<uint4> scattered_;               // a bitmap per block, if levels may be scattered
  Buffer<SearchControl> control_;
  Signal done_;           // of the latest search by the whole GPU
  bool may_pull_ = true;  // until pulls of a search took longer than pushes would have
};

}  // namespace antipode::cuda
