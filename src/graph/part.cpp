#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

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

namespace {

struct Step {
  Vertex shift, to;
  friend auto operator<=>(const Step&, const Step&) = default;
};

// What leads away from each residue. Repeated edges lead to the same neighbour, and so do both ends of an edge that leads back by the same shift.
std::vector<std::vector<Step>> steps_of(const Part& part) {
  std::vector<std::vector<Step>> result(part.size);
  for (const PartEdge& e : part.edges) {
    result[e.from].push_back({e.shift, e.to});
    result[e.to].push_back({part.negative(e.shift), e.from});
  }
  for (auto& steps : result) {
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  }
  return result;
}

}  // namespace

std::vector<Vertex> Part::degrees() const {
  std::vector<Vertex> result;
  for (const auto& steps : steps_of(*this)) result.push_back(static_cast<Vertex>(steps.size()));
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

// Row by row: in one cyclic group a row is its residue's steps, sorted once, from the first that goes round on.
Graph expanded(const Part& part) {
  refuse_beyond_memory(part.order, std::uint64_t{part.edges.size()} * part.shifts());
  auto steps = steps_of(part);
  EdgeOffset arcs = 0;
  std::vector<EdgeOffset> before(part.size);  // arcs of residues before this one
  for (Vertex r = 0; r < part.size; ++r) {
    std::erase(steps[r], Step{0, r});         // a loop
    before[r] = arcs;
    arcs += steps[r].size();
  }
  std::vector<EdgeOffset> offsets(std::size_t{part.order} + 1, arcs * part.shifts());
  std::vector<Vertex> targets(arcs * part.shifts());
  const bool is_cyclic = part.group.size() == 1;
  in_stretches(part.order, omp_get_max_threads(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Vertex q = static_cast<Vertex>(v / part.size), r = static_cast<Vertex>(v % part.size), rest = part.shifts() - q;
      offsets[v] = arcs * q + before[r];
      const auto& own = steps[r];
      const auto row = targets.begin() + static_cast<std::ptrdiff_t>(offsets[v]);
      if (is_cyclic) {
        const auto round = std::lower_bound(own.begin(), own.end(), Step{rest, 0});
        const auto next = std::transform(round, own.end(), row, [&](const Step& step) { return (step.shift - rest) * part.size + step.to; });
        std::transform(own.begin(), round, next, [&](const Step& step) { return (step.shift + q) * part.size + step.to; });
      } else {
        std::transform(own.begin(), own.end(), row, [&](const Step& step) { return part.sum(q, step.shift) * part.size + step.to; });
        std::sort(row, row + static_cast<std::ptrdiff_t>(own.size()));
      }
    }
  });
  return Graph(std::move(offsets), std::move(targets), Labels::sequential(0, part.order)).with_residues(part.size);
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
