// A whole search in one launch, by the cores of a CPU: work-groups of one item each, which meet
// after every level. The levels are those of the CPU engine: small ones are pushed by the first of
// the crew while the others wait, wide ones by all, the widest are pulled by the vertices not
// reached yet.

#define ALONE_ARCS 512  // a level with fewer is small
#define SHORT_ROW 8  // a small level whose rows are shorter in the mean is pushed without branches
#define PULL_RATIO 14  // pull when the frontier has more than this share of the arcs left, and …
#define PULL_SHARE 24  // … more than this share of the vertices, or …
#define PULL_MARGIN 4  // … its arcs, so many times, are more than those a pull is likely to look at
#define PARTS 8  // of the vertices, for each of the crew that was wanted: pulls take them by turns

// How far the search is; as in traversal.hpp. Each of the crew has its own, all the same.
typedef struct {
  ulong arcs, left, looked;  // of this level; of vertices not reached; looked at in this launch
  uint begin,
      end;  // this level in the queue; one that was pulled is marked instead, and begins at 0
  Distance level;
  uint before;                  // vertices of the level before this one
  uint reached, pulled, which;  // vertices; whether this level is marked, and where
  uint ended;
  Vertex farthest;
} Course;

// What all change in a level. There are three, by turns: one in use, one that others may still
// read, one that is cleared.
typedef struct {
  uint ticket, tail, unused[14];
} Desk;

typedef struct {
  ulong arcs, count;
} Found;

// What one of the crew knows.
typedef struct {
  global const ulong *offsets, *into;
  global const Vertex *targets, *into_targets;
  global Distance* row;
  global Vertex *queue, *unvisited;  // the second in parts, each where its vertices are
  global uint *counts, *sizes;       // of each part of `unvisited`; of the levels
  global uint* marks[2];
  volatile global uint* meeting;
  volatile global Desk* desks;
  volatile global Found* found;  // by each of the crew, at each desk
  global Course* course;
  uint order, parts, is_symmetric, may_pull;
  uint me, size, meetings, turn;
} Crew;

enum { JOINED = 0, SIZE = 16, MET = 32 };  // in different lines of a cache
#define COMPLETE 0x80000000u

// Whoever has begun while the first waited is of the crew; whoever comes later is not wanted any
// more. Nothing promises that groups run side by side, but these do, since none of them has ended:
// they can wait for each other.
inline bool joins(Crew* crew, uint wanted, uint patience) {
  crew->me = atomic_inc(&crew->meeting[JOINED]);
  if (crew->me >= wanted) return false;
  if (crew->me == 0) {
    for (uint waited = 0; waited < patience && crew->meeting[JOINED] < wanted; ++waited) {
    }
    atomic_xchg(&crew->meeting[SIZE], min(atomic_or(&crew->meeting[JOINED], COMPLETE), wanted));
  }
  while ((crew->size = crew->meeting[SIZE]) == 0) {
  }
  return true;
}

inline void meet(Crew* crew) {
  const uint all = ++crew->meetings * crew->size;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_inc(&crew->meeting[MET]);
  while (crew->meeting[MET] < all) {
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
}

inline volatile global Desk* desk_of(const Crew* crew) { return &crew->desks[crew->turn % 3]; }

// Also clears the row.
inline Course begun(const Crew* crew, Vertex source) {
  const uint begin = (uint)((ulong)crew->order * crew->me / crew->size),
             end = (uint)((ulong)crew->order * (crew->me + 1) / crew->size);
  for (uint v = begin; v < end; ++v) crew->row[v] = UNREACHED;
  if (begin <= source && source < end) crew->row[source] = 0;
  if (crew->me == 0) {
    crew->queue[0] = source;
    crew->sizes[0] = 1;
  }
  const ulong arcs = degree_of(crew->offsets, source);
  return (Course){arcs, crew->offsets[crew->order] - arcs, 0, 0, 1, 0, 0, 1, 0, 0, 0, source};
}

// The next level has so many vertices and arcs. If it has none, this one was the last.
inline void advance(const Crew* crew, Course* here, ulong count, ulong arcs, uint pulled) {
  here->pulled = pulled;
  if (count == 0) {
    here->ended = 1;
    return;
  }
  here->before = here->end - here->begin;
  here->begin = pulled ? 0 : here->end;
  here->end = here->begin + (uint)count;
  here->arcs = arcs;
  here->left -= arcs;
  here->reached += (uint)count;
  here->looked += arcs + 64;
  ++here->level;
  if (pulled) here->which ^= 1;
  if (crew->me == 0) crew->sizes[here->level] = (uint)count;
}

inline bool nothing_left(const Crew* crew, const Course* here) {
  return here->reached == crew->order || (here->left == 0 && crew->is_symmetric);
}

// Whether a neighbour is new is a coin toss in short rows: there it decides no branch.
inline ulong push_small(const Crew* crew, const Course* here, uint* next_end) {
  global const ulong* const offsets = crew->offsets;
  global const Vertex* const targets = crew->targets;
  global Distance* const row = crew->row;
  global Vertex* const queue = crew->queue;
  const Distance next = here->level + 1;
  const bool short_rows = here->arcs < SHORT_ROW * (ulong)(here->end - here->begin);
  uint end = here->end;
  for (uint i = here->begin; i < here->end; ++i) {
    const Vertex v = queue[i];
    const ulong stop = offsets[v + 1];
    if (short_rows) {
      for (ulong k = offsets[v]; k < stop; ++k) {
        const Vertex u = targets[k];
        const Distance value = row[u];
        queue[end] = u;
        row[u] = min(value, next);
        end += value == UNREACHED;
      }
    } else {
      for (ulong k = offsets[v]; k < stop; ++k) {
        const Vertex u = targets[k];
        if (row[u] != UNREACHED) continue;
        queue[end++] = u;
        row[u] = next;
      }
    }
  }
  ulong arcs = 0;
  for (uint i = here->end; i < end; ++i) arcs += degree_of(offsets, queue[i]);
  *next_end = end;
  return arcs;
}

// The first goes on for as long as levels are small.
inline void push_alone(Crew* crew, Course* here, ulong most_arcs) {
  if (crew->me == 0) {
    while (!here->ended && here->arcs < ALONE_ARCS && here->looked < most_arcs &&
           !nothing_left(crew, here)) {
      uint end;
      const ulong arcs = push_small(crew, here, &end);
      advance(crew, here, end - here->end, arcs, 0);
    }
    *crew->course = *here;
  }
  meet(crew);
  *here = *crew->course;
  meet(crew);
}

#define KEPT 1024
inline ulong queued(const Crew* crew, uint end, const Vertex* kept, uint count) {
  const uint place = end + atomic_add(&desk_of(crew)->tail, count);
  ulong arcs = 0;
  for (uint i = 0; i < count; ++i) {
    arcs += degree_of(crew->offsets, kept[i]);
    crew->queue[place + i] = kept[i];
  }
  return arcs;
}

inline Found push(const Crew* crew, const Course* here) {
  global const ulong* const offsets = crew->offsets;
  global const Vertex* const targets = crew->targets;
  volatile global Distance* const row = crew->row;
  const Distance next = here->level + 1;
  const uint stretch = clamp((here->end - here->begin) / (8 * crew->size), 1u, 64u);
  Vertex kept[KEPT];
  uint count = 0;
  Found mine = {0, 0};
  for (uint taken = crew->me; here->begin + (ulong)taken * stretch < here->end;
       taken = crew->size + atomic_inc(&desk_of(crew)->ticket)) {
    const uint begin = here->begin + taken * stretch, end = min(begin + stretch, here->end);
    for (uint i = begin; i < end; ++i) {
      const Vertex v = crew->queue[i];
      const ulong stop = offsets[v + 1];
      for (ulong k = offsets[v]; k < stop; ++k) {
        const Vertex u = targets[k];
        if (row[u] != UNREACHED || atomic_cmpxchg(&row[u], UNREACHED, next) != UNREACHED) continue;
        if (count == KEPT) {
          mine.arcs += queued(crew, here->end, kept, count);
          mine.count += count;
          count = 0;
        }
        kept[count++] = u;
      }
    }
  }
  mine.arcs += queued(crew, here->end, kept, count);
  mine.count += count;
  return mine;
}

// Parts share no word of marks.
inline uint part_begin(const Crew* crew, uint part) {
  return part == crew->parts ? crew->order
                             : (uint)((ulong)(crew->order / 32 + 1) * part / crew->parts) * 32;
}
inline uint part_end_word(const Crew* crew, uint part) {
  return part + 1 == crew->parts ? crew->order / 32 + 1 : part_begin(crew, part + 1) / 32;
}

// Lists the vertices not reached, and marks those of this level.
inline void prepare_pull(const Crew* crew, const Course* here) {
  for (uint part = crew->parts * crew->me / crew->size;
       part < crew->parts * (crew->me + 1) / crew->size; ++part) {
    const uint begin = part_begin(crew, part), end_word = part_end_word(crew, part);
    uint count = begin;
    for (uint w = begin / 32; w < end_word; ++w) {
      uint word = 0;
      const uint last = min(w * 32 + 32, crew->order);
      for (uint v = w * 32; v < last; ++v) {
        const Distance value = crew->row[v];
        crew->unvisited[count] = v;
        count += value == UNREACHED;
        word |= (value == here->level ? 1u : 0u) << v % 32;
      }
      crew->marks[here->which][w] = word;
    }
    crew->counts[part] = count - begin;
  }
}

inline Found pull(const Crew* crew, const Course* here) {
  global const ulong *const into = crew->into, *const offsets = crew->offsets;
  global const Vertex* const targets = crew->into_targets;
  global const uint* const marks = crew->marks[here->which];
  global uint* const next_marks = crew->marks[here->which ^ 1];
  const Distance next = here->level + 1;
  Found mine = {0, 0};
  for (uint part = crew->me; part < crew->parts;
       part = crew->size + atomic_inc(&desk_of(crew)->ticket)) {
    const uint begin = part_begin(crew, part), end_word = part_end_word(crew, part),
               count = crew->counts[part];
    global Vertex* const unvisited = crew->unvisited + begin;
    uint left = 0;
    for (uint w = begin / 32; w < end_word; ++w) next_marks[w] = 0;
    for (uint i = 0; i < count; ++i) {
      const Vertex v = unvisited[i];
      const ulong stop = into[v + 1];
      bool reached = false;
      for (ulong k = into[v]; k < stop && !reached; ++k) {
        const Vertex u = targets[k];
        reached = (marks[u / 32] >> u % 32 & 1) != 0;
      }
      if (reached) {
        crew->row[v] = next;
        next_marks[v / 32] |= 1u << v % 32;
        ++mine.count;
        mine.arcs += degree_of(offsets, v);
      } else {
        unvisited[left++] = v;
      }
    }
    crew->counts[part] = left;
  }
  return mine;
}

inline bool pulls(const Crew* crew, const Course* here) {
  const uint size = here->end - here->begin;
  if (here->pulled) return size >= here->before || size >= crew->order / PULL_SHARE;
  if (!crew->may_pull || here->arcs <= here->left / PULL_RATIO) return false;
  // A vertex not reached looks at so many neighbours before it meets the frontier, unless it has
  // fewer.
  const ulong looks =
      min(here->left / here->arcs + 1, crew->offsets[crew->order] / crew->order + 1);
  return size > crew->order / PULL_SHARE || crew->order * looks < here->arcs * PULL_MARGIN;
}

// A level by all.
inline void level_together(Crew* crew, Course* here, bool pulled) {
  if (pulled && !here->pulled) {
    prepare_pull(crew, here);
    meet(crew);
  }
  if (crew->me == 0)
    crew->desks[(crew->turn + 1) % 3].ticket = crew->desks[(crew->turn + 1) % 3].tail = 0;
  const Found mine = pulled ? pull(crew, here) : push(crew, here);
  volatile global Found* const found = crew->found + crew->turn % 3 * crew->size;
  found[crew->me].arcs = mine.arcs;
  found[crew->me].count = mine.count;
  meet(crew);
  Found sum = {0, 0};
  for (uint i = 0; i < crew->size; ++i) {
    sum.arcs += found[i].arcs;
    sum.count += found[i].count;
  }
  ++crew->turn;
  advance(crew, here, sum.count, sum.arcs, pulled);
}

#define LOWEST(word) (31 - clz((word) & -(word)))

// What is marked goes to the front of the queue.
inline void queue_marked(Crew* crew, Course* here) {
  if (crew->me == 0) {
    uint end = 0;
    for (uint w = 0; w <= crew->order / 32; ++w)
      for (uint word = crew->marks[here->which][w]; word != 0; word &= word - 1)
        crew->queue[end++] = w * 32 + LOWEST(word);
  }
  here->pulled = 0;
  meet(crew);
}

inline Vertex least(const Crew* crew, const Course* here) {
  Vertex result = UNREACHED;
  if (here->pulled) {
    global const uint* const marks = crew->marks[here->which];
    uint w = 0;
    while (marks[w] == 0) ++w;
    return w * 32 + LOWEST(marks[w]);
  }
  for (uint i = here->begin; i < here->end; ++i) result = min(result, crew->queue[i]);
  return result;
}

// Goes on until the search has ended or so many arcs have been looked at.
kernel void search_together(global const ulong* offsets, global const Vertex* targets,
                            global const ulong* into, global const Vertex* into_targets,
                            global Distance* row, global Vertex* queue, global Vertex* unvisited,
                            global uint* counts, global uint* sizes, global uint* marks,
                            global uint* other_marks, global uint* meeting, global Desk* desks,
                            global Found* found, global Course* course, uint order,
                            uint is_symmetric, uint may_pull, uint is_new, Vertex source,
                            ulong most_arcs, uint wanted, uint patience) {
  Crew crew = {offsets,
               into,
               targets,
               into_targets,
               row,
               queue,
               unvisited,
               counts,
               sizes,
               {marks, other_marks},
               meeting,
               desks,
               found,
               course,
               order,
               PARTS * wanted,
               is_symmetric,
               may_pull,
               0,
               0,
               0,
               0};
  if (!joins(&crew, wanted, patience)) return;
  Course here = is_new ? begun(&crew, source) : *course;
  here.looked = 0;
  if (crew.me == 0) desks[0].ticket = desks[0].tail = 0;
  meet(&crew);
  while (!here.ended && here.looked < most_arcs) {
    if (nothing_left(&crew, &here)) {
      here.ended = 1;
    } else if (pulls(&crew, &here)) {
      level_together(&crew, &here, true);
    } else {
      if (here.pulled) queue_marked(&crew, &here);
      if (here.arcs < ALONE_ARCS)
        push_alone(&crew, &here, most_arcs);
      else
        level_together(&crew, &here, false);
    }
  }
  if (crew.me != 0) return;
  if (here.ended) here.farthest = least(&crew, &here);
  *course = here;
}
