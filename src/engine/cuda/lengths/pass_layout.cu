#include <algorithm>
#include <numeric>

#include "engine/cuda/lengths/passes.hpp"
#include "graph/limits.hpp"

namespace antipode::cuda {

namespace {

using Folding = LengthFolding<std::uint32_t>;

std::span<const Folding::Entry> above(const Folding& folding, Vertex v) {
  return std::span(folding.entries)
      .subspan(folding.offsets[v], folding.offsets[v + 1] - folding.offsets[v]);
}

// Of the vertices above, the one that was taken off first; kNoVertex: there is none.
Vertex parent_of(const Folding& folding, Vertex v) {
  const auto list = above(folding, v);
  const auto first = std::max_element(
      list.begin(), list.end(), [](const auto& a, const auto& b) { return a.vertex < b.vertex; });
  return first == list.end() ? kNoVertex : first->vertex;
}

// Places of the vertices in a walk over the elimination tree. All that a source climbs to lies on
// its path to the root, so that near ranks share most of their climbs.
std::vector<unsigned> ranks_of(const Folding& folding) {
  const Vertex order = folding.order();
  std::vector<unsigned> size(order, 1), rank(order), next(order + std::size_t{1}, 0);
  for (Vertex v = order; v-- > 0;)
    if (const Vertex parent = parent_of(folding, v); parent != kNoVertex) size[parent] += size[v];
  for (Vertex v = 0; v < order; ++v) {
    const Vertex parent = parent_of(folding, v);
    unsigned& free = next[parent == kNoVertex ? order : parent];  // the next rank below it
    rank[v] = free;
    next[v] = free + 1;
    free += size[v];
  }
  return rank;
}

}  // namespace

PassLayout lay_out(const Folding& folding) {
  const Vertex order = folding.order();
  refuse_bytes(std::uint64_t{order} * 32 + folding.entries.size() * 8,
               "passes over the folded graph");
  PassLayout layout;
  std::vector<unsigned> level(order, 0);
  std::vector<bool> is_stored(order, false);
  unsigned levels = 1;
  for (Vertex v = 0; v < order; ++v) {
    for (const Folding::Entry& entry : above(folding, v)) {
      level[v] = std::max(level[v], level[entry.vertex] + 1);
      is_stored[entry.vertex] = true;
    }
    levels = std::max(levels, level[v] + 1);
  }
  layout.level_begin.assign(levels + 1, 0);
  layout.level_stored.assign(levels, 0);
  for (Vertex v = 0; v < order; ++v) {
    ++layout.level_begin[level[v] + 1];
    if (is_stored[v]) ++layout.level_stored[level[v]];
  }
  std::partial_sum(layout.level_begin.begin(), layout.level_begin.end(),
                   layout.level_begin.begin());
  std::vector<unsigned> next_stored(layout.level_begin.begin(), layout.level_begin.end() - 1);
  std::vector<unsigned> next_last(levels);
  for (unsigned l = 0; l < levels; ++l)
    next_last[l] = layout.level_stored[l] += layout.level_begin[l];
  std::vector<unsigned> place(order), at_place(order);
  for (Vertex v = 0; v < order; ++v) {
    place[v] = (is_stored[v] ? next_stored : next_last)[level[v]]++;
    at_place[place[v]] = v;
  }
  layout.offsets.assign(order + std::size_t{1}, 0);
  layout.level_of.resize(order);
  layout.arcs.reserve(folding.entries.size());
  for (Vertex p = 0; p < order; ++p) {
    const Vertex v = at_place[p];
    for (const Folding::Entry& entry : above(folding, v))
      layout.arcs.push_back({place[entry.vertex], std::min(entry.length, kNoLength)});
    layout.offsets[p + std::size_t{1}] = static_cast<unsigned>(layout.arcs.size());
    layout.level_of[p] = level[v];
  }
  const std::vector<unsigned> rank = ranks_of(folding);
  layout.place_of.resize(order);
  layout.rank_of.resize(order);
  for (Vertex v = 0; v < order; ++v) {
    layout.place_of[folding.old[v]] = place[v];
    layout.rank_of[folding.old[v]] = rank[v];
  }
  return layout;
}

}  // namespace antipode::cuda
