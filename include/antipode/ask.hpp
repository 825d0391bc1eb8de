// One call, one answer: a graph, what to do if it is not connected, and the result under the file's
// labels. The forms in measures.hpp are for those who keep an engine, a checkpoint or the steps of
// a proof.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "antipode/engine.hpp"
#include "antipode/graph.hpp"
#include "antipode/measures.hpp"
#include "antipode/path_engine.hpp"
#include "antipode/table.hpp"

namespace antipode {

// What is asked of a graph in several components. A measure that has no such form throws
// UsageError.
//                    error  largest  per_component  infinite  reachable
//   diameter, radius   ✓       ✓           ✓            ✓
//   eccentricities     ✓       ✓           ✓            ✓
//   center, periphery  ✓       ✓
//   average            ✓       ✓                                   ✓
//   closeness          ✓       ✓                                   ✓
//   betweenness        ✓       ✓                                   ✓
//   vertex_table       ✓       ✓                                   ✓
// Of a directed graph these are not in one component unless every vertex reaches every other:
//   diameter           ✓       ✓                        ✓          ✓
//   radius, eccentricities, center, periphery
//                      ✓       ✓                                   ✓
// The largest component is then the largest strong component; the radius, the center and the
// periphery are those of eccentricities along the arcs, and radius and center of the vertices that
// reach all others.
enum class Disconnected {
  error,          // UsageError; also if a vertex does not reach another along the arcs
  largest,        // the component with most vertices; of equal ones that with the first label
  per_component,  // each for itself
  infinite,       // a distance without a path is infinite
  reachable       // pairs without a path do not count
};

// What a caller of many questions about one connected graph keeps between them, so that it is not
// made for each: engines that have this very graph, and its components (strong ones, of a directed
// graph).
struct Kept {
  Engine* engine = nullptr;     // of a graph without directions and lengths
  PathEngine* paths = nullptr;  // of others
  const Components* components = nullptr;
};

struct AskOptions {
  Disconnected disconnected = Disconnected::error;
  std::string engine = "auto";
  EngineOptions engine_options = {};
  double time_limit = 0;         // seconds; 0: none. Then the bounds reached so far, or an estimate
  Observer* observer = nullptr;  // told of progress, and asked whether to go on
  std::uint64_t seed = 1;        // of samples
  std::size_t samples = 0;       // average, betweenness: an estimate from so many sources; 0: exact
  Kept kept = {};                // diameter, radius, eccentricities, center, periphery
};

// What an answer is about.
struct About {
  Vertex order = 0;  // of the component, or of the whole graph
  EdgeOffset size = 0;
  Vertex components = 0;  // of the graph; strong ones, where the answer is about one of them
  LengthUnit unit = {};   // of lengths; see to_text() in graph.hpp
};

// Diameter or radius of one component, in edges, or in lengths where the graph has them.
struct ComponentDistance {
  Length lower = 0, upper = 0;  // equal unless it was stopped
  bool exact() const { return lower == upper; }
  bool undefined = false;  // no vertex reaches all others: no radius, and both bounds are kNoPath
  std::vector<std::string> path;  // labels; a shortest path of length `lower` (radius: `upper`)
  std::uint64_t searches = 0;     // those of batches included
  About about;
};

// Of the component asked about; with per_component that of the diameter is the largest of all, that
// of the radius the smallest.
struct DistanceAnswer : ComponentDistance {
  bool infinite = false;  // then both bounds are kNoPath, and `path` has two vertices without a
                          // path from the first to the second
  std::vector<ComponentDistance> per_component;  // by falling order
};
DistanceAnswer diameter(const Graph& graph, const AskOptions& options = {});
DistanceAnswer radius(const Graph& graph, const AskOptions& options = {});

// One value for every vertex of the graph as it was given: graph.label(v) names it. Along the arcs
// of a directed graph; ask graph.transpose() for those against them.
struct EccentricityAnswer {
  std::vector<Length> lower, upper;  // kNoPath: infinite, or not in the component asked about
  bool exact = false;
  std::uint64_t searches = 0;
  About about;
};
EccentricityAnswer eccentricities(const Graph& graph, const AskOptions& options = {});

// The vertices of smallest or of largest eccentricity, in the order of the given graph.
struct VertexSetAnswer {
  std::vector<Vertex> vertices;     // empty: stopped before they were known
  std::vector<std::string> labels;  // of these
  Length lower = 0, upper = 0;      // of the radius or the diameter
  bool exact = false;
  std::uint64_t searches = 0;
  About about;
};
VertexSetAnswer center(const Graph& graph, const AskOptions& options = {});
VertexSetAnswer periphery(const Graph& graph, const AskOptions& options = {});

struct AverageAnswer : Average {
  About about;
};
AverageAnswer average(const Graph& graph, const AskOptions& options = {});

// As EccentricityAnswer: closeness by Wasserman and Faust, or betweenness (not normalized).
struct CentralityAnswer {
  std::vector<double> values;  // empty: stopped before anything was known; NaN: not in the
                               // component asked about
  bool exact = false;
  std::optional<double> epsilon;  // of an estimate: see Betweenness
  std::uint64_t searches = 0;
  About about;
};
CentralityAnswer closeness(const Graph& graph, const AskOptions& options = {});
CentralityAnswer betweenness(const Graph& graph, const AskOptions& options = {});

// Several measures of all vertices, from one set of searches where they can share it.
enum class VertexMeasure { degree, component, eccentricity, closeness, harmonic, betweenness };

// A row for each vertex of the graph as it was given, and a column 'vertex' with its label.
//   degree        edges; of a directed graph out_degree and in_degree
//   component     0 for the largest, the others by falling order; of a directed graph as if arcs
//                 went both ways, and strong_component beside it
//   eccentricity  of a directed graph out_eccentricity and in_eccentricity
//   closeness     by Wasserman and Faust, along the arcs
//   harmonic      the sum of 1 / distance, along the arcs
//   betweenness   not normalized; an estimate if `samples` is not 0
// Distances between vertices without a path do not count. With Disconnected::largest all but degree
// and component are of the largest component (of a directed graph: strong component) alone, and
// other vertices have no value. Other policies: reachable and error.
struct VertexTable {
  Table table;                            // complete columns, in the order asked for
  std::vector<VertexMeasure> incomplete;  // stopped before they were known
  std::uint64_t searches = 0;
  EngineInfo engine;  // empty: nothing was searched
  About about;
};
VertexTable vertex_table(const Graph& graph, std::span<const VertexMeasure> measures,
                         const AskOptions& options = {});

}  // namespace antipode
