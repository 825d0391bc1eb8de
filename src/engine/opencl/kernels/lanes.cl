// Many searches at once: lane i of a vertex's words is set once search i has reached it. There are two sets of words, so that a level reads
// what the last one wrote; what a vertex got in the last level is what the other set lacks. A vertex has GROUPS vectors of WIDTH words.
// KEEP says what is accounted for: 0 the reach of every lane, 1 how many vertices every lane reached, 2 what every vertex received.
#if WIDTH == 16
typedef uint16 Vec;
inline uint joined(uint16 x) {
  const uint8 a = x.lo | x.hi;
  const uint4 b = a.lo | a.hi;
  const uint2 c = b.lo | b.hi;
  return c.x | c.y;
}
inline uint added(uint16 x) {
  const uint8 a = x.lo + x.hi;
  const uint4 b = a.lo + a.hi;
  const uint2 c = b.lo + b.hi;
  return c.x + c.y;
}
#else
typedef uint4 Vec;
inline uint joined(uint4 x) { return x.x | x.y | x.z | x.w; }
inline uint added(uint4 x) { return x.x + x.y + x.z + x.w; }
#endif
#define WORDS (GROUPS * WIDTH)         // of a vertex
#define LANES (WORDS * 32)

typedef struct {
  ulong arrivals, at_candidates;       // new bits, and those at candidates
  ulong arcs;                          // of the vertices that got any
  ulong active;                        // such vertices
} Report;

// What all groups add to: lanes that reached a candidate, or one outside the ball; with KEEP 1 instead how many vertices each lane reached.
#if KEEP == 1
#define TALLY LANES
#else
#define TALLY (2 * WORDS)
#endif

#ifdef ON_CPU
#define ADD(place, value) (*(place) += (value))      // a group is one item
#define JOIN(place, value) (*(place) |= (value))
#else
#define ADD(place, value) atomic_add(place, value)
#define JOIN(place, value) if (((value) & ~*(place)) != 0) atomic_or(place, value)
#endif

typedef struct {
  global const uchar* flags;
  global Distance* lower;
  global uint* fresh_counts;
  local uint* tally;
  Distance level;
  uint raises;                         // lower bounds
} Account;

inline void arrive(const Account account, Report* mine, Vertex v, uint word, uint bits) {
  const uint count = popcount(bits);
  mine->arrivals += count;
#if KEEP == 0
  const uchar flags = account.flags[v];
  if (flags & CANDIDATE) {
    mine->at_candidates += count;
    JOIN(&account.tally[word], bits);
  }
  if (flags & OUTSIDE) JOIN(&account.tally[WORDS + word], bits);
  if (account.raises && account.lower[v] < account.level) account.lower[v] = account.level;  // whoever else writes, writes the same
#elif KEEP == 1
  for (; bits != 0; bits &= bits - 1) ADD(&account.tally[word * 32 + 31 - clz(bits & -bits)], 1u);
#endif
}

inline void arrive_vector(const Account account, Report* mine, Vertex v, uint group, Vec fresh) {
  uint words[WIDTH];
#if WIDTH == 16
  vstore16(fresh, 0, words);
#else
  vstore4(fresh, 0, words);
#endif
#if KEEP == 0
  const uchar flags = account.flags[v];
  const uint count = added(popcount(fresh));
  mine->arrivals += count;
  if (flags & CANDIDATE) {
    mine->at_candidates += count;
    for (uint w = 0; w < WIDTH; ++w) JOIN(&account.tally[group * WIDTH + w], words[w]);
  }
  if (flags & OUTSIDE)
    for (uint w = 0; w < WIDTH; ++w) JOIN(&account.tally[WORDS + group * WIDTH + w], words[w]);
  if (account.raises && account.lower[v] < account.level) account.lower[v] = account.level;
#else
  for (uint w = 0; w < WIDTH; ++w) arrive(account, mine, v, group * WIDTH + w, words[w]);
#endif
}

// A vertex gathers what its neighbours have seen.
inline void gather(const Account account, Report* mine, global const ulong* into, global const Vertex* into_targets, global const ulong* offsets, global const Vec* now, global Vec* next, global const uint* changed, global uint* changed_next, const Vec all, Vertex v, uint group, uint stamp) {
  const Vec own = now[(size_t)v * GROUPS + group];
  const bool was_active = changed[v] == stamp - 1;
  Vec sum = own;
  if (joined(own ^ all) != 0) {
    const ulong stop = into[v + 1];
    for (ulong k = into[v]; k < stop; ++k) {
      sum |= now[(size_t)into_targets[k] * GROUPS + group];
#ifdef ON_CPU
      if (joined(sum ^ all) == 0) break;
#else
      if ((k & 7) == 7 && joined(sum ^ all) == 0) break;
#endif
    }
  }
  const Vec fresh = sum & ~own;
  const bool is_new = joined(fresh) != 0;
  if (is_new || was_active) next[(size_t)v * GROUPS + group] = sum;  // what came in the last level is missing in these words
  if (!is_new) return;
  arrive_vector(account, mine, v, group, fresh);
#if KEEP == 2
#if GROUPS == 1
  account.fresh_counts[v] = added(popcount(fresh));
#else
  atomic_add(&account.fresh_counts[v], added(popcount(fresh)));
#endif
#endif
#if GROUPS == 1
  changed_next[v] = stamp;
#else
  if (atomic_xchg(&changed_next[v], stamp) == stamp) return;
#endif
  ++mine->active;
  mine->arcs += degree_of(offsets, v);
}

#ifdef ON_CPU
#define ENTER                                                     \
  local uint tally[TALLY];                                        \
  for (uint i = 0; i < TALLY; ++i) tally[i] = 0;                  \
  Report mine = {0, 0, 0, 0};                                     \
  const Account account = {flags, lower, fresh_counts, tally, level, raises};
#define LEAVE                                                     \
  for (uint i = 0; i < TALLY; ++i)                                \
    if (tally[i] != 0) FOLD(&totals[i], tally[i]);                \
  reports[get_group_id(0)] = mine;
#else
#define ENTER                                                     \
  local uint tally[TALLY];                                        \
  local uint shared[4];                                           \
  for (uint i = get_local_id(0); i < TALLY; i += get_local_size(0)) tally[i] = 0; \
  if (get_local_id(0) < 4) shared[get_local_id(0)] = 0;           \
  barrier(CLK_LOCAL_MEM_FENCE);                                   \
  Report mine = {0, 0, 0, 0};                                     \
  const Account account = {flags, lower, fresh_counts, tally, level, raises};
#define LEAVE                                                     \
  atomic_add(&shared[0], (uint)mine.arrivals);                    \
  atomic_add(&shared[1], (uint)mine.at_candidates);               \
  atomic_add(&shared[2], (uint)min(mine.arcs, (ulong)65536));     \
  atomic_add(&shared[3], (uint)mine.active);                      \
  barrier(CLK_LOCAL_MEM_FENCE);                                   \
  for (uint i = get_local_id(0); i < TALLY; i += get_local_size(0)) \
    if (tally[i] != 0) FOLD(&totals[i], tally[i]);                \
  if (get_local_id(0) == 0) reports[get_group_id(0)] = (Report){shared[0], shared[1], shared[2], shared[3]};
#endif
#if KEEP == 1
#define FOLD(place, value) atomic_add(place, value)
#else
#define FOLD(place, value) atomic_or(place, value)
#endif

kernel void pull(global const ulong* into, global const Vertex* into_targets, global const ulong* offsets, global const Vec* now, global Vec* next, global const uint* changed, global uint* changed_next, global const Vec* all, global const uchar* flags, global Distance* lower, global uint* fresh_counts,
                 global uint* totals, global Report* reports, global uint* ticket, uint order, uint stamp, Distance level, uint raises) {
  ENTER
#ifdef ON_CPU
  const Vec full[GROUPS] = {all[0]};
  for (;;) {
    Vertex v = atomic_add(ticket, 256);
    if (v >= order) break;
    const Vertex last = min(v + 256, order);
    for (; v < last; ++v)
      for (uint group = 0; group < GROUPS; ++group) gather(account, &mine, into, into_targets, offsets, now, next, changed, changed_next, full[group], v, group, stamp);
  }
#else
  const uint group = get_global_id(0) % GROUPS;
  const Vec full = all[group];
  for (Vertex v = get_global_id(0) / GROUPS; v < order; v += get_global_size(0) / GROUPS) gather(account, &mine, into, into_targets, offsets, now, next, changed, changed_next, full, v, group, stamp);
#endif
  LEAVE
}

// The few that changed push theirs. Only bits that a neighbour did not have enter its new words, so that what is new at an active vertex
// can be read from its two words all the time.
#ifdef ON_CPU
#define TEAM 1
#else
#define TEAM 32
#endif
kernel void push(global const ulong* offsets, global const Vertex* targets, global const uint* now, volatile global uint* next, volatile global uint* changed_next, global const Vertex* list, global Vertex* next_list, volatile global uint* next_count, global const uchar* flags, global Distance* lower,
                 global uint* fresh_counts, global uint* totals, global Report* reports, uint count, uint stamp, Distance level, uint raises) {
  ENTER
  const uint lane = get_global_id(0) % TEAM, teams = get_global_size(0) / TEAM;
  for (uint i = get_global_id(0) / TEAM; i < count; i += teams) {
    const Vertex v = list[i];
    const ulong stop = offsets[v + 1];
    for (ulong k = offsets[v] + lane; k < stop; k += TEAM) {
      const Vertex u = targets[k];
      bool arrived = false;
      for (uint w = 0; w < WORDS; ++w) {
        const size_t mine_at = (size_t)v * WORDS + w, there = (size_t)u * WORDS + w;
        uint bits = now[mine_at];
        if (bits == 0) continue;
        bits &= ~next[mine_at] & ~now[there];
        if (bits != 0) bits &= ~atomic_or(&next[there], bits);
        if (bits == 0) continue;
        arrive(account, &mine, u, w, bits);
#if KEEP == 2
        atomic_add(&fresh_counts[u], (uint)popcount(bits));
#endif
        arrived = true;
      }
      if (!arrived || atomic_xchg(&changed_next[u], stamp) == stamp) continue;
      next_list[atomic_inc(next_count)] = u;
      ++mine.active;
      mine.arcs += degree_of(offsets, u);
    }
  }
  LEAVE
}

// After a push: what was new at its vertices is now in both sets.
kernel void catch_up(global const uint* now, volatile global uint* next, global const Vertex* list, uint count) {
  const uint i = get_global_id(0) / WORDS, w = get_global_id(0) % WORDS;
  if (i >= count) return;
  const size_t at = (size_t)list[i] * WORDS + w;
  const uint bits = now[at];
  if (bits != 0) atomic_or(&next[at], bits);
}

kernel void seed(volatile global uint* now, volatile global uint* changed, global Vertex* list, volatile global uint* count, global const Vertex* sources, uint source_count, uint stamp) {
  const uint i = get_global_id(0);
  if (i >= source_count) return;
  const Vertex v = sources[i];
  atomic_or(&now[(size_t)v * WORDS + i / 32], 1u << i % 32);
  if (atomic_xchg(&changed[v], stamp) != stamp) list[atomic_inc(count)] = v;
}

// Those that changed, after a pull.
kernel void collect(global const uint* changed, global Vertex* list, volatile global uint* count, uint stamp, uint order) {
  const Vertex v = get_global_id(0);
  if (v < order && changed[v] == stamp) list[atomic_inc(count)] = v;
}

// What every vertex received in this level.
kernel void account(global uint* fresh_counts, global ulong* sums, global ulong* inverse_sums, global uint* counts, global Distance* farthest, Distance level, ulong inverse, uint order) {
  const Vertex v = get_global_id(0);
  if (v >= order) return;
  const uint fresh = fresh_counts[v];
  if (fresh == 0) return;
  fresh_counts[v] = 0;
  sums[v] += (ulong)level * fresh;
  inverse_sums[v] += inverse * fresh;
  counts[v] += fresh;
  farthest[v] = max(farthest[v], level);
}
