// Searches of a path engine on the way to a diameter: the longest distance found, where, and what
// they cost. While it is there, the engine's requests end with Interrupted as soon as the observer
// says stop. Memory: 8 bytes per vertex and distances held.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "antipode/path_measures.hpp"

namespace antipode {

// A search and its distances.
struct PathRow {
  PathSearch search;
  std::shared_ptr<const std::vector<Length>> distances;
  Length at(Vertex v) const { return (*distances)[v]; }
};

class PathRun {
 public:
  // `known`: a longest distance from elsewhere; only longer ones count as found.
  PathRun(PathEngine& engine, Observer& observer, Length known = 0);
  ~PathRun() { engine_.interrupt_when(nullptr); }
  PathRun(const PathRun&) = delete;
  PathRun& operator=(const PathRun&) = delete;

  PathEngine& engine() { return engine_; }
  Observer& observer() { return observer_; }
  const Graph& graph() const { return engine_.graph(); }
  Length longest() const { return answer_.lower; }
  std::uint64_t searches() const { return answer_.searches; }
  std::uint64_t lanes() const { return answer_.lanes; }

  PathRow search(Vertex source, Along along);  // its distances stay while they are held
  struct From {
    Vertex source;
    Along along = Along::arcs;
  };
  std::vector<PathRow> search_each(std::span<const From> searches);    // side by side, if possible
  void rows(std::span<const Vertex> sources, const LengthSink& sink);  // along the arcs
  // Eccentricities of many sources, by `engine`, whose vertices are `here[0]`, `here[1]`, … of the
  // graph; empty: the same.
  std::vector<Length> eccentricities(PathEngine& engine, std::span<const Vertex> sources,
                                     Along along, std::span<const Vertex> here = {});
  // From a vertex to another, as long as the longest distance found; may search for it.
  const std::vector<Vertex>& longest_path();

  void step(PathStep step) { answer_.steps.push_back(std::move(step)); }
  // No distance that the next reports leave out is longer.
  void set_elsewhere(Length upper) { elsewhere_ = upper; }
  // Tells the observer, who may say stop: then Interrupted is thrown. `open`: candidates left.
  void report(Length upper, std::size_t open);
  void report(Length lower, Length upper, std::size_t open);  // of another value
  void stop_if_asked();
  // Adds what was found in a part of the graph, whose vertices are `here[0]`, ….
  void add(PathDiameter part, std::span<const Vertex> here);
  void add_work(const PathRun& part);
  PathDiameter finish(Length upper);

 private:
  std::shared_ptr<std::vector<Length>> unused_distances();
  bool found(Length length, Vertex from, Vertex to);  // whether it is the longest so far
  void found(const PathRow& row, Along along);

  PathEngine& engine_;
  Observer& observer_;
  std::vector<std::shared_ptr<std::vector<Length>>> distances_;  // held by rows, or unused
  PathDiameter answer_;
  Length elsewhere_ = 0;
  bool is_known_;                             // the longest distance, from elsewhere
  Vertex from_ = kNoVertex, to_ = kNoVertex;  // of the longest distance; one may be unknown
  PathRow row_;                               // that found it, or none
  Along row_along_ = Along::arcs;
  std::vector<Vertex> path_;
};

// More than any distance in the graph can be, from the number and lengths of its edges alone.
Length bound_of_paths(const Graph& graph);

}  // namespace antipode
