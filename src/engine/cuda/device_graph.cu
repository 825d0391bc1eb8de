#include "engine/cuda/device_graph.hpp"

#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

namespace {

constexpr Vertex kFirst = 4;                 // so many hubs come first
constexpr Vertex kLongest = 1024;            // longer rows belong to hubs themselves, which are reached early

// A warp a row: the highest degree of what is left goes to the next place.
__global__ void hubs_first_kernel(GraphView graph, Vertex* targets) {
  for (std::size_t v = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / kWarp; v < graph.order; v += std::size_t{gridDim.x} * blockDim.x / kWarp) {
    const Vertex degree = graph.degree(static_cast<Vertex>(v));
    if (degree < 2 || degree > kLongest) continue;
    Vertex* const row = targets + graph.begin(static_cast<Vertex>(v));
    for (Vertex place = 0; place < kFirst && place + 1 < degree; ++place) {
      std::uint64_t best = 0;                // degree, then the earlier place
      for (Vertex i = place + lane(); i < degree; i += kWarp) best = max(best, std::uint64_t{graph.degree(row[i])} << 32 | (kNoVertex - i));
      for (unsigned step = kWarp / 2; step > 0; step /= 2) best = max(best, __shfl_xor_sync(~0u, best, step));
      const Vertex from = kNoVertex - static_cast<Vertex>(best);
      if (lane() == 0) {
        const Vertex hub = row[from];
        row[from] = row[place];
        row[place] = hub;
      }
      __syncwarp();
    }
  }
}

}  // namespace

DeviceGraph::DeviceGraph(const Context& context, const Graph& graph)
    : order_(graph.order()), arcs_(graph.arcs()), offsets_(graph.offsets().size()), targets_(graph.targets().size()) {
  context.upload(offsets_.data(), graph.offsets());
  context.upload(targets_.data(), graph.targets());
  constexpr EdgeOffset kSparse = 4;          // graphs of lower mean degree are not pulled
  if (arcs_ > kSparse * order_) {
    hubs_first_kernel<<<context.blocks_for(std::size_t{order_} * kWarp), Context::kThreads, 0, context.stream()>>>(view(), targets_.data());
    check(cudaGetLastError(), "launching a kernel");
  }
  context.finish();
}

}  // namespace antipode::cuda
