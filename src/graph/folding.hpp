// Vertices that need not be searched for the diameter because others are at least as far from
// everything: see docs/definitions.md, rules 5 and 6; and those that no search needs to pass
// through.
#pragma once

#include <span>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// Classes of two or more vertices of `among` with the same neighbours, each in rising order.
std::vector<std::vector<Vertex>> twin_classes(const Adjacency& graph,
                                              std::span<const Vertex> among);

// 1 for every stem: a vertex, itself no leaf, from which a chain of vertices of degree two (or
// none) leads to a leaf.
std::vector<unsigned char> bases_of_pendant_paths(const Adjacency& graph, int threads);

// A vertex whose neighbours are all each other's, such as a leaf, lies inside no shortest path: a
// path through it has a shortcut. Without these the others are as far apart as before, and each of
// these is a step farther than the nearest of its neighbours that is left, but for its other
// neighbours.
struct Skeleton {
  Graph graph;                // what is left, in the same order
  std::vector<Vertex> place;  // of every vertex there; kNoVertex: it was taken off
};
// Those with at most `longest` neighbours are taken off, if at most `most` of these are left; of a
// component that is a clique, one stays.
Skeleton skeleton_of(const Graph& graph, Vertex longest, Vertex most, int threads);

}  // namespace antipode
