// Bounds and candidate sets of all vertices: updates and reductions. A reduction gives one partial
// result per work-group.
kernel void reset(global Distance* lower, global Distance* upper, global uchar* flags, uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order) return;
  lower[v] = 0;
  upper[v] = order;
  flags[v] = CANDIDATE | OUTSIDE;
}

kernel void tighten(global Distance* lower, global Distance* upper, global uchar* flags,
                    global const Distance* distances, Vertex source, Distance eccentricity,
                    Distance farthest, uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order) return;
  const Distance d = distances[v];
  lower[v] = max(lower[v], max(d, eccentricity - d));
  upper[v] = min(upper[v], d + farthest);
  if (v == source) flags[v] |= SEARCHED;
}

kernel void tighten_candidates(global Distance* upper, global const uchar* flags,
                               global const Distance* distances, Distance farthest, uint order) {
  const Vertex v = get_global_id(0);
  if (v < order && (flags[v] & CANDIDATE)) upper[v] = min(upper[v], distances[v] + farthest);
}

#define DROP(v) flags[v] &= SEARCHED

// The candidates that cannot change the answer; the numbers are those of Question.
kernel void prune(global const Distance* lower, global const Distance* upper, global uchar* flags,
                  uint question, Distance max_lower, Distance max_upper, Distance min_upper,
                  uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order) return;
  const Distance low = lower[v], high = upper[v];
  if (low == high || (question == 0 && high <= max_lower && 2 * (ulong)low >= max_upper) ||
      (question == 1 && low >= min_upper) || (question == 2 && low > min_upper) ||
      (question == 3 && high < max_lower))
    DROP(v);
}

kernel void drop(global const Distance* upper, global uchar* flags, Distance limit, uint order) {
  const Vertex v = get_global_id(0);
  if (v < order && upper[v] <= limit) DROP(v);
}

kernel void drop_inside(global uchar* flags, global const Distance* distances, Distance farthest,
                        Distance limit, uint order) {
  const Vertex v = get_global_id(0);
  if (v < order && !(flags[v] & OUTSIDE) && distances[v] + farthest <= limit) DROP(v);
}

kernel void drop_listed(global uchar* flags, global const Vertex* list, uint count) {
  const uint i = get_global_id(0);
  if (i < count) DROP(list[i]);
}

// `around` and `inside`: offset searches from the sources of batches, by their farthest distances
// among candidates and among those outside the ball.
kernel void drop_around(global Distance* upper, global uchar* flags, global const Distance* around,
                        global const Distance* inside, Distance limit, uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order || !(flags[v] & CANDIDATE)) return;
  upper[v] = min(upper[v], around[v]);
  if (upper[v] <= limit || (!(flags[v] & OUTSIDE) && inside[v] <= limit)) DROP(v);
}

kernel void set_ball(global uchar* flags, global const Distance* distances, Distance radius,
                     uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order || !(flags[v] & CANDIDATE)) return;
  flags[v] = distances[v] > radius ? flags[v] | OUTSIDE : flags[v] & ~OUTSIDE;
}

kernel void widen_ball(global uchar* flags, global const Distance* distances,
                       global const Distance* to_clique, Distance radius, uint order) {
  const Vertex v = get_global_id(0);
  if (v < order && distances[v] == radius + 1 && to_clique[v] <= radius) flags[v] &= ~OUTSIDE;
}

// 1 for candidates none of whose neighbours has a smaller lower bound.
kernel void lowest(global const ulong* offsets, global const Vertex* targets,
                   global const Distance* lower, global const uchar* flags, global uchar* marks,
                   uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order) return;
  uchar mark = flags[v] & CANDIDATE;
  for (ulong k = offsets[v]; mark && k < offsets[v + 1]; ++k) mark = lower[targets[k]] >= lower[v];
  marks[v] = mark;
}

// Reduces one value per item over a work-group of 256, in local memory.
#define FOLD(values, value, better)                                                              \
  values[get_local_id(0)] = (value);                                                             \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
  for (uint step = 128; step > 0; step /= 2) {                                                   \
    if (get_local_id(0) < step)                                                                  \
      values[get_local_id(0)] = better(values[get_local_id(0)], values[get_local_id(0) + step]); \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                \
  }
#define STRIDE(v) for (Vertex v = get_global_id(0); v < order; v += get_global_size(0))

inline uint8 census_join(uint8 a, uint8 b) {
  return (uint8)(a.s01 + b.s01, max(a.s2345, b.s2345), min(a.s67, b.s67));
}

// Counts of candidates and of those outside; largest upper bounds of both; largest lower and upper
// bound; least lower and upper bound of all vertices.
kernel void census(global const Distance* lower, global const Distance* upper,
                   global const uchar* flags, global uint8* parts, uint order) {
  local uint8 values[256];
  uint8 mine = (uint8)(0, 0, 0, 0, 0, 0, UNREACHED, UNREACHED);
  STRIDE(v) {
    const Distance low = lower[v], high = upper[v];
    const uint is_candidate = (flags[v] & CANDIDATE) != 0, is_outside = (flags[v] & OUTSIDE) != 0;
    mine = census_join(mine, (uint8)(is_candidate, is_outside, is_candidate * high,
                                     is_outside * high, low, high, low, high));
  }
  FOLD(values, mine, census_join)
  if (get_local_id(0) == 0) parts[get_group_id(0)] = values[0];
}

inline uint2 larger(uint2 a, uint2 b) { return max(a, b); }

// Distances of the farthest candidate and of the farthest outside the ball.
kernel void farthest(global const Distance* distances, global const uchar* flags,
                     global uint2* parts, uint order) {
  local uint2 values[256];
  uint2 mine = (uint2)(0, 0);
  STRIDE(v)
  mine = max(mine, (uint2)(flags[v] & CANDIDATE ? distances[v] : 0,
                           flags[v] & OUTSIDE ? distances[v] : 0));
  FOLD(values, mine, larger)
  if (get_local_id(0) == 0) parts[get_group_id(0)] = values[0];
}

inline uint sum(uint a, uint b) { return a + b; }

kernel void count_beyond(global const Distance* distances, global const uchar* flags,
                         global uint* parts, Distance radius, uint order) {
  local uint values[256];
  uint mine = 0;
  STRIDE(v) mine += (flags[v] & CANDIDATE) && distances[v] > radius;
  FOLD(values, mine, sum)
  if (get_local_id(0) == 0) parts[get_group_id(0)] = values[0];
}

// The rank of a vertex, compared from the left: two keys of the rule, then the degree with the
// smaller number first. LONG_MIN: not eligible.
inline bool below(long4 a, long4 b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}
inline long4 higher(long4 a, long4 b) { return below(a, b) ? b : a; }

// The numbers are those of Select.
kernel void select_best(global const ulong* offsets, global const Distance* lower,
                        global const Distance* upper, global const uchar* flags,
                        global const Distance* distances, global long4* parts, uint rule,
                        uint order) {
  local long4 values[256];
  long4 mine = (long4)(LONG_MIN, LONG_MIN, LONG_MIN, 0);
  STRIDE(v) {
    const uchar wanted = rule == 4 ? OUTSIDE : CANDIDATE;
    if (rule == 5 ? (flags[v] & SEARCHED) != 0 : (flags[v] & wanted) == 0) continue;
    const long low = lower[v], high = upper[v];
    const long first = rule == 0   ? high
                       : rule == 1 ? -low
                       : rule == 2 ? high - low
                       : rule == 3 ? (long)distances[v]
                       : rule == 4 ? high
                                   : -(low + (long)distances[v]);
    const long second = rule == 4 ? low : rule == 5 ? -low : 0;
    mine = higher(mine, (long4)(first, second, ((long)degree_of(offsets, v) << 32) - (long)v, v));
  }
  FOLD(values, mine, higher)
  if (get_local_id(0) == 0) parts[get_group_id(0)] = values[0];
}
