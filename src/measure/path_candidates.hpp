// Which vertices may begin (tails) or end (heads) a path longer than a limit, and the rules by
// which they leave (docs/paths.md, "Certificates"). Without directions both are one set. Memory: 5
// bits per vertex.
#pragma once

#include <span>
#include <vector>

#include "measure/proved_search.hpp"

namespace antipode {

class PathCandidates {
 public:
  // All vertices that are in a part.
  PathCandidates(const Graph& graph, const Parts& part, Length limit);

  struct Reach {
    Length heads = 0, tails = 0;
    bool is_whole = true;  // otherwise a head is not reached, or a tail does not reach it
  };
  // Distances to a vertex and from it.
  struct Rows {
    std::span<const Length> to, from;
  };
  Reach hub(const Rows& rows) { return apply(rows, tails_, heads()); }
  Reach hub_outside(const Rows& rows) { return apply(rows, far_tails_, far_heads()); }
  // Inside: tails within `near` to the vertex and heads within the rest of the limit from it.
  void split(const Rows& rows, Length near);
  bool drop_tail(Vertex v);  // false if it is none
  bool drop_head(Vertex v);

  bool is_tail(Vertex v) const { return tails_[v]; }
  bool is_head(Vertex v) const { return heads()[v]; }
  bool is_far_tail(Vertex v) const { return has_split_ ? far_tails_[v] : tails_[v]; }
  bool is_far_head(Vertex v) const { return has_split_ ? far_heads()[v] : heads()[v]; }
  bool has_split() const { return has_split_; }
  std::uint64_t left() const;
  std::uint64_t outside() const;  // of the split
  bool is_proved() const;         // there is no path longer than the limit
  // Without directions: a component of which nothing is outside the ball is done. Whether that is
  // so, and it had candidates.
  bool finish_component();

 private:
  using Set = std::vector<bool>;

  Reach apply(const Rows& rows, const Set& far_tails, const Set& far_heads);
  void drop(Set& set, Set& far, Vertex v) { set[v] = far[v] = false; }
  Set& heads() { return is_directed_ ? heads_ : tails_; }
  const Set& heads() const { return is_directed_ ? heads_ : tails_; }
  Set& far_heads() { return is_directed_ ? far_heads_ : far_tails_; }
  const Set& far_heads() const { return is_directed_ ? far_heads_ : far_tails_; }

  bool is_directed_, has_split_ = false;
  Length limit_;
  Set tails_, heads_, far_tails_, far_heads_;
  Set beside_;  // without directions: of the ball's component
};

}  // namespace antipode
