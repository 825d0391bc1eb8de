// The moves of annealing: change a shift; move one end of an edge to a vertex with free degree; or
// exchange the ends of two edges. Other ends stay, so no degree is exceeded.
#pragma once

#include <cmath>

#include "antipode/golf.hpp"
#include "graph/hash.hpp"

namespace antipode {

// Random numbers that depend on the seed and the step alone.
class PartRandom {
 public:
  PartRandom(std::uint64_t seed, std::uint64_t step) : state_(mix(mix(seed) ^ step)) {}
  std::uint64_t next() { return state_ = mix(state_ + 1); }
  Vertex below(Vertex bound) { return static_cast<Vertex>((next() >> 32) * bound >> 32); }
  double exponential() { return -std::log(static_cast<double>((next() >> 11) + 1) * 0x1p-53); }

 private:
  std::uint64_t state_;
};

inline double temperature(const golf::Schedule& schedule, std::uint64_t step) {
  return schedule.hottest *
         std::pow(schedule.coldest / schedule.hottest,
                  static_cast<double>(step) / static_cast<double>(schedule.steps));
}

// New edges for one or two places of the part.
struct PartMove {
  bool possible = false;
  unsigned count = 0;
  std::size_t where[2] = {0, 0};
  mutable golf::PartEdge edges[2];
};

inline PartMove propose(const golf::Part& part, Vertex degree, PartRandom& random) {
  // Of a hundred moves: 50 change a shift, and 10 move one end, if its new vertex has free degree.
  constexpr Vertex kHundred = 100, kShift = 50, kRoom = 60;
  const Vertex shifts = part.shifts(), kind = random.below(kHundred),
               edges = static_cast<Vertex>(part.edges.size());
  PartMove move;
  if (edges == 0) return move;
  // An edge between these ends with a random shift. A loop of a residue must not be its own
  // inverse: it would have one end, not two.
  const auto join = [&](Vertex from, Vertex to) {
    return golf::PartEdge{
        from, to,
        from == to ? (shifts > 1 ? 1 + random.below(shifts - 1) : 0) : random.below(shifts)};
  };
  move.where[0] = random.below(edges);
  const golf::PartEdge first = part.edges[move.where[0]];
  if (shifts > 1 && (kind < kShift || edges < 2)) {
    move.count = 1;
    move.edges[0] = join(first.from, first.to);
  } else if (const Vertex other = random.below(part.size);
             kind < kRoom && part.ends()[other] < degree) {
    move.count = 1;
    move.edges[0] = join(random.below(2) == 0 ? first.from : first.to, other);
  } else if (edges >= 2) {
    move.count = 2;
    move.where[1] = (move.where[0] + 1 + random.below(edges - 1)) % edges;
    const golf::PartEdge second = part.edges[move.where[1]];
    const bool crossed = random.below(2) == 0;
    move.edges[0] = join(first.from, crossed ? second.to : second.from);
    move.edges[1] = join(crossed ? second.from : first.to, crossed ? first.to : second.to);
  }
  move.possible = move.count > 0;
  for (unsigned k = 0; k < move.count; ++k)
    move.possible &= move.edges[k].from != move.edges[k].to ||
                     part.negative(move.edges[k].shift) != move.edges[k].shift;
  return move;
}

}  // namespace antipode
