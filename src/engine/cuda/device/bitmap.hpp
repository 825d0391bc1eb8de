// Bitmaps of vertices: one bit per vertex, in 32-bit words.
#pragma once

#include "antipode/graph.hpp"

namespace antipode::cuda {

// Groups of four 32-bit words in a bitmap of all vertices.
__host__ __device__ constexpr unsigned bitmap_quads(Vertex order) { return order / 128 + 1; }

__device__ inline bool is_in(const unsigned* bitmap, Vertex v) {
  return (bitmap[v / 32] >> v % 32 & 1) != 0;
}

}  // namespace antipode::cuda
