#include "engine/cuda/lengths/path_engine.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "antipode/error.hpp"
#include "engine/cuda/device/description.hpp"
#include "engine/cuda/lengths/passes.hpp"

namespace antipode::cuda {

namespace {

constexpr std::size_t kWorthPasses =
    256;  // sources: fewer are searched sooner than the graph is folded

// Of folding, for each arc. Separators of meshes become dense: there the host searches.
constexpr std::uint64_t kMostSteps = 4096;

class CudaPathEngine final : public PathEngine {
 public:
  explicit CudaPathEngine(std::unique_ptr<PathEngine> host) : host_(std::move(host)) {}

  EngineInfo info() const override {
    const DeviceDescription device = describe_device();
    EngineInfo info;
    info.name = "cuda";
    info.usable = device.is_usable;
    info.detail = device.detail + ", and " + host_->info().detail;
    return info;
  }
  const Graph& graph() const override { return host_->graph(); }
  PathSearch search(Vertex source, Along along, std::span<Length> distances) override {
    return host_->search(source, along, distances);
  }
  void search_from(std::span<const PathStart> starts, Along along,
                   std::span<Length> distances) override {
    host_->search_from(starts, along, distances);
  }
  void rows(std::span<const Vertex> sources, Along along, const LengthSink& sink) override {
    host_->rows(sources, along, sink);
  }
  std::unique_ptr<PathEngine> on(const Graph& graph) const override {
    auto result = std::make_unique<CudaPathEngine>(host_->on(graph));
    result->stop_ = stop_;
    return result;
  }
  void interrupt_when(std::function<bool()> stop) override {
    stop_ = std::move(stop);
    host_->interrupt_when(stop_);
  }

  std::vector<PathSummary> summarize(std::span<const Vertex> sources, Along along) override {
    if (!passes_ && sources.size() >= kWorthPasses) prepare();
    return passes_ ? passes_->summarize(sources) : host_->summarize(sources, along);
  }
  PathCosts costs() const override {
    if (is_prepared_ && !passes_) return host_->costs();
    PathCosts costs = host_->costs();
    costs.batch = std::max(costs.batch, kWorthPasses);
    return costs;
  }

 private:
  // No distance is longer than this: twice the eccentricity of a vertex of each component.
  Length longest() {
    const Graph& graph = host_->graph();
    const Components parts = components(graph);
    std::vector<PathStart> starts;
    std::vector<bool> has_start(parts.count(), false);
    for (Vertex v = 0; v < graph.order(); ++v)
      if (!has_start[parts.of[v]]) has_start[parts.of[v]] = true, starts.push_back({.vertex = v});
    std::vector<Length> distances(graph.order());
    host_->search_from(starts, Along::arcs, distances);
    return 2 * *std::max_element(distances.begin(), distances.end());
  }

  void prepare() {
    if (std::exchange(is_prepared_, true)) return;
    const Graph& graph = host_->graph();
    if (graph.is_directed() || graph.order() < 2) return;
    const Length most = longest();
    if (most >= kNoLength) return;
    const auto stop = [this] { return stop_ && stop_(); };
    const auto folding = fold_lengths<std::uint32_t>(
        graph.adjacency(),
        {.longest = most, .most_steps = kMostSteps * graph.arcs(), .stop = stop});
    if (!folding.is_complete()) return;
    try {
      passes_.emplace(context_, folding, stop);
    } catch (const DeviceError&) {  // the host has room
    }
  }

  std::unique_ptr<PathEngine> host_;
  std::function<bool()> stop_;
  Context context_;
  bool is_prepared_ = false;
  std::optional<LengthPasses> passes_;
};

}  // namespace

std::unique_ptr<PathEngine> make_path_engine(std::unique_ptr<PathEngine> host) {
  return std::make_unique<CudaPathEngine>(std::move(host));
}

}  // namespace antipode::cuda
