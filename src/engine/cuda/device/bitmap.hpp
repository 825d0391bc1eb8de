// Bitmaps of vertices.
#pragma once

#include "antipode/graph.hpp"

namespace antipode::cuda {

__host__ __device__ constexpr unsigned bitmap_quads(Vertex order) {
  return order / 128 + 1;
}  // four words of 32 vertices each

__device__ inline bool is_in(const unsigned* bitmap, Vertex v) {
  return (bitmap[v / 32] >> v % 32 & 1) != 0;
}

}  // namespace antipode::cuda
