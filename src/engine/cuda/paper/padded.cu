// Copies a graph to the padded layouts.
#include "engine/cuda/paper/padded.hpp"

#include <algorithm>

namespace antipode::cuda {

namespace {

EdgeOffset widest(const Graph& graph) {
  EdgeOffset most = 0;
  for (Vertex v = 0; v < graph.order(); ++v) most = std::max<EdgeOffset>(most, graph.degree(v));
  return padded(most);
}

EdgeOffset entries_of(const Graph& graph, PaddedGraph::Layout layout) {
  if (layout == PaddedGraph::Layout::matrix) return graph.order() * widest(graph);
  EdgeOffset sum = 0;
  for (Vertex v = 0; v < graph.order(); ++v) sum += padded(graph.degree(v));
  return sum;
}

// One warp per list: copies it, and pads it with kNoVertex.
template <class View>
__global__ void fill_kernel(View lists, GraphView graph, Vertex* sizes, Vertex* entries) {
  const unsigned thread = threadIdx.x % 32;
  for (std::size_t v = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / 32; v < graph.order;
       v += std::size_t{gridDim.x} * blockDim.x / 32) {
    const Vertex* neighbours = graph.targets + graph.begin(static_cast<Vertex>(v));
    const Vertex degree = graph.degree(static_cast<Vertex>(v));
    Vertex* list = entries + (lists.begin(static_cast<Vertex>(v)) - entries);
    if (thread == 0) sizes[v] = degree;
    for (EdgeOffset i = thread; i < padded(degree); i += 32)
      list[i] = i < degree ? neighbours[i] : kNoVertex;
  }
}

}  // namespace

std::uint64_t PaddedGraph::bytes(const Graph& graph, Layout layout) {
  return entries_of(graph, layout) * sizeof(Vertex) +
         std::uint64_t{graph.order()} * (layout == Layout::lists ? 12 : 4);
}

PaddedGraph::PaddedGraph(const Context& context, const Graph& graph, const GraphView& view,
                         Layout layout)
    : order_(graph.order()),
      width_(layout == Layout::matrix ? std::max<EdgeOffset>(widest(graph), kPadding) : 0),
      bases_(layout == Layout::lists ? graph.order() : 0),
      sizes_(graph.order()),
      entries_(std::max<EdgeOffset>(entries_of(graph, layout), 1)) {
  if (layout == Layout::lists) {
    std::vector<EdgeOffset> bases(graph.order());
    EdgeOffset sum = 0;
    for (Vertex v = 0; v < graph.order(); ++v) {
      bases[v] = sum;
      sum += padded(graph.degree(v));
    }
    context.upload(bases_.data(), std::span<const EdgeOffset>(bases));
    context.finish();
  }
  visit([&](const auto& lists) {
    fill_kernel<<<context.blocks_for(std::size_t{order_} * 32), Context::kThreads, 0,
                  context.stream()>>>(lists, view, sizes_.data(), entries_.data());
    check(cudaGetLastError(), "launching a kernel");
  });
  context.finish();
}

}  // namespace antipode::cuda
