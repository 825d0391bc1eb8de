// Strong components by one depth-first search. [Tarjan 1972] The search keeps its own stack, so
// that long paths need no deep recursion. A component is complete when all that it reaches is, so
// that components are numbered in reverse topological order. Memory: 24 bytes per vertex.
#include <algorithm>

#include "antipode/graph.hpp"
#include "graph/largest.hpp"
#include "graph/limits.hpp"

namespace antipode {

namespace {

class DepthFirst {
 public:
  explicit DepthFirst(const Adjacency& adjacency)
      : adjacency_(adjacency),
        entered_(adjacency.order(), kNoVertex),
        lowest_(adjacency.order(), kNoVertex),
        next_arc_(adjacency.order(), 0) {
    result_.of.assign(adjacency.order(), kNoVertex);
  }

  Components run() {
    for (Vertex root = 0; root < adjacency_.order(); ++root)
      if (entered_[root] == kNoVertex) visit_from(root);
    count_arcs();
    return std::move(result_);
  }

 private:
  static constexpr Vertex kCheck = 1 << 16;  // steps between two checks for an interrupt

  void visit_from(Vertex root) {
    enter(root);
    while (!path_.empty()) {
      const Vertex v = path_.back();
      const auto neighbours = adjacency_.neighbors(v);
      if (next_arc_[v] == neighbours.size()) {
        leave(v);
        continue;
      }
      const Vertex u = neighbours[next_arc_[v]++];
      if (entered_[u] == kNoVertex)
        enter(u);
      else if (result_.of[u] == kNoVertex)
        lowest_[v] = std::min(lowest_[v], entered_[u]);
    }
  }

  void enter(Vertex v) {
    if (count_ % kCheck == 0) stop_if_asked();
    entered_[v] = lowest_[v] = count_++;
    open_.push_back(v);
    path_.push_back(v);
  }

  void leave(Vertex v) {
    path_.pop_back();
    if (!path_.empty()) lowest_[path_.back()] = std::min(lowest_[path_.back()], lowest_[v]);
    if (lowest_[v] != entered_[v]) return;
    const Vertex which = result_.count();
    result_.orders.push_back(0);
    Vertex member;
    do {
      member = open_.back();
      open_.pop_back();
      result_.of[member] = which;
      ++result_.orders[which];
    } while (member != v);
  }

  void count_arcs() {
    result_.sizes.assign(result_.count(), 0);
    for (Vertex v = 0; v < adjacency_.order(); ++v)
      for (const Vertex u : adjacency_.neighbors(v))
        if (result_.of[u] == result_.of[v]) ++result_.sizes[result_.of[v]];
  }

  Adjacency adjacency_;
  std::vector<Vertex> entered_, lowest_, next_arc_;
  std::vector<Vertex> path_, open_;  // open: entered, without a component so far
  Vertex count_ = 0;                 // of vertices entered
  Components result_;
};

}  // namespace

Components strong_components(const Graph& graph) {
  if (!graph.is_directed()) return components(graph);
  refuse_bytes(std::uint64_t{graph.order()} * 24, "finding strong components");
  Components result = DepthFirst(graph.adjacency()).run();
  result.most = largest_of(graph, result);
  return result;
}

}  // namespace antipode
