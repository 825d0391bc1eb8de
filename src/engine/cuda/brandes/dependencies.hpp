// Dependencies of vertices and arcs (Brandes 2001) for many sources at once. Thread i of a warp
// belongs to source i of a group of 32, so that one read brings the path counts of a vertex for all
// of them [Then et al., PVLDB 8(4), 2014]. One launch: the forward phase counts paths level by
// level. It pushes a frontier of few arcs, then counts the paths of what it found; otherwise every
// vertex that lacks a source pulls its neighbours. A level is a list of vertices, each with a mask
// of the sources that reach it there, and the backward phase reads only these lists. One warp (one
// block for wide degrees) forms each sum in the order of the adjacency: the same request gives the
// same bits. Memory: 792 bytes per vertex and group, and 8 per arc and group if arcs are wanted; as
// many groups as fit.
#pragma once

#include <functional>

#include "engine/cuda/layout/device_graph.hpp"

namespace antipode::cuda {

struct DependencyControl;

class DependencyBatches {
 public:
  // `into`: the adjacency of entering arcs. `positions`: entries of the padded adjacency of
  // `graph`.
  DependencyBatches(const Context& context, const GraphView& graph, const GraphView& into,
                    std::size_t positions, std::function<bool()> interrupted);
  ~DependencyBatches();

  bool fits(bool with_arcs, std::uint64_t room) const {
    return groups_ > 0 || bytes_of_group(with_arcs) <= room;
  }
  // Adds the dependencies of the sources, except for those it returns: a double cannot count their
  // paths. `room`: bytes that may be used.
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
  std::size_t groups_ = 0;          // for which there is memory
  Buffer<double> paths_, share_;    // by group, vertex and source
  Buffer<double> through_, along_;  // by group and vertex; by group and position of the arc
  Buffer<double> weights_, vertices_, arcs_;
  Buffer<unsigned> masks_;  // four sets of source masks, by group and vertex
  Buffer<uint2> entries_;
  Buffer<unsigned> wide_entries_;
  Buffer<ulonglong2> starts_;
  Buffer<Vertex> sources_, wide_;  // wide: vertices of wide degree
  Vertex wide_count_ = 0;
  Buffer<DependencyControl> control_;
};

}  // namespace antipode::cuda
