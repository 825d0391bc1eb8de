// Bounds of the longest distances in a part of a directed graph that all paths between its vertices
// stay in, in linear time, strong component by strong component in topological order: what the
// components behind add, and inside a component the way to a pivot and on from there
// (docs/paths.md, T5 and T6). [after Borassi et al. 2015] Only vertices whose bound is above the
// longest distance known have to be searched. Memory: 60 bytes per vertex of the graph.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "measure/path_run.hpp"

namespace antipode {

// Vertices by strong component; no arc goes to a component that comes later.
class ComponentOrder {
 public:
  explicit ComponentOrder(const Components& components);
  Vertex count() const { return static_cast<Vertex>(begin_.size() - 1); }
  std::span<const Vertex> members(Vertex which) const {
    return std::span(vertices_).subspan(begin_[which], begin_[which + 1] - begin_[which]);
  }
  Vertex component(Vertex v) const { return of_[v]; }

 private:
  const std::vector<Vertex>& of_;
  std::vector<Vertex> vertices_;
  std::vector<std::size_t> begin_;
};

class ComponentBounds {
 public:
  // `is_inside`: the part; `is_tail`: those whose paths count, all of it or some.
  ComponentBounds(PathRun& run, const ComponentOrder& order, std::vector<bool> is_inside,
                  std::vector<bool> is_tail);

  // Searches until no pair of a tail and a vertex of the part is farther apart than the longest
  // distance known. `step`: describes the part.
  void run(PathStep step);
  Length upper_when_stopped();  // of their distances

  // Tails with a longest distance of `diameter`, which no distance in the part exceeds.
  std::vector<Vertex> attaining(Length diameter);

 private:
  static constexpr Length kNone = kNoPath;  // no tail, or nothing known

  // Those not searched whose bounds are above the limit, lowest components first.
  std::vector<Vertex> exceeding(Along along);
  void bound_component(std::span<const Vertex> members);
  void bound_single(Vertex v);
  void bound_strong(std::span<const Vertex> members);
  Length beyond(std::span<const Vertex> members);
  void spread(const Adjacency& arcs, Vertex component);
  void spread_by_levels(const Adjacency& arcs, Vertex component);
  void spread_by_heap(const Adjacency& arcs, Vertex component);
  Length largest_bound(std::span<const Vertex> vertices) const;
  void settle(Vertex v, Length bound);
  Length known(Vertex v) const { return known_.empty() ? kNone : known_[v]; }
  Length limit() const { return limit_ == kNone ? run_.longest() : limit_; }
  void search_some(std::vector<Vertex>& open, Along along, PathStep& step);
  Vertex pivot_of(std::span<const Vertex> members) const;
  void search(std::span<const Vertex> sources, Along along, PathStep& step);
  void make_part_engine();

  PathRun& run_;
  const ComponentOrder& order_;
  std::vector<bool> is_inside_, is_tail_;
  // Found by searches, in the chosen direction; empty before the first one.
  std::vector<Length> known_;
  std::unique_ptr<Length[]> bound_, distance_;  // of the vertices of components looked at so far
  Length limit_ = kNone;  // bounds above this are too large; kNone: the longest distance known
  // Of the present pass:
  Along along_ = Along::arcs;
  Adjacency leaving_, entering_;
  std::vector<std::pair<Length, Vertex>> queue_;
  std::vector<Vertex> found_;
  std::vector<Vertex> exceeding_;
  bool is_stopped_ = false;

  std::unique_ptr<PathEngine> engine_;  // of the part alone
  std::vector<Vertex> part_, place_;    // its vertices, and where each is among them
};

}  // namespace antipode
