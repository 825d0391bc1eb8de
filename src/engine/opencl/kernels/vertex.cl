// The search of Rodinia [Che et al., IISWC 2009]: a mask of the vertices of this level, and two
// launches per level.
kernel void expand(global const ulong* offsets, global const Vertex* targets, global uchar* mask,
                   global uchar* next_mask, global const uchar* visited, global Distance* distances,
                   uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order || !mask[v]) return;
  mask[v] = 0;
  const Distance next = distances[v] + 1;
  for (ulong k = offsets[v]; k < offsets[v + 1]; ++k) {
    const Vertex u = targets[k];
    if (visited[u]) continue;
    distances[u] = next;  // concurrent writes are equal
    next_mask[u] = 1;
  }
}

kernel void advance(global uchar* mask, global uchar* next_mask, global uchar* visited,
                    global uint* goes_on, uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order || !next_mask[v]) return;
  mask[v] = 1;
  visited[v] = 1;
  next_mask[v] = 0;
  *goes_on = 1;
}
