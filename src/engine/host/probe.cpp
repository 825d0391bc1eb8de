#include "engine/host/probe.hpp"

#include <algorithm>

#include "antipode/error.hpp"

namespace antipode::host {

Probe search_and_apply(Engine& engine, Vertex source, Distance lower,
                       std::span<const DistanceHandle> centers) {
  Probe result;
  result.search = engine.search(source);
  const Distance limit = std::max(lower, result.search.eccentricity);
  result.effect =
      engine.candidates().apply_search(kLatest, source, result.search.eccentricity, limit, centers);
  result.distances = engine.retain();
  return result;
}

std::vector<Probe> interpret(Engine& engine, const SearchChain& chain, const SearchAndApply& step) {
  using Kind = SearchFrom::Kind;
  std::vector<Probe> results;
  std::vector<DistanceHandle> centers = chain.centers;
  Distance lower = chain.lower;
  for (const SearchFrom& start : chain.starts) {
    if (!results.empty() && results.back().effect.outside == 0) break;
    std::vector<Vertex> path;
    Vertex source = start.vertex;
    if (start.kind == Kind::farthest_of_previous) {
      source = results.back().search.farthest;
      // The previous search is now one of the centers, by its own handle.
      std::replace(centers.begin(), centers.end(), kLatest, results.back().distances);
      if (chain.ball == SearchChain::Ball::may_move) centers.push_back(kLatest);
    } else if (start.kind == Kind::midpoint) {
      path = engine.path(start.distances, start.vertex);
      source = path[path.size() / 2];
      if (std::find(chain.known.begin(), chain.known.end(), source) != chain.known.end()) {
        results.emplace_back().path = std::move(path);
        break;
      }
    }
    try {
      results.push_back(step(source, lower, centers));
    } catch (const Interrupted&) {
      if (results.empty()) throw;
      break;
    }
    results.back().path = std::move(path);
    lower = std::max(lower, results.back().search.eccentricity);
  }
  return results;
}

}  // namespace antipode::host
