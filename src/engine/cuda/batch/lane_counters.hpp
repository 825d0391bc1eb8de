// How many vertices every lane of a batch has come to in a level, counted in a block's shared
// memory.
#pragma once

#include "engine/cuda/batch/lane_words.hpp"
#include "engine/cuda/device/warp.hpp"

namespace antipode::cuda {

template <unsigned kGroups>
struct LaneCounters {
  unsigned* counters;  // one a lane

  static constexpr unsigned kSize = 32 * (kGroups * 4 + 1);
  __device__ static unsigned place(unsigned word, unsigned bit) {
    return bit * (kGroups * 4 + 1) + word;
  }

  // One by one where few came: each thread begins with another bit, and counters lie so that these
  // are in 32 banks.
  __device__ void add(unsigned word, unsigned bits) const {
    const unsigned first = lane() / kGroups;
    for (bits = __funnelshift_r(bits, bits, first); bits != 0; bits &= bits - 1)
      atomicAdd(&counters[place(word, (__ffs(bits) - 1 + first) % 32)], 1u);
  }
  __device__ void add(unsigned group, uint4 fresh) const {
    add(group * 4, fresh.x);
    add(group * 4 + 1, fresh.y);
    add(group * 4 + 2, fresh.z);
    add(group * 4 + 3, fresh.w);
  }

  // Where many came, the vertices of a warp are added up first, 32 lanes at a time in planes of
  // bits: the thread of slot w, for w below four, has the sums for word w of its group, and keeps
  // them as bytes, of lanes j, j + 8, j + 16 and j + 24 in bytes[j]. 32 vertices are no more than a
  // byte holds; then all goes to the counters. All threads of the warp come here together, with
  // nothing where they have no vertex.
  static constexpr unsigned kSlots = kWarp / kGroups, kFew = 6;
  struct Kept {
    unsigned bytes[8] = {};
    bool any = false;  // the same for the whole warp
  };
  __device__ void keep(unsigned group, uint4 fresh, Kept& kept) const {
    const unsigned most = __reduce_max_sync(~0u, static_cast<unsigned>(count(fresh)));
    if (most <= kFew) {
      if (most > 0) add(group, fresh);
      return;
    }
    constexpr unsigned kPlanes = kSlots == 4 ? 3 : kSlots == 8 ? 4 : kSlots == 16 ? 5 : 6;
    const unsigned words[4] = {fresh.x, fresh.y, fresh.z, fresh.w};
    unsigned mine[kPlanes] = {};
#pragma unroll
    for (unsigned w = 0; w < 4; ++w) {
      unsigned planes[kPlanes] = {words[w]};
#pragma unroll
      for (unsigned used = 1; used < kPlanes; ++used) {
        unsigned carry = 0;
#pragma unroll
        for (unsigned p = 0; p < used; ++p) {
          const unsigned other = __shfl_xor_sync(~0u, planes[p], kGroups << (used - 1)),
                         differ = planes[p] ^ other;
          const unsigned sum = differ ^ carry;
          carry = (planes[p] & other) | (carry & differ);
          planes[p] = sum;
        }
        planes[used] = carry;
      }
      if (lane() / kGroups == w)
        for (unsigned p = 0; p < kPlanes; ++p) mine[p] = planes[p];
    }
#pragma unroll
    for (unsigned j = 0; j < 8; ++j)
      for (unsigned p = 0; p < kPlanes; ++p) kept.bytes[j] += (mine[p] >> j & 0x01010101u) << p;
    kept.any = true;
  }
  __device__ void add(unsigned group, const Kept& kept) const {
    if (!kept.any) return;
    const unsigned word = group * 4 + lane() / kGroups;
#pragma unroll
    for (unsigned j = 0; j < 8; ++j)
      for (unsigned k = 0; k < 4; ++k)
        if (const unsigned lanes = kept.bytes[j] >> 8 * k & 0xFF; lanes != 0)
          atomicAdd(&counters[place(word, j + 8 * k)], lanes);
  }
};

}  // namespace antipode::cuda
