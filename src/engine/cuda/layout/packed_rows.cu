#include "engine/cuda/layout/packed_rows.hpp"

namespace antipode::cuda {

namespace {

__device__ unsigned entry_at(const PackedRows& rows, Vertex v) {
  if (lane() >= PackedRow::kLength) return PackedRow::nobody(rows.order, 0);
  const uint4& half = lane() < PackedRow::kHalf ? rows.first(v) : rows.second(v);
  return reinterpret_cast<const unsigned*>(&half)[lane() % PackedRow::kHalf];
}

// Asked for here and now: the compiler would wait until it is known to be needed.
__device__ uint4 read_ahead(const uint4* from) {
  uint4 value;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(from));
  return value;
}

// One warp. Each lane looks whether its neighbour is a step nearer, and has that one's own row
// ready, should it be the one: a step waits for memory once.
__global__ void backtrack_kernel(GraphView graph, PackedRows rows, const Distance* distances,
                                 Vertex to, Vertex* path) {
  Vertex at = to;
  unsigned entry = entry_at(rows, at);
  for (Distance d = distances[to];; --d) {
    if (lane() == 0) path[d] = at;
    if (d == 0) return;
    const bool is_there = rows.is_somebody(entry);
    const Vertex u = is_there ? PackedRow::vertex_of(entry) : at;
    const uint4 a = read_ahead(&rows.first(u)), b = read_ahead(&rows.second(u));
    unsigned nearer = __ballot_sync(~0u, is_there && distances[u] + 1 == d);
    if (nearer != 0) {
      const int who = __ffs(nearer) - 1;
      const unsigned its[PackedRow::kLength] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
      at = __shfl_sync(~0u, u, who);
      entry = PackedRow::nobody(rows.order, 0);
      for (unsigned k = 0; k < PackedRow::kLength; ++k)
        if (const unsigned next = __shfl_sync(~0u, its[k], who); lane() == k) entry = next;
      continue;
    }
    const GraphView::Range row =
        graph.row(at);  // a long one, of which more than the beginning must be looked at
    for (Vertex k = PackedRow::kLength; nearer == 0 && k < row.degree; k += kWarp) {
      const bool here = k + lane() < row.degree;
      const Vertex v = here ? graph.targets[row.begin + k + lane()] : at;
      nearer = __ballot_sync(~0u, here && distances[v] + 1 == d);
      if (nearer != 0) at = __shfl_sync(~0u, v, __ffs(nearer) - 1);
    }
    if (nearer == 0) return;  // no row of distances looks like this
    entry = entry_at(rows, at);
  }
}

}  // namespace

bool has_short_rows(const Graph& graph) {
  if (graph.order() == 0 || graph.arcs() > std::uint64_t{kMeanPackedRow} * graph.order())
    return false;
  for (Vertex v = 0; v < graph.order(); ++v)
    if (graph.degree(v) > kLongestPackedRow) return false;
  return true;
}

Buffer<uint4> packed_rows(const Context& context, const GraphView& graph,
                          const unsigned char* hanging) {
  Buffer<uint4> result(2 * std::size_t{graph.order});
  for_each(
      context, graph.order, [graph, hanging, halves = result.data()] __device__(std::size_t at) {
        const Vertex v = static_cast<Vertex>(at);
        const GraphView::Range row = graph.row(v);
        const Vertex* const around = graph.targets + row.begin;
        unsigned packed[PackedRow::kLength];
        for (unsigned i = 0; i < PackedRow::kLength; ++i) {
          packed[i] = PackedRow::nobody(graph.order,
                                        v + i * kWarp / PackedRow::kLength);  // all over the words
          if (i >= row.degree) continue;
          const Vertex u = around[i];
          const GraphView::Range its = graph.row(u);
          unsigned place = 0;  // behind the last where arcs have a direction, and none leads back
          while (place < PackedRow::kHalf && place < its.degree &&
                 graph.targets[its.begin + place] != v)
            ++place;
          packed[i] = PackedRow::entry_of(u, its.degree, place) |
                      PackedRow::hanging(hanging != nullptr ? hanging[u] : 0);
        }
        halves[at] = {packed[0], packed[1], packed[2], packed[3]};
        halves[graph.order + at] = {packed[4], packed[5], packed[6], packed[7]};
      });
  return result;
}

std::vector<Vertex> backtrack(const Context& context, const GraphView& graph, PackedRows rows,
                              const Distance* distances, Vertex to) {
  const Distance length = context.value(distances + to);
  if (length == kUnreached) return {};
  std::vector<Vertex> result(std::size_t{length} + 1);
  const Buffer<Vertex> path(result.size());  // path[d] is the vertex at distance d
  backtrack_kernel<<<1, kWarp, 0, context.stream()>>>(graph, rows, distances, to, path.data());
  check(cudaGetLastError(), "launching a kernel");
  context.download(std::span<Vertex>(result), path.data());
  return result;
}

}  // namespace antipode::cuda
