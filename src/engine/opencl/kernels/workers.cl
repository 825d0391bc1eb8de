// A whole search in one launch on a CPU: one work-group of one item per core, with a barrier after
// every level. Small levels are pushed by the first worker while the others wait, wide ones by all.
// The widest are pulled by the vertices not reached yet [Beamer, Asanović, Patterson 2012].

#define ALONE_ARCS 512  // a level with fewer is small
#define LOW_DEGREE 8    // a small level of lower mean degree is pushed without branches
#define PULL_RATIO 14   // pull when the frontier has more than 1 / this of the arcs left, and …
#define PULL_SHARE 24   // … more than 1 / this of the vertices, or …
#define PULL_MARGIN 4   // … its arcs times this are more than a pull is expected to read
#define SECTIONS 8      // of the vertices, for each worker: pulls take them dynamically

// State between two levels; as in traversal.hpp. All workers have equal copies.
typedef struct {
  ulong arcs, left, read;  // of this level; of unreached vertices; read in this launch
  uint begin, end;         // this level in the queue; if it was pulled it is in a bitmap, from 0 on
  Distance level;
  uint before;                  // vertices of the level before this one
  uint reached, pulled, which;  // vertices; whether this level is in a bitmap, and in which
  uint ended;
  Vertex farthest;
} SearchState;

// Counters of a level, changed by all workers. Three rotate: one in use, one that may still be
// read, one being cleared.
typedef struct {
  uint ticket, tail, unused[14];
} LevelCounters;

typedef struct {
  ulong arcs, count;
} Found;

// The arguments and the state of one worker.
typedef struct {
  global const ulong *offsets, *into;
  global const Vertex *targets, *into_targets;
  global Distance* distances;
  global Vertex *queue, *unvisited;  // the second in sections, each at the place of its vertices
  global uint *counts, *sizes;       // sizes of the sections of `unvisited`; of the levels
  global uint* marks[2];
  volatile global uint* sync_words;
  volatile global LevelCounters* counters;
  volatile global Found* found;  // by worker, for each of the three levels
  global SearchState* saved_state;
  uint order, sections, is_symmetric, may_pull;
  uint me;    // number of this worker
  uint size;  // number of workers
  uint barriers, turn;
} Worker;

enum { JOINED = 0, SIZE = 16, ARRIVED = 32 };  // in different cache lines
#define COMPLETE 0x80000000u

// Groups that begin while the first one waits become workers; later ones end at once. OpenCL does
// not guarantee that groups run at the same time. But no worker has ended yet, so they can wait for
// each other.
inline bool join_workers(Worker* worker, uint most_workers, uint patience) {
  worker->me = atomic_inc(&worker->sync_words[JOINED]);
  if (worker->me >= most_workers) return false;
  if (worker->me == 0) {
    for (uint waited = 0; waited < patience && worker->sync_words[JOINED] < most_workers;
         ++waited) {
    }
    atomic_xchg(&worker->sync_words[SIZE],
                min(atomic_or(&worker->sync_words[JOINED], COMPLETE), most_workers));
  }
  while ((worker->size = worker->sync_words[SIZE]) == 0) {
  }
  return true;
}

inline void sync_workers(Worker* worker) {
  const uint all = ++worker->barriers * worker->size;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_inc(&worker->sync_words[ARRIVED]);
  while (worker->sync_words[ARRIVED] < all) {
  }
  mem_fence(CLK_GLOBAL_MEM_FENCE);
}

inline volatile global LevelCounters* counters_of(const Worker* worker) {
  return &worker->counters[worker->turn % 3];
}

// The state before level 0. Clears the distances.
inline SearchState start_state(const Worker* worker, Vertex source) {
  const uint begin = (uint)((ulong)worker->order * worker->me / worker->size),
             end = (uint)((ulong)worker->order * (worker->me + 1) / worker->size);
  for (uint v = begin; v < end; ++v) worker->distances[v] = UNREACHED;
  if (begin <= source && source < end) worker->distances[source] = 0;
  if (worker->me == 0) {
    worker->queue[0] = source;
    worker->sizes[0] = 1;
  }
  const ulong arcs = degree_of(worker->offsets, source);
  return (SearchState){.arcs = arcs,
                       .left = worker->offsets[worker->order] - arcs,
                       .end = 1,
                       .reached = 1,
                       .farthest = source};
}

// Advances to a level with `count` vertices and `arcs` arcs; if it is empty, the search has ended.
inline void advance(const Worker* worker, SearchState* state, ulong count, ulong arcs,
                    uint pulled) {
  state->pulled = pulled;
  if (count == 0) {
    state->ended = 1;
    return;
  }
  state->before = state->end - state->begin;
  state->begin = pulled ? 0 : state->end;
  state->end = state->begin + (uint)count;
  state->arcs = arcs;
  state->left -= arcs;
  state->reached += (uint)count;
  state->read += arcs + 64;
  ++state->level;
  if (pulled) state->which ^= 1;
  if (worker->me == 0) worker->sizes[state->level] = (uint)count;
}

inline bool is_complete(const Worker* worker, const SearchState* state) {
  return state->reached == worker->order || (state->left == 0 && worker->is_symmetric);
}

// If degrees are low, whether a neighbour is new cannot be predicted: then it decides no branch.
inline ulong push_small(const Worker* worker, const SearchState* state, uint* next_end) {
  global const ulong* const offsets = worker->offsets;
  global const Vertex* const targets = worker->targets;
  global Distance* const distances = worker->distances;
  global Vertex* const queue = worker->queue;
  const Distance next = state->level + 1;
  const bool low_degrees = state->arcs < LOW_DEGREE * (ulong)(state->end - state->begin);
  uint end = state->end;
  for (uint i = state->begin; i < state->end; ++i) {
    const Vertex v = queue[i];
    const ulong stop = offsets[v + 1];
    if (low_degrees) {
      for (ulong k = offsets[v]; k < stop; ++k) {
        const Vertex u = targets[k];
        const Distance value = distances[u];
        queue[end] = u;
        distances[u] = min(value, next);
        end += value == UNREACHED;
      }
    } else {
      for (ulong k = offsets[v]; k < stop; ++k) {
        const Vertex u = targets[k];
        if (distances[u] != UNREACHED) continue;
        queue[end++] = u;
        distances[u] = next;
      }
    }
  }
  ulong arcs = 0;
  for (uint i = state->end; i < end; ++i) arcs += degree_of(offsets, queue[i]);
  *next_end = end;
  return arcs;
}

// The first worker continues while levels are small.
inline void push_alone(Worker* worker, SearchState* state, ulong most_arcs) {
  if (worker->me == 0) {
    while (!state->ended && state->arcs < ALONE_ARCS && state->read < most_arcs &&
           !is_complete(worker, state)) {
      uint end;
      const ulong arcs = push_small(worker, state, &end);
      advance(worker, state, end - state->end, arcs, 0);
    }
    *worker->saved_state = *state;
  }
  sync_workers(worker);
  *state = *worker->saved_state;
  sync_workers(worker);
}

#define LOCAL_QUEUE 1024
// Appends a local queue to the queue; returns the arcs of its vertices.
inline ulong append(const Worker* worker, uint end, const Vertex* found_vertices, uint count) {
  const uint place = end + atomic_add(&counters_of(worker)->tail, count);
  ulong arcs = 0;
  for (uint i = 0; i < count; ++i) {
    arcs += degree_of(worker->offsets, found_vertices[i]);
    worker->queue[place + i] = found_vertices[i];
  }
  return arcs;
}

inline Found push(const Worker* worker, const SearchState* state) {
  global const ulong* const offsets = worker->offsets;
  global const Vertex* const targets = worker->targets;
  volatile global Distance* const distances = worker->distances;
  const Distance next = state->level + 1;
  const uint chunk = clamp((state->end - state->begin) / (8 * worker->size), 1u, 64u);
  Vertex found_vertices[LOCAL_QUEUE];
  uint count = 0;
  Found mine = {0, 0};
  for (uint taken = worker->me; state->begin + (ulong)taken * chunk < state->end;
       taken = worker->size + atomic_inc(&counters_of(worker)->ticket)) {
    const uint begin = state->begin + taken * chunk, end = min(begin + chunk, state->end);
    for (uint i = begin; i < end; ++i) {
      const Vertex v = worker->queue[i];
      const ulong stop = offsets[v + 1];
      for (ulong k = offsets[v]; k < stop; ++k) {
        const Vertex u = targets[k];
        if (distances[u] != UNREACHED ||
            atomic_cmpxchg(&distances[u], UNREACHED, next) != UNREACHED)
          continue;
        if (count == LOCAL_QUEUE) {
          mine.arcs += append(worker, state->end, found_vertices, count);
          mine.count += count;
          count = 0;
        }
        found_vertices[count++] = u;
      }
    }
  }
  mine.arcs += append(worker, state->end, found_vertices, count);
  mine.count += count;
  return mine;
}

// Sections share no word of the bitmaps.
inline uint section_begin(const Worker* worker, uint section) {
  return section == worker->sections
             ? worker->order
             : (uint)((ulong)(worker->order / 32 + 1) * section / worker->sections) * 32;
}
inline uint section_end_word(const Worker* worker, uint section) {
  return section + 1 == worker->sections ? worker->order / 32 + 1
                                         : section_begin(worker, section + 1) / 32;
}

// Lists the unreached vertices, and makes the bitmap of this level.
inline void prepare_pull(const Worker* worker, const SearchState* state) {
  for (uint section = worker->sections * worker->me / worker->size;
       section < worker->sections * (worker->me + 1) / worker->size; ++section) {
    const uint begin = section_begin(worker, section), end_word = section_end_word(worker, section);
    uint count = begin;
    for (uint w = begin / 32; w < end_word; ++w) {
      uint word = 0;
      const uint last = min(w * 32 + 32, worker->order);
      for (uint v = w * 32; v < last; ++v) {
        const Distance value = worker->distances[v];
        worker->unvisited[count] = v;
        count += value == UNREACHED;
        word |= (value == state->level ? 1u : 0u) << v % 32;
      }
      worker->marks[state->which][w] = word;
    }
    worker->counts[section] = count - begin;
  }
}

inline Found pull(const Worker* worker, const SearchState* state) {
  global const ulong *const into = worker->into, *const offsets = worker->offsets;
  global const Vertex* const targets = worker->into_targets;
  global const uint* const marks = worker->marks[state->which];
  global uint* const next_marks = worker->marks[state->which ^ 1];
  const Distance next = state->level + 1;
  Found mine = {0, 0};
  for (uint section = worker->me; section < worker->sections;
       section = worker->size + atomic_inc(&counters_of(worker)->ticket)) {
    const uint begin = section_begin(worker, section), end_word = section_end_word(worker, section),
               count = worker->counts[section];
    global Vertex* const unvisited = worker->unvisited + begin;
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
        worker->distances[v] = next;
        next_marks[v / 32] |= 1u << v % 32;
        ++mine.count;
        mine.arcs += degree_of(offsets, v);
      } else {
        unvisited[left++] = v;
      }
    }
    worker->counts[section] = left;
  }
  return mine;
}

inline bool should_pull(const Worker* worker, const SearchState* state) {
  const uint size = state->end - state->begin;
  if (state->pulled) return size >= state->before || size >= worker->order / PULL_SHARE;
  if (!worker->may_pull || state->arcs <= state->left / PULL_RATIO) return false;
  // Expected neighbours that an unreached vertex reads before it meets the frontier.
  const ulong reads =
      min(state->left / state->arcs + 1, worker->offsets[worker->order] / worker->order + 1);
  return size > worker->order / PULL_SHARE || worker->order * reads < state->arcs * PULL_MARGIN;
}

// A level by all workers.
inline void shared_level(Worker* worker, SearchState* state, bool pulled) {
  if (pulled && !state->pulled) {
    prepare_pull(worker, state);
    sync_workers(worker);
  }
  if (worker->me == 0)
    worker->counters[(worker->turn + 1) % 3].ticket =
        worker->counters[(worker->turn + 1) % 3].tail = 0;
  const Found mine = pulled ? pull(worker, state) : push(worker, state);
  volatile global Found* const found = worker->found + worker->turn % 3 * worker->size;
  found[worker->me].arcs = mine.arcs;
  found[worker->me].count = mine.count;
  sync_workers(worker);
  Found sum = {0, 0};
  for (uint i = 0; i < worker->size; ++i) {
    sum.arcs += found[i].arcs;
    sum.count += found[i].count;
  }
  ++worker->turn;
  advance(worker, state, sum.count, sum.arcs, pulled);
}

#define LOWEST(word) (31 - clz((word) & -(word)))

// Writes the vertices of the bitmap to the front of the queue.
inline void enqueue_marked(Worker* worker, SearchState* state) {
  if (worker->me == 0) {
    uint end = 0;
    for (uint w = 0; w <= worker->order / 32; ++w)
      for (uint word = worker->marks[state->which][w]; word != 0; word &= word - 1)
        worker->queue[end++] = w * 32 + LOWEST(word);
  }
  state->pulled = 0;
  sync_workers(worker);
}

// The first vertex of the last level.
inline Vertex first_farthest(const Worker* worker, const SearchState* state) {
  Vertex result = UNREACHED;
  if (state->pulled) {
    global const uint* const marks = worker->marks[state->which];
    uint w = 0;
    while (marks[w] == 0) ++w;
    return w * 32 + LOWEST(marks[w]);
  }
  for (uint i = state->begin; i < state->end; ++i) result = min(result, worker->queue[i]);
  return result;
}

// Runs until the search has ended or `most_arcs` arcs have been read.
kernel void search_together(global const ulong* offsets, global const Vertex* targets,
                            global const ulong* into, global const Vertex* into_targets,
                            global Distance* distances, global Vertex* queue,
                            global Vertex* unvisited, global uint* counts, global uint* sizes,
                            global uint* marks, global uint* other_marks, global uint* sync_words,
                            global LevelCounters* counters, global Found* found,
                            global SearchState* saved_state, uint order, uint is_symmetric,
                            uint may_pull, uint is_new, Vertex source, ulong most_arcs,
                            uint most_workers, uint patience) {
  Worker worker = {.offsets = offsets,
                   .into = into,
                   .targets = targets,
                   .into_targets = into_targets,
                   .distances = distances,
                   .queue = queue,
                   .unvisited = unvisited,
                   .counts = counts,
                   .sizes = sizes,
                   .marks = {marks, other_marks},
                   .sync_words = sync_words,
                   .counters = counters,
                   .found = found,
                   .saved_state = saved_state,
                   .order = order,
                   .sections = SECTIONS * most_workers,
                   .is_symmetric = is_symmetric,
                   .may_pull = may_pull};
  if (!join_workers(&worker, most_workers, patience)) return;
  SearchState state = is_new ? start_state(&worker, source) : *saved_state;
  state.read = 0;
  if (worker.me == 0) counters[0].ticket = counters[0].tail = 0;
  sync_workers(&worker);
  while (!state.ended && state.read < most_arcs) {
    if (is_complete(&worker, &state)) {
      state.ended = 1;
    } else if (should_pull(&worker, &state)) {
      shared_level(&worker, &state, true);
    } else {
      if (state.pulled) enqueue_marked(&worker, &state);
      if (state.arcs < ALONE_ARCS)
        push_alone(&worker, &state, most_arcs);
      else
        shared_level(&worker, &state, false);
    }
  }
  if (worker.me != 0) return;
  if (state.ended) state.farthest = first_farthest(&worker, &state);
  *saved_state = state;
}
