// Dependencies of vertices and arcs (Brandes 2001). A work-group searches from a source as in
// Algorithm 7 of Penders' thesis (2012). But each vertex gathers from its neighbours, instead of
// edges scattering to vertices, so every sum has one order and needs no lock. For the same reason a
// group takes the same block of sources one after the other, however many groups there are. Memory:
// 36 bytes per vertex and group.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define MOST_PATHS 0x1p900

kernel void dependencies(global const ulong* offsets, global const Vertex* targets,
                         global const ulong* into, global const Vertex* into_targets,
                         global const double* weights, global const Vertex* sources, uint count,
                         uint block, global Distance* all_distances, global double* all_paths,
                         global double* all_shares, global Vertex* queues, global uint* all_starts,
                         global double* all_vertices, global double* all_arcs,
                         global uchar* too_many, uint order, ulong arc_count, uint with_arcs) {
  local uint begin, end, tail, overflow;
  const uint me = get_local_id(0), items = get_local_size(0);
  const size_t base = (size_t)get_group_id(0) * order;
  volatile global Distance* const distances = all_distances + base;
  global double* const paths = all_paths + base;
  global double* const share = all_shares + base;
  global Vertex* const queue = queues + base;
  global uint* const starts = all_starts + base + 2 * get_group_id(0);
  global double* const vertices = all_vertices + base;
  global double* const arcs = all_arcs + (with_arcs ? arc_count * get_group_id(0) : 0);
  for (ulong i = me; i < order; i += items) vertices[i] = 0;
  if (with_arcs)
    for (ulong i = me; i < arc_count; i += items) arcs[i] = 0;
  const uint last_source = min((uint)(get_group_id(0) + 1) * block, count);
  for (uint s = get_group_id(0) * block; s < last_source; ++s) {
    const Vertex source = sources[s];
    for (Vertex v = me; v < order; v += items) distances[v] = UNREACHED;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    if (me == 0) {
      distances[source] = 0;
      paths[source] = 1;
      queue[0] = source;
      starts[0] = 0;
      begin = 0;
      end = tail = 1;
      overflow = 0;
    }
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    Distance level = 0;
    while (begin < end) {
      for (uint i = begin + me; i < end; i += items) {
        const Vertex v = queue[i];
        for (ulong k = offsets[v]; k < offsets[v + 1]; ++k) {
          const Vertex u = targets[k];
          if (distances[u] == UNREACHED &&
              atomic_cmpxchg(&distances[u], UNREACHED, level + 1) == UNREACHED)
            queue[atomic_inc(&tail)] = u;
        }
      }
      barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      for (uint i = end + me; i < tail; i += items) {
        const Vertex v = queue[i];
        double sum = 0;
        for (ulong k = into[v]; k < into[v + 1]; ++k)
          if (distances[into_targets[k]] == level) sum += paths[into_targets[k]];
        paths[v] = sum;
        if (sum > MOST_PATHS) overflow = 1;
      }
      ++level;
      barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      if (me == 0) {
        begin = end;
        end = tail;
        starts[level] = begin;
        starts[level + 1] = end;
      }
      barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    }
    const uint is_too_large = overflow;
    if (me == 0) too_many[s] = (uchar)is_too_large;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_too_large) continue;
    const double from_source = weights[source];
    for (Distance depth = level; depth-- > 0;) {  // level number `level` is empty
      const uint last = starts[depth + 1];
      for (uint i = starts[depth] + me; i < last; i += items) {
        const Vertex v = queue[i];
        double sum = 0;
        for (ulong k = offsets[v]; k < offsets[v + 1]; ++k) {
          const Vertex u = targets[k];
          if (distances[u] != depth + 1) continue;
          sum += share[u];
          if (with_arcs) arcs[k] += from_source * (paths[v] * share[u]);
        }
        const double through = paths[v] * sum;
        if (depth > 0) vertices[v] += from_source * through;
        share[v] = (weights[v] + through) / paths[v];
      }
      barrier(CLK_GLOBAL_MEM_FENCE);
    }
  }
}

// Adds the sums of groups first to last - 1, in this order, to the totals.
kernel void add_up(global const double* parts, global double* totals, ulong count, uint first,
                   uint last) {
  for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
    double sum = totals[i];
    for (uint group = first; group < last; ++group) sum += parts[(ulong)group * count + i];
    totals[i] = sum;
  }
}
