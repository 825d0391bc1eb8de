// What opening an .apg file checks: the form of its adjacencies, that edges are listed at both
// ends with one length, and that labels differ.
#include "io/apg_check.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

#include "antipode/error.hpp"
#include "graph/hash.hpp"
#include "graph/instruction_sets.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

// The faults found in a range of adjacencies, and the sums by which arcs in both directions are
// compared.
struct AdjacencyCheck {
  unsigned faults = 0;
  std::uint64_t ahead = 0, back = 0;
};

// Arc (v, u) adds key(v) × key(u) to one sum if u > v and to the other if u < v. If each edge is
// listed at both ends, the sums are equal. If not, they differ except for one choice of keys in
// 2^31, since adjacencies have no repeats. Loops without branches, so that they vectorize.
ANTIPODE_WIDE AdjacencyCheck check_adjacencies(const EdgeOffset* offsets, const Vertex* targets,
                                               Vertex begin, Vertex end, Vertex order,
                                               VertexKeys keys) {
  AdjacencyCheck result;
  for (Vertex v = begin; v < end; ++v) {
    const Vertex* const neighbours = targets + offsets[v];
    const std::size_t degree = offsets[v + 1] - offsets[v];
    unsigned faults =
        degree > 0 && neighbours[degree - 1] >= order ? 1 : 0;  // the last is the largest
    for (std::size_t i = 1; i < degree; ++i)
      faults |= static_cast<unsigned>(neighbours[i - 1] >= neighbours[i]);
    std::uint64_t larger = 0, all = 0;
    for (std::size_t i = 0; i < degree; ++i) {
      const std::uint32_t key = keys.of(neighbours[i]);
      faults |= static_cast<unsigned>(neighbours[i] == v);
      all += key;
      larger += neighbours[i] > v ? key : 0;
    }
    result.faults |= faults;
    result.ahead += std::uint64_t{keys.of(v)} * larger;
    result.back += std::uint64_t{keys.of(v)} * (all - larger);
  }
  return result;
}

// Sums of a hash of ends and length over arcs to larger and to smaller vertices. If both ends of
// each edge have one length, they are equal; if not, they differ but for a chance of 2^-64, as the
// two words are random. The hash is not linear in the length: a product with random keys would be 0
// for differences that are multiples of a high power of two.
struct LengthKeys {
  std::uint64_t first, second;
  std::uint64_t of(Vertex v, Vertex u, Length length) const {
    const std::uint64_t ends = std::uint64_t{std::min(v, u)} << 32 | std::max(v, u);
    return mix(mix(ends ^ first) ^ mix(length ^ second));
  }
};

void check_lengths(const Adjacency& adjacency, const std::string& name) {
  std::random_device random;
  const auto word = [&] { return std::uint64_t{random()} << 32 | random(); };
  const LengthKeys keys{word(), word()};
  std::uint64_t difference = 0;
  in_pieces(adjacency.order(), 4096, threads_for(adjacency.arcs()),
            [&](std::size_t begin, std::size_t end, int) {
              std::uint64_t mine = 0;
              for (Vertex v = static_cast<Vertex>(begin); v < end; ++v)
                for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc) {
                  const Vertex u = adjacency.targets[arc];
                  const std::uint64_t hash = keys.of(v, u, adjacency.lengths[arc]);
                  mine += u > v ? hash : -hash;
                }
              relaxed_add(difference, mine);
            });
  if (difference != 0)
    throw InputError(name, "some edge has different lengths at its ends: convert the graph again");
}

}  // namespace

void check_adjacencies(const Adjacency& adjacency, Direction direction, const std::string& name) {
  const std::span offsets = adjacency.offsets;
  const std::span targets = adjacency.targets;
  const Vertex order = adjacency.order();
  std::random_device random;
  const VertexKeys keys{random(), random() | 1};
  AdjacencyCheck all;
  all.faults = offsets.front() == 0 && offsets.back() == targets.size() ? 0 : 1;
  in_chunks(order, static_cast<int>(threads()), [&](std::size_t begin, std::size_t end) {
    unsigned faults = 0;
    for (std::size_t v = begin; v < end; ++v)
      faults |= static_cast<unsigned>(offsets[v] > offsets[v + 1]) |
                static_cast<unsigned>(offsets[v + 1] > targets.size());
    if (faults != 0) relaxed_store(all.faults, 1u);
  });
  if (all.faults != 0) throw InputError(name, "the offsets of the adjacencies make no sense");
  in_pieces(order, 4096, threads_for(targets.size()), [&](std::size_t begin, std::size_t end, int) {
    const AdjacencyCheck some =
        check_adjacencies(offsets.data(), targets.data(), static_cast<Vertex>(begin),
                          static_cast<Vertex>(end), order, keys);
    if (some.faults != 0) relaxed_store(all.faults, 1u);
    relaxed_add(all.ahead, some.ahead);
    relaxed_add(all.back, some.back);
  });
  if (all.faults != 0)
    throw InputError(name, "the adjacency of a vertex is not a sorted list of other vertices");
  if (direction == Direction::forward) return;
  if (all.ahead != all.back)
    throw InputError(
        name, "some edge is in the adjacency of only one of its ends: convert the graph again");
  if (!adjacency.lengths.empty()) check_lengths(adjacency, name);
}

Graph entering_arcs(const Graph& graph) {
  const Adjacency rows = graph.adjacency();
  refuse_bytes(
      (rows.order() + std::uint64_t{1}) * 2 * sizeof(EdgeOffset) + rows.arcs() * sizeof(Vertex),
      "entering arcs");
  std::vector<EdgeOffset> offsets(std::size_t{rows.order()} + 1, 0);
  for (const Vertex u : rows.targets) ++offsets[u];
  exclusive_sum(offsets, threads_for(offsets.size()));
  std::vector<EdgeOffset> next(offsets);
  std::vector<Vertex> targets(rows.arcs());
  for (Vertex v = 0; v < rows.order(); ++v)
    for (const Vertex u : rows.neighbors(v)) targets[next[u]++] = v;
  return {std::move(offsets), std::move(targets), graph.labels()};
}

bool differ(std::vector<std::uint64_t> values) {
  if (std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end())
    return true;  // in the order that write_apg uses
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

bool differ(const Labels& names) {
  std::vector<std::pair<std::uint64_t, Vertex>> hashes;
  hashes.reserve(names.count());
  for (Vertex v = 0; v < names.count(); ++v) hashes.emplace_back(names.hash(v), v);
  std::sort(hashes.begin(), hashes.end());
  for (std::size_t i = 0; i < hashes.size(); ++i)
    for (std::size_t j = i; j > 0 && hashes[j - 1].first == hashes[i].first; --j)
      if (names.of(hashes[j - 1].second) == names.of(hashes[i].second)) return false;
  return true;
}

}  // namespace antipode
