// Connected components by concurrent union-find, and the subgraph of one of them. Every root is the
// smallest vertex of its tree, so the result does not depend on the schedule of the threads.
#include <algorithm>
#include <functional>
#include <numeric>

#include "antipode/golf.hpp"
#include "graph/largest.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

constexpr Vertex kCheck = 1 << 16;  // vertices between two checks for an interrupt

Vertex find_root(std::vector<Vertex>& parent, Vertex v) {
  for (;;) {
    const Vertex up = relaxed_load(parent[v]);
    if (up == v) return v;
    const Vertex above = relaxed_load(parent[up]);
    if (above != up) relaxed_store(parent[v], above);  // halve the path
    v = above;
  }
}

void unite(std::vector<Vertex>& parent, Vertex u, Vertex v) {
  for (;;) {
    u = find_root(parent, u);
    v = find_root(parent, v);
    if (u == v) return;
    if (u < v) std::swap(u, v);
    Vertex expected = u;
    if (std::atomic_ref<Vertex>(parent[u]).compare_exchange_strong(expected, v,
                                                                   std::memory_order_relaxed))
      return;
  }
}

}  // namespace

Vertex largest_of(const Graph& graph, const Components& found) {
  if (found.orders.empty()) return kNoVertex;
  const auto largest = std::max_element(found.orders.begin(), found.orders.end());
  const auto first = static_cast<Vertex>(largest - found.orders.begin());
  if (std::count(largest, found.orders.end(), *largest) == 1) return first;
  Vertex best = kNoVertex;
  for (Vertex v = 0; v < graph.order(); ++v) {
    if (v % kCheck == 0) stop_if_asked();
    if (found.orders[found.of[v]] != *largest) continue;
    if (best == kNoVertex || graph.labels().is_before(graph.origin(v), graph.origin(best)))
      best = v;
  }
  return found.of[best];
}

Components components(const Graph& graph) {
  const Vertex order = graph.order();
  if (graph.part() != nullptr && is_connected(*graph.part()))
    return {
        .of = std::vector<Vertex>(order, 0), .orders = {order}, .sizes = {graph.size()}, .most = 0};
  const Adjacency rows = graph.adjacency();
  refuse_bytes(std::uint64_t{order} * 8, "finding components");
  std::vector<Vertex> parent(order);
  std::iota(parent.begin(), parent.end(), Vertex{0});
  in_pieces(order, 1024, threads_for(graph.arcs()), [&](std::size_t first, std::size_t last, int) {
    for (Vertex v = static_cast<Vertex>(first); v < last; ++v)
      for (const Vertex u : rows.neighbors(v)) {
        if (u > v && !graph.is_directed()) break;  // sorted, and each edge is listed at both ends
        unite(parent, u, v);
      }
  });

  Components result;
  Vertex count = 0;
  for (Vertex v = 0; v < order; ++v) count += parent[v] == v ? 1 : 0;
  refuse_bytes(std::uint64_t{order} * sizeof(Vertex) +
                   count * (sizeof(result.orders[0]) + sizeof(result.sizes[0])),
               "finding components");
  result.of.resize(order);
  result.orders.reserve(count);
  result.sizes.reserve(count);
  for (Vertex v = 0; v < order; ++v) {  // a root precedes its tree, so it is numbered first
    if (v % kCheck == 0) stop_if_asked();
    const Vertex root = find_root(parent, v);
    if (root == v) {
      result.of[v] = result.count();
      result.orders.push_back(0);
      result.sizes.push_back(0);
    } else {
      result.of[v] = result.of[root];
    }
    ++result.orders[result.of[v]];
    result.sizes[result.of[v]] += graph.degree(v);
  }
  if (!graph.is_directed())
    for (auto& size : result.sizes) size /= 2;
  result.most = largest_of(graph, result);
  return result;
}

namespace {

bool reaches_all(const Adjacency& rows) {
  const Vertex order = rows.order();
  refuse_bytes(std::uint64_t{order} * 5, "a search");
  std::vector<bool> is_reached(order, false);
  std::vector<Vertex> queue{0};
  queue.reserve(order);
  is_reached[0] = true;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    if (head % kCheck == 0) stop_if_asked();
    for (const Vertex u : rows.neighbors(queue[head]))
      if (!is_reached[u]) is_reached[u] = true, queue.push_back(u);
  }
  return queue.size() == order;
}

}  // namespace

bool is_strongly_connected(const Graph& graph) {
  if (graph.order() < 2) return true;
  return reaches_all(graph.adjacency()) &&
         (!graph.is_directed() || reaches_all(graph.into().adjacency()));
}

ComponentCutter::ComponentCutter(const Graph& graph, const Components& components)
    : graph_(graph), begin_(components.count() + std::size_t{1}, 0) {
  refuse_bytes(std::uint64_t{graph.order()} * 8, "listing the vertices of components");
  std::inclusive_scan(components.orders.begin(), components.orders.end(), begin_.begin() + 1,
                      std::plus<>(), std::size_t{0});
  members_.resize(graph.order());
  place_.resize(graph.order());
  std::vector<Vertex> next(components.count(), 0);
  for (Vertex v = 0; v < graph.order(); ++v) {
    const Vertex which = components.of[v];
    place_[v] = next[which]++;
    members_[begin_[which] + place_[v]] = v;
  }
}

// Arcs between strong components stay outside; no arc leaves a component otherwise.
Graph ComponentCutter::cut(const Adjacency& rows, std::span<const Vertex> members) const {
  const auto is_member = [&](Vertex u) {
    return place_[u] < members.size() && members[place_[u]] == u;
  };
  const bool may_leave = graph_.is_directed();
  std::vector<EdgeOffset> offsets(members.size() + 1, 0);
  for (std::size_t v = 0; v < members.size(); ++v) {
    const auto around = rows.neighbors(members[v]);
    offsets[v + 1] =
        offsets[v] +
        (may_leave ? static_cast<EdgeOffset>(std::count_if(around.begin(), around.end(), is_member))
                   : around.size());
  }
  refuse_bytes(
      members.size() * std::uint64_t{12} + offsets.back() * (rows.lengths.empty() ? 4 : 12),
      "taking out a component");
  std::vector<Vertex> targets(offsets.back());
  std::vector<Length> lengths(rows.lengths.empty() ? 0 : targets.size());
  in_pieces(members.size(), 4096, threads_for(targets.size()),
            [&](std::size_t first, std::size_t last, int) {
              for (std::size_t v = first; v < last; ++v) {
                EdgeOffset at = offsets[v];
                for (EdgeOffset arc = rows.offsets[members[v]]; arc < rows.offsets[members[v] + 1];
                     ++arc) {
                  const Vertex u = rows.targets[arc];
                  if (may_leave && !is_member(u)) continue;
                  if (!lengths.empty()) lengths[at] = rows.lengths[arc];
                  targets[at++] = place_[u];
                }
              }
            });
  return graph_.with_adjacency(std::move(offsets), std::move(targets),
                               {members.begin(), members.end()}, std::move(lengths));
}

Graph ComponentCutter::subgraph(Vertex which) const {
  if (begin_.size() == 2) return graph_;
  const Graph part = cut(graph_.adjacency(), members(which));
  return graph_.is_directed()
             ? part.with_entering_arcs(cut(graph_.into().adjacency(), members(which)))
             : part;
}

Graph component_subgraph(const Graph& graph, const Components& components, Vertex which) {
  if (components.count() == 1 && which == 0) return graph;
  return ComponentCutter(graph, components).subgraph(which);
}

}  // namespace antipode
