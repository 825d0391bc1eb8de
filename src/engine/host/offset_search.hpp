// An offset search: one search from many sources, each of which starts at a level of its own.
// values[v] = min over i of level_i + d(v, s_i). It finds what searches from all sources would show
// about eliminated vertices, for the cost of at most one search.
#pragma once

#include <span>
#include <vector>

#include "engine/host/offset_sources.hpp"

namespace antipode::host {

// Lowers the values that become at most `limit`; others stay. Values may come from earlier calls
// with the same limit.
void offset_search(const Adjacency& graph, std::vector<OffsetSource> starts, Distance limit,
                   std::span<Distance> values);

// The mirror image: raises values[v] to the max over i of level_i - d(v, s_i). Values must change
// by at most one along an edge.
void descending_offset_search(const Adjacency& graph, std::vector<OffsetSource> starts,
                              std::span<Distance> values);

}  // namespace antipode::host
