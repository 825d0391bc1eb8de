// Annealing by teams of blocks that try steps of one chain at the same time, or by the whole GPU if
// a graph needs it: one chain after the other. Each vertex has a word of sources, residue by
// residue, so that the neighbours of consecutive vertices are consecutive. Memory: 24 bytes per
// vertex and team.
#include <algorithm>

#include "engine/cuda/golf/part_engine.hpp"
#include "engine/cuda/golf/part_steps.hpp"

namespace antipode::cuda {

namespace {

struct TeamsJob {
  WalkJob walk;
  unsigned long long* words;  // three sets of words per team; the first set is 0
  TeamCells* cells;           // one per team
  TeamVote* vote;
  unsigned teams, blocks;  // blocks of a team
};

struct ThreadGroup {
  __device__ static unsigned rank() { return threadIdx.x; }
  __device__ static void sync() { __syncthreads(); }
};

__device__ unsigned bits_of(unsigned word) { return __popc(word); }
__device__ unsigned bits_of(unsigned long long word) { return __popcll(word); }

// What the threads of a block share, besides the ports.
struct BlockState {
  unsigned long long fresh, total;  // new pairs of a level, of the block and of the team
  Walk walk;
};

// A team that evaluates parts. Of its three sets of words one receives the walked levels, and two
// receive the pulled levels alternately. The first one is cleared meanwhile for the next
// evaluation, so no barrier waits for that.
template <class Word, bool kCyclic>
class Team {
 public:
  __device__ Team(const TeamsJob& job, const Port* ports, BlockState* shared)
      : walk_(job.walk),
        ports_(ports),
        shared_(shared),
        team_(blockIdx.x / job.blocks),
        block_(blockIdx.x % job.blocks),
        blocks_(job.blocks),
        cells_(job.cells + team_),
        words_(reinterpret_cast<Word*>(job.words) +
               static_cast<std::size_t>(team_) * 3 * walk_.order) {
    if (threadIdx.x == 0) shared_->fresh = 0;
  }
  __device__ unsigned number() const { return team_; }
  __device__ bool votes() const { return block_ == 0; }
  __device__ void sync() { sum_over_team(0); }

  __device__ bool evaluate(unsigned long long limit, WalkScore& score) {
    score = {.unreached = static_cast<unsigned long long>(walk_.size) * (walk_.order - 1)};
    Word* const seeds = words_ + static_cast<std::size_t>(first_set_) * walk_.order;
    Word* const other = words_ + static_cast<std::size_t>((first_set_ + 1) % 3) * walk_.order;
    Word* const next_seeds = words_ + static_cast<std::size_t>((first_set_ + 2) % 3) * walk_.order;
    first_set_ = (first_set_ + 2) % 3;
    const bool within_limit = levels(limit, score, seeds, other, next_seeds);
    return within_limit && energy_of(walk_, score) <= limit;
  }

 private:
  __device__ bool levels(unsigned long long limit, WalkScore& score, Word* seeds, Word* other,
                         Word* next_seeds) {
    unsigned fresh = first_level(seeds);
    clear(next_seeds);
    Word *now = seeds, *next = other;
    unsigned long long walks =
        static_cast<unsigned long long>(walk_.size) * walk_.degree;  // of the level's length
    bool walks_levels = true;
    for (unsigned level = 1;; ++level) {
      const unsigned long long count = sum_over_team(fresh);
      if (!count_level(score, count, level, limit)) return false;
      if (score.unreached == 0 || count == 0) return true;
      walks_levels = walks_levels && level < kMostWalked &&
                     walks * 8 <= walk_.order;  // a walk costs as much as eight pulled vertices
      if (walks_levels) {
        fresh = walked_level(seeds, level + 1, static_cast<unsigned>(walks / walk_.size));
        walks *= walk_.degree;
      } else {
        fresh = pulled_level(now, next);
        Word* const done = now;
        now = next;
        next = done;
      }
    }
  }

  __device__ unsigned rank() const { return block_ * blockDim.x + threadIdx.x; }
  __device__ unsigned threads() const { return blocks_ * blockDim.x; }

  __device__ void clear(Word* words) const {
    for (std::size_t i = rank(); i < walk_.order; i += threads()) words[i] = 0;
  }

  __device__ unsigned set(Word* words, unsigned residue, unsigned shift, unsigned source) const {
    const Word bit = Word{1} << source;
    return (atomicOr(&words[static_cast<std::size_t>(residue) * walk_.shifts + shift], bit) &
            bit) == 0;
  }

  // No port leads back to its own vertex, so no source has its own bit yet.
  __device__ unsigned first_level(Word* words) const {
    unsigned fresh = 0;
    for (unsigned i = rank(); i < walk_.ports; i += threads()) {
      const Port port = ports_[i];
      if (port.mate != kFree) fresh += set(words, port.to, port.shift, i / walk_.degree);
    }
    for (unsigned a = rank(); a < walk_.size; a += threads()) set(words, a, 0, a);
    return fresh;
  }

  // Walks of `length` steps, while they are few. `shorter`: number of walks with one step less from
  // one source. A thread takes some of those, with a few last steps each.
  __device__ unsigned walked_level(Word* words, unsigned length, unsigned shorter) const {
    constexpr unsigned kInFlight = 8;
    const unsigned shares = (walk_.degree + kInFlight - 1) / kInFlight;
    unsigned fresh = 0;
    for (unsigned i = rank(); i < walk_.size * shorter * shares; i += threads()) {
      const unsigned first = i % shares * kInFlight, a = i / shares / shorter;
      unsigned rest = i / shares % shorter, shift = 0, at = a;
      bool exists = true;
      for (unsigned k = 1; k < length; ++k, rest /= walk_.degree)
        at = step_from<kCyclic>(walk_, ports_, at, rest % walk_.degree, shift, exists);
      if (!exists) continue;
#pragma unroll
      for (unsigned k = 0; k < kInFlight; ++k) {
        if (first + k >= walk_.degree) continue;
        unsigned end = shift;
        bool last_exists = true;
        const unsigned target = step_from<kCyclic>(walk_, ports_, at, first + k, end, last_exists);
        if (last_exists) fresh += set(words, target, end, a);
      }
    }
    return fresh;
  }

  // A warp takes 32 consecutive vertices of one residue.
  __device__ unsigned pulled_level(const Word* now, Word* next) const {
    const unsigned chunks = (walk_.shifts + kWarp - 1) / kWarp, warps = threads() / kWarp;
    const Word all = walk_.size == 8 * sizeof(Word) ? ~Word{0} : (Word{1} << walk_.size) - 1;
    unsigned fresh = 0;
    for (unsigned item = rank() / kWarp; item < chunks * walk_.size; item += warps) {
      const unsigned residue = item / chunks, q = item % chunks * kWarp + thread_of_warp();
      const bool in_range = q < walk_.shifts;
      const std::size_t at = static_cast<std::size_t>(residue) * walk_.shifts + q;
      const Word own = in_range ? now[at] : all;
      const Port* const ports = ports_ + residue * walk_.degree;
      Word sum = own;
      constexpr unsigned kInFlight = 8;
      for (unsigned first = 0; first < walk_.degree && __any_sync(~0u, sum != all);
           first += kInFlight) {
        Word word[kInFlight];
#pragma unroll
        for (unsigned k = 0; k < kInFlight; ++k) {
          word[k] = 0;
          if (first + k >= walk_.degree) continue;
          const Port port = ports[first + k];
          if (in_range && port.mate != kFree && sum != all)
            word[k] = now[static_cast<std::size_t>(port.to) * walk_.shifts +
                          shifted<kCyclic>(walk_, q, port.shift)];
        }
#pragma unroll
        for (unsigned k = 0; k < kInFlight; ++k) sum |= word[k];
      }
      if (in_range) next[at] = sum;
      fresh += bits_of(sum ^ own);
    }
    return fresh;
  }

  // The sum over all threads of the team, with a barrier. One thread per block polls.
  __device__ unsigned long long sum_over_team(unsigned fresh) {
    const unsigned mine = __reduce_add_sync(~0u, fresh);
    if (thread_of_warp() == 0 && mine != 0)
      atomicAdd(&shared_->fresh, static_cast<unsigned long long>(mine));
    __syncthreads();
    if (threadIdx.x == 0) {
      if (block_ == 0) cells_->found[(turn_ + 1) % 3] = 0;
      shared_->total = add_and_await(&cells_->found[turn_], shared_->fresh << 16, blocks_);
      shared_->fresh = 0;
    }
    __syncthreads();
    turn_ = (turn_ + 1) % 3;
    return shared_->total;
  }

  static constexpr unsigned kMostWalked = 6;  // steps
  const WalkJob& walk_;
  const Port* ports_;
  BlockState* shared_;
  unsigned team_, block_, blocks_;
  TeamCells* cells_;
  Word* words_;
  unsigned first_set_ = 0,
           turn_ = 0;  // next set of words, next cell; they persist across evaluations
};

template <class Word, bool kCyclic>
__global__ void __launch_bounds__(1024, 1) teams_kernel(const __grid_constant__ TeamsJob job) {
  extern __shared__ Port ports[];
  __shared__ BlockState shared;
  if (blockIdx.x >= job.teams * job.blocks) return;
  const WalkJob& walk = job.walk;
  Team<Word, kCyclic> team(job, ports, &shared);
  TeamMember member(job.vote, job.teams, team.number(), job.teams * job.blocks, team.votes());
  const bool writes = blockIdx.x == 0;
  for (unsigned chain = 0; chain < walk.chains; ++chain) {
    Port* const global = walk.now + static_cast<std::size_t>(chain) * walk.ports;
    Port* const best = walk.best + static_cast<std::size_t>(chain) * walk.ports;
    __syncthreads();
    for (unsigned p = threadIdx.x; p < walk.ports; p += blockDim.x) ports[p] = global[p];
    if (threadIdx.x == 0) shared.walk.begin(walk, walk.states[chain]);
    __syncthreads();
    WalkState& state = shared.walk.state;
    if (walk.steps == 0) {
      WalkScore score;
      team.evaluate(~0ull, score);
      if (threadIdx.x == 0) state.score = state.best = score;
    }
    take_steps<ThreadGroup>(
        walk, shared.walk, ports, writes ? best : nullptr, member,
        [&](unsigned long long limit, WalkScore& score) { return team.evaluate(limit, score); });
    team.sync();  // all blocks have read what is written next
    if (!writes) continue;
    for (unsigned p = threadIdx.x; p < walk.ports; p += blockDim.x) global[p] = ports[p];
    if (threadIdx.x == 0) walk.states[chain] = state;
  }
}

}  // namespace

// As many teams as have their words in the cache, with at least kLeastBlocks blocks each.
unsigned teams_for(const Context& context, const WalkJob& job) {
  constexpr std::size_t kLeastBlocks = 4;
  const std::size_t bytes = 3 * std::size_t{job.order} * (job.size <= 32 ? 4 : 8);
  const std::size_t most = std::min<std::size_t>(
      kMostTeams, static_cast<std::size_t>(context.multiprocessors()) / kLeastBlocks);
  return static_cast<unsigned>(
      std::clamp<std::size_t>(context.cache_bytes() / bytes, 1, std::max<std::size_t>(1, most)));
}

void walk_in_teams(const Context& context, const WalkJob& job, const TeamsMemory& memory) {
  constexpr unsigned kLarge = 4096;  // vertices per block that give work to 1,024 threads
  const unsigned multiprocessors = static_cast<unsigned>(context.multiprocessors());
  const unsigned teams = static_cast<unsigned>(
                     std::clamp<unsigned long long>(job.steps, 1, teams_for(context, job))),
                 blocks = multiprocessors / teams;
  context.fill_bytes(memory.cells, 0, teams);
  context.fill_bytes(memory.vote, 0, 1);
  context.fill_bytes(memory.words, 0, static_cast<std::size_t>(teams) * 3 * job.order);
  const TeamsJob all{.walk = job,
                     .words = memory.words,
                     .cells = memory.cells,
                     .vote = memory.vote,
                     .teams = teams,
                     .blocks = blocks};
  const std::size_t bytes = job.ports * sizeof(Port);
  const bool is_cyclic = job.factor_count == 1;
  const auto kernel =
      job.size <= 32 ? (is_cyclic ? teams_kernel<unsigned, true> : teams_kernel<unsigned, false>)
      : is_cyclic    ? teams_kernel<unsigned long long, true>
                     : teams_kernel<unsigned long long, false>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "asking for shared memory");
  context.launch_cooperative(kernel, job.order / blocks >= kLarge ? 1024 : 256, bytes, all);
}

}  // namespace antipode::cuda
