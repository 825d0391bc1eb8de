// Eccentricity bounds and candidate sets of all vertices, resident on the device beside the rows.
// Every request is a kernel or two over all vertices, and what comes back is a handful of numbers a
// work-group. Memory: 9 bytes a vertex, 8 more for batches.
#pragma once

#include "engine/opencl/lanes.hpp"
#include "engine/opencl/traversal.hpp"

namespace antipode::opencl {

class ClBounds final : public Bounds {
 public:
  using RowOf = std::function<const Buffer<Distance>&(Row)>;
  ClBounds(const Context& context, const DeviceGraph& graph, RowOf row_of, Traversal& traversal,
           Lanes& lanes);
  static constexpr Footprint kFootprint{9 + 8, 0};

  void reset() override;
  void tighten(Row row, Vertex source, Distance eccentricity, Distance reach) override;
  BoundsSummary summary() const override;
  Vertex prune(Question question) override;
  Vertex select(Select rule, Row row) const override;
  void copy(std::span<Distance> lower, std::span<Distance> upper) const override;
  void restore(std::span<const Distance> lower, std::span<const Distance> upper) override;
  Vertex count(Among among) const override;
  bool is_candidate(Vertex v) const override;
  Distance max_upper(Among among) const override;
  Distance reach(Row row, Among among) const override;
  void tighten_candidates(Row row, Distance reach) override;
  void drop(Distance limit) override;
  void drop_inside(Row row, Distance reach, Distance limit) override;
  std::vector<Vertex> count_beyond(std::span<const Row> rows, Distance radius) const override;
  void set_ball(Row row, Distance radius) override;
  void widen_ball(Row row, Distance radius, std::span<const Vertex> clique) override;
  Vertex drop_stems() override;
  Vertex drop_twins() override;
  std::vector<Vertex> lowest(std::size_t most) const override;
  std::vector<Settled> settle(std::span<const Vertex> sources) override;
  std::size_t batch_size() const override { return lanes_.most(); }
  std::vector<Vertex> sample(Among among, std::size_t most, std::uint64_t seed) const override;
  std::vector<Reach> reach(std::span<const Vertex> sources) override;
  void drop_around(std::span<const Vertex> sources, std::span<const Reach> reaches,
                   Distance limit) override;

 private:
  // Everything that is counted over all vertices, found in one pass and remembered until something
  // changes. As the kernel has it.
  struct Census {
    Vertex candidates = 0, outside = 0;
    Distance max_upper_candidates = 0, max_upper_outside = 0, max_lower = 0, max_upper = 0,
             min_lower = kUnreached, min_upper = kUnreached;
  };
  struct Rank {
    std::int64_t first, second, third, vertex;
  };
  const Census& census() const;
  template <class... Arguments>
  void change(const char* kernel, const Arguments&... arguments);
  std::vector<Vertex> those(unsigned char mask, const Buffer<unsigned char>& marks,
                            std::size_t most) const;
  void drop_listed(std::span<const Vertex> leaving);
  Vertex order() const { return graph_.order(); }
  Range fold_range() const;

  const Context& context_;
  const DeviceGraph& graph_;
  RowOf row_of_;
  Traversal& traversal_;
  Lanes& lanes_;
  Program kernels_;
  Buffer<Distance> lower_, upper_;
  Buffer<unsigned char> flags_;
  Buffer<Distance> around_, inside_;  // made when a batch or a wider ball wants them
  Buffer<Census> censuses_;
  Buffer<Reach> reaches_;
  Buffer<Vertex> counts_;
  Buffer<Rank> ranks_;
  BatchStarts starts_;  // whose waves are in around_
  mutable Census census_;
  mutable bool census_known_ = false;
};

}  // namespace antipode::opencl
