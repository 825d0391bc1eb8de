// Batches of searches of deep, thin graphs, such as roads: a work-group a search, as `group.cl`
// says. Not on a CPU, where lanes are faster. Memory: 32 bytes a vertex.
#pragma once

#include <optional>

#include "engine/opencl/device_graph.hpp"

namespace antipode::opencl {

// Which vertices a batch must reach. Null: all of them, and no bound is raised.
struct FarthestRequest {
  const Buffer<unsigned char>* flags = nullptr;
  const Buffer<Distance>* lower = nullptr;
  std::uint64_t candidates = 0;  // how many there are; lanes end when all have reached them all
};

struct GroupResult {
  Distance eccentricity;
  Vertex reached;
  FarthestDistance reach;
  std::uint64_t distance_sum, overflow;
};

class GroupSearches {
 public:
  // Rows must be short, and the marks of all vertices fit a group's local memory.
  static bool suits(const Graph& graph, const Device& device);
  GroupSearches(const Context& context, const DeviceGraph& graph);

  // Nothing if a frontier outgrew its group.
  std::vector<GroupResult> reach(std::span<const Vertex> sources, const FarthestRequest& request);

 private:
  const Context& context_;
  const DeviceGraph& graph_;
  Program program_;
  Buffer<Vertex> rows_;
  Buffer<std::uint32_t> next_;
  Buffer<unsigned char> no_flags_;
  Buffer<Distance> no_lower_;
};

}  // namespace antipode::opencl
