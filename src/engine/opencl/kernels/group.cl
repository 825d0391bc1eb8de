// Searches of deep, thin graphs such as roads, with one work-group per search. Local memory holds a
// bitmap of visited vertices, and the frontier in a ring that holds two consecutive levels. The
// first eight neighbours of every vertex are packed, so that one read brings them all. A frontier
// that overflows the ring is reported.
#define PADDING UNREACHED

typedef struct {
  uint eccentricity, reached, candidates, outside;
  ulong distance_sum;
  ulong overflow;  // the ring was too small: all other fields are undefined
} Result;

// The search, seen from one item of its group.
typedef struct {
  volatile local uint *visited, *found, *farthest;
  local Vertex* ring;
  uint size;         // of the ring, in entries
  uint head, count;  // this level in the ring: first entry, number of entries
  Distance level;
  global const uchar* flags;
  volatile global Distance* lower;
  uint has_flags;  // if not, all vertices are candidates outside the ball
  uint raises;     // whether lower bounds are raised
} State;

inline uint wrap(const State* state, uint place) {
  return place < state->size ? place : place - state->size;
}

// Visits a neighbour: if it is new, it is appended to the next level.
inline void visit(const State* state, Vertex u) {
  if (u == PADDING) return;
  const uint bit = 1u << u % 32;
  if ((state->visited[u / 32] & bit) != 0 || (atomic_or(&state->visited[u / 32], bit) & bit) != 0)
    return;
  const uint place = state->count + atomic_inc(state->found);
  if (place < state->size) state->ring[wrap(state, state->head + place)] = u;
  if (!state->raises) return;
  const Distance d = state->level + 1;
  const uint flags = state->has_flags ? state->flags[u] : CANDIDATE | OUTSIDE;
  if ((flags & CANDIDATE) != 0) state->farthest[0] = d;  // concurrent writes of a level are equal
  if ((flags & OUTSIDE) != 0) state->farthest[1] = d;
  if (state->lower[u] < d) atomic_max(&state->lower[u], d);
}

// `packed`: the first eight neighbours of every vertex, with padding. `marks`: words of the bitmap.
kernel void group_search(global const uint8* packed, global const ulong* offsets,
                         global const Vertex* targets, global const Vertex* sources, uint count,
                         volatile global uint* next, global Result* results,
                         global const uchar* flags, volatile global Distance* lower, uint has_flags,
                         uint raises, uint order, local uint* shared, uint marks, uint ring) {
  local uint found[3], farthest[2], taken;
  const uint me = get_local_id(0), items = get_local_size(0);
  if (me == 0) taken = atomic_inc(next);
  barrier(CLK_LOCAL_MEM_FENCE);
  while (taken < count) {
    const uint which = taken;
    const Vertex source = sources[which];
    State state = {.visited = shared,
                   .found = found,
                   .farthest = farthest,
                   .ring = shared + marks,
                   .size = ring,
                   .count = 1,
                   .flags = flags,
                   .lower = lower,
                   .has_flags = has_flags,
                   .raises = raises};
    for (uint w = me; w < marks; w += items) shared[w] = w == source / 32 ? 1u << source % 32 : 0;
    if (me < 3) found[me] = 0;
    if (me < 2) farthest[me] = 0;
    if (me == 0) shared[marks] = source;
    barrier(CLK_LOCAL_MEM_FENCE);
    Result result = {.reached = 1};
    for (bool more = true; more;) {
      state.found = &found[state.level % 3];
      for (uint i = me; i < state.count; i += items) {
        const Vertex v = state.ring[wrap(&state, state.head + i)];
        const uint8 neighbours = packed[v];
        visit(&state, neighbours.s0);
        visit(&state, neighbours.s1);
        visit(&state, neighbours.s2);
        visit(&state, neighbours.s3);
        if (neighbours.s4 == PADDING) continue;
        visit(&state, neighbours.s4);
        visit(&state, neighbours.s5);
        visit(&state, neighbours.s6);
        visit(&state, neighbours.s7);
        if (neighbours.s7 == PADDING) continue;
        const ulong stop = offsets[v + 1];
        for (ulong k = offsets[v] + 8; k < stop; ++k) visit(&state, targets[k]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint fresh = found[state.level % 3];
      if (me == 0)
        found[(state.level + 2) % 3] = 0;  // of the last level, which all items have read
      result.overflow = state.count + fresh > ring;
      more = fresh != 0 && !result.overflow && state.level < order;
      if (more) {
        state.head = wrap(&state, state.head + state.count);
        state.count = fresh;
        ++state.level;
        result.reached += fresh;
        result.distance_sum += (ulong)state.level * fresh;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) {
      result.eccentricity = state.level;
      result.candidates = farthest[0];
      result.outside = farthest[1];
      results[which] = result;
      taken = atomic_inc(next);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
