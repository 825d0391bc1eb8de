// The searches of Penders' thesis (2012) on a device, on a list of edges. Memory: 9 bytes per edge,
// 13 per vertex.
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
  EdgeRun search(Vertex source, const EdgeSettings& settings,
                 std::vector<Distance>& distances) override;
  Relaxed relaxed(Vertex source, const EdgeSettings& settings) override;
  EdgeRun all_pairs(std::span<const Vertex> sources, const EdgeSettings& settings,
                    const DistanceSink& sink) override;

  // The distances stay on the device, and passes are not counted.
  EdgeRun search(Vertex source, const EdgeSettings& settings, const Buffer<Distance>& distances);

 private:
  Range range(const EdgeSettings& settings) const;
  void clear();
  void start(Vertex source, const Buffer<Distance>& distances);
  std::size_t test_concurrent_groups() const;
  void run_local(Range range, const Buffer<Distance>& distances);
  bool run_global(Range range, const Buffer<Distance>& distances);
  void run_host(Range range, const Buffer<Distance>& distances);
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
  // 1 after a group gave up waiting.
  std::size_t known_groups_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace antipode::opencl
