// Searches of voltage graphs (engine/host/part_searches.hpp), one launch per level.

// q + shift in the group of shifts: digit by digit if it has several factors.
inline uint shifted(uint q, uint shift, uint shifts, global const uint* factors,
                    uint factor_count) {
  if (factor_count == 1) return q + shift >= shifts ? q + shift - shifts : q + shift;
  uint result = 0, unit = 1;
  for (uint i = factor_count; i-- > 0;) {
    const uint factor = factors[i], digit = q % factor + shift % factor;
    result += (digit >= factor ? digit - factor : digit) * unit;
    q /= factor;
    shift /= factor;
    unit *= factor;
  }
  return result;
}

#define SOURCES 64

kernel void next_level(uint order, uint size, uint shifts, global const uint* factors,
                       uint factor_count, global const uint* starts, global const uint2* steps,
                       ulong all, global const ulong* seen, global ulong* next,
                       global Distance* distances, uint wants_distances, Distance level,
                       global uint* counts) {
  local uint found[SOURCES];
  for (uint i = get_local_id(0); i < SOURCES; i += get_local_size(0)) found[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint at = get_global_id(0); at < order; at += get_global_size(0)) {
    const uint residue = at / shifts, q = at % shifts;
    const ulong own = seen[at];
    ulong sum = own;
    for (uint k = starts[residue]; k < starts[residue + 1] && sum != all; ++k)
      sum |=
          seen[(size_t)steps[k].y * shifts + shifted(q, steps[k].x, shifts, factors, factor_count)];
    next[at] = sum;
    ulong fresh = sum ^ own;
    if (wants_distances && (fresh & 1)) distances[(size_t)q * size + residue] = level;
    for (; fresh != 0; fresh &= fresh - 1) atomic_inc(&found[63 - clz(fresh & -fresh)]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < SOURCES; i += get_local_size(0))
    if (found[i] != 0) atomic_add(&counts[i], found[i]);
}
