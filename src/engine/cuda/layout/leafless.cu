#include "engine/cuda/layout/leafless.hpp"

#include <algorithm>

#include "graph/folding.hpp"
#include "graph/parallel.hpp"

namespace antipode::cuda {

std::unique_ptr<const Leafless> Leafless::of(const Context& context, const Graph& graph) {
  constexpr Vertex kWorthFolding = 16;  // at least one of so many comes off
  if (graph.is_directed()) return nullptr;
  Skeleton skeleton = skeleton_of(graph, 1, 1, static_cast<int>(threads()));
  if (graph.order() - skeleton.graph.order() < graph.order() / kWorthFolding) return nullptr;
  std::vector<Vertex> counts(skeleton.graph.order());
  const Rows rows = graph.rows();
  for (Vertex v = 0; v < graph.order(); ++v)
    if (skeleton.place[v] == kNoVertex) ++counts[skeleton.place[rows.neighbors(v)[0]]];
  if (std::ranges::max(counts) > PackedRow::kMostHanging) return nullptr;
  return std::unique_ptr<const Leafless>(
      new Leafless(context, graph, skeleton.graph, std::move(skeleton.place),
                   std::vector<unsigned char>(counts.begin(), counts.end())));
}

Leafless::Leafless(const Context& context, const Graph& whole, const Graph& left,
                   std::vector<Vertex> place, std::vector<unsigned char> count)
    : whole_(whole),
      place_(std::move(place)),
      count_(std::move(count)),
      graph_(context, left),
      hanging_(count_.size()) {
  context.upload(hanging_.data(), std::span<const unsigned char>(count_));
  rows_ = packed_rows(context, graph_.view(), hanging_.data());
}

BlockSource Leafless::source(Vertex v) const {
  if (place_[v] != kNoVertex)
    return {PackedRow::entry_of(place_[v]) | PackedRow::hanging(count_[place_[v]]), 0};
  const Vertex at = place_[whole_.rows().neighbors(v)[0]];
  return {PackedRow::entry_of(at) | PackedRow::hanging(count_[at] - 1u),
          1};  // itself is not met again
}

}  // namespace antipode::cuda
