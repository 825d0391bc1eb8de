// What needs no search: sizes, what was left out, degrees.
#include "report/page/sections.hpp"

namespace antipode::page {

namespace {

constexpr std::size_t kMostNotices = 12, kLongestNotice = 240;

Json dropped(const LoadedGraph& loaded) {
  return Json::object({{"loops", loaded.loops},
                       {"repeats", loaded.repeats},
                       {"lengths", loaded.lengths_dropped},
                       {"directions", loaded.directions_dropped}});
}

}  // namespace

Json about(const Part& part) {
  const LoadedGraph& loaded = part.loaded;
  const Graph& whole = loaded.graph;
  std::vector<Json> notices;
  for (const std::string& each : loaded.notices)
    if (notices.size() < kMostNotices) notices.push_back(shortened(each, kLongestNotice));
  return Json::object(
      {{"name", shortened(loaded.name, kLongestNotice)},
       {"format", loaded.format},
       {"vertices", whole.order()},
       {"edges", whole.size()},
       {"directed", whole.is_directed()},
       {"weighted", whole.has_lengths()},
       {"dropped", dropped(loaded)},
       {"notices", notices},
       {"components", part.components.count()},
       {"part", Json::object({{"vertices", part.graph.order()}, {"edges", part.graph.size()}})}});
}

Json degrees(const Graph& graph) {
  if (graph.order() == 0) return Json::object({{"state", "undefined"}});
  std::vector<std::uint64_t> counts;
  for (Vertex v = 0; v < graph.order(); ++v) {
    if (graph.degree(v) >= counts.size()) counts.resize(graph.degree(v) + std::size_t{1}, 0);
    ++counts[graph.degree(v)];
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> list;
  for (std::size_t degree = 0; degree < counts.size(); ++degree)
    if (counts[degree] > 0) list.emplace_back(degree, counts[degree]);
  return Json::object({{"state", "exact"},
                       {"least", list.front().first},
                       {"most", list.back().first},
                       {"mean", static_cast<double>(graph.arcs()) / graph.order()},
                       {"isolated", counts[0]},
                       {"points", ccdf(list)}});
}

}  // namespace antipode::page
