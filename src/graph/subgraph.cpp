#include "graph/subgraph.hpp"

#include <algorithm>

#include "graph/parallel.hpp"

namespace antipode {

Graph subgraph(const Graph& graph, const std::vector<Vertex>& listed,
               const std::vector<Vertex>& place, int threads) {
  const Adjacency rows = graph.adjacency();
  const auto is_listed = [&](Vertex u) { return place[u] != kNoVertex; };
  std::vector<EdgeOffset> offsets(listed.size() + 1, 0);
  in_chunks(listed.size(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      offsets[i] = static_cast<EdgeOffset>(std::count_if(
          rows.neighbors(listed[i]).begin(), rows.neighbors(listed[i]).end(), is_listed));
  });
  std::vector<Vertex> targets(exclusive_sum(offsets, threads));
  std::vector<Length> lengths(graph.has_lengths() ? targets.size() : 0);
  in_chunks(listed.size(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      EdgeOffset at = offsets[i];
      for (EdgeOffset arc = rows.offsets[listed[i]]; arc < rows.offsets[listed[i] + 1]; ++arc) {
        if (!is_listed(rows.targets[arc])) continue;
        if (!lengths.empty()) lengths[at] = rows.lengths[arc];
        targets[at++] = place[rows.targets[arc]];
      }
    }
  });
  return graph.with_adjacency(std::move(offsets), std::move(targets), listed, std::move(lengths));
}

}  // namespace antipode
