// Shared by all programs. ON_CPU: a work-item is a loop on a core, and wants long stretches of
// work; elsewhere work-items of a group go together, and want neighbouring places.
typedef uint Vertex;
typedef uint Distance;
#define UNREACHED 0xFFFFFFFFu

// What is marked at every vertex; OUTSIDE only together with CANDIDATE.
#define CANDIDATE 1
#define OUTSIDE 2
#define SEARCHED 4

inline uint degree_of(global const ulong* offsets, Vertex v) {
  return (uint)(offsets[v + 1] - offsets[v]);
}
