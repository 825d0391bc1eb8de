// One breadth-first search in one launch. All blocks stay resident and meet at a barrier after
// every level; the host waits once. Wide levels are pulled by the vertices not reached yet, others
// pushed from a queue; while a level is thin, one block goes on alone and the others wait, which
// saves them the barriers.  [Beamer, Asanović & Patterson 2012; Merrill, Garland & Grimshaw 2012]
// The queue holds stretches of rows, so that a hub is shared out: where its arcs begin and how many
// there are. Memory: 20 bytes a vertex, 8 for every 128 arcs, 2 bits a vertex; where degrees are
// even, a bit a vertex for every multiprocessor.
#pragma once

#include <vector>

#include "engine/cuda/cluster_search.hpp"
#include "engine/cuda/device_graph.hpp"
#include "engine/cuda/slice_search.hpp"

namespace antipode::cuda {

// Numbers that decide how a level is done; see docs/performance.md.
struct TraversalTuning {
  static constexpr float kPullGain = 4;  // pull when those not reached are likely to look at fewer
                                         // arcs than this times the frontier's …
  static constexpr float kPullArcs = 20'000;  // … and it has at least so many
  static constexpr Vertex kPullSize = 32;  // go on pulling while the frontier grows or has at least
                                           // 1 / this of the vertices, or as many as are left
  static constexpr Vertex kScatterSize =
      8;  // before a pull, a frontier with more arcs than 1 / this of the vertices is marked in
          // shared memory first
  static constexpr unsigned kAloneArcs = 1'024;  // a frontier with fewer arcs is one block's
  static constexpr unsigned kFewEntries =
      512;  // so few warps have their finds written where all can read them; more gather them
            // first, block by block
  static constexpr unsigned kVainFactor = 4;  // a pull that looks at more than this times the arcs
                                              // a push would is the search's last one
  static constexpr unsigned kPushRate = 60;   // arcs a nanosecond, roughly: a search whose pulls
                                              // took longer than pushes would have is the last …
  static constexpr unsigned kLevelTime =
      5'000;  // … that pulls; and what any level takes, in nanoseconds
};

struct SearchControl;
struct SearchAnswer;

class Traversal {
 public:
  // Searches by a block or a cluster, where there are any, come first; slices take the place of the
  // whole graph in the GPU's memory.
  Traversal(const Context& context, const GraphView& graph, const GraphView& into,
            std::optional<BlockSearches>& blocks, std::optional<ClusterSearch>& clusters,
            std::optional<SliceSearch>& slices);
  ~Traversal();
  static std::uint64_t bytes(const Graph& graph);

  Search search(Vertex source, Distance* row);
  // The same in two parts, where the whole GPU searches: something that needs the row may be
  // started in between, and everything waited for before the outcome. Where the ends will be, on
  // the GPU.
  bool is_by_all() const { return !blocks_ && !clusters_; }
  const SearchEnds* start(Vertex source, Distance* row, const Watched& watched = {});
  // Where one search can follow another without a word from the host: from the farthest of other
  // ends, or the middle of a path, unless `skips` says that it is not wanted. The answers of three
  // requests are there at the same time, in their turns.
  bool can_follow() const { return is_by_all() && slices_; }
  const SearchEnds* start_next(const SearchEnds* from, Distance* row, const Skips& skips,
                               unsigned turn, const Watched& watched = {});
  const SearchEnds* ends(unsigned turn) const;
  Search outcome(unsigned turn = 0);
  // The distance of every vertex to the nearest of at most kMostSources different sources, all each
  // other's neighbours, as far as `limit`; others are kUnreached. Only started.
  static constexpr std::size_t kMostSources = SliceSearch::kMostSources;
  void distances_to_nearest(std::span<const Vertex> sources, Distance limit, Distance* row);
  std::uint64_t* queue() const {
    return queue_.data();
  }  // for waves, which never run at the same time

 private:
  template <class Alone>
  std::optional<Search> alone(std::optional<Alone>& searches, Vertex source,
                              Distance* row);  // by a block or a cluster
  void together(std::span<const Vertex> sources, Distance limit, Distance* row, SearchEnds* ends,
                const Watched& watched = {});  // by the whole GPU, started
  Vertex* level_sizes(unsigned turn) {
    return level_sizes_.data() + turn * (std::size_t{graph_.order} + 2);
  }
  Search described(Vertex source, Vertex levels, Vertex farthest,
                   std::span<const Vertex> known_sizes, unsigned turn = 0);

  const Context& context_;
  GraphView graph_, into_;
  std::optional<BlockSearches>& blocks_;
  std::optional<ClusterSearch>& clusters_;
  std::optional<SliceSearch>& slices_;
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
