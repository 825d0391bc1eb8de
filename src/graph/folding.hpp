// Vertices that the diameter need not search: all but one of a class of twins, and vertices of
// pendant paths other than leaves (docs/definitions.md, rules 5 and 6). Also the skeleton, a graph
// without simplicial vertices.
#pragma once

#include <span>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// Classes of two or more vertices of `among` with the same neighbours, each in ascending order.
std::vector<std::vector<Vertex>> twin_classes(const Adjacency& graph,
                                              std::span<const Vertex> among);

// 1 for every vertex, other than a leaf, from which a path of vertices of degree two (or a single
// edge) leads to a leaf.
std::vector<unsigned char> bases_of_pendant_paths(const Adjacency& graph, int threads);

// A simplicial vertex, such as a leaf, lies inside no shortest path: a path through it has a
// shortcut. So the others keep their distances. A removed vertex is one step farther than the
// nearest of its remaining neighbours, except from its other neighbours.
struct Skeleton {
  Graph graph;                // the remaining vertices, in the same order
  std::vector<Vertex> place;  // of every vertex in `graph`; kNoVertex: removed
};
// Removes simplicial vertices with at most `longest` neighbours, of which at most `most` remain. Of
// a component that is a clique, one vertex stays.
Skeleton skeleton_of(const Graph& graph, Vertex longest, Vertex most, int threads);

}  // namespace antipode
