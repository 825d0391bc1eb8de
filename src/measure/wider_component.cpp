// Is some other component wider than the largest? Only one with more vertices than the diameter can
// be, and few are: searches with a plain queue take no engine and a moment. Two sweeps of each give
// a lower bound. Then every pair that is farther apart has an end more than half as far from the
// midpoint of the path found, and the vertices there are searched from, outermost first.
// [Crescenzi et al. 2013: iFUB]
#include <algorithm>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"

namespace antipode {

namespace {

class Sweeps {
 public:
  Sweeps(const Graph& graph, Distance known, const std::function<bool()>& stop)
      : graph_(graph), distance_(graph.order(), kUnreached), known_(known), stop_(stop) {}

  Distance longest() const { return known_; }  // the longest distance so far
  // Searches the component of v. Returns whether no pair of it is farther apart than is known then;
  // otherwise more work is needed than is left, or than is wanted.
  bool search_component(Vertex v) {
    try {
      return search_all(v);
    } catch (const Interrupted&) {
      return false;
    }
  }

 private:
  bool search_all(Vertex v) {
    sweep(v);
    sweep(queue_.back());
    sweep(midpoint());
    std::vector<Vertex> outer;
    for (auto at = queue_.rbegin(); at != queue_.rend() && 2 * distance_[*at] > known_; ++at)
      outer.push_back(*at);
    std::vector<Distance> level;
    for (const Vertex u : outer) level.push_back(distance_[u]);
    for (std::size_t i = 0; i < outer.size() && 2 * level[i] > known_; ++i) {
      if (work_left_ < 0) return false;
      work_left_ -= sweep(outer[i]);
    }
    return true;
  }

  // Returns the steps it took. The vertex found last is the farthest.
  std::int64_t sweep(Vertex source) {
    constexpr std::size_t kBetweenAsks = 1 << 15;  // a vertex may take a cache miss per edge
    for (const Vertex v : queue_) distance_[v] = kUnreached;
    queue_.assign(1, source);
    distance_[source] = 0;
    std::int64_t steps = 0;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      if (head % kBetweenAsks == 0 && stop_ && stop_()) throw Interrupted();
      const Vertex v = queue_[head];
      steps += graph_.degree(v) + std::int64_t{1};
      for (const Vertex u : graph_.neighbors(v))
        if (distance_[u] == kUnreached) distance_[u] = distance_[v] + 1, queue_.push_back(u);
    }
    known_ = std::max(known_, distance_[queue_.back()]);
    return steps;
  }

  // Of a path from the source to the farthest vertex.
  Vertex midpoint() const {
    Vertex v = queue_.back();
    for (Distance at = distance_[v], half = at / 2; at > half; --at)
      v = *std::find_if(graph_.neighbors(v).begin(), graph_.neighbors(v).end(),
                        [&](Vertex u) { return distance_[u] == at - 1; });
    return v;
  }

  const Graph& graph_;
  std::vector<Distance> distance_;  // of what is in the queue
  std::vector<Vertex> queue_;
  Distance known_;
  const std::function<bool()>& stop_;
  std::int64_t work_left_ = std::int64_t{1} << 28;  // about a second
};

}  // namespace

std::optional<WiderComponent> wider_component(const Graph& graph, const Components& components,
                                              Distance diameter,
                                              const std::function<bool()>& stop) {
  std::optional<Sweeps> sweeps;
  WiderComponent found;
  std::vector<bool> seen(components.count(), false);
  seen[components.largest()] = true;
  for (Vertex v = 0; v < graph.order(); ++v) {
    const Vertex which = components.of[v];
    if (seen[which]) continue;
    seen[which] = true;
    const Distance before = sweeps ? sweeps->longest() : diameter;
    if (components.orders[which] <= before + std::uint64_t{1})
      continue;  // not even a path of all its vertices is longer
    if (!sweeps) sweeps.emplace(graph, diameter, stop);
    if (!sweeps->search_component(v)) ++found.undecided;
    if (sweeps->longest() > before) {
      found.order = components.orders[which];
      found.at_least = sweeps->longest();
    }
  }
  if (found.order == 0 && found.undecided == 0) return std::nullopt;
  return found;
}

}  // namespace antipode
