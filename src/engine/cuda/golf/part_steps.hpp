// The steps of a chain, by one team of threads or by several. Of a hundred moves hardly one is
// taken, so teams try the next steps of one chain at the same time, each another one: the first
// that is taken counts, and those after it are forgotten. That is the walk of one team, step for
// step, only sooner.
#pragma once

#include "engine/cuda/golf/part_walk.hpp"

namespace antipode::cuda {

inline constexpr unsigned kMostTeams = 32;

// Where the teams of a chain say what they found. In a cell: how many blocks have come (16 bits),
// and a bit for each team whose move is taken. Three cells, by turns: one in use, one that others
// may still read, one that is cleared. All are 0 before.
struct TeamVote {
  unsigned long long cells[3];
  WalkScore scores[3][kMostTeams];
};

// One thread of each block adds to a cell and waits for those of all others.
__device__ inline unsigned long long awaited(unsigned long long* cell, unsigned long long mine,
                                             unsigned blocks) {
  __threadfence();
  atomicAdd(cell, mine + 1);
  unsigned long long sum;
  do sum = fresh(cell);
  while ((sum & 0xFFFF) != blocks);
  __threadfence();
  return sum >> 16;
}

// The only team of a chain.
struct Alone {
  __device__ unsigned teams() const { return 1; }
  __device__ unsigned team() const { return 0; }
  __device__ unsigned first_taken(bool taken, WalkScore&) const { return taken ? 0 : 1; }
};

// A block of one of the teams, as its first thread sees it.
class TeamMember {
 public:
  __device__ TeamMember(TeamVote* council, unsigned teams, unsigned team, unsigned blocks,
                        bool speaks)
      : council_(council), teams_(teams), team_(team), blocks_(blocks), speaks_(speaks) {}
  __device__ unsigned teams() const { return teams_; }
  __device__ unsigned team() const { return team_; }

  // Which team comes first of those whose move is taken, and what its score is; as many as there
  // are teams: none.
  __device__ unsigned first_taken(bool taken, WalkScore& score) {
    if (teams_ == 1) return taken ? 0 : 1;
    if (team_ == 0 && speaks_) council_->cells[(turn_ + 1) % 3] = 0;
    if (taken && speaks_) council_->scores[turn_][team_] = score;
    const unsigned long long all =
        awaited(&council_->cells[turn_], taken && speaks_ ? 1ull << (16 + team_) : 0, blocks_);
    const unsigned first =
        all == 0 ? teams_ : static_cast<unsigned>(__ffsll(static_cast<long long>(all))) - 1;
    if (first < teams_) score = fresh_copy(&council_->scores[turn_][first]);
    turn_ = (turn_ + 1) % 3;
    return first;
  }

 private:
  TeamVote* council_;
  unsigned teams_, team_, blocks_;  // blocks: of all teams
  bool speaks_;                     // for its team
  unsigned turn_ = 0;
};

// In shared memory: what the threads that share `ports` are at. One of them writes it.
class Walk {
 public:
  WalkState state;

  __device__ void begin(const WalkJob& job, const WalkState& from) {
    state = from;
    end_ = state.step + job.steps;
  }
  __device__ bool goes_on() const { return state.step < end_; }
  __device__ bool tries() const { return move_.count != 0; }
  __device__ unsigned long long limit() const { return limit_; }

  // The team's move for one of the next steps; the part is changed as it says.
  __device__ void propose(const WalkJob& job, Port* ports, unsigned team) {
    move_.count = 0;
    const unsigned long long step = state.step + team;
    if (step >= end_) return;
    draw(job, ports, step);
    for (unsigned k = 0; k < move_.count; ++k) {
      old_[k] = ports[move_.where[k]];
      ports[move_.where[k]] = move_.ports[k];
    }
  }

  // All have tried theirs, and the first one's is taken. `best`: where better parts go, or nowhere.
  __device__ void conclude(const WalkJob& job, Port* ports, unsigned first, unsigned team,
                           unsigned teams, const WalkScore& score, Port* best) {
    if (first != team)
      for (unsigned k = 0; k < move_.count; ++k) ports[move_.where[k]] = old_[k];
    if (first == teams) {
      state.step = min(end_, state.step + teams);
      return;
    }
    state.step += first;
    if (first != team) {
      draw(job, ports, state.step);
      for (unsigned k = 0; k < move_.count; ++k) ports[move_.where[k]] = move_.ports[k];
    }
    ++state.step;
    ++state.accepted;
    state.score = score;
    if (!(score < state.best)) return;
    state.best = score;
    for (unsigned p = 0; best != nullptr && p < job.ports; ++p) best[p] = ports[p];
  }

 private:
  __device__ __noinline__ void draw(const WalkJob& job, const Port* ports,
                                    unsigned long long step) {
    WalkRandom random(state.seed, step);
    limit_ = limit_of(job, state, step, random);
    move_ = proposed(job, ports, random);
  }

  unsigned long long end_, limit_;
  WalkMove move_;
  Port old_[4];
};

// evaluate(limit, score): false if the energy exceeds the limit.
template <class ThreadGroup, class Team, class Evaluate>
__device__ void take_steps(const WalkJob& job, Walk& walk, Port* ports, Port* best, Team& party,
                           Evaluate evaluate) {
  if (ThreadGroup::rank() == 0) walk.propose(job, ports, party.team());
  ThreadGroup::sync();
  while (walk.goes_on()) {
    WalkScore score;
    const bool taken = walk.tries() && evaluate(walk.limit(), score);
    ThreadGroup::sync();
    if (ThreadGroup::rank() == 0) {
      const unsigned first = party.first_taken(taken, score);
      walk.conclude(job, ports, first, party.team(), party.teams(), score, best);
      walk.propose(job, ports, party.team());
    }
    ThreadGroup::sync();
  }
}

}  // namespace antipode::cuda
