// Searches of parts: see engine/part_searches.hpp.

// The element of the group that is `shift` farther than q: digit by digit, where there are several.
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

#define LANES 64

kernel void next_level(uint order, uint size, uint shifts, global const uint* factors,
                       uint factor_count, global const uint* starts, global const uint2* steps,
                       ulong all, global const ulong* seen, global ulong* next,
                       global Distance* row, uint wants_row, Distance level, global uint* counts) {
  local uint found[LANES];
  for (uint i = get_local_id(0); i < LANES; i += get_local_size(0)) found[i] = 0;
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
    if (wants_row && (fresh & 1)) row[(size_t)q * size + residue] = level;
    for (; fresh != 0; fresh &= fresh - 1) atomic_inc(&found[63 - clz(fresh & -fresh)]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < LANES; i += get_local_size(0))
    if (found[i] != 0) atomic_add(&counts[i], found[i]);
}
