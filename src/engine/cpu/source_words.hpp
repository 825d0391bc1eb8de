// One word of up to 64 sources for every vertex of a voltage graph, residue by residue. The shifts
// of a run are consecutive; a step rotates them.
#pragma once

#include <cstdint>
#include <span>

#include "antipode/golf.hpp"
#include "graph/instruction_sets.hpp"

namespace antipode::cpu {

using Word = std::uint64_t;

// Adds the words of all neighbours to those of the shifts from `begin` to `end`. `next`: the words
// of the residue from which the steps lead; `seen`: those of all residues.
void gather(const golf::Part& part, std::span<const golf::PartStep> steps, Vertex begin, Vertex end,
            const Word* seen, Word* next);

}  // namespace antipode::cpu
