#include "engine/host/brandes.hpp"

#include <algorithm>
#include <optional>

#include "antipode/error.hpp"
#include "engine/host/dependency_sums.hpp"
#include "graph/limits.hpp"

namespace antipode::host {

namespace {

constexpr std::size_t kCheck = 1 << 14;  // vertices between two checks for an interrupt

// The arrays of one thread, used for one source after the other.
template <class Number>
class SourceDependencies {
 public:
  explicit SourceDependencies(const Graph& graph)
      : graph_(graph.adjacency()),
        distances_(graph.order()),
        paths_(graph.order()),
        share_(graph.order()),
        queue_(graph.order() + std::size_t{1}) {}

  // False if there are too many paths for this kind of number; then nothing was added.
  bool add(Vertex source, std::span<const double> weights, Dependencies& sums,
           const std::function<bool()>& interrupted) {
    if (!count_paths(source, interrupted)) return false;
    for (std::size_t i = reached_; i-- > 1;) {
      if (i % kCheck == 0 && interrupted()) throw Interrupted();
      send_back(queue_[i], weights, weights[source], sums, true);
    }
    if (!sums.arcs.empty()) send_back(source, weights, weights[source], sums, false);
    return true;
  }

 private:
  // Whether a neighbour is new cannot be predicted, so it decides no branch.
  bool count_paths(Vertex source, const std::function<bool()>& interrupted) {
    std::fill(distances_.begin(), distances_.end(), kUnreached);
    std::fill(paths_.begin(), paths_.end(), Number{});
    distances_[source] = 0;
    paths_[source] = Number(1.0);
    queue_[0] = source;
    std::size_t end = 1;
    for (std::size_t i = 0; i < end; ++i) {
      if (i % kCheck == 0 && interrupted()) throw Interrupted();
      const Vertex v = queue_[i];
      const Distance next = distances_[v] + 1;
      const Number paths = paths_[v];
      if (too_many(paths)) return false;
      for (const Vertex u : graph_.neighbors(v)) {
        const Distance before = distances_[u],
                       now = std::min(before, next);  // kUnreached is the largest
        queue_[end] = u;  // one entry larger than the order, for this write
        end += before == kUnreached ? 1 : 0;
        distances_[u] = now;
        paths_[u] = paths_[u] + (now == next ? paths : Number{});
      }
    }
    reached_ = end;
    return true;
  }

  // The dependency of v: each neighbour one level farther contributes its weight plus its own
  // dependency, times the share of its paths that pass v.
  void send_back(Vertex v, std::span<const double> weights, double from_source, Dependencies& sums,
                 bool passes) {
    const Distance next = distances_[v] + 1;
    const EdgeOffset first = graph_.offsets[v];
    const auto around = graph_.neighbors(v);
    Number sum{};
    for (const Vertex u : around) sum = sum + (distances_[u] == next ? share_[u] : Number{});
    if (!sums.arcs.empty())
      for (std::size_t k = 0; k < around.size(); ++k)
        if (distances_[around[k]] == next)
          sums.arcs[first + k] += from_source * plain(paths_[v] * share_[around[k]]);
    const double through = plain(paths_[v] * sum);
    if (passes) sums.vertices[v] += from_source * through;
    share_[v] = Number(weights[v] + through) / paths_[v];
  }

  Adjacency graph_;
  std::vector<Distance> distances_;
  std::vector<Number> paths_, share_;  // share: weight plus dependency, per path
  std::vector<Vertex> queue_;
  std::size_t reached_ = 0;
};

}  // namespace

void add_dependencies(const Graph& graph, int threads, std::span<const Vertex> sources,
                      Dependencies& sums, const std::function<bool()>& interrupted) {
  constexpr std::size_t kTogether = 16;  // sources whose sums are added together
  struct Thread {
    Dependencies sums;
    SourceDependencies<double> searches;
    std::optional<SourceDependencies<Huge>> huge;
  };
  const std::uint64_t each =
      std::uint64_t{graph.order()} * (4 + 8 + 8 + 4 + 8) + sums.arcs.size() * 8;
  while (threads > 1 && !fits_memory(each * static_cast<std::uint64_t>(threads))) --threads;
  refuse_bytes(each, "betweenness of this graph");
  std::vector<Thread> memory;  // allocated here, so that bad_alloc can propagate
  memory.reserve(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t)
    memory.push_back({zeros_like(sums), SourceDependencies<double>(graph), std::nullopt});
  add_in_turns(
      threads, sources, kTogether, sums,
      [&](int member) -> Dependencies& { return memory[static_cast<std::size_t>(member)].sums; },
      [&](int member, std::span<const Vertex> part) {
        Thread& me = memory[static_cast<std::size_t>(member)];
        for (const Vertex source : part) {
          if (me.searches.add(source, sums.weights, me.sums, interrupted)) continue;
          if (!me.huge) me.huge.emplace(graph);
          me.huge->add(source, sums.weights, me.sums, interrupted);
        }
      });
}

}  // namespace antipode::host
