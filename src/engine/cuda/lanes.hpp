// Many searches at once: lane i of a vertex's word is set once search i has reached it. Every vertex gathers its neighbours'
// words level by level until nothing changes, all in one launch.  [bit-parallel search: Then et al., VLDB 2015]
// Words hold 128 to 1024 lanes; there are two sets of them, so that a level reads what the last one wrote. Bits of a neighbour that are
// older than the last level have arrived already, so gathering all its bits equals gathering its new ones.
// Memory: 32 bytes a vertex for every 128 lanes.
#pragma once

#include <functional>
#include <optional>

#include "engine/cuda/device_graph.hpp"

namespace antipode::cuda {

struct ReachRequest {
  const unsigned char* flags;          // of every vertex (Flag); null: all are candidates outside the ball
  Distance* lower;                     // raised to the largest distance to a source
  std::uint64_t candidates;            // how many there are; the batch ends when all lanes have reached them all
};

struct LaneControl;
class BlockSearches;
struct BlockResult;

class Lanes {
 public:
  // `blocks`, where there are any, are asked first.
  Lanes(const Context& context, const Graph& host_graph, const GraphView& graph, std::size_t most, std::optional<BlockSearches>& blocks, std::function<bool()> interrupted);
  ~Lanes();
  static constexpr std::size_t kMost = 1024, kLeast = 128;
  static std::uint64_t bytes(const Graph& graph, std::size_t lanes) { return std::uint64_t{graph.order()} * lanes / 4; }

  std::size_t most() const { return most_; }
  std::vector<Summary> summarize(std::span<const Vertex> sources);
  std::vector<Reach> reach(std::span<const Vertex> sources, const ReachRequest& request);  // at most most() sources

 private:
  std::vector<BlockResult> by_blocks(std::span<const Vertex> sources, const ReachRequest& request);
  template <bool kSums>
  void run(std::span<const Vertex> sources, const ReachRequest& request);

  void list_huge_rows();

  const Context& context_;
  const Graph& host_graph_;
  GraphView graph_;
  std::size_t most_;
  std::optional<BlockSearches>& blocks_;
  std::function<bool()> interrupted_;
  Buffer<uint4> words_;                // two sets
  Buffer<Vertex> sources_, huge_;
  Buffer<LaneControl> control_;
};

}  // namespace antipode::cuda
