// An engine adds up distances from sources that all count once. So for every bit, the sources whose
// weight has that bit are searched together: hardly more than one search per source in most graphs.
#include "measure/dependency_total.hpp"

#include <vector>

#include "graph/limits.hpp"

namespace antipode {

DependencyTotal dependency_total(Engine& engine, std::span<const double> weight,
                                 std::span<const Vertex> sources) {
  const Vertex order = engine.graph().order();
  refuse_bytes(order * std::uint64_t{24}, "the check of a checkpoint");
  DependencyTotal total;
  std::vector<Vertex> part;
  bool is_more = true;
  for (std::uint64_t bit = 1; is_more; bit *= 2) {
    is_more = false;
    part.clear();
    for (const Vertex source : sources) {
      const auto whole = static_cast<std::uint64_t>(weight[source]);
      if ((whole & bit) != 0) part.push_back(source);
      is_more |= whole >= 2 * bit;
    }
    if (part.empty()) continue;
    DistanceSums sums(order);
    engine.accumulate(part, &sums);
    for (const Vertex source : part) --sums.sources[source];  // a source does not count for itself
    for (Vertex v = 0; v < order; ++v) {
      const double each = static_cast<double>(bit) * weight[v];
      total.vertices += each * static_cast<double>(sums.sum[v] - sums.sources[v]);
      total.arcs += each * static_cast<double>(sums.sum[v]);
    }
  }
  return total;
}

}  // namespace antipode
