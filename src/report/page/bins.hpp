// What is drawn as bars: counts in at most some hundred bins, however long the distances are.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "antipode/graph.hpp"
#include "report/page/json.hpp"

namespace antipode::page {

inline constexpr std::size_t kMostBins = 200;

// Lengths from i × width on and below (i + 1) × width are counted at i.
struct Bins {
  Length width = 1;
  std::vector<std::uint64_t> counts;
};
// Each of these has the width 1, 2 or 5 times a power of ten that makes at most kMostBins bins.
Bins bins_by_distance(std::span<const std::uint64_t> counts);  // at distance 0, 1, …
Bins bins_of(std::span<const Length> lengths);                 // kNoPath does not count
// Of bins that have that width: as many of them are merged as need be.
Bins merged(std::span<const std::uint64_t> counts, Length width);

// `exact`: every bin is one distance.
Json to_json(const Bins& bins, const Graph& graph, double scale = 1);

// Points (value, share of all that is at least this large) of a complementary distribution, but for
// the value 0, which a logarithmic scale lacks. Of
// many, those stay whose values are about evenly spread on a logarithmic scale, the largest and the
// smallest among them.
Json ccdf(std::span<const std::pair<std::uint64_t, std::uint64_t>> counts);  // by rising value

}  // namespace antipode::page
