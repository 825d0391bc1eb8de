// Searches with lengths from many sources on the GPU: passes over a folded graph (docs/paths.md,
// T3). A block takes 32 sources, a warp a vertex, a thread of it a source: the distances of a
// vertex from all sources of the block are one line of 128 bytes.
//
// First the sources climb: level by level, from the vertices removed first to those removed last,
// every vertex that a source rises to passes its lengths on. Then one pass goes down over all
// levels. A level holds vertices that do not wait for each other; a barrier of the block separates
// levels.
//
// Memory on the GPU: 8 bytes per arc of the folded graph, 12 per vertex; 128 per vertex and block.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "antipode/path_engine.hpp"
#include "engine/cuda/device/context.hpp"
#include "graph/length_folding.hpp"

namespace antipode::cuda {

inline constexpr unsigned kNoLength = 0x7fffffff;  // no path; twice this fits 32 bits

// The folded graph in the order of its levels. In each level the vertices that others wait for come
// first; the distances of the rest are not stored.
struct PassLayout {
  std::vector<unsigned> level_begin;   // and the order at the end
  std::vector<unsigned> level_stored;  // where the vertices without others below them begin
  std::vector<unsigned> offsets;       // of the arcs upwards
  std::vector<uint2> arcs;             // place in this order, length
  std::vector<unsigned> level_of;      // of each place
  std::vector<unsigned> place_of;      // of each vertex
  std::vector<unsigned> rank_of;       // of each vertex: near ranks share most of their climbs
};
PassLayout lay_out(const LengthFolding<std::uint32_t>& folding);

// What one pass finds for one source.
struct PassOutcome {
  unsigned long long sum;
  unsigned farthest, reached;
};

class LengthPasses {
 public:
  // A complete folding, all of whose distances are less than 2^31 - 1.
  LengthPasses(const Context& context, const LengthFolding<std::uint32_t>& folding,
               std::function<bool()> interrupted);
  std::vector<PathSummary> summarize(std::span<const Vertex> sources);
  std::size_t sources_at_once() const { return std::size_t{blocks_} * kSources; }

  static constexpr unsigned kSources = 32;

 private:
  void run(std::span<const unsigned> places, std::span<PassOutcome> outcomes);

  const Context& context_;
  std::function<bool()> interrupted_;
  PassLayout layout_;
  Buffer<unsigned> level_begin_, level_stored_, offsets_, level_of_;
  Buffer<uint2> arcs_;
  Buffer<unsigned> distances_, marks_, places_, next_;
  Buffer<PassOutcome> outcomes_;
  unsigned blocks_ = 0;
};

}  // namespace antipode::cuda
