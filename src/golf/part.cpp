#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "graph/hash.hpp"

namespace antipode {

// Digit by digit, the last group's being the lowest.
Vertex Part::sum(Vertex a, Vertex b) const {
  Vertex result = 0, unit = 1;
  for (auto size_of = group.rbegin(); size_of != group.rend(); ++size_of) {
    result += static_cast<Vertex>((std::uint64_t{a % *size_of} + b % *size_of) % *size_of) * unit;
    a /= *size_of, b /= *size_of, unit *= *size_of;
  }
  return result;
}

Vertex Part::negative(Vertex a) const {
  Vertex result = 0, unit = 1;
  for (auto size_of = group.rbegin(); size_of != group.rend(); ++size_of) {
    result += (*size_of - a % *size_of) % *size_of * unit;
    a /= *size_of, unit *= *size_of;
  }
  return result;
}

// An edge from a residue to itself has two ends there, unless it leads back by the same shift.
std::vector<Vertex> Part::degrees() const {
  std::vector<Vertex> result(size, 0);
  for (const PartEdge& e : edges) {
    ++result[e.from];
    if (e.from != e.to || negative(e.shift) != e.shift) ++result[e.to];
  }
  return result;
}

Part make_part(Vertex order, Vertex size, std::vector<Vertex> group) {
  if (order == 0 || size == 0 || order % size != 0) throw UsageError(fmt::format("a part of {} vertices does not divide {}", size, order));
  if (group.empty()) group = {order / size};
  const std::uint64_t shifts = std::accumulate(group.begin(), group.end(), std::uint64_t{1}, std::multiplies<>());
  if (shifts * size != order) throw UsageError(fmt::format("a group of {} elements and a part of {} vertices make {}, not {}", shifts, size, shifts * size, order));
  return {order, size, std::move(group), {}};
}

Graph expanded(const Part& part) {
  std::vector<Edge> edges;
  edges.reserve(part.edges.size() * part.shifts());
  for (const PartEdge& e : part.edges)
    for (Vertex q = 0; q < part.shifts(); ++q) edges.push_back({q * part.size + e.from, part.sum(q, e.shift) * part.size + e.to});
  return build_graph(part.order, {std::move(edges)}, Labels::sequential(0, part.order)).graph;
}

Fraction average_of(const Part& part, const PartScore& score) {
  const std::uint64_t pairs = std::uint64_t{part.size} * (part.order - 1) - score.unreached;
  return {score.sum, std::max<std::uint64_t>(1, pairs)};
}

// Ends are drawn two by two; a residue may meet itself, but not at the same place.
Part random_part(Vertex order, Vertex degree, Vertex size, std::uint64_t seed) {
  Part part = make_part(order, size);
  const Vertex shifts = part.shifts();
  std::uint64_t drawn = mix(seed);
  const auto below = [&](std::uint64_t bound) { return (drawn = mix(drawn + 1)) % bound; };
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::vector<Vertex> ends;
    for (Vertex r = 0; r < size; ++r) ends.insert(ends.end(), degree, r);
    for (std::size_t i = ends.size(); i > 1; --i) std::swap(ends[i - 1], ends[below(i)]);
    part.edges.clear();
    bool fits = true;
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      const PartEdge edge{ends[i], ends[i + 1], static_cast<Vertex>(below(shifts))};
      const bool has_two_ends = edge.from != edge.to || part.negative(edge.shift) != edge.shift;
      fits &= has_two_ends;
      if (has_two_ends) part.edges.push_back(edge);
    }
    if (fits) break;                     // else some edge was lost; with luck another draw loses none
  }
  return part;
}

// Divisors for which a walk is quick: few sources, and shifts enough that the symmetry spares something; then all of the graph, if it is small.
std::vector<Vertex> part_sizes(Vertex order, Vertex degree) {
  constexpr Vertex kMost = 64, kSmall = 256;
  std::vector<Vertex> result;
  for (Vertex size = 1; size <= std::min(kMost, order); ++size)
    if (order % size == 0 && std::uint64_t{size} * degree >= 2 && order / size > 1) result.push_back(size);
  std::reverse(result.begin(), result.end());  // less symmetry comes nearer to the bound, given time
  if (order <= kSmall) result.insert(result.begin(), order);
  if (result.empty()) result.push_back(order);
  return result;
}

}  // namespace antipode
