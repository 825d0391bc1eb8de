// The part of a graph that most figures speak of: its largest component, or its largest strong one
// where edges have directions. Every vertex of it reaches every other. Edges of length 1 are
// searched by an Engine, lengths by a PathEngine; directions by both.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "antipode/engine.hpp"
#include "antipode/io.hpp"
#include "antipode/path_engine.hpp"
#include "report/page/bins.hpp"
#include "report/page/watch.hpp"

namespace antipode::page {

struct Summed {  // what a search from a vertex shows, in the unit of the file
  double eccentricity = 0, distance_sum = 0;
  Vertex reached = 0;
};

struct Part {
  // A certificate must not rest on a symmetry of which its checker knows nothing.
  enum class Symmetry { used, unknown };
  Part(const LoadedGraph& loaded, std::string_view engine_name, const EngineOptions& options,
       Symmetry symmetry);

  const LoadedGraph& loaded;
  Components components;              // strong ones of a directed graph
  Graph graph;                        // the largest
  std::unique_ptr<Engine> engine;     // none where edges have lengths
  std::unique_ptr<PathEngine> paths;  // none without directions and lengths
  EngineInfo info;                    // of the engine
  // Batches go level by level for all their sources, so that a graph of very many levels is quicker
  // one search at a time.
  bool is_long = false;

  bool has_lengths() const { return graph.has_lengths(); }
  std::string label(Vertex v) const;  // at most some dozen bytes of it
  double in_units(Length length) const { return to_double(length, graph.unit()); }

  // At most `most` of the vertices, drawn without repeats, in a random order.
  std::vector<Vertex> random_vertices(std::size_t most, std::uint64_t seed) const;
  // By searches along the arcs; fewer than there are sources, if the watch ended it.
  std::vector<Summed> summarize(std::span<const Vertex> sources, Watch& watch);
  // How many vertices are at each distance from one; empty, if the watch ended it.
  Bins levels_from(Vertex source, Watch& watch);
};

}  // namespace antipode::page
