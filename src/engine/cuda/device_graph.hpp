// The graph on the GPU: compressed rows, with 64-bit offsets. In each row the neighbours of highest degree come first: a pull that
// looks for somebody in the frontier finds them there soonest.
#pragma once

#include "engine/cuda/context.hpp"

namespace antipode::cuda {

// What kernels see.
struct GraphView {
  Vertex order;
  EdgeOffset arcs;
  const EdgeOffset* offsets;
  const Vertex* targets;

  __device__ EdgeOffset begin(Vertex v) const { return offsets[v]; }
  __device__ Vertex degree(Vertex v) const { return static_cast<Vertex>(offsets[v + 1] - offsets[v]); }
};

class DeviceGraph {
 public:
  DeviceGraph(const Context& context, const Graph& graph);
  static std::uint64_t bytes(const Graph& graph) { return (std::uint64_t{graph.order()} + 1) * sizeof(EdgeOffset) + graph.arcs() * sizeof(Vertex); }
  GraphView view() const { return {order_, arcs_, offsets_.data(), targets_.data()}; }

 private:
  Vertex order_;
  EdgeOffset arcs_;
  Buffer<EdgeOffset> offsets_;
  Buffer<Vertex> targets_;
};

}  // namespace antipode::cuda
