#include "engine/cuda/traversal.hpp"

#include <cooperative_groups.h>

#include <algorithm>

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

// A queue entry is a stretch of a row: the vertex, and which stretch of at most so many arcs. A hub enters as many, and is shared out.
constexpr unsigned kStretch = 256;
constexpr unsigned kThreads = 512;
constexpr unsigned kWarp = 32;

__device__ std::uint64_t entry_of(Vertex v, std::uint64_t stretch) { return stretch << 32 | v; }

__device__ unsigned stretches_of(Vertex degree) { return degree == 0 ? 1 : (degree - 1) / kStretch + 1; }

__device__ unsigned lane() { return threadIdx.x % kWarp; }

__device__ unsigned inclusive_sum(unsigned value) {
  for (unsigned step = 1; step < kWarp; step *= 2) {
    const unsigned other = __shfl_up_sync(~0u, value, step);
    if (lane() >= step) value += other;
  }
  return value;
}

template <class T>
__device__ T fresh(const T* cell) { return *static_cast<const volatile T*>(cell); }

struct Wave {
  GraphView graph;
  Distance* values;
  std::uint64_t* queue;
  WaveControl* control;
  Vertex* level_sizes;                 // null: not counted
  const WaveStart* starts;             // by level, in the order in which levels come
  unsigned start_count;
  Distance limit;
  std::uint64_t most_rounds;           // a wave that runs longer would be a bug; it ends instead of hanging

  // Does the vertex join the wave at this level?
  template <bool kRising>
  __device__ bool joins(Vertex v, Distance level) const {
    if constexpr (kRising) return values[v] > level && atomicMin(&values[v], level) > level;
    return values[v] < level && atomicMax(&values[v], level) < level;
  }

  // The lanes of a warp append their vertices; all lanes must come.
  __device__ void append(bool mine, Vertex v, std::uint64_t base, unsigned slot, Vertex* size) const {
    const unsigned who = __ballot_sync(~0u, mine);
    if (who == 0) return;
    const unsigned count = mine ? stretches_of(graph.degree(v)) : 0;
    const unsigned last = inclusive_sum(count);
    unsigned long long at = 0;
    if (lane() == kWarp - 1) at = atomicAdd(reinterpret_cast<unsigned long long*>(&control->entries[slot]), static_cast<unsigned long long>(last));
    if (lane() == 0 && size != nullptr) atomicAdd(size, static_cast<Vertex>(__popc(who)));
    at = __shfl_sync(~0u, at, kWarp - 1) + last - count;
    for (unsigned i = 0; i < count; ++i) queue[base + at + i] = entry_of(v, i);
  }
};

// Level after level: the warps share the entries of this level and append those of the next one behind them.
template <bool kRising>
__global__ void __launch_bounds__(kThreads, 1) wave_kernel(Wave wave) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned warp = (blockIdx.x * kThreads + threadIdx.x) / kWarp, warps = gridDim.x * kThreads / kWarp;
  Distance level = wave.starts[0].level;
  unsigned next_start = 0;
  std::uint64_t base = 0, count = 0;
  std::uint64_t round = 0;
  // The first pass only lets the first sources in.
  for (; round <= wave.most_rounds; ++round) {
    const unsigned slot = round % 3;
    Vertex* size = wave.level_sizes == nullptr ? nullptr : wave.level_sizes + round;
    if (grid.thread_rank() == 0) {
      wave.control->entries[(round + 1) % 3] = 0;
      if (wave.level_sizes != nullptr) wave.level_sizes[round + 1] = 0;
    }
    const Distance next = round == 0 ? level : kRising ? level + 1 : level - 1;
    for (; next_start < wave.start_count && wave.starts[next_start].level == next; ++next_start) {
      if (warp != 0) continue;
      const Vertex v = wave.starts[next_start].source;
      wave.append(lane() == 0 && wave.joins<kRising>(v, next), v, base + count, slot, size);
    }
    for (std::uint64_t i = warp; i < count; i += warps) {
      const std::uint64_t entry = wave.queue[base + i];
      const Vertex v = static_cast<Vertex>(entry), degree = wave.graph.degree(v);
      const Vertex first = static_cast<Vertex>(entry >> 32) * kStretch, end = min(first + kStretch, degree);
      const Vertex* row = wave.graph.targets + wave.graph.begin(v);
      for (Vertex k = first; k < end; k += kWarp) {
        const bool here = k + lane() < end;
        const Vertex u = here ? row[k + lane()] : 0;
        wave.append(here && wave.joins<kRising>(u, next), u, base + count, slot, size);
      }
    }
    grid.sync();
    base += count;
    count = fresh(&wave.control->entries[slot]);
    level = next;
    if (count == 0 && next_start == wave.start_count) break;
    if (level == wave.limit) break;
    if (count == 0) level = kRising ? wave.starts[next_start].level - 1 : wave.starts[next_start].level + 1;  // nothing happens before the next source
  }
  if (wave.level_sizes == nullptr) return;
  if (grid.thread_rank() == 0) wave.control->levels = static_cast<Vertex>(round);
  for (std::uint64_t i = grid.thread_rank(); i < base; i += grid.size()) {  // backwards through the last level
    const Vertex v = static_cast<Vertex>(wave.queue[base - 1 - i]);
    if (wave.values[v] + 1 != round) break;
    atomicMin(&wave.control->farthest, v);
  }
}

}  // namespace

Traversal::Traversal(const Context& context, const GraphView& graph)
    : context_(context), graph_(graph), queue_(graph.order + graph.arcs / kStretch + 2), level_sizes_(std::size_t{graph.order} + 3), control_(1) {}

std::uint64_t Traversal::bytes(const Graph& graph) { return 8 * (std::uint64_t{graph.order()} + graph.arcs() / kStretch + 2) + 4 * (std::uint64_t{graph.order()} + 3); }

template <bool kRising>
void Traversal::run(const std::vector<WaveStart>& starts, Distance limit, Distance* values, bool counting) {
  if (starts_.size() < starts.size()) starts_ = Buffer<WaveStart>(starts.size());
  context_.upload(starts_.data(), std::span<const WaveStart>(starts));
  const WaveControl clear{{0, 0, 0}, 0, kNoVertex};
  context_.upload(control_.data(), std::span<const WaveControl>(&clear, 1));
  if (counting) context_.fill_bytes(level_sizes_.data(), 0, 1);
  const Wave wave{graph_, values, queue_.data(), control_.data(), counting ? level_sizes_.data() : nullptr, starts_.data(), static_cast<unsigned>(starts.size()), limit,
                  std::uint64_t{graph_.order} + starts.size() + 2};
  context_.launch_together(wave_kernel<kRising>, kThreads, wave);
}

Search Traversal::search(Vertex source, Distance* row) {
  context_.fill_bytes(row, 0xFF, graph_.order);
  run<true>({{source, 0}}, kUnreached - 1, row, true);
  const WaveControl control = context_.value(control_.data());
  Search result;
  result.source = source;
  result.level_sizes.resize(control.levels);
  context_.download(std::span<Vertex>(result.level_sizes), level_sizes_.data());
  result.eccentricity = control.levels - 1;
  result.farthest = control.farthest;
  for (std::size_t level = 0; level < result.level_sizes.size(); ++level) {
    result.reached += result.level_sizes[level];
    result.distance_sum += level * result.level_sizes[level];
  }
  return result;
}

void Traversal::distances_to_nearest(std::span<const Vertex> sources, Distance limit, Distance* row) {
  context_.fill_bytes(row, 0xFF, graph_.order);
  std::vector<WaveStart> starts;
  for (const Vertex source : sources) starts.push_back({source, 0});
  run<true>(starts, limit, row, false);
  context_.finish();
}

void Traversal::offset_search(std::vector<WaveStart> starts, Distance limit, Distance* values) {
  std::erase_if(starts, [limit](const WaveStart& start) { return start.level > limit; });
  if (starts.empty()) return;
  std::sort(starts.begin(), starts.end(), [](const WaveStart& a, const WaveStart& b) { return a.level < b.level; });
  run<true>(starts, limit, values, false);
  context_.finish();
}

void Traversal::descending_offset_search(std::vector<WaveStart> starts, Distance* values) {
  std::erase_if(starts, [](const WaveStart& start) { return start.level == 0; });
  if (starts.empty()) return;
  std::sort(starts.begin(), starts.end(), [](const WaveStart& a, const WaveStart& b) { return a.level > b.level; });
  run<false>(starts, 0, values, false);
  context_.finish();
}

namespace {

// One warp walks back: its lanes look at 32 neighbours at a time for one that is a step nearer.
__global__ void path_kernel(GraphView graph, const Distance* row, Vertex to, Vertex* path) {
  Vertex at = to;
  for (Distance d = row[to];; --d) {
    if (lane() == 0) path[d] = at;
    if (d == 0) return;
    const Vertex* around = graph.targets + graph.begin(at);
    for (Vertex k = 0, degree = graph.degree(at); k < degree; k += kWarp) {
      const Vertex u = k + lane() < degree ? around[k + lane()] : at;
      const unsigned nearer = __ballot_sync(~0u, row[u] + 1 == d);
      if (nearer == 0) continue;
      at = __shfl_sync(~0u, u, __ffs(nearer) - 1);
      break;
    }
  }
}

}  // namespace

std::vector<Vertex> Traversal::path(const Distance* row, Vertex to) {
  const Distance distance = context_.value(row + to);
  if (distance == kUnreached) return {};
  if (path_.size() <= distance) path_ = Buffer<Vertex>(std::size_t{distance} + 1);
  path_kernel<<<1, kWarp, 0, context_.stream()>>>(graph_, row, to, path_.data());
  check(cudaGetLastError(), "launching a kernel");
  std::vector<Vertex> result(std::size_t{distance} + 1);
  context_.download(std::span<Vertex>(result), path_.data());
  return result;
}

}  // namespace antipode::cuda
