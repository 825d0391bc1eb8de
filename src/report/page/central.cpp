// The most central vertices, by closeness and by betweenness, in one table. Closeness: exact values
// of vertices that are the nearest of all, proved so, or else of those nearest to a sample.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "antipode/error.hpp"
#include "antipode/path_averages.hpp"
#include "report/page/sections.hpp"

namespace antipode::page {

namespace {

constexpr std::size_t kTop = 20;
constexpr std::size_t kCandidates = 64;  // of a sample: searched exactly
constexpr std::size_t kFirst = 64;       // sources that are timed, and of a batch

struct Near {
  std::vector<Vertex> vertices;  // nearest first
  std::size_t sources = 0;       // of a sample
  enum class State { exact, sample, missing } state = State::missing;
};

double closeness_of(const Part& part, const Summed& summed) {
  return summed.distance_sum > 0 ? (part.graph.order() - 1.0) / summed.distance_sum : 0;
}

// The `most` vertices of highest value; of equal ones the first.
std::vector<Vertex> highest(const std::vector<double>& values, std::size_t most) {
  std::vector<Vertex> result(values.size());
  std::iota(result.begin(), result.end(), Vertex{0});
  const auto end = result.begin() + static_cast<std::ptrdiff_t>(std::min(most, result.size()));
  std::partial_sort(result.begin(), end, result.end(), [&](Vertex a, Vertex b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  });
  result.erase(end, result.end());
  return result;
}

// The vertices searched, in the order of their closeness.
std::vector<Vertex> by_closeness(const Part& part, const std::vector<Vertex>& vertices,
                                 const std::vector<Summed>& summed) {
  std::vector<double> values;
  for (const Summed& each : summed) values.push_back(closeness_of(part, each));
  std::vector<Vertex> result;
  for (const Vertex place : highest(values, kTop)) result.push_back(vertices[place]);
  return result;
}

// All vertices, where a few that are timed say that it fits.
Near from_all(Part& part, Watch& watch, std::uint64_t seed) {
  const std::vector<Vertex> all = part.random_vertices(part.graph.order(), seed);
  const double start = watch.seconds();
  const std::size_t first = std::min(kFirst, all.size());
  if (part.summarize(std::span(all).first(first), watch).size() < first) return {};
  const double each = (watch.seconds() - start) / static_cast<double>(first);
  if (each * static_cast<double>(all.size()) > 0.9 * watch.left()) return {};
  std::vector<Vertex> ordered(all.size());
  std::iota(ordered.begin(), ordered.end(), Vertex{0});
  const auto summed = part.summarize(ordered, watch);
  if (summed.size() < all.size()) return {};
  return {by_closeness(part, ordered, summed), all.size(), Near::State::exact};
}

// Sums of the distances from every vertex to the sources, of which there are as many as fit.
std::vector<double> sums_to_sample(Part& part, Watch& watch, std::span<const Vertex> sources,
                                   std::size_t& used) {
  std::vector<double> sums(part.graph.order(), 0);
  try {
    const std::size_t at_once = part.is_long ? 1 : kFirst;
    for (; used < sources.size() && !watch.stop(); used += at_once) {
      const auto some = sources.subspan(used, std::min(at_once, sources.size() - used));
      if (!part.paths && part.is_long) {
        const Limit limit(*part.engine, watch);
        part.engine->distances(some, [&](Vertex, std::span<const Distance> row) {
          for (std::size_t v = 0; v < row.size(); ++v) sums[v] += row[v];
        });
        continue;
      }
      if (!part.paths) {
        const Limit limit(*part.engine, watch);
        DistanceSums found(part.graph.order());
        part.engine->accumulate(some, &found);
        for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += static_cast<double>(found.sum[v]);
        continue;
      }
      const Limit limit(*part.paths, watch);
      std::vector<double> more(sums.size(), 0);
      part.paths->rows(some, Along::reversed_arcs, [&](Vertex, std::span<const Length> row) {
        for (std::size_t v = 0; v < row.size(); ++v) more[v] += static_cast<double>(row[v]);
      });
      for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += more[v];
    }
  } catch (const Interrupted&) {
  }
  used = std::min(used, sources.size());
  return sums;
}

Near from_sample(Part& part, Watch& watch, std::uint64_t seed) {
  constexpr std::size_t kMost = 4096;
  Near near;
  const double end = watch.end();
  watch.cut(0.7);
  const std::vector<Vertex> sources = part.random_vertices(kMost, seed);
  std::vector<double> sums = sums_to_sample(part, watch, sources, near.sources);
  watch.end_at(end);
  if (near.sources == 0) return {};
  for (double& sum : sums) sum = -sum;
  const std::vector<Vertex> candidates = highest(sums, kCandidates);  // best first
  const auto summed = part.summarize(candidates, watch);
  if (summed.empty()) return {};
  near.vertices = by_closeness(part, candidates, summed);
  near.state = Near::State::sample;
  return near;
}

Near nearest(Part& part, Watch& watch, std::uint64_t seed) {
  const double end = watch.end();
  watch.cut(0.6);
  if (part.paths) {
    if (Near near = from_all(part, watch, seed); near.state == Near::State::exact) return near;
  } else if (!part.is_long) {
    const MostCentral found = most_central(*part.engine, kTop, watch);
    Near near{.vertices = {}, .sources = 0, .state = Near::State::exact};
    for (const Central& each : found.vertices) near.vertices.push_back(each.vertex);
    if (found.finished) return near;
  }
  watch.end_at(end);
  return from_sample(part, watch, seed);
}

Betweenness between(Part& part, Watch& watch, std::string_view engine, const EngineOptions& options,
                    std::uint64_t seed) {
  CheckpointStore no_checkpoint;
  const Graph& graph = part.graph;
  const Core core = graph.is_directed() ? without_folding(graph) : core_of(graph);
  const BetweennessOptions measure{.edges = false, .samples = 0, .seed = seed};
  if (graph.has_lengths())
    return betweenness(*part.paths->on(core.graph), core, measure, watch, no_checkpoint);
  if (core.graph.order() == graph.order())
    return betweenness(*part.engine, core, measure, watch, no_checkpoint);
  return betweenness(*make_engine(engine, core.graph, options), core, measure, watch,
                     no_checkpoint);
}

Json closeness_json(const Part& part, const Near& near) {
  if (near.state == Near::State::missing)
    return Json::object(
        {{"state", "missing"}, {"why", "no sample was finished within its share of the time"}});
  return Json::object({{"state", near.state == Near::State::exact ? "exact" : "sample"},
                       {"sources", near.sources},
                       {"of", part.graph.order()}});
}

Json betweenness_json(const Betweenness& found, std::string_view why) {
  if (found.vertices.empty()) return Json::object({{"state", "missing"}, {"why", why}});
  return Json::object({{"state", found.finished && !found.sampled ? "exact" : "sample"},
                       {"sources", found.counted},
                       {"of", found.all_sources},
                       {"epsilon", found.epsilon}});
}

// [label, degree, eccentricity, closeness, place, betweenness, place]
std::vector<Json> rows(Part& part, Watch& watch, const Near& near, const Betweenness& between,
                       const std::vector<Vertex>& busiest) {
  std::vector<Vertex> all = near.vertices;
  for (const Vertex v : busiest)
    if (std::find(all.begin(), all.end(), v) == all.end()) all.push_back(v);
  const std::vector<Summed> summed = part.summarize(all, watch);
  const double n = part.graph.order(),
               pairs = (n - 1) * (n - 2) / (part.graph.is_directed() ? 1 : 2);
  const auto place = [](const std::vector<Vertex>& list, Vertex v) {
    const auto at = std::find(list.begin(), list.end(), v);
    return at == list.end() ? Json() : Json(at - list.begin() + 1);
  };
  std::vector<Json> result;
  for (std::size_t i = 0; i < all.size(); ++i)
    result.push_back(Json::array(
        {part.label(all[i]), part.graph.degree(all[i]),
         i < summed.size() ? Json(summed[i].eccentricity) : Json(),
         i < summed.size() ? rounded(closeness_of(part, summed[i])) : Json(),
         place(near.vertices, all[i]),
         between.vertices.empty() || pairs <= 0 ? Json()
                                                : rounded(between.vertices[all[i]] / pairs),
         place(busiest, all[i])}));
  return result;
}

}  // namespace

Json central(Part& part, Watch& watch, const CentralPlan& plan) {
  if (part.graph.order() < 3) return Json::object({{"state", "undefined"}});
  watch.until(plan.betweenness);
  watch.cut(0.5);
  const Near near = nearest(part, watch, plan.seed);
  watch.until(plan.betweenness);
  Betweenness found;
  std::string_view why = "its first sources were not finished within its share of the time";
  if (part.has_lengths() && zero_edge(part.graph))
    why = "an edge has length 0, so that shortest paths cannot be counted";
  else if (!watch.stop())
    found = between(part, watch, plan.engine, plan.options, plan.seed);
  const std::vector<Vertex> busiest =
      found.vertices.empty() ? std::vector<Vertex>() : highest(found.vertices, kTop);
  watch.until(plan.end);
  return Json::object({{"state", "exact"},
                       {"closeness", closeness_json(part, near)},
                       {"betweenness", betweenness_json(found, why)},
                       {"rows", rows(part, watch, near, found, busiest)}});
}

}  // namespace antipode::page
