// Scores of voltage graphs, from all vertices of the part at once. If the group is cyclic: a bitset
// of shifts for every source and residue; neighbours are rotations, so every word is full.
// Otherwise (no symmetry, products of groups): a word of 64 sources for every vertex, residue by
// residue, so that neighbours of consecutive vertices are consecutive.
#pragma once

#include <memory>
#include <optional>

#include "antipode/golf.hpp"

namespace antipode::cpu {

class PartEvaluator {
 public:
  virtual ~PartEvaluator() = default;
  // Nothing if the energy exceeds the limit.
  virtual std::optional<golf::PartScore> score(const golf::Part& part, Distance aim,
                                               double limit) = 0;
};

// For parts of the same order, size and group.
std::unique_ptr<PartEvaluator> part_evaluator(const golf::Part& like);

}  // namespace antipode::cpu
