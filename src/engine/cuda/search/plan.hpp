// Which search runs on a graph. This is the only place that chooses a kernel or gives one up. A
// graph whose frontiers outgrow a block's queue continues with a cluster or the whole GPU. If
// memory is short, optional kernels are left out.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/cuda/layout/batch_request.hpp"
#include "engine/cuda/layout/search_result.hpp"

namespace antipode::cuda {

class BlockSearches;
class ClusterSearch;
class SliceSearch;
struct PackedAdjacency;
struct SliceLayout;

struct SearchPlan {
  bool block = false;     // one block per search
  bool leafless = false;  // room for a leafless copy of the graph
  bool cluster = false;   // one cluster of blocks per search
  // the layout for resident slices; null: do not use them
  std::shared_ptr<const SliceLayout> resident;
  std::size_t concurrent = 1;  // searches at once, by one block each, that keep all distances

  // `kernel` as in EngineOptions: auto, wide, cluster, slices, or one of the paper's.
  static SearchPlan of(const Graph& graph, const std::string& kernel);
  std::uint64_t bytes(const Graph& graph) const;  // memory of the planned kernels
  bool shrink();  // Leaves out the next optional kernel; false: none is left.
};

// The planned kernels on their graph. A search that outgrows one is repeated by the next, as are
// all later searches.
class SearchKernels {
 public:
  SearchKernels(const Context& context, const Graph& graph, const GraphView& view,
                const SearchPlan& plan);
  ~SearchKernels();

  bool has_block() const { return block_ != nullptr; }
  bool is_whole_gpu() const { return !block_ && !cluster_; }
  SliceSearch* resident() const { return resident_.get(); }  // null if not planned
  // The adjacency as a block or a cluster reads it; empty if neither is planned.
  PackedAdjacency packed_adjacency() const;
  std::size_t concurrent() const { return block_ ? concurrent_ : 1; }

  // By a block or a cluster; nothing if the whole GPU has to search.
  std::optional<BlockAnswer> search_single(Vertex source, Distance* distances, Vertex* level_sizes);
  // By one block per source; empty, or false, if another search is needed.
  std::span<const BlockResult> search_each(std::span<const Vertex> sources,
                                           const FarthestRequest& request, Arrivals arrivals);
  bool search_concurrently(std::span<const Vertex> sources, Distance* distances);

 private:
  template <class Kernel>
  void give_up(std::unique_ptr<Kernel>& kernel);

  const Context& context_;
  std::size_t concurrent_;
  std::unique_ptr<BlockSearches> block_;
  std::unique_ptr<ClusterSearch> cluster_;
  std::unique_ptr<SliceSearch> resident_;
};

}  // namespace antipode::cuda
