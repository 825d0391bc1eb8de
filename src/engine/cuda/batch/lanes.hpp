// Batches of searches in bit lanes: bit i of a vertex's words is set once search i has reached the
// vertex [Then et al., PVLDB 8(4), 2014]. Vertices gather their neighbours' words level by level
// until nothing changes, all in one launch; if few changed, these push theirs. Words hold 128 to
// 1,024 bit lanes. There are two sets of them: a level reads one and writes the other. Gathering
// all bits of a neighbour equals gathering its new ones, since the older have arrived before; a
// vertex that has all bits is left out. Vertices are ordered by degree, so that the threads of a
// warp have equal work. Memory: 32 bytes per vertex for every 128 bit lanes, and 5 per vertex;
// VertexSums takes 88.
#pragma once

#include <functional>
#include <optional>

#include "engine/cuda/search/plan.hpp"

namespace antipode::cuda {

// DistanceSums of every vertex; null pointers: not wanted. Most bit lanes arrive in the first
// levels: these are only counted by level, and added at the end.
struct VertexSums {
  static constexpr Distance kNear = 16;
  Vertex* near;                             // arrivals in each level below kNear, [level][vertex]
  unsigned long long *sums, *inverse_sums;  // see DistanceSums
  Vertex* counts;
  Distance* farthest;
  std::uint64_t unit;

  __device__ void add(Vertex v, Distance level, Vertex arrivals) const {
    sums[v] += static_cast<unsigned long long>(level) * arrivals;
    inverse_sums[v] += inverse_of(level, unit) * arrivals;
    counts[v] += arrivals;
    farthest[v] = max(farthest[v], level);
  }
};

// Vertices by descending degree: huge ones, then wide ones, together padded to a multiple of 32 by
// the next ones; then the rest.
struct LaneRanks {
  const Vertex* list;
  Vertex huge, wide;
};

struct LaneControl;

// What a batch reports beside the farthest distance of each bit lane.
enum class LaneOutput {
  farthest,  // nothing
  lanes,     // sums of every bit lane
  vertices   // sums of every vertex
};

class Lanes {
 public:
  // If `kernels` plans searches by blocks, these are tried first.
  Lanes(const Context& context, const Graph& host_graph, const GraphView& graph,
        const GraphView& into, std::size_t most, SearchKernels& kernels,
        std::function<bool()> interrupted);
  ~Lanes();
  static constexpr std::size_t kMost = kMostBatch, kLeast = 128;
  static constexpr Vertex kWideDegree = 64,
                          kHugeDegree = 2048;  // higher degrees take a warp; a block
  static std::uint64_t bytes(const Graph& graph, std::size_t lanes) {
    return std::uint64_t{graph.order()} * (lanes / 4 + 5 + 24 + 4 * VertexSums::kNear);
  }

  std::size_t most() const { return most_; }
  // Searches that take as long as one, since each has a multiprocessor.
  std::size_t concurrent() const { return kernels_.concurrent(); }
  // Writes the distances of one source after the other; false: a queue overflowed.
  bool search_concurrently(std::span<const Vertex> sources, Distance* distances);
  std::vector<Summary> summarize(std::span<const Vertex> sources);
  std::vector<FarthestDistance> farthest_from(
      std::span<const Vertex> sources,
      const FarthestRequest& request);  // at most most() sources
  void count(std::span<const Vertex> sources, DistanceCounts& counts);
  void add_distances(std::span<const Vertex> sources, DistanceSums& sums);

 private:
  std::span<const BlockResult> search_by_blocks(std::span<const Vertex> sources,
                                                const FarthestRequest& request, Arrivals arrivals);
  void run(std::span<const Vertex> sources, const FarthestRequest& request, LaneOutput output,
           Arrivals arrivals);
  void run(const Vertex* sources, std::size_t count, const FarthestRequest& request,
           LaneOutput output,
           Arrivals arrivals);  // `sources` are on the GPU
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
  Buffer<unsigned> marks_;  // four bitmaps: three of active vertices, one of full ranks
  Buffer<Vertex> sources_, list_, ranked_;  // of a batch; of all batches; all vertices by rank
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
  VertexSums account_{};
};

}  // namespace antipode::cuda
