// One search with lengths: how far, to how many, and how the distances are distributed.
#include <algorithm>
#include <cmath>

#include "report/common.hpp"
#include "report/paths.hpp"

namespace antipode::report {

namespace {

constexpr std::pair<double, const char*> kQuantiles[] = {
    {0.25, "0.25"}, {0.5, "0.5"}, {0.75, "0.75"}, {0.95, "0.95"}};

std::vector<Length> sorted_distances(const PathSearchReport& answer) {
  std::vector<Length> sorted;
  for (const Length distance : answer.distances)
    if (distance != kNoPath) sorted.push_back(distance);
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// The least distance within which this share of the vertices reached lies.
Length quantile(const std::vector<Length>& sorted, double share) {
  const auto count = static_cast<double>(sorted.size());
  return sorted[static_cast<std::size_t>(std::max(0.0, std::ceil(share * count) - 1))];
}

}  // namespace

std::string render(const Context& context, const PathSearchReport& answer, Style style) {
  const LengthUnit& unit = answer.graph.unit();
  const PathSearch& search = answer.search;
  const std::string source = answer.graph.label(search.source),
                    farthest = answer.graph.label(search.farthest);
  const std::vector<Length> sorted = sorted_distances(answer);
  const LengthBins bins = bins_of(answer.distances);
  const Vertex unreached = answer.graph.order() - search.reached;
  if (style == Style::json) {
    Json json = Json::object();
    set_length(json, "value", search.eccentricity, unit);
    json["exact"] = true;
    json["source"] = label_json(answer.graph, search.source);
    json["farthest"] = label_json(answer.graph, search.farthest);
    json["reached"] = search.reached;
    json["unreached"] = unreached;
    json["quantiles"] = Json::object();
    for (const auto& [share, name] : kQuantiles)
      set_length(json["quantiles"], name, quantile(sorted, share), unit);
    json["bins"] = bins_json(bins, unit);
    json["witness"] = witness_json(answer.graph, answer.witness);
    json["searches"] = 1;
    return json_text(context, json);
  }
  std::string text = fmt::format(
      "search from {}: {} vertices reached, the farthest is {} at distance {}\n", printable(source),
      group_digits(search.reached), printable(farthest), to_text(search.eccentricity, unit));
  if (unreached > 0) text += fmt::format("  unreached {}\n", group_digits(unreached));
  text += path_lines(context, answer.graph, answer.witness);
  text += "  quantiles";
  for (const auto& [share, name] : kQuantiles)
    text += fmt::format(" {}: {}", name, to_text(quantile(sorted, share), unit));
  return text + "\n" + bins_text(bins, unit, "distances") + context_lines(context);
}

}  // namespace antipode::report
