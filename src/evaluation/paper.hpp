// What Dal, Kosters and Takes (2014) measured, on any graph and engine: their diameter procedure
// with a clock at each of its components, and a sequential version of it with a FIFO queue to
// compare with.
#pragma once

#include <array>

#include "antipode/engine.hpp"

namespace antipode {

struct PaperRun {
  enum Component { initialization, selection, eccentricity, bounds, candidates };
  Distance diameter = 0;
  std::uint64_t searches = 0;       // their I
  std::array<double, 5> seconds{};  // by component
  double total() const { return seconds[0] + seconds[1] + seconds[2] + seconds[3] + seconds[4]; }
};

// Algorithm 1 on an engine. UsageError where the graph is empty, directed or not connected.
PaperRun paper_run(Engine& engine);
// The same on one thread: a queue, an array of distances, loops over all vertices.
PaperRun sequential_paper_run(const Graph& graph);

// The distance within which nine tenths of all reachable pairs lie, interpolated; from searches of
// so many sources (all, if the graph has no more), so in general an estimate.
double effective_diameter(Engine& engine, std::size_t samples, std::uint64_t seed);

// A graph whose second level, searched from vertex 0, has `active` vertices with lists of `length`
// entries: figure 9. The rest of the `order` vertices are reached by these or not at all.
Graph equal_lists(Vertex order, Vertex active, Vertex length);

}  // namespace antipode
