// The OpenCL engine: it plans its memory, owns the graph and the distances on the device, and
// passes each request to the class that answers it. Memory: the graph; per vertex 4 bytes for each
// search retained, 17 for bounds, 13 for a search, 85 bytes and 2 bits per bit lane (3 more bytes
// per 128) for batches; the kernels of the thesis add an edge list.
#include "engine/opencl/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>

#include "antipode/error.hpp"
#include "engine/host/distance_slots.hpp"
#include "engine/host/evaluation.hpp"
#include "engine/opencl/bounds.hpp"
#include "engine/opencl/dependencies.hpp"
#include "engine/opencl/edge_searches.hpp"
#include "engine/opencl/vertex_search.hpp"

namespace antipode::opencl {

namespace {

Search to_search(Vertex source, std::span<const Distance> distances) {
  Search result;
  result.source = source;
  for (Vertex v = 0; v < distances.size(); ++v) {
    const Distance d = distances[v];
    if (d == kUnreached) continue;
    if (d > result.eccentricity || result.farthest == kNoVertex) result.farthest = v;
    result.eccentricity = std::max(result.eccentricity, d);
    if (result.level_sizes.size() <= d) result.level_sizes.resize(d + 1, 0);
    ++result.level_sizes[d];
    ++result.reached;
    result.distance_sum += d;
  }
  return result;
}

struct Plan {
  std::string kernel;
  std::size_t lanes = Lanes::kLeast;
  std::uint64_t room = 0;  // bytes that the plan leaves
  bool edges() const { return kernel.starts_with("edge-"); }
};

class ClEngine final : public Engine, public EvaluationHooks {
 public:
  ClEngine(const Graph& graph, const Device& device, const Plan& plan)
      : context_(device),
        graph_(context_, graph),
        traversal_(context_, graph_, stop()),
        lanes_(context_, graph_, plan.lanes, stop()),
        dependencies_(context_, graph_, plan.room, stop()) {
    if (plan.edges()) edges_.emplace(context_, graph.order(), arc_list(graph), stop());
    if (plan.kernel == "vertex") vertices_.emplace(context_, graph_);
    settings_.sync = plan.kernel == "edge-local"    ? EdgeSync::local
                     : plan.kernel == "edge-global" ? EdgeSync::global
                                                    : EdgeSync::host;
  }
  ~ClEngine() override { cl().clFinish(context_.queue()); }  // kernels may still use the buffers

  EngineInfo info() const override {
    return {.name = "opencl", .usable = true, .detail = description()};
  }
  const Graph& graph() const override { return graph_.host(); }
  void finish() override { context_.finish(); }
  std::vector<LevelTrace> trace(Vertex) override {
    throw UsageError("engine 'opencl' does not search a level by threads and by warps");
  }

  Search search(Vertex source) override {
    assert(source < graph_.order());
    if (interrupted()) throw Interrupted();
    const Buffer<Distance>& distances =
        slots_.next([this] { return Buffer<Distance>(context_, graph_.order()); });
    if (!edges_ && !vertices_) return traversal_.search(source, distances);
    if (vertices_) vertices_->run(source, distances, stop());
    if (edges_) by_host_ |= edges_->search(source, settings_, distances).by_host;
    return to_search(source, distances.values());
  }

  DistanceHandle retain() override { return slots_.retain(); }
  void release(DistanceHandle distances) override { slots_.release(distances); }
  void read(DistanceHandle distances, std::span<Distance> out) const override {
    slots_[distances].download(out);
  }
  std::vector<Vertex> path(DistanceHandle distances, Vertex to) const override {
    return traversal_.path(slots_[distances], to);
  }

  void distances(std::span<const Vertex> sources, const DistanceSink& sink) override {
    if (edges_ && graph_.order() > 0) {
      edges_->all_pairs(sources, {}, sink);
      return;
    }
    Engine::distances(sources, sink);
  }

  std::vector<Summary> summarize(std::span<const Vertex> sources) override {
    return lanes_.summarize(sources);
  }
  void accumulate(std::span<const Vertex> sources, Accumulator sums) override {
    if (DistanceCounts** const counts = std::get_if<DistanceCounts*>(&sums)) {
      const auto multiplicities = (*counts)->multiplicities;
      (*counts)->add(multiplicities.empty()
                         ? lanes_.distribution(sources)
                         : lanes_.weighted_distribution(sources, multiplicities));
    } else if (DistanceSums** const distances = std::get_if<DistanceSums*>(&sums)) {
      lanes_.add_distances(sources, **distances);
    } else {
      add_dependencies(sources, *std::get<Dependencies*>(sums));
    }
  }

  BatchCosts batch_costs() const override {
    BatchCosts costs =
        context_.device().is_cpu
            ? BatchCosts{.fixed = 8,
                         .source = 0.03,
                         .source_and_level = 1.0 / 400,
                         .most_source = 1.25,
                         .patience = 8,
                         .apart = 3}
            : BatchCosts{.fixed = 2, .source = 0.004, .source_and_level = 1e-4, .apart = 1.2};
    costs.sources = lanes_.most();
    return costs;
  }
  EccentricityBounds& bounds() override { return all_bounds(); }
  CandidateSets& candidates() override { return all_bounds(); }

 private:
  std::string description() const {
    const DeviceInfo& info = context_.device().info;
    const bool meets = edges_ && settings_.sync == EdgeSync::global;
    return fmt::format(
        "{} ({}){}", info.name, info.platform,
        by_host_
            ? "; a work-group waited in vain for another: the host waits for them after every level"
        : meets ? fmt::format("; {} work-groups run side by side", edges_->most_groups())
                : "");
  }
  void add_dependencies(std::span<const Vertex> sources, Dependencies& sums) {
    if (sources.empty()) return;
    if (!dependencies_.fits(!sums.arcs.empty())) return Engine::accumulate(sources, &sums);
    dependencies_.add(sources, sums.weights, sums,
                      [&](std::span<const Vertex> few, Dependencies& so_far) {
                        Engine::accumulate(few, &so_far);
                      });
  }

  ClBounds& all_bounds() {
    if (!bounds_)
      bounds_.emplace(
          context_, graph_,
          [this](DistanceHandle distances) -> const Buffer<Distance>& { return slots_[distances]; },
          traversal_, lanes_);
    return *bounds_;
  }

  std::function<bool()> stop() {
    return [this] { return interrupted(); };
  }

  Context context_;
  DeviceGraph graph_;
  Traversal traversal_;
  Lanes lanes_;
  DependencyBatches dependencies_;
  std::optional<DeviceEdges> edges_;
  std::optional<VertexSearch> vertices_;
  EdgeSettings settings_;
  bool by_host_ = false;
  host::DistanceSlots<Buffer<Distance>> slots_;
  std::optional<ClBounds> bounds_;
};

std::uint64_t bytes_needed(const Graph& graph, const Plan& plan) {
  constexpr std::uint64_t kRetained = 12;  // distances that the diameter retains on a typical graph
  const Footprint retained{4 * kRetained, 0};
  const Footprint all = DeviceGraph::footprint(graph.is_directed()) + Traversal::kFootprint +
                        ClBounds::kFootprint + Lanes::footprint(plan.lanes) + retained +
                        (plan.edges() ? DeviceEdges::kFootprint : Footprint{});
  return all.bytes(graph.order(), graph.arcs());
}

// DeviceEdges without an engine. The base class constructs the context first.
struct OwnContext {
  Context context;
};
class OwnedEdges final : OwnContext, public DeviceEdges {
 public:
  OwnedEdges(const Device& device, Vertex order, std::span<const Edge> edges,
             std::function<bool()> interrupted)
      : OwnContext{Context(device)}, DeviceEdges(context, order, edges, std::move(interrupted)) {}
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Graph& graph, const EngineOptions& options) {
  constexpr Vertex kMost = Vertex{1} << 31;  // strides of the kernels must not overflow
  if (graph.order() > kMost)
    throw DeviceError(
        fmt::format("the opencl engine takes at most {} vertices, and the graph has {}: use "
                    "--engine cpu or cuda",
                    kMost, graph.order()));
  const Device device = find_device(options.device);
  Plan plan{.kernel = options.kernel, .lanes = Lanes::most_of(device)};
  const std::uint64_t limit = options.memory_limit == 0
                                  ? device.info.memory
                                  : std::min(device.info.memory, options.memory_limit);
  const auto too_large = [&] {
    return bytes_needed(graph, plan) > limit ||
           std::uint64_t{graph.order()} * plan.lanes / 8 > device.largest_buffer;
  };
  while (too_large() && plan.lanes > Lanes::kLeast)
    plan.lanes = plan.lanes == 1024 ? 512 : Lanes::kLeast;
  if (const std::uint64_t need = bytes_needed(graph, plan); need > limit) {
    throw OutOfMemory(
        fmt::format("the opencl engine needs about {} bytes for this graph; {} has {}{}", need,
                    device.info.name, device.info.memory,
                    limit < device.info.memory
                        ? fmt::format(", and the memory limit is {}: raise --memory-limit", limit)
                        : std::string(": use --engine cpu")));
  }
  plan.room = limit - bytes_needed(graph, plan);
  return std::make_unique<ClEngine>(graph, device, plan);
}

EngineInfo info() {
  EngineInfo result;
  result.name = "opencl";
  for (const char* kernel : {"edge-local", "edge-global", "edge-host", "vertex"})
    result.kernels.emplace_back(kernel);
  const auto all = devices(&result.detail);
  result.usable = !all.empty();
  if (result.usable)
    result.detail = fmt::format("{} device{}", all.size(), all.size() == 1 ? "" : "s");
  for (const Device& device : all) result.devices.push_back(device.info);
  return result;
}

// The least memory: fewest bit lanes and groups.
Footprint footprint(ThesisTask task) {
  const Footprint search = DeviceGraph::footprint(false) + Traversal::kFootprint + Footprint{4, 0};
  return task == ThesisTask::search
             ? search
             : search + (task == ThesisTask::all_pairs ? Lanes::footprint(Lanes::kLeast)
                                                       : DependencyBatches::kGroup);
}

std::unique_ptr<EdgeSearches> make_edge_searches(const std::string& device, Vertex order,
                                                 std::span<const Edge> edges,
                                                 std::function<bool()> interrupted) {
  return std::make_unique<OwnedEdges>(find_device(device), order, edges, std::move(interrupted));
}

}  // namespace antipode::opencl
