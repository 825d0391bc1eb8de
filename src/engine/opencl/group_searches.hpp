// Batches of searches in deep, thin graphs such as roads: one work-group per search
// (kernels/group.cl). Not on a CPU, where bit lanes are faster. Memory: 32 bytes per vertex.
#pragma once

#include <optional>

#include "engine/opencl/device_graph.hpp"

namespace antipode::opencl {

// Which vertices a batch must reach, and whose lower bounds it raises. Null: all vertices; no
// bounds.
struct FarthestRequest {
  const Buffer<unsigned char>* flags = nullptr;
  const Buffer<Distance>* lower = nullptr;
  std::uint64_t candidates = 0;  // a batch ends when all its searches have reached so many
};

struct GroupResult {
  Distance eccentricity;
  Vertex reached;
  FarthestDistance farthest;
  std::uint64_t distance_sum, overflow;
};

class GroupSearches {
 public:
  // Degrees must be low, and the bitmap of all vertices must fit in local memory.
  static bool suits(const Graph& graph, const Device& device);
  GroupSearches(const Context& context, const DeviceGraph& graph);

  // Empty if a frontier overflowed its ring.
  std::vector<GroupResult> search(std::span<const Vertex> sources, const FarthestRequest& request);

 private:
  const Context& context_;
  const DeviceGraph& graph_;
  Program program_;
  Buffer<Vertex> packed_;
  Buffer<std::uint32_t> next_source_;
  Buffer<unsigned char> no_flags_;
  Buffer<Distance> no_lower_;
};

}  // namespace antipode::opencl
