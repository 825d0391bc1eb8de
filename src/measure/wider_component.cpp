// Is some other component wider than the largest? Only one with more vertices than the diameter can
// be, and few are: a double sweep of each, with a plain queue, takes no engine and a moment.
#include "antipode/measures.hpp"

namespace antipode {

namespace {

struct End {
  Vertex vertex;
  Distance distance;
};

// The vertex found last from `source`. `seen` has the number of the sweep at every vertex it
// reached.
End swept(const Graph& graph, Vertex source, Vertex sweep, std::vector<Vertex>& seen,
          std::vector<Vertex>& queue) {
  queue.assign(1, source);
  seen[source] = sweep;
  Distance distance = 0;
  for (std::size_t head = 0, level_end = 1; head < queue.size(); ++head) {
    if (head == level_end) ++distance, level_end = queue.size();
    for (const Vertex u : graph.neighbors(queue[head]))
      if (seen[u] != sweep) seen[u] = sweep, queue.push_back(u);
  }
  return {queue.back(), distance};
}

}  // namespace

std::optional<WiderComponent> wider_component(const Graph& graph, const Components& components,
                                              Distance diameter) {
  std::optional<WiderComponent> widest;
  std::vector<Vertex> seen, queue;
  std::vector<bool> swept_before(components.count(), false);
  swept_before[components.largest()] = true;
  Vertex sweeps = 0;
  for (Vertex v = 0; v < graph.order(); ++v) {
    const Vertex which = components.of[v];
    if (swept_before[which]) continue;
    swept_before[which] = true;
    const Distance known = widest ? widest->at_least : diameter;
    if (components.orders[which] <= known + std::uint64_t{1})
      continue;  // not even a path of all its vertices is longer
    seen.resize(graph.order(), 0);
    const End far = swept(graph, v, ++sweeps, seen, queue),
              farther = swept(graph, far.vertex, ++sweeps, seen, queue);
    if (farther.distance > known) widest = {components.orders[which], farther.distance};
  }
  return widest;
}

}  // namespace antipode
