#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "graph/limits.hpp"

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

// Repeated edges lead to the same neighbour, and so do both ends of an edge that leads back by the same shift.
std::vector<Vertex> Part::degrees() const {
  std::vector<std::set<std::pair<Vertex, Vertex>>> around(size);
  for (const PartEdge& e : edges) {
    around[e.from].emplace(e.to, e.shift);
    around[e.to].emplace(e.from, negative(e.shift));
  }
  std::vector<Vertex> result;
  for (const auto& neighbors : around) result.push_back(static_cast<Vertex>(neighbors.size()));
  return result;
}

std::vector<Vertex> Part::ends() const {
  std::vector<Vertex> result(size, 0);
  for (const PartEdge& e : edges) ++result[e.from], ++result[e.to];
  return result;
}

Part make_part(Vertex order, Vertex size, std::vector<Vertex> group) {
  if (order == 0 || size == 0 || order % size != 0) throw UsageError(fmt::format("a part of {} vertices does not divide {}", size, order));
  if (group.empty()) group = {order / size};
  std::uint64_t shifts = 1;
  for (const Vertex factor : group) shifts = std::min<std::uint64_t>(shifts * factor, std::uint64_t{kNoVertex} + 1);  // so large that nothing fits
  if (shifts * size != order) throw UsageError(fmt::format("a group of {} elements and a part of {} vertices make {}, not {}", shifts, size, shifts * size, order));
  return {order, size, std::move(group), {}};
}

Graph expanded(const Part& part) {
  refuse_beyond_memory(part.order, std::uint64_t{part.edges.size()} * part.shifts());
  std::vector<Edge> edges;
  edges.reserve(part.edges.size() * part.shifts());
  for (const PartEdge& e : part.edges)
    for (Vertex q = 0; q < part.shifts(); ++q) edges.push_back({q * part.size + e.from, part.sum(q, e.shift) * part.size + e.to});
  return build_graph(part.order, {std::move(edges)}, Labels::sequential(0, part.order)).graph.with_residues(part.size);
}

Part whole_part(const Graph& graph) {
  Part part = make_part(graph.order(), graph.order());
  for (Vertex v = 0; v < graph.order(); ++v)
    for (const Vertex u : graph.neighbors(v))
      if (u > v) part.edges.push_back({v, u, 0});
  return part;
}

Fraction average_of(const Part& part, const PartScore& score) {
  const std::uint64_t pairs = std::uint64_t{part.size} * (part.order - 1) - score.unreached;
  return {score.sum, std::max<std::uint64_t>(1, pairs)};
}

}  // namespace antipode
