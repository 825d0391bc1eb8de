#include "engine/cuda/layout/leafless.hpp"

#include <algorithm>

#include "graph/folding.hpp"
#include "graph/parallel.hpp"

namespace antipode::cuda {

std::unique_ptr<const Leafless> Leafless::of(const Context& context, const Graph& graph) {
  constexpr Vertex kWorthFolding = 16;  // at least one vertex in kWorthFolding must be a leaf
  if (graph.is_directed()) return nullptr;
  Skeleton skeleton = skeleton_of(graph, 1, 1, static_cast<int>(threads()));
  if (graph.order() - skeleton.graph.order() < graph.order() / kWorthFolding) return nullptr;
  std::vector<Vertex> leaf_counts(skeleton.graph.order());
  const Adjacency adjacency = graph.adjacency();
  for (Vertex v = 0; v < graph.order(); ++v)
    if (skeleton.place[v] == kNoVertex) ++leaf_counts[skeleton.place[adjacency.neighbors(v)[0]]];
  if (std::ranges::max(leaf_counts) > PackedEntry::kMostLeaves) return nullptr;
  return std::unique_ptr<const Leafless>(
      new Leafless(context, graph, skeleton.graph, std::move(skeleton.place),
                   std::vector<unsigned char>(leaf_counts.begin(), leaf_counts.end())));
}

Leafless::Leafless(const Context& context, const Graph& whole, const Graph& leafless,
                   std::vector<Vertex> numbers, std::vector<unsigned char> leaf_counts)
    : whole_(whole),
      numbers_(std::move(numbers)),
      leaf_counts_(std::move(leaf_counts)),
      graph_(context, leafless),
      leaves_(leaf_counts_.size()) {
  context.upload(leaves_.data(), std::span<const unsigned char>(leaf_counts_));
  packed_ = pack_adjacency(context, graph_.view(), leaves_.data());
}

BlockSource Leafless::source(Vertex v) const {
  if (numbers_[v] != kNoVertex)
    return {PackedEntry::entry_of(numbers_[v]) | PackedEntry::leaf_bits(leaf_counts_[numbers_[v]]),
            0};
  const Vertex neighbour = numbers_[whole_.adjacency().neighbors(v)[0]];
  return {PackedEntry::entry_of(neighbour) | PackedEntry::leaf_bits(leaf_counts_[neighbour] - 1u),
          1};  // the leaf itself is not counted again
}

}  // namespace antipode::cuda
