// The two ways a chain is annealed on the GPU, behind one engine for parts.
#pragma once

#include "engine/cuda/part_walk.hpp"

namespace antipode::cuda {

// Every chain in the shared memory of a warp or block of its own.
bool fits_shared(const WalkJob& job);
std::size_t chains_at_once(const WalkJob& job, int multiprocessors);
void walk_in_shared(const Context& context, const WalkJob& job);

// One chain after the other, by the whole GPU: a word of up to 64 sources for every vertex, residue by residue, so that the neighbours of
// consecutive vertices are consecutive.
struct GiantControl {
  unsigned long long fresh[3];           // new pairs: of this level, of the next, and the one being cleared
};
inline constexpr unsigned kMostGiantSources = 64;
void walk_by_all(const Context& context, const WalkJob& job, unsigned long long* words, GiantControl* control);  // words: two for each vertex

}  // namespace antipode::cuda
