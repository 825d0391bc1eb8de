// What a path engine does if it does not override it: one search after the other.
#include "antipode/path_engine.hpp"
#include "engine/host/length_dependencies.hpp"
#include "engine/host/length_paths.hpp"

namespace antipode {

std::vector<PathSearch> PathEngine::search_each(std::span<const PathRequest> requests) {
  std::vector<PathSearch> result;
  for (const PathRequest& each : requests)
    result.push_back(search(each.source, each.along, each.distances));
  return result;
}

void PathEngine::search_from(std::span<const PathStart> starts, Along along,
                             std::span<Length> distances) {
  host::search_by_heap(along == Along::arcs ? graph() : graph().into(), starts, distances);
}

void PathEngine::accumulate(std::span<const Vertex> sources, Dependencies& sums) {
  const auto never = [] { return false; };
  host::LengthDependencies(graph(), 1, never, host::LengthDependencies::Way::searches)
      .add(sources, sums, never);
}

std::vector<PathSummary> PathEngine::summarize(std::span<const Vertex> sources, Along along) {
  std::vector<PathSummary> result;
  result.reserve(sources.size());
  std::vector<Length> distances(graph().order());
  for (const Vertex source : sources) {
    const PathSearch found = search(source, along, distances);
    LengthSum sum = 0;
    for (const Length distance : distances) sum += distance == kNoPath ? 0 : distance;
    result.push_back(
        {.eccentricity = found.eccentricity, .reached = found.reached, .distance_sum = sum});
  }
  return result;
}

void PathEngine::rows(std::span<const Vertex> sources, Along along, const LengthSink& sink) {
  std::vector<Length> distances(graph().order());
  for (const Vertex source : sources) {
    search(source, along, distances);
    sink(source, distances);
  }
}

}  // namespace antipode
