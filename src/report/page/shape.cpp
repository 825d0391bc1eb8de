// How wide the graph is from its middle and along its longest shortest path.
#include <algorithm>

#include "report/page/sections.hpp"

namespace antipode::page {

namespace {

constexpr std::size_t kMostStops = 41;  // vertices of the path that are drawn

Length length_of(const Graph& graph, Vertex from, Vertex to) {
  const auto neighbors = graph.neighbors(from);
  const auto at = std::lower_bound(neighbors.begin(), neighbors.end(), to) - neighbors.begin();
  return graph.adjacency().length(graph.offsets()[from] + static_cast<EdgeOffset>(at));
}

Json no_search() {
  return Json::object(
      {{"state", "missing"}, {"why", "its search was not finished within the time"}});
}

}  // namespace

Json spindle(Part& part, Watch& watch, Vertex center) {
  if (part.graph.order() == 0) return Json::object({{"state", "undefined"}});
  if (center == kNoVertex) return no_search();
  const Bins levels = part.levels_from(center, watch);
  if (levels.counts.empty()) return no_search();
  return Json::object(
      {{"state", "exact"}, {"vertex", part.label(center)}, {"bins", to_json(levels, part.graph)}});
}

Json longest_path(Part& part, Watch& watch, const std::vector<Vertex>& path) {
  if (part.graph.order() == 0) return Json::object({{"state", "undefined"}});
  if (path.empty()) return no_search();
  const Bins levels = part.levels_from(path.front(), watch);
  if (levels.counts.empty()) return no_search();
  std::vector<Json> stops;
  const std::size_t last = path.size() - 1, shown = std::min(last, kMostStops - 1);
  Length distance = 0;
  for (std::size_t i = 0, stop = 0; i <= last; ++i) {
    if (i > 0) distance += length_of(part.graph, path[i - 1], path[i]);
    if (i != (shown == 0 ? 0 : stop * last / shown)) continue;
    stops.push_back(Json::array({i, part.label(path[i]), part.in_units(distance)}));
    ++stop;
  }
  return Json::object({{"state", "exact"},
                       {"vertices", path.size()},
                       {"stops", stops},
                       {"bins", to_json(levels, part.graph)}});
}

}  // namespace antipode::page
