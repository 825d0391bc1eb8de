#include "engine/host/length_paths.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "antipode/error.hpp"

namespace antipode::host {

void search_by_heap(const Graph& graph, std::span<const PathStart> starts,
                    std::span<Length> distances, const std::function<bool()>& stop) {
  constexpr std::uint64_t kBetween = 1 << 14;  // vertices between two questions whether to stop
  using Entry = std::pair<Length, Vertex>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const Adjacency adjacency = graph.adjacency();
  std::fill(distances.begin(), distances.end(), kNoPath);
  for (const PathStart& start : starts)
    if (start.from < distances[start.vertex]) {
      distances[start.vertex] = start.from;
      queue.emplace(start.from, start.vertex);
    }
  for (std::uint64_t done = 0; !queue.empty(); ++done) {
    if (done % kBetween == 0 && stop && stop()) throw Interrupted();
    const auto [distance, v] = queue.top();
    queue.pop();
    if (distance != distances[v]) continue;
    for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc) {
      const Length through = distance + adjacency.length(arc);
      if (Length& known = distances[adjacency.targets[arc]]; through < known) {
        known = through;
        queue.emplace(through, adjacency.targets[arc]);
      }
    }
  }
}

PathSearch to_search(Vertex source, std::span<const Length> distances) {
  PathSearch result{.source = source, .farthest = source};
  for (Vertex v = 0; v < distances.size(); ++v) {
    if (distances[v] == kNoPath) continue;
    ++result.reached;
    if (distances[v] > result.eccentricity) result.eccentricity = distances[v], result.farthest = v;
  }
  if (result.eccentricity == 0)  // the first of those at distance 0
    result.farthest = static_cast<Vertex>(std::find(distances.begin(), distances.end(), Length{0}) -
                                          distances.begin());
  return result;
}

namespace {

class LengthPaths final : public PathEngine {
 public:
  LengthPaths(Graph graph, EngineInfo info) : graph_(std::move(graph)), info_(std::move(info)) {}

  EngineInfo info() const override { return info_; }
  const Graph& graph() const override { return graph_; }
  PathSearch search(Vertex source, Along along, std::span<Length> distances) override {
    const PathStart start{.vertex = source};
    search_by_heap(along == Along::arcs ? graph_ : graph_.into(), {&start, 1}, distances, stop_);
    return to_search(source, distances);
  }
  std::unique_ptr<PathEngine> on(const Graph& graph) const override {
    auto result = std::make_unique<LengthPaths>(graph, info_);
    result->interrupt_when(stop_);
    return result;
  }
  void interrupt_when(std::function<bool()> stop) override { stop_ = std::move(stop); }

 private:
  Graph graph_;
  EngineInfo info_;
  std::function<bool()> stop_;
};

}  // namespace

std::unique_ptr<PathEngine> length_paths(const Graph& graph, EngineInfo info) {
  return std::make_unique<LengthPaths>(graph, std::move(info));
}

}  // namespace antipode::host
