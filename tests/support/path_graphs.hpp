// Random graphs with lengths and directions: sparse and dense, paths, cycles, trees, acyclic ones,
// bow ties, disconnected ones; zero lengths, ties, parallel edges, long edges beside short ones.
#pragma once

#include <random>
#include <vector>

#include "antipode/graph.hpp"
#include "reference/paths.hpp"

namespace antipode {

struct PathCase {
  unsigned order = 0;
  bool directed = false, weighted = false;
  std::vector<reference::Arc> arcs;

  Graph graph() const {
    std::vector<Edge> edges;
    std::vector<Length> lengths;
    for (const reference::Arc& arc : arcs) {
      edges.push_back({arc.from, arc.to});
      lengths.push_back(arc.length);
    }
    const Direction direction = directed ? Direction::forward : Direction::none;
    const Labels labels = Labels::sequential(0, order);
    return weighted ? build_graph(order, {edges}, {lengths}, {}, labels, direction).graph
                    : build_graph(order, {edges}, labels, direction).graph;
  }
  reference::Paths reference() const { return {order, arcs, directed}; }
};

// The same for the same seed. `most`: vertices.
inline PathCase random_path_case(std::uint64_t seed, bool directed, bool weighted,
                                 unsigned most = 24) {
  std::mt19937_64 random(seed * 4 + (directed ? 2 : 0) + (weighted ? 1 : 0));
  const auto below = [&](std::uint64_t n) { return n == 0 ? 0 : random() % n; };
  PathCase made{.order = static_cast<unsigned>(below(most + 1)),
                .directed = directed,
                .weighted = weighted,
                .arcs = {}};
  if (made.order == 0) return made;
  const unsigned n = made.order;
  const std::uint64_t kind_of_length = below(5);
  const auto length = [&]() -> std::uint64_t {
    if (!weighted) return 1;
    switch (kind_of_length) {
      case 0:
        return 1;
      case 1:
        return below(3);  // zeros and ties
      case 2:
        return 1 + below(1000);
      case 3:
        return below(2) ? 1 : 1000000;  // long beside short
      default:
        return 5 * (1 + below(4));
    }
  };
  const auto add = [&](unsigned from, unsigned to) {
    made.arcs.push_back({.from = from, .to = to, .length = length()});
  };
  const auto any = [&] { return static_cast<unsigned>(below(n)); };
  switch (below(7)) {
    case 0:  // a path or a cycle, some arcs turned round
      for (unsigned v = 0; v + 1 < n; ++v) below(5) == 0 ? add(v + 1, v) : add(v, v + 1);
      if (below(2)) add(n - 1, 0);
      break;
    case 1:  // a tree
      for (unsigned v = 1; v < n; ++v) add(static_cast<unsigned>(below(v)), v);
      break;
    case 2:  // no cycles
      for (std::uint64_t i = below(3 * n + 1); i > 0; --i) {
        const unsigned a = any(), b = any();
        add(std::min(a, b), std::max(a, b));
      }
      break;
    case 3: {  // a bow tie: a cycle in the middle, ways into it and out of it
      const unsigned in = n / 3, core = n / 3;
      for (unsigned v = 0; v < core; ++v) add(in + v, in + (v + 1) % std::max(core, 1u));
      for (unsigned v = 0; v < in; ++v)
        add(v, static_cast<unsigned>(below(v + 1 + core) + (core ? v + 1 : v)) % n);
      for (unsigned v = in + core; v < n; ++v) add(static_cast<unsigned>(below(v)), v);
      for (std::uint64_t i = below(n); i > 0; --i) {
        const unsigned a = any(), b = any();
        add(std::min(a, b), std::max(a, b));
      }
      break;
    }
    case 4:  // two parts
      for (std::uint64_t i = below(3 * n + 1); i > 0; --i) {
        const unsigned a = any(), b = any();
        if ((a < n / 2) == (b < n / 2)) add(a, b);
      }
      break;
    case 5:  // sparse
      for (std::uint64_t i = below(2 * n + 1); i > 0; --i) add(any(), any());
      break;
    default:  // dense, with parallel edges and loops
      for (std::uint64_t i = below(n * std::uint64_t{n} + 1); i > 0; --i) add(any(), any());
  }
  return made;
}

}  // namespace antipode
