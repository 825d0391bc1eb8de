// One search, or an offset search, level by level. One queue holds the vertices of all levels, one
// level behind the other. An offset search starts at several vertices, each at a level of its own.
// With FALLING, levels descend.
#ifdef FALLING
#define IS_OPEN(value, next) ((value) < (next))
#define CLAIMED(place, next) (atomic_max(place, next) < (next))
#define STEP(level) ((level)-1)
#else
#define IS_OPEN(value, next) ((value) > (next))
#define CLAIMED(place, next) (atomic_min(place, next) > (next))
#define STEP(level) ((level) + 1)
#endif

// control: begin and end of this level in the queue; the level; levels done; the next chunk; arcs
// of this level (an estimate)
enum { BEGIN, END, LEVEL, DONE, TICKET, ARCS };

// The totals of a work-group in a wide level.
typedef struct {
  ulong arcs;
  ulong count;
} Found;

kernel void start(global uint* control, global Distance* values, global Vertex* queue,
                  global uint* sizes, Vertex source) {
  values[source] = 0;
  queue[0] = source;
  sizes[0] = 1;
  control[BEGIN] = 0;
  control[END] = 1;
  control[LEVEL] = 0;
  control[DONE] = 0;
}

// Adds the sources that start at this level.
kernel void admit(global uint* control, volatile global Distance* values, global Vertex* queue,
                  global const Vertex* sources, uint first, uint count, Distance level) {
  const uint i = get_global_id(0);
  if (i == 0) control[LEVEL] = level;
  if (i >= count) return;
  const Vertex v = sources[first + i];
  if (IS_OPEN(values[v], level) && CLAIMED(&values[v], level)) queue[atomic_inc(&control[END])] = v;
}

// Consecutive levels of few arcs, by one work-group.
#ifdef ON_CPU
kernel void narrow(global const ulong* offsets, global const Vertex* targets,
                   global Distance* values, global Vertex* queue, global uint* sizes,
                   global uint* control, Distance limit, uint most_levels, uint wide) {
  uint begin = control[BEGIN], end = control[END], done = control[DONE];
  Distance level = control[LEVEL];
  ulong arcs = 0;
  for (uint step = 0; step < most_levels && begin < end && level != limit && arcs <= wide; ++step) {
    const Distance next = STEP(level);
    uint tail = end;
    arcs = 0;
    for (uint i = begin; i < end; ++i) {
      const Vertex v = queue[i];
      const ulong stop = offsets[v + 1];
      // Which neighbours are new cannot be predicted, so it decides no branch.
      for (ulong k = offsets[v]; k < stop; ++k) {
        const Vertex u = targets[k];
        const Distance value = values[u];
        const bool is_open = IS_OPEN(value, next);
        values[u] = is_open ? next : value;
        queue[tail] = u;
        tail += is_open;
      }
    }
    for (uint i = end; i < tail; ++i) arcs += degree_of(offsets, queue[i]);
    begin = end;
    end = tail;
    level = next;
    sizes[++done] = end - begin;
  }
  control[BEGIN] = begin;
  control[END] = end;
  control[LEVEL] = level;
  control[DONE] = done;
  control[ARCS] = (uint)min(arcs, (ulong)UNREACHED);
}
#else
kernel void narrow(global const ulong* offsets, global const Vertex* targets,
                   volatile global Distance* values, global Vertex* queue, global uint* sizes,
                   global uint* control, Distance limit, uint most_levels, uint wide) {
  local uint begin, end, tail, arcs;
  const uint me = get_local_id(0), item = me % TEAM, team = me / TEAM,
             teams = get_local_size(0) / TEAM;
  if (me == 0) {
    begin = control[BEGIN];
    end = control[END];
    arcs = 0;
  }
  Distance level = control[LEVEL];
  uint done = control[DONE];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (uint step = 0; step < most_levels && begin < end && level != limit && arcs <= wide; ++step) {
    const Distance next = STEP(level);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) {
      tail = end;
      arcs = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = begin + team; i < end; i += teams) {
      const Vertex v = queue[i];
      const ulong stop = offsets[v + 1];
      for (ulong k = offsets[v] + item; k < stop; k += TEAM) {
        const Vertex u = targets[k];
        if (!IS_OPEN(values[u], next) || !CLAIMED(&values[u], next)) continue;
        queue[atomic_inc(&tail)] = u;
        atomic_add(&arcs, min(degree_of(offsets, u), 65536u));
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    level = next;
    ++done;
    if (me == 0) {
      begin = end;
      end = tail;
      sizes[done] = end - begin;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0) {
    control[BEGIN] = begin;
    control[END] = end;
    control[LEVEL] = level;
    control[DONE] = done;
    control[ARCS] = arcs;
  }
}
#endif

// One wide level, pushed. TICKET must be 0, and END the begin of the next level.
#ifdef ON_CPU
#define CHUNK 64
#define LOCAL_QUEUE 256
inline void flush(global Vertex* queue, global uint* control, const Vertex* local_queue,
                  uint count) {
  const uint place = atomic_add(&control[END], count);
  for (uint i = 0; i < count; ++i) queue[place + i] = local_queue[i];
}

kernel void push(global const ulong* offsets, global const Vertex* targets,
                 volatile global Distance* values, global Vertex* queue, global uint* control,
                 global Found* found, uint begin, uint end, Distance next) {
  Vertex local_queue[LOCAL_QUEUE];
  uint count = 0;
  Found mine = {0, 0};
  for (;;) {
    uint i = begin + atomic_add(&control[TICKET], CHUNK);
    if (i >= end) break;
    const uint last = min(i + CHUNK, end);
    for (; i < last; ++i) {
      const Vertex v = queue[i];
      const ulong stop = offsets[v + 1];
      for (ulong k = offsets[v]; k < stop; ++k) {
        const Vertex u = targets[k];
        if (!IS_OPEN(values[u], next) || !CLAIMED(&values[u], next)) continue;
        local_queue[count++] = u;
        mine.arcs += degree_of(offsets, u);
        ++mine.count;
        if (count == LOCAL_QUEUE) {
          flush(queue, control, local_queue, count);
          count = 0;
        }
      }
    }
  }
  flush(queue, control, local_queue, count);
  found[get_global_id(0)] = mine;
}
#else
#define CHUNK 64
#define LOCAL_QUEUE 2048
kernel void push(global const ulong* offsets, global const Vertex* targets,
                 volatile global Distance* values, global Vertex* queue, global uint* control,
                 global Found* found, uint begin, uint end, Distance next) {
  local ulong firsts[CHUNK], ends[CHUNK];
  local Vertex local_queue[LOCAL_QUEUE];
  local uint first, count, place, group_arcs, group_count;
  const uint me = get_local_id(0), items = get_local_size(0);
  if (me == 0) group_arcs = group_count = 0;
  uint arcs = 0, claimed = 0;
  for (;;) {
    if (me == 0) {
      first = begin + atomic_add(&control[TICKET], CHUNK);
      count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first >= end) break;
    if (me < CHUNK) {
      const bool in_range = first + me < end;
      const Vertex v = in_range ? queue[first + me] : 0;
      firsts[me] = offsets[v];
      ends[me] = in_range ? offsets[v + 1] - offsets[v] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < CHUNK; step *= 2) {
      const ulong more = me < CHUNK && me >= step ? ends[me - step] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (me < CHUNK) ends[me] += more;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    const ulong total = ends[CHUNK - 1];
    for (ulong k = me; k < total; k += items) {
      uint segment = 0;  // the first segment that ends after k
      for (uint step = CHUNK / 2; step > 0; step /= 2)
        if (ends[segment + step - 1] <= k) segment += step;
      const Vertex u = targets[firsts[segment] + k - (segment == 0 ? 0 : ends[segment - 1])];
      if (!IS_OPEN(values[u], next) || !CLAIMED(&values[u], next)) continue;
      const uint slot = atomic_inc(&count);
      if (slot < LOCAL_QUEUE)
        local_queue[slot] = u;
      else
        queue[atomic_inc(&control[END])] = u;
      arcs += min(degree_of(offsets, u), 65536u);
      ++claimed;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint local_count = min(count, (uint)LOCAL_QUEUE);
    if (me == 0 && local_count > 0) place = atomic_add(&control[END], local_count);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < local_count; i += items) queue[place + i] = local_queue[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&group_arcs, arcs);
  atomic_add(&group_count, claimed);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me == 0) found[get_group_id(0)] = (Found){group_arcs, group_count};
}
#endif

#ifndef FALLING
// Makes a bitmap of the vertices at a level.
kernel void mark(global const Distance* values, global uint* bits, Distance level, uint order) {
  const uint w = get_global_id(0);
  if (w > order / 32) return;
  uint word = 0;
  const uint begin = w * 32, end = min(begin + 32, order);
  for (uint v = begin; v < end; ++v) word |= (values[v] == level ? 1u : 0u) << (v - begin);
  bits[w] = word;
}

// One wide level, pulled: unreached vertices look for a neighbour in the last level. `into`:
// entering arcs.
#define MARKED(bits, v) (((bits)[(v) / 32] >> (v) % 32 & 1) != 0)
kernel void pull(global const ulong* into, global const Vertex* into_targets,
                 global const ulong* offsets, global Distance* values, global const uint* bits,
                 global uint* next_bits, global uint* control, global Found* found, uint order,
                 Distance next) {
  local uint words[8];  // groups have 256 items
  local uint group_arcs, group_count;
  const uint me = get_local_id(0);
  if (me == 0) group_arcs = group_count = 0;
  uint arcs = 0, count = 0;
  for (uint first = get_group_id(0) * 256; first <= order; first += get_num_groups(0) * 256) {
    if (me < 8) words[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint v = first + me;
    if (v < order && values[v] == UNREACHED) {
      const ulong stop = into[v + 1];
      for (ulong k = into[v]; k < stop; ++k) {
        if (!MARKED(bits, into_targets[k])) continue;
        values[v] = next;
        atomic_or(&words[me / 32], 1u << me % 32);
        arcs += min(degree_of(offsets, v), 65536u);
        ++count;
        break;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 8 && first / 32 + me <= order / 32) next_bits[first / 32 + me] = words[me];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&group_arcs, arcs);
  atomic_add(&group_count, count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me == 0) found[get_group_id(0)] = (Found){group_arcs, group_count};
}

// Appends the vertices of a bitmap to the queue.
kernel void collect(global const uint* bits, global Vertex* queue, global uint* control,
                    uint order) {
  const uint w = get_global_id(0);
  if (w > order / 32) return;
  uint word = bits[w];
  if (word == 0) return;
  uint place = atomic_add(&control[END], popcount(word));
  for (; word != 0; word &= word - 1) queue[place++] = w * 32 + 31 - clz(word & -word);
}

// Finds the first vertex at a level. `first` must be UNREACHED.
kernel void first_at(global const Distance* values, volatile global uint* first, Distance level,
                     uint order) {
  const uint v = get_global_id(0);
  if (v < order && values[v] == level && *first > v) atomic_min(first, v);
}

// Backtracks from path[0] to the source, by the first neighbour that is nearer.
kernel void path(global const ulong* into, global const Vertex* into_targets,
                 global const Distance* values, global Vertex* path, uint length) {
  for (uint i = 1; i <= length; ++i) {
    const Vertex v = path[i - 1];
    const Distance before = values[v] - 1;
    ulong k = into[v];
    while (values[into_targets[k]] != before) ++k;
    path[i] = into_targets[k];
  }
}
#endif
