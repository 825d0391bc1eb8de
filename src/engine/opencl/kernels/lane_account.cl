// The output of lanes.cl: words of bit lanes, arrivals at a vertex, and the report of a level.
// OUTPUT is 0 for the farthest distances of every bit lane, 1 for the number of vertices that every
// bit lane reached, 2 for DistanceSums of every vertex.
#if WIDTH == 16
typedef uint16 Vec;
inline uint or_of(uint16 x) {
  const uint8 a = x.lo | x.hi;
  const uint4 b = a.lo | a.hi;
  const uint2 c = b.lo | b.hi;
  return c.x | c.y;
}
inline uint sum_of(uint16 x) {
  const uint8 a = x.lo + x.hi;
  const uint4 b = a.lo + a.hi;
  const uint2 c = b.lo + b.hi;
  return c.x + c.y;
}
#else
typedef uint4 Vec;
inline uint or_of(uint4 x) { return x.x | x.y | x.z | x.w; }
inline uint sum_of(uint4 x) { return x.x + x.y + x.z + x.w; }
#endif
#define WORDS (GROUPS * WIDTH)  // of a vertex
#define LANES (WORDS * 32)
#define PIECE 2048        // arcs of a high-degree vertex that a work-group gathers at a time
#define LEAST_TEAM 32     // items that push a vertex together
#define MOST_PUSHED 2048  // arcs of a vertex that a team should not push
#define MANY (1ul << 40)  // arcs: no push
#define STAMP(level) (uchar)((level) % 255 + 1)
#define TICKET 2  // counters: entries of the two lists, alternately; then the next vertex to pull
#define LOW 0x7FFFFF  // of a count: 256 of these still fit 32 bits
#ifdef ON_CPU
#define WORDS_OF const uint*
#else
#define WORDS_OF local const uint*
#endif

typedef struct {
  ulong arrivals, at_candidates;  // new bits, and those at candidates
  ulong arcs;                     // of the vertices with new bits
  ulong active;                   // vertices with new bits
} Report;

// What all groups add to: the bit lanes that reached a candidate, or one outside the ball; with
// OUTPUT 1 the number of vertices that each bit lane reached.
#if OUTPUT == 1
#define TALLY LANES
#else
#define TALLY (2 * WORDS)
#endif

#ifdef ON_CPU
#define ADD(place, value) (*(place) += (value))  // a group is one item
#define JOIN(place, value) (*(place) |= (value))
#else
#define ADD(place, value) atomic_add(place, value)
#define JOIN(place, value) \
  if (((value) & ~*(place)) != 0) atomic_or(place, value)
#endif

typedef struct {
  global const uchar* flags;
  global Distance* lower;
  global ushort* fresh;          // arrivals in this level, by vertex and vector, after a pull
  volatile global uint* pushed;  // by vertex, after a push
  local uint* tally;
  Distance level;
  uint raises;  // lower bounds
} LevelOutput;

inline void add_arrivals(const LevelOutput output, Report* mine, Vertex v, uint word, uint bits) {
  const uint count = popcount(bits);
  mine->arrivals += count;
#if OUTPUT == 0
  const uchar flags = output.flags[v];
  if (flags & CANDIDATE) {
    mine->at_candidates += count;
    JOIN(&output.tally[word], bits);
  }
  if (flags & OUTSIDE) JOIN(&output.tally[WORDS + word], bits);
  if (output.raises && output.lower[v] < output.level)
    output.lower[v] = output.level;  // concurrent writes are equal
#elif OUTPUT == 1
  for (; bits != 0; bits &= bits - 1) ADD(&output.tally[word * 32 + 31 - clz(bits & -bits)], 1u);
#endif
}

inline void add_vector(const LevelOutput output, Report* mine, Vertex v, uint group, Vec fresh) {
  uint words[WIDTH];
#if WIDTH == 16
  vstore16(fresh, 0, words);
#else
  vstore4(fresh, 0, words);
#endif
#if OUTPUT == 0
  const uchar flags = output.flags[v];
  const uint count = sum_of(popcount(fresh));
  mine->arrivals += count;
  if (flags & CANDIDATE) {
    mine->at_candidates += count;
    for (uint w = 0; w < WIDTH; ++w) JOIN(&output.tally[group * WIDTH + w], words[w]);
  }
  if (flags & OUTSIDE)
    for (uint w = 0; w < WIDTH; ++w) JOIN(&output.tally[WORDS + group * WIDTH + w], words[w]);
  if (output.raises && output.lower[v] < output.level) output.lower[v] = output.level;
#else
  for (uint w = 0; w < WIDTH; ++w) add_arrivals(output, mine, v, group * WIDTH + w, words[w]);
#endif
}

// Counts a vertex with new bits.
inline void activate(Report* mine, uint degree) {
  ++mine->active;
  mine->arcs += degree;
  if (degree > MOST_PUSHED) mine->arcs |= MANY;
}

// Writes the words that a vertex has gathered, and reports its new bits. `changed`: the level in
// which a vector of the vertex got its last bits, in one byte. If a level 255 levels older is taken
// for the last one, this costs time only, since both sets of words agree.
inline void update(const LevelOutput output, Report* mine, global const ulong* offsets,
                   global Vec* next, global uchar* changed, Vertex v, uint group, Vec own, Vec sum,
                   bool was_active) {
  const size_t at = (size_t)v * GROUPS + group;
  const Vec fresh = sum & ~own;
  const bool is_new = or_of(fresh) != 0;
  if (is_new || was_active) next[at] = sum;  // the other set lacks the bits of the last level
#if OUTPUT == 2
  output.fresh[at] = (ushort)sum_of(popcount(fresh));
#endif
  if (!is_new) return;
  add_vector(output, mine, v, group, fresh);
  changed[at] = STAMP(output.level);
  activate(mine, degree_of(offsets, v));  // once per vector, so the count is an upper bound
}

#if OUTPUT == 1
#define COMBINE(place, value) atomic_add(place, value)
#else
#define COMBINE(place, value) atomic_or(place, value)
#endif
// Begin and end of the kernels of a level: the tally of the group in local memory, and its report.
#ifdef ON_CPU
#define BEGIN_LEVEL                              \
  local uint tally[TALLY];                       \
  for (uint i = 0; i < TALLY; ++i) tally[i] = 0; \
  Report mine = {0, 0, 0, 0};                    \
  const LevelOutput output = {.flags = flags,    \
                              .lower = lower,    \
                              .fresh = fresh,    \
                              .pushed = pushed,  \
                              .tally = tally,    \
                              .level = level,    \
                              .raises = raises};
#define END_LEVEL                                     \
  for (uint i = 0; i < TALLY; ++i)                    \
    if (tally[i] != 0) COMBINE(&totals[i], tally[i]); \
  reports[get_group_id(0)] = mine;
#else
#define BEGIN_LEVEL                                                               \
  local uint tally[TALLY];                                                        \
  local uint shared[7];                                                           \
  for (uint i = get_local_id(0); i < TALLY; i += get_local_size(0)) tally[i] = 0; \
  if (get_local_id(0) < 7) shared[get_local_id(0)] = 0;                           \
  barrier(CLK_LOCAL_MEM_FENCE);                                                   \
  Report mine = {0, 0, 0, 0};                                                     \
  const LevelOutput output = {.flags = flags,                                     \
                              .lower = lower,                                     \
                              .fresh = fresh,                                     \
                              .pushed = pushed,                                   \
                              .tally = tally,                                     \
                              .level = level,                                     \
                              .raises = raises};
#define END_LEVEL                                                                              \
  atomic_add(&shared[0], (uint)mine.arrivals& LOW);                                            \
  atomic_add(&shared[5], (uint)(mine.arrivals >> 23));                                         \
  atomic_add(&shared[1], (uint)mine.at_candidates& LOW);                                       \
  atomic_add(&shared[6], (uint)(mine.at_candidates >> 23));                                    \
  atomic_add(&shared[2], (uint)min(mine.arcs, (ulong)65536));                                  \
  atomic_or(&shared[4], (uint)(mine.arcs >> 40));                                              \
  atomic_add(&shared[3], (uint)mine.active);                                                   \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                \
  for (uint i = get_local_id(0); i < TALLY; i += get_local_size(0))                            \
    if (tally[i] != 0) COMBINE(&totals[i], tally[i]);                                          \
  if (get_local_id(0) == 0)                                                                    \
    reports[get_group_id(0)] = (Report){.arrivals = shared[0] + ((ulong)shared[5] << 23),      \
                                        .at_candidates = shared[1] + ((ulong)shared[6] << 23), \
                                        .arcs = shared[4] ? MANY : shared[2],                  \
                                        .active = shared[3]};
#endif
