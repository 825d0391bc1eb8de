// Searches of deep, thin graphs, such as roads: a work-group a search. What it needs at every level
// lies in its local memory: who was visited (a bit a vertex) and the frontier (a ring that holds
// two consecutive levels). Rows are packed, so that one read brings eight neighbours. A frontier
// that outgrows the ring is noticed.
#define NOBODY UNREACHED

typedef struct {
  uint eccentricity, reached, candidates, outside;
  ulong distance_sum;
  ulong overflow;  // the ring was too small: nothing else here counts
} Result;

// The search as its group sees it.
typedef struct {
  volatile local uint *visited, *found, *hits;
  local Vertex* ring;
  uint size, head,
      count;  // of the ring: entries, where this level starts in it, and how many it has
  Distance level;
  global const uchar* flags;
  volatile global Distance* lower;
  uint flagged, reaches;  // whether there are flags (if not, everyone is a candidate outside the
                          // ball), and bounds to raise
} State;

inline uint wrapped(const State* state, uint place) {
  return place < state->size ? place : place - state->size;
}

// An unvisited vertex enters the ring behind this level.
inline void offer(const State* state, Vertex u) {
  if (u == NOBODY) return;
  const uint bit = 1u << u % 32;
  if ((state->visited[u / 32] & bit) != 0 || (atomic_or(&state->visited[u / 32], bit) & bit) != 0)
    return;
  const uint place = state->count + atomic_inc(state->found);
  if (place < state->size) state->ring[wrapped(state, state->head + place)] = u;
  if (!state->reaches) return;
  const Distance d = state->level + 1;
  const uint flags = state->flagged ? state->flags[u] : CANDIDATE | OUTSIDE;
  if ((flags & CANDIDATE) != 0)
    state->hits[0] = d;  // whoever else writes in this level, writes the same
  if ((flags & OUTSIDE) != 0) state->hits[1] = d;
  if (state->lower[u] < d) atomic_max(&state->lower[u], d);
}

// `rows`: the first eight neighbours of every vertex. `marks`: words of a bit a vertex.
kernel void group_search(global const uint8* rows, global const ulong* offsets,
                         global const Vertex* targets, global const Vertex* sources, uint count,
                         volatile global uint* next, global Result* results,
                         global const uchar* flags, volatile global Distance* lower, uint flagged,
                         uint reaches, uint order, local uint* shared, uint marks, uint ring) {
  local uint found[3], hits[2], taken;
  const uint me = get_local_id(0), items = get_local_size(0);
  if (me == 0) taken = atomic_inc(next);
  barrier(CLK_LOCAL_MEM_FENCE);
  while (taken < count) {
    const uint which = taken;
    const Vertex source = sources[which];
    State state = {shared, found, hits,  shared + marks, ring,    0,
                   1,      0,     flags, lower,          flagged, reaches};
    for (uint w = me; w < marks; w += items) shared[w] = w == source / 32 ? 1u << source % 32 : 0;
    if (me < 3) found[me] = 0;
    if (me < 2) hits[me] = 0;
    if (me == 0) shared[marks] = source;
    barrier(CLK_LOCAL_MEM_FENCE);
    Result result = {0, 1, 0, 0, 0, 0};
    for (bool more = true; more;) {
      state.found = &found[state.level % 3];
      for (uint i = me; i < state.count; i += items) {
        const Vertex v = state.ring[wrapped(&state, state.head + i)];
        const uint8 row = rows[v];
        offer(&state, row.s0);
        offer(&state, row.s1);
        offer(&state, row.s2);
        offer(&state, row.s3);
        if (row.s4 == NOBODY) continue;
        offer(&state, row.s4);
        offer(&state, row.s5);
        offer(&state, row.s6);
        offer(&state, row.s7);
        if (row.s7 == NOBODY) continue;
        const ulong stop = offsets[v + 1];
        for (ulong k = offsets[v] + 8; k < stop; ++k) offer(&state, targets[k]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint fresh = found[state.level % 3];
      if (me == 0) found[(state.level + 2) % 3] = 0;  // of the last level, which all have read
      result.overflow = state.count + fresh > ring;
      more = fresh != 0 && !result.overflow && state.level < order;
      if (more) {
        state.head = wrapped(&state, state.head + state.count);
        state.count = fresh;
        ++state.level;
        result.reached += fresh;
        result.distance_sum += (ulong)state.level * fresh;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) {
      result.eccentricity = state.level;
      result.candidates = hits[0];
      result.outside = hits[1];
      results[which] = result;
      taken = atomic_inc(next);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
