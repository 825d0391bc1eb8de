// Packed adjacency of graphs with low degrees, for searches by one block or one cluster: eight
// neighbours in two halves of 16 bytes. Each neighbour's entry says how much of that neighbour's
// own adjacency to read; in road networks the first half nearly always suffices. All first halves
// are contiguous, so that vertices with close numbers share a read. Memory: 32 bytes per vertex.
#pragma once

#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/layout/device_graph.hpp"

namespace antipode::cuda {

struct PackedEntry {
  static constexpr unsigned kHalf = 4, kLength = 8;
  // Flags of an entry: its vertex has more than kHalf neighbours, more than kLength.
  static constexpr unsigned kWide = 1u << 30, kLong = 1u << 31;
  // Bits between vertex and flags. If the vertex is not wide, two bits (kVertices) give the place
  // of the parent in the vertex's own adjacency: the parent need not be tested again. Bits from
  // kLeaf on count the removed leaves of the vertex. The cluster search has no leaves.
  static constexpr unsigned kVertices = 1u << 25, kLeaf = 1u << 27, kMostLeaves = kWide / kLeaf - 1;
  // Number of words in the bitmap of visited vertices. Short adjacencies are filled with padding,
  // whose bits are in one warp of words behind the bitmap. If those words are set, padding is never
  // new.
  __host__ __device__ static unsigned words(Vertex order) { return order / 32 + 1; }
  __host__ __device__ static unsigned padding(Vertex order, unsigned which) {
    return (words(order) + which % kWarp) * 32;
  }

  __host__ __device__ static unsigned leaf_bits(unsigned count) { return count * kLeaf; }
  __device__ static unsigned leaves_of(unsigned entry) { return entry / kLeaf & kMostLeaves; }
  __device__ static Vertex vertex_of(unsigned entry) { return entry % kVertices; }
  // For a vertex whose degree is not known: all of its adjacency is read.
  __host__ __device__ static unsigned entry_of(Vertex v) { return v | kWide | kLong; }
  __device__ static unsigned entry_of(Vertex v, Vertex degree, unsigned place) {
    return v | (place < kHalf ? place * kVertices : kWide) | (degree > kHalf ? kWide : 0) |
           (degree > kLength ? kLong : 0);
  }
  // Replaces the parent in the first half by padding. This pays if claims go to other blocks'
  // memory.
  __device__ static void replace_parent(unsigned entry, unsigned padding, uint4& half) {
    const unsigned place = (entry & kWide) != 0 ? kHalf : entry / kVertices % kHalf;
    if (place == 0) half.x = padding;
    if (place == 1) half.y = padding;
    if (place == 2) half.z = padding;
    if (place == 3) half.w = padding;
  }
};

// Where a search by one block begins: the first vertex to expand, and its distance from the source
// (one if the source is a removed leaf).
struct BlockSource {
  unsigned entry;  // of a packed adjacency
  Distance level;
};

struct PackedAdjacency {
  const uint4* halves = nullptr;  // all first halves, then all second halves
  Vertex order = 0;
  const unsigned char* leaves = nullptr;  // removed leaves of each vertex; null: none
  __device__ bool is_vertex(unsigned entry) const { return PackedEntry::vertex_of(entry) < order; }
  __device__ const uint4& first(Vertex v) const { return halves[v]; }
  __device__ const uint4& second(Vertex v) const { return halves[std::size_t{order} + v]; }
};

// Whether all degrees and their mean are small enough for packing.
inline constexpr Vertex kHighestPackedDegree = 64, kMeanPackedDegree = 8;
bool has_low_degrees(const Graph& graph);
Buffer<uint4> pack_adjacency(const Context& context, const GraphView& graph,
                             const unsigned char* leaves = nullptr);

// A shortest path to `to`, backtracked in an undirected graph; empty if there is none.
std::vector<Vertex> backtrack(const Context& context, const GraphView& graph,
                              PackedAdjacency adjacency, const Distance* distances, Vertex to);

}  // namespace antipode::cuda
