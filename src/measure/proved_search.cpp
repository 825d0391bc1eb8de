#include "measure/proved_search.hpp"

#include <queue>

#include "antipode/error.hpp"
#include "graph/limits.hpp"

namespace antipode {

std::vector<Length> ProvedSearch::distances(std::span<const PathStart> starts, Along along,
                                            const Parts& parts) {
  ++count_;
  refuse_bytes(std::uint64_t{graph_.order()} * 32, "distances of a search");
  distance_.assign(graph_.order(), kNoPath);
  rank_.assign(graph_.order(), kNoVertex);
  if (arcs(along).lengths.empty() && starts.size() == 1)
    find_by_levels(starts.front(), arcs(along), parts);
  else
    find(starts, arcs(along), parts);
  if (!is_proved(starts, arcs(along), parts)) throw Error("a search of the checker is wrong");
  return std::move(distance_);
}

// [Dijkstra 1959]
void ProvedSearch::find(std::span<const PathStart> starts, const Adjacency& arcs,
                        const Parts& parts) {
  using Entry = std::pair<Length, Vertex>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  for (const auto [vertex, from] : starts)
    if (from < distance_[vertex]) distance_[vertex] = from, heap.emplace(from, vertex);
  for (Vertex found = 0; !heap.empty();) {
    const auto [distance, v] = heap.top();
    heap.pop();
    if (rank_[v] != kNoVertex) continue;
    rank_[v] = found++;
    work_(1 + arcs.degree(v));
    for (EdgeOffset arc = arcs.offsets[v]; arc < arcs.offsets[v + 1]; ++arc) {
      const Vertex u = arcs.targets[arc];
      if (parts[u] != parts[v]) continue;
      const Length there = plus(distance, arcs.length(arc));
      if (there < distance_[u]) distance_[u] = there, heap.emplace(there, u);
    }
  }
}

// Where all lengths are 1 and there is one start, vertices are found in the order of a queue.
void ProvedSearch::find_by_levels(const PathStart& start, const Adjacency& arcs,
                                  const Parts& parts) {
  queue_.assign(1, start.vertex);
  distance_[start.vertex] = start.from;
  for (std::size_t found = 0; found < queue_.size(); ++found) {
    const Vertex v = queue_[found];
    rank_[v] = static_cast<Vertex>(found);
    work_(1 + arcs.degree(v));
    for (const Vertex u : arcs.neighbors(v)) {
      if (parts[u] != parts[v] || distance_[u] != kNoPath) continue;
      distance_[u] = plus(distance_[v], 1);
      queue_.push_back(u);
    }
  }
}

// The distances r are right if (1) no start is nearer than r says, (2) r(u) <= r(v) + w for every
// arc v -> u, so that r is at most the distance, and (3) every finite r(u) is that of a start at u,
// or r(v) + w of an arc from a vertex v found before u: following these arcs back ends at a start,
// so that r is the length of a way. Vertices found before others are no circle, whatever lengths
// are zero.
bool ProvedSearch::is_proved(std::span<const PathStart> starts, const Adjacency& arcs,
                             const Parts& parts) const {
  std::vector<bool> is_reached(graph_.order(), false);
  for (const auto [vertex, from] : starts) {
    if (distance_[vertex] > from) return false;
    if (distance_[vertex] == from) is_reached[vertex] = true;
  }
  for (Vertex v = 0; v < graph_.order(); ++v) {
    if (distance_[v] == kNoPath) continue;
    work_(1 + arcs.degree(v));
    for (EdgeOffset arc = arcs.offsets[v]; arc < arcs.offsets[v + 1]; ++arc) {
      const Vertex u = arcs.targets[arc];
      if (parts[u] != parts[v]) continue;
      const Length there = plus(distance_[v], arcs.length(arc));
      if (distance_[u] > there) return false;
      if (distance_[u] == there && rank_[v] < rank_[u]) is_reached[u] = true;
    }
  }
  for (Vertex v = 0; v < graph_.order(); ++v)
    if (distance_[v] != kNoPath && !is_reached[v]) return false;
  return true;
}

}  // namespace antipode
