// The graph on the GPU: rows with 64-bit offsets, each padded to a multiple of four by the vertex
// itself, so that four neighbours are one read. In each row the neighbours of highest degree come
// first: a pull that looks for somebody reached finds them there soonest; and the first four of
// every row lie side by side once more, so that 32 vertices read them at once. Memory: 24 bytes a
// vertex, 4 an arc, the padding, and 16 bytes a vertex more while it is made.
#pragma once

#include "engine/cuda/device/context.hpp"

namespace antipode::cuda {

// What kernels see.
struct GraphView {
  struct Range {
    EdgeOffset begin;
    Vertex degree;
  };
  static constexpr unsigned kDegreeBits = 24;
  static constexpr Vertex kLongRow =
      (1u << kDegreeBits) - 1;  // rows as long as this or longer end where the next one begins

  Vertex order, max_degree,
      hub;  // the hub: the first vertex of highest degree, kNoVertex where there is none
  EdgeOffset arcs;
  const std::uint64_t*
      rows;  // of each vertex: where its row begins, and in the last kDegreeBits its length
  const Vertex* targets;
  const uint4* heads;  // the first four neighbours of each vertex; itself where there are fewer

  __device__ EdgeOffset begin(Vertex v) const { return rows[v] >> kDegreeBits; }
  __device__ static Range short_row(std::uint64_t packed) {
    return {packed >> kDegreeBits, static_cast<Vertex>(packed) & kLongRow};
  }
  __device__ Range row(Vertex v) const { return row(v, rows[v]); }
  __device__ Range row(Vertex v, std::uint64_t packed) const {  // from what `rows` says of it
    const Range row = short_row(packed);
    return {row.begin,
            row.degree < kLongRow ? row.degree : static_cast<Vertex>(begin(v + 1) - row.begin)};
  }
  __device__ Vertex degree(Vertex v) const { return row(v).degree; }
  // A row four by four; the last may hold the vertex itself.
  __device__ const uint4* quads(const Range& row) const {
    return reinterpret_cast<const uint4*>(targets + row.begin);
  }
  __host__ __device__ static Vertex quad_count(Vertex degree) { return (degree + 3) / 4; }
};

class DeviceGraph {
 public:
  DeviceGraph(const Context& context, const Graph& graph);
  static std::uint64_t bytes(const Graph& graph) {
    return (std::uint64_t{graph.order()} + 1) * (24 + 12 + 16) + graph.arcs() * sizeof(Vertex) +
           kStaging;
  }
  std::size_t positions() const { return targets_.size(); }  // of arcs, padding included
  GraphView view() const {
    return {order_, max_degree_, hub_, arcs_, rows_.data(), targets_.data(), heads_.data()};
  }

 private:
  static constexpr std::uint64_t kStaging = 32 << 20;

  Vertex order_, max_degree_ = 0, hub_ = kNoVertex;
  EdgeOffset arcs_;
  Buffer<std::uint64_t> rows_;
  Buffer<Vertex> targets_;
  Buffer<uint4> heads_;
};

}  // namespace antipode::cuda
