// The searches of Penders' thesis (2012) on an unordered list of edges: every level reads all
// edges. An edge is visited once, when its source is at the level, and is counted at both of its
// ends. Memory: 9 bytes per edge, 13 per vertex.

// Visits the edges from `first` on, `step` apart; true if a vertex was found.
inline bool visit_edges(global const Vertex* from, global const Vertex* to, global uchar* visited,
                        volatile global Distance* distances, global uint* in_counts,
                        global uint* out_counts, ulong edges, Distance level, ulong first,
                        ulong step) {
  bool found = false;
  for (ulong e = first; e < edges; e += step) {
    if (visited[e]) continue;
    const Vertex v = from[e], u = to[e];
    if (distances[v] != level) continue;
    visited[e] = 1;
    atomic_inc(&out_counts[v]);
    atomic_inc(&in_counts[u]);
    if (distances[u] != UNREACHED) continue;
    distances[u] = level + 1;  // concurrent writes are equal
    found = true;
  }
  return found;
}

// control: the level; whether there is a next one (three words that rotate); groups that have
// arrived; whether a group gave up waiting
enum { LEVEL, GOES_ON, ARRIVED = 4, STUCK };

// Algorithm 3: one work-group, barriers between levels.
kernel void edge_local(global const Vertex* from, global const Vertex* to, global uchar* visited,
                       volatile global Distance* distances, global uint* in_counts,
                       global uint* out_counts, global uint* control, ulong edges,
                       uint most_levels) {
  local uint goes_on;
  Distance level = control[LEVEL];
  for (uint k = 0; k < most_levels; ++k) {
    if (get_local_id(0) == 0) goes_on = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (visit_edges(from, to, visited, distances, in_counts, out_counts, edges, level,
                    get_local_id(0), get_local_size(0)))
      goes_on = 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint again = goes_on;
    ++level;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) control[GOES_ON] = again;
    if (!again) break;
  }
  if (get_local_id(0) == 0) control[LEVEL] = level;
}

// One level: the host waits for all groups.
kernel void edge_host(global const Vertex* from, global const Vertex* to, global uchar* visited,
                      volatile global Distance* distances, global uint* in_counts,
                      global uint* out_counts, global uint* control, ulong edges, Distance level) {
  if (visit_edges(from, to, visited, distances, in_counts, out_counts, edges, level,
                  get_global_id(0), get_global_size(0)))
    control[GOES_ON] = 1;
}

// Algorithm 4: a barrier of all groups. A group that waits too long for one that is not running
// gives up, and then all do.
inline bool sync_groups(volatile global uint* control, local uint* stuck, uint barriers,
                        uint patience) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    const uint all = barriers * get_num_groups(0);
    uint waited = 0;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(&control[ARRIVED]);
    while (atomic_add(&control[ARRIVED], 0) < all && atomic_add(&control[STUCK], 0) == 0)
      if (++waited == patience) atomic_xchg(&control[STUCK], 1u);
    *stuck = atomic_add(&control[STUCK], 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  return *stuck == 0;
}

// Tests whether so many groups run at the same time. They may begin one after the other; after the
// first barrier they run together or take turns.
kernel void edge_test_sync(volatile global uint* control, uint patience) {
  local uint stuck;
  for (uint barriers = 1; barriers <= 16; ++barriers)
    if (!sync_groups(control, &stuck, barriers, barriers == 1 ? 64 * patience : patience)) return;
}

kernel void edge_global(global const Vertex* from, global const Vertex* to, global uchar* visited,
                        volatile global Distance* distances, global uint* in_counts,
                        global uint* out_counts, volatile global uint* control, ulong edges,
                        uint most_levels, uint patience) {
  local uint stuck;
  const Distance first = control[LEVEL];
  Distance level = first;
  for (uint k = 0; k < most_levels; ++k, ++level) {
    const uint slot = GOES_ON + k % 3;
    if (get_global_id(0) == 0) control[GOES_ON + (k + 1) % 3] = 0;
    if (visit_edges(from, to, visited, distances, in_counts, out_counts, edges, level,
                    get_global_id(0), get_global_size(0)))
      atomic_xchg(&control[slot], 1u);
    if (!sync_groups(control, &stuck, k + 1, patience)) return;
    if (atomic_add(&control[slot], 0) == 0) {
      if (get_global_id(0) == 0) control[LEVEL] = UNREACHED;  // done
      return;
    }
  }
  if (get_global_id(0) == 0) control[LEVEL] = level;
}

// Relaxed: no levels. An edge is visited as soon as its source was, in the same pass. `reached`
// holds no distances.
kernel void relaxed(global const Vertex* from, global const Vertex* to, global uchar* visited,
                    volatile global uchar* reached, global uint* in_counts, global uint* out_counts,
                    global uint* control, ulong edges) {
  for (ulong e = get_global_id(0); e < edges; e += get_global_size(0)) {
    if (visited[e] || !reached[from[e]]) continue;
    visited[e] = 1;
    atomic_inc(&out_counts[from[e]]);
    atomic_inc(&in_counts[to[e]]);
    reached[to[e]] = 1;
    control[GOES_ON] = 1;
  }
}

// Algorithm 6: all pairs, one work-group per source, sources in turn. The distances tell which
// vertices are done. `levels`: where each source continues, UNREACHED if it has ended. A launch
// does at most `most_levels` levels of a source.
kernel void all_pairs(global const Vertex* from, global const Vertex* to,
                      global const Vertex* sources, uint count, global Distance* all_distances,
                      global Distance* levels, ulong edges, uint order, uint most_levels) {
  local uint goes_on;
  for (uint s = get_group_id(0); s < count; s += get_num_groups(0)) {
    volatile global Distance* const distances = all_distances + (size_t)s * order;
    const Distance first = levels[s];
    if (first == 0)
      for (Vertex v = get_local_id(0); v < order; v += get_local_size(0))
        distances[v] = v == sources[s] ? 0 : UNREACHED;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint again = first != UNREACHED;
    Distance level = first;
    for (uint k = 0; again && k < most_levels; ++k, ++level) {
      if (get_local_id(0) == 0) goes_on = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (ulong e = get_local_id(0); e < edges; e += get_local_size(0)) {
        if (distances[from[e]] != level || distances[to[e]] != UNREACHED) continue;
        distances[to[e]] = level + 1;
        goes_on = 1;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      again = goes_on;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_local_id(0) == 0) levels[s] = again ? level : UNREACHED;
  }
}
