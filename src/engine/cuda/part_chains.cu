// Many chains at once, each in the shared memory of a warp or a block: for every source and residue a bitset over the shifts, in which a
// neighbour is a rotation; or, in a graph without symmetry, a bitset over the sources for every vertex.
#include <algorithm>

#include "engine/cuda/part_engine.hpp"

namespace antipode::cuda {

namespace {

// How a chain lies in shared memory, in 32-bit words.
struct Layout {
  unsigned rows, words, extended;            // bitsets, words of one, and of one kept twice
  unsigned bits;                             // of a bitset
  unsigned total() const { return rows * (words + extended); }
};

__host__ __device__ Layout layout_of(unsigned size, unsigned shifts) {
  if (shifts == 1) return {size, (size + 31) / 32, 0, size};
  return {size * size, (shifts + 31) / 32, (2 * shifts + 31) / 32 + 1, shifts};
}

template <unsigned kThreads>
struct Team {
  __device__ static unsigned rank() { return kThreads == kWarp ? lane() : threadIdx.x; }
  __device__ static void sync() {
    if constexpr (kThreads == kWarp) __syncwarp();
    else __syncthreads();
  }
};

// One chain, as its threads see it.
template <unsigned kThreads, bool kPlain>
class Walker {
  using Us = Team<kThreads>;

 public:
  __device__ Walker(const WalkJob& job, const Layout& layout, unsigned* memory, Port* ports, unsigned* counters)
      : job_(job), layout_(layout), next_(memory), seen_(memory + layout.rows * layout.words), ports_(ports), counters_(counters) {}

  // False if the energy exceeds the limit.
  __device__ bool evaluate(unsigned long long limit, WalkScore& score) {
    score = {static_cast<unsigned long long>(job_.size) * (job_.order - 1), 0, 0, 0};
    first_level();
    unsigned walks = job_.degree;            // of the next level's length, from one source
    for (unsigned level = 1;; ++level) {
      const unsigned fresh = added(level);
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
  // fresh_ of all threads; the counters of the levels rotate.
  __device__ unsigned added(unsigned level) {
    const unsigned mine = __reduce_add_sync(~0u, fresh_);
    if constexpr (kThreads == kWarp) return mine;
    if (lane() == 0) atomicAdd(&counters_[level % 3], mine);
    __syncthreads();
    const unsigned sum = counters_[level % 3];
    if (threadIdx.x == 0) counters_[(level + 2) % 3] = 0;  // of the level before
    return sum;
  }

  __device__ void set(unsigned row, unsigned bit) {
    const unsigned mask = 1u << bit % 32;
    if ((atomicOr(&next_[row * layout_.words + bit / 32], mask) & mask) == 0) ++fresh_;
  }

  __device__ void first_level() {
    for (unsigned i = Us::rank(); i < layout_.rows * layout_.words; i += kThreads) next_[i] = 0;
    if (Us::rank() < 3 && kThreads != kWarp) counters_[Us::rank()] = 0;
    Us::sync();
    for (unsigned a = Us::rank(); a < job_.size; a += kThreads) set(kPlain ? a : a * job_.size + a, kPlain ? a : 0);
    fresh_ = 0;                              // nobody is at distance 0 from another
    Us::sync();
    for (unsigned p = Us::rank(); p < job_.ports; p += kThreads) {
      const Port port = ports_[p];
      const unsigned a = p / job_.degree;
      if (port.mate == kFree) continue;
      if constexpr (kPlain) set(port.to, a);
      else set(a * job_.size + port.to, port.shift);
    }
    Us::sync();
  }

  // Walks of two or three steps from every source, one by one: all their ends are at most so far, and those nearer are set already.
  __device__ void walk(unsigned length, unsigned shorter) {
    fresh_ = 0;
    for (unsigned i = Us::rank(); i < job_.size * shorter; i += kThreads) {  // walks but for their last step
      const unsigned a = i / shorter;
      unsigned rest = i % shorter, shift = 0, at = a;
      bool goes = true;
      for (unsigned k = 1; k < length; ++k, rest /= job_.degree) at = step_from(job_, ports_, at, rest % job_.degree, shift, goes);
      for (unsigned k = 0; goes && k < job_.degree; ++k) {
        unsigned end = shift;
        bool ends = true;
        const unsigned there = step_from(job_, ports_, at, k, end, ends);
        if (ends) set(a * job_.size + there, end);
      }
    }
    Us::sync();
  }

  // Every row twice, one after the other; in a graph without symmetry only a copy is made, in the place of the extended rows.
  __device__ void extend() {
    const unsigned words = kPlain ? layout_.words : layout_.extended, step_rows = kThreads / words, step = kThreads % words;
    unsigned row = Us::rank() / words, w = Us::rank() % words;
    while (row < layout_.rows) {
      const unsigned* const from = next_ + row * layout_.words;
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
      seen_[row * words + w] = value;
      row += step_rows, w += step;
      if (w >= words) w -= words, ++row;
    }
    Us::sync();
  }

  __device__ void next_level() {
    const unsigned words = layout_.words, step_rows = kThreads / words, step = kThreads % words;
    const unsigned last = layout_.bits % 32 == 0 ? ~0u : (1u << layout_.bits % 32) - 1;
    fresh_ = 0;
    unsigned row = Us::rank() / words, w = Us::rank() % words;
    while (row < layout_.rows) {
      const unsigned own = next_[row * words + w], all = w + 1 == words ? last : ~0u;
      if (own != all) {
        const unsigned residue = kPlain ? row : row % job_.size, first = row - residue;
        const Port* const ports = ports_ + residue * job_.degree;
        unsigned sum = own;
#pragma unroll 4
        for (unsigned k = 0; k < job_.degree; ++k) {
          const Port port = ports[k];
          if (port.mate == kFree) continue;
          if constexpr (kPlain) {
            sum |= seen_[port.to * words + w];
          } else {
            const unsigned* const from = seen_ + (first + port.to) * layout_.extended + port.shift / 32 + w;
            sum |= __funnelshift_r(from[0], from[1], port.shift);
          }
        }
        sum &= all;
        fresh_ += __popc(sum ^ own);
        next_[row * words + w] = sum;
      }
      row += step_rows, w += step;
      if (w >= words) w -= words, ++row;
    }
    Us::sync();
  }

  const WalkJob& job_;
  const Layout layout_;
  unsigned *next_, *seen_;                   // rows, and rows kept twice
  Port* ports_;
  unsigned* counters_;
  unsigned fresh_ = 0;
};

template <unsigned kThreads, bool kPlain>
__global__ void __launch_bounds__(kThreads == kWarp ? 128 : kThreads) chains_kernel(const __grid_constant__ WalkJob job, unsigned words_of_chain) {
  using Us = Team<kThreads>;
  extern __shared__ unsigned memory[];
  constexpr unsigned kTogether = kThreads == kWarp ? 4 : 1;
  __shared__ unsigned counters[3];
  const unsigned mine = kThreads == kWarp ? threadIdx.x / kWarp : 0, chain = blockIdx.x * kTogether + mine;
  if (chain >= job.chains) return;           // whole warps, or whole blocks
  unsigned* const here = memory + mine * words_of_chain;
  Port* const ports = reinterpret_cast<Port*>(here);
  Port* const global = job.now + static_cast<std::size_t>(chain) * job.ports;
  for (unsigned p = Us::rank(); p < job.ports; p += kThreads) ports[p] = global[p];
  Us::sync();
  Walker<kThreads, kPlain> walker(job, layout_of(job.size, job.shifts), here + job.ports * (sizeof(Port) / 4), ports, counters);
  WalkState state = job.states[chain];
  if (job.steps == 0) {
    walker.evaluate(~0ull, state.score);
    state.best = state.score;
  }
  for (unsigned long long step = 0; step < job.steps; ++step) {
    WalkRandom random(state.seed, state.step);
    const unsigned long long limit = limit_of(job, state, random);
    ++state.step;
    const WalkMove move = proposed(job, ports, random);
    if (move.count == 0) continue;
    Port old[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (k < move.count) old[k] = ports[move.where[k]];
    Us::sync();
    if (Us::rank() == 0)
      for (unsigned k = 0; k < move.count; ++k) ports[move.where[k]] = move.ports[k];
    Us::sync();
    WalkScore score;
    const bool taken = walker.evaluate(limit, score);
    Us::sync();
    if (!taken) {
      if (Us::rank() == 0)
        for (unsigned k = 0; k < move.count; ++k) ports[move.where[k]] = old[k];
      Us::sync();
      continue;
    }
    state.score = score;
    ++state.accepted;
    if (score < state.best) {
      state.best = score;
      Port* const best = job.best + static_cast<std::size_t>(chain) * job.ports;
      for (unsigned p = Us::rank(); p < job.ports; p += kThreads) best[p] = ports[p];
    }
  }
  for (unsigned p = Us::rank(); p < job.ports; p += kThreads) global[p] = ports[p];
  if (Us::rank() == 0) job.states[chain] = state;
}

constexpr std::size_t kSharedBytes = 227 << 10;

std::size_t words_of(const WalkJob& job) { return layout_of(job.size, job.shifts).total() + (job.shifts == 1 ? std::size_t{job.size} * ((job.size + 31) / 32) : 0) + job.ports * (sizeof(Port) / 4); }

template <unsigned kThreads>
void launch(const Context& context, const WalkJob& job) {
  const unsigned together = kThreads == kWarp ? 4 : 1, threads = kThreads * together;
  const std::size_t words = (words_of(job) + 3) / 4 * 4, bytes = words * 4 * together;
  const auto kernel = job.shifts == 1 ? chains_kernel<kThreads, true> : chains_kernel<kThreads, false>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)), "asking for shared memory");
  kernel<<<(job.chains + together - 1) / together, threads, bytes, context.stream()>>>(job, static_cast<unsigned>(words));
  check(cudaGetLastError(), "launching a kernel");
}

// Threads for a chain: as many as its words keep busy.
unsigned threads_for(const WalkJob& job) {
  const Layout layout = layout_of(job.size, job.shifts);
  const unsigned words = layout.rows * layout.words;
  return words <= 256 ? 32 : words <= 2048 ? 128 : 512;
}

}  // namespace

bool fits_shared(const WalkJob& job) { return (job.shifts == 1 || job.shifts >= 32) && words_of(job) * 4 + 64 <= kSharedBytes; }

std::size_t chains_at_once(const WalkJob& job, int multiprocessors) {
  const unsigned threads = threads_for(job);
  const std::size_t by_memory = kSharedBytes / (words_of(job) * 4 + 1024 / (threads == 32 ? 4 : 1)), by_threads = 2048 / threads;
  const std::size_t each = std::max<std::size_t>(1, std::min(by_memory, by_threads));
  return (threads == 32 ? std::max<std::size_t>(4, each / 4 * 4) : each) * static_cast<std::size_t>(multiprocessors);
}

void walk_in_shared(const Context& context, const WalkJob& job) {
  switch (threads_for(job)) {
    case 32: launch<32>(context, job); break;
    case 128: launch<128>(context, job); break;
    default: launch<512>(context, job); break;
  }
}

}  // namespace antipode::cuda
