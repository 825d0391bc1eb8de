// Sets of 128 bit lanes.
#pragma once

namespace antipode::cuda {

__device__ inline uint4 operator|(uint4 a, uint4 b) {
  return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w};
}
__device__ inline uint4 operator-(uint4 a, uint4 b) {
  return {a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w};
}  // set difference
__device__ inline bool operator==(uint4 a, uint4 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
__device__ inline bool any(uint4 a) { return (a.x | a.y | a.z | a.w) != 0; }
__device__ inline unsigned count(uint4 a) {
  return static_cast<unsigned>(__popc(a.x) + __popc(a.y) + __popc(a.z) + __popc(a.w));
}
__device__ inline uint4 shuffled_xor(uint4 a, unsigned step) {
  return {__shfl_xor_sync(~0u, a.x, step), __shfl_xor_sync(~0u, a.y, step),
          __shfl_xor_sync(~0u, a.z, step), __shfl_xor_sync(~0u, a.w, step)};
}
__device__ inline uint4 shuffled(uint4 a, unsigned from) {
  return {__shfl_sync(~0u, a.x, from), __shfl_sync(~0u, a.y, from), __shfl_sync(~0u, a.z, from),
          __shfl_sync(~0u, a.w, from)};
}

// The bit lanes in use, of group number `group`.
__device__ inline uint4 full_word(unsigned lanes, unsigned group) {
  unsigned words[4];
  for (unsigned w = 0; w < 4; ++w) {
    const unsigned first = group * 128 + w * 32;
    words[w] = lanes >= first + 32 ? ~0u : lanes <= first ? 0 : (1u << (lanes - first)) - 1;
  }
  return {words[0], words[1], words[2], words[3]};
}

}  // namespace antipode::cuda
