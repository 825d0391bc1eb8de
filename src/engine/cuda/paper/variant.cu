// The loop over levels that the six kernels share, and the times of single levels.
#include "engine/cuda/paper/variant.hpp"

#include <algorithm>

#include "antipode/error.hpp"

namespace antipode::cuda {

namespace {

using Make = std::unique_ptr<Variant> (*)(const Context&, const PaddedGraph&);
constexpr Make kMakers[] = {standard, pointers, busy_wait,
                            textures, warp,     hybrid};  // in the order of kVariants
static_assert(std::size(kMakers) == std::size(kVariants));

constexpr unsigned kSharedLevels = 4096;

// Counts the vertices at each distance and finds the first of the farthest. Few levels are counted
// in shared memory first.
__global__ void describe_kernel(Vertex order, const Distance* distances, Distance eccentricity,
                                Vertex* sizes, Vertex* farthest) {
  __shared__ Vertex local[kSharedLevels];
  const bool few = eccentricity < kSharedLevels;
  for (unsigned level = threadIdx.x; few && level <= eccentricity; level += blockDim.x)
    local[level] = 0;
  __syncthreads();
  for (std::size_t v = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; v < order;
       v += std::size_t{gridDim.x} * blockDim.x) {
    const Distance d = distances[v];
    if (d == kUnreached) continue;
    atomicAdd(few ? &local[d] : &sizes[d], 1u);
    if (d == eccentricity) atomicMin(farthest, static_cast<Vertex>(v));
  }
  __syncthreads();
  for (unsigned level = threadIdx.x; few && level <= eccentricity; level += blockDim.x)
    if (local[level] != 0) atomicAdd(&sizes[level], local[level]);
}

// Restores F to its state when `level` was the newest level.
void rewind(const Context& context, Vertex order, const Distance* distances, Distance level,
            Distance* F) {
  for_each(context, order, [=] __device__(std::size_t v) {
    F[v] = distances[v] > level ? kUnreached : distances[v];
  });
}

class Timer {
 public:
  Timer() {
    check(cudaEventCreate(&start_), "creating an event");
    check(cudaEventCreate(&stop_), "creating an event");
  }
  ~Timer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  template <class Work>
  double seconds(const Context& context, Work work) {
    check(cudaEventRecord(start_, context.stream()), "timing");
    work();
    check(cudaEventRecord(stop_, context.stream()), "timing");
    check(cudaEventSynchronize(stop_), "timing");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start_, stop_), "timing");
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

}  // namespace

VariantSearch::VariantSearch(const Context& context, const PaddedGraph& graph,
                             std::string_view name)
    : context_(context),
      order_(graph.lists().order),
      report_(1),
      level_sizes_(std::max<std::size_t>(order_, 1)),
      farthest_(1) {
  const auto at =
      std::find(std::begin(kVariants), std::end(kVariants), name) - std::begin(kVariants);
  variant_ = kMakers[at](context, graph);
}

Search VariantSearch::run(Vertex source, Distance* distances,
                          const std::function<bool()>& interrupted) {
  context_.fill_bytes(distances, 0xFF, order_);
  context_.fill_bytes(distances + source, 0, 1);
  LevelReport report{0, 0};
  Distance level = 0;
  for (;; ++level) {
    if (interrupted()) throw Interrupted();
    context_.fill_bytes(report_.data(), 0, 1);
    variant_->level(distances, level, report, report_.data());
    report = context_.value(report_.data());
    if (report.deepest != level + 1) break;
  }
  return to_search(source, distances, level);
}

Search VariantSearch::to_search(Vertex source, const Distance* distances, Distance eccentricity) {
  context_.fill_bytes(level_sizes_.data(), 0, std::size_t{eccentricity} + 1);
  context_.fill_bytes(farthest_.data(), 0xFF, 1);
  describe_kernel<<<context_.blocks_for(order_), Context::kThreads, 0, context_.stream()>>>(
      order_, distances, eccentricity, level_sizes_.data(), farthest_.data());
  check(cudaGetLastError(), "launching a kernel");
  Search result;
  result.source = source;
  result.eccentricity = eccentricity;
  result.farthest = context_.value(farthest_.data());
  result.level_sizes.resize(std::size_t{eccentricity} + 1);
  context_.download(std::span<Vertex>(result.level_sizes), level_sizes_.data());
  for (std::size_t level = 0; level < result.level_sizes.size(); ++level) {
    result.reached += result.level_sizes[level];
    result.distance_sum += level * result.level_sizes[level];
  }
  return result;
}

std::vector<LevelTrace> trace_levels(const Context& context, const PaddedGraph& graph,
                                     const Distance* distances,
                                     const std::vector<Vertex>& level_sizes) {
  constexpr int kRuns = 3;
  const Vertex order = graph.lists().order;
  Buffer<Distance> F(order);
  Buffer<LevelReport> report(1);
  context.fill_bytes(report.data(), 0, 1);
  Timer timer;
  std::vector<LevelTrace> result;
  Vertex unvisited = order;
  for (Distance level = 0; level < level_sizes.size(); ++level) {
    unvisited -= level_sizes[level];
    const auto measure = [&](auto step) {
      rewind(context, order, distances, level, F.data());
      return timer.seconds(context, step);
    };
    const auto median = [&](auto step) {
      std::vector<double> times;
      for (int run = 0; run < kRuns; ++run) times.push_back(measure(step));
      std::sort(times.begin(), times.end());
      return times[kRuns / 2];
    };
    graph.visit([&](const auto& lists) {
      const double by_thread =
          median([&] { thread_level(context, lists, F.data(), level, report.data()); });
      const double by_warp =
          median([&] { warp_level(context, lists, F.data(), level, report.data()); });
      result.push_back({.active = level_sizes[level],
                        .left = unvisited,
                        .thread_seconds = by_thread,
                        .warp_seconds = by_warp});
    });
  }
  return result;
}

}  // namespace antipode::cuda
