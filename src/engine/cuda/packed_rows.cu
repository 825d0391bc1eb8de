#include "engine/cuda/packed_rows.hpp"

namespace antipode::cuda {

Buffer<PackedRow> packed_rows(const Context& context, const GraphView& graph) {
  Buffer<PackedRow> result(graph.order);
  for_each(context, graph.order, [graph, rows = result.data()] __device__(std::size_t at) {
    const Vertex v = static_cast<Vertex>(at);
    const GraphView::Row row = graph.row(v);
    const Vertex* const around = graph.targets + row.begin;
    unsigned packed[PackedRow::kLength];
    for (unsigned i = 0; i < PackedRow::kLength; ++i) packed[i] = i < row.degree ? around[i] : PackedRow::kNobody;
    if (row.degree > PackedRow::kLength) packed[PackedRow::kLength - 1] |= PackedRow::kMore;
    rows[v] = {{packed[0], packed[1], packed[2], packed[3]}, {packed[4], packed[5], packed[6], packed[7]}};
  });
  return result;
}

}  // namespace antipode::cuda
