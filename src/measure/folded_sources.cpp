#include "measure/folded_sources.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "graph/hash.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

using Weights = FoldedSources::Weights;
using Correction = FoldedSources::Correction;

// A child v of p is one step farther from everything but its own subtree, which is one step nearer:
// with H(k) vertices k below v, its distances are p's, one more each, and H(d) - H(d - 2) at
// distance d on top. All of v's subtree gets these, k more for those k below.
Correction correction_of(const Weights& below) {
  Correction result{};
  for (std::size_t d = 0; d < kDeep + 3; ++d) {
    const std::int64_t on_top =
        (d <= kDeep ? std::int64_t{below[d]} : 0) - (d >= 2 ? std::int64_t{below[d - 2]} : 0);
    for (std::size_t k = 0; k <= kDeep && on_top != 0; ++k)
      if (below[k] > 0) result[d + k] += on_top * below[k];
  }
  return result;
}

struct Trees {
  std::vector<Weights> below;  // of each vertex: its pendant tree by depth, itself included
  std::vector<Vertex> place;   // of each vertex's correction; kNoVertex: no pendant tree
  std::vector<Correction> corrections;  // of each: the sum over its pendant trees
  std::vector<bool> is_pendant;         // in the pendant tree of another vertex
};

Trees trees_of(const Graph& graph) {
  Trees trees{.below = std::vector<Weights>(graph.order(), Weights{1}),
              .place = std::vector<Vertex>(graph.order(), kNoVertex),
              .corrections = {},
              .is_pendant = std::vector<bool>(graph.order(), false)};
  std::vector<Vertex> degree(graph.order()), leaves;
  for (Vertex v = 0; v < graph.order(); ++v)
    if ((degree[v] = graph.degree(v)) == 1) leaves.push_back(v);
  for (std::size_t next = 0; next < leaves.size(); ++next) {
    const Vertex v = leaves[next];
    const auto around = graph.neighbors(v);
    if (degree[v] != 1 || trees.below[v][kDeep] != 0)
      continue;  // the last of a tree, or too deep already
    const Vertex up =
        *std::find_if(around.begin(), around.end(), [&](Vertex u) { return !trees.is_pendant[u]; });
    const Correction mine = correction_of(trees.below[v]);
    if (trees.place[up] == kNoVertex) {
      trees.place[up] = static_cast<Vertex>(trees.corrections.size());
      trees.corrections.push_back({});
    }
    Correction& sum = trees.corrections[trees.place[up]];
    for (std::size_t d = 0; d < mine.size(); ++d)
      sum[d] += mine[d] + (trees.place[v] == kNoVertex ? 0 : trees.corrections[trees.place[v]][d]);
    for (std::size_t k = 0; k < kDeep; ++k) trees.below[up][k + 1] += trees.below[v][k];
    trees.is_pendant[v] = true;
    degree[v] = 0;
    if (--degree[up] == 1) leaves.push_back(up);
  }
  return trees;
}

// Of vertices with the same neighbours, or the same but for each other, the first stands for all.
// Vertices with pendant trees have no twins.
std::vector<Vertex> first_of_twins(const Graph& graph, const Trees& trees) {
  std::vector<Vertex> first(graph.order());
  std::iota(first.begin(), first.end(), Vertex{0});
  std::vector<std::uint64_t> around(graph.order(), 0);  // the same for the same neighbours
  const Adjacency adjacency = graph.adjacency();
  in_pieces(graph.order(), 4096, threads_for(graph.arcs()),
            [&](std::size_t begin, std::size_t end, int) {
              for (Vertex v = static_cast<Vertex>(begin); v < end; ++v)
                for (const Vertex u : adjacency.neighbors(v)) around[v] += mix(u);
            });
  std::vector<unsigned char> met(std::bit_ceil(
      std::size_t{graph.order()} * 4 +
      1));  // how many keys fall there, up to two: most are alone, and need no sorting
  for (const bool adjacent : {false, true}) {
    const auto key_of = [&](Vertex v) { return adjacent ? around[v] + mix(v) : around[v]; };
    const auto may_have_twins = [&](Vertex v) {
      return !trees.is_pendant[v] && trees.below[v][1] == 0 && first[v] == v;
    };
    std::fill(met.begin(), met.end(), 0);
    for (Vertex v = 0; v < graph.order(); ++v)
      if (unsigned char& here = met[mix(key_of(v)) & (met.size() - 1)];
          may_have_twins(v) && here < 2)
        ++here;
    std::vector<std::pair<std::uint64_t, Vertex>> keys;
    for (Vertex v = 0; v < graph.order(); ++v)
      if (may_have_twins(v) && met[mix(key_of(v)) & (met.size() - 1)] == 2)
        keys.emplace_back(key_of(v), v);
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i) {
      if (keys[i].first != keys[i - 1].first) continue;
      const Vertex v = keys[i].second, u = first[keys[i - 1].second];
      const auto a = graph.neighbors(v), b = graph.neighbors(u);
      if (a.size() != b.size()) continue;
      // The adjacencies of adjacent twins are equal once each contains its own vertex.
      std::vector<Vertex> mine(a.begin(), a.end()), its(b.begin(), b.end());
      if (adjacent)
        mine.push_back(v), its.push_back(u), std::sort(mine.begin(), mine.end()),
            std::sort(its.begin(), its.end());
      if (mine == its) first[v] = u;
    }
  }
  return first;
}

}  // namespace

std::uint64_t FoldedSources::multiplicity(std::size_t i) const {
  return std::accumulate(weights[i].begin(), weights[i].end(), std::uint64_t{0});
}

// Every edge of a pendant tree counts for both of its ends, except at the source itself.
std::uint64_t FoldedSources::neighbors(const Graph& graph, std::size_t i) const {
  const Weights& here = weights[i];
  return here[0] * std::uint64_t{graph.degree(sources[i])} + 2 * (multiplicity(i) - here[0]) -
         here[1];
}

void FoldedSources::add(std::size_t begin, std::size_t end,
                        const std::vector<std::uint64_t>& counts,
                        std::vector<std::uint64_t>& pairs) const {
  std::vector<std::int64_t> sum(counts.begin(), counts.end());
  sum.resize(std::max(sum.size(), std::tuple_size_v<Correction>), 0);
  for (std::size_t i = std::max(begin, alone); i < end; ++i)
    for (std::size_t d = 0; d < corrections[i - alone].size(); ++d)
      sum[d] += corrections[i - alone][d];
  while (!sum.empty() && sum.back() == 0) sum.pop_back();
  pairs.resize(std::max(pairs.size(), sum.size()), 0);
  for (std::size_t d = 1; d < sum.size(); ++d) pairs[d] += static_cast<std::uint64_t>(sum[d]);
}

FoldedSources folded_sources(const Graph& graph) {
  if (const Vertex residues = graph.residues();
      residues > 0) {  // the first of each remainder stands for all
    FoldedSources plan;
    plan.sources.resize(residues);
    std::iota(plan.sources.begin(), plan.sources.end(), Vertex{0});
    plan.weights.assign(residues, Weights{graph.order() / residues});
    plan.corrections.resize(residues);
    return plan;
  }
  Trees trees = trees_of(graph);
  const std::vector<Vertex> first = first_of_twins(graph, trees);
  std::vector<Weights>& weights = trees.below;
  for (Vertex v = 0; v < graph.order(); ++v)
    if (first[v] != v) ++weights[first[v]][0];
  FoldedSources result;
  for (const bool alone : {true, false})
    for (Vertex v = 0; v < graph.order(); ++v) {
      if (trees.is_pendant[v] || first[v] != v || (weights[v] == Weights{1}) != alone) continue;
      result.sources.push_back(v);
      result.weights.push_back(weights[v]);
      if (alone)
        ++result.alone;
      else
        result.corrections.push_back(
            trees.place[v] == kNoVertex ? Correction{} : trees.corrections[trees.place[v]]);
    }
  return result;
}

}  // namespace antipode
