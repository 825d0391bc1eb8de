#include "engine/cuda/layout/packed_adjacency.hpp"

namespace antipode::cuda {

namespace {

__device__ unsigned load_entry(const PackedAdjacency& adjacency, Vertex v) {
  if (thread_of_warp() >= PackedEntry::kLength) return PackedEntry::padding(adjacency.order, 0);
  const uint4& half =
      thread_of_warp() < PackedEntry::kHalf ? adjacency.first(v) : adjacency.second(v);
  return reinterpret_cast<const unsigned*>(&half)[thread_of_warp() % PackedEntry::kHalf];
}

// A load at this point: the compiler would delay it until its result is known to be needed.
__device__ uint4 read_ahead(const uint4* from) {
  uint4 value;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(from));
  return value;
}

// One warp. Each thread tests whether its neighbour is one step nearer, and meanwhile loads that
// neighbour's own adjacency: a step waits for memory once.
__global__ void backtrack_kernel(GraphView graph, PackedAdjacency adjacency,
                                 const Distance* distances, Vertex to, Vertex* path) {
  Vertex at = to;
  unsigned entry = load_entry(adjacency, at);
  for (Distance d = distances[to];; --d) {
    if (thread_of_warp() == 0) path[d] = at;
    if (d == 0) return;
    const bool is_vertex = adjacency.is_vertex(entry);
    const Vertex u = is_vertex ? PackedEntry::vertex_of(entry) : at;
    const uint4 a = read_ahead(&adjacency.first(u)), b = read_ahead(&adjacency.second(u));
    unsigned nearer = __ballot_sync(~0u, is_vertex && distances[u] + 1 == d);
    if (nearer != 0) {
      const int winner = __ffs(nearer) - 1;
      const unsigned next_entries[PackedEntry::kLength] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
      at = __shfl_sync(~0u, u, winner);
      entry = PackedEntry::padding(adjacency.order, 0);
      for (unsigned k = 0; k < PackedEntry::kLength; ++k)
        if (const unsigned next = __shfl_sync(~0u, next_entries[k], winner); thread_of_warp() == k)
          entry = next;
      continue;
    }
    const GraphView::Range range = graph.range(at);  // the rest of a long adjacency
    for (Vertex k = PackedEntry::kLength; nearer == 0 && k < range.degree; k += kWarp) {
      const bool in_range = k + thread_of_warp() < range.degree;
      const Vertex v = in_range ? graph.targets[range.begin + k + thread_of_warp()] : at;
      nearer = __ballot_sync(~0u, in_range && distances[v] + 1 == d);
      if (nearer != 0) at = __shfl_sync(~0u, v, __ffs(nearer) - 1);
    }
    if (nearer == 0) return;  // not possible for distances of a search
    entry = load_entry(adjacency, at);
  }
}

}  // namespace

bool has_low_degrees(const Graph& graph) {
  if (graph.order() == 0 || graph.arcs() > std::uint64_t{kMeanPackedDegree} * graph.order())
    return false;
  for (Vertex v = 0; v < graph.order(); ++v)
    if (graph.degree(v) > kHighestPackedDegree) return false;
  return true;
}

Buffer<uint4> pack_adjacency(const Context& context, const GraphView& graph,
                             const unsigned char* leaves) {
  Buffer<uint4> result(2 * std::size_t{graph.order});
  for_each(
      context, graph.order, [graph, leaves, halves = result.data()] __device__(std::size_t at) {
        const Vertex v = static_cast<Vertex>(at);
        const GraphView::Range range = graph.range(v);
        const Vertex* const neighbours = graph.targets + range.begin;
        unsigned packed[PackedEntry::kLength];
        for (unsigned i = 0; i < PackedEntry::kLength; ++i) {
          packed[i] = PackedEntry::padding(graph.order, v + i * kWarp / PackedEntry::kLength);
          if (i >= range.degree) continue;
          const Vertex u = neighbours[i];
          const GraphView::Range back = graph.range(u);
          unsigned place = 0;  // kHalf or more if v is not there: directed arcs need not lead back
          while (place < PackedEntry::kHalf && place < back.degree &&
                 graph.targets[back.begin + place] != v)
            ++place;
          packed[i] = PackedEntry::entry_of(u, back.degree, place) |
                      PackedEntry::leaf_bits(leaves != nullptr ? leaves[u] : 0);
        }
        halves[at] = {packed[0], packed[1], packed[2], packed[3]};
        halves[graph.order + at] = {packed[4], packed[5], packed[6], packed[7]};
      });
  return result;
}

std::vector<Vertex> backtrack(const Context& context, const GraphView& graph,
                              PackedAdjacency adjacency, const Distance* distances, Vertex to) {
  const Distance length = context.value(distances + to);
  if (length == kUnreached) return {};
  std::vector<Vertex> result(std::size_t{length} + 1);
  const Buffer<Vertex> path(result.size());  // path[d] is the vertex at distance d
  backtrack_kernel<<<1, kWarp, 0, context.stream()>>>(graph, adjacency, distances, to, path.data());
  check(cudaGetLastError(), "launching a kernel");
  context.download(std::span<Vertex>(result), path.data());
  return result;
}

}  // namespace antipode::cuda
