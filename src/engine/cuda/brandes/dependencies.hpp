// What passes through every vertex along shortest paths, many sources at once: lane i of a warp
// belongs to source i of a group of 32, so that the path counts of a vertex are read for all of
// them together.  [Brandes 2001; Then et al., PVLDB 8(4), 2014] Forward, level by level, in one
// launch: a frontier of few arcs is pushed and what it found then counts its paths; against a wide
// one every vertex that lacks a source looks at its whole row. A level is a list of vertices and
// which sources reach them there, so that the way back touches nothing else. Every sum is formed by
// one warp (or one block, of a long row) in the order of the row: the same request gives the same
// bits. Memory: 784 bytes a vertex and group, and 8 an arc and group where arcs are wanted; as many
// groups as there is room for.
#pragma once

#include <functional>

#include "engine/cuda/layout/device_graph.hpp"

namespace antipode::cuda {

struct DependencyControl;

class DependencyBatches {
 public:
  // `into` holds the rows of arcs that end at a vertex; `positions`: places in the padded rows of
  // `graph`.
  DependencyBatches(const Context& context, const GraphView& graph, const GraphView& into,
                    std::size_t positions, std::function<bool()> interrupted);
  ~DependencyBatches();

  bool fits(bool with_arcs, std::uint64_t room) const {
    return groups_ > 0 || bytes_of_group(with_arcs) <= room;
  }
  // Adds the dependencies of the sources, but for those it returns: they have more paths than a
  // double counts. `room`: bytes that may be used.
  std::vector<Vertex> add(std::span<const Vertex> sources, const Graph& host_graph,
                          std::uint64_t room, Dependencies& sums);

 private:
  static constexpr unsigned kGroup = 32, kMostGroups = 32;
  std::uint64_t bytes_of_group(bool with_arcs) const;
  void make_room(std::size_t groups, bool with_arcs);
  void run(std::span<const Vertex> sources, std::size_t groups, bool with_arcs);
  void add_arcs(const Graph& host_graph, Dependencies& sums) const;

  const Context& context_;
  GraphView graph_, into_;
  std::size_t positions_;
  std::function<bool()> interrupted_;
  std::size_t groups_ = 0;          // that there is room for
  Buffer<double> paths_, share_;    // by group, vertex and lane
  Buffer<double> through_, along_;  // by group and vertex; by group and place of the arc
  Buffer<double> weights_, vertices_, arcs_;
  Buffer<unsigned> masks_;  // four sets of lanes, by group and vertex
  Buffer<uint2> entries_;
  Buffer<unsigned> wide_entries_;
  Buffer<ulonglong2> starts_;
  Buffer<Vertex> sources_, wide_;  // wide: vertices with long rows
  Vertex wide_count_ = 0;
  Buffer<DependencyControl> control_;
};

}  // namespace antipode::cuda
