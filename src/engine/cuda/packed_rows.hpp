// Short rows for searches by a block or by a cluster of blocks: eight neighbours in two halves of 16 bytes. Each neighbour's entry says how much there is to
// read of its own row: on roads hardly ever more than the first half. All first halves lie together, so that vertices with neighbouring numbers share a read.
// Memory: 32 bytes a vertex.
#pragma once

#include "engine/cuda/device_graph.hpp"
#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

struct PackedRow {
  static constexpr unsigned kHalf = 4, kLength = 8;
  // Flags of an entry: its vertex has more than kHalf neighbours, more than kLength.
  static constexpr unsigned kWide = 1u << 30, kLong = 1u << 31;
  // Between the vertex and these: how many leaves hang on it that are not in the rows. A graph that needs the place does not fit shared memory.
  static constexpr unsigned kVertices = 1u << 25, kMostHanging = kWide / kVertices - 1;
  static constexpr unsigned kNobody = 0xFFFFFFFFu;

  __host__ __device__ static unsigned hanging(unsigned count) { return count * kVertices; }
  __device__ static unsigned hanging_of(unsigned entry) { return entry / kVertices & kMostHanging; }
  __device__ static Vertex vertex_of(unsigned entry) { return entry % kVertices; }
  __host__ __device__ static unsigned entry_of(Vertex v) { return v | kWide | kLong; }  // for those who have not looked
  __device__ static unsigned entry_of(Vertex v, Vertex degree) { return v | (degree > kHalf ? kWide : 0) | (degree > kLength ? kLong : 0); }
  __device__ static uint4 nobody() { return {kNobody, kNobody, kNobody, kNobody}; }
};

struct PackedRows {
  const uint4* halves = nullptr;         // the first ones of all vertices, then the second ones
  Vertex order = 0;
  const unsigned char* hanging = nullptr;  // how many leaves hang on each that are not there; null: none
  __device__ const uint4& first(Vertex v) const { return halves[v]; }
  __device__ const uint4& second(Vertex v) const { return halves[std::size_t{order} + v]; }
};

Buffer<uint4> packed_rows(const Context& context, const GraphView& graph, const unsigned char* hanging = nullptr);

// A shortest path to `to`, found backwards, in a graph whose arcs have no direction; empty if there is none.
std::vector<Vertex> walked_back(const Context& context, const GraphView& graph, PackedRows rows, const Distance* distances, Vertex to);

}  // namespace antipode::cuda
