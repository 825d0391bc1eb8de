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

constexpr Vertex kFirst = 4;       // so many hubs come first
constexpr Vertex kLongest = 1024;  // longer rows belong to hubs themselves, which are reached early

// A warp a row: the highest degree of what is left goes to the next place.
__global__ void hubs_first_kernel(GraphView graph, Vertex* targets) {
  for (std::size_t v = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / kWarp;
       v < graph.order; v += std::size_t{gridDim.x} * blockDim.x / kWarp) {
    const Vertex degree = graph.degree(static_cast<Vertex>(v));
    if (degree < 2 || degree > kLongest) continue;
    Vertex* const row = targets + graph.begin(static_cast<Vertex>(v));
    for (Vertex place = 0; place < kFirst && place + 1 < degree; ++place) {
      std::uint64_t best = 0;  // degree, then the earlier place
      for (Vertex i = place + lane(); i < degree; i += kWarp)
        best = max(best, std::uint64_t{graph.degree(row[i])} << 32 | (kNoVertex - i));
      for (unsigned step = kWarp / 2; step > 0; step /= 2)
        best = max(best, __shfl_xor_sync(~0u, best, step));
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

struct PaddedLength {
  const EdgeOffset* offsets;
  Vertex order;
  __host__ __device__ EdgeOffset operator()(std::size_t v) const {
    return v < order ? (offsets[v + 1] - offsets[v] + 3) / 4 * 4 : 0;
  }
};

// Where each row begins when all are padded; the last entry is how many there are.
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

// `hub` gets the highest degree, then the first vertex that has it, counted down from kNoVertex.
void pack_rows(const Context& context, const EdgeOffset* offsets, const EdgeOffset* begins,
               Vertex order, std::uint64_t* rows, unsigned long long* hub) {
  for_each(context, std::size_t{order} + 1, [=] __device__(std::size_t v) {
    const EdgeOffset degree = v < order ? offsets[v + 1] - offsets[v] : 0;
    rows[v] = begins[v] << GraphView::kDegreeBits | min(degree, EdgeOffset{GraphView::kLongRow});
    const unsigned long long key = v < order ? degree << 32 | (kNoVertex - v) : 0;
    if (*hub < key) atomicMax(hub, key);
  });
}

// Arcs [first, first + count) have come; they go where their rows are. A warp a row.
__global__ void scatter_kernel(const EdgeOffset* offsets, const std::uint64_t* rows,
                               const Vertex* arcs, EdgeOffset first, EdgeOffset count, Vertex begin,
                               Vertex end, Vertex* targets) {
  for (std::size_t v = begin + (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / kWarp;
       v < end; v += std::size_t{gridDim.x} * blockDim.x / kWarp) {
    const EdgeOffset from = offsets[v], to = offsets[v + 1], last = min(to, first + count);
    Vertex* const row = targets + (rows[v] >> GraphView::kDegreeBits);
    for (EdgeOffset arc = max(from, first) + lane(); arc < last; arc += kWarp)
      row[arc - from] = arcs[arc - first];
    if (to == last && lane() < (4 - (to - from) % 4) % 4)
      row[to - from + lane()] = static_cast<Vertex>(v);
  }
}

// Memory of the host from which the bus reads by itself.
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

// The arcs travel in pieces: while one is on the bus, all cores copy the next one into pinned
// memory. A small graph goes as it is.
void upload_rows(const Context& context, const Graph& graph, const EdgeOffset* offsets,
                 const std::uint64_t* rows, Vertex* targets, std::size_t staging_bytes) {
  const auto arcs = graph.targets();
  const std::size_t piece = std::min(arcs.size(), staging_bytes / 2 / sizeof(Vertex));
  if (piece == 0) return;
  const bool in_pieces = arcs.size() > piece;
  const Buffer<Vertex> staged((in_pieces ? 2 : 1) * piece);
  std::optional<Pinned> pinned;
  if (in_pieces) pinned.emplace(2 * piece * sizeof(Vertex));
  Event copied[2];
  for (std::size_t first = 0, turn = 0; first < arcs.size(); first += piece, turn ^= 1) {
    const auto part = arcs.subspan(first, std::min(piece, arcs.size() - first));
    Vertex* const here = staged.data() + turn * piece;
    if (in_pieces) {
      Vertex* const out = static_cast<Vertex*>(pinned->data()) + turn * piece;
      copied[turn].wait();
      in_stretches(part.size(), static_cast<int>(threads()),
                   [&](std::size_t begin, std::size_t end) {
                     std::copy(part.begin() + begin, part.begin() + end, out + begin);
                   });
      context.upload(here, std::span<const Vertex>(out, part.size()));
      copied[turn].record(context.stream());
    } else {
      context.upload(here, part);
    }
    // The rows that have arcs in this part.
    const auto row_of = [&](EdgeOffset arc) {
      return static_cast<Vertex>(
          std::upper_bound(graph.offsets().begin(), graph.offsets().end(), arc) -
          graph.offsets().begin() - 1);
    };
    const Vertex begin = row_of(first), end = row_of(first + part.size() - 1) + 1;
    scatter_kernel<<<context.blocks_for(std::size_t{end - begin} * kWarp), Context::kThreads, 0,
                     context.stream()>>>(offsets, rows, here, first, part.size(), begin, end,
                                         targets);
    check(cudaGetLastError(), "launching a kernel");
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
    const GraphView::Range row = graph.row(v);
    const Vertex* const around = graph.targets + row.begin;
    heads[v] = {row.degree > 0 ? around[0] : v, row.degree > 1 ? around[1] : v,
                row.degree > 2 ? around[2] : v, row.degree > 3 ? around[3] : v};
  });
}

}  // namespace

DeviceGraph::DeviceGraph(const Context& context, const Graph& graph)
    : order_(graph.order()),
      arcs_(graph.arcs()),
      rows_(graph.offsets().size()),
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
    pack_rows(context, offsets.data(), begins.data(), order_, rows_.data(), hub.data());
    const unsigned long long found = context.value(hub.data());
    max_degree_ = static_cast<Vertex>(found >> 32);
    hub_ = kNoVertex - static_cast<Vertex>(found);
  }
  upload_rows(context, graph, offsets.data(), rows_.data(), targets_.data(), kStaging);
  hubs_first(context, view(), targets_.data());
  copy_heads(context, view(), heads_.data());
  context.finish();
}

}  // namespace antipode::cuda
