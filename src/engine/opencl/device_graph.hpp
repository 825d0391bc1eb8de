// A graph in the memory of a device: CSR as on the host. Memory: 8 bytes per vertex and 4 per arc;
// twice if the graph is directed.
#pragma once

#include <optional>

#include "engine/host/edge_search.hpp"
#include "engine/opencl/context.hpp"

namespace antipode::opencl {

struct Adjacency {
  Adjacency(const Context& context, const Graph& graph)
      : offsets(context, graph.offsets()), targets(context, graph.targets().size() + 4) {
    targets.upload(graph.targets());
  }
  Buffer<EdgeOffset> offsets;
  Buffer<Vertex> targets;  // four more entries, for kernels that read four at a time
};

class DeviceGraph {
 public:
  DeviceGraph(const Context& context, const Graph& graph)
      : graph_(graph), adjacency_(context, graph) {
    if (graph.is_directed()) into_.emplace(context, graph.into());
  }
  static Footprint footprint(bool directed) { return Footprint{8, 4} * (directed ? 2 : 1); }

  const Graph& host() const { return graph_; }
  Vertex order() const { return graph_.order(); }
  const Adjacency& adjacency() const { return adjacency_; }              // of arcs that leave
  const Adjacency& into() const { return into_ ? *into_ : adjacency_; }  // of arcs that enter

 private:
  Graph graph_;
  Adjacency adjacency_;
  std::optional<Adjacency> into_;
};

}  // namespace antipode::opencl
