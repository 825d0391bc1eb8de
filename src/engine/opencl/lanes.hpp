// Batches of searches in bit lanes, level by level: wide levels are pulled by all vertices, the few vertices of a thin one push.
// [bit-parallel search: Then et al., VLDB 2015]
// Memory: 2 bits a lane and vertex, 33 bytes a vertex, 24 more once what every vertex receives is asked for.
#pragma once

#include "engine/opencl/device_graph.hpp"

namespace antipode::opencl {

// Which vertices a batch must reach. Null: all of them, and no bound is raised.
struct ReachRequest {
  const Buffer<unsigned char>* flags = nullptr;
  const Buffer<Distance>* lower = nullptr;
  std::uint64_t candidates = 0;        // how many there are; the batch ends when all lanes have reached them all
};

class Lanes {
 public:
  Lanes(const Context& context, const DeviceGraph& graph, std::size_t most, std::function<bool()> interrupted);
  static constexpr std::size_t kLeast = 128;
  static std::size_t most_of(const Device& device) { return device.is_cpu ? 512 : 1024; }
  static Footprint footprint(std::size_t lanes) { return {lanes / 4 + 33 + 24, 0}; }

  std::size_t most() const { return most_; }
  std::vector<Summary> summarize(std::span<const Vertex> sources);
  std::vector<std::uint64_t> distribution(std::span<const Vertex> sources);
  std::vector<std::uint64_t> weighted_distribution(std::span<const Vertex> sources, std::span<const Engine::Weights> weights);
  void receive(std::span<const Vertex> sources, Received& received);
  std::vector<Reach> reach(std::span<const Vertex> sources, const ReachRequest& request);  // at most most() sources

 private:
  enum class Keep { reach, lanes, vertices };
  struct Report {
    std::uint64_t arrivals = 0, at_candidates = 0, arcs = 0, active = 0;
  };
  using OnLevel = std::function<void(Distance level, const Report& report, std::span<const std::uint32_t> totals)>;

  void run(std::span<const Vertex> sources, Keep keep, const ReachRequest& request, std::uint64_t wanted, const OnLevel& on_level);
  const Program& program(Keep keep, std::size_t lanes);
  void make_room(std::size_t lanes);
  void rank_vertices();
  Range range() const;                 // of a level over all vertices

  const Context& context_;
  const DeviceGraph& graph_;
  std::size_t most_;
  std::function<bool()> interrupted_;
  std::map<std::pair<Keep, std::size_t>, std::unique_ptr<Program>> programs_;
  std::size_t words_ = 0;              // of a vertex, that there is room for
  std::uint32_t stamp_ = 0;            // of the last level of the last batch
  Buffer<std::uint32_t> now_, next_, changed_, changed_next_, fresh_counts_, full_, totals_, counters_, answer_;
  Buffer<Vertex> list_, next_list_, sources_;
  struct Piece {
    std::uint32_t rank, number;        // of a long row
  };
  Buffer<Vertex> ranks_;               // vertices by falling row length; not on a CPU, where a vertex is as good as another
  Buffer<unsigned char> done_;         // by rank and vector
  Buffer<Piece> pieces_;
  std::uint32_t wide_ = 0;             // vertices with long rows
  Buffer<unsigned char> no_flags_;     // everyone is a candidate outside the ball
  Buffer<Distance> no_lower_;
  Buffer<Report> reports_, wide_reports_;  // of short rows, or a push; of long rows
};

}  // namespace antipode::opencl
