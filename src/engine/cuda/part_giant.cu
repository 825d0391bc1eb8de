#include <cooperative_groups.h>

#include "engine/cuda/part_engine.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

using Word = unsigned long long;

struct GiantJob {
  WalkJob walk;
  Word* words[2];
  GiantControl* control;
};

// The whole GPU at one chain; every block keeps the ports in its own shared memory and decides like all others.
class Giant {
 public:
  __device__ Giant(const GiantJob& job, const Port* ports, unsigned long long* shared_count) : job_(job), ports_(ports), shared_count_(shared_count), grid_(cg::this_grid()) {}

  __device__ bool evaluate(unsigned long long limit, WalkScore& score) {
    const WalkJob& walk = job_.walk;
    score = {static_cast<unsigned long long>(walk.size) * (walk.order - 1), 0, 0, 0};
    for (std::size_t i = grid_.thread_rank(); i < walk.order; i += grid_.size()) job_.words[0][i] = 0;
    grid_.sync();
    unsigned fresh = first_level(), current = 0;
    for (unsigned level = 1;; ++level) {
      const unsigned long long count = added(fresh);
      if (!count_level(score, count, level, limit)) return false;
      if (score.unreached == 0 || count == 0) break;
      if (level == 1 && static_cast<unsigned long long>(walk.size) * walk.degree * 4 <= walk.order) {
        fresh = second_level();
      } else {
        fresh = next_level(job_.words[current], job_.words[1 - current]);
        current = 1 - current;
      }
    }
    return energy_of(walk, score) <= limit;
  }

 private:
  __device__ unsigned set(unsigned residue, unsigned shift, unsigned source) const {
    const Word bit = Word{1} << source;
    return (atomicOr(&job_.words[0][static_cast<std::size_t>(residue) * job_.walk.shifts + shift], bit) & bit) == 0;
  }

  // A port that leads back to where it starts would be no port: so nobody's own bit is set before.
  __device__ unsigned first_level() const {
    unsigned fresh = 0;
    for (std::size_t i = grid_.thread_rank(); i < job_.walk.ports; i += grid_.size()) {
      const Port port = ports_[i];
      if (port.mate != kFree) fresh += set(port.to, port.shift, static_cast<unsigned>(i) / job_.walk.degree);
    }
    for (std::size_t a = grid_.thread_rank(); a < job_.walk.size; a += grid_.size()) set(static_cast<unsigned>(a), 0, static_cast<unsigned>(a));
    return fresh;
  }

  // Walks of two steps, one by one, where they are few.
  __device__ unsigned second_level() const {
    const WalkJob& walk = job_.walk;
    unsigned fresh = 0;
    const std::size_t each = static_cast<std::size_t>(walk.degree) * walk.degree;
    for (std::size_t i = grid_.thread_rank(); i < walk.size * each; i += grid_.size()) {
      const unsigned a = static_cast<unsigned>(i / each), rest = static_cast<unsigned>(i % each);
      unsigned shift = 0;
      bool goes = true;
      unsigned at = step_from(walk, ports_, a, rest % walk.degree, shift, goes);
      at = step_from(walk, ports_, at, rest / walk.degree, shift, goes);
      if (goes) fresh += set(at, shift, a);
    }
    return fresh;
  }

  // By all threads of all blocks; one thread of a block asks for it.
  __device__ unsigned long long added(unsigned fresh) {
    const unsigned mine = __reduce_add_sync(~0u, fresh);
    if (threadIdx.x == 0) *shared_count_ = 0;
    __syncthreads();
    if (lane() == 0 && mine != 0) atomicAdd(shared_count_, static_cast<unsigned long long>(mine));
    __syncthreads();
    if (threadIdx.x == 0 && *shared_count_ != 0) atomicAdd(&job_.control->fresh[turn_], *shared_count_);
    if (grid_.thread_rank() == 0) job_.control->fresh[(turn_ + 1) % 3] = 0;
    grid_.sync();
    if (threadIdx.x == 0) *shared_count_ = cuda::fresh(&job_.control->fresh[turn_]);
    __syncthreads();
    const unsigned long long sum = *shared_count_;
    __syncthreads();
    turn_ = (turn_ + 1) % 3;
    return sum;
  }

  // A warp takes 32 vertices of one residue, next to each other.
  __device__ unsigned next_level(const Word* now, Word* next) const {
    const WalkJob& walk = job_.walk;
    const unsigned chunks = (walk.shifts + kWarp - 1) / kWarp, warps = static_cast<unsigned>(grid_.size() / kWarp);
    const Word all = walk.size == 64 ? ~Word{0} : (Word{1} << walk.size) - 1;
    unsigned fresh = 0;
    for (unsigned item = static_cast<unsigned>(grid_.thread_rank() / kWarp); item < chunks * walk.size; item += warps) {
      const unsigned residue = item / chunks, q = item % chunks * kWarp + lane();
      const bool here = q < walk.shifts;
      const std::size_t at = static_cast<std::size_t>(residue) * walk.shifts + q;
      const Word own = here ? now[at] : all;
      const Port* const ports = ports_ + residue * walk.degree;
      Word sum = own;
      constexpr unsigned kAtOnce = 8;
      for (unsigned first = 0; first < walk.degree && __any_sync(~0u, sum != all); first += kAtOnce) {
        Word word[kAtOnce];
#pragma unroll
        for (unsigned k = 0; k < kAtOnce; ++k) {
          word[k] = 0;
          if (first + k >= walk.degree) continue;
          const Port port = ports[first + k];
          unsigned there = q + port.shift;
          if (there >= walk.shifts) there -= walk.shifts;
          if (here && port.mate != kFree && sum != all) word[k] = now[static_cast<std::size_t>(port.to) * walk.shifts + there];
        }
#pragma unroll
        for (unsigned k = 0; k < kAtOnce; ++k) sum |= word[k];
      }
      if (here) next[at] = sum;
      fresh += __popcll(sum ^ own);
    }
    return fresh;
  }

  const GiantJob& job_;
  const Port* ports_;
  unsigned long long* shared_count_;
  cg::grid_group grid_;
  unsigned turn_ = 0;                            // of the counters; goes on from one evaluation to the next
};

__global__ void __launch_bounds__(1024, 1) giant_kernel(const __grid_constant__ GiantJob job) {
  extern __shared__ Port ports[];
  __shared__ unsigned long long count;
  const cg::grid_group grid = cg::this_grid();
  const WalkJob& walk = job.walk;
  Giant giant(job, ports, &count);
  for (unsigned chain = 0; chain < walk.chains; ++chain) {
    Port* const global = walk.now + static_cast<std::size_t>(chain) * walk.ports;
    __syncthreads();
    for (unsigned p = threadIdx.x; p < walk.ports; p += blockDim.x) ports[p] = global[p];
    __syncthreads();
    WalkState state = walk.states[chain];
    if (walk.steps == 0) {
      giant.evaluate(~0ull, state.score);
      state.best = state.score;
    }
    for (unsigned long long step = 0; step < walk.steps; ++step) {
      WalkRandom random(state.seed, state.step);
      const unsigned long long limit = limit_of(walk, state, random);
      ++state.step;
      const WalkMove move = proposed(walk, ports, random);
      if (move.count == 0) continue;
      Port old[4];
#pragma unroll
      for (unsigned k = 0; k < 4; ++k)
        if (k < move.count) old[k] = ports[move.where[k]];
      __syncthreads();
      if (threadIdx.x == 0)
        for (unsigned k = 0; k < move.count; ++k) ports[move.where[k]] = move.ports[k];
      __syncthreads();
      WalkScore score;
      const bool taken = giant.evaluate(limit, score);
      if (!taken) {
        __syncthreads();
        if (threadIdx.x == 0)
          for (unsigned k = 0; k < move.count; ++k) ports[move.where[k]] = old[k];
        __syncthreads();
        continue;
      }
      state.score = score;
      ++state.accepted;
      if (score < state.best) {
        state.best = score;
        Port* const best = walk.best + static_cast<std::size_t>(chain) * walk.ports;
        if (blockIdx.x == 0)
          for (unsigned p = threadIdx.x; p < walk.ports; p += blockDim.x) best[p] = ports[p];
      }
    }
    if (blockIdx.x != 0) continue;
    for (unsigned p = threadIdx.x; p < walk.ports; p += blockDim.x) global[p] = ports[p];
    __syncthreads();
    if (threadIdx.x == 0) walk.states[chain] = state;
  }
}

}  // namespace

void walk_by_all(const Context& context, const WalkJob& job, unsigned long long* words, GiantControl* control) {
  constexpr unsigned kLarge = 1 << 18;           // vertices for which all threads have something to do
  context.fill_bytes(control, 0, 1);
  const GiantJob giant{job, {words, words + job.order}, control};
  const std::size_t bytes = job.ports * sizeof(Port);
  check(cudaFuncSetAttribute(giant_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)), "asking for shared memory");
  context.launch_together(giant_kernel, job.order >= kLarge ? 1024 : 256, bytes, giant);
}

}  // namespace antipode::cuda
