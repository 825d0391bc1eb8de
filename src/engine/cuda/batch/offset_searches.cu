#include "engine/cuda/batch/offset_searches.hpp"

#include <cooperative_groups.h>

#include <algorithm>

#include "engine/cuda/search/grid/search_level.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kThreads = 1024;

struct OffsetJob {
  GraphView graph;
  Distance* values;
  std::uint64_t* queue;
  OffsetControl* control;
  const host::OffsetSource* starts;  // in the order of their levels
  unsigned start_count;
  Distance limit;
  std::uint64_t most_rounds;  // a guard: a wrong counter ends the search instead of hanging it
};

// Claims for `offer` and `push`: a vertex enters the frontier of a level if that improves its
// value.
template <bool kRising>
struct Improvement {
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

// Level by level: the warps share the queue entries of this level, and append those of the next one
// behind them. An atomic minimum (or maximum) on the value claims a vertex.
template <bool kRising>
__global__ void __launch_bounds__(kThreads, 1) offset_search_kernel(OffsetJob job) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned warp = static_cast<unsigned>(grid.thread_rank() / kWarp),
                 warps = static_cast<unsigned>(grid.size() / kWarp);
  const Improvement<kRising> claims{job.graph, job.values};
  __shared__ unsigned long long
      found;  // read by one thread per block: thousands of warps would wait for the same word
  Distance level = job.starts[0].level;
  unsigned next_start = 0;
  std::uint64_t base = 0, count = 0;
  // The first round only adds the first sources to the queue.
  for (std::uint64_t round = 0; round <= job.most_rounds; ++round) {
    const unsigned slot = round % 3;
    if (grid.thread_rank() == 0) job.control->entries[(round + 1) % 3] = 0;
    const Distance next = round == 0 ? level : kRising ? level + 1 : level - 1;
    const GridQueue queue{job.queue + base, job.queue + base + count, count,
                          &job.control->entries[slot]};
    LevelCount uncounted;
    const unsigned first_start = next_start;
    while (next_start < job.start_count && job.starts[next_start].level == next) ++next_start;
    for (unsigned begin = first_start + warp * kWarp; begin < next_start; begin += warps * kWarp) {
      const Vertex source[1] = {begin + thread_of_warp() < next_start
                                    ? job.starts[begin + thread_of_warp()].source
                                    : kNoVertex};
      offer(claims, next, source, queue, uncounted);
    }
    push<2>(claims, next, queue, warp, warps, uncounted);
    grid.sync();
    base += count;
    if (threadIdx.x == 0) found = fresh(&job.control->entries[slot]);
    __syncthreads();
    count = found;
    level = next;
    if ((count == 0 && next_start == job.start_count) || level == job.limit) return;
    if (count == 0)
      level = kRising
                  ? job.starts[next_start].level - 1
                  : job.starts[next_start].level + 1;  // skips the levels before the next source
  }
}

}  // namespace

OffsetSearches::OffsetSearches(const Context& context, const GraphView& graph, std::uint64_t* queue)
    : context_(context), graph_(graph), queue_(queue), control_(1) {}

template <bool kRising>
void OffsetSearches::run(const std::vector<host::OffsetSource>& starts, Distance limit,
                         Distance* values) {
  context_.make_room(starts_, starts.size());
  context_.upload(starts_.data(), std::span<const host::OffsetSource>(starts));
  context_.fill_bytes(control_.data(), 0, 1);
  const OffsetJob job{.graph = graph_,
                      .values = values,
                      .queue = queue_,
                      .control = control_.data(),
                      .starts = starts_.data(),
                      .start_count = static_cast<unsigned>(starts.size()),
                      .limit = limit,
                      .most_rounds = std::uint64_t{graph_.order} + starts.size() + 2};
  context_.launch_cooperative(offset_search_kernel<kRising>, kThreads, 0, job);
}

void OffsetSearches::distances_to_nearest(std::span<const Vertex> sources, Distance limit,
                                          Distance* distances) {
  context_.fill_bytes(distances, 0xFF, graph_.order);
  std::vector<host::OffsetSource> starts;
  for (const Vertex source : sources) starts.push_back({source, 0});
  run<true>(starts, limit, distances);
}

void OffsetSearches::offset_search(std::vector<host::OffsetSource> starts, Distance limit,
                                   Distance* values) {
  std::erase_if(starts, [limit](const host::OffsetSource& start) { return start.level > limit; });
  if (starts.empty()) return;
  std::sort(
      starts.begin(), starts.end(),
      [](const host::OffsetSource& a, const host::OffsetSource& b) { return a.level < b.level; });
  run<true>(starts, limit, values);
}

void OffsetSearches::descending_offset_search(std::vector<host::OffsetSource> starts,
                                              Distance* values) {
  std::erase_if(starts, [](const host::OffsetSource& start) { return start.level == 0; });
  if (starts.empty()) return;
  std::sort(
      starts.begin(), starts.end(),
      [](const host::OffsetSource& a, const host::OffsetSource& b) { return a.level > b.level; });
  run<false>(starts, 0, values);
}

}  // namespace antipode::cuda
