#include "measure/proved_bounds.hpp"

#include <algorithm>

#include "graph/limits.hpp"

namespace antipode {

namespace {

Along reversed(Along along) { return along == Along::arcs ? Along::reversed_arcs : Along::arcs; }

// Path-based. [Gabow 2000] `open_` has the vertices without a component, `starts_` those of them
// that may be the first of one.
class StrongSearch {
 public:
  StrongSearch(const ProvedSearch& search, Along along, const Parts& parts)
      : search_(search), arcs_(search.arcs(along)), parts_(parts) {
    const std::size_t order = arcs_.order();
    refuse_bytes(std::uint64_t{order} * 24, "finding strong components");
    entered_.assign(order, kNoVertex);
    next_arc_.assign(order, 0);
    result_.of.assign(order, kNoVertex);
  }

  StrongParts run() {
    for (Vertex root = 0; root < arcs_.order(); ++root)
      if (parts_[root] != kNoVertex && entered_[root] == kNoVertex) visit(root);
    return std::move(result_);
  }

 private:
  void visit(Vertex root) {
    enter(root);
    while (!way_.empty()) {
      const Vertex v = way_.back();
      if (next_arc_[v] == arcs_.offsets[v + 1]) {
        leave(v);
        continue;
      }
      const Vertex u = arcs_.targets[next_arc_[v]++];
      if (parts_[u] != parts_[v] || result_.of[u] != kNoVertex) continue;
      if (entered_[u] == kNoVertex)
        enter(u);
      else
        while (entered_[starts_.back()] > entered_[u]) starts_.pop_back();
    }
  }
  void enter(Vertex v) {
    search_.work(1 + arcs_.degree(v));
    entered_[v] = count_++;
    next_arc_[v] = arcs_.offsets[v];
    way_.push_back(v);
    open_.push_back(v);
    starts_.push_back(v);
  }
  void leave(Vertex v) {
    way_.pop_back();
    if (starts_.back() != v) return;
    starts_.pop_back();
    Vertex member = kNoVertex;
    do {
      member = open_.back();
      open_.pop_back();
      result_.of[member] = result_.count;
    } while (member != v);
    ++result_.count;
  }

  const ProvedSearch& search_;
  const Adjacency& arcs_;
  const Parts& parts_;
  std::vector<Vertex> entered_;
  std::vector<EdgeOffset> next_arc_;
  std::vector<Vertex> way_, open_, starts_;
  Vertex count_ = 0;
  StrongParts result_;
};

// Of every component the vertex of largest in-degree times out-degree in the scope; of equal ones
// that with the first label. So it does not depend on what is to be proved.
std::vector<PathStart> pivots_of(const ProvedSearch& search, const Graph& graph, const Parts& scope,
                                 const StrongParts& components) {
  std::vector<PathStart> pivots(components.count);
  const auto degree = [&](const Adjacency& arcs, Vertex v) {
    const auto around = arcs.neighbors(v);
    return static_cast<std::uint64_t>(std::count_if(
        around.begin(), around.end(), [&](Vertex u) { return scope[u] == scope[v]; }));
  };
  std::vector<std::uint64_t> products(graph.order(), 0);
  for (Vertex v = 0; v < graph.order(); ++v)
    if (components.of[v] != kNoVertex)
      products[v] =
          degree(search.arcs(Along::arcs), v) * degree(search.arcs(Along::reversed_arcs), v);
  const auto product = [&](Vertex v) { return products[v]; };
  for (Vertex v = 0; v < graph.order(); ++v) {
    if (components.of[v] == kNoVertex) continue;
    Vertex& pivot = pivots[components.of[v]].vertex;
    if (pivot == kNoVertex || product(v) > product(pivot) ||
        (product(v) == product(pivot) &&
         graph.labels().is_before(graph.origin(v), graph.origin(pivot))))
      pivot = v;
  }
  return pivots;
}

std::vector<Vertex> by_component(const StrongParts& components) {
  std::vector<std::size_t> begin(std::size_t{components.count} + 1, 0);
  for (const Vertex c : components.of)
    if (c != kNoVertex) ++begin[c + 1];
  for (std::size_t c = 0; c < components.count; ++c) begin[c + 1] += begin[c];
  std::vector<Vertex> members(begin.back());
  for (Vertex v = 0; v < components.of.size(); ++v)
    if (components.of[v] != kNoVertex) members[begin[components.of[v]]++] = v;
  return members;
}

}  // namespace

StrongParts strong_parts(const ProvedSearch& search, Along along, const Parts& parts) {
  return StrongSearch(search, along, parts).run();
}

ProvedBounds proved_bounds(ProvedSearch& search, const Graph& graph, const Parts& scope,
                           Along along, const Parts& part, const std::vector<bool>& is_end,
                           std::span<const PathStart> known) {
  const StrongParts components = strong_parts(search, along, part);
  const auto pivots = pivots_of(search, graph, scope, components);
  const auto away = search.distances(pivots, along, components.of);
  const auto to = search.distances(pivots, reversed(along), components.of);
  const auto by_known = search.distances(known, reversed(along), components.of);
  const Adjacency& arcs = search.arcs(along);
  const std::vector<Vertex> members = by_component(components);
  ProvedBounds result{std::vector<Length>(graph.order(), 0),
                      std::vector<bool>(graph.order(), false)};
  for (std::size_t first = 0, end = 0; first < members.size(); first = end) {
    const Vertex which = components.of[members[first]];
    while (end < members.size() && components.of[members[end]] == which) ++end;
    bool has_ends = false;
    Length most = 0;  // from the pivot
    for (std::size_t i = first; i < end; ++i) {
      const Vertex v = members[i];
      search.work(1 + arcs.degree(v));
      if (is_end[v]) has_ends = true, most = std::max(most, away[v]);
      for (EdgeOffset arc = arcs.offsets[v]; arc < arcs.offsets[v + 1]; ++arc) {
        const Vertex u = arcs.targets[arc];
        if (part[u] != part[v] || components.of[u] == which || !result.has_ends[u]) continue;
        has_ends = true;
        most = std::max(most, plus(plus(away[v], arcs.length(arc)), result.upper[u]));
      }
    }
    most = std::min(most, by_known[pivots[which].vertex]);
    for (std::size_t i = first; has_ends && i < end; ++i) {
      const Vertex v = members[i];
      result.has_ends[v] = true;
      result.upper[v] = std::min(plus(to[v], most), by_known[v]);
    }
  }
  return result;
}

}  // namespace antipode
