// How a graph is laid out for searches in the shared memory of all blocks: the skeleton if that is
// much smaller, its adjacency divided into slices of equal length. Memory: section 3 of
// docs/cuda.md.
#pragma once

#include <memory>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode::cuda {

// A block's slice: quads of adjacency and the vertices they belong to. The first and the last of
// these vertices may have quads in other slices, too.
struct SliceView {
  unsigned begin, length;  // quads
  Vertex first, count;     // vertices
  unsigned word, words;    // words of a bitmap that hold these vertices
  unsigned notice;         // the first notice that this block writes
};

// A notice is one 16-byte store: three words of a bitmap and the number of the round.
inline constexpr unsigned kNoticeWords = 3;
// Flag of a notice's first word: other notices contain some of its words, too.
inline constexpr unsigned kSharedNotice = 1u << 31;

// Where a vertex is in the skeleton: its number there; or, if it was removed, the number of its
// only remaining neighbour, or the index of a list of these.
struct Fold {
  // A removed vertex has at most kMostDegree neighbours, of which at most kMostAnchors remain.
  static constexpr Vertex kMostDegree = 16, kMostAnchors = 4;
  static constexpr unsigned kRemoved = 1u << 31, kListed = 1u << 30, kPlace = kListed - 1;
};

struct SliceLayout {
  SliceLayout(const Graph& whole, std::size_t blocks);
  bool is_folded() const { return !folds.empty(); }

  Graph graph;                  // the graph or its skeleton
  std::vector<unsigned> folds;  // per vertex of the whole graph; empty if nothing was removed
  std::vector<Vertex> lists;    // lists of kMostAnchors entries, filled up with kNoVertex
  std::vector<SliceView> parts;
  std::vector<unsigned short> owners;  // of each quad: its vertex, counted from the slice's first
  std::vector<unsigned> notices;       // of each notice: its first word
  std::vector<unsigned> last_notices;  // of each slice that is not empty: its last notice
  unsigned most_quads = 0, most_words = 0;  // of a slice
  Vertex most_owned = 0;

 private:
  void fold(const Graph& whole);
  void partition(std::size_t blocks);
  void mark_shared_notices();
};

}  // namespace antipode::cuda
