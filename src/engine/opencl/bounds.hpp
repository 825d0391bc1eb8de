// Eccentricity bounds and candidate sets of all vertices, resident on the device. A request is one
// or two kernels over all vertices; a few numbers per work-group come back. Memory: 9 bytes per
// vertex, 8 more for batches.
#pragma once

#include "engine/opencl/lanes.hpp"
#include "engine/opencl/traversal.hpp"

namespace antipode::opencl {

class ClBounds final : public EccentricityBounds, public CandidateSets {
 public:
  using DistancesOf = std::function<const Buffer<Distance>&(DistanceHandle)>;
  ClBounds(const Context& context, const DeviceGraph& graph, DistancesOf distances_of,
           Traversal& traversal, Lanes& lanes);
  static constexpr Footprint kFootprint{9 + 8, 0};

  void reset() override;
  void tighten(DistanceHandle distances, Vertex source, Distance eccentricity,
               Distance farthest) override;
  std::vector<SourceOutcome> tighten_from(std::span<const Vertex> sources) override;
  BoundsSummary summary() const override;
  Vertex prune(Question question) override;
  Vertex select(Select rule, DistanceHandle distances) const override;
  std::vector<Vertex> lowest(std::size_t most) const override;
  void copy(std::span<Distance> lower, std::span<Distance> upper) const override;
  void restore(std::span<const Distance> lower, std::span<const Distance> upper) override;

  Census census() const override;
  bool contains(Vertex candidate) const override;
  std::vector<Vertex> sample(Among among, std::size_t most, std::uint64_t seed) const override;
  Distance farthest_in(Among among, DistanceHandle distances) const override;
  void eliminate(DistanceHandle distances, Among among, Distance farthest, Distance limit) override;
  void drop(Distance limit) override;
  void drop_pendant_paths() override;
  void drop_twins() override;
  void set_ball(DistanceHandle center, Distance radius) override;
  void widen_ball(DistanceHandle center, Distance radius, std::span<const Vertex> clique) override;
  std::size_t choose_ball(std::span<const DistanceHandle> centers, Distance radius) override;
  std::vector<FarthestDistance> farthest_from(std::span<const Vertex> sources) override;
  void eliminate_around(std::span<const Vertex> sources, std::span<const FarthestDistance> farthest,
                        Distance limit) override;

 private:
  // All counts and extremes over the vertices, found in one pass and valid until the sets change.
  // As in bounds.cl.
  struct DeviceCensus {
    Vertex candidates = 0, outside = 0;
    Distance max_upper_candidates = 0, max_upper_outside = 0, max_lower = 0, max_upper = 0,
             min_lower = kUnreached, min_upper = kUnreached;
  };
  struct Rank {
    std::int64_t first, second, third, vertex;
  };
  const DeviceCensus& counts() const;
  template <class... Arguments>
  void run_change(const char* kernel, const Arguments&... arguments);
  std::vector<Vertex> list_marked(unsigned char mask, const Buffer<unsigned char>& marks,
                                  std::size_t most) const;
  void drop_vertices(std::span<const Vertex> dropped);
  Vertex order() const { return graph_.order(); }
  Range fold_range() const;

  const Context& context_;
  const DeviceGraph& graph_;
  DistancesOf distances_of_;
  Traversal& traversal_;
  Lanes& lanes_;
  Program kernels_;
  Buffer<Distance> lower_, upper_;
  Buffer<unsigned char> flags_;
  Buffer<Distance> around_, inside_;  // allocated by the first batch or wide ball
  Buffer<DeviceCensus> censuses_;
  Buffer<FarthestDistance> farthest_;
  Buffer<Vertex> counts_;
  Buffer<Rank> ranks_;
  host::BatchOffsets starts_;  // of the offset searches in around_
  mutable DeviceCensus census_;
  mutable bool census_known_ = false;
};

}  // namespace antipode::opencl
