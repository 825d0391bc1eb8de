// Batches in bit lanes: bit i of a vertex's words is set once search i has reached it [Then et al.,
// PVLDB 8(4), 2014]. There are two sets of words: a level reads one and writes the other. The new
// bits of the last level are those that the other set lacks. A vertex has GROUPS vectors of WIDTH
// words. lane_account.cl comes before this file.

// Four targets; those that belong to other vertices are replaced by the vertex itself.
inline uint4 clip(uint4 u, ulong at, ulong begin, ulong stop, Vertex v) {
  return (uint4)(at >= begin && at < stop ? u.x : v, at + 1 >= begin && at + 1 < stop ? u.y : v,
                 at + 2 >= begin && at + 2 < stop ? u.z : v,
                 at + 3 >= begin && at + 3 < stop ? u.w : v);
}

#ifndef ON_CPU
// A work-group gathers a piece of the neighbours of a high-degree vertex, and adds it to the next
// words of the vertex. It ends early if all bit lanes have arrived.
inline void gather_piece(global const ulong* into, global const Vertex* into_targets,
                         global const Vec* now, volatile global uint* next, Vec full, Vertex v,
                         uint number, bool is_done, volatile local uint* words) {
  const uint me = get_local_id(0), group = me % GROUPS, slots = get_local_size(0) / GROUPS;
  if (me < WORDS) words[me] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!is_done) {
    const ulong begin = into[v] + (ulong)number * PIECE, stop = min(begin + PIECE, into[v + 1]);
    const Vec missing = full & ~now[(size_t)v * GROUPS + group];
    volatile local uint* const mine = words + group * WIDTH;
    Vec found = (Vec)(0);
    for (ulong k = begin + me / GROUPS; k < stop && or_of(missing & ~found) != 0; k += 4 * slots) {
      const Vertex u0 = into_targets[k], u1 = k + slots < stop ? into_targets[k + slots] : v,
                   u2 = k + 2 * slots < stop ? into_targets[k + 2 * slots] : v,
                   u3 = k + 3 * slots < stop ? into_targets[k + 3 * slots] : v;
      const Vec w0 = now[(size_t)u0 * GROUPS + group], w1 = now[(size_t)u1 * GROUPS + group],
                w2 = now[(size_t)u2 * GROUPS + group], w3 = now[(size_t)u3 * GROUPS + group];
      const Vec more = ((w0 | w1) | (w2 | w3)) & missing;
      JOIN(&mine[0], more.x);
      JOIN(&mine[1], more.y);
      JOIN(&mine[2], more.z);
      JOIN(&mine[3], more.w);
      found = (Vec)(mine[0], mine[1], mine[2], mine[3]);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me < WORDS && words[me] != 0) atomic_or(&next[(size_t)v * WORDS + me], words[me]);
  barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

// Vertices gather the words of their neighbours. `ranks`: vertices by descending degree. The first
// `wide` have high degrees: they are only gathered here, in pieces; update_wide follows.
kernel void pull(global const ulong* into, global const Vertex* into_targets,
                 global const ulong* offsets, global const Vec* now, global Vec* next,
                 global uchar* changed, global const Vec* all, global const Vertex* ranks,
                 global uchar* done, global const uchar* flags, global Distance* lower,
                 global ushort* fresh, volatile global uint* pushed, global uint* totals,
                 global Report* reports, global uint* counters, global const uint2* pieces,
                 uint piece_count, uint wide, uint order, Distance level, uint raises) {
  BEGIN_LEVEL
  const uchar last = STAMP(level - 1);
#ifdef ON_CPU
  const Vec full = all[0];  // a vertex has one vector
  for (;;) {
    Vertex v = atomic_add(&counters[TICKET], 256);
    if (v >= order) break;
    const Vertex end = min(v + 256, order);
    for (; v < end; ++v) {
      const Vec own = now[v];
      Vec sum = own;
      const ulong stop = into[v + 1];
      for (ulong k = into[v]; k < stop && or_of(sum ^ full) != 0; ++k) sum |= now[into_targets[k]];
      update(output, &mine, offsets, next, changed, v, 0, own, sum, changed[v] == last);
    }
  }
#else
  const uint group = get_global_id(0) % GROUPS;
  const Vec full = all[group];
  local uint words[WORDS];
  for (uint p = get_group_id(0); p < piece_count; p += get_num_groups(0))
    gather_piece(into, into_targets, now, (volatile global uint*)next, full, ranks[pieces[p].x],
                 pieces[p].y, done[(size_t)pieces[p].x * GROUPS + group], words);
  global const uint4* const quads = (global const uint4*)into_targets;
  for (uint rank = wide + get_global_id(0) / GROUPS; rank < order;
       rank += get_global_size(0) / GROUPS) {
    const size_t mark = (size_t)rank * GROUPS + group;
    if (done[mark]) continue;  // both sets have all bit lanes
    const Vertex v = ranks[rank];
    const Vec own = now[(size_t)v * GROUPS + group];
    Vec sum = own;
    const ulong begin = into[v], stop = into[v + 1], end = (stop + 3) / 4;
    ulong k = begin / 4;
    uint4 ahead = quads[k], ahead2 = k + 1 < end ? quads[k + 1] : (uint4)(v);
    while (k < end && or_of(sum ^ full) != 0) {
      const uint4 u = clip(ahead, k * 4, begin, stop, v),
                  t = clip(ahead2, k * 4 + 4, begin, stop, v);
      k += 2;
      ahead = k < end ? quads[k] : (uint4)(v);  // loaded while the words of u and t arrive
      ahead2 = k + 1 < end ? quads[k + 1] : (uint4)(v);
      const Vec w0 = now[(size_t)u.x * GROUPS + group], w1 = now[(size_t)u.y * GROUPS + group],
                w2 = now[(size_t)u.z * GROUPS + group], w3 = now[(size_t)u.w * GROUPS + group];
      const Vec w4 = now[(size_t)t.x * GROUPS + group], w5 = now[(size_t)t.y * GROUPS + group],
                w6 = now[(size_t)t.z * GROUPS + group], w7 = now[(size_t)t.w * GROUPS + group];
      sum |= ((w0 | w1) | (w2 | w3)) | ((w4 | w5) | (w6 | w7));
    }
    const bool was_active = changed[(size_t)v * GROUPS + group] == last;
    update(output, &mine, offsets, next, changed, v, group, own, sum, was_active);
    if (!was_active && or_of(own ^ full) == 0) done[mark] = 1;
  }
#endif
  END_LEVEL
}

#ifndef ON_CPU
// Reports the high-degree vertices after `pull`. Their next words hold the new bits, and perhaps
// not all of the old.
kernel void update_wide(global const ulong* offsets, global const Vec* now, global Vec* next,
                        global uchar* changed, global const Vec* all, global const Vertex* ranks,
                        global uchar* done, global const uchar* flags, global Distance* lower,
                        global ushort* fresh, volatile global uint* pushed, global uint* totals,
                        global Report* reports, uint wide, Distance level, uint raises) {
  BEGIN_LEVEL
  for (uint i = get_global_id(0); i < wide * GROUPS; i += get_global_size(0)) {
    if (done[i]) continue;
    const uint group = i % GROUPS;
    const Vertex v = ranks[i / GROUPS];
    const Vec own = now[(size_t)v * GROUPS + group], sum = next[(size_t)v * GROUPS + group] | own;
    const bool was_active = changed[(size_t)v * GROUPS + group] == STAMP(level - 1);
    update(output, &mine, offsets, next, changed, v, group, own, sum, was_active);
    if (!was_active && or_of(own ^ all[group]) == 0) done[i] = 1;
  }
  END_LEVEL
}
#endif

// The vertices that changed push their new bits. Only bits that a neighbour lacks are written to
// its next words; so the new bits of an active vertex stay the difference of its two words while
// others push. At the end they enter both.
inline void push_to(const LevelOutput output, Report* mine, global const ulong* offsets,
                    global const uint* now, volatile global uint* next, global uchar* changed,
                    volatile global uint* claimed, global Vertex* next_list,
                    volatile global uint* next_count, WORDS_OF new_bits, uint filled, Vertex u,
                    uint stamp) {
  bool arrived = false;
  for (; filled != 0; filled &= filled - 1) {
    const uint w = 31 - clz(filled & -filled);
    const size_t index = (size_t)u * WORDS + w;
    uint bits = new_bits[w] & ~now[index];
    if (bits != 0) bits &= ~atomic_or(&next[index], bits);
    if (bits == 0) continue;
    add_arrivals(output, mine, u, w, bits);
#if OUTPUT == 2
    atomic_add(&output.pushed[u], (uint)popcount(bits));
#endif
    changed[(size_t)u * GROUPS + w / WIDTH] = STAMP(output.level);
    arrived = true;
  }
  if (!arrived || atomic_xchg(&claimed[u], stamp) == stamp) return;
  next_list[atomic_inc(next_count)] = u;
  activate(mine, degree_of(offsets, u));
}

kernel void push(global const ulong* offsets, global const Vertex* targets, global const uint* now,
                 volatile global uint* next, global uchar* changed, volatile global uint* claimed,
                 global const Vertex* list, global Vertex* next_list,
                 volatile global uint* counters, global const uchar* flags, global Distance* lower,
                 global ushort* fresh, volatile global uint* pushed, global uint* totals,
                 global Report* reports, uint stamp, Distance level, uint raises) {
  BEGIN_LEVEL
  const uint count = counters[(level - 1) % 2];
  volatile global uint* const next_count = &counters[level % 2];
#ifdef ON_CPU
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
    const Vertex v = list[i];
    uint new_bits[WORDS], filled = 0;
    for (uint w = 0; w < WORDS; ++w) {
      new_bits[w] = now[(size_t)v * WORDS + w] & ~next[(size_t)v * WORDS + w];
      filled |= (new_bits[w] != 0 ? 1u : 0u) << w;
    }
    for (ulong k = offsets[v]; k < offsets[v + 1]; ++k)
      push_to(output, &mine, offsets, now, next, changed, claimed, next_list, next_count, new_bits,
              filled, targets[k], stamp);
    for (; filled != 0; filled &= filled - 1) {
      const uint w = 31 - clz(filled & -filled);
      atomic_or(&next[(size_t)v * WORDS + w], new_bits[w]);
    }
  }
#else
  const uint items = count <= get_num_groups(0) ? 256 : LEAST_TEAM;  // per vertex
  local uint new_bits[256 / LEAST_TEAM][WORDS];                      // groups have 256 items
  local uint filled[256 / LEAST_TEAM];
  const uint item = get_local_id(0) % items, team = get_local_id(0) / items, teams = 256 / items;
  if (item == 0) filled[team] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint first = get_group_id(0) * teams; first < count; first += get_num_groups(0) * teams) {
    const bool in_range = first + team < count;
    const Vertex v = in_range ? list[first + team] : 0;
    const size_t words = (size_t)v * WORDS;
    for (uint w = item; w < WORDS; w += items) {
      new_bits[team][w] = in_range ? now[words + w] & ~next[words + w] : 0;
      if (new_bits[team][w] != 0) atomic_or(&filled[team], 1u << w);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong stop = in_range ? offsets[v + 1] : 0;
    for (ulong k = in_range ? offsets[v] + item : 0; k < stop; k += items)
      push_to(output, &mine, offsets, now, next, changed, claimed, next_list, next_count,
              new_bits[team], filled[team], targets[k], stamp);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = item; w < WORDS; w += items)
      if (new_bits[team][w] != 0) atomic_or(&next[words + w], new_bits[team][w]);
    if (item == 0) filled[team] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
  END_LEVEL
}

// Writes one report and the tally of all groups for the host, and resets the counters of the level.
kernel void conclude(global const ulong4* reports, uint count, global const ulong4* wide_reports,
                     uint wide_count, global uint* totals, global uint* counters,
                     global ulong4* answers, Distance level) {
  local ulong4 sums[256];
  const uint me = get_local_id(0), items = get_local_size(0);
  global uint* const answer = (global uint*)answers;
  ulong4 sum = (ulong4)(0);
  for (uint i = me; i < count; i += items) sum += reports[i];
  for (uint i = me; i < wide_count; i += items) sum += wide_reports[i];
  sums[me] = sum;
  for (uint step = items / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < step) sums[me] += sums[me + step];
  }
  if (me == 0) {
    answers[0] = sums[0];
    counters[(level - 1) % 2] = counters[TICKET] = 0;
  }
  for (uint i = me; i < TALLY; i += items) {
    answer[8 + i] = totals[i];
    totals[i] = 0;
  }
}

// Before a batch.
kernel void clear(global Vec* now, global Vec* next, global uchar* changed, global uchar* done,
                  global uint* counters, ulong count) {
  if (get_global_id(0) < 3) counters[get_global_id(0)] = 0;
#ifdef ON_CPU
  const ulong stop = count * (get_global_id(0) + 1) / get_global_size(0);
  for (ulong i = count * get_global_id(0) / get_global_size(0); i < stop; ++i) {
    now[i] = next[i] = (Vec)(0);
    changed[i] = 0;
  }
#else
  for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
    now[i] = next[i] = (Vec)(0);
    changed[i] = done[i] = 0;
  }
#endif
}

kernel void seed(volatile global uint* now, global uchar* changed, volatile global uint* claimed,
                 global Vertex* list, volatile global uint* counters, global const Vertex* setup,
                 uint source_count, uint stamp) {
  const uint i = get_global_id(0);
  if (i >= source_count) return;
  const Vertex v = setup[32 + i];  // after the words of all bit lanes
  atomic_or(&now[(size_t)v * WORDS + i / 32], 1u << i % 32);
  changed[(size_t)v * GROUPS + i / 32 / WIDTH] = STAMP(0);
  if (atomic_xchg(&claimed[v], stamp) != stamp) list[atomic_inc(&counters[0])] = v;
}

// Lists the vertices that changed in the last level, which was pulled.
kernel void collect(global const uchar* changed, global Vertex* list,
                    volatile global uint* counters, Distance level, uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order) return;
  bool is_active = false;
  for (uint group = 0; group < GROUPS; ++group)
    is_active |= changed[(size_t)v * GROUPS + group] == STAMP(level - 1);
  if (is_active) list[atomic_inc(&counters[(level - 1) % 2])] = v;
}

// Adds the arrivals of this level to DistanceSums.
kernel void account(global const ushort* fresh, global uint* pushed, uint pushes,
                    global ulong* sums, global ulong* inverse_sums, global uint* counts,
                    global Distance* farthest, Distance level, ulong inverse, uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order) return;
  uint arrived = 0;
  if (pushes) {
    arrived = pushed[v];
    if (arrived != 0) pushed[v] = 0;
  } else {
    for (uint group = 0; group < GROUPS; ++group) arrived += fresh[(size_t)v * GROUPS + group];
  }
  if (arrived == 0) return;
  sums[v] += (ulong)level * arrived;
  inverse_sums[v] += inverse * arrived;
  counts[v] += arrived;
  farthest[v] = max(farthest[v], level);
}
