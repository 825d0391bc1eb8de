// Where a search in Graph Golf may start: random parts, and the part sizes worth trying.
#include <algorithm>

#include "antipode/golf.hpp"
#include "graph/hash.hpp"
#include "graph/limits.hpp"

namespace antipode::golf {

// Ends of edges are paired at random. A residue may be joined to itself, but not by an edge that is
// its own inverse.
Part random_part(Vertex order, Vertex degree, Vertex size, std::uint64_t seed,
                 const std::vector<Vertex>& group) {
  Part part = make_part(order, size, group);
  const Vertex shifts = part.shifts();
  const std::uint64_t count = std::uint64_t{size} * degree;
  refuse_bytes(count * (sizeof(Vertex) + sizeof(PartEdge)), "a random part");  // and its copy
  std::uint64_t drawn = mix(seed);
  const auto below = [&](std::uint64_t bound) { return (drawn = mix(drawn + 1)) % bound; };
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::vector<Vertex> ends;
    ends.reserve(count);
    for (Vertex r = 0; r < size; ++r) ends.insert(ends.end(), degree, r);
    for (std::size_t i = ends.size(); i > 1; --i) std::swap(ends[i - 1], ends[below(i)]);
    part.edges.clear();
    part.edges.reserve(count / 2);
    bool fits = true;
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      const PartEdge edge{ends[i], ends[i + 1], static_cast<Vertex>(below(shifts))};
      const bool has_two_ends = edge.from != edge.to || part.negative(edge.shift) != edge.shift;
      fits &= has_two_ends;
      if (has_two_ends) part.edges.push_back(edge);
    }
    if (fits) break;  // else an edge was dropped: draws again
  }
  return part;
}

// Divisors for which annealing is fast: few sources, and enough shifts to profit from the symmetry.
// If the graph is small, its order comes first.
std::vector<Vertex> part_sizes(Vertex order, Vertex degree) {
  constexpr Vertex kMost = 64, kSmall = 256;
  std::vector<Vertex> result;
  for (Vertex size = 1; size <= std::min(kMost, order); ++size)
    if (order % size == 0 && std::uint64_t{size} * degree >= 2 && order / size > 1)
      result.push_back(size);
  // Large parts first: with less symmetry, the bound can be approached more closely.
  std::reverse(result.begin(), result.end());
  if (order <= kSmall) result.insert(result.begin(), order);
  if (result.empty()) result.push_back(order);
  return result;
}

}  // namespace antipode::golf
