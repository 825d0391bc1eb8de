// The search of Rodinia [Che et al., IISWC 2009] on an adjacency: masks instead of queues, two
// launches per level. Memory: 3 bytes per vertex.
#pragma once

#include "engine/opencl/device_graph.hpp"

namespace antipode::opencl {

class VertexSearch {
 public:
  VertexSearch(const Context& context, const DeviceGraph& graph)
      : graph_(graph),
        kernels_(context, "vertex"),
        mask_(context, graph.order()),
        next_mask_(context, graph.order()),
        visited_(context, graph.order()),
        goes_on_(context, 1) {}

  void run(Vertex source, const Buffer<Distance>& distances,
           const std::function<bool()>& interrupted);

 private:
  const DeviceGraph& graph_;
  Program kernels_;
  Buffer<unsigned char> mask_, next_mask_, visited_;
  Buffer<std::uint32_t> goes_on_;
};

}  // namespace antipode::opencl
