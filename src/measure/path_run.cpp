#include "measure/path_run.hpp"

#include <algorithm>
#include <cassert>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

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

// From `to` back to the source, over the arcs that enter a vertex; both ends included.
std::vector<Vertex> path_back(const Adjacency& into, Vertex source,
                              std::span<const Length> distances, Vertex to) {
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
  return path;
}

}  // namespace

std::vector<Vertex> shortest_path(const Graph& graph, Vertex source,
                                  std::span<const Length> distances, Vertex to) {
  if (distances[to] == kNoPath) return {};
  std::vector<Vertex> path = path_back(graph.into().adjacency(), source, distances, to);
  std::reverse(path.begin(), path.end());
  return path;
}

Length bound_of_paths(const Graph& graph) {
  if (graph.order() == 0) return 0;
  const auto lengths = graph.adjacency().lengths;
  const Length longest = lengths.empty() ? 1
                                         : fold(
                                               lengths.size(), threads(), Length{0},
                                               [](Length a, Length b) { return std::max(a, b); },
                                               [&](std::size_t arc) { return lengths[arc]; });
  return (graph.order() - 1) * longest;
}

PathRun::PathRun(PathEngine& engine, Observer& observer, Length known)
    : engine_(engine), observer_(observer), is_known_(known > 0) {
  answer_.lower = known;
  engine.interrupt_when([&observer] { return observer.stop(); });
}

// Memory that was used before is faster than new one.
std::shared_ptr<std::vector<Length>> PathRun::unused_distances() {
  for (const auto& each : distances_)
    if (each.use_count() == 1) return each;
  const Vertex order = graph().order();
  refuse_bytes(std::uint64_t{order} * sizeof(Length), "distances of a search");
  distances_.push_back(std::make_shared<std::vector<Length>>(order));
  return distances_.back();
}

PathRow PathRun::search(Vertex source, Along along) {
  const From from{.source = source, .along = along};
  return std::move(search_each({&from, 1}).front());
}

std::vector<PathRow> PathRun::search_each(std::span<const From> searches) {
  std::vector<PathRow> rows;
  std::vector<PathRequest> requests;
  for (const From& each : searches) {
    const auto distances = unused_distances();
    rows.push_back({.search = {}, .distances = distances});
    requests.push_back({.source = each.source, .along = each.along, .distances = *distances});
  }
  const std::vector<PathSearch> found_each = engine_.search_each(requests);
  answer_.searches += searches.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].search = found_each[i];
    found(rows[i], searches[i].along);
  }
  return rows;
}

std::vector<Length> PathRun::eccentricities(PathEngine& engine, std::span<const Vertex> sources,
                                            Along along, std::span<const Vertex> here) {
  const auto summaries = engine.summarize(sources, along);
  ++answer_.batches;
  answer_.lanes += sources.size();
  std::vector<Length> result;
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

void PathRun::rows(std::span<const Vertex> sources, const LengthSink& sink) {
  if (sources.empty()) return;
  engine_.rows(sources, Along::arcs, sink);
  ++answer_.batches;
  answer_.lanes += sources.size();
}

bool PathRun::found(Length length, Vertex from, Vertex to) {
  const bool is_first = !is_known_ && from_ == kNoVertex && to_ == kNoVertex;
  if (length <= answer_.lower && !is_first) return false;
  answer_.lower = length;
  from_ = from;
  to_ = to;
  row_ = {};
  path_.clear();
  return true;
}

void PathRun::found(const PathRow& row, Along along) {
  const PathSearch& search = row.search;
  const bool is_longest = along == Along::arcs
                              ? found(search.eccentricity, search.source, search.farthest)
                              : found(search.eccentricity, search.farthest, search.source);
  if (is_longest) row_ = row, row_along_ = along;
}

const std::vector<Vertex>& PathRun::longest_path() {
  if (!path_.empty() || (from_ == kNoVertex && to_ == kNoVertex)) return path_;
  if (!row_.distances) {
    const auto [from, to] = std::pair(from_, to_);
    const PathRow row =
        from != kNoVertex ? search(from, Along::arcs) : search(to, Along::reversed_arcs);
    row_ = row;
    row_along_ = from != kNoVertex ? Along::arcs : Along::reversed_arcs;
    from_ = from != kNoVertex ? from : row.search.farthest;
    to_ = from != kNoVertex ? row.search.farthest : to;
  }
  if (row_along_ == Along::arcs)
    path_ = shortest_path(graph(), from_, *row_.distances, to_);
  else
    path_ = path_back(graph().adjacency(), to_, *row_.distances, from_);
  return path_;
}

void PathRun::report(Length upper, std::size_t open) {
  report(answer_.lower, std::max({upper, elsewhere_, answer_.lower}), open);
}

void PathRun::report(Length lower, Length upper, std::size_t open) {
  observer_.progress({lower, upper, answer_.searches + answer_.lanes,
                      static_cast<Vertex>(std::min<std::size_t>(open, kMaxOrder))});
  if (open > 0) stop_if_asked();
}

void PathRun::stop_if_asked() {
  if (observer_.stop()) throw Interrupted();
}

void PathRun::add(PathDiameter part, std::span<const Vertex> here) {
  const auto rename = [&](Vertex& v) { v = v == kNoVertex ? v : here[v]; };
  answer_.searches += part.searches;
  answer_.batches += part.batches;
  answer_.lanes += part.lanes;
  for (PathStep& each : part.steps) {
    rename(each.vertex);
    for (Vertex& v : each.group) rename(v);
    step(std::move(each));
  }
  if (part.witness.path.empty()) return;
  for (Vertex& v : part.witness.path) rename(v);
  if (found(part.lower, part.witness.path.front(), part.witness.path.back()))
    path_ = std::move(part.witness.path);
}

void PathRun::add_work(const PathRun& part) {
  answer_.searches += part.answer_.searches;
  answer_.batches += part.answer_.batches;
  answer_.lanes += part.answer_.lanes;
}

PathDiameter PathRun::finish(Length upper) {
  engine_.interrupt_when(nullptr);  // perhaps one search more, for the path
  answer_.upper = std::max(upper, answer_.lower);
  answer_.witness.path = longest_path();
  answer_.witness.from = from_;
  answer_.witness.to = to_;
  return std::move(answer_);
}

}  // namespace antipode
