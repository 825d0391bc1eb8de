// Whether a certificate with lengths or directions claims the truth, by distances between all
// pairs. Vertices are labelled by their numbers.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "antipode/path_certificate.hpp"
#include "graph/subgraph.hpp"
#include "reference/paths.hpp"

namespace antipode {

// The largest component, strongly connected where edges have directions.
inline Graph largest_of(const Graph& graph) {
  const Components parts = strong_components(graph);
  std::vector<Vertex> listed, place(graph.order(), kNoVertex);
  for (Vertex v = 0; v < graph.order(); ++v)
    if (parts.of[v] == parts.largest())
      place[v] = static_cast<Vertex>(listed.size()), listed.push_back(v);
  const Graph part = subgraph(graph, listed, place, 1);
  return graph.is_directed() ? part.with_entering_arcs(subgraph(graph.into(), listed, place, 1))
                             : part;
}

// What is true of the vertices that a claim is about.
struct Truth {
  const reference::Paths& paths;
  std::vector<Vertex> vertices;

  Truth(const reference::Paths& all, const Graph& scope) : paths(all) {
    for (Vertex v = 0; v < scope.order(); ++v) vertices.push_back(scope.origin(v));
  }
  Length eccentricity(Vertex v, Along along) const {
    Length most = 0;
    for (const Vertex u : vertices) {
      const auto d = along == Along::arcs ? paths.distance[v][u] : paths.distance[u][v];
      if (d != reference::Paths::kNone) most = std::max(most, d);
    }
    return most;
  }
  bool reaches_all(Vertex v) const {
    return std::all_of(vertices.begin(), vertices.end(),
                       [&](Vertex u) { return paths.distance[v][u] != reference::Paths::kNone; });
  }
  Length diameter() const {
    Length most = 0;
    for (const Vertex v : vertices) most = std::max(most, eccentricity(v, Along::arcs));
    return most;
  }
  Length radius() const {
    Length least = kNoPath;
    for (const Vertex v : vertices)
      if (reaches_all(v)) least = std::min(least, eccentricity(v, Along::arcs));
    return least;
  }
  std::vector<std::string> with(Length value, bool of_center) const {
    std::vector<std::string> result;
    for (const Vertex v : vertices)
      if (eccentricity(v, Along::arcs) == value && (!of_center || reaches_all(v)))
        result.push_back(std::to_string(v));
    std::sort(result.begin(), result.end());
    return result;
  }
};

inline bool is_true(PathCertificate claim, const Graph& whole, const reference::Paths& paths) {
  const Graph scope = claim.scope == PathCertificate::Scope::largest ? largest_of(whole) : whole;
  const Truth truth(paths, scope);
  std::sort(claim.members.begin(), claim.members.end());
  if (claim.order != scope.order() || claim.size != scope.size()) return false;
  switch (claim.question) {
    case Question::diameter:
      return claim.value == truth.diameter();
    case Question::periphery:
      return claim.value == truth.diameter() &&
             claim.members == truth.with(truth.diameter(), false);
    case Question::radius:
    case Question::center: {
      const auto all =
          static_cast<Vertex>(std::count_if(truth.vertices.begin(), truth.vertices.end(),
                                            [&](Vertex v) { return truth.reaches_all(v); }));
      if (claim.reach_all != all) return false;
      if (all == 0) return claim.value == 0 && claim.members.empty();
      return claim.value == truth.radius() && (claim.question == Question::radius ||
                                               claim.members == truth.with(truth.radius(), true));
    }
    case Question::eccentricity: {
      std::vector<Length> values(whole.order(), kNoPath);
      Length most = 0;
      for (const Vertex v : truth.vertices)
        most = std::max(most, values[v] = truth.eccentricity(v, claim.along));
      return claim.value == most && claim.digest == eccentricity_digest(whole, values);
    }
  }
  return false;
}

}  // namespace antipode
