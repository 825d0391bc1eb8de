// The two ways to anneal a chain on the GPU, behind one engine for parts.
#pragma once

#include "engine/cuda/golf/part_walk.hpp"

namespace antipode::cuda {

struct TeamVote;

// Every chain in the shared memory of a warp, or of several blocks. One TeamVote per chain.
bool fits_shared(const Context& context, const WalkJob& job);
std::size_t chains_at_once(const Context& context, const WalkJob& job);
void walk_in_shared(const Context& context, const WalkJob& job, TeamVote* votes);

// One chain after the other, by all blocks; for parts of up to 64 vertices.
struct TeamCells {
  // New pairs of a level (48 bits) and how many blocks have arrived (16); rotate as in TeamVote.
  unsigned long long found[3];
};
struct TeamsMemory {
  unsigned long long* words;  // three for each vertex and team
  TeamCells* cells;           // one for each team
  TeamVote* vote;
};
inline constexpr unsigned kMostTeamSources = 64;
unsigned teams_for(const Context& context, const WalkJob& job);
void walk_in_teams(const Context& context, const WalkJob& job, const TeamsMemory& memory);

}  // namespace antipode::cuda
