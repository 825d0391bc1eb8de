// The two ways a chain is annealed on the GPU, behind one engine for parts.
#pragma once

#include "engine/cuda/golf/part_walk.hpp"

namespace antipode::cuda {

struct TeamVote;

// Every chain in the shared memory of a warp, or of as many blocks as there are. A council for each
// chain.
bool fits_shared(const Context& context, const WalkJob& job);
std::size_t chains_at_once(const Context& context, const WalkJob& job);
void walk_in_shared(const Context& context, const WalkJob& job, TeamVote* councils);

// One chain after the other, by all blocks; parts of up to 64 vertices.
struct TeamCells {
  unsigned long long
      found[3];  // new pairs of a level, and blocks that have come; by turns as in a council
};
struct TeamsMemory {
  unsigned long long* words;  // three for each vertex and team
  TeamCells* cells;           // one for each team
  TeamVote* council;
};
inline constexpr unsigned kMostTeamSources = 64;
unsigned teams_for(const Context& context, const WalkJob& job);
void walk_in_teams(const Context& context, const WalkJob& job, const TeamsMemory& memory);

}  // namespace antipode::cuda
