// Pairs by distance: all of them where that fits into the time, otherwise those of a sample. A few
// sources are timed first.
#include <algorithm>
#include <functional>

#include "antipode/path_averages.hpp"
#include "report/page/sections.hpp"

namespace antipode::page {

namespace {

constexpr std::size_t kFirst = 64;  // sources that are timed

struct Found {
  bool finished = false, sampled = false;
  Json json;
};

Json interval(std::optional<double> error) { return error ? rounded(*error) : Json(); }

Found by_edges(Part& part, std::size_t samples, std::uint64_t seed, Watch& watch) {
  const Average found = average(*part.engine, samples, seed, watch);
  if (!found.finished) return {};
  const double scale = static_cast<double>(part.graph.order()) / found.sources;
  return {true, found.sampled,
          Json::object({{"sources", found.sources},
                        {"pairs", found.sampled ? Json() : Json(found.reachable)},
                        {"mean", found.mean()},
                        {"error", interval(found.error)},
                        {"median", found.median()},
                        {"d90", found.effective_diameter(0.9)},
                        {"bins", to_json(bins_by_distance(found.pairs), part.graph, scale)}})};
}

Found by_lengths(Part& part, std::size_t samples, std::uint64_t seed, Watch& watch) {
  CheckpointStore no_checkpoint;
  const PathAverage found =
      average(*part.paths, {.samples = samples, .seed = seed, .spread = Spread::distribution},
              watch, no_checkpoint);
  if (!found.finished || !found.distribution) return {};
  const auto& [width, pairs, squares] = *found.distribution;
  const double scale = static_cast<double>(part.graph.order()) / found.sources,
               unit = to_double(1, part.graph.unit());
  const auto within = [&](double share) { return part.in_units(found.quantile(share).most); };
  return {true, found.sampled,
          Json::object(
              {{"sources", found.sources},
               {"pairs", found.sampled ? Json() : Json(found.reachable)},
               {"mean", found.mean() * unit},
               {"error", interval(found.error ? std::optional(*found.error * unit) : std::nullopt)},
               {"median", found.reachable > 0 ? Json(within(0.5)) : Json()},
               {"d90", found.reachable > 0 ? Json(within(0.9)) : Json()},
               {"bins", to_json(merged(pairs, width), part.graph, scale)}})};
}

}  // namespace

Json distances(Part& part, Watch& watch, std::uint64_t seed) {
  const Vertex order = part.graph.order();
  if (order < 2) return Json::object({{"state", "undefined"}});
  const auto from = [&](std::size_t samples) {
    return part.engine ? by_edges(part, samples, seed, watch)
                       : by_lengths(part, samples, seed, watch);
  };
  const std::uint64_t all = part.engine ? sources_of_average(*part.engine) : order;
  const double start = watch.seconds();
  const bool is_small = all <= 4 * kFirst;
  Found found = from(is_small ? 0 : kFirst);
  if (found.finished && !is_small) {
    const double each = std::max(watch.seconds() - start, 1e-6) / kFirst, left = watch.left();
    const bool fits = each * static_cast<double>(all) < 0.9 * left;
    // Past a third of the sources a sample saves too little.
    const double most = std::min(0.8 * left / each, order / 3.0);
    const std::size_t samples = static_cast<std::size_t>(most) / kFirst * kFirst;
    if (fits || samples >= 2 * kFirst)
      if (Found better = from(fits ? 0 : samples); better.finished) found = std::move(better);
  }
  if (!found.finished)
    return Json::object(
        {{"state", "missing"},
         {"why", "no sample of sources was finished within its share of the time"}});
  found.json.add("state", found.sampled ? "sample" : "exact").add("of", order);
  return found.json;
}

}  // namespace antipode::page
