// How a graph is laid out for searches in the shared memory of all blocks: folded where that takes
// much off it, and its rows shared out in equal parts.
#pragma once

#include <memory>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode::cuda {

// A block's part: quads of rows, and the vertices whose they are. The first and the last of these
// may have quads in other parts, too.
struct SlicePart {
  unsigned begin, length;  // quads
  Vertex first, count;     // vertices
  unsigned word, words;    // of a bitmap, in which these are
  unsigned notice;         // the first of those in which it tells the others what it found
};

// Three words of a bitmap, and in the last one of which round they are: one write tells both.
inline constexpr unsigned kNoticeWords = 3;
inline constexpr unsigned kSharedNotice =
    1u << 31;  // where its words begin, with this if others tell of some of them, too

// What a vertex has become in the skeleton: its place there; or, if it came off, the place of the
// only neighbour left, or where they are listed.
struct Fold {
  static constexpr Vertex
      kLongest = 16,
      kMost = 4;  // so many neighbours at most has who comes off, and so many of these are left
  static constexpr unsigned kOff = 1u << 31, kListed = 1u << 30, kPlace = kListed - 1;
};

struct SliceLayout {
  SliceLayout(const Graph& whole, std::size_t blocks);
  bool is_folded() const { return !folds.empty(); }

  Graph graph;                  // as it is searched
  std::vector<unsigned> folds;  // of every vertex of the whole; none where nothing came off
  std::vector<Vertex> lists;    // in fours (kMost), kNoVertex where there are fewer
  std::vector<SlicePart> parts;
  std::vector<unsigned short> owners;       // of all quads: which of its part's vertices each has
  std::vector<unsigned> notices;            // of all parts: where each one's words begin
  std::vector<unsigned> last_notices;       // of each part that has any
  unsigned most_quads = 0, most_words = 0;  // of a part
  Vertex most_owned = 0;

 private:
  void fold(const Graph& whole);
  void share_out(std::size_t blocks);
};

}  // namespace antipode::cuda
