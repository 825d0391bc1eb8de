// One search on a device, direction-optimizing: a level is pushed from a queue or pulled against a
// bitmap.  [Beamer, Asanović, Patterson 2012] On a CPU a whole search is one launch of as many
// work-groups as there are cores, which meet after every level. Elsewhere runs of narrow levels are
// one launch of one work-group, and a wide level is one launch. And waves: searches from many
// sources, each of which starts at a level of its own. Memory beside the row: 4.25 bytes a vertex
// for the queue and two bitmaps, 4 for the sizes of levels, 4 on a CPU for those not reached.
#pragma once

#include "engine/host/wave_starts.hpp"
#include "engine/opencl/device_graph.hpp"

namespace antipode::opencl {

class Traversal {
 public:
  Traversal(const Context& context, const DeviceGraph& graph, std::function<bool()> interrupted);
  static constexpr Footprint kFootprint{13, 0};

  Search search(Vertex source, const Buffer<Distance>& row);
  std::vector<Vertex> path(const Buffer<Distance>& row, Vertex to) const;

  // Lowers values[v] to the least level_i + d(v, s_i), where that is at most `limit`.
  void offset_search(std::vector<host::WaveStart> starts, Distance limit,
                     const Buffer<Distance>& values);
  // Raises values[v] to the largest level_i - d(v, s_i). Values must change by at most one along an
  // edge.
  void descending_offset_search(std::vector<host::WaveStart> starts,
                                const Buffer<Distance>& values);

 private:
  struct Frontier {
    std::uint32_t begin = 0, end = 0;  // in the queue
    Distance level = 0;
    std::uint32_t done = 0;  // levels
    std::uint32_t ticket = 0;
    std::uint32_t hint = 0;  // arcs, as far as a narrow level counts them
    std::uint32_t size() const { return end - begin; }
  };
  struct Found {
    std::uint64_t arcs, count;
  };

  // Of a search in one launch.
  struct Course {  // how far it is; as in crew.cl
    std::uint64_t arcs, left, looked;
    std::uint32_t begin, end;
    Distance level;
    std::uint32_t before, reached, pulled, which, ended;
    Vertex farthest;
  };
  struct Crew {
    Crew(const Context& context, const Graph& graph);
    std::uint32_t wanted;  // groups
    Program kernels;
    Buffer<Vertex> unvisited;
    Buffer<std::uint32_t> counts, meeting, desks;
    Buffer<Found> found;
    Buffer<Course> course;
  };

  Search search_together(Vertex source, const Buffer<Distance>& row);
  Search search_by_levels(Vertex source, const Buffer<Distance>& row);
  void narrow(const Program& program, Frontier& frontier, Distance limit, std::uint32_t most_levels,
              const Buffer<Distance>& values);
  Found push(const Program& program, Frontier& frontier, Distance next,
             const Buffer<Distance>& values);
  Found pull(Frontier& frontier, const Buffer<Distance>& row);
  Found added(const Buffer<Found>& parts, std::size_t count) const;
  void set(const Frontier& frontier) const;
  Frontier frontier() const;
  void wave(const Program& program, const std::vector<host::WaveStart>& starts, Distance last,
            bool falling, const Buffer<Distance>& values);
  Range narrow_range() const;
  Range wide_range() const;

  const Context& context_;
  const DeviceGraph& graph_;
  std::function<bool()> interrupted_;
  bool may_pull_;
  std::string macros_;
  Program rising_;
  std::optional<Program> falling_;  // compiled when it is wanted
  Buffer<Vertex> queue_;
  Buffer<std::uint32_t> sizes_, control_, bits_, next_bits_, first_;
  Buffer<Found> found_;
  std::optional<Crew> crew_;  // on a CPU
};

}  // namespace antipode::opencl
