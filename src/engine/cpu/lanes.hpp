// Up to 64 searches at once: bit i of a vertex's word belongs to search i, its lane.  [Then et al., VLDB 2014]
// Small frontiers are pushed, wide ones pulled. A pull gathers what neighbours have *seen*, not their frontier: a lane
// that a neighbour saw earlier has already reached this vertex, so nothing else can come of it, and a vertex that all
// lanes have seen is left alone. Memory: 28 bytes a vertex.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode::cpu {

class LaneBatch {
 public:
  static constexpr std::size_t kLanes = 64;

  explicit LaneBatch(const Graph& graph);
  // One summary for each of at most kLanes sources, which may repeat.
  void run(std::span<const Vertex> sources, std::span<Summary> summaries, const std::function<bool()>& interrupted);

 private:
  using Lanes = std::uint64_t;
  struct Arrival {
    Vertex vertex;
    Lanes lanes;  // those that reach it at this level
  };

  bool worth_pulling() const;
  void push();
  void pull(Lanes all);

  const Graph& graph_;
  std::vector<Lanes> seen_, next_;
  std::vector<Arrival> frontier_;
  std::vector<Vertex> touched_;
};

}  // namespace antipode::cpu
