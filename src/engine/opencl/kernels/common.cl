// Included in all programs. With ON_CPU a work-item is a loop on a core and should get long chunks
// of work. Elsewhere the work-items of a group run together and should read neighbouring addresses.
typedef uint Vertex;
typedef uint Distance;
#define UNREACHED 0xFFFFFFFFu

// Flags of a vertex; OUTSIDE only together with CANDIDATE.
#define CANDIDATE 1
#define OUTSIDE 2
#define SEARCHED 4

inline uint degree_of(global const ulong* offsets, Vertex v) {
  return (uint)(offsets[v + 1] - offsets[v]);
}
