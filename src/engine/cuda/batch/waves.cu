#include "engine/cuda/batch/waves.hpp"

#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/search/grid/search_level.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kThreads = 1024;

struct Wave {
  GraphView graph;
  Distance* values;
  std::uint64_t* queue;
  WaveControl* control;
  const host::WaveStart* starts;  // by level, in the order in which levels come
  unsigned start_count;
  Distance limit;
  std::uint64_t most_rounds;  // a wave that runs longer would be a bug; it ends instead of hanging
};

// A vertex joins the wave at a level if that improves its value.
template <bool kRising>
struct Improving {
  GraphView graph;
  Distance* values;
  __device__ bool is_open(Vertex u, Distance level) const {
    return kRising ? values[u] > level : values[u] < level;
  }
  __device__ Vertex tried_before(Vertex) const { return kNoVertex; }
  __device__ Distance claim(Vertex u, Distance level) const {
    return kRising ? atomicMin(&values[u], level) : atomicMax(&values[u], level);
  }
  __device__ bool succeeded(Distance before, Vertex, Distance level) const {
    return kRising ? before > level : before < level;
  }
  __device__ void enter(Vertex, Distance) const {}
};

// Level after level: the warps share the entries of this level and append those of the next one
// behind them.
template <bool kRising>
__global__ void __launch_bounds__(kThreads, 1) wave_kernel(Wave wave) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned warp = static_cast<unsigned>(grid.thread_rank() / kWarp),
                 warps = static_cast<unsigned>(grid.size() / kWarp);
  const Improving<kRising> claims{wave.graph, wave.values};
  __shared__ unsigned long long found;  // one thread of the block asks for all: thousands of warps
                                        // would wait for the same memory
  Distance level = wave.starts[0].level;
  unsigned next_start = 0;
  std::uint64_t base = 0, count = 0;
  // The first round only lets the first sources in.
  for (std::uint64_t round = 0; round <= wave.most_rounds; ++round) {
    const unsigned slot = round % 3;
    if (grid.thread_rank() == 0) wave.control->entries[(round + 1) % 3] = 0;
    const Distance next = round == 0 ? level : kRising ? level + 1 : level - 1;
    const GridQueue queue{wave.queue + base, wave.queue + base + count, count,
                          &wave.control->entries[slot]};
    LevelCount uncounted;
    const unsigned first_start = next_start;
    while (next_start < wave.start_count && wave.starts[next_start].level == next) ++next_start;
    for (unsigned begin = first_start + warp * kWarp; begin < next_start; begin += warps * kWarp) {
      const Vertex source[1] = {begin + lane() < next_start ? wave.starts[begin + lane()].source
                                                            : kNoVertex};
      offer(claims, next, source, queue, uncounted);
    }
    push<2>(claims, next, queue, warp, warps, uncounted);
    grid.sync();
    base += count;
    if (threadIdx.x == 0) found = fresh(&wave.control->entries[slot]);
    __syncthreads();
    count = found;
    level = next;
    if ((count == 0 && next_start == wave.start_count) || level == wave.limit) return;
    if (count == 0)
      level = kRising
                  ? wave.starts[next_start].level - 1
                  : wave.starts[next_start].level + 1;  // nothing happens before the next source
  }
}

}  // namespace

Waves::Waves(const Context& context, const GraphView& graph, std::uint64_t* queue)
    : context_(context), graph_(graph), queue_(queue), control_(1) {}

template <bool kRising>
void Waves::run(const std::vector<host::WaveStart>& starts, Distance limit, Distance* values) {
  context_.make_room(starts_, starts.size());
  context_.upload(starts_.data(), std::span<const host::WaveStart>(starts));
  context_.fill_bytes(control_.data(), 0, 1);
  const Wave wave{graph_,         values,
                  queue_,         control_.data(),
                  starts_.data(), static_cast<unsigned>(starts.size()),
                  limit,          std::uint64_t{graph_.order} + starts.size() + 2};
  context_.launch_cooperative(wave_kernel<kRising>, kThreads, 0, wave);
}

void Waves::distances_to_nearest(std::span<const Vertex> sources, Distance limit, Distance* row) {
  context_.fill_bytes(row, 0xFF, graph_.order);
  std::vector<host::WaveStart> starts;
  for (const Vertex source : sources) starts.push_back({source, 0});
  run<true>(starts, limit, row);
}

void Waves::offset_search(std::vector<host::WaveStart> starts, Distance limit, Distance* values) {
  std::erase_if(starts, [limit](const host::WaveStart& start) { return start.level > limit; });
  if (starts.empty()) return;
  std::sort(starts.begin(), starts.end(),
            [](const host::WaveStart& a, const host::WaveStart& b) { return a.level < b.level; });
  run<true>(starts, limit, values);
}

void Waves::descending_offset_search(std::vector<host::WaveStart> starts, Distance* values) {
  std::erase_if(starts, [](const host::WaveStart& start) { return start.level == 0; });
  if (starts.empty()) return;
  std::sort(starts.begin(), starts.end(),
            [](const host::WaveStart& a, const host::WaveStart& b) { return a.level > b.level; });
  run<false>(starts, 0, values);
}

}  // namespace antipode::cuda
