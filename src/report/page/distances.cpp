// Pairs by distance: all of them where that fits into the time, otherwise those of a sample. A few
// sources are timed first.
#include <algorithm>

#include "antipode/error.hpp"
#include "antipode/path_averages.hpp"
#include "report/page/sections.hpp"

namespace antipode::page {

namespace {

constexpr std::size_t kFirst = 64, kFirstByLengths = 16;  // sources that are timed
constexpr std::size_t kFew = 256;                         // at most so many are searched one by one

struct Found {
  bool finished = false, sampled = false;
  Json json;
};

Json interval(std::optional<double> error) { return error ? rounded(*error) : Json(); }

Found json_of(const Part& part, const Average& found) {
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

Found by_edges(Part& part, std::size_t samples, std::uint64_t seed, Watch& watch) {
  return json_of(part, average(*part.engine, samples, seed, watch));
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

// As many as are finished.
Found one_by_one(Part& part, std::uint64_t seed, Watch& watch) {
  Average found;
  const Limit limit(*part.engine, watch);
  try {
    for (const Vertex source : part.random_vertices(kFew, seed)) {
      const auto levels = part.engine->search(source).level_sizes;
      found.pairs.resize(std::max(found.pairs.size(), levels.size()), 0);
      for (std::size_t d = 1; d < levels.size(); ++d) found.pairs[d] += levels[d];
      ++found.sources;
    }
  } catch (const Interrupted&) {
  }
  for (std::size_t d = 1; d < found.pairs.size(); ++d) {
    found.reachable += found.pairs[d];
    found.sum += d * found.pairs[d];
  }
  found.finished = found.sampled = found.sources > 0;
  return json_of(part, found);
}

// From the first sources, or from more: all of them, or as many as fit into what is left.
Found as_many_as_fit(Part& part, std::uint64_t seed, Watch& watch) {
  const Vertex order = part.graph.order();
  const auto from = [&](std::size_t samples) {
    return part.engine ? by_edges(part, samples, seed, watch)
                       : by_lengths(part, samples, seed, watch);
  };
  const std::uint64_t all = part.engine ? sources_of_average(*part.engine) : order;
  const std::size_t first = part.engine ? kFirst : kFirstByLengths;
  if (all <= 4 * first) return from(0);
  const double start = watch.seconds();
  Found found = from(first);
  if (!found.finished) return found;
  const double each = std::max(watch.seconds() - start, 1e-6) / static_cast<double>(first),
               left = watch.left();
  const bool fits = each * static_cast<double>(all) < 0.9 * left;
  // Past a third of the sources a sample saves too little.
  const double most = std::min(0.8 * left / each, order / 3.0);
  const std::size_t samples = static_cast<std::size_t>(most) / first * first;
  if (fits || samples >= 2 * first)
    if (Found better = from(fits ? 0 : samples); better.finished) return better;
  return found;
}

}  // namespace

Json distances(Part& part, Watch& watch, double share, std::uint64_t seed) {
  const Vertex order = part.graph.order();
  if (order < 2) return Json::object({{"state", "undefined"}});
  watch.until(share);
  if (part.engine) watch.cut(0.7);
  Found found;
  if (!part.is_long) found = as_many_as_fit(part, seed, watch);
  watch.until(share);
  if (!found.finished && part.engine && !watch.stop()) found = one_by_one(part, seed, watch);
  if (!found.finished)
    return Json::object(
        {{"state", "missing"},
         {"why", "no sample of sources was finished within its share of the time"}});
  found.json.add("state", found.sampled ? "sample" : "exact").add("of", order);
  return found.json;
}

}  // namespace antipode::page
