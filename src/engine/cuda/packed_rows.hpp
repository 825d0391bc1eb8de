// Short rows for searches by a block or by a cluster of blocks: eight neighbours side by side, so that one 32-byte read brings them.
// Memory: 32 bytes a vertex.
#pragma once

#include "engine/cuda/device_graph.hpp"
#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

struct PackedRow {
  static constexpr unsigned kLength = 8;
  static constexpr unsigned kMore = 0x80000000u;   // in the last of them: the row goes on in the graph's own rows
  static constexpr unsigned kNobody = 0xFFFFFFFFu;

  uint4 first, second;

  __device__ static PackedRow nobody() { return {{kNobody, kNobody, kNobody, kNobody}, {kNobody, kNobody, kNobody, kNobody}}; }
  __device__ bool goes_on() const { return second.w != kNobody && (second.w & kMore) != 0; }
  __device__ Vertex last() const { return goes_on() ? second.w & ~kMore : second.w; }
};

Buffer<PackedRow> packed_rows(const Context& context, const GraphView& graph);

}  // namespace antipode::cuda
