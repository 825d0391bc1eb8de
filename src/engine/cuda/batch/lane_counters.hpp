// Counts in shared memory, for one level, how many vertices each bit lane has reached.
#pragma once

#include "engine/cuda/batch/lane_words.hpp"
#include "engine/cuda/device/warp.hpp"

namespace antipode::cuda {

template <unsigned kGroups>
struct LaneCounters {
  unsigned* counters;  // one per bit lane

  static constexpr unsigned kSize = 32 * (kGroups * 4 + 1);
  __device__ static unsigned place(unsigned word, unsigned bit) {
    return bit * (kGroups * 4 + 1) + word;
  }

  // Few new bits: one atomic operation each. Each thread begins with another bit, and the counters
  // are placed so that these lie in 32 banks.
  __device__ void add(unsigned word, unsigned bits) const {
    const unsigned first = thread_of_warp() / kGroups;
    for (bits = __funnelshift_r(bits, bits, first); bits != 0; bits &= bits - 1)
      atomicAdd(&counters[place(word, (__ffs(bits) - 1 + first) % 32)], 1u);
  }
  __device__ void add(unsigned group, uint4 new_bits) const {
    add(group * 4, new_bits.x);
    add(group * 4 + 1, new_bits.y);
    add(group * 4 + 2, new_bits.z);
    add(group * 4 + 3, new_bits.w);
  }

  // Many new bits: the vertices of a warp are added first, 32 bit lanes at a time, in bit planes.
  // The thread of slot w < 4 gets the sums of word w of its group and keeps them as bytes: those of
  // bit lanes j, j + 8, j + 16 and j + 24 in bytes[j]. A byte can hold the sum of 32 vertices; then
  // `add` moves all to the counters. Called by all threads of the warp, with empty words where
  // there is no vertex.
  static constexpr unsigned kSlots = kWarp / kGroups, kFew = 6;
  struct PendingCounts {
    unsigned bytes[8] = {};
    bool any = false;  // equal in all threads of the warp
  };
  __device__ void add_pending(unsigned group, uint4 new_bits, PendingCounts& pending) const {
    const unsigned most = __reduce_max_sync(~0u, static_cast<unsigned>(count(new_bits)));
    if (most <= kFew) {
      if (most > 0) add(group, new_bits);
      return;
    }
    constexpr unsigned kPlanes = kSlots == 4 ? 3 : kSlots == 8 ? 4 : kSlots == 16 ? 5 : 6;
    const unsigned words[4] = {new_bits.x, new_bits.y, new_bits.z, new_bits.w};
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
      if (thread_of_warp() / kGroups == w)
        for (unsigned p = 0; p < kPlanes; ++p) mine[p] = planes[p];
    }
#pragma unroll
    for (unsigned j = 0; j < 8; ++j)
      for (unsigned p = 0; p < kPlanes; ++p) pending.bytes[j] += (mine[p] >> j & 0x01010101u) << p;
    pending.any = true;
  }
  __device__ void add(unsigned group, const PendingCounts& pending) const {
    if (!pending.any) return;
    const unsigned word = group * 4 + thread_of_warp() / kGroups;
#pragma unroll
    for (unsigned j = 0; j < 8; ++j)
      for (unsigned k = 0; k < 4; ++k)
        if (const unsigned vertices = pending.bytes[j] >> 8 * k & 0xFF; vertices != 0)
          atomicAdd(&counters[place(word, j + 8 * k)], vertices);
  }
};

}  // namespace antipode::cuda
