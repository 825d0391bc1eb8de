// What an engine holds on the GPU for a graph: the kernels of its searches, the width of its
// batches, and whether a kernel of the paper was requested.
#pragma once

#include <cstdint>
#include <string>

#include "antipode/engine.hpp"
#include "engine/cuda/batch/lanes.hpp"
#include "engine/cuda/paper/variant.hpp"
#include "engine/cuda/search/plan.hpp"

namespace antipode::cuda {

struct EnginePlan {
  SearchPlan search;
  std::size_t lanes = Lanes::kMost;
  std::string variant;  // the kernel of the paper that was requested; empty: none
  PaddedGraph::Layout layout = PaddedGraph::Layout::lists;
  std::uint64_t memory_limit = 0;  // what the engine may use; 0: all free memory
  std::uint64_t bytes = 0;         // planned

  // If memory is short, optional kernels are left out first, then batches get narrower. A
  // DeviceError if the graph does not fit all the same.
  static EnginePlan of(const Graph& graph, const EngineOptions& options);
};

}  // namespace antipode::cuda
