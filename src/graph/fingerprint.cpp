// The fingerprint of a graph: sums of hashes over vertices and arcs, so that neither their order
// nor the format makes a difference. Lengths count in a form that does not depend on the unit:
// divided by their greatest common divisor, with the unit times that divisor as odd part, power of
// two and power of five. Of graphs without lengths and directions it is what it was before there
// were any.
#include <numeric>

#include "antipode/golf.hpp"
#include "antipode/graph.hpp"
#include "graph/hash.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

// An edge without direction counts once, and the same from both ends.
template <class Neighbors>
std::uint64_t hash_of(const Graph& graph, const Neighbors& neighbors) {
  // Sums over arcs to larger and to smaller vertices: equal if each edge is listed at both ends.
  std::uint64_t ahead = 0, back = 0;
  in_pieces(graph.order(), 4096, threads_for(graph.arcs()),
            [&](std::size_t first, std::size_t last, int) {
              std::uint64_t up = 0, down = 0;
              for (Vertex v = static_cast<Vertex>(first); v < last; ++v) {
                const std::uint64_t here = graph.labels().hash(graph.origin(v));
                up += mix(here), down += mix(here);
                neighbors(v, [&](Vertex u, std::uint64_t length_hash) {
                  const std::uint64_t there = graph.labels().hash(graph.origin(u));
                  const std::uint64_t ends = graph.is_directed()
                                                 ? mix(here + mix(there))
                                                 : mix((here ^ there) + mix(here + there));
                  (u > v || graph.is_directed() ? up : down) +=
                      length_hash == 0 ? ends : mix(ends ^ length_hash);
                });
              }
              relaxed_add(ahead, up);
              relaxed_add(back, down);
            });
  return graph.is_directed()
             ? ahead
             : ahead + mix(0) * (ahead - back);  // if the sums differ, so does the hash
}

Length common_divisor(std::span<const Length> lengths) {
  Length divisor = 0;
  for (const Length length : lengths) {
    divisor = std::gcd(divisor, length);
    if (divisor == 1) break;
  }
  return divisor;
}

int take_out(std::uint64_t& value, unsigned prime) {
  int power = 0;
  for (; value % prime == 0; value /= prime) ++power;
  return power;
}

// divisor × factor × 10^-decimals × 2^-halvings.
std::uint64_t hash_of(const LengthUnit& unit, Length divisor) {
  __extension__ typedef unsigned __int128 Wide;
  if (divisor == 0) return 0;
  std::uint64_t factor = unit.factor;
  const int twos = take_out(factor, 2) + take_out(divisor, 2) - unit.decimals - unit.halvings;
  const int fives = take_out(factor, 5) + take_out(divisor, 5) - unit.decimals;
  const Wide odd = static_cast<Wide>(factor) * divisor;
  const std::uint64_t powers =
      std::uint64_t{static_cast<std::uint32_t>(twos)} << 32 | static_cast<std::uint32_t>(fives);
  return mix(mix(static_cast<std::uint64_t>(odd)) ^
             mix(static_cast<std::uint64_t>(odd >> 64) + mix(powers)));
}

}  // namespace

Fingerprint fingerprint(const Graph& graph) {
  if (const golf::Part* const part = graph.part()) {
    const auto steps = part->steps();
    return {graph.order(), graph.size(), hash_of(graph, [&](Vertex v, const auto& each) {
              for (const golf::PartStep& step : steps[v % part->size])
                each(part->sum(v / part->size, step.shift) * part->size + step.to, 0);
            })};
  }
  const Adjacency rows = graph.adjacency();
  if (!graph.has_lengths())
    return {graph.order(), graph.size(), hash_of(graph, [&](Vertex v, const auto& each) {
              for (const Vertex u : rows.neighbors(v)) each(u, 0);
            })};
  const Length divisor = common_divisor(rows.lengths);
  const std::uint64_t hash = hash_of(graph, [&](Vertex v, const auto& each) {
    for (EdgeOffset arc = rows.offsets[v]; arc < rows.offsets[v + 1]; ++arc)
      each(rows.targets[arc], mix(~(divisor == 0 ? 0 : rows.lengths[arc] / divisor)) | 1);
  });
  return {graph.order(), graph.size(), hash + hash_of(graph.unit(), divisor)};
}

}  // namespace antipode
