#include "measure/path_sums.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace antipode {

namespace {

template <class Number>
Number apart(Number a, Number b) {
  return a < b ? b - a : a - b;
}

// d(u, x) <= w + d(v, x) for the neighbour v of u at the other end of an edge of length w.
void check_along_edges(const StateReader& reader, const Graph& graph, const PathSums& sums,
                       std::span<const Vertex> done) {
  const Adjacency adjacency = graph.adjacency();
  std::vector<Vertex> place(graph.order(), kNoVertex);
  for (std::size_t i = 0; i < done.size(); ++i) place[done[i]] = static_cast<Vertex>(i);
  for (std::size_t i = 0; i < done.size(); ++i)
    for (EdgeOffset arc = adjacency.offsets[done[i]]; arc < adjacency.offsets[done[i] + 1]; ++arc) {
      const Vertex j = place[adjacency.targets[arc]];
      if (j == kNoVertex) continue;
      const Length length = adjacency.length(arc);
      reader.require(apart(sums.eccentricity[i], sums.eccentricity[j]) <= length &&
                         apart(sums.sum[i], sums.sum[j]) <= LengthSum{length} * sums.reached[i],
                     "neighbours differ by more than the edge between them");
    }
}

}  // namespace

void PathSums::add(std::span<const PathSummary> more) {
  for (const PathSummary& each : more) {
    reached.push_back(each.reached);
    eccentricity.push_back(each.eccentricity);
    sum.push_back(each.distance_sum);
  }
}

void PathSums::put(StateWriter& writer) const { writer.put(reached).put(eccentricity).put(sum); }

void PathSums::get(StateReader& reader) { reader.get(reached).get(eccentricity).get(sum); }

void PathSums::check(const StateReader& reader, PathEngine& engine,
                     std::span<const Vertex> sources) const {
  const Graph& graph = engine.graph();
  reader.require(size() <= sources.size(), "it has more sources than there are");
  reader.require(eccentricity.size() == size() && sum.size() == size(),
                 "it has other sources than it counts");
  const auto done = sources.first(size());
  const Components parts = components(graph);
  for (std::size_t i = 0; i < size(); ++i) {
    const Vertex most = parts.orders[parts.of[done[i]]];
    const bool reaches = graph.is_directed()
                             ? reached[i] > graph.degree(done[i]) && reached[i] <= most
                             : reached[i] == most;
    reader.require(reaches, "a source reaches another number of vertices");
    reader.require(eccentricity[i] < kNoPath / 2 && eccentricity[i] <= sum[i] &&
                       sum[i] <= LengthSum{eccentricity[i]} * (reached[i] - 1),
                   "a sum of distances is out of range");
  }
  if (!graph.is_directed()) check_along_edges(reader, graph, *this, done);
  std::vector<Vertex> places(size()), again;
  std::iota(places.begin(), places.end(), Vertex{0});
  for (const Vertex place : places = any_of(places)) again.push_back(done[place]);
  const auto found = engine.summarize(again, Along::arcs);
  for (std::size_t i = 0; i < again.size(); ++i) {
    const Vertex at = places[i];
    reader.require(found[i] == PathSummary{.eccentricity = eccentricity[at],
                                           .reached = reached[at],
                                           .distance_sum = sum[at]},
                   "a source shows something else when it is searched again");
  }
}

std::vector<PathSummary> visit_rows(
    PathEngine& engine, std::span<const Vertex> sources,
    const std::function<void(std::size_t, std::span<const Length>)>& visit) {
  std::unordered_map<Vertex, std::size_t> place;
  for (std::size_t i = 0; i < sources.size(); ++i) place.emplace(sources[i], i);
  std::vector<PathSummary> result(sources.size());
  engine.rows(sources, Along::arcs, [&](Vertex source, std::span<const Length> distances) {
    const std::size_t i = place.at(source);
    PathSummary& summary = result[i];
    summary = {};
    for (const Length distance : distances) {
      const bool is_reached = distance != kNoPath;
      const Length counted = is_reached ? distance : 0;
      summary.eccentricity = std::max(summary.eccentricity, counted);
      summary.reached += is_reached ? 1 : 0;
      summary.distance_sum += counted;
    }
    visit(i, distances);
  });
  return result;
}

}  // namespace antipode
