// Two engines, one with the arcs as they are and one with reversed arcs, each made when it is first
// asked. An undirected graph needs one.
#include "engine/host/arc_paths.hpp"

#include <algorithm>
#include <utility>

namespace antipode::host {

namespace {

void widen(std::span<const Distance> distances, std::span<Length> lengths) {
  std::transform(distances.begin(), distances.end(), lengths.begin(),
                 [](Distance d) { return d == kUnreached ? kNoPath : Length{d}; });
}

class ArcPaths final : public PathEngine {
 public:
  ArcPaths(const Graph& graph, EngineMaker make)
      : graph_(graph), make_(std::move(make)), forward_(make_(graph_)), row_(graph.order()) {}

  EngineInfo info() const override { return forward_->info(); }
  const Graph& graph() const override { return graph_; }
  PathCosts costs() const override {
    const BatchCosts costs = forward_->batch_costs();
    return {.batch = costs.sources,
            .source = costs.source + costs.fixed / static_cast<double>(costs.sources)};
  }

  PathSearch search(Vertex source, Along along, std::span<Length> distances) override {
    Engine& engine = engine_for(along);
    const Search found = engine.search(source);
    engine.read(kLatest, row_);
    widen(row_, distances);
    return {.source = source,
            .eccentricity = found.eccentricity,
            .farthest = found.farthest,
            .reached = found.reached};
  }

  std::vector<PathSummary> summarize(std::span<const Vertex> sources, Along along) override {
    std::vector<PathSummary> result;
    result.reserve(sources.size());
    for (const Summary& each : engine_for(along).summarize(sources))
      result.push_back({.eccentricity = each.eccentricity,
                        .reached = each.reached,
                        .distance_sum = each.distance_sum});
    return result;
  }

  void rows(std::span<const Vertex> sources, Along along, const LengthSink& sink) override {
    std::vector<Length> lengths(graph_.order());
    engine_for(along).distances(sources, [&](Vertex source, std::span<const Distance> distances) {
      widen(distances, lengths);
      sink(source, lengths);
    });
  }

  void accumulate(std::span<const Vertex> sources, Dependencies& sums) override {
    forward_->accumulate(sources, &sums);
  }

  std::unique_ptr<PathEngine> on(const Graph& graph) const override {
    auto result = std::make_unique<ArcPaths>(graph, make_);
    result->interrupt_when(stop_);
    return result;
  }

  void interrupt_when(std::function<bool()> stop) override {
    stop_ = std::move(stop);
    forward_->interrupt_when(stop_);
    if (backward_) backward_->interrupt_when(stop_);
  }

 private:
  Engine& engine_for(Along along) {
    if (along == Along::arcs || !graph_.is_directed()) return *forward_;
    if (!backward_) {
      backward_ = make_(graph_.transpose());
      backward_->interrupt_when(stop_);
    }
    return *backward_;
  }

  Graph graph_;
  EngineMaker make_;
  std::unique_ptr<Engine> forward_, backward_;
  std::vector<Distance> row_;
  std::function<bool()> stop_;
};

}  // namespace

std::unique_ptr<PathEngine> arc_paths(const Graph& graph, EngineMaker make) {
  return std::make_unique<ArcPaths>(graph, std::move(make));
}

}  // namespace antipode::host
