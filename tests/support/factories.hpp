// Graphs for tests: from pairs, from the generators, and random ones of every kind.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "antipode/graph.hpp"
#include "reference/reference.hpp"

namespace antipode::testing {

inline Graph graph_of(Vertex order, const reference::Pairs& pairs,
                      Direction direction = Direction::none) {
  std::vector<Edge> edges;
  for (const auto& [a, b] : pairs) edges.push_back({a, b});
  return build_graph(order, {edges}, Labels::sequential(0, order), direction).graph;
}

inline reference::Graph reference_of(const Graph& graph) {
  reference::Pairs pairs;
  for (Vertex v = 0; v < graph.order(); ++v)
    for (const Vertex u : graph.neighbors(v)) pairs.emplace_back(v, u);
  return {graph.order(), pairs, graph.is_directed()};
}

// Each arc of an undirected graph with this chance, by itself.
inline Graph some_arcs_of(const Graph& graph, double chance, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  reference::Pairs pairs;
  for (Vertex v = 0; v < graph.order(); ++v)
    for (const Vertex u : graph.neighbors(v))
      if (std::uniform_real_distribution<>()(random) < chance) pairs.emplace_back(v, u);
  return graph_of(graph.order(), pairs, Direction::forward);
}

inline Graph generated(const std::string& spec, Direction direction = Direction::none) {
  return generate(spec, direction).graph;
}

// The i-th of an endless series of small graphs: all generators, and shapes that trip up shortcuts;
// if wanted, every other one directed.
class RandomGraphs {
 public:
  enum class Kinds { undirected, both };
  explicit RandomGraphs(std::uint64_t seed, Kinds kinds = Kinds::undirected)
      : random_(seed), kinds_(kinds) {}

  Graph next() {
    const Graph graph = next_undirected();
    if (kinds_ == Kinds::undirected || below(2) == 0) return graph;
    return some_arcs_of(graph, 0.3 + 0.1 * below(8), seed());
  }

 private:
  Graph next_undirected() {
    const unsigned n = below(10) == 0 ? below(4) : 1 + below(48);
    switch (kind_++ % 16) {
      case 0:
        return generated(fmt::format("path?n={}", n));
      case 1:
        return generated(fmt::format("cycle?n={}", n));
      case 2:
        return generated(fmt::format("star?n={}", n));
      case 3:
        return generated(fmt::format("complete?n={}", n % 12));
      case 4:
        return generated(fmt::format("grid?rows={}&cols={}", 1 + below(8), 1 + below(8)));
      case 5:
        return generated(fmt::format("torus?rows={}&cols={}", 1 + below(7), 1 + below(7)));
      case 6:
        return generated(fmt::format("tree?n={}&degree={}&seed={}", n, below(4), seed()));
      case 7:
        return generated(fmt::format("hypercube?scale={}", below(6)));
      case 8:
        return generated(
            fmt::format("er?n={}&degree={}&seed={}", n, 0.5 + 0.1 * below(60), seed()));
      case 9:
        return generated(fmt::format("ba?n={}&degree={}&seed={}", n, 1 + below(3), seed()));
      case 10:
        return generated(fmt::format("ws?n={}&degree={}&p=0.{}&seed={}", n, 2 + 2 * below(3),
                                     below(10), seed()));
      case 11:
        return generated(fmt::format("geometric?n={}&degree={}&seed={}", n, 1 + below(9), seed()));
      case 12:
        return generated(fmt::format("road?rows={}&cols={}&p=0.{}&seed={}", 1 + below(8),
                                     1 + below(8), 4 + below(6), seed()));
      case 13:
        return generated(
            fmt::format("rmat?scale={}&edgefactor={}&seed={}", 1 + below(5), 1 + below(4), seed()));
      case 14:
        return generated(fmt::format("uniform?n={}&degree={}&seed={}", n, 1 + below(6), seed()));
      default:
        return lumps(n + 2);
    }
  }

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  std::uint64_t seed() { return random_(); }

  // Cliques, leaves and long tails hung on a random tree: many twins, many ties, odd and even
  // diameters.
  Graph lumps(unsigned n) {
    reference::Pairs pairs;
    for (unsigned v = 1; v < n; ++v)
      pairs.emplace_back(v, below(3) == 0 ? v - 1 : below(std::min(v, 1 + below(6))));
    const unsigned clique = below(6);
    for (unsigned a = 0; a < std::min(clique, n); ++a)
      for (unsigned b = 0; b < a; ++b) pairs.emplace_back(a, b);
    for (unsigned extra = below(4); extra > 0; --extra) pairs.emplace_back(below(n), below(n));
    return graph_of(n, pairs);
  }

  std::mt19937_64 random_;
  Kinds kinds_;
  unsigned kind_ = 0;
};

// The largest component of each, skipping graphs without vertices.
class RandomConnectedGraphs {
 public:
  explicit RandomConnectedGraphs(std::uint64_t seed) : graphs_(seed) {}
  Graph next() {
    for (;;) {
      const Graph graph = graphs_.next();
      if (graph.order() == 0) continue;
      const Components parts = components(graph);
      return component_subgraph(graph, parts, parts.largest());
    }
  }

 private:
  RandomGraphs graphs_;
};

}  // namespace antipode::testing
