#include "engine/host/offset_search.hpp"

#include <algorithm>

namespace antipode::host {

void offset_search(const Adjacency& graph, std::vector<OffsetSource> starts, Distance limit,
                   std::span<Distance> values) {
  std::sort(starts.begin(), starts.end(),
            [](const OffsetSource& a, const OffsetSource& b) { return a.level < b.level; });
  std::vector<Vertex> frontier, next;
  auto start = starts.begin();
  for (Distance level = starts.empty() ? 0 : start->level; level <= limit; ++level) {
    for (; start != starts.end() && start->level == level; ++start) {
      if (values[start->source] <= level) continue;
      values[start->source] = level;
      frontier.push_back(start->source);
    }
    if (frontier.empty() && start == starts.end()) return;
    if (level == limit) return;
    next.clear();
    for (const Vertex v : frontier)
      for (const Vertex u : graph.neighbors(v)) {
        if (values[u] <= level + 1) continue;
        values[u] = level + 1;
        next.push_back(u);
      }
    frontier.swap(next);
  }
}

void descending_offset_search(const Adjacency& graph, std::vector<OffsetSource> starts,
                              std::span<Distance> values) {
  std::sort(starts.begin(), starts.end(),
            [](const OffsetSource& a, const OffsetSource& b) { return a.level > b.level; });
  std::vector<Vertex> frontier, next;
  auto start = starts.begin();
  for (Distance level = starts.empty() ? 0 : start->level; level > 0; --level) {
    for (; start != starts.end() && start->level == level; ++start) {
      if (values[start->source] >= level) continue;
      values[start->source] = level;
      frontier.push_back(start->source);
    }
    if (frontier.empty() && start == starts.end()) return;
    next.clear();
    for (const Vertex v : frontier)
      for (const Vertex u : graph.neighbors(v)) {
        if (values[u] >= level - 1) continue;
        values[u] = level - 1;
        next.push_back(u);
      }
    frontier.swap(next);
  }
}

}  // namespace antipode::host
