// One breadth-first search in one launch. All blocks stay resident and meet at a barrier after
// every level; the host waits once. Wide levels are pulled by the vertices not reached yet, others
// pushed from a queue; while a level is thin, one block goes on alone and the others wait, which
// saves them the barriers.  [Beamer, Asanović & Patterson 2012; Merrill, Garland & Grimshaw 2012]
// The queue holds stretches of rows, so that a hub is shared out: where its arcs begin and how many
// there are. Memory: 20 bytes a vertex, 8 for every 128 arcs, 2 bits a vertex; where degrees are
// even, a bit a vertex for every multiprocessor.
#pragma once

#include <vector>

#include "engine/cuda/search/plan.hpp"

namespace antipode::cuda {

struct SearchControl;

class Traversal {
 public:
  // The planned kernels come first: a block or a cluster; then the resident search.
  Traversal(const Context& context, const GraphView& graph, const GraphView& into,
            SearchKernels& kernels);
  ~Traversal();
  static std::uint64_t bytes(const Graph& graph);

  Search search(Vertex source, Distance* row);
  // The same in two parts, where the whole GPU searches: something that needs the row may be
  // started in between, and everything waited for before the outcome. Where the ends will be, on
  // the GPU.
  bool is_by_all() const { return kernels_.is_whole_gpu(); }
  const SearchOutcome* start(Vertex source, Distance* row, const CandidateProbe& watched = {});
  // Where one search can follow another without a word from the host: from the farthest of other
  // ends, or the middle of a path, unless `cancel` says that it is not wanted. The answers of three
  // requests are there at the same time, in their slots.
  bool can_follow() const { return is_by_all() && kernels_.resident() != nullptr; }
  const SearchOutcome* start_next(const SearchOutcome* from, Distance* row,
                                  const CancelFlags& cancel, AnswerSlot slot,
                                  const CandidateProbe& watched = {});
  const SearchOutcome* ends(AnswerSlot slot = AnswerSlot::search) const;
  Search outcome(AnswerSlot slot = AnswerSlot::search);
  // The distance of every vertex to the nearest of at most kMostStarts different sources, all each
  // other's neighbours, as far as `limit`; others are kUnreached. Only started.
  void distances_to_nearest(std::span<const Vertex> sources, Distance limit, Distance* row);
  std::uint64_t* queue() const {
    return queue_.data();
  }  // for waves, which never run at the same time

 private:
  void together(std::span<const Vertex> sources, Distance limit, Distance* row, SearchOutcome* ends,
                const CandidateProbe& watched = {});  // by the whole GPU, started
  Vertex* level_sizes(AnswerSlot slot) {
    return level_sizes_.data() + static_cast<std::size_t>(slot) * (std::size_t{graph_.order} + 2);
  }
  Search to_search(Vertex source, Vertex levels, Vertex farthest,
                   std::span<const Vertex> known_sizes, AnswerSlot slot = AnswerSlot::search);

  const Context& context_;
  GraphView graph_, into_;
  SearchKernels& kernels_;
  Buffer<std::uint64_t> queue_;
  Buffer<unsigned> marks_;  // who is reached, and who was a level earlier: a bit a vertex each
  Buffer<Vertex> level_sizes_;
  float mean_degree_, neighbour_degree_;  // of all vertices, and of those at the ends of arcs
  std::size_t shared_bytes_;              // of a block
  Buffer<uint4> scattered_;               // a bitmap for each block, where levels are scattered
  Buffer<SearchControl> control_;
  Signal done_;           // of the latest search by all
  bool may_pull_ = true;  // until the pulls of a search took longer than pushes would have
};

}  // namespace antipode::cuda
