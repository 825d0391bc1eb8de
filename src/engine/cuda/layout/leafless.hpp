// A graph without its leaves, for searches that have nothing to tell of single vertices: leaves, of
// which roads have many, are counted when the vertex they hang on is looked at. Memory: the rows
// that are left, 33 bytes for each of their vertices, and 4 bytes a vertex in the host's memory.
#pragma once

#include <memory>

#include "engine/cuda/layout/packed_rows.hpp"

namespace antipode::cuda {

// Where a search begins: with the first vertex to be looked at, which is as far as that from the
// source itself.
struct BlockSource {
  unsigned entry;  // of a packed row
  Distance level;
};

class Leafless {
 public:
  static std::unique_ptr<const Leafless> of(
      const Context& context, const Graph& graph);  // null: it would hardly be smaller
  static std::uint64_t bytes(const Graph& graph) {
    return DeviceGraph::bytes(graph) + 33 * std::uint64_t{graph.order()};
  }
  GraphView view() const { return graph_.view(); }
  PackedRows rows() const { return {rows_.data(), view().order, hanging_.data()}; }
  BlockSource source(Vertex v) const;

 private:
  Leafless(const Context& context, const Graph& whole, const Graph& left, std::vector<Vertex> place,
           std::vector<unsigned char> count);

  Graph whole_;
  std::vector<Vertex> place_;         // of every vertex; kNoVertex: it is a leaf
  std::vector<unsigned char> count_;  // of leaves at each that is left
  DeviceGraph graph_;
  Buffer<unsigned char> hanging_;  // the same there
  Buffer<uint4> rows_;
};

}  // namespace antipode::cuda
