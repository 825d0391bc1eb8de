// Batches of searches in bit lanes, level by level: wide levels are pulled by all vertices; the few
// vertices of a narrow one push [Then et al., PVLDB 8(4), 2014]. Memory: 2 bits per bit lane and
// vertex, 3 bytes per vertex for every 128 bit lanes, 29 bytes per vertex; 24 more for
// DistanceSums, 32 if work-groups search (group_searches.hpp).
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
  void add_distances(std::span<const Vertex> sources, DistanceSums& sums);
  // At most most() sources.
  std::vector<FarthestDistance> farthest_from(std::span<const Vertex> sources,
                                              const FarthestRequest& request);

 private:
  // What is reported: farthest distances or sums of every bit lane, or sums of every vertex. As
  // OUTPUT in lane_account.cl.
  enum class LaneOutput { farthest, lanes, vertices };
  struct Report {
    std::uint64_t arrivals = 0, at_candidates = 0;
    std::uint64_t arcs = 0, active = 0;  // upper bounds
  };
  struct LevelEnd {
    Distance level;
    bool pushed;  // or pulled
    Report report;
    std::span<const std::uint32_t> totals;  // of bit lanes, or bitmaps of them: see LaneOutput
  };
  struct Job {
    std::span<const Vertex> sources;
    const FarthestRequest& request;
    const Program& kernels;
    std::size_t words;  // of a vertex
  };
  using OnLevel = std::function<void(const LevelEnd&)>;

  void run(std::span<const Vertex> sources, LaneOutput output, const FarthestRequest& request,
           std::uint64_t remaining, const OnLevel& on_level);
  Report begin(const Job& job);
  void run_level(const Job& job, Distance level, bool pushes, bool pushed, std::uint64_t active);
  const Program& program(LaneOutput output, std::size_t lanes);
  std::vector<GroupResult> search_by_groups(std::span<const Vertex> sources,
                                            const FarthestRequest& request);
  void make_room(std::size_t lanes);
  void rank_vertices();
  Range range() const;  // of a level over all vertices
  // Vectors of a vertex; a thread handles one vector.
  std::size_t vectors_of(std::size_t words) const {
    return context_.device().is_cpu ? 1 : words / 4;
  }

  const Context& context_;
  const DeviceGraph& graph_;
  std::size_t most_;
  std::function<bool()> interrupted_;
  std::map<std::pair<LaneOutput, std::size_t>, std::unique_ptr<Program>> programs_;
  std::optional<GroupSearches> groups_;  // tried first; none if they do not suit the graph
  std::size_t words_ = 0;                // of a vertex, for which there is memory
  std::uint32_t stamp_ = 0;              // of the last level of the last batch
  Buffer<std::uint32_t> now_, next_, claimed_, pushed_, setup_, totals_, counters_, answer_;
  Buffer<unsigned char> changed_;  // by vertex and vector, as fresh_
  Buffer<std::uint16_t> fresh_;
  Buffer<Vertex> lists_[2];  // vertices that changed, alternately
  struct Piece {
    std::uint32_t rank, number;  // of a vertex of high degree
  };
  Buffer<Vertex> ranks_;        // vertices by descending degree; not on a CPU
  Buffer<unsigned char> done_;  // by rank and vector
  Buffer<Piece> pieces_;
  std::uint32_t wide_ = 0;          // vertices of high degree
  Buffer<unsigned char> no_flags_;  // all vertices are candidates outside the ball
  Buffer<Distance> no_lower_;
  Buffer<Report> reports_, wide_reports_;  // of low degrees, or of a push; of high degrees
};

}  // namespace antipode::opencl
