// Measures of paths by a search from every vertex.
#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "antipode/path_measures.hpp"

namespace antipode {

namespace {

Witness farthest_path(PathEngine& engine, Vertex from) {
  std::vector<Length> distances(engine.graph().order());
  const PathSearch found = engine.search(from, Along::arcs, distances);
  return {from, found.farthest, shortest_path(engine.graph(), from, distances, found.farthest)};
}

}  // namespace

PathCenter center(PathEngine& engine, Question, Observer& observer) {
  CheckpointStore none;
  const PathEccentricities all = eccentricities(engine, Along::arcs, observer, none);
  PathCenter result;
  result.searches = all.searches;
  result.exact = all.exact;
  if (!all.exact) return result;
  const Vertex order = engine.graph().order();
  result.lower = result.upper = kNoPath;
  for (Vertex v = 0; v < order; ++v)
    if (all.reached[v] == order) {
      ++result.reach_all;
      result.lower = result.upper = std::min(result.upper, all.lower[v]);
    }
  for (Vertex v = 0; v < order; ++v)
    if (all.reached[v] == order && all.lower[v] == result.lower) result.center.push_back(v);
  if (!result.center.empty()) result.witness = farthest_path(engine, result.center.front());
  return result;
}

PathPeriphery periphery(PathEngine& engine, Observer& observer) {
  CheckpointStore none;
  const PathEccentricities all = eccentricities(engine, Along::arcs, observer, none);
  PathPeriphery result;
  result.searches = all.searches;
  result.exact = all.exact;
  if (!all.exact || all.lower.empty()) return result;
  result.lower = result.upper = *std::max_element(all.lower.begin(), all.lower.end());
  for (Vertex v = 0; v < all.lower.size(); ++v)
    if (all.lower[v] == result.lower) result.periphery.push_back(v);
  result.witness = farthest_path(engine, result.periphery.front());
  return result;
}

std::optional<std::uint64_t> reachable_pairs(const Graph& graph, Observer& observer) {
  std::uint64_t pairs = 0;
  std::vector<Vertex> queue, seen(graph.order(), kNoVertex);
  for (Vertex source = 0; source < graph.order(); ++source) {
    if (observer.stop()) return std::nullopt;
    queue.assign(1, source);
    seen[source] = source;
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (const Vertex u : graph.neighbors(queue[head]))
        if (seen[u] != source) seen[u] = source, queue.push_back(u);
    pairs += queue.size() - 1;
  }
  return pairs;
}

}  // namespace antipode
