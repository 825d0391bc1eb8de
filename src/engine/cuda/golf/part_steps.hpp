// The steps of an annealing chain, by one team of threads or by several. Hardly one move in a
// hundred is accepted, so teams try the next steps of one chain at the same time. The first
// accepted step counts, and later ones are discarded. The result is that of one team, step for
// step, only sooner.
#pragma once

#include "engine/cuda/golf/part_walk.hpp"

namespace antipode::cuda {

inline constexpr unsigned kMostTeams = 32;

// Votes of the teams of a chain. A cell holds how many blocks have arrived (16 bits), and a bit for
// each team whose move is accepted. Three cells rotate: one in use, one that may still be read, one
// being cleared. All are 0 before.
struct TeamVote {
  unsigned long long cells[3];
  WalkScore scores[3][kMostTeams];
};

// Called by one thread of each block: adds to a cell and polls it until all blocks have arrived.
__device__ inline unsigned long long add_and_await(unsigned long long* cell,
                                                   unsigned long long mine, unsigned blocks) {
  __threadfence();
  atomicAdd(cell, mine + 1);
  unsigned long long sum;
  do sum = fresh(cell);
  while ((sum & 0xFFFF) != blocks);
  __threadfence();
  return sum >> 16;
}

// The only team of a chain.
struct SingleTeam {
  __device__ unsigned teams() const { return 1; }
  __device__ unsigned team() const { return 0; }
  __device__ unsigned first_accepted(bool accepted, WalkScore&) const { return accepted ? 0 : 1; }
};

// A block of one of the teams, as its first thread sees it.
class TeamMember {
 public:
  __device__ TeamMember(TeamVote* vote, unsigned teams, unsigned team, unsigned blocks, bool votes)
      : vote_(vote), teams_(teams), team_(team), blocks_(blocks), votes_(votes) {}
  __device__ unsigned teams() const { return teams_; }
  __device__ unsigned team() const { return team_; }

  // The first team whose move is accepted, and its score; teams(): none.
  __device__ unsigned first_accepted(bool accepted, WalkScore& score) {
    if (teams_ == 1) return accepted ? 0 : 1;
    if (team_ == 0 && votes_) vote_->cells[(turn_ + 1) % 3] = 0;
    if (accepted && votes_) vote_->scores[turn_][team_] = score;
    const unsigned long long all =
        add_and_await(&vote_->cells[turn_], accepted && votes_ ? 1ull << (16 + team_) : 0, blocks_);
    const unsigned first =
        all == 0 ? teams_ : static_cast<unsigned>(__ffsll(static_cast<long long>(all))) - 1;
    if (first < teams_) score = fresh_copy(&vote_->scores[turn_][first]);
    turn_ = (turn_ + 1) % 3;
    return first;
  }

 private:
  TeamVote* vote_;
  unsigned teams_, team_, blocks_;  // blocks: of all teams
  bool votes_;                      // this block votes for its team
  unsigned turn_ = 0;
};

// A walk in shared memory, for the threads that share `ports`. One of them writes it.
class Walk {
 public:
  WalkState state;

  __device__ void begin(const WalkJob& job, const WalkState& from) {
    state = from;
    end_ = state.step + job.steps;
  }
  __device__ bool has_steps() const { return state.step < end_; }
  __device__ bool has_move() const { return move_.count != 0; }
  __device__ unsigned long long limit() const { return limit_; }

  // Draws this team's move for one of the next steps, and applies it to the ports.
  __device__ void try_move(const WalkJob& job, Port* ports, unsigned team) {
    move_.count = 0;
    const unsigned long long step = state.step + team;
    if (step >= end_) return;
    draw(job, ports, step);
    for (unsigned k = 0; k < move_.count; ++k) {
      old_[k] = ports[move_.places[k]];
      ports[move_.places[k]] = move_.ports[k];
    }
  }

  // Undoes the moves that were not accepted, and applies that of team `first`. `best`: null, or
  // where ports with a better score are stored.
  __device__ void conclude(const WalkJob& job, Port* ports, unsigned first, unsigned team,
                           unsigned teams, const WalkScore& score, Port* best) {
    if (first != team)
      for (unsigned k = 0; k < move_.count; ++k) ports[move_.places[k]] = old_[k];
    if (first == teams) {
      state.step = min(end_, state.step + teams);
      return;
    }
    state.step += first;
    if (first != team) {
      draw(job, ports, state.step);
      for (unsigned k = 0; k < move_.count; ++k) ports[move_.places[k]] = move_.ports[k];
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
    move_ = draw_move(job, ports, random);
  }

  unsigned long long end_, limit_;
  WalkMove move_;
  Port old_[4];
};

// evaluate(limit, score): false if the energy exceeds the limit.
template <class ThreadGroup, class Team, class Evaluate>
__device__ void take_steps(const WalkJob& job, Walk& walk, Port* ports, Port* best, Team& voter,
                           Evaluate evaluate) {
  if (ThreadGroup::rank() == 0) walk.try_move(job, ports, voter.team());
  ThreadGroup::sync();
  while (walk.has_steps()) {
    WalkScore score;
    const bool accepted = walk.has_move() && evaluate(walk.limit(), score);
    ThreadGroup::sync();
    if (ThreadGroup::rank() == 0) {
      const unsigned first = voter.first_accepted(accepted, score);
      walk.conclude(job, ports, first, voter.team(), voter.teams(), score, best);
      walk.try_move(job, ports, voter.team());
    }
    ThreadGroup::sync();
  }
}

}  // namespace antipode::cuda
