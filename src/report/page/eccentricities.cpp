// How the eccentricities are distributed: those of all vertices by bounds, or those of a sample of
// vertices, each by a search.
#include <algorithm>

#include "antipode/path_measures.hpp"
#include "report/page/sections.hpp"

namespace antipode::page {

namespace {

constexpr double kOfBounds = 0.75;  // of the time; the rest is for a sample
constexpr std::size_t kMostSampled = 20'000;

std::vector<Length> all_of(Part& part, Watch& watch) {
  if (part.paths) {
    CheckpointStore no_checkpoint;
    PathEccentricities found = eccentricities(*part.paths, Along::arcs, watch, no_checkpoint);
    return found.exact ? std::move(found.lower) : std::vector<Length>();
  }
  const Eccentricities found =
      eccentricities(*part.engine, Question::eccentricity, Selection::together, watch);
  if (!found.exact) return {};
  return {found.lower.begin(), found.lower.end()};
}

Json counted(const Part& part, const std::vector<Length>& all) {
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  return Json::object({{"state", "exact"},
                       {"sources", all.size()},
                       {"of", part.graph.order()},
                       {"central", std::count(all.begin(), all.end(), *least)},
                       {"peripheral", std::count(all.begin(), all.end(), *most)},
                       {"bins", to_json(bins_of(all), part.graph)}});
}

// Lengths are counted in bins by their value in the unit of the file, so a sample is in it, too.
Json sampled(Part& part, Watch& watch, std::uint64_t seed) {
  const std::vector<Summed> found = part.summarize(part.random_vertices(kMostSampled, seed), watch);
  if (found.empty())
    return Json::object(
        {{"state", "missing"},
         {"why", "no search of a sample was finished within its share of the time"}});
  const double unit = to_double(1, part.graph.unit());
  std::vector<Length> lengths;
  for (const Summed& each : found)
    lengths.push_back(static_cast<Length>(each.eccentricity / unit + 0.5));
  return Json::object({{"state", "sample"},
                       {"sources", found.size()},
                       {"of", part.graph.order()},
                       {"bins", to_json(bins_of(lengths), part.graph)}});
}

}  // namespace

Json eccentricities(Part& part, Watch& watch, double share, std::uint64_t seed) {
  if (part.graph.order() == 0) return Json::object({{"state", "undefined"}});
  watch.until(share);
  watch.cut(kOfBounds);
  const std::vector<Length> all = all_of(part, watch);
  if (!all.empty()) return counted(part, all);
  watch.until(share);
  return sampled(part, watch, seed);
}

}  // namespace antipode::page
