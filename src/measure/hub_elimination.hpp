// The longest finite distance among pairs that pass by a strong component of a directed graph: the
// first vertex, the *tail*, reaches the component, and it reaches the second, the *head*. Searches
// from *hubs* in the component, in both directions, show which tails and heads cannot end a longer
// path than the longest known (docs/paths.md, T4). Memory: 16 bytes per vertex and hub.
#pragma once

#include <vector>

#include "measure/path_run.hpp"

namespace antipode {

class HubElimination {
 public:
  // `members`: the component.
  HubElimination(PathRun& run, std::vector<Vertex> members);

  // The hub with the largest product of degrees: it finds tails and heads.
  void first_hub();
  Vertex first() const { return hubs_.front().vertex; }
  bool is_tail(Vertex v) const { return hubs_.front().to.at(v) != kNoPath; }
  bool is_head(Vertex v) const { return hubs_.front().from.at(v) != kNoPath; }

  bool is_all_tails() const { return first_tails_ == run_.graph().order(); }
  bool is_all_heads() const { return first_heads_ == run_.graph().order(); }

  void run();                              // until no pair is longer than the longest known
  Length upper() const { return upper_; }  // of distances of tails to heads, or the longest known

 private:
  struct Hub {
    Vertex vertex;
    PathRow to, from;
  };
  // Pairs are short if the tail is within `limit` of the hub and the head within the rest of the
  // longest distance known. Outside: tails and heads that are farther.
  struct Split {
    std::size_t hub = 0;
    Length limit = 0;
    std::size_t outside = kNone;
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  };
  // Farthest distances between a hub and the candidates of one side.
  struct Reach {
    bool any = false, any_outside = false;
    Length all = 0, outside = 0;
  };
  // One side, seen from a hub and from the hub of the split.
  struct Side {
    std::vector<Vertex>& candidates;
    const Length *distance, *from_center;
    Length limit;  // outside: farther than that from the hub of the split
  };

  void add_hub(Vertex v);
  void sweep();
  void add_midpoint();
  Vertex next_hub(bool central) const;
  void batch();
  void search_side(std::vector<Vertex>& side, const PathRow& row, Length limit, Along along);
  void eliminate();
  bool eliminate_by(const Hub& hub);
  void describe(const Split& split);
  Split split_at(std::size_t hub) const;
  void choose_split();
  void raise(const PathRow& row, std::vector<Length>& lower) const;

  static Reach reach_of(const Side& side);
  static bool drop(const Side& side, const Reach& others, Length longest);

  PathRun& run_;
  std::vector<Vertex> members_;
  std::vector<bool> is_member_, is_hub_;
  std::vector<Hub> hubs_;
  std::vector<Vertex> tails_, heads_;         // candidates left
  std::vector<Length> lower_out_, lower_in_;  // bounds of the eccentricities along and against
  std::size_t first_tails_ = 0, first_heads_ = 0;
  Split split_;
  Length upper_;
  std::size_t batch_size_;
};

}  // namespace antipode
