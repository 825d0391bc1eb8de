#include "engine/cuda/engine_plan.hpp"

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/cuda/bounds/bounds.hpp"
#include "engine/cuda/search/grid/traversal.hpp"

namespace antipode::cuda {

namespace {

std::uint64_t bytes_needed(const Graph& graph, const EnginePlan& plan) {
  constexpr std::uint64_t kRetained = 13;  // distances that the diameter retains on a typical graph
  return (graph.is_directed() ? 2 : 1) * DeviceGraph::bytes(graph) + Traversal::bytes(graph) +
         CudaBounds::bytes(graph, plan.search.concurrent) + plan.search.bytes(graph) +
         Lanes::bytes(graph, plan.lanes) + kRetained * 4 * graph.order() +
         (plan.variant.empty() ? 0 : PaddedGraph::bytes(graph, plan.layout));
}

PaddedGraph::Layout layout_named(const std::string& name) {
  if (name == "lists") return PaddedGraph::Layout::lists;
  if (name == "matrix") return PaddedGraph::Layout::matrix;
  throw UsageError("unknown layout '" + name + "': choose lists or matrix");
}

bool is_variant(const std::string& kernel) {
  return std::find(std::begin(kVariants), std::end(kVariants), kernel) != std::end(kVariants);
}

}  // namespace

EnginePlan EnginePlan::of(const Graph& graph, const EngineOptions& options) {
  EnginePlan plan{.search = SearchPlan::of(graph, options.kernel),
                  .variant = is_variant(options.kernel) ? options.kernel : "",
                  .layout = layout_named(options.layout),
                  .memory_limit = options.memory_limit};
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the memory left");
  const std::uint64_t limit =
      options.memory_limit == 0 ? free : std::min<std::uint64_t>(free, options.memory_limit);
  const auto fits = [&] { return (plan.bytes = bytes_needed(graph, plan)) <= limit; };
  while (!fits() && plan.search.shrink()) {
  }
  while (!fits() && plan.lanes > Lanes::kLeast) plan.lanes /= 2;
  if (fits()) return plan;
  throw OutOfMemory(
      "the cuda engine needs about " + std::to_string(plan.bytes) + " bytes for this graph; " +
      std::to_string(free) + " of the GPU's " + std::to_string(total) + " are free" +
      (limit < free
           ? ", and the memory limit is " + std::to_string(limit) + ": raise --memory-limit"
           : ": use --engine cpu"));
}

}  // namespace antipode::cuda
