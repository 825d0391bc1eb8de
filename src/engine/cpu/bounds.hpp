// The CPU engine's bounds: the host's, with batches of bit lanes.
#pragma once

#include <functional>

#include "engine/cpu/lanes.hpp"
#include "engine/host/bounds.hpp"

namespace antipode::cpu {

class CpuBounds final : public host::HostBounds {
 public:
  using DistancesOf = std::function<std::span<const Distance>(DistanceHandle)>;
  using Interrupt = std::function<bool()>;
  CpuBounds(const Graph& graph, int threads, DistancesOf distances_of, Lanes& lanes,
            Interrupt interrupted);

  std::vector<SourceOutcome> tighten_from(std::span<const Vertex> sources) override;

 private:
  std::span<const Distance> distances_of(DistanceHandle handle) const override {
    return distances_of_(handle);
  }
  void find_farthest(std::span<const Vertex> sources,
                     const host::FarthestRequest& request) override {
    lanes_.find_farthest(sources, request);
  }

  const Graph& graph_;
  int threads_;
  DistancesOf distances_of_;
  Lanes& lanes_;
  Interrupt interrupted_;
};

}  // namespace antipode::cpu
