// Annealing on the GPU: the state of a chain, its random numbers and its moves. All threads that
// work on a chain draw the same numbers and decide the same.
#pragma once

#include "antipode/golf.hpp"
#include "engine/cuda/device/context.hpp"
#include "engine/cuda/device/warp.hpp"
#include "graph/hash.hpp"

namespace antipode::cuda {

inline constexpr unsigned kFree = 0xFFFF;  // the mate of an unused port

// Edges end at ports, `degree` of them at each residue. A port names its mate, and the residue and
// shift at the other end of its edge.
struct Port {
  unsigned short mate, to;
  unsigned shift;
};

struct WalkScore {
  unsigned long long unreached, sum;
  unsigned diameter, last;  // last: pairs at the distance of the diameter
  __device__ bool operator<(const WalkScore& other) const {
    return unreached != other.unreached ? unreached < other.unreached
           : diameter != other.diameter ? diameter < other.diameter
                                        : sum < other.sum;
  }
};

struct WalkState {
  WalkScore score, best;
  unsigned long long seed, step, accepted;
};

inline constexpr unsigned kMostFactors = 4;

// All chains of a request.
struct WalkJob {
  unsigned order, size, shifts, degree, ports;
  unsigned factors[kMostFactors],
      factor_count;  // the shifts are a product of so many cyclic groups
  WalkState* states;
  Port *now, *best;  // `ports` of each chain
  unsigned chains;
  unsigned long long steps;      // per chain; 0: only evaluate
  unsigned long long all_steps;  // of the schedule
  unsigned aim;                  // diameters up to this one are equally good
  float hottest, log_cooling;  // temperature: hottest × 2^(log_cooling × share of the steps done)
};

class WalkRandom {
 public:
  __device__ WalkRandom(unsigned long long seed, unsigned long long step)
      : state_(mix(mix(seed) ^ step)) {}
  __device__ unsigned below(unsigned bound) {
    state_ = mix(state_ + 1);
    return __umulhi(static_cast<unsigned>(state_ >> 32), bound);
  }
  __device__ float exponential() {
    state_ = mix(state_ + 1);
    return -logf((static_cast<float>(state_ >> 40) + 1) * 0x1p-24f);
  }

 private:
  unsigned long long state_;
};

// See energy() in golf.hpp.
__device__ inline unsigned long long energy_of(const WalkJob& job, const WalkScore& score) {
  return score.sum + score.unreached * job.order +
         (score.diameter > job.aim ? golf::kTooFar * score.last : 0);
}

// Adds the new pairs of a level. False if the energy is sure to exceed the limit.
__device__ inline bool count_level(WalkScore& score, unsigned long long fresh, unsigned level,
                                   unsigned long long limit) {
  score.unreached -= fresh;
  score.sum += fresh * level;
  if (fresh > 0) score.diameter = level, score.last = static_cast<unsigned>(fresh);
  return score.sum + score.unreached * (level + 1) <= limit;
}

// See Part::sum and Part::negative.
template <bool kCyclic, class Job>
__device__ unsigned shifted(const Job& job, unsigned q, unsigned shift) {
  if constexpr (kCyclic) {
    const unsigned sum = q + shift;
    return sum >= job.shifts ? sum - job.shifts : sum;
  }
  unsigned result = 0, unit = 1;
  for (unsigned i = job.factor_count; i-- > 0;) {
    const unsigned factor = job.factors[i], digit = q % factor + shift % factor;
    result += (digit >= factor ? digit - factor : digit) * unit;
    q /= factor, shift /= factor, unit *= factor;
  }
  return result;
}

__device__ inline unsigned negative(const WalkJob& job, unsigned shift) {
  unsigned result = 0, unit = 1;
  for (unsigned i = job.factor_count; i-- > 0;) {
    const unsigned factor = job.factors[i], digit = shift % factor;
    result += (digit == 0 ? 0 : factor - digit) * unit;
    shift /= factor, unit *= factor;
  }
  return result;
}

// Extends a walk by one edge. `exists` becomes false if a port on the way is unused.
template <bool kCyclic>
__device__ unsigned step_from(const WalkJob& job, const Port* ports, unsigned residue,
                              unsigned which, unsigned& shift, bool& exists) {
  const Port port = ports[residue * job.degree + which];
  exists = exists && port.mate != kFree;
  shift = shifted<kCyclic>(job, shift, port.shift);
  return port.to;
}

// The largest energy that a step may lead to and be accepted.
__device__ inline unsigned long long limit_of(const WalkJob& job, const WalkState& state,
                                              unsigned long long step, WalkRandom& random) {
  const float done =
      static_cast<float>(static_cast<double>(step) / static_cast<double>(job.all_steps));
  const float room = job.hottest * exp2f(job.log_cooling * done) * random.exponential();
  return energy_of(job, state.score) + static_cast<unsigned long long>(fminf(room, 1e18f));
}

// Up to four ports and their new values.
struct WalkMove {
  unsigned count;
  unsigned places[4];
  Port ports[4];
};

// Adds to a move the edge between two ports, with a random shift. False if the edge would be its
// own inverse.
__device__ inline bool join(const WalkJob& job, WalkRandom& random, unsigned p, unsigned q,
                            WalkMove& move) {
  const unsigned from = p / job.degree, to = q / job.degree, shift = random.below(job.shifts),
                 back = negative(job, shift);
  move.places[move.count] = p;
  move.ports[move.count++] = {static_cast<unsigned short>(q), static_cast<unsigned short>(to),
                              shift};
  move.places[move.count] = q;
  move.ports[move.count++] = {static_cast<unsigned short>(p), static_cast<unsigned short>(from),
                              back};
  return from != to || shift != back;
}

// Changes a shift, moves one end to a free port, or exchanges ends of two edges. Count 0: not
// possible.
__device__ inline WalkMove draw_move(const WalkJob& job, const Port* ports, WalkRandom& random) {
  WalkMove move;
  move.count = 0;
  const bool shift_only = random.below(2) == 0 && job.shifts > 1;
  const unsigned p = random.below(job.ports), q = random.below(job.ports), p_mate = ports[p].mate,
                 q_mate = ports[q].mate;
  bool possible = p_mate != kFree;
  if (possible && shift_only) {
    possible = join(job, random, p, p_mate, move);
  } else if (possible && q_mate == kFree) {
    possible = join(job, random, p, q, move);
    move.places[move.count] = p_mate;
    move.ports[move.count++] = {kFree, 0, 0};
  } else if (possible) {
    possible = q != p && q != p_mate;
    const bool crossed = random.below(2) == 0;
    possible = join(job, random, p, crossed ? q_mate : q, move) && possible;
    possible = join(job, random, p_mate, crossed ? q : q_mate, move) && possible;
  }
  if (!possible) move.count = 0;
  return move;
}

}  // namespace antipode::cuda
