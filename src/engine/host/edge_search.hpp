// Searches on an unordered list of edges, as in Penders' thesis, on an OpenCL device: for
// comparison, and for lists that are not worth sorting. Every level reads every edge.
#pragma once

#include "antipode/engine.hpp"

namespace antipode {

// Synchronisation between two levels: the items of one work-group; all work-groups among
// themselves; all of them with the host.
enum class EdgeSync { local, global, host };

struct EdgeSettings {
  EdgeSync sync = EdgeSync::host;
  std::size_t groups = 0, items = 0;  // work-groups, and work-items of each; 0: chosen
};

struct EdgeRun {
  double seconds = 0;    // on the device, including synchronisation with the host
  Distance passes = 0;   // over all edges
  bool by_host = false;  // work-groups did not run concurrently, so the host synchronised them
};

// The result of a search without levels: the number of reached vertices, and the edges passed at
// every vertex. It has no distances.
struct Relaxed {
  EdgeRun run;
  Vertex reached = 0;
  std::vector<Vertex> in_counts, out_counts;
};

class EdgeSearches {
 public:
  virtual ~EdgeSearches() = default;
  virtual const DeviceInfo& device() const = 0;
  virtual std::size_t most_groups() const = 0;  // that run concurrently
  virtual std::size_t most_items() const = 0;
  virtual EdgeRun search(Vertex source, const EdgeSettings& settings,
                         std::vector<Distance>& distances) = 0;
  virtual Relaxed relaxed(Vertex source, const EdgeSettings& settings) = 0;
  // One work-group per source; the sink is called in the order of the sources.
  virtual EdgeRun all_pairs(std::span<const Vertex> sources, const EdgeSettings& settings,
                            const DistanceSink& sink) = 0;
};

// The least memory that a task needs on a device: bytes per vertex and per arc.
struct Footprint {
  std::uint64_t vertex = 0, arc = 0;
  std::uint64_t bytes(Vertex order, EdgeOffset arcs) const { return vertex * order + arc * arcs; }
  friend Footprint operator+(Footprint a, Footprint b) {
    return {a.vertex + b.vertex, a.arc + b.arc};
  }
  friend Footprint operator*(Footprint a, std::uint64_t times) {
    return {a.vertex * times, a.arc * times};
  }
};
enum class ThesisTask { search, all_pairs, betweenness };
Footprint footprint(ThesisTask task);

// `edges` are arcs: an undirected edge is listed in both directions. `device`: as in EngineOptions.
// `interrupted` is called between passes; if it returns true, Interrupted is thrown.
std::unique_ptr<EdgeSearches> make_edge_searches(
    const std::string& device, Vertex order, std::span<const Edge> edges,
    std::function<bool()> interrupted = [] { return false; });

}  // namespace antipode
