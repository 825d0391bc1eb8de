// Short rows for searches by a block or by a cluster of blocks: eight neighbours in two halves of
// 16 bytes. Each neighbour's entry says how much there is to read of its own row: on roads hardly
// ever more than the first half. All first halves lie together, so that vertices with neighbouring
// numbers share a read. Memory: 32 bytes a vertex.
#pragma once

#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/layout/device_graph.hpp"

namespace antipode::cuda {

struct PackedRow {
  static constexpr unsigned kHalf = 4, kLength = 8;
  // Flags of an entry: its vertex has more than kHalf neighbours, more than kLength.
  static constexpr unsigned kWide = 1u << 30, kLong = 1u << 31;
  // Between the vertex and these, where a graph that needs the place does not fit shared memory: if
  // it is not wide, at which place of its row the vertex is in whose row this entry is, and who
  // need not be looked at again; and how many leaves hang on it that are not in the rows.
  static constexpr unsigned kVertices = 1u << 25, kHanging = 1u << 27,
                            kMostHanging = kWide / kHanging - 1;
  // Vertices are marked in so many words. Rows that are short are filled up with nobodies, whose
  // marks would be in a warp of words behind these: where a block has such words, and sets them,
  // nobodies can be claimed in vain.
  __host__ __device__ static unsigned words(Vertex order) { return order / 32 + 1; }
  __host__ __device__ static unsigned nobody(Vertex order, unsigned which) {
    return (words(order) + which % kWarp) * 32;
  }

  __host__ __device__ static unsigned hanging(unsigned count) { return count * kHanging; }
  __device__ static unsigned hanging_of(unsigned entry) { return entry / kHanging & kMostHanging; }
  __device__ static Vertex vertex_of(unsigned entry) { return entry % kVertices; }
  __host__ __device__ static unsigned entry_of(Vertex v) {
    return v | kWide | kLong;
  }  // for those who have not looked
  __device__ static unsigned entry_of(Vertex v, Vertex degree, unsigned place) {
    return v | (place < kHalf ? place * kVertices : kWide) | (degree > kHalf ? kWide : 0) |
           (degree > kLength ? kLong : 0);
  }
  // The first half of the entry's row without the one from whose row it is: where a claim goes to
  // another block that is worth more than it takes.
  __device__ static void leave_out_where_from(unsigned entry, unsigned nobody, uint4& half) {
    const unsigned place = (entry & kWide) != 0 ? kHalf : entry / kVertices % kHalf;
    if (place == 0) half.x = nobody;
    if (place == 1) half.y = nobody;
    if (place == 2) half.z = nobody;
    if (place == 3) half.w = nobody;
  }
};

struct PackedRows {
  const uint4* halves = nullptr;  // the first ones of all vertices, then the second ones
  Vertex order = 0;
  const unsigned char* hanging =
      nullptr;  // how many leaves hang on each that are not there; null: none
  __device__ bool is_somebody(unsigned entry) const { return PackedRow::vertex_of(entry) < order; }
  __device__ const uint4& first(Vertex v) const { return halves[v]; }
  __device__ const uint4& second(Vertex v) const { return halves[std::size_t{order} + v]; }
};

// Are the rows short enough, and short enough in the mean, to be packed?
inline constexpr Vertex kLongestPackedRow = 64, kMeanPackedRow = 8;
bool has_short_rows(const Graph& graph);
Buffer<uint4> packed_rows(const Context& context, const GraphView& graph,
                          const unsigned char* hanging = nullptr);

// A shortest path to `to`, found backwards, in a graph whose arcs have no direction; empty if there
// is none.
std::vector<Vertex> backtrack(const Context& context, const GraphView& graph, PackedRows rows,
                              const Distance* distances, Vertex to);

}  // namespace antipode::cuda
