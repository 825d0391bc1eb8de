// One breadth-first search of a graph that fits the shared memory of all multiprocessors together.
// Each block has a slice of the adjacency, all of equal length, and a bitmap of all reached
// vertices. A level is pulled within shared memory; blocks exchange what they found through notices
// in GPU memory. A notice contains its round, so that no barrier is needed. While levels are thin,
// every block does them redundantly for itself. If many vertices are simplicial, the skeleton is
// searched and distances are unfolded at the end. Memory: 2 bytes per four arcs, one byte and 16
// more per vertex; if folded, the skeleton and 28 bytes per vertex.
#pragma once

#include <memory>
#include <optional>

#include "engine/cuda/layout/device_graph.hpp"
#include "engine/cuda/layout/search_result.hpp"

namespace antipode::cuda {

struct SliceLayout;
struct SliceView;
struct Unfolding;

class SliceSearch {
 public:
  static std::shared_ptr<const SliceLayout> layout(const Graph& graph);  // null: it does not fit
  static std::uint64_t bytes(const Graph& graph, const SliceLayout& layout);
  SliceSearch(const Context& context, const SliceLayout& layout, const GraphView& whole);
  ~SliceSearch();

  // The distance of every vertex to the nearest of at most kMostStarts distinct, pairwise adjacent
  // sources, up to `limit`; farther vertices are kUnreached. Without sources the search starts from
  // from->farthest, unless it is cancelled. Does not wait: wait for the stream before reading
  // `answer` (pinned). `ends` is on the GPU; if the graph is folded, it includes the largest
  // distance to a probed candidate.
  void start(std::span<const Vertex> sources, Distance limit, const SearchOutcome* from,
             Distance* distances, Vertex* level_sizes, SearchOutcome* ends,
             const CancelFlags& cancel, const CandidateProbe& probe, SearchAnswer* answer);

 private:
  struct UnfoldingBuffers;
  Unfolding unfolding(Distance* distances, const CandidateProbe& probe) const;

  const Context& context_;
  GraphView whole_;
  std::optional<DeviceGraph> skeleton_;  // if folded
  GraphView graph_;                      // the graph that is searched
  unsigned most_quads_, most_words_;     // of a slice
  Buffer<SliceView> parts_;
  Buffer<unsigned short> owners_;
  Buffer<uint4> heads_;
  Buffer<unsigned> last_notices_, words_;
  Buffer<uint4> notices_;    // double buffer: notices of this round and the next
  Buffer<unsigned> rounds_;  // rounds of all searches so far
  std::unique_ptr<UnfoldingBuffers> unfolded_;
};

}  // namespace antipode::cuda
