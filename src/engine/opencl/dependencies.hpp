// What passes through every vertex along shortest paths: a work-group a source.  [Brandes 2001;
// Penders 2012, Algorithm 7] Memory: 36 bytes a vertex and group, and 8 an arc and group where arcs
// are wanted; as many groups as there is room for.
#pragma once

#include "engine/opencl/device_graph.hpp"

namespace antipode::opencl {

class Flows {
 public:
  Flows(const Context& context, const DeviceGraph& graph, std::uint64_t room,
        std::function<bool()> interrupted);

  static constexpr Footprint kGroup{36, 0}, kGroupWithArcs{36, 8};
  static std::size_t most_groups(const Device& device) {
    return std::size_t{device.units} * (device.is_cpu ? 1 : 2);
  }
  bool fits(bool with_arcs) const;
  // Adds the flow of the sources. Those with more paths than a double counts, and a few around
  // them, go to `on_host`.
  using OnHost = std::function<void(std::span<const Vertex> sources, Dependencies& flow)>;
  void add(std::span<const Vertex> sources, std::span<const double> weights, Dependencies& flow,
           const OnHost& on_host);

 private:
  std::size_t groups(bool with_arcs) const;

  const Context& context_;
  const DeviceGraph& graph_;
  std::uint64_t room_;  // bytes
  std::function<bool()> interrupted_;
  std::optional<Program> program_;  // compiled when it is wanted
};

}  // namespace antipode::opencl
