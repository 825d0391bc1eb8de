// Algorithms 1 and 2 of Dal, Kosters and Takes with a clock, and their evaluation's other
// ingredients.
#include "evaluation/paper.hpp"

#include <algorithm>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "engine/host/evaluation.hpp"
#include "graph/limits.hpp"
#include "measure/connected.hpp"
#include "measure/cost.hpp"

namespace antipode {

namespace {

void require_one(const Graph& graph) {
  if (graph.order() == 0) throw UsageError("the diameter of a graph without vertices is undefined");
  require_undirected(graph, "the diameter");
}

// Books the time since the last call, once the engine is done with what was asked.
class ComponentClock {
 public:
  explicit ComponentClock(PaperRun& run) : run_(run) {}
  void book(PaperRun::Component component) {
    run_.seconds[component] += stopwatch_.seconds();
    stopwatch_ = Stopwatch();
  }

 private:
  PaperRun& run_;
  Stopwatch stopwatch_;
};

// One thread, plain arrays.
class Sequential {
 public:
  explicit Sequential(const Graph& graph) : graph_(graph) {}

  PaperRun run() {
    PaperRun run;
    ComponentClock clock(run);
    const std::size_t order = graph_.order();
    lower_.assign(order, 0);
    upper_.assign(order, graph_.order());
    candidate_.assign(order, 1);
    distance_.resize(order);
    queue_.resize(order);
    clock.book(PaperRun::initialization);
    for (Distance most_lower = 0, most_upper = graph_.order(); most_lower != most_upper;) {
      stop_if_asked();
      const Vertex source = selected(run.searches);
      clock.book(PaperRun::selection);
      const Distance e = search(source);
      if (reached_ < order) throw UsageError("the graph is not connected: ask of a component");
      ++run.searches;
      clock.book(PaperRun::eccentricity);
      for (std::size_t v = 0; v < order; ++v) {
        lower_[v] = std::max(lower_[v], std::max(distance_[v], e - distance_[v]));
        upper_[v] = std::min(upper_[v], distance_[v] + e);
      }
      clock.book(PaperRun::bounds);
      most_lower = *std::max_element(lower_.begin(), lower_.end());
      most_upper = *std::max_element(upper_.begin(), upper_.end());
      for (std::size_t v = 0; v < order; ++v)
        if (lower_[v] == upper_[v] ||
            (upper_[v] <= most_lower && 2 * std::uint64_t{lower_[v]} >= most_upper))
          candidate_[v] = 0;
      run.diameter = most_lower;
      clock.book(PaperRun::candidates);
    }
    return run;
  }

 private:
  Vertex selected(std::uint64_t searches) const {
    Vertex best = kNoVertex;
    const auto better = [&](Vertex v) {
      const bool by_lower = searches % 2 == 0 && searches > 0;
      const Distance mine = by_lower ? lower_[v] : upper_[v],
                     its = by_lower ? lower_[best] : upper_[best];
      if (mine != its) return by_lower ? mine < its : mine > its;
      return graph_.degree(v) > graph_.degree(best);
    };
    for (Vertex v = 0; v < graph_.order(); ++v)
      if (candidate_[v] != 0 && (best == kNoVertex || better(v))) best = v;
    return best;
  }

  Distance search(Vertex source) {
    std::fill(distance_.begin(), distance_.end(), kUnreached);
    distance_[source] = 0;
    std::size_t head = 0, tail = 0;
    queue_[tail++] = source;
    while (head < tail) {
      const Vertex v = queue_[head++];
      for (const Vertex u : graph_.neighbors(v)) {
        if (distance_[u] != kUnreached) continue;
        distance_[u] = distance_[v] + 1;
        queue_[tail++] = u;
      }
    }
    reached_ = tail;
    return distance_[queue_[tail - 1]];
  }

  const Graph& graph_;
  std::vector<Distance> lower_, upper_, distance_;
  std::vector<unsigned char> candidate_;
  std::vector<Vertex> queue_;
  std::size_t reached_ = 0;
};

}  // namespace

PaperRun paper_run(Engine& engine) {
  require_one(engine.graph());
  PaperRun run;
  EccentricityBounds& bounds = engine.bounds();
  finish(engine);
  ComponentClock clock(run);
  const auto book = [&](PaperRun::Component component) {
    finish(engine);
    clock.book(component);
  };
  bounds.reset();
  book(PaperRun::initialization);
  for (BoundsSummary all{.max_lower = 0, .max_upper = 1}; all.max_lower != all.max_upper;) {
    stop_if_asked();
    const bool by_lower = run.searches % 2 == 0 && run.searches > 0;
    const Vertex source =
        bounds.select(by_lower ? Select::smallest_lower : Select::largest_upper, kLatest);
    book(PaperRun::selection);
    const Search search = engine.search(source);
    require_connected(engine, search);
    const Distance e = search.eccentricity;
    ++run.searches;
    book(PaperRun::eccentricity);
    bounds.tighten(kLatest, source, e, e);
    book(PaperRun::bounds);
    bounds.prune(Question::diameter);
    all = bounds.summary();
    run.diameter = all.max_lower;
    book(PaperRun::candidates);
  }
  return run;
}

PaperRun sequential_paper_run(const Graph& graph) {
  require_one(graph);
  return Sequential(graph).run();
}

double effective_diameter(Engine& engine, std::size_t samples, std::uint64_t seed) {
  Observer observer;
  return average(engine, samples, seed, observer).effective_diameter(0.9);
}

Graph equal_lists(Vertex order, Vertex active, Vertex length) {
  std::vector<std::vector<Edge>> edges(1);
  const Vertex first = active + 1, others = order - first;
  for (Vertex i = 0; i < active; ++i) {
    edges[0].push_back({0, i + 1});
    for (Vertex k = 1; k < length; ++k)
      edges[0].push_back(
          {i + 1, first + static_cast<Vertex>((std::uint64_t{i} * (length - 1) + k - 1) % others)});
  }
  return build_graph(order, std::move(edges), Labels::sequential(0, order)).graph;
}

}  // namespace antipode
