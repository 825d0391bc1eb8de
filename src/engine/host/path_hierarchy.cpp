#include "engine/host/path_hierarchy.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "antipode/error.hpp"
#include "graph/limits.hpp"

namespace antipode::host {

namespace {

constexpr std::size_t kMostDegree = 64;  // a vertex of more neighbours is not eliminated
constexpr std::size_t kMostArcs = 12;    // times those of the graph
constexpr std::size_t kMostShortcuts = 64;
constexpr double kMostLength = 0x1p53;  // sums below are exact
constexpr double kMostPaths = 0x1p400;

class Elimination {
 public:
  explicit Elimination(const Graph& graph)
      : graph_(graph), into_(graph.order()), from_(graph.order()), begin_(graph.order() + 1, 0) {
    const Adjacency adjacency = graph.adjacency();
    arcs_.reserve(2 * adjacency.arcs());
    for (Vertex v = 0; v < graph.order(); ++v)
      for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc)
        add(v, adjacency.targets[arc], static_cast<double>(adjacency.length(arc)), 1);
  }

  // False: it gets too large.
  bool run(const std::function<bool()>& interrupted) {
    constexpr std::size_t kCheck = 1 << 8;
    using Entry = std::pair<std::size_t, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (Vertex v = 0; v < graph_.order(); ++v) queue.emplace(degree(v), v);
    eliminated_.assign(graph_.order(), kNoVertex);
    const std::size_t most = kMostArcs * graph_.arcs() + 1024;
    while (!queue.empty()) {
      const auto [known, v] = queue.top();
      queue.pop();
      if (eliminated_[v] != kNoVertex || known != degree(v)) continue;
      if (known > 2 * kMostDegree || arcs_.size() > most ||
          ways_.size() > kMostShortcuts * graph_.arcs() + 1024 || !is_exact_)
        return false;
      if (order_.size() % kCheck == 0 && interrupted()) throw Interrupted();
      eliminate(v);
      for (const auto& list : {from_[v], into_[v]})
        for (const End& end : list) queue.emplace(degree(end.vertex), end.vertex);
    }
    return is_exact_;
  }

  PathHierarchy hierarchy() const {
    const Vertex n = graph_.order();
    PathHierarchy result;
    result.place.resize(n);
    result.vertex.assign(order_.rbegin(), order_.rend());
    for (Vertex p = 0; p < n; ++p) result.place[result.vertex[p]] = p;
    std::vector<std::uint32_t> number(arcs_.size());
    const auto list = [&](const std::vector<std::vector<End>>& ends, std::size_t before,
                          std::vector<std::uint32_t>& begin,
                          std::vector<PathHierarchy::Arc>& arcs) {
      begin.push_back(0);
      for (const Vertex v : result.vertex) {
        for (const End& end : ends[v]) {
          number[end.arc] = static_cast<std::uint32_t>(before + arcs.size());
          arcs.push_back({result.place[end.vertex], arcs_[end.arc].length, arcs_[end.arc].paths});
        }
        begin.push_back(static_cast<std::uint32_t>(arcs.size()));
      }
    };
    list(into_, 0, result.enter_begin, result.entering);
    list(from_, result.entering.size(), result.leave_begin, result.leaving);
    result.shortcut_begin.push_back(0);
    for (std::size_t i = order_.size(); i-- > 0;) {
      for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
        const Way& way = ways_[k];
        const Arc &whole = arcs_[way.whole], &first = arcs_[way.first], &second = arcs_[way.second];
        if (whole.length == first.length + second.length)
          result.shortcuts.push_back({number[way.whole], number[way.first], number[way.second],
                                      first.paths * second.paths / whole.paths});
      }
      result.shortcut_begin.push_back(static_cast<std::uint32_t>(result.shortcuts.size()));
    }
    for (EdgeOffset arc = 0; arc < graph_.arcs(); ++arc) {
      const Arc& now = arcs_[arc];
      const bool is_shortest = now.length == static_cast<double>(graph_.adjacency().length(arc));
      result.number.push_back(number[arc]);
      result.share.push_back(is_shortest ? 1 / now.paths : 0);
    }
    return result;
  }

 private:
  struct Arc {
    double length, paths;
  };
  struct End {
    Vertex vertex;
    std::uint32_t arc;
  };
  struct Way {
    std::uint32_t whole, first, second;
  };

  std::size_t degree(Vertex v) const { return into_[v].size() + from_[v].size(); }

  std::uint32_t add(Vertex from, Vertex to, double length, double paths) {
    const auto arc = static_cast<std::uint32_t>(arcs_.size());
    push_charged(arcs_, {length, paths});
    from_[from].push_back({to, arc});
    into_[to].push_back({from, arc});
    return arc;
  }

  static void remove(std::vector<End>& list, Vertex v) {
    list.erase(std::find_if(list.begin(), list.end(), [=](const End& e) { return e.vertex == v; }));
  }

  // The lists of v stay: all of their ends are eliminated later.
  void eliminate(Vertex v) {
    eliminated_[v] = static_cast<Vertex>(order_.size());
    order_.push_back(v);
    for (const End& end : into_[v]) remove(from_[end.vertex], v);
    for (const End& end : from_[v]) remove(into_[end.vertex], v);
    for (const End& a : into_[v])
      for (const End& b : from_[v])
        if (a.vertex != b.vertex) join(a, b);
    begin_[order_.size()] = ways_.size();
  }

  void join(const End& a, const End& b) {
    const double length = arcs_[a.arc].length + arcs_[b.arc].length,
                 paths = arcs_[a.arc].paths * arcs_[b.arc].paths;
    auto& around = from_[a.vertex];
    const auto known = std::find_if(around.begin(), around.end(),
                                    [&](const End& end) { return end.vertex == b.vertex; });
    std::uint32_t whole = 0;
    if (known == around.end()) {
      whole = add(a.vertex, b.vertex, length, paths);
    } else {
      whole = known->arc;
      Arc& arc = arcs_[whole];
      if (length > arc.length) return;
      arc.paths = length < arc.length ? paths : arc.paths + paths;
      arc.length = length;
    }
    is_exact_ = is_exact_ && arcs_[whole].paths < kMostPaths;
    push_charged(ways_, {whole, a.arc, b.arc});
  }

  const Graph& graph_;
  std::vector<Arc> arcs_;  // those of the graph first
  std::vector<std::vector<End>> into_, from_;
  std::vector<Vertex> eliminated_, order_;
  std::vector<Way> ways_;
  std::vector<std::size_t> begin_;  // of the ways through the vertices in order_
  bool is_exact_ = true;
};

}  // namespace

std::optional<PathHierarchy> path_hierarchy(const Graph& graph,
                                            const std::function<bool()>& interrupted) {
  const Adjacency adjacency = graph.adjacency();
  double all = 0;  // no shortest path is longer
  for (EdgeOffset arc = 0; arc < adjacency.arcs(); ++arc)
    all += static_cast<double>(adjacency.length(arc));
  if (all >= kMostLength || graph.arcs() > (std::uint64_t{1} << 27)) return std::nullopt;
  constexpr std::uint64_t kArc = 80, kVertex = 64;  // bytes, before there are shortcuts
  if (!fits_memory(graph.arcs() * kArc + graph.order() * kVertex)) return std::nullopt;
  Elimination elimination(graph);
  if (!elimination.run(interrupted)) return std::nullopt;
  return elimination.hierarchy();
}

}  // namespace antipode::host
