// One breadth-first search of a graph so small that all multiprocessors together hold it in their
// shared memory: each block has a part of the rows, as long as any other's, and a copy of who is
// reached. A level is pulled without a look at the GPU's memory; what each found it tells the
// others there, in notices that say of which round they are, so that nobody waits for anything
// else. While levels are thin each goes on alone. Where many vertices can be folded away the
// skeleton is searched instead. Memory: 2 bytes for every four arcs, a byte and a head a vertex;
// where it is folded the skeleton, and 28 bytes a vertex.
#pragma once

#include <memory>
#include <optional>

#include "engine/cuda/layout/search_result.hpp"

namespace antipode::cuda {

struct SliceLayout;
struct SlicePart;
struct Unfolding;

class SliceSearch {
 public:
  static std::shared_ptr<const SliceLayout> layout(const Graph& graph);  // null: it does not fit
  static std::uint64_t bytes(const Graph& graph, const SliceLayout& layout);
  SliceSearch(const Context& context, const SliceLayout& layout, const GraphView& whole);
  ~SliceSearch();

  // The distance of every vertex to the nearest of at most kMostStarts different sources, all each
  // other's neighbours, as far as `limit`; others are kUnreached. Without any sources: from the
  // farthest of `from`, unless it is not wanted. Only started: everything must be waited for before
  // the answer, which is in the host's memory, is read. Its own ends are in the GPU's, with how far
  // those watched are where it is folded.
  void start(std::span<const Vertex> sources, Distance limit, const SearchOutcome* from,
             Distance* row, Vertex* level_sizes, SearchOutcome* ends, const CancelFlags& cancel,
             const CandidateProbe& watched, SearchAnswer* answer);

 private:
  struct Unfolded;  // what unfolding needs
  Unfolding unfolding(Distance* row, const CandidateProbe& watched) const;

  const Context& context_;
  GraphView whole_;
  std::optional<DeviceGraph> skeleton_;  // where it is folded
  GraphView graph_;                      // as it is searched
  unsigned most_quads_, most_words_;     // of a part
  Buffer<SlicePart> parts_;
  Buffer<unsigned short> owners_;
  Buffer<uint4> heads_;
  Buffer<unsigned> last_notices_, words_;
  Buffer<uint4> notices_;    // what the blocks tell each other in a round, twice, in turn
  Buffer<unsigned> rounds_;  // so far
  std::unique_ptr<Unfolded> unfolded_;
};

}  // namespace antipode::cuda
