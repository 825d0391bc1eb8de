// Many searches at once: bit lane i of a vertex's word is set once search i has reached it.
// Vertices gather their neighbours' words level by level until nothing changes, all in one launch;
// where few have changed, these push theirs. [bit-parallel search: Then et al., PVLDB 8(4), 2014]
// Words hold 128 to 1024 bit lanes; there are two sets of them, so that a level reads what the last
// one wrote. Bits of a neighbour that are older than the last level have arrived already, so
// gathering all its bits equals gathering its new ones, and a vertex that has all bits is left out.
// Vertices are taken by falling degree, so that the threads of a warp have equal work.
// Memory: 32 bytes a vertex for every 128 bit lanes, and 5 bytes a vertex; accounts take 88.
#pragma once

#include <functional>
#include <optional>

#include "engine/cuda/search/plan.hpp"

namespace antipode::cuda {

// What is added up at every vertex over the lanes that reach it; null pointers: nothing. Most lanes
// come by the first levels: these are only counted, level by level, and added up in the end.
struct VertexAccount {
  static constexpr Distance kNear = 16;
  Vertex* near;  // how many came by each level below kNear, [level][vertex]
  unsigned long long *sums, *inverse_sums;  // see DistanceSums
  Vertex* counts;
  Distance* farthest;
  std::uint64_t unit;

  __device__ void add(Vertex v, Distance level, Vertex lanes) const {
    sums[v] += static_cast<unsigned long long>(level) * lanes;
    inverse_sums[v] += inverse_of(level, unit) * lanes;
    counts[v] += lanes;
    farthest[v] = max(farthest[v], level);
  }
};

// Vertices by falling row length: first those with huge rows, then wide ones, as many as make up a
// multiple of 32 together; then the rest.
struct LaneRanks {
  const Vertex* list;
  Vertex huge, wide;
};

struct LaneControl;

// What a batch reports beside the farthest distance of each bit lane.
enum class LaneOutput {
  farthest,  // nothing
  lanes,     // sums of every lane
  vertices   // sums of every vertex
};

class Lanes {
 public:
  // A search by a block for each source comes first, where it is planned.
  Lanes(const Context& context, const Graph& host_graph, const GraphView& graph,
        const GraphView& into, std::size_t most, SearchKernels& kernels,
        std::function<bool()> interrupted);
  ~Lanes();
  static constexpr std::size_t kMost = kMostBatch, kLeast = 128;
  static constexpr Vertex kWideRow = 64, kHugeRow = 2048;  // longer rows are a warp's, a block's
  static std::uint64_t bytes(const Graph& graph, std::size_t lanes) {
    return std::uint64_t{graph.order()} * (lanes / 4 + 5 + 24 + 4 * VertexAccount::kNear);
  }

  std::size_t most() const { return most_; }
  // Searches that have a multiprocessor each, so that they take as long as one.
  std::size_t concurrent() const { return kernels_.concurrent(); }
  // Distances of one source after the other; false: they do not fit after all.
  bool search_concurrently(std::span<const Vertex> sources, Distance* rows);
  std::vector<Summary> summarize(std::span<const Vertex> sources);
  std::vector<FarthestDistance> farthest_from(
      std::span<const Vertex> sources,
      const FarthestRequest& request);  // at most most() sources
  void count(std::span<const Vertex> sources, DistanceCounts& counts);
  void add_distances(std::span<const Vertex> sources, DistanceSums& sums);

 private:
  std::span<const BlockResult> by_blocks(std::span<const Vertex> sources,
                                         const FarthestRequest& request, Arrivals arrivals);
  void run(std::span<const Vertex> sources, const FarthestRequest& request, LaneOutput output,
           Arrivals arrivals);
  void run(const Vertex* sources, std::size_t count, const FarthestRequest& request,
           LaneOutput output,
           Arrivals arrivals);  // already on the GPU
  std::vector<std::uint64_t> add_arrivals(std::span<const Vertex> sources,
                                          std::span<const Multiplicities> weights);
  template <unsigned kGroups>
  void launch(LaneOutput output, const struct LaneJob& job, std::size_t shared);
  template <class Total, class Part>
  void add_to(std::vector<Total>& totals, const Buffer<Part>& parts);
  void make_room(std::size_t groups);
  void rank_vertices();

  const Context& context_;
  const Graph& host_graph_;
  GraphView graph_, into_;
  std::size_t most_;
  SearchKernels& kernels_;
  std::function<bool()> interrupted_;
  Buffer<uint4> words_;     // two sets
  Buffer<unsigned> marks_;  // four bitmaps: three of active vertices, and the full ones by rank
  Buffer<Vertex> sources_, list_, ranked_;  // of a batch; of many; and all vertices by rank
  Buffer<LaneControl> control_;
  Buffer<unsigned long long> arrivals_;
  Buffer<Multiplicities> weights_;
  LaneRanks ranks_{};
  struct Accounts {
    Buffer<Vertex> near;
    Buffer<unsigned long long> sums, inverse_sums;
    Buffer<Vertex> counts;
    Buffer<Distance> farthest;
  } accounts_;
  VertexAccount account_{};
};

}  // namespace antipode::cuda
