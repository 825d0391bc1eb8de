// Components by size: the largest with their diameters, and how many have which size.
#include <algorithm>
#include <map>
#include <numeric>

#include "antipode/path_measures.hpp"
#include "report/page/sections.hpp"

namespace antipode::page {

namespace {

constexpr std::size_t kListed = 12;

Json sizes(const Components& components) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const Vertex order : components.orders) ++counts[order];
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> list(counts.begin(), counts.end());
  return ccdf(list);
}

std::vector<Vertex> largest_first(const Components& components) {
  std::vector<Vertex> result(components.count());
  std::iota(result.begin(), result.end(), Vertex{0});
  const auto end = result.begin() + static_cast<std::ptrdiff_t>(std::min(kListed, result.size()));
  std::partial_sort(result.begin(), end, result.end(), [&](Vertex a, Vertex b) {
    const bool is_first = a == components.largest();
    if (is_first || b == components.largest()) return is_first && a != b;
    return components.orders[a] != components.orders[b]
               ? components.orders[a] > components.orders[b]
               : a < b;
  });
  result.erase(end, result.end());
  return result;
}

// Null where the time is over before it is known.
Json diameter_of(const Part& part, const Graph& graph, std::string_view engine,
                 const EngineOptions& options, Watch& watch) {
  if (graph.order() == 1) return 0;
  if (watch.stop()) return {};
  if (graph.is_directed() || graph.has_lengths()) {
    const auto found = antipode::diameter(*make_path_engine(engine, graph, options), watch);
    return found.exact() ? Json(part.in_units(found.lower)) : Json();
  }
  const auto found = antipode::diameter(*make_engine(engine, graph, options), {}, watch);
  return found.exact() ? Json(found.lower) : Json();
}

}  // namespace

Json component_list(const Part& part, const Json& diameter, std::string_view engine,
                    const EngineOptions& options, Watch& watch) {
  const Components& all = part.components;
  if (all.count() == 0) return Json::object({{"state", "undefined"}});
  std::vector<Json> list = {Json::array({part.graph.order(), part.graph.size(), diameter})};
  if (all.count() > 1) {
    const ComponentCutter cutter(part.loaded.graph, all);
    for (const Vertex which : largest_first(all))
      if (which != all.largest())
        list.push_back(
            Json::array({all.orders[which], all.sizes[which],
                         diameter_of(part, cutter.subgraph(which), engine, options, watch)}));
  }
  return Json::object(
      {{"state", "exact"}, {"count", all.count()}, {"list", list}, {"points", sizes(all)}});
}

Json wider_elsewhere(const Part& part, const Extent& extent, Watch& watch) {
  const Graph& whole = part.loaded.graph;
  if (part.components.count() < 2 || whole.is_directed() || whole.has_lengths()) return {};
  const auto found = wider_component(whole, part.components, static_cast<Distance>(extent.upper),
                                     [&] { return watch.stop(); });
  if (!found) return {};
  return Json::object(
      {{"vertices", found->order}, {"at_least", found->at_least}, {"undecided", found->undecided}});
}

}  // namespace antipode::page
