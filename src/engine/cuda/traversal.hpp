// One breadth-first search in one launch. All blocks stay resident and meet at a barrier after every level; the host waits once.
// Wide levels are pulled by the vertices not reached yet, others pushed from a queue; while a level is thin, one block goes on
// alone and the others wait, which saves them the barriers.  [Beamer, Asanović & Patterson 2012; Merrill, Garland & Grimshaw 2012]
// The queue holds stretches of rows, so that a hub is shared out: where its arcs begin and how many there are.
// Memory: 8 bytes a vertex and for every 256 arcs, 3 bits a vertex, 4 bytes a level.
#pragma once

#include <vector>

#include "engine/cuda/block_search.hpp"
#include "engine/cuda/device_graph.hpp"

namespace antipode::cuda {

// Numbers that decide how a level is done; see docs/performance.md.
struct TraversalTuning {
  unsigned long long pull_share = 30;      // pull when the frontier has more than 1 / this of the unvisited arcs …
  unsigned long long pull_arcs = 20'000;   // … and at least so many
  unsigned long long alone_arcs = 1'024;   // a frontier with fewer arcs is one block's
  unsigned long long vain_factor = 4;      // a pull that looks at more than this times the arcs a push would is remembered as one in vain
};

struct SearchControl;

class Traversal {
 public:
  // With block searches, where there are any, these come first.
  Traversal(const Context& context, const GraphView& graph, std::optional<BlockSearches>& blocks);
  ~Traversal();
  static std::uint64_t bytes(const Graph& graph);

  Search search(Vertex source, Distance* row);
  // A shortest path from the row's source, found backwards; empty if there is none.
  std::vector<Vertex> path(const Distance* row, Vertex to);
  std::uint64_t* queue() const { return queue_.data(); }  // for waves, which never run at the same time

 private:
  Search together(Vertex source, Distance* row);  // by the whole GPU
  Search described(Vertex source, Vertex levels, Vertex farthest, std::span<const Vertex> known_sizes);

  const Context& context_;
  GraphView graph_;
  std::optional<BlockSearches>& blocks_;
  TraversalTuning tuning_;
  Buffer<std::uint64_t> queue_;
  Buffer<unsigned> marks_;                 // visited, and the frontiers of this level and the next: a bit a vertex each
  Buffer<Vertex> level_sizes_;
  Buffer<SearchControl> control_;
  Buffer<Vertex> path_;
  bool may_pull_ = true;                   // until a pull was in vain
};

}  // namespace antipode::cuda
