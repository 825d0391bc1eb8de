// The kernels of edge.cl: local, global and host synchronisation, relaxed, and all pairs.
#include "engine/opencl/edge_searches.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <mutex>

#include "antipode/error.hpp"

namespace antipode::opencl {

namespace {

using Control = std::array<std::uint32_t, 6>;  // as in edge.cl
constexpr std::size_t kLevel = 0, kGoesOn = 1, kGaveUp = 5;

// How often a group polls a word before it gives up on another. A test must fail soon (before
// threads that share a core take turns); a level may be long.
constexpr std::uint32_t kTestPatience = 1u << 14, kPatience = 1u << 28;
constexpr int kTests = 3;  // one may fail because the machine is busy at that moment

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<Vertex> ends_of(std::span<const Edge> edges, Vertex Edge::*end) {
  std::vector<Vertex> result(edges.size());
  std::transform(edges.begin(), edges.end(), result.begin(),
                 [&](const Edge& edge) { return edge.*end; });
  return result;
}

}  // namespace

DeviceEdges::DeviceEdges(const Context& context, Vertex order, std::span<const Edge> edges,
                         std::function<bool()> interrupted)
    : context_(context),
      order_(order),
      edges_(edges.size()),
      interrupted_(std::move(interrupted)),
      kernels_(context, "edge"),
      from_(context, ends_of(edges, &Edge::from)),
      to_(context, ends_of(edges, &Edge::to)),
      visited_(context, edges.size()),
      in_counts_(context, order),
      out_counts_(context, order),
      control_(context, std::tuple_size_v<Control>) {}

// OpenCL does not guarantee that groups run at the same time, so this is tested.
std::size_t DeviceEdges::test_concurrent_groups() const {
  const std::size_t items = std::min<std::size_t>(256, most_items());
  for (std::size_t groups = context_.device().units; groups > 1; groups /= 2) {
    for (int test = 0; test < kTests; ++test) {
      control_.fill(0);
      kernels_.run("edge_test_sync", {groups * items, items}, control_, kTestPatience);
      if (control_.value(kGaveUp) == 0) return groups;
    }
  }
  return 1;
}

// Tested once for each device, since it does not depend on the edges. A search in which a group
// still waits too long gives up.
std::size_t DeviceEdges::most_groups() const {
  static std::mutex mutex;
  static std::map<cl_device_id, std::size_t> known;
  const std::scoped_lock lock(mutex);
  std::size_t& groups = known[context_.device().id];
  if (groups == 0) groups = test_concurrent_groups();
  return std::min(groups, known_groups_);
}

Range DeviceEdges::range(const EdgeSettings& settings) const {
  const std::size_t items = settings.items != 0
                                ? std::min(settings.items, most_items())
                                : std::min<std::size_t>(context_.device().is_cpu           ? 64
                                                        : settings.sync == EdgeSync::local ? 1024
                                                                                           : 256,
                                                        most_items());
  const std::size_t most =
      settings.sync == EdgeSync::global
          ? most_groups()
          : std::size_t{context_.device().units} * (context_.device().is_cpu ? 4 : 16);
  const std::size_t groups = settings.sync == EdgeSync::local ? 1
                             : settings.groups != 0           ? settings.groups
                                                              : most;
  return {groups * items, items};
}

void DeviceEdges::clear() {
  visited_.fill(0);
  in_counts_.fill(0);
  out_counts_.fill(0);
  control_.fill(0);
}

void DeviceEdges::start(Vertex source, const Buffer<Distance>& distances) {
  clear();
  distances.fill(kUnreached, order_);
  distances.upload(std::array<Distance, 1>{0}, source);
}

// Levels per launch: an item reads at most 2²² edges, or its share once. Interrupts are checked
// between launches.
std::uint32_t DeviceEdges::levels_at_once(std::size_t items) const {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>((std::uint64_t{1} << 22) * items / (edges_ + 1), 1, 1 << 16));
}

void DeviceEdges::run_local(Range range, const Buffer<Distance>& distances) {
  for (;;) {
    if (interrupted_()) throw Interrupted();
    kernels_.run("edge_local", range, from_, to_, visited_, distances, in_counts_, out_counts_,
                 control_, edges_, levels_at_once(range.items));
    if (control_.value(kGoesOn) == 0) return;
  }
}

void DeviceEdges::run_host(Range range, const Buffer<Distance>& distances) {
  for (Distance level = 0;; ++level) {
    if (interrupted_()) throw Interrupted();
    kernels_.run("edge_host", range, from_, to_, visited_, distances, in_counts_, out_counts_,
                 control_, edges_, level);
    if (control_.value(kGoesOn) == 0) return;
    control_.fill(0);
  }
}

// False if a group gave up waiting: the last level may be incomplete.
bool DeviceEdges::run_global(Range range, const Buffer<Distance>& distances) {
  const std::uint32_t levels = levels_at_once(range.items);
  for (Control control{};;) {
    if (interrupted_()) throw Interrupted();
    control_.upload(Control{control[kLevel]});
    kernels_.run("edge_global", range, from_, to_, visited_, distances, in_counts_, out_counts_,
                 control_, edges_, levels, kPatience);
    control_.download(control);
    if (control[kGaveUp] != 0) return false;
    if (control[kLevel] == kUnreached) return true;
  }
}

EdgeRun DeviceEdges::search(Vertex source, const EdgeSettings& settings,
                            const Buffer<Distance>& distances) {
  const Range range_of_launch = range(settings);
  const bool runs_together = settings.sync == EdgeSync::global &&
                             range_of_launch.items / range_of_launch.group <= most_groups();
  start(source, distances);
  context_.finish();
  const auto begin = std::chrono::steady_clock::now();
  EdgeRun result;
  if (settings.sync == EdgeSync::local) {
    run_local(range_of_launch, distances);
  } else if (settings.sync == EdgeSync::host) {
    run_host(range_of_launch, distances);
  } else if (!runs_together || !run_global(range_of_launch, distances)) {
    if (runs_together) known_groups_ = 1;  // a group gave up waiting: this is not tried again
    result.by_host = true;
    start(source, distances);
    run_host(range_of_launch, distances);
  }
  context_.finish();
  result.seconds = seconds_since(begin);
  return result;
}

EdgeRun DeviceEdges::search(Vertex source, const EdgeSettings& settings,
                            std::vector<Distance>& distances) {
  const Buffer<Distance> buffer(context_, order_);
  EdgeRun result = search(source, settings, buffer);
  distances = buffer.values();
  Distance farthest = 0;
  for (const Distance d : distances)
    if (d != kUnreached) farthest = std::max(farthest, d);
  result.passes = farthest + 1;
  return result;
}

Relaxed DeviceEdges::relaxed(Vertex source, const EdgeSettings& settings) {
  const Buffer<unsigned char> reached(context_, order_);
  clear();
  reached.fill(0);
  reached.upload(std::array<unsigned char, 1>{1}, source);
  context_.finish();
  const auto start = std::chrono::steady_clock::now();
  const Range range_of_launch = range({EdgeSync::host, settings.groups, settings.items});
  Relaxed result;
  for (bool again = true; again; ++result.run.passes) {
    if (interrupted_()) throw Interrupted();
    control_.fill(0);
    kernels_.run("relaxed", range_of_launch, from_, to_, visited_, reached, in_counts_, out_counts_,
                 control_, edges_);
    again = control_.value(kGoesOn) != 0;
  }
  result.run.seconds = seconds_since(start);
  for (const unsigned char each : reached.values()) result.reached += each;
  result.in_counts = in_counts_.values();
  result.out_counts = out_counts_.values();
  return result;
}

EdgeRun DeviceEdges::all_pairs(std::span<const Vertex> sources, const EdgeSettings& settings,
                               const DistanceSink& sink) {
  const std::size_t items =
      settings.items != 0        ? std::min(settings.items, kernels_.most_items("all_pairs"))
      : context_.device().is_cpu ? 1
                                 : std::min<std::size_t>(1024, kernels_.most_items("all_pairs"));
  const std::size_t groups =
      settings.groups != 0
          ? settings.groups
          : context_.device().units * std::size_t{context_.device().is_cpu ? 1u : 2u};
  const std::uint64_t bytes_per_source = 4 * std::max<std::uint64_t>(order_, 1);
  const std::size_t at_once = static_cast<std::size_t>(std::clamp<std::uint64_t>(
      std::min<std::uint64_t>(context_.device().largest_buffer, 1u << 28) / bytes_per_source, 1,
      4 * groups));
  const Buffer<Distance> buffer(
      context_, std::min(at_once, std::max<std::size_t>(sources.size(), 1)) * order_);
  std::vector<Distance> distances(order_);
  EdgeRun result;
  for (std::size_t begin = 0; begin < sources.size(); begin += at_once) {
    const auto batch = sources.subspan(begin, std::min(at_once, sources.size() - begin));
    const Buffer<Vertex> list(context_, batch);
    const Buffer<Distance> levels(context_, batch.size());
    levels.fill(0);
    context_.finish();
    const auto start = std::chrono::steady_clock::now();
    for (bool again = true; again;) {
      if (interrupted_()) throw Interrupted();
      kernels_.run("all_pairs", {groups * items, items}, from_, to_, list,
                   static_cast<std::uint32_t>(batch.size()), buffer, levels, edges_, order_,
                   levels_at_once(items));
      const auto left = levels.values();
      again =
          std::any_of(left.begin(), left.end(), [](Distance level) { return level != kUnreached; });
    }
    result.seconds += seconds_since(start);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      buffer.download(distances, i * order_);
      sink(batch[i], distances);
    }
  }
  return result;
}

}  // namespace antipode::opencl
