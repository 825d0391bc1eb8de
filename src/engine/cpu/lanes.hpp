// Many searches at once: bit i of a vertex's word belongs to search i, its lane.  [Then et al.,
// PVLDB 8(4), 2014] A batch has 64, 256 or 512 lanes, as few as hold its sources; its words are as
// wide as the machine's registers, chosen when the program runs. Small frontiers are pushed, wide
// ones pulled. A pull gathers what neighbours have *seen*, not their frontier: a lane that a
// neighbour saw earlier has already reached this vertex, so nothing else can come of it, a vertex
// that all lanes have seen is left alone, and a row ends early. The vertices are shared out among
// the threads. Memory: 3 bits a lane and vertex, 9 bytes a vertex.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "antipode/engine.hpp"
#include "engine/host/farthest_request.hpp"

namespace antipode::cpu {

inline constexpr std::size_t kMostLanes = 512;

// One word width on one instruction set. Sources may repeat; there are at most kMostLanes of them.
class LaneKernel {
 public:
  virtual ~LaneKernel() = default;
  virtual void summarize(std::span<const Vertex> sources, std::span<Summary> summaries) = 0;
  // Adds the vertices at each distance from any of the sources.
  virtual void distribution(std::span<const Vertex> sources,
                            std::vector<std::uint64_t>& counts) = 0;
  virtual void weighted_distribution(std::span<const Vertex> sources,
                                     std::span<const Multiplicities> weights,
                                     std::vector<std::uint64_t>& counts) = 0;
  virtual void add_distances(std::span<const Vertex> sources, DistanceSums& sums) = 0;
  // Stops when every candidate has been reached by all lanes.
  virtual void find_farthest(std::span<const Vertex> sources,
                             const host::FarthestRequest& request) = 0;
};

struct LaneMachine {
  const Graph& graph;
  int threads;
  std::function<bool()> interrupted;
  std::size_t most = kMostLanes;  // sources a batch takes: what memory allows
};

// Kernels by the number of 64-bit words a lane word has: 1, 4 or 8.
std::unique_ptr<LaneKernel> portable_lanes(const LaneMachine& machine, unsigned words);
std::unique_ptr<LaneKernel> avx2_lanes(const LaneMachine& machine, unsigned words);
std::unique_ptr<LaneKernel> avx512_lanes(const LaneMachine& machine, unsigned words);

// Bytes a vertex of a batch of so many lanes.
constexpr std::uint64_t lane_bytes(std::size_t lanes) { return 3 * lanes / 8 + 13; }

// The width that a batch needs, made when it is wanted in place of another.
class Lanes {
 public:
  explicit Lanes(LaneMachine machine) : machine_(std::move(machine)) {}
  void summarize(std::span<const Vertex> sources, std::span<Summary> summaries);
  void count(std::span<const Vertex> sources, DistanceCounts& counts);
  void add_distances(std::span<const Vertex> sources, DistanceSums& sums);
  void find_farthest(std::span<const Vertex> sources, const host::FarthestRequest& request);
  std::size_t most() const { return machine_.most; }

 private:
  LaneKernel& kernel_for(std::size_t sources);
  template <class Work>
  void in_batches(std::span<const Vertex> sources,
                  Work work);  // work(kernel, part of the sources, where it begins)

  LaneMachine machine_;
  std::unique_ptr<LaneKernel> kernel_;
  unsigned words_ = 0;  // of the kernel
};

}  // namespace antipode::cpu
