// How many ordered pairs of different vertices have a path from the first to the second. Vertices
// of a strong component reach the same, so that components are counted, in reverse topological
// order: 512 of them at once, one bit each, spread over the arcs to all components that reach them.
// Components that no arc enters need no bit.
// Memory: 64 bytes per component and thread, and 4 per arc between components.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "antipode/path_measures.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

using Bits = std::array<std::uint64_t, 8>;
constexpr Vertex kBits = 512;

std::uint64_t inside_components(const Components& parts) {
  std::uint64_t pairs = 0;
  for (const std::uint64_t order : parts.orders) pairs += order * (order - 1);
  return pairs;
}

// The components that arcs of each go to; all are smaller numbers.
struct Condensation {
  std::vector<std::size_t> begin;
  std::vector<Vertex> targets;
};

Condensation condense(const Graph& graph, const Components& strong) {
  const Adjacency adjacency = graph.adjacency();
  Condensation result{.begin = std::vector<std::size_t>(strong.count() + std::size_t{1}, 0),
                      .targets = {}};
  const auto for_each = [&](auto use) {
    for (Vertex v = 0; v < adjacency.order(); ++v)
      for (const Vertex u : adjacency.neighbors(v))
        if (strong.of[u] != strong.of[v]) use(strong.of[v], strong.of[u]);
  };
  for_each([&](Vertex from, Vertex) { ++result.begin[from + 1]; });
  for (Vertex i = 0; i < strong.count(); ++i) result.begin[i + 1] += result.begin[i];
  refuse_bytes(result.begin.back() * 4, "arcs between strong components");
  result.targets.resize(result.begin.back());
  std::vector<std::size_t> next(result.begin.begin(), result.begin.end() - 1);
  for_each([&](Vertex from, Vertex to) { result.targets[next[from]++] = to; });
  std::size_t begin = 0, left = 0;  // without repeats
  for (Vertex i = 0; i < strong.count(); ++i) {
    const auto first = result.targets.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = result.targets.begin() + static_cast<std::ptrdiff_t>(result.begin[i + 1]);
    begin = result.begin[i + 1];
    std::sort(first, last);
    const auto end = std::unique(first, last);
    left = static_cast<std::size_t>(
        std::copy(first, end, result.targets.begin() + static_cast<std::ptrdiff_t>(left)) -
        result.targets.begin());
    result.begin[i + 1] = left;
  }
  result.targets.resize(left);
  return result;
}

std::vector<Vertex> entered_components(const Condensation& arcs, Vertex count) {
  std::vector<bool> is_entered(count, false);
  for (const Vertex target : arcs.targets) is_entered[target] = true;
  std::vector<Vertex> result;
  for (Vertex i = 0; i < count; ++i)
    if (is_entered[i]) result.push_back(i);
  return result;
}

// Pairs whose second vertices are in these components, at most 512 in increasing order, and not the
// first ones.
std::uint64_t pairs_to(const Condensation& arcs, const Components& strong,
                       std::span<const Vertex> ends, std::vector<Bits>& reach) {
  std::uint64_t pairs = 0;
  std::size_t bit = 0;  // of the next of the ends
  Bits several{};       // ends of more than one vertex
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (strong.orders[ends[i]] > 1) several[i / 64] |= std::uint64_t{1} << (i % 64);
  for (Vertex i = ends.front(); i < strong.count(); ++i) {
    Bits bits{};
    for (std::size_t arc = arcs.begin[i]; arc < arcs.begin[i + 1]; ++arc)
      if (arcs.targets[arc] >= ends.front())
        for (std::size_t k = 0; k < bits.size(); ++k) bits[k] |= reach[arcs.targets[arc]][k];
    std::uint64_t reached = 0;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      reached += static_cast<std::uint64_t>(std::popcount(bits[k]));
      for (std::uint64_t word = bits[k] & several[k]; word != 0; word &= word - 1)
        reached +=
            strong.orders[ends[64 * k + static_cast<std::size_t>(std::countr_zero(word))]] - 1;
    }
    pairs += reached * strong.orders[i];
    if (bit < ends.size() && ends[bit] == i) {
      bits[bit / 64] |= std::uint64_t{1} << (bit % 64);
      ++bit;
    }
    reach[i] = bits;
  }
  return pairs;
}

}  // namespace

std::optional<std::uint64_t> reachable_pairs(const Graph& graph, Observer& observer,
                                             std::uint64_t most_steps) {
  if (observer.stop()) return std::nullopt;
  if (!graph.is_directed()) return inside_components(components(graph));
  const Components strong = strong_components(graph);
  if (strong.count() <= 1) return inside_components(strong);
  const Condensation arcs = condense(graph, strong);
  const std::vector<Vertex> ends = entered_components(arcs, strong.count());
  const std::size_t pieces = (ends.size() + kBits - 1) / kBits;
  // As a rule a piece goes over half of the components.
  if (pieces * (strong.count() + arcs.targets.size()) / 2 > most_steps) return std::nullopt;
  const auto team = static_cast<std::size_t>(std::max(threads_for(arcs.targets.size()), 1));
  refuse_bytes(team * strong.count() * sizeof(Bits), "components that reach others");
  std::vector<std::vector<Bits>> reach(team);
  std::vector<std::uint64_t> pairs(team, 0);
  std::atomic<bool> stopped{false};
  in_pieces(pieces, 1, static_cast<int>(team), [&](std::size_t piece, std::size_t, int member) {
    if (stopped.load() || observer.stop()) {
      stopped.store(true);
      return;
    }
    const auto who = static_cast<std::size_t>(member);
    reach[who].resize(strong.count());
    const std::size_t begin = piece * kBits;
    pairs[who] +=
        pairs_to(arcs, strong,
                 std::span(ends).subspan(begin, std::min<std::size_t>(kBits, ends.size() - begin)),
                 reach[who]);
  });
  if (stopped.load()) return std::nullopt;
  std::uint64_t all = inside_components(strong);
  for (const std::uint64_t each : pairs) all += each;
  return all;
}

}  // namespace antipode
