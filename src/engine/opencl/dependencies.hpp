// Dependencies of vertices and arcs, with one work-group per source [Brandes 2001; Penders 2012,
// Algorithm 7]. Memory: 36 bytes per vertex and group, and 8 per arc and group if arcs are wanted;
// as many groups as fit.
#pragma once

#include "engine/opencl/device_graph.hpp"

namespace antipode::opencl {

class DependencyBatches {
 public:
  DependencyBatches(const Context& context, const DeviceGraph& graph, std::uint64_t room,
                    std::function<bool()> interrupted);

  static constexpr Footprint kGroup{36, 0}, kGroupWithArcs{36, 8};
  static std::size_t most_groups(const Device& device) {
    return std::size_t{device.units} * (device.is_cpu ? 1 : 2);
  }
  bool fits(bool with_arcs) const;
  // Adds the dependencies of the sources. A block of sources that has more paths than a double
  // counts goes to `on_host`.
  using OnHost = std::function<void(std::span<const Vertex> sources, Dependencies& sums)>;
  void add(std::span<const Vertex> sources, std::span<const double> weights, Dependencies& sums,
           const OnHost& on_host);

 private:
  struct Memory;
  std::size_t groups(bool with_arcs) const;
  std::vector<unsigned char> run(const Memory& memory, std::span<const Vertex> batch,
                                 std::uint32_t block, bool with_arcs) const;
  void add_up(const Memory& memory, std::size_t first, std::size_t last) const;

  const Context& context_;
  const DeviceGraph& graph_;
  std::uint64_t room_;  // bytes
  std::function<bool()> interrupted_;
  std::optional<Program> program_;  // compiled by the first request
};

}  // namespace antipode::opencl
