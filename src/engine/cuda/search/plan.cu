#include "engine/cuda/search/plan.hpp"

#include <algorithm>

#include "engine/cuda/layout/leafless.hpp"
#include "engine/cuda/search/block/block_search.hpp"
#include "engine/cuda/search/cluster/cluster_search.hpp"
#include "engine/cuda/search/resident/slice_search.hpp"

namespace antipode::cuda {

SearchPlan SearchPlan::of(const Graph& graph, const std::string& kernel) {
  const bool automatic = kernel == "auto";
  SearchPlan plan;
  plan.block = automatic && BlockSearches::suits(graph);
  plan.cluster = (kernel == "cluster" || (automatic && !plan.block)) && ClusterSearch::suits(graph);
  if (kernel == "slices" || (automatic && !plan.block && !plan.cluster))
    plan.resident = SliceSearch::layout(graph);
  plan.leafless = plan.block;
  if (plan.block)
    plan.concurrent = std::min<std::size_t>(
        static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount)), kMostBatch);
  return plan;
}

std::uint64_t SearchPlan::bytes(const Graph& graph) const {
  return (block ? BlockSearches::bytes(graph) : 0) + (leafless ? Leafless::bytes(graph) : 0) +
         (cluster ? ClusterSearch::bytes(graph) : 0) +
         (resident ? SliceSearch::bytes(graph, *resident) : 0);
}

bool SearchPlan::shrink() {
  if (leafless) return leafless = false, true;
  if (concurrent > 1) return concurrent = 1, true;
  if (resident) return resident = nullptr, true;
  return false;
}

SearchKernels::SearchKernels(const Context& context, const Graph& graph, const GraphView& view,
                             const SearchPlan& plan)
    : context_(context), concurrent_(plan.concurrent) {
  if (plan.block) block_ = std::make_unique<BlockSearches>(context, graph, view, plan.leafless);
  if (plan.cluster) cluster_ = std::make_unique<ClusterSearch>(context, view);
  if (plan.resident) resident_ = std::make_unique<SliceSearch>(context, *plan.resident, view);
}

SearchKernels::~SearchKernels() = default;

// After a queue overflow: later searches would overflow, too. Kernels in flight may still read its
// buffers.
template <class Kernel>
void SearchKernels::give_up(std::unique_ptr<Kernel>& kernel) {
  context_.finish();
  kernel.reset();
}

PackedAdjacency SearchKernels::packed_adjacency() const {
  return block_ ? block_->adjacency() : cluster_ ? cluster_->adjacency() : PackedAdjacency();
}

std::optional<BlockAnswer> SearchKernels::search_single(Vertex source, Distance* distances,
                                                        Vertex* level_sizes) {
  if (block_) {
    const BlockAnswer found = block_->search(source, distances, level_sizes);
    if (found.result.overflow == 0) return found;
    give_up(block_);
  }
  if (cluster_) {
    const BlockAnswer found = cluster_->search(source, distances, level_sizes);
    if (found.result.overflow == 0) return found;
    give_up(cluster_);
  }
  return std::nullopt;
}

std::span<const BlockResult> SearchKernels::search_each(std::span<const Vertex> sources,
                                                        const FarthestRequest& request,
                                                        Arrivals arrivals) {
  if (!block_) return {};
  const auto result = block_->search_each(sources, request, arrivals);
  if (std::none_of(result.begin(), result.end(),
                   [](const BlockResult& each) { return each.overflow != 0; }))
    return result;
  give_up(block_);
  return {};
}

bool SearchKernels::search_concurrently(std::span<const Vertex> sources, Distance* distances) {
  if (!block_ || sources.size() > concurrent_) return false;
  const bool fits = block_->search(sources, distances);
  if (!fits) give_up(block_);
  return fits;
}

}  // namespace antipode::cuda
