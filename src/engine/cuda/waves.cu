#include "engine/cuda/waves.hpp"

#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

// A queue entry is a stretch of a row: the vertex, and which stretch of at most so many arcs. A hub enters as many, and is shared out.
constexpr unsigned kStretch = Waves::kStretch;
constexpr unsigned kThreads = 512;

__device__ std::uint64_t entry_of(Vertex v, std::uint64_t stretch) { return stretch << 32 | v; }

__device__ unsigned stretches_of(Vertex degree) { return degree == 0 ? 1 : (degree - 1) / kStretch + 1; }

struct Wave {
  GraphView graph;
  Distance* values;
  std::uint64_t* queue;
  WaveControl* control;
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
  __device__ void append(bool mine, Vertex v, std::uint64_t base, unsigned slot) const {
    if (__ballot_sync(~0u, mine) == 0) return;
    const unsigned count = mine ? stretches_of(graph.degree(v)) : 0;
    const unsigned last = inclusive_sum(count);
    unsigned long long at = 0;
    if (lane() == kWarp - 1) at = atomicAdd(&control->entries[slot], static_cast<unsigned long long>(last));
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
  // The first round only lets the first sources in.
  for (std::uint64_t round = 0; round <= wave.most_rounds; ++round) {
    const unsigned slot = round % 3;
    if (grid.thread_rank() == 0) wave.control->entries[(round + 1) % 3] = 0;
    const Distance next = round == 0 ? level : kRising ? level + 1 : level - 1;
    for (; next_start < wave.start_count && wave.starts[next_start].level == next; ++next_start) {
      if (warp != 0) continue;
      const Vertex v = wave.starts[next_start].source;
      wave.append(lane() == 0 && wave.joins<kRising>(v, next), v, base + count, slot);
    }
    for (std::uint64_t i = warp; i < count; i += warps) {
      const std::uint64_t entry = wave.queue[base + i];
      const Vertex v = static_cast<Vertex>(entry), degree = wave.graph.degree(v);
      const Vertex first = static_cast<Vertex>(entry >> 32) * kStretch, end = min(first + kStretch, degree);
      const Vertex* row = wave.graph.targets + wave.graph.begin(v);
      for (Vertex k = first; k < end; k += kWarp) {
        const bool here = k + lane() < end;
        const Vertex u = here ? row[k + lane()] : 0;
        wave.append(here && wave.joins<kRising>(u, next), u, base + count, slot);
      }
    }
    grid.sync();
    base += count;
    count = fresh(&wave.control->entries[slot]);
    level = next;
    if ((count == 0 && next_start == wave.start_count) || level == wave.limit) return;
    if (count == 0) level = kRising ? wave.starts[next_start].level - 1 : wave.starts[next_start].level + 1;  // nothing happens before the next source
  }
}

}  // namespace

Waves::Waves(const Context& context, const GraphView& graph, std::uint64_t* queue) : context_(context), graph_(graph), queue_(queue), control_(1) {}

template <bool kRising>
void Waves::run(const std::vector<WaveStart>& starts, Distance limit, Distance* values) {
  if (starts_.size() < starts.size()) starts_ = Buffer<WaveStart>(starts.size());
  context_.upload(starts_.data(), std::span<const WaveStart>(starts));
  context_.fill_bytes(control_.data(), 0, 1);
  const Wave wave{graph_, values, queue_, control_.data(), starts_.data(), static_cast<unsigned>(starts.size()), limit, std::uint64_t{graph_.order} + starts.size() + 2};
  context_.launch_together(wave_kernel<kRising>, kThreads, wave);
  context_.finish();
}

void Waves::distances_to_nearest(std::span<const Vertex> sources, Distance limit, Distance* row) {
  context_.fill_bytes(row, 0xFF, graph_.order);
  std::vector<WaveStart> starts;
  for (const Vertex source : sources) starts.push_back({source, 0});
  run<true>(starts, limit, row);
}

void Waves::offset_search(std::vector<WaveStart> starts, Distance limit, Distance* values) {
  std::erase_if(starts, [limit](const WaveStart& start) { return start.level > limit; });
  if (starts.empty()) return;
  std::sort(starts.begin(), starts.end(), [](const WaveStart& a, const WaveStart& b) { return a.level < b.level; });
  run<true>(starts, limit, values);
}

void Waves::descending_offset_search(std::vector<WaveStart> starts, Distance* values) {
  std::erase_if(starts, [](const WaveStart& start) { return start.level == 0; });
  if (starts.empty()) return;
  std::sort(starts.begin(), starts.end(), [](const WaveStart& a, const WaveStart& b) { return a.level > b.level; });
  run<false>(starts, 0, values);
}

}  // namespace antipode::cuda
