// Batches of searches in bit lanes: bit i of a vertex's word belongs to search i. [Then et al.,
// PVLDB 8(4), 2014] A batch has 64, 256 or 512 lanes, as few as hold its sources. Words are as wide
// as the registers of the machine, chosen at run time. Small frontiers push, wide ones are pulled.
// A pull gathers the *seen* words of neighbours instead of their frontier words: a lane that a
// neighbour saw earlier has already reached this vertex, so the result is the same. But vertices
// seen by all lanes are skipped, and gathering ends early. Memory: 3 bits per lane and vertex, 9
// bytes per vertex.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "antipode/engine.hpp"
#include "engine/host/farthest_request.hpp"

namespace antipode::cpu {

inline constexpr std::size_t kMostLanes = 512;

// One word width on one instruction set. Sources may repeat; at most kMostLanes.
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
  // Stops when all lanes have reached every candidate.
  virtual void find_farthest(std::span<const Vertex> sources,
                             const host::FarthestRequest& request) = 0;
};

struct LaneMachine {
  const Graph& graph;
  int threads;
  std::function<bool()> interrupted;
  std::size_t most = kMostLanes;  // most sources of a batch that memory allows
};

// `words`: 64-bit words of a lane word: 1, 4 or 8.
std::unique_ptr<LaneKernel> portable_lanes(const LaneMachine& machine, unsigned words);
std::unique_ptr<LaneKernel> avx2_lanes(const LaneMachine& machine, unsigned words);
std::unique_ptr<LaneKernel> avx512_lanes(const LaneMachine& machine, unsigned words);

// Bytes per vertex of a batch of so many lanes.
constexpr std::uint64_t lane_bytes(std::size_t lanes) { return 3 * lanes / 8 + 13; }

// Chooses the width for each batch; a kernel is created when it is needed, and replaces the last
// one.
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
  // work(kernel, sources of a batch, index of the first).
  template <class Work>
  void in_batches(std::span<const Vertex> sources, Work work);

  LaneMachine machine_;
  std::unique_ptr<LaneKernel> kernel_;
  unsigned words_ = 0;  // of the kernel
};

}  // namespace antipode::cpu
