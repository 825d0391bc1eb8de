// How far apart the vertices of a part-shift graph are, from all vertices of the part at once.
// Where the group is cyclic: a bitset over the shifts for every source and residue, and a neighbour
// is a rotation of one, so that every word is full. Otherwise (no symmetry, products of groups): a
// word of 64 sources for every vertex, residue by residue, so that neighbours of consecutive
// vertices are consecutive.
#pragma once

#include <memory>
#include <optional>

#include "antipode/golf.hpp"

namespace antipode::cpu {

class PartEvaluator {
 public:
  virtual ~PartEvaluator() = default;
  // Nothing if the energy is sure to exceed the limit.
  virtual std::optional<golf::PartScore> score(const golf::Part& part, Distance aim,
                                               double limit) = 0;
};

std::unique_ptr<PartEvaluator> part_evaluator(
    const golf::Part& like);  // for parts of the same order, size and group

}  // namespace antipode::cpu
