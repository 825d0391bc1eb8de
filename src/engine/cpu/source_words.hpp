// A word of up to 64 sources for every vertex of a part's graph, residue by residue. The shifts of
// one run lie side by side, and a step turns them round.
#pragma once

#include <cstdint>
#include <span>

#include "antipode/golf.hpp"
#include "graph/instruction_sets.hpp"

namespace antipode::cpu {

using Word = std::uint64_t;

// Adds the words of all neighbours to those of the shifts from `begin` to `end`. `next` are the
// words of the residue that the steps start from, `seen` those of all.
void gather(const golf::Part& part, std::span<const golf::PartStep> steps, Vertex begin, Vertex end,
            const Word* seen, Word* next);

}  // namespace antipode::cpu
