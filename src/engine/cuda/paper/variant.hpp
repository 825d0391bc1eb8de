// The six searches of Dal, Kosters and Takes (PDP 2014), one file each: one launch per level, after
// which the host reads whether there is another.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "engine/cuda/paper/levels.hpp"
#include "engine/host/evaluation.hpp"

namespace antipode::cuda {

class Variant {
 public:
  virtual ~Variant() = default;
  // Gives all unreached neighbours of the vertices at `level` distance level + 1. `before`: the
  // report of the last level.
  virtual void level(Distance* F, Distance level, const LevelReport& before,
                     LevelReport* report) = 0;
};

std::unique_ptr<Variant> standard(const Context& context, const PaddedGraph& graph);
std::unique_ptr<Variant> pointers(const Context& context, const PaddedGraph& graph);
std::unique_ptr<Variant> busy_wait(const Context& context, const PaddedGraph& graph);
std::unique_ptr<Variant> textures(const Context& context, const PaddedGraph& graph);
std::unique_ptr<Variant> warp(const Context& context, const PaddedGraph& graph);
std::unique_ptr<Variant> hybrid(const Context& context, const PaddedGraph& graph);

inline constexpr std::string_view kVariants[] = {"standard", "pointers", "busy-wait",
                                                 "textures", "warp",     "hybrid"};

// A whole search by one of the six, as an engine's Search.
class VariantSearch {
 public:
  VariantSearch(const Context& context, const PaddedGraph& graph, std::string_view name);
  Search run(Vertex source, Distance* distances, const std::function<bool()>& interrupted);

 private:
  Search to_search(Vertex source, const Distance* distances, Distance eccentricity);

  const Context& context_;
  Vertex order_;
  std::unique_ptr<Variant> variant_;
  Buffer<LevelReport> report_;
  Buffer<Vertex> level_sizes_, farthest_;
};

// Times of each level by threads and by warps, from the distances of a finished search.
std::vector<LevelTrace> trace_levels(const Context& context, const PaddedGraph& graph,
                                     const Distance* distances,
                                     const std::vector<Vertex>& level_sizes);

}  // namespace antipode::cuda
