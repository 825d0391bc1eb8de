#include "engine/host/length_brandes.hpp"

#include <algorithm>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "antipode/error.hpp"
#include "engine/host/dependency_sums.hpp"

namespace antipode::host {

namespace {

constexpr std::size_t kCheck = 1 << 14;  // vertices between two checks for an interrupt

template <class Number>
class SourceSearch {
 public:
  explicit SourceSearch(const Graph& graph)
      : graph_(graph.adjacency()),
        distances_(graph.order()),
        paths_(graph.order()),
        share_(graph.order()) {
    order_.reserve(graph.order());
  }

  // False if there are too many paths for this kind of number; then nothing was added.
  bool add(Vertex source, std::span<const double> weights, Dependencies& sums,
           const std::function<bool()>& interrupted) {
    if (!count_paths(source, interrupted)) return false;
    for (std::size_t i = order_.size(); i-- > 0;) {
      if (i % kCheck == 0 && interrupted()) throw Interrupted();
      send_back(order_[i], weights, weights[source], sums);
    }
    return true;
  }

 private:
  bool count_paths(Vertex source, const std::function<bool()>& interrupted) {
    using Entry = std::pair<Length, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    std::fill(distances_.begin(), distances_.end(), kNoPath);
    std::fill(paths_.begin(), paths_.end(), Number{});
    order_.clear();
    distances_[source] = 0;
    paths_[source] = Number(1.0);
    queue.emplace(0, source);
    while (!queue.empty()) {
      const auto [distance, v] = queue.top();
      queue.pop();
      if (distance != distances_[v]) continue;
      if (order_.size() % kCheck == 0 && interrupted()) throw Interrupted();
      order_.push_back(v);
      const Number paths = paths_[v];
      if (too_many(paths)) return false;
      for (EdgeOffset arc = graph_.offsets[v]; arc < graph_.offsets[v + 1]; ++arc) {
        const Vertex u = graph_.targets[arc];
        const Length through = distance + graph_.length(arc);
        if (through > distances_[u]) continue;
        if (through < distances_[u]) {
          distances_[u] = through;
          paths_[u] = Number{};
          queue.emplace(through, u);
        }
        paths_[u] = paths_[u] + paths;
      }
    }
    return true;
  }

  // The dependency of v: each vertex that follows it on a shortest path contributes its weight plus
  // its own dependency, times the share of its paths that pass v. The source is the first.
  void send_back(Vertex v, std::span<const double> weights, double from_source,
                 Dependencies& sums) {
    Number sum{};
    for (EdgeOffset arc = graph_.offsets[v]; arc < graph_.offsets[v + 1]; ++arc) {
      const Vertex u = graph_.targets[arc];
      if (distances_[v] + graph_.length(arc) != distances_[u]) continue;
      sum = sum + share_[u];
      if (!sums.arcs.empty()) sums.arcs[arc] += from_source * plain(paths_[v] * share_[u]);
    }
    const double through = plain(paths_[v] * sum);
    if (v != order_.front()) sums.vertices[v] += from_source * through;
    share_[v] = Number(weights[v] + through) / paths_[v];
  }

  Adjacency graph_;
  std::vector<Length> distances_;
  std::vector<Number> paths_, share_;  // share: weight plus dependency, per path
  std::vector<Vertex> order_;          // of distance
};

}  // namespace

struct LengthBrandes::Arrays {
  explicit Arrays(const Graph& all) : graph(all), doubles(all) {}
  Graph graph;
  SourceSearch<double> doubles;
  std::optional<SourceSearch<Huge>> huge;
};

LengthBrandes::LengthBrandes(const Graph& graph) : arrays_(std::make_unique<Arrays>(graph)) {}
LengthBrandes::~LengthBrandes() = default;
LengthBrandes::LengthBrandes(LengthBrandes&&) noexcept = default;

void LengthBrandes::add(Vertex source, std::span<const double> weights, Dependencies& sums,
                        const std::function<bool()>& interrupted) {
  if (arrays_->doubles.add(source, weights, sums, interrupted)) return;
  if (!arrays_->huge) arrays_->huge.emplace(arrays_->graph);
  arrays_->huge->add(source, weights, sums, interrupted);
}

}  // namespace antipode::host
