// Annealing in shared memory, for parts whose group is cyclic: many chains at once, each in the
// shared memory of a warp, or of several blocks that try its next steps at the same time. The
// distances come from a bitset over the shifts for every source and residue, in which a neighbour
// is a rotation [Terao 2018]; in a graph without symmetry, from a bitset over the sources for every
// vertex.
#include <algorithm>
#include <type_traits>

#include "engine/cuda/golf/part_engine.hpp"
#include "engine/cuda/golf/part_steps.hpp"

namespace antipode::cuda {

namespace {

// The bitsets of a chain in shared memory, in 32-bit words.
struct Layout {
  unsigned bitsets, words,
      extended;   // number of bitsets; words of one; words of one repeated twice
  unsigned bits;  // of a bitset
  unsigned total() const { return bitsets * (words + extended); }
};

__host__ __device__ Layout layout_of(unsigned size, unsigned shifts) {
  if (shifts == 1) return {.bitsets = size, .words = (size + 31) / 32, .extended = 0, .bits = size};
  return {.bitsets = size * size,
          .words = (shifts + 31) / 32,
          .extended = (2 * shifts + 31) / 32 + 1,
          .bits = shifts};
}

template <unsigned kThreads>
struct Threads {
  __device__ static unsigned rank() { return kThreads == kWarp ? thread_of_warp() : threadIdx.x; }
  __device__ static void sync() {
    if constexpr (kThreads == kWarp)
      __syncwarp();
    else
      __syncthreads();
  }
};

// The evaluation of one chain, by its threads.
template <unsigned kThreads, bool kPlain>
class Walker {
  using ThreadGroup = Threads<kThreads>;

 public:
  __device__ Walker(const WalkJob& job, const Layout& layout, unsigned* memory, Port* ports,
                    unsigned* counters)
      : job_(job),
        layout_(layout),
        next_(memory),
        seen_(memory + layout.bitsets * layout.words),
        ports_(ports),
        counters_(counters) {}

  // False if the energy exceeds the limit.
  __device__ bool evaluate(unsigned long long limit, WalkScore& score) {
    score = {.unreached = static_cast<unsigned long long>(job_.size) * (job_.order - 1)};
    first_level();
    unsigned walks = job_.degree;  // from one source, as long as the next level is deep
    for (unsigned level = 1;; ++level) {
      const unsigned fresh = sum_over_threads(level);
      if (!count_level(score, fresh, level, limit)) return false;
      if (score.unreached == 0 || fresh == 0) break;
      if (!kPlain && level <= 2 && 2 * walks <= job_.size * layout_.words) {
        walk(level + 1, walks);
        walks *= job_.degree;
      } else {
        extend();
        next_level();
      }
    }
    return energy_of(job_, score) <= limit;
  }

 private:
  // Sum of fresh_ over all threads. The counters of the levels rotate.
  __device__ unsigned sum_over_threads(unsigned level) {
    const unsigned own = __reduce_add_sync(~0u, fresh_);
    if constexpr (kThreads == kWarp) return own;
    if (thread_of_warp() == 0) atomicAdd(&counters_[level % 3], own);
    __syncthreads();
    const unsigned sum = counters_[level % 3];
    if (threadIdx.x == 0) counters_[(level + 2) % 3] = 0;  // of the level before
    return sum;
  }

  __device__ void set(unsigned bitset, unsigned bit) {
    const unsigned mask = 1u << bit % 32;
    if ((atomicOr(&next_[bitset * layout_.words + bit / 32], mask) & mask) == 0) ++fresh_;
  }

  __device__ void first_level() {
    for (unsigned i = ThreadGroup::rank(); i < layout_.bitsets * layout_.words; i += kThreads)
      next_[i] = 0;
    if (ThreadGroup::rank() < 3 && kThreads != kWarp) counters_[ThreadGroup::rank()] = 0;
    ThreadGroup::sync();
    for (unsigned a = ThreadGroup::rank(); a < job_.size; a += kThreads)
      set(kPlain ? a : a * job_.size + a, kPlain ? a : 0);
    fresh_ = 0;  // vertices at distance 0 are not counted
    ThreadGroup::sync();
    for (unsigned p = ThreadGroup::rank(); p < job_.ports; p += kThreads) {
      const Port port = ports_[p];
      const unsigned a = p / job_.degree;
      if (port.mate == kFree) continue;
      if constexpr (kPlain)
        set(port.to, a);
      else
        set(a * job_.size + port.to, port.shift);
    }
    ThreadGroup::sync();
  }

  // Walks of two or three steps from every source, one by one. Their ends are at most that far
  // away, and nearer ones are set already.
  __device__ void walk(unsigned length, unsigned shorter) {
    fresh_ = 0;
    for (unsigned i = ThreadGroup::rank(); i < job_.size * shorter;
         i += kThreads) {  // walks without their last step
      const unsigned a = i / shorter;
      unsigned rest = i % shorter, shift = 0, at = a;
      bool exists = true;
      for (unsigned k = 1; k < length; ++k, rest /= job_.degree)
        at = step_from<true>(job_, ports_, at, rest % job_.degree, shift, exists);
      for (unsigned k = 0; exists && k < job_.degree; ++k) {
        unsigned end = shift;
        bool last_exists = true;
        const unsigned target = step_from<true>(job_, ports_, at, k, end, last_exists);
        if (last_exists) set(a * job_.size + target, end);
      }
    }
    ThreadGroup::sync();
  }

  // Writes every bitset twice in a row, so that a rotation is one funnel shift per word. In a graph
  // without symmetry it only copies the bitsets, to the same place.
  __device__ void extend() {
    const unsigned words = kPlain ? layout_.words : layout_.extended,
                   step_bitsets = kThreads / words, step = kThreads % words;
    unsigned bitset = ThreadGroup::rank() / words, w = ThreadGroup::rank() % words;
    while (bitset < layout_.bitsets) {
      const unsigned* const from = next_ + bitset * layout_.words;
      unsigned value;
      if constexpr (kPlain) {
        value = from[w];
      } else {
        unsigned bit = w * 32;
        if (bit >= job_.shifts) bit -= job_.shifts;
        if (bit >= job_.shifts) bit -= job_.shifts;
        const unsigned at = bit / 32;
        value = __funnelshift_r(from[at], at + 1 < layout_.words ? from[at + 1] : 0, bit);
        if (bit + 32 > job_.shifts) value |= from[0] << (job_.shifts - bit);
      }
      seen_[bitset * words + w] = value;
      bitset += step_bitsets, w += step;
      if (w >= words) w -= words, ++bitset;
    }
    ThreadGroup::sync();
  }

  __device__ void next_level() {
    const unsigned words = layout_.words, step_bitsets = kThreads / words, step = kThreads % words;
    const unsigned last = layout_.bits % 32 == 0 ? ~0u : (1u << layout_.bits % 32) - 1;
    fresh_ = 0;
    unsigned bitset = ThreadGroup::rank() / words, w = ThreadGroup::rank() % words;
    while (bitset < layout_.bitsets) {
      const unsigned own = next_[bitset * words + w], all = w + 1 == words ? last : ~0u;
      if (own != all) {
        const unsigned residue = kPlain ? bitset : bitset % job_.size, first = bitset - residue;
        const Port* const ports = ports_ + residue * job_.degree;
        unsigned sum = own;
#pragma unroll 4
        for (unsigned k = 0; k < job_.degree; ++k) {
          const Port port = ports[k];
          if (port.mate == kFree) continue;
          if constexpr (kPlain) {
            sum |= seen_[port.to * words + w];
          } else {
            const unsigned* const from =
                seen_ + (first + port.to) * layout_.extended + port.shift / 32 + w;
            sum |= __funnelshift_r(from[0], from[1], port.shift);
          }
        }
        sum &= all;
        fresh_ += __popc(sum ^ own);
        next_[bitset * words + w] = sum;
      }
      bitset += step_bitsets, w += step;
      if (w >= words) w -= words, ++bitset;
    }
    ThreadGroup::sync();
  }

  const WalkJob& job_;
  const Layout layout_;
  unsigned *next_, *seen_;  // bitsets; extended bitsets
  Port* ports_;
  unsigned* counters_;
  unsigned fresh_ = 0;
};

template <unsigned kThreads>
constexpr unsigned kChainsOfBlock = kThreads == kWarp ? 4 : 1;

// `teams` blocks for each chain; one team if a chain has a warp.
template <unsigned kThreads, bool kPlain>
__global__ void __launch_bounds__(kThreads* kChainsOfBlock<kThreads>, kThreads == 512 ? 3 : 8)
    chains_kernel(const __grid_constant__ WalkJob job, unsigned chain_words, TeamVote* votes,
                  unsigned teams) {
  using ThreadGroup = Threads<kThreads>;
  extern __shared__ unsigned memory[];
  constexpr bool kWarps = kThreads == kWarp;
  __shared__ unsigned counters[3];
  __shared__ Walk walks[kChainsOfBlock<kThreads>];
  const unsigned chain_in_block = kWarps ? threadIdx.x / kWarp : 0,
                 chain = kWarps ? blockIdx.x * kChainsOfBlock<kThreads> + chain_in_block
                                : blockIdx.x / teams,
                 team = kWarps ? 0 : blockIdx.x % teams;
  if (chain >= job.chains) return;  // whole warps, or whole blocks
  unsigned* const chain_memory = memory + chain_in_block * chain_words;
  Port* const ports = reinterpret_cast<Port*>(chain_memory);
  Port* const global = job.now + static_cast<std::size_t>(chain) * job.ports;
  Port* const best = job.best + static_cast<std::size_t>(chain) * job.ports;
  for (unsigned p = ThreadGroup::rank(); p < job.ports; p += kThreads) ports[p] = global[p];
  Walker<kThreads, kPlain> walker(job, layout_of(job.size, job.shifts),
                                  chain_memory + job.ports * (sizeof(Port) / 4), ports, counters);
  Walk& walk = walks[chain_in_block];
  if (ThreadGroup::rank() == 0) walk.begin(job, job.states[chain]);
  ThreadGroup::sync();
  if (job.steps == 0) {
    WalkScore score;
    walker.evaluate(~0ull, score);
    if (ThreadGroup::rank() == 0) walk.state.score = walk.state.best = score;
  }
  std::conditional_t<kWarps, SingleTeam, TeamMember> voter = [&] {
    if constexpr (kWarps)
      return SingleTeam();
    else
      return TeamMember(votes + chain, teams, team, teams, true);
  }();
  take_steps<ThreadGroup>(
      job, walk, ports, team == 0 ? best : nullptr, voter,
      [&](unsigned long long limit, WalkScore& score) { return walker.evaluate(limit, score); });
  if (team != 0) return;
  for (unsigned p = ThreadGroup::rank(); p < job.ports; p += kThreads) global[p] = ports[p];
  if (ThreadGroup::rank() == 0) job.states[chain] = walk.state;
}

std::size_t words_of(const WalkJob& job) {
  return layout_of(job.size, job.shifts).total() +
         (job.shifts == 1 ? std::size_t{job.size} * ((job.size + 31) / 32) : 0) +
         job.ports * (sizeof(Port) / 4);
}

// A launch with kThreads threads for each chain.
template <unsigned kThreads>
struct Launch {
  static constexpr unsigned kChains = kChainsOfBlock<kThreads>;
  explicit Launch(const WalkJob& job)
      : words((words_of(job) + 3) / 4 * 4),
        bytes(words * 4 * kChains),
        kernel(job.shifts == 1 ? chains_kernel<kThreads, true> : chains_kernel<kThreads, false>) {}
  std::size_t blocks_at_once(const Context& context) const {
    int each = 0;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "asking for shared memory");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kThreads * kChains, bytes),
          "asking how many blocks fit");
    return static_cast<std::size_t>(std::max(each, 1)) *
           static_cast<std::size_t>(context.multiprocessors());
  }
  // One long walk gets farther than many short ones, so blocks are given to few chains.
  std::size_t chains_at_once(const Context& context) const {
    return kThreads == kWarp ? blocks_at_once(context) * kChains
                             : std::max<std::size_t>(1, blocks_at_once(context) / kMostTeams);
  }
  // Teams wait for each other, so all of them must be resident.
  unsigned teams(const Context& context, const WalkJob& job) const {
    const unsigned long long most =
        kThreads == kWarp ? 1 : std::min<unsigned long long>(kMostTeams, job.steps);
    return static_cast<unsigned>(
        std::max(1ull, std::min<unsigned long long>(most, blocks_at_once(context) / job.chains)));
  }
  void run(const Context& context, WalkJob job, TeamVote* votes) const {
    unsigned team_count = teams(context, job), each = static_cast<unsigned>(words);
    context.fill_bytes(votes, 0, team_count > 1 ? job.chains : 0);
    const dim3 blocks((job.chains + kChains - 1) / kChains * team_count),
        threads(kThreads * kChains);
    void* arguments[] = {&job, &each, &votes, &team_count};
    check(team_count > 1
              ? cudaLaunchCooperativeKernel(kernel, blocks, threads, arguments, bytes,
                                            context.stream())
              : cudaLaunchKernel(kernel, blocks, threads, arguments, bytes, context.stream()),
          "launching a kernel");
  }
  std::size_t words, bytes;  // of a chain; of a block
  void (*kernel)(WalkJob, unsigned, TeamVote*, unsigned);
};

// Calls action with a launch of as many threads as the words of a chain keep busy.
template <class Action>
auto with_launch(const WalkJob& job, Action action) {
  const Layout layout = layout_of(job.size, job.shifts);
  const unsigned words = layout.bitsets * layout.words;
  return words <= 256    ? action(Launch<32>(job))
         : words <= 2048 ? action(Launch<128>(job))
                         : action(Launch<512>(job));
}

}  // namespace

bool fits_shared(const Context& context, const WalkJob& job) {
  constexpr std::size_t kMore = 1024;  // bytes, for the walks of a block
  const bool rotates = job.factor_count == 1 && (job.shifts == 1 || job.shifts >= 32);
  return rotates && with_launch(job, [](const auto& launch) { return launch.bytes; }) + kMore <=
                        context.shared_bytes();
}

std::size_t chains_at_once(const Context& context, const WalkJob& job) {
  return with_launch(job, [&](const auto& launch) { return launch.chains_at_once(context); });
}

void walk_in_shared(const Context& context, const WalkJob& job, TeamVote* votes) {
  with_launch(job, [&](const auto& launch) { launch.run(context, job, votes); });
}

}  // namespace antipode::cuda
