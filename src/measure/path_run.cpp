#include "measure/path_run.hpp"

#include <algorithm>
#include <cassert>

#include "antipode/error.hpp"

namespace antipode {

namespace {

// Vertices before `to` on shortest paths that consist of edges of length 0, and one before these
// that is nearer to the source.
std::vector<Vertex> back_over_zeros(const Adjacency& into, Vertex source,
                                    std::span<const Length> distances, Vertex to) {
  std::vector<Vertex> list{to}, after(into.order(), kNoVertex);
  after[to] = to;
  const auto way_from = [&](Vertex v) {
    std::vector<Vertex> way;
    for (; v != to; v = after[v]) way.push_back(v);
    std::reverse(way.begin(), way.end());
    return way;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Vertex v = list[i];
    if (v == source) return way_from(v);
    for (EdgeOffset arc = into.offsets[v]; arc < into.offsets[v + 1]; ++arc) {
      const Vertex u = into.targets[arc];
      if (distances[u] == kNoPath || after[u] != kNoVertex ||
          distances[u] + into.length(arc) != distances[v])
        continue;
      after[u] = v;
      if (distances[u] < distances[v] || u == source) return way_from(u);
      list.push_back(u);
    }
  }
  return {};  // distances that no search gives
}

}  // namespace

std::vector<Vertex> shortest_path(const Graph& graph, Vertex source,
                                  std::span<const Length> distances, Vertex to) {
  const Adjacency into = graph.into().adjacency();
  std::vector<Vertex> path{to};
  while (path.back() != source) {
    const Vertex v = path.back();
    Vertex before = kNoVertex;
    for (EdgeOffset arc = into.offsets[v]; arc < into.offsets[v + 1] && before == kNoVertex;
         ++arc) {
      const Vertex u = into.targets[arc];
      if (distances[u] < distances[v] && distances[u] + into.length(arc) == distances[v])
        before = u;
    }
    if (before != kNoVertex) {
      path.push_back(before);
      continue;
    }
    const std::vector<Vertex> way = back_over_zeros(into, source, distances, v);
    assert(!way.empty());
    path.insert(path.end(), way.begin(), way.end());
  }
  std::reverse(path.begin(), path.end());
  return path;
}

PathSearch PathRun::search(Vertex source, Along along, std::span<Length> distances) {
  ++answer_.searches;
  const PathSearch result = engine_.search(source, along, distances);
  if (along == Along::arcs)
    found(result.eccentricity, source, result.farthest);
  else
    found(result.eccentricity, result.farthest, source);
  return result;
}

std::vector<Length> PathRun::eccentricities(PathEngine& engine, std::span<const Vertex> sources,
                                            Along along, std::span<const Vertex> here) {
  ++answer_.batches;
  answer_.lanes += sources.size();
  std::vector<Length> result;
  const auto summaries = engine.summarize(sources, along);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Vertex source = here.empty() ? sources[i] : here[sources[i]];
    result.push_back(summaries[i].eccentricity);
    if (along == Along::arcs)
      found(result.back(), source, kNoVertex);
    else
      found(result.back(), kNoVertex, source);
  }
  return result;
}

void PathRun::found(Length length, Vertex from, Vertex to) {
  if (length <= answer_.lower && (from_ != kNoVertex || to_ != kNoVertex)) return;
  answer_.lower = length;
  from_ = from;
  to_ = to;
}

std::vector<Vertex> PathRun::longest_path() {
  std::vector<Length> row(graph().order());
  if (from_ == kNoVertex) from_ = search(to_, Along::reversed_arcs, row).farthest;
  const PathSearch last = search(from_, Along::arcs, row);
  if (to_ == kNoVertex) to_ = last.farthest;
  return shortest_path(graph(), from_, row, to_);
}

void PathRun::report(Length upper, std::size_t open) {
  observer_.progress({answer_.lower, upper, answer_.searches + answer_.lanes,
                      static_cast<Vertex>(std::min<std::size_t>(open, kMaxOrder))});
  if (open > 0 && observer_.stop()) throw Interrupted();
}

PathDiameter PathRun::finish(Length upper) {
  answer_.upper = std::max(upper, answer_.lower);
  if (from_ == kNoVertex && to_ == kNoVertex) return answer_;
  engine_.interrupt_when(nullptr);  // one or two searches more, for the path
  answer_.witness.path = longest_path();
  answer_.witness.from = from_;
  answer_.witness.to = to_;
  return answer_;
}

}  // namespace antipode
