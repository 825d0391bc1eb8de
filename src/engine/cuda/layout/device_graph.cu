#include "engine/cuda/layout/device_graph.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <optional>

#include "antipode/error.hpp"
#include "engine/cuda/device/warp.hpp"
#include "graph/parallel.hpp"

namespace antipode::cuda {

namespace {

constexpr Vertex kHubs = 4;  // neighbours of highest degree that are moved to the front
// vertices of higher degree are hubs themselves, and reached early
constexpr Vertex kMostDegree = 1024;

// One warp per adjacency: selection sort by descending degree, for the first kHubs places.
__global__ void hubs_first_kernel(GraphView graph, Vertex* targets) {
  for (std::size_t v = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / kWarp;
       v < graph.order; v += std::size_t{gridDim.x} * blockDim.x / kWarp) {
    const Vertex degree = graph.degree(static_cast<Vertex>(v));
    if (degree < 2 || degree > kMostDegree) continue;
    Vertex* const neighbours = targets + graph.begin(static_cast<Vertex>(v));
    for (Vertex place = 0; place < kHubs && place + 1 < degree; ++place) {
      std::uint64_t best = 0;  // degree, then the earlier place
      for (Vertex i = place + thread_of_warp(); i < degree; i += kWarp)
        best = max(best, std::uint64_t{graph.degree(neighbours[i])} << 32 | (kNoVertex - i));
      for (unsigned step = kWarp / 2; step > 0; step /= 2)
        best = max(best, __shfl_xor_sync(~0u, best, step));
      const Vertex from = kNoVertex - static_cast<Vertex>(best);
      if (thread_of_warp() == 0) {
        const Vertex hub = neighbours[from];
        neighbours[from] = neighbours[place];
        neighbours[place] = hub;
      }
      __syncwarp();
    }
  }
}

struct PaddedLength {
  const EdgeOffset* offsets;
  Vertex order;
  __host__ __device__ EdgeOffset operator()(std::size_t v) const {
    return v < order ? (offsets[v + 1] - offsets[v] + 3) / 4 * 4 : 0;
  }
};

// Where each padded adjacency begins; the last entry is their total length.
Buffer<EdgeOffset> padded_begins(const Context& context, const EdgeOffset* offsets, Vertex order) {
  const std::size_t count = std::size_t{order} + 1;
  const auto lengths = thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0),
                                                       PaddedLength{offsets, order});
  Buffer<EdgeOffset> begins(count);
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, lengths, begins.data(), count,
                                      context.stream()),
        "sizing a scan");
  const Buffer<unsigned char> scratch(bytes);
  check(cub::DeviceScan::ExclusiveSum(scratch.data(), bytes, lengths, begins.data(), count,
                                      context.stream()),
        "adding up degrees");
  context.finish();
  return begins;
}

// Packs begin and degree of each adjacency. `hub` becomes the maximum of (degree, kNoVertex -
// vertex).
void pack_ranges(const Context& context, const EdgeOffset* offsets, const EdgeOffset* begins,
                 Vertex order, std::uint64_t* ranges, unsigned long long* hub) {
  for_each(context, std::size_t{order} + 1, [=] __device__(std::size_t v) {
    const EdgeOffset degree = v < order ? offsets[v + 1] - offsets[v] : 0;
    ranges[v] =
        begins[v] << GraphView::kDegreeBits | min(degree, EdgeOffset{GraphView::kLongDegree});
    const unsigned long long key = v < order ? degree << 32 | (kNoVertex - v) : 0;
    if (*hub < key) atomicMax(hub, key);
  });
}

// Copies arcs [first, first + count) to their padded places, one warp per adjacency. The warp that
// writes the last arc of an adjacency also writes its padding.
__global__ void scatter_kernel(const EdgeOffset* offsets, const std::uint64_t* ranges,
                               const Vertex* arcs, EdgeOffset first, EdgeOffset count, Vertex begin,
                               Vertex end, Vertex* targets) {
  for (std::size_t v = begin + (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / kWarp;
       v < end; v += std::size_t{gridDim.x} * blockDim.x / kWarp) {
    const EdgeOffset from = offsets[v], to = offsets[v + 1], last = min(to, first + count);
    Vertex* const padded = targets + (ranges[v] >> GraphView::kDegreeBits);
    for (EdgeOffset arc = max(from, first) + thread_of_warp(); arc < last; arc += kWarp)
      padded[arc - from] = arcs[arc - first];
    if (to == last && thread_of_warp() < (4 - (to - from) % 4) % 4)
      padded[to - from + thread_of_warp()] = static_cast<Vertex>(v);
  }
}

// Pinned host memory for asynchronous copies.
class Pinned {
 public:
  explicit Pinned(std::size_t bytes) { check(cudaMallocHost(&data_, bytes), "pinning memory"); }
  ~Pinned() { cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

// Copies arcs [first, first + count) from `arcs` to the padded adjacency of their vertices.
void scatter_piece(const Context& context, const Graph& graph, const EdgeOffset* offsets,
                   const std::uint64_t* ranges, const Vertex* arcs, EdgeOffset first,
                   std::size_t count, Vertex* targets) {
  const auto vertex_of = [&](EdgeOffset arc) {
    return static_cast<Vertex>(
        std::upper_bound(graph.offsets().begin(), graph.offsets().end(), arc) -
        graph.offsets().begin() - 1);
  };
  const Vertex begin = vertex_of(first), end = vertex_of(first + count - 1) + 1;
  scatter_kernel<<<context.blocks_for(std::size_t{end - begin} * kWarp), Context::kThreads, 0,
                   context.stream()>>>(offsets, ranges, arcs, first, count, begin, end, targets);
  check(cudaGetLastError(), "launching a kernel");
}

// Uploads the arcs through a double buffer: while one piece is transferred, all cores copy the next
// one to pinned memory. A graph of one piece is copied directly.
void upload_adjacency(const Context& context, const Graph& graph, const EdgeOffset* offsets,
                      const std::uint64_t* ranges, Vertex* targets, std::size_t staging_bytes) {
  const auto arcs = graph.targets();
  const std::size_t piece = std::min(arcs.size(), staging_bytes / 2 / sizeof(Vertex));
  if (piece == 0) return;
  const bool in_pieces = arcs.size() > piece;
  const Buffer<Vertex> staged((in_pieces ? 2 : 1) * piece);
  std::optional<Pinned> pinned;
  if (in_pieces) pinned.emplace(2 * piece * sizeof(Vertex));
  Event copied[2];
  for (std::size_t first = 0, half = 0; first < arcs.size(); first += piece, half ^= 1) {
    const auto piece_arcs = arcs.subspan(first, std::min(piece, arcs.size() - first));
    Vertex* const device_piece = staged.data() + half * piece;
    if (in_pieces) {
      Vertex* const pinned_piece = static_cast<Vertex*>(pinned->data()) + half * piece;
      copied[half].wait();
      in_chunks(
          piece_arcs.size(), static_cast<int>(threads()), [&](std::size_t begin, std::size_t end) {
            std::copy(piece_arcs.begin() + begin, piece_arcs.begin() + end, pinned_piece + begin);
          });
      context.upload(device_piece, std::span<const Vertex>(pinned_piece, piece_arcs.size()));
      copied[half].record(context.stream());
    } else {
      context.upload(device_piece, piece_arcs);
    }
    scatter_piece(context, graph, offsets, ranges, device_piece, first, piece_arcs.size(), targets);
  }
  context.finish();
}

void hubs_first(const Context& context, const GraphView& graph, Vertex* targets) {
  constexpr EdgeOffset kSparse = 4;  // graphs of lower mean degree are seldom pulled
  if (graph.arcs <= kSparse * graph.order) return;
  hubs_first_kernel<<<context.blocks_for(std::size_t{graph.order} * kWarp), Context::kThreads, 0,
                      context.stream()>>>(graph, targets);
  check(cudaGetLastError(), "launching a kernel");
}

void copy_heads(const Context& context, const GraphView& graph, uint4* heads) {
  for_each(context, graph.order, [=] __device__(std::size_t at) {
    const Vertex v = static_cast<Vertex>(at);
    const GraphView::Range range = graph.range(v);
    const Vertex* const neighbours = graph.targets + range.begin;
    heads[v] = {range.degree > 0 ? neighbours[0] : v, range.degree > 1 ? neighbours[1] : v,
                range.degree > 2 ? neighbours[2] : v, range.degree > 3 ? neighbours[3] : v};
  });
}

}  // namespace

DeviceGraph::DeviceGraph(const Context& context, const Graph& graph)
    : order_(graph.order()),
      arcs_(graph.arcs()),
      ranges_(graph.offsets().size()),
      heads_(graph.order()) {
  if (arcs_ >> (63 - GraphView::kDegreeBits) != 0)
    throw DeviceError("the cuda engine counts to 2^39 stored arcs; this graph has " +
                      std::to_string(arcs_) + ": use --engine cpu");
  const Buffer<EdgeOffset> offsets(graph.offsets().size());
  const Buffer<unsigned long long> hub(1);
  context.upload(offsets.data(), graph.offsets());
  context.fill_bytes(hub.data(), 0, 1);
  {
    const Buffer<EdgeOffset> begins = padded_begins(context, offsets.data(), order_);
    targets_ = Buffer<Vertex>(context.value(begins.data() + order_));
    pack_ranges(context, offsets.data(), begins.data(), order_, ranges_.data(), hub.data());
    const unsigned long long found = context.value(hub.data());
    max_degree_ = static_cast<Vertex>(found >> 32);
    hub_ = kNoVertex - static_cast<Vertex>(found);
  }
  upload_adjacency(context, graph, offsets.data(), ranges_.data(), targets_.data(), kStaging);
  hubs_first(context, view(), targets_.data());
  copy_heads(context, view(), heads_.data());
  context.finish();
}

}  // namespace antipode::cuda
