// Folding of an undirected graph with lengths: vertices of few neighbours are taken off one after
// the other, and what passed through them stays as shortcuts among their neighbours. It answers
// searches from many vertices: after one climb, a search is a single sweep over short lists, for
// many sources at once. Trees (degree 1), chains (degree 2) and contraction hierarchies are cases
// of it. [Hakimi 1964; George & Liu 1989; Delling, Goldberg, Nowatzyk, Werneck 2011 (PHAST);
// Dibbelt, Strasser, Wagner 2016 (orders without a metric)]
//
// Theorem. Take off v, with neighbours N(v) and lengths w; for all a, b in N(v) let the edge a-b be
// at most w(a, v) + w(v, b) long. Distances among the others stay: a shortest path through v passes
// two of its neighbours. Take off one vertex after the other, and let above(v) be N(v), with its
// lengths, when v went. What is left at the end is the core, above all. Call a way that first only
// goes to vertices above, perhaps through the core, and from there only down, a *hill*. Then a
// shortest hill from s to t is d(s, t) long.
// Proof. Of s and t let s be the lower (if both are in the core, the core has their distance). When
// s went, the graph still had the distances among those left, so the last way out of s led to some
// a in above(s), and d(s, t) = w(s, a) + d(a, t). Both a and t are above s: by induction from the
// top, a shortest hill leads from a to t, and s-a continues it downwards. ∎
// So d(s, v) = min(c(v), min over (a, w) in above(v) of d(s, a) + w) from the top down, where the
// climb c(v) is the least length of a way from s that only goes up.
//
// Pruning. An entry (b, w) of above(v) may go if another one (a, x) stays with x + d(a, b) <= w:
// in the proof, a takes the place of b, since x + d(a, t) <= x + d(a, b) + d(b, t) <= w + d(b, t).
// With an upper bound of d(a, b) this holds a fortiori. Entries go one at a time, so that of two
// that would replace each other one stays, and what replaced an entry that is replaced later on is
// covered by its own replacement. ∎
//
// Memory: 8 bytes per entry of the lists twice while folding (16 for 64-bit lengths), and 28 per
// vertex.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// Key: 32 or 64 bits. New numbers: the core first, then the vertices taken off, the last one first.
// So above(v) has smaller numbers than v.
template <class Key>
struct LengthFolding {
  struct Entry {
    Vertex vertex;
    Key length;
  };

  Vertex core = 0;
  std::vector<Vertex> place;  // new number of each vertex
  std::vector<Vertex> old;    // vertex of each new number
  // above(v) is [offsets[v], offsets[v + 1]) of the entries; in the core: neighbours, both ways.
  std::vector<EdgeOffset> offsets;
  std::vector<Entry> entries;
  // Whether more steps might have taken off more; if not, the limits or the fill ended it.
  enum class Ended { as_it_should, out_of_steps } ended = Ended::as_it_should;

  Vertex order() const { return static_cast<Vertex>(old.size()); }
  bool is_complete() const { return core == 0; }
};

struct FoldingLimits {
  // No distance is longer; what is longer is no edge. Sums of two must fit the key.
  Length longest = 0;
  Vertex most_degree = kNoVertex;                // of vertices taken off
  std::uint64_t most_steps = ~std::uint64_t{0};  // entries looked at: 2 to 3 ns each
  std::function<bool()> stop = nullptr;          // true: Interrupted
};

// As far as the limits allow. Where the steps do not suffice for all vertices, it stops at the
// degree after which a search is cheapest.
template <class Key>
LengthFolding<Key> fold_lengths(const Adjacency& adjacency, const FoldingLimits& limits);

extern template LengthFolding<std::uint32_t> fold_lengths(const Adjacency&, const FoldingLimits&);
extern template LengthFolding<std::uint64_t> fold_lengths(const Adjacency&, const FoldingLimits&);

}  // namespace antipode
