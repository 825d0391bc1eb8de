#include "report/page/bins.hpp"

#include <algorithm>
#include <cmath>

namespace antipode::page {

namespace {

// The least of 1, 2, 5, 10, 20, … that makes at most kMostBins of the lengths 0 … most.
Length width_for(Length most) {
  Length power = 1;
  for (;; power *= 10)
    for (const Length factor : {1, 2, 5})
      if (most / (factor * power) < kMostBins) return factor * power;
}

}  // namespace

Bins bins_by_distance(std::span<const std::uint64_t> counts) {
  if (counts.empty()) return {};
  Bins bins{width_for(counts.size() - 1), {}};
  bins.counts.resize((counts.size() - 1) / bins.width + 1, 0);
  for (std::size_t d = 0; d < counts.size(); ++d) bins.counts[d / bins.width] += counts[d];
  return bins;
}

Bins bins_of(std::span<const Length> lengths) {
  Length most = 0;
  for (const Length each : lengths)
    if (each != kNoPath) most = std::max(most, each);
  Bins bins{width_for(most), {}};
  bins.counts.resize(most / bins.width + 1, 0);
  for (const Length each : lengths)
    if (each != kNoPath) ++bins.counts[each / bins.width];
  return bins;
}

Bins merged(std::span<const std::uint64_t> counts, Length width) {
  std::size_t most = counts.size();
  while (most > 0 && counts[most - 1] == 0) --most;
  if (most == 0) return {width, {}};
  const std::size_t factor = (most + kMostBins - 1) / kMostBins;
  Bins bins{width * factor, std::vector<std::uint64_t>((most - 1) / factor + 1, 0)};
  for (std::size_t i = 0; i < most; ++i) bins.counts[i / factor] += counts[i];
  return bins;
}

Json to_json(const Bins& bins, const Graph& graph, double scale) {
  Json counts = scale == 1 ? Json(bins.counts) : Json();
  if (scale != 1) {
    std::vector<Json> scaled;
    for (const std::uint64_t count : bins.counts)
      scaled.push_back(rounded(scale * static_cast<double>(count)));
    counts = scaled;
  }
  return Json::object({{"width", to_double(bins.width, graph.unit())},
                       {"exact", bins.width == 1 && !graph.has_lengths()},
                       {"counts", counts}});
}

Json ccdf(std::span<const std::pair<std::uint64_t, std::uint64_t>> counts) {
  double all = 0;
  for (const auto& each : counts) all += static_cast<double>(each.second);
  double left = all, last = -1;
  const double values = static_cast<double>(counts.empty() ? 1 : counts.back().first);
  const double step = std::log(values + 1) / static_cast<double>(kMostBins);
  std::vector<Json> points;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double at = std::log(static_cast<double>(counts[i].first) + 1);
    const bool is_drawn = counts[i].first > 0;
    if (is_drawn && (counts.size() <= kMostBins || at - last >= step || i + 1 == counts.size())) {
      points.push_back(Json::array({counts[i].first, rounded(left / all)}));
      last = at;
    }
    left -= static_cast<double>(counts[i].second);
  }
  return points;
}

}  // namespace antipode::page
