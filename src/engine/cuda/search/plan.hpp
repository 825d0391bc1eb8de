// Which search runs on a graph: the one place that chooses a kernel, and that gives one up. A graph
// whose frontiers outgrow a block's queue goes on with a cluster or with the whole GPU; where
// memory is short, the kernels that need more of it are left out.
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
struct PackedRows;
struct SliceLayout;

struct SearchPlan {
  bool block = false;     // one block a search, where a frontier outgrows none
  bool leafless = false;  // there is room for the graph without leaves, should these have many
                          // sources
  bool cluster = false;   // a cluster of blocks a search, where one block is too small
  std::shared_ptr<const SliceLayout> resident;  // in the shared memory of all multiprocessors
  std::size_t concurrent = 1;  // searches by one block each, whose distances are kept together

  // `kernel` as in EngineOptions: auto, wide, cluster, slices, or one of the paper's.
  static SearchPlan of(const Graph& graph, const std::string& kernel);
  std::uint64_t bytes(const Graph& graph) const;  // of the kernels planned
  bool shrink();  // leaves out what is optional, step by step; false: nothing more can be
};

// The planned kernels on their graph. A search that outgrows one is done again by the next, and so
// are all later ones.
class SearchKernels {
 public:
  SearchKernels(const Context& context, const Graph& graph, const GraphView& view,
                const SearchPlan& plan);
  ~SearchKernels();

  bool has_block() const { return block_ != nullptr; }
  bool is_whole_gpu() const { return !block_ && !cluster_; }
  SliceSearch* resident() const { return resident_.get(); }  // null: it does not fit
  // The adjacency as a block or a cluster reads it; none where neither searches.
  PackedRows packed_rows() const;
  std::size_t concurrent() const { return block_ ? concurrent_ : 1; }

  // By a block or a cluster; nothing where the whole GPU has to.
  std::optional<BlockAnswer> search_alone(Vertex source, Distance* row, Vertex* level_sizes);
  // By a block for each source; nothing, or false, where others have to.
  std::span<const BlockResult> search_each(std::span<const Vertex> sources,
                                           const FarthestRequest& request, Arrivals arrivals);
  bool search_concurrently(std::span<const Vertex> sources, Distance* rows);

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
