// Two engines, one with the arcs as they are and one with reversed arcs, each made when it is first
// asked. An undirected graph needs one.
#include "engine/host/arc_paths.hpp"

#include <algorithm>
#include <utility>

#include "graph/parallel.hpp"

namespace antipode::host {

namespace {

void widen(std::span<const Distance> distances, std::span<Length> lengths) {
  std::transform(distances.begin(), distances.end(), lengths.begin(),
                 [](Distance d) { return d == kUnreached ? kNoPath : Length{d}; });
}

class ArcPaths final : public PathEngine {
 public:
  ArcPaths(const Graph& graph, EngineMaker make, Directions directions)
      : graph_(graph), make_(std::move(make)), directions_(directions) {
    forward_.engine = make_(graph_);
    if (info().name != "cpu") directions_ = Directions::in_turn;
  }

  EngineInfo info() const override { return forward_.engine->info(); }
  const Graph& graph() const override { return graph_; }
  PathCosts costs() const override {
    const BatchCosts costs = forward_.engine->batch_costs();
    return {.batch = costs.sources,
            .source = costs.source + costs.fixed / static_cast<double>(costs.sources)};
  }

  PathSearch search(Vertex source, Along along, std::span<Length> distances) override {
    Side& side = side_for(along);
    const Search found = side.engine->search(source);
    side.row.resize(graph_.order());
    side.engine->read(kLatest, side.row);
    widen(side.row, distances);
    return {.source = source,
            .eccentricity = found.eccentricity,
            .farthest = found.farthest,
            .reached = found.reached};
  }

  // Each direction on a thread of its own: in levels of few vertices two threads gain little.
  std::vector<PathSearch> search_each(std::span<const PathRequest> requests) override {
    const auto goes_backwards = [&](const PathRequest& request) {
      return graph_.is_directed() && request.along == Along::reversed_arcs;
    };
    const auto backwards = std::count_if(requests.begin(), requests.end(), goes_backwards);
    if (directions_ == Directions::in_turn || backwards == 0 || backwards == std::ssize(requests))
      return PathEngine::search_each(requests);
    side_for(Along::reversed_arcs);  // made by one thread
    std::vector<PathSearch> result(requests.size());
    in_pieces(2, 1, 2, [&](std::size_t direction, std::size_t, int) {
      for (std::size_t i = 0; i < requests.size(); ++i)
        if (goes_backwards(requests[i]) == (direction == 1))
          result[i] = search(requests[i].source, requests[i].along, requests[i].distances);
    });
    return result;
  }

  std::vector<PathSummary> summarize(std::span<const Vertex> sources, Along along) override {
    std::vector<PathSummary> result;
    result.reserve(sources.size());
    for (const Summary& each : side_for(along).engine->summarize(sources))
      result.push_back({.eccentricity = each.eccentricity,
                        .reached = each.reached,
                        .distance_sum = each.distance_sum});
    return result;
  }

  void rows(std::span<const Vertex> sources, Along along, const LengthSink& sink) override {
    std::vector<Length> lengths(graph_.order());
    side_for(along).engine->distances(sources,
                                      [&](Vertex source, std::span<const Distance> distances) {
                                        widen(distances, lengths);
                                        sink(source, lengths);
                                      });
  }

  void accumulate(std::span<const Vertex> sources, Dependencies& sums) override {
    forward_.engine->accumulate(sources, &sums);
  }

  std::unique_ptr<PathEngine> on(const Graph& graph) const override {
    auto result = std::make_unique<ArcPaths>(graph, make_, directions_);
    result->interrupt_when(stop_);
    return result;
  }

  void interrupt_when(std::function<bool()> stop) override {
    stop_ = std::move(stop);
    forward_.engine->interrupt_when(stop_);
    if (backward_.engine) backward_.engine->interrupt_when(stop_);
  }

 private:
  struct Side {
    std::unique_ptr<Engine> engine;
    std::vector<Distance> row;  // of the latest search
  };

  Side& side_for(Along along) {
    if (along == Along::arcs || !graph_.is_directed()) return forward_;
    if (!backward_.engine) {
      backward_.engine = make_(graph_.transpose());
      backward_.engine->interrupt_when(stop_);
    }
    return backward_;
  }

  Graph graph_;
  EngineMaker make_;
  Directions directions_;
  Side forward_, backward_;
  std::function<bool()> stop_;
};

}  // namespace

std::unique_ptr<PathEngine> arc_paths(const Graph& graph, EngineMaker make, Directions directions) {
  return std::make_unique<ArcPaths>(graph, std::move(make), directions);
}

}  // namespace antipode::host
