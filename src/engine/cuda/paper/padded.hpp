// The paper's graph on the GPU: V_b (where each list begins), V_s (its length) and E, with every
// list padded to a multiple of 32, so that a warp reads whole memory transactions (Figure 3). Or E
// is a matrix of one padded width, without V_b (Figure 4) [Dal, Kosters & Takes 2014, section
// IV-B]. Memory: lists 12 bytes per vertex and 4 per entry, at most 31 entries of padding per
// vertex; matrix order × widest list × 4.
#pragma once

#include "engine/cuda/layout/device_graph.hpp"

namespace antipode::cuda {

inline constexpr Vertex kPadding = 32;

constexpr EdgeOffset padded(EdgeOffset size) { return (size + kPadding - 1) / kPadding * kPadding; }

struct ListsView {
  Vertex order;
  const EdgeOffset* bases;  // V_b
  const Vertex* sizes;      // V_s
  const Vertex* entries;    // E
  __device__ const Vertex* begin(Vertex v) const { return entries + bases[v]; }
  __device__ Vertex size(Vertex v) const { return sizes[v]; }
};

struct MatrixView {
  Vertex order;
  const Vertex* sizes;
  const Vertex* entries;
  EdgeOffset width;
  __device__ const Vertex* begin(Vertex v) const { return entries + v * width; }
  __device__ Vertex size(Vertex v) const { return sizes[v]; }
};

// V_b as addresses: the variant Pointers.
struct PointersView {
  Vertex order;
  const Vertex* const* bases;
  const Vertex* sizes;
  __device__ const Vertex* begin(Vertex v) const { return bases[v]; }
  __device__ Vertex size(Vertex v) const { return sizes[v]; }
};

class PaddedGraph {
 public:
  enum class Layout { lists, matrix };
  PaddedGraph(const Context& context, const Graph& graph, const GraphView& view, Layout layout);
  static std::uint64_t bytes(const Graph& graph, Layout layout);

  bool is_matrix() const { return width_ != 0; }
  ListsView lists() const {
    return {.order = order_,
            .bases = bases_.data(),
            .sizes = sizes_.data(),
            .entries = entries_.data()};
  }
  MatrixView matrix() const {
    return {.order = order_, .sizes = sizes_.data(), .entries = entries_.data(), .width = width_};
  }
  std::size_t entries() const { return entries_.size(); }
  // use(view) with the view of the layout.
  template <class Use>
  void visit(Use use) const {
    if (is_matrix()) {
      use(matrix());
    } else {
      use(lists());
    }
  }

 private:
  Vertex order_;
  EdgeOffset width_ = 0;  // of the matrix; 0: lists
  Buffer<EdgeOffset> bases_;
  Buffer<Vertex> sizes_, entries_;
};

}  // namespace antipode::cuda
