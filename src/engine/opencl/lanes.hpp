// Batches of searches in bit lanes, level by level: wide levels are pulled by all vertices, the few
// vertices of a thin one push. [bit-parallel search: Then et al., PVLDB 8(4), 2014] Memory: 2 bits
// a lane and vertex, 3 bytes for every 128 lanes, 29 bytes a vertex, 24 more once what every vertex
// receives is asked for, 32 where groups search (group_searches.hpp).
#pragma once

#include "engine/opencl/group_searches.hpp"

namespace antipode::opencl {

class Lanes {
 public:
  Lanes(const Context& context, const DeviceGraph& graph, std::size_t most,
        std::function<bool()> interrupted);
  static constexpr std::size_t kLeast = 128;
  static std::size_t most_of(const Device& device) { return device.is_cpu ? 512 : 1024; }
  static Footprint footprint(std::size_t lanes) {
    return {lanes / 4 + lanes / 128 * 3 + 29 + 24 + 32, 0};
  }

  std::size_t most() const { return most_; }
  std::vector<Summary> summarize(std::span<const Vertex> sources);
  std::vector<std::uint64_t> distribution(std::span<const Vertex> sources);
  std::vector<std::uint64_t> weighted_distribution(std::span<const Vertex> sources,
                                                   std::span<const Multiplicities> weights);
  void add_distances(std::span<const Vertex> sources, DistanceSums& received);
  std::vector<FarthestDistance> farthest_from(
      std::span<const Vertex> sources,
      const FarthestRequest& request);  // at most most() sources

 private:
  enum class Keep { reach, lanes, vertices };
  struct Report {
    std::uint64_t arrivals = 0, at_candidates = 0, arcs = 0, active = 0;  // the last two: at least
  };
  struct LevelEnd {
    Distance level;
    bool pushed;  // or pulled
    Report report;
    std::span<const std::uint32_t> totals;  // of every lane, or bits for them; as Keep says
  };
  struct Job {
    std::span<const Vertex> sources;
    const FarthestRequest& request;
    const Program& kernels;
    std::size_t words;  // of a vertex
  };
  using OnLevel = std::function<void(const LevelEnd&)>;

  void run(std::span<const Vertex> sources, Keep keep, const FarthestRequest& request,
           std::uint64_t wanted, const OnLevel& on_level);
  Report begin(const Job& job);
  void send(const Job& job, Distance level, bool pushes, bool pushed, std::uint64_t active);
  const Program& program(Keep keep, std::size_t lanes);
  std::vector<GroupResult> by_groups(std::span<const Vertex> sources,
                                     const FarthestRequest& request);
  void make_room(std::size_t lanes);
  void rank_vertices();
  Range range() const;  // of a level over all vertices
  std::size_t vectors_of(std::size_t words) const {
    return context_.device().is_cpu ? 1 : words / 4;
  }  // that a vertex's words are handled in

  const Context& context_;
  const DeviceGraph& graph_;
  std::size_t most_;
  std::function<bool()> interrupted_;
  std::map<std::pair<Keep, std::size_t>, std::unique_ptr<Program>> programs_;
  std::optional<GroupSearches> groups_;  // are asked first; none where they do not suit
  std::size_t words_ = 0;                // of a vertex, that there is room for
  std::uint32_t stamp_ = 0;              // of the last level of the last batch
  Buffer<std::uint32_t> now_, next_, claimed_, pushed_, setup_, totals_, counters_, answer_;
  Buffer<unsigned char> changed_;  // by vertex and vector, as fresh_
  Buffer<std::uint16_t> fresh_;
  Buffer<Vertex> lists_[2];  // those that changed, by turns
  struct Piece {
    std::uint32_t rank, number;  // of a long row
  };
  Buffer<Vertex>
      ranks_;  // vertices by falling row length; not on a CPU, where a vertex is as good as another
  Buffer<unsigned char> done_;  // by rank and vector
  Buffer<Piece> pieces_;
  std::uint32_t wide_ = 0;          // vertices with long rows
  Buffer<unsigned char> no_flags_;  // everyone is a candidate outside the ball
  Buffer<Distance> no_lower_;
  Buffer<Report> reports_, wide_reports_;  // of short rows, or a push; of long rows
};

}  // namespace antipode::opencl
