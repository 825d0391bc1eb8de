// Searches of the checker: a plain heap or queue, and then a proof of the distances by one scan of
// all arcs. No code of an engine. Memory: 16 bytes per vertex, and what the heap takes.
#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "antipode/path_engine.hpp"

namespace antipode {

// Infinite if it is larger than a length can be, which is still an upper bound.
constexpr Length plus(Length a, Length b) { return a > kNoPath - b ? kNoPath : a + b; }

// Which arcs count: those between two vertices of the same part. kNoVertex: in none.
using Parts = std::vector<Vertex>;

class ProvedSearch {
 public:
  // `work` is called with the steps done since, and may throw.
  ProvedSearch(const Graph& graph, std::function<void(std::uint64_t)> work)
      : graph_(graph), work_(std::move(work)) {}

  // For every vertex v the least of from + d(start, v) along the arcs, or of d(v, start) + from
  // against them; kNoPath if there is none.
  std::vector<Length> distances(std::span<const PathStart> starts, Along along, const Parts& parts);
  std::vector<Length> distances(Vertex source, Along along, const Parts& parts) {
    const PathStart start{source, 0};
    return distances(std::span(&start, 1), along, parts);
  }
  const Adjacency& arcs(Along along) const {
    return (along == Along::arcs ? graph_ : graph_.into()).adjacency();
  }
  std::uint64_t count() const { return count_; }
  void work(std::uint64_t steps) const { work_(steps); }

 private:
  void find(std::span<const PathStart> starts, const Adjacency& arcs, const Parts& parts);
  void find_by_levels(const PathStart& start, const Adjacency& arcs, const Parts& parts);
  bool is_proved(std::span<const PathStart> starts, const Adjacency& arcs,
                 const Parts& parts) const;

  const Graph& graph_;
  std::function<void(std::uint64_t)> work_;
  std::vector<Length> distance_;
  std::vector<Vertex> queue_;
  std::vector<Vertex> rank_;  // the order in which distances were final; kNoVertex: never
  std::uint64_t count_ = 0;
};

}  // namespace antipode
