// The graph on the GPU, in compressed sparse rows with 64-bit offsets. Each adjacency is padded to
// a multiple of four with the vertex itself, so that one 16-byte read brings four neighbours.
// Neighbours of highest degree come first: a pull meets reached neighbours there soonest. The first
// four neighbours of every vertex are stored once more side by side (`heads`), so that reads of
// neighbouring vertices are coalesced. Memory: 24 bytes per vertex, 4 per arc, the padding; 16
// bytes per vertex more during construction.
#pragma once

#include "engine/cuda/device/context.hpp"

namespace antipode::cuda {

// The graph as kernels see it.
struct GraphView {
  struct Range {
    EdgeOffset begin;
    Vertex degree;
  };
  static constexpr unsigned kDegreeBits = 24;
  // A vertex of this degree or more has the packed degree kLongDegree: its range ends where the
  // next one begins, and includes its padding.
  static constexpr Vertex kLongDegree = (1u << kDegreeBits) - 1;

  Vertex order, max_degree;
  Vertex hub;  // the first vertex of highest degree; kNoVertex if there is none
  EdgeOffset arcs;
  const std::uint64_t* ranges;  // per vertex: begin of its adjacency, and kDegreeBits of its degree
  const Vertex* targets;
  const uint4* heads;  // per vertex: its first four neighbours, padded with itself

  __device__ EdgeOffset begin(Vertex v) const { return ranges[v] >> kDegreeBits; }
  // The range of a vertex of degree below kLongDegree.
  __device__ static Range short_range(std::uint64_t packed) {
    return {packed >> kDegreeBits, static_cast<Vertex>(packed) & kLongDegree};
  }
  __device__ Range range(Vertex v) const { return range(v, ranges[v]); }
  // The same, if `packed` is ranges[v].
  __device__ Range range(Vertex v, std::uint64_t packed) const {
    const Range range = short_range(packed);
    return {range.begin, range.degree < kLongDegree
                             ? range.degree
                             : static_cast<Vertex>(begin(v + 1) - range.begin)};
  }
  __device__ Vertex degree(Vertex v) const { return range(v).degree; }
  // An adjacency in groups of four; the last group may contain the vertex itself as padding.
  __device__ const uint4* quads(const Range& range) const {
    return reinterpret_cast<const uint4*>(targets + range.begin);
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
    return {.order = order_,
            .max_degree = max_degree_,
            .hub = hub_,
            .arcs = arcs_,
            .ranges = ranges_.data(),
            .targets = targets_.data(),
            .heads = heads_.data()};
  }

 private:
  static constexpr std::uint64_t kStaging = 32 << 20;

  Vertex order_, max_degree_ = 0, hub_ = kNoVertex;
  EdgeOffset arcs_;
  Buffer<std::uint64_t> ranges_;
  Buffer<Vertex> targets_;
  Buffer<uint4> heads_;
};

}  // namespace antipode::cuda
