// Lower bounds from a tree: at most d vertices at distance 1, and d - 1 times as many at each
// further distance.
#include <algorithm>

#include "antipode/error.hpp"
#include "antipode/golf.hpp"

namespace antipode::golf {

MooreBounds moore_bounds(Vertex order, Vertex degree) {
  if (order == 0) throw UsageError("a graph without vertices has no distances");
  if (order > 2 && degree < 2)
    throw UsageError("vertices of degree 1 do not connect more than two of them");
  std::uint64_t left = order - 1, here = degree, sum = 0;
  Distance distance = 0;
  while (left > 0) {
    if (degree == 0) throw UsageError("vertices of degree 0 are not connected");
    ++distance;
    const std::uint64_t now = std::min(left, here);
    sum += now * distance;
    left -= now;
    here = degree == 1 ? 0 : std::min<std::uint64_t>(here * (degree - 1), order);
  }
  return {.diameter = distance, .average = {sum, std::max<std::uint64_t>(1, order - 1)}};
}

}  // namespace antipode::golf
