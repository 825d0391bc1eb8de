// The thesis's searches on a device. Memory: 9 bytes an edge, 13 a vertex.
#pragma once

#include <algorithm>
#include <limits>

#include "engine/host/edge_search.hpp"
#include "engine/opencl/context.hpp"

namespace antipode::opencl {

class DeviceEdges : public EdgeSearches {
 public:
  DeviceEdges(const Context& context, Vertex order, std::span<const Edge> edges,
              std::function<bool()> interrupted);
  static constexpr Footprint kFootprint{13, 9};

  const DeviceInfo& device() const override { return context_.device().info; }
  std::size_t most_groups() const override;
  std::size_t most_items() const override {
    return std::min({kernels_.most_items("edge_local"), kernels_.most_items("edge_global"),
                     kernels_.most_items("edge_host")});
  }
  EdgeRun search(Vertex source, const EdgeSettings& settings, std::vector<Distance>& row) override;
  Relaxed relaxed(Vertex source, const EdgeSettings& settings) override;
  EdgeRun all_pairs(std::span<const Vertex> sources, const EdgeSettings& settings,
                    const DistanceSink& sink) override;

  // The row stays on the device, and passes are not counted.
  EdgeRun search(Vertex source, const EdgeSettings& settings, const Buffer<Distance>& row);

 private:
  Range range(const EdgeSettings& settings) const;
  void clear();
  void start(Vertex source, const Buffer<Distance>& row);
  std::size_t seen_side_by_side() const;
  void run_local(Range range, const Buffer<Distance>& row);
  bool run_global(Range range, const Buffer<Distance>& row);
  void run_host(Range range, const Buffer<Distance>& row);
  std::uint32_t levels_at_once(std::size_t items) const;

  const Context& context_;
  Vertex order_;
  std::uint64_t edges_;
  std::function<bool()> interrupted_;
  Program kernels_;
  Buffer<Vertex> from_, to_;
  Buffer<unsigned char> visited_;
  Buffer<Vertex> in_counts_, out_counts_;
  Buffer<std::uint32_t> control_;
  std::size_t most_ =
      std::numeric_limits<std::size_t>::max();  // groups; 1 after one waited in vain
};

}  // namespace antipode::opencl
