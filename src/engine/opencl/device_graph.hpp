// A graph in a device's memory: compressed rows as they are on the host.
// Memory: 8 bytes a vertex and 4 an arc, twice where arcs have a direction.
#pragma once

#include <optional>

#include "engine/host/edge_search.hpp"
#include "engine/opencl/context.hpp"

namespace antipode::opencl {

struct Rows {
  Rows(const Context& context, const Graph& graph)
      : offsets(context, graph.offsets()), targets(context, graph.targets().size() + 4) {
    targets.upload(graph.targets());
  }
  Buffer<EdgeOffset> offsets;
  Buffer<Vertex> targets;  // and four more, for those who read four at a time
};

class DeviceGraph {
 public:
  DeviceGraph(const Context& context, const Graph& graph) : graph_(graph), rows_(context, graph) {
    if (graph.is_directed()) into_.emplace(context, graph.into());
  }
  static Footprint footprint(bool directed) { return Footprint{8, 4} * (directed ? 2 : 1); }

  const Graph& host() const { return graph_; }
  Vertex order() const { return graph_.order(); }
  const Rows& rows() const { return rows_; }                   // of arcs that leave
  const Rows& into() const { return into_ ? *into_ : rows_; }  // of arcs that enter

 private:
  Graph graph_;
  Rows rows_;
  std::optional<Rows> into_;
};

}  // namespace antipode::opencl
