#include "engine/cuda/lanes.hpp"

#include <cooperative_groups.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/cuda/block_search.hpp"
#include "engine/cuda/flags.hpp"
#include "engine/cuda/lane_words.hpp"
#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

// Results, one for each lane, and what the blocks tell each other. Three slots rotate: this level, the next, the one being cleared.
struct LaneControl {
  unsigned long long arrivals[3];          // new bits of the level
  unsigned long long at_candidates[3];     // those of them at candidates
  unsigned reached[3][Lanes::kMost / 32];  // lanes that reached a candidate in the level …
  unsigned outside[3][Lanes::kMost / 32];  // … or one outside the ball
  unsigned long long started;              // lanes whose source is a candidate
  Reach reaches[Lanes::kMost];
  unsigned long long counts[Lanes::kMost], sums[Lanes::kMost];
};

namespace {

constexpr unsigned kThreads = 1024;
constexpr Vertex kLongRow = 64;              // longer rows are gathered by a warp together …
constexpr Vertex kHugeRow = 2048;            // … and these by a block

struct Batch {
  GraphView graph;
  uint4 *seen, *next;
  LaneControl* control;
  ReachRequest request;
  const Vertex* sources;
  unsigned count;                            // of sources
  const Vertex* huge;                        // vertices with such rows
  Vertex huge_count;
};

// The words of kFlight neighbours, `step` apart from the i-th on; beyond the end the last one again, which does no harm. All are on
// their way before the first is looked at.
constexpr unsigned kFlight = 4;
template <unsigned kGroups>
__device__ uint4 words_from(const Batch& batch, const uint4* seen, EdgeOffset row, Vertex length, Vertex i, Vertex step, unsigned group) {
  uint4 word[kFlight];
#pragma unroll
  for (unsigned k = 0; k < kFlight; ++k) word[k] = seen[std::size_t{batch.graph.targets[row + min(i + k * step, length - 1)]} * kGroups + group];
  return (word[0] | word[1]) | (word[2] | word[3]);
}

// One vertex's word and its neighbours', by one thread for short rows and by the warp for long ones. All lanes of the warp must come.
template <unsigned kGroups>
__device__ uint4 gathered(const Batch& batch, const uint4* seen, Vertex v, unsigned group, Vertex degree, uint4 own, uint4 full) {
  const EdgeOffset begin = degree != 0 ? batch.graph.begin(v) : 0;
  uint4 sum = own;
  if (degree <= kLongRow)
    for (Vertex i = 0; i < degree && !(sum == full); i += kFlight) sum = sum | words_from<kGroups>(batch, seen, begin, degree, i, 1, group);
  const unsigned lane = cuda::lane();
  constexpr unsigned kSegment = (1u << kGroups) - 1;
  for (unsigned waiting = __ballot_sync(~0u, degree > kLongRow); waiting != 0;) {
    const unsigned first = __ffs(waiting) - 1, owner = first - first % kGroups;  // some groups of the vertex may be full already
    waiting &= ~(kSegment << owner);
    const EdgeOffset row = __shfl_sync(~0u, begin, first);
    const Vertex length = __shfl_sync(~0u, degree, first);
    const unsigned mine = owner + lane % kGroups;  // the thread that holds the group this lane gathers
    uint4 part = shuffled(sum, mine);
    const uint4 wanted = shuffled(full, mine);
    constexpr Vertex kStep = kWarp / kGroups;
    for (Vertex i = lane / kGroups; __any_sync(~0u, i < length && !(part == wanted)); i += kFlight * kStep)
      if (i < length) part = part | words_from<kGroups>(batch, seen, row, length, i, kStep, lane % kGroups);
    for (unsigned step = kGroups; step < kWarp; step *= 2) part = part | shuffled_xor(part, step);
    const uint4 result = shuffled(part, lane % kGroups);
    if (lane >= owner && lane < owner + kGroups) sum = result;
  }
  return sum;
}

__device__ void add_bits(unsigned* shared_word, unsigned bits) {
  if ((bits & ~*static_cast<volatile unsigned*>(shared_word)) != 0) atomicOr(shared_word, bits);
}

// Adds every set bit to its lane's counter.
__device__ void count_lanes(unsigned* counters, uint4 bits) {
  const unsigned words[4] = {bits.x, bits.y, bits.z, bits.w};
  for (unsigned w = 0; w < 4; ++w)
    for (unsigned left = words[w]; left != 0; left &= left - 1) atomicAdd(&counters[w * 32 + __ffs(left) - 1], 1u);
}

// What a block finds out in one level, beside the threads' own counts.
template <unsigned kGroups>
struct BlockAccount {
  unsigned reached[kGroups * 4], outside[kGroups * 4];
  unsigned long long arrivals, at_candidates;
};

// A vertex got new lanes: everybody is told.
template <unsigned kGroups, bool kSums>
__device__ void arrive(const Batch& batch, Vertex v, unsigned group, uint4 fresh, Distance level, BlockAccount<kGroups>& account, unsigned* counters, unsigned& arrivals, unsigned& at_candidates) {
  arrivals += count(fresh);
  const unsigned char flags = batch.request.flags == nullptr ? kCandidate | kOutside : batch.request.flags[v];
  if ((flags & kCandidate) != 0) {
    at_candidates += count(fresh);
    const unsigned words[4] = {fresh.x, fresh.y, fresh.z, fresh.w};
    for (unsigned w = 0; w < 4; ++w) {
      add_bits(&account.reached[group * 4 + w], words[w]);
      if ((flags & kOutside) != 0) add_bits(&account.outside[group * 4 + w], words[w]);
    }
  }
  if (batch.request.lower != nullptr && batch.request.lower[v] < level) atomicMax(&batch.request.lower[v], level);
  if (kSums) count_lanes(counters + group * 128, fresh);
}

// The words of a huge row, gathered by the whole block into shared memory.
template <unsigned kGroups>
__device__ void gather_huge(const Batch& batch, const uint4* seen, Vertex v, unsigned* words) {
  for (unsigned w = threadIdx.x; w < kGroups * 4; w += kThreads) words[w] = 0;
  __syncthreads();
  const EdgeOffset begin = batch.graph.begin(v);
  const unsigned group = threadIdx.x % kGroups;
  uint4 part{0, 0, 0, 0};
  constexpr Vertex kStep = kThreads / kGroups;
  for (Vertex i = threadIdx.x / kGroups, degree = batch.graph.degree(v); i < degree; i += kFlight * kStep) part = part | words_from<kGroups>(batch, seen, begin, degree, i, kStep, group);
  for (unsigned step = kGroups; step < kWarp; step *= 2) part = part | shuffled_xor(part, step);
  if (lane() < kGroups) {
    atomicOr(&words[group * 4], part.x);
    atomicOr(&words[group * 4 + 1], part.y);
    atomicOr(&words[group * 4 + 2], part.z);
    atomicOr(&words[group * 4 + 3], part.w);
  }
  __syncthreads();
}

template <unsigned kGroups, bool kSums>
__global__ void __launch_bounds__(kThreads, 1) batch_kernel(Batch batch) {
  __shared__ BlockAccount<kGroups> account;
  __shared__ unsigned counters[kSums ? kGroups * 128 : 1];
  __shared__ unsigned huge_words[kGroups * 4];
  const cg::grid_group grid = cg::this_grid();
  const std::size_t items = std::size_t{batch.graph.order} * kGroups, rounded = (items + kWarp - 1) / kWarp * kWarp;
  LaneControl& control = *batch.control;
  unsigned long long left = batch.request.candidates * batch.count;

  for (std::size_t i = grid.thread_rank(); i < batch.count; i += grid.size()) {
    const Vertex v = batch.sources[i];
    atomicOr(reinterpret_cast<unsigned*>(batch.seen + std::size_t{v} * kGroups) + i / 32, 1u << i % 32);
    if (batch.request.flags == nullptr || (batch.request.flags[v] & kCandidate) != 0) atomicAdd(&control.started, 1ull);
    control.counts[i] = 1;
  }
  grid.sync();
  left -= *static_cast<volatile unsigned long long*>(&control.started);

  uint4 *seen = batch.seen, *next = batch.next;
  for (Distance level = 1; left > 0 && level <= batch.graph.order; ++level) {
    const unsigned slot = level % 3, cleared = (level + 1) % 3;
    for (unsigned w = threadIdx.x; w < kGroups * 4; w += kThreads) account.reached[w] = account.outside[w] = 0;
    if (kSums)
      for (unsigned c = threadIdx.x; c < kGroups * 128; c += kThreads) counters[c] = 0;
    if (threadIdx.x == 0) account.arrivals = account.at_candidates = 0;
    if (blockIdx.x == 0) {
      if (threadIdx.x == 0) control.arrivals[cleared] = control.at_candidates[cleared] = 0;
      for (unsigned w = threadIdx.x; w < kGroups * 4; w += kThreads) control.reached[cleared][w] = control.outside[cleared][w] = 0;
    }
    __syncthreads();

    unsigned arrivals = 0, at_candidates = 0;
    for (std::size_t item = grid.thread_rank(); item < rounded; item += grid.size()) {
      const Vertex v = static_cast<Vertex>(item < items ? item / kGroups : 0);
      const unsigned group = item % kGroups;
      const uint4 full = full_word(batch.count, group), own = item < items ? seen[item] : full;
      const Vertex degree = own == full ? 0 : batch.graph.degree(v);
      const uint4 sum = gathered<kGroups>(batch, seen, v, group, degree <= kHugeRow ? degree : 0, own, full);
      if (item >= items || degree > kHugeRow) continue;  // huge rows come below
      next[item] = sum;
      if (const uint4 fresh = sum - own; any(fresh)) arrive<kGroups, kSums>(batch, v, group, fresh, level, account, counters, arrivals, at_candidates);
    }
    for (Vertex h = blockIdx.x; h < batch.huge_count; h += gridDim.x) {
      const Vertex v = batch.huge[h];
      gather_huge<kGroups>(batch, seen, v, huge_words);
      if (threadIdx.x < kGroups) {
        const unsigned group = threadIdx.x;
        const std::size_t item = std::size_t{v} * kGroups + group;
        const uint4 own = seen[item], sum = own | uint4{huge_words[group * 4], huge_words[group * 4 + 1], huge_words[group * 4 + 2], huge_words[group * 4 + 3]};
        next[item] = sum;
        if (const uint4 fresh = sum - own; any(fresh)) arrive<kGroups, kSums>(batch, v, group, fresh, level, account, counters, arrivals, at_candidates);
      }
      __syncthreads();
    }
    arrivals = __reduce_add_sync(~0u, arrivals);
    at_candidates = __reduce_add_sync(~0u, at_candidates);
    if (threadIdx.x % kWarp == 0 && arrivals != 0) {
      atomicAdd(&account.arrivals, static_cast<unsigned long long>(arrivals));
      atomicAdd(&account.at_candidates, static_cast<unsigned long long>(at_candidates));
    }
    __syncthreads();
    if (threadIdx.x == 0 && account.arrivals != 0) {
      atomicAdd(&control.arrivals[slot], account.arrivals);
      atomicAdd(&control.at_candidates[slot], account.at_candidates);
    }
    for (unsigned w = threadIdx.x; w < kGroups * 4; w += kThreads) {
      if (account.reached[w] != 0) atomicOr(&control.reached[slot][w], account.reached[w]);
      if (account.outside[w] != 0) atomicOr(&control.outside[slot][w], account.outside[w]);
    }
    if (kSums)
      for (unsigned c = threadIdx.x; c < kGroups * 128; c += kThreads)
        if (counters[c] != 0) {
          atomicAdd(&control.counts[c], static_cast<unsigned long long>(counters[c]));
          atomicAdd(&control.sums[c], static_cast<unsigned long long>(counters[c]) * level);
        }
    grid.sync();

    for (std::size_t i = grid.thread_rank(); i < batch.count; i += grid.size()) {
      if ((control.reached[slot][i / 32] >> i % 32 & 1) != 0) control.reaches[i].candidates = level;
      if ((control.outside[slot][i / 32] >> i % 32 & 1) != 0) control.reaches[i].outside = level;
    }
    if (*static_cast<volatile unsigned long long*>(&control.arrivals[slot]) == 0) break;
    left -= *static_cast<volatile unsigned long long*>(&control.at_candidates[slot]);
    uint4* const swapped = seen;
    seen = next;
    next = swapped;
  }
}

}  // namespace

Lanes::Lanes(const Context& context, const Graph& host_graph, const GraphView& graph, std::size_t most, std::optional<BlockSearches>& blocks, std::function<bool()> interrupted)
    : context_(context), host_graph_(host_graph), graph_(graph), most_(most), blocks_(blocks), interrupted_(std::move(interrupted)) {}

Lanes::~Lanes() = default;

void Lanes::list_huge_rows() {
  std::vector<Vertex> huge;
  for (Vertex v = 0; v < host_graph_.order(); ++v)
    if (host_graph_.degree(v) > kHugeRow) huge.push_back(v);
  huge_ = Buffer<Vertex>(huge.size());
  context_.upload(huge_.data(), std::span<const Vertex>(huge));
  context_.finish();
}

template <bool kSums>
void Lanes::run(std::span<const Vertex> sources, const ReachRequest& request) {
  if (interrupted_()) throw Interrupted();
  const std::size_t groups = sources.size() <= 128 ? 1 : sources.size() <= 256 ? 2 : sources.size() <= 512 ? 4 : 8;
  const std::size_t words = std::size_t{graph_.order} * groups;
  if (control_.size() == 0) {
    sources_ = Buffer<Vertex>(kMost);
    control_ = Buffer<LaneControl>(1);
    list_huge_rows();
  }
  if (words_.size() < 2 * words) {
    words_ = Buffer<uint4>();  // the old ones go first
    words_ = Buffer<uint4>(2 * words);
  }
  context_.upload(sources_.data(), sources);
  context_.fill_bytes(control_.data(), 0, 1);
  context_.fill_bytes(words_.data(), 0, words);
  const Batch batch{graph_, words_.data(), words_.data() + words, control_.data(), request, sources_.data(), static_cast<unsigned>(sources.size()), huge_.data(), static_cast<Vertex>(huge_.size())};
  switch (groups) {
    case 1: context_.launch_together(batch_kernel<1, kSums>, kThreads, batch); break;
    case 2: context_.launch_together(batch_kernel<2, kSums>, kThreads, batch); break;
    case 4: context_.launch_together(batch_kernel<4, kSums>, kThreads, batch); break;
    default: context_.launch_together(batch_kernel<8, kSums>, kThreads, batch); break;
  }
}

// Nothing where there are no block searches, or one of them outgrew its ring.
std::vector<BlockResult> Lanes::by_blocks(std::span<const Vertex> sources, const ReachRequest& request) {
  if (!blocks_) return {};
  if (interrupted_()) throw Interrupted();
  auto result = blocks_->reach(sources, request);
  if (std::any_of(result.begin(), result.end(), [](const BlockResult& each) { return each.overflow != 0; })) {
    blocks_.reset();
    result.clear();
  }
  return result;
}

std::vector<Reach> Lanes::reach(std::span<const Vertex> sources, const ReachRequest& request) {
  std::vector<Reach> result(sources.size());
  if (sources.empty()) return result;
  if (const auto found = by_blocks(sources, request); !found.empty()) {
    std::transform(found.begin(), found.end(), result.begin(), [](const BlockResult& each) { return each.reach; });
    return result;
  }
  run<false>(sources, request);
  context_.download(std::span<Reach>(result), control_.data()->reaches);
  return result;
}

std::vector<Summary> Lanes::summarize(std::span<const Vertex> sources) {
  std::vector<Summary> result;
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto part = sources.subspan(begin, std::min(most_, sources.size() - begin));
    if (const auto found = by_blocks(part, {nullptr, nullptr, graph_.order}); !found.empty()) {
      for (const BlockResult& each : found) result.push_back({each.eccentricity, each.reached, each.distance_sum});
      continue;
    }
    run<true>(part, {nullptr, nullptr, graph_.order});
    std::vector<Reach> reaches(part.size());
    std::vector<unsigned long long> counts(part.size()), sums(part.size());
    context_.download(std::span<Reach>(reaches), control_.data()->reaches);
    context_.download(std::span<unsigned long long>(counts), control_.data()->counts);
    context_.download(std::span<unsigned long long>(sums), control_.data()->sums);
    for (std::size_t i = 0; i < part.size(); ++i) result.push_back({reaches[i].candidates, static_cast<Vertex>(counts[i]), sums[i]});
  }
  return result;
}

}  // namespace antipode::cuda
