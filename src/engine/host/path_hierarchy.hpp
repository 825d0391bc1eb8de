// A graph with lengths, its vertices eliminated one after the other, so that every shortest path is
// counted by a climb and a pass down. When v is eliminated, each way a → v → b between two of its
// neighbours becomes an arc of the same length, which stands for the product of their numbers of
// paths; of arcs between the same vertices the shortest stays, and equal ones add their numbers. So
// an arc stands for the shortest of the paths whose inner vertices were eliminated before its ends.
// A path is cut at the vertices that were eliminated after all before them (up), or after all
// behind them (down), in one way only. [contraction hierarchies: Geisberger et al. 2008; passes:
// Delling et al. 2011; numbers of paths: docs/paths.md, "Betweenness with lengths"]
//
// Memory while it is made: about 120 bytes an arc of the hierarchy; then about 60.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode::host {

struct PathHierarchy {
  struct Arc {
    Vertex place;  // of the other end, which is higher: smaller
    double length, paths;
  };
  // Paths along the arc `whole` that pass two others and the vertex between them.
  struct Shortcut {
    std::uint32_t whole, first, second;
    double share;
  };

  std::vector<Vertex> place;   // of every vertex: its position in the reverse order of elimination
  std::vector<Vertex> vertex;  // the vertex at each place
  // Arcs from higher places into each place, and from each place to higher ones. Entering arc i is
  // number i, leaving arc i number entering.size() + i.
  std::vector<std::uint32_t> enter_begin, leave_begin;
  std::vector<Arc> entering, leaving;
  std::vector<Shortcut> shortcuts;  // by place of the vertex between
  std::vector<std::uint32_t> shortcut_begin;
  // Of every arc of the graph: the number of the hierarchy's arc between its ends, and the share of
  // the paths of that one that it is.
  std::vector<std::uint32_t> number;
  std::vector<double> share;

  Vertex order() const { return static_cast<Vertex>(vertex.size()); }
  std::size_t arcs() const { return entering.size() + leaving.size(); }
};

// Nothing where it would be large, or numbers would not be exact: then searches are the better way.
std::optional<PathHierarchy> path_hierarchy(const Graph& graph,
                                            const std::function<bool()>& interrupted);

}  // namespace antipode::host
