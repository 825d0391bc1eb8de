// Searches on an unordered list of edges, as Penders' thesis has them, on an OpenCL device: for
// comparison, and for lists that nobody wants to sort. Every level looks at every edge.
#pragma once

#include "antipode/engine.hpp"

namespace antipode {

// Who waits for whom between two levels: the items of one work-group; all work-groups, for each
// other; all of them, for the host.
enum class EdgeSync { local, global, host };

struct EdgeSettings {
  EdgeSync sync = EdgeSync::host;
  std::size_t groups = 0,
              items = 0;  // work-groups, and work-items of each; 0: what suits the device
};

struct EdgeRun {
  double seconds = 0;    // on the device, the host's waiting included
  Distance passes = 0;   // over all edges
  bool by_host = false;  // work-groups were to wait for each other, and do not run side by side:
                         // the host waited
};

// What a search without levels can tell: who is reached, and edges passed at every vertex. Nothing
// of it is a distance.
struct Relaxed {
  EdgeRun run;
  Vertex reached = 0;
  std::vector<Vertex> in_counts, out_counts;
};

class EdgeSearches {
 public:
  virtual ~EdgeSearches() = default;
  virtual const DeviceInfo& device() const = 0;
  virtual std::size_t most_groups() const = 0;  // that run side by side
  virtual std::size_t most_items() const = 0;
  virtual EdgeRun search(Vertex source, const EdgeSettings& settings,
                         std::vector<Distance>& row) = 0;
  virtual Relaxed relaxed(Vertex source, const EdgeSettings& settings) = 0;
  // A work-group a source; rows come in the order of the sources.
  virtual EdgeRun all_pairs(std::span<const Vertex> sources, const EdgeSettings& settings,
                            const DistanceSink& sink) = 0;
};

// What a task needs on a device when the engine may choose how, at least: bytes a vertex and bytes
// an arc.
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

// `edges` go one way each: an undirected one stands there twice. `device`: as EngineOptions has it.
// A search asks between passes whether it is interrupted, and then throws Interrupted.
std::unique_ptr<EdgeSearches> make_edge_searches(
    const std::string& device, Vertex order, std::span<const Edge> edges,
    std::function<bool()> interrupted = [] { return false; });

}  // namespace antipode
