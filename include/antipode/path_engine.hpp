// Searches for questions about directions and lengths: along the arcs of a graph or against them,
// with the lengths of its edges. Distances come to the host, since the reasoning is there.
//
// A new path engine implements the pure functions. All others have defaults (src/engine/host).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "antipode/engine.hpp"
#include "antipode/graph.hpp"

namespace antipode {

// From the source along the arcs, or to it: then distances are those of every vertex to the source.
enum class Along { arcs, reversed_arcs };

struct PathSearch {
  Vertex source = kNoVertex;
  Length eccentricity = 0;      // the largest finite distance
  Vertex farthest = kNoVertex;  // the first vertex (by number) at that distance
  Vertex reached = 0;           // the source included
};

struct PathSummary {
  Length eccentricity = 0;
  Vertex reached = 0;
  LengthSum distance_sum = 0;  // of those reached
  friend bool operator==(const PathSummary&, const PathSummary&) = default;
};

// A search to be made, and where its distances go: one for each vertex.
struct PathRequest {
  Vertex source = kNoVertex;
  Along along = Along::arcs;
  std::span<Length> distances;
};

// A search that begins at several vertices, each at a length of its own.
struct PathStart {
  Vertex vertex = kNoVertex;
  Length from = 0;
};

using LengthSink = std::function<void(Vertex source, std::span<const Length> distances)>;

// What many searches at once cost, in single searches.
struct PathCosts {
  std::size_t batch = 1;  // sources that are worth one call of summarize or rows
  double source = 1;      // of a batch: each source
  double setup = 0;       // before the first batch
};

class PathEngine {
 public:
  virtual ~PathEngine() = default;
  virtual EngineInfo info() const = 0;
  virtual const Graph& graph() const = 0;
  // `distances` has an entry for each vertex; kNoPath where there is no path.
  virtual PathSearch search(Vertex source, Along along, std::span<Length> distances) = 0;
  // The same machine and options, another graph.
  virtual std::unique_ptr<PathEngine> on(const Graph& graph) const = 0;
  // Called between levels or searches, from any thread; if it returns true, the request ends with
  // Interrupted and the engine stays usable.
  virtual void interrupt_when(std::function<bool()> stop) = 0;

  // As `search`, for each request, in their order. An engine may search them side by side.
  virtual std::vector<PathSearch> search_each(std::span<const PathRequest> requests);
  // For every vertex v the least of from + d(start, v); against the arcs, of d(v, start) + from.
  virtual void search_from(std::span<const PathStart> starts, Along along,
                           std::span<Length> distances);
  virtual std::vector<PathSummary> summarize(std::span<const Vertex> sources, Along along);
  // The distances of each source, one call of the sink at a time, in any order.
  virtual void rows(std::span<const Vertex> sources, Along along, const LengthSink& sink);
  // Dependencies as Engine::accumulate adds them, along the arcs. Lengths of 0 are a UsageError.
  virtual void accumulate(std::span<const Vertex> sources, Dependencies& sums);
  virtual PathCosts costs() const { return {}; }
};

// As make_engine.
std::unique_ptr<PathEngine> make_path_engine(std::string_view name, const Graph& graph,
                                             const EngineOptions& options = {});

}  // namespace antipode
