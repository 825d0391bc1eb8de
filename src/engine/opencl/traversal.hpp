// One search on a device, direction-optimizing: a level is pushed from a queue or pulled against a
// bitmap [Beamer, Asanović, Patterson 2012]. On a CPU a whole search is one launch with a
// work-group per core and a barrier after every level. Elsewhere consecutive narrow levels are one
// launch of one work-group, and a wide level is one launch. Also offset searches
// (docs/definitions.md). Memory besides the distances: 4.25 bytes per vertex for the queue and two
// bitmaps, 4 for level sizes, on a CPU 4 for the unreached vertices.
#pragma once

#include "engine/host/offset_sources.hpp"
#include "engine/opencl/device_graph.hpp"

namespace antipode::opencl {

class Traversal {
 public:
  Traversal(const Context& context, const DeviceGraph& graph, std::function<bool()> interrupted);
  static constexpr Footprint kFootprint{13, 0};

  Search search(Vertex source, const Buffer<Distance>& distances);
  std::vector<Vertex> path(const Buffer<Distance>& distances, Vertex to) const;

  // Lowers values[v] to the least level_i + d(v, s_i), where that is at most `limit`.
  void offset_search(std::vector<host::OffsetSource> starts, Distance limit,
                     const Buffer<Distance>& values);
  // Raises values[v] to the largest level_i - d(v, s_i). Values must change by at most one along an
  // edge.
  void descending_offset_search(std::vector<host::OffsetSource> starts,
                                const Buffer<Distance>& values);

 private:
  struct Frontier {
    std::uint32_t begin = 0, end = 0;  // in the queue
    Distance level = 0;
    std::uint32_t done = 0;  // levels
    std::uint32_t ticket = 0;
    std::uint32_t hint = 0;  // arcs of this level, if the last one was narrow
    std::uint32_t size() const { return end - begin; }
  };
  struct Found {
    std::uint64_t arcs, count;
  };

  // Of a search in one launch; as in workers.cl.
  struct SearchState {
    std::uint64_t arcs, left, read;
    std::uint32_t begin, end;
    Distance level;
    std::uint32_t before, reached, pulled, which, ended;
    Vertex farthest;
  };
  struct Workers {
    Workers(const Context& context, const Graph& graph);
    std::uint32_t count;  // of work-groups
    Program kernels;
    Buffer<Vertex> unvisited;
    Buffer<std::uint32_t> counts, sync_words, counters;
    Buffer<Found> found;
    Buffer<SearchState> state;
  };

  Search search_together(Vertex source, const Buffer<Distance>& distances);
  Search search_by_levels(Vertex source, const Buffer<Distance>& distances);
  Search outcome(Vertex source, std::span<const Vertex> sizes, const Buffer<Distance>& distances);
  void narrow(const Program& program, Frontier& frontier, Distance limit, std::uint32_t most_levels,
              const Buffer<Distance>& values);
  Found push(const Program& program, Frontier& frontier, Distance next,
             const Buffer<Distance>& values);
  Found pull(Frontier& frontier, const Buffer<Distance>& distances);
  Found sum_of(const Buffer<Found>& parts, std::size_t count) const;
  void set(const Frontier& frontier) const;
  Frontier frontier() const;
  void run_offset_search(const Program& program, const std::vector<host::OffsetSource>& starts,
                         Distance last, bool falling, const Buffer<Distance>& values);
  Range narrow_range() const;
  Range wide_range() const;

  const Context& context_;
  const DeviceGraph& graph_;
  std::function<bool()> interrupted_;
  bool may_pull_;
  std::string macros_;
  Program rising_;
  std::optional<Program> falling_;  // compiled by the first request
  Buffer<Vertex> queue_;
  Buffer<std::uint32_t> sizes_, control_, bits_, next_bits_, first_;
  Buffer<Found> found_;
  std::optional<Workers> workers_;  // on a CPU
};

}  // namespace antipode::opencl
