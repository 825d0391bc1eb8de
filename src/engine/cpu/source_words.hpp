// A word of up to 64 sources for every vertex of a part's graph, residue by residue. The shifts of
// one run lie side by side, and a step turns them round.
#pragma once

#include <cstdint>
#include <span>

#include "antipode/golf.hpp"

// Loops over words are compiled for several instruction sets, one of which is chosen when the
// program is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ANTIPODE_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ANTIPODE_WIDE
#endif

namespace antipode::cpu {

using Word = std::uint64_t;

// Adds the words of all neighbours to those of the shifts from `begin` to `end`. `next` are the
// words of the residue that the steps start from, `seen` those of all.
void gather(const Part& part, std::span<const PartStep> steps, Vertex begin, Vertex end,
            const Word* seen, Word* next);

}  // namespace antipode::cpu
