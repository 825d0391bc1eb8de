// Diameter, radius, eccentricities, center and periphery in one call, in edges or in lengths.
#include <algorithm>

#include "antipode/ask.hpp"
#include "antipode/path_measures.hpp"
#include "measure/asked.hpp"

namespace antipode {

namespace {

constexpr Policies kOfDistances = {Disconnected::largest, Disconnected::per_component,
                                   Disconnected::infinite};
constexpr Policies kOfSets = {Disconnected::largest};
constexpr Policies kOfArcs = {Disconnected::largest, Disconnected::infinite,
                              Disconnected::reachable};
constexpr Policies kOfArcSets = {Disconnected::largest, Disconnected::reachable};

Length longest_edge(const Graph& graph) {
  if (!graph.has_lengths()) return 1;
  const auto lengths = graph.adjacency().lengths;
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

ComponentDistance diameter_of(const Graph& graph, Engine& engine, Observer& observer) {
  const Diameter found = diameter(engine, {}, observer);
  return {.lower = found.lower,
          .upper = found.upper,
          .path = labels_of(graph, found.witness.path),
          .searches = found.searches + found.lanes,
          .about = {}};
}

ComponentDistance diameter_of(const Graph& graph, PathEngine& engine, Observer& observer) {
  const PathDiameter found = diameter(engine, observer);
  return {.lower = found.lower,
          .upper = found.upper,
          .path = labels_of(graph, found.witness.path),
          .searches = found.searches + found.lanes,
          .about = {}};
}

ComponentDistance radius_of(const Graph& graph, PathEngine& engine, Observer& observer) {
  const PathCenter found = center(engine, Question::radius, observer);
  ComponentDistance result{.lower = found.lower,
                           .upper = found.upper,
                           .path = {},
                           .searches = found.searches,
                           .about = {}};
  result.undefined = found.exact && found.reach_all == 0;
  if (result.undefined) result.lower = result.upper = kNoPath;
  if (result.exact()) result.path = labels_of(graph, found.witness.path);
  return result;
}

ComponentDistance radius_of(const Graph& graph, Engine& engine, Observer& observer) {
  const Eccentricities found =
      eccentricities(engine, Question::radius, Selection::together, observer);
  ComponentDistance result{.lower = found.radius_lower(),
                           .upper = found.radius_upper(),
                           .path = {},
                           .searches = found.searches,
                           .about = {}};
  if (!result.exact()) return result;
  const auto center =
      std::find(found.upper.begin(), found.upper.end(), result.upper) - found.upper.begin();
  result.path = labels_of(graph, farthest_path(engine, static_cast<Vertex>(center)).path);
  return result;
}

// What is known of a component without a search: all if it is one vertex.
ComponentDistance unsearched(const Asked& asked, Vertex which) {
  const Vertex order = asked.parts().orders[which];
  ComponentDistance result;
  result.upper = (order - 1) * longest_edge(asked.graph());
  if (order == 1) result.path = {asked.graph().label(asked.members(which).front())};
  result.about = {.order = order,
                  .size = asked.parts().sizes[which],
                  .components = asked.parts().count(),
                  .unit = asked.graph().unit()};
  return result;
}

ComponentDistance of_component(Asked& asked, Question question, Vertex which) {
  ComponentDistance result = unsearched(asked, which);
  if (asked.parts().orders[which] == 1) return result;
  const Graph part = asked.component(which);
  const Length most = result.upper;
  result = asked.with_engine(part, [&](auto& engine) {
    return question == Question::diameter ? diameter_of(part, engine, asked.observer())
                                          : radius_of(part, engine, asked.observer());
  });
  if (!result.exact()) result.upper = std::min(result.upper, most);
  result.about = asked.about(part);
  return result;
}

DistanceAnswer infinite_answer(const Asked& asked) {
  // No arc leaves the first of the strong components.
  const auto& of = asked.parts().of;
  const auto from = std::find(of.begin(), of.end(), Vertex{0}) - of.begin(),
             to = std::find_if(of.begin(), of.end(), [](Vertex part) { return part != 0; }) -
                  of.begin();
  DistanceAnswer answer;
  answer.infinite = true;
  answer.lower = answer.upper = kNoPath;
  answer.path = labels_of(asked.graph(), {static_cast<Vertex>(from), static_cast<Vertex>(to)});
  answer.about = asked.about(asked.graph());
  return answer;
}

// Of several components the diameter is the largest, the radius the smallest; bounds, too, and the
// path is that of the one.
DistanceAnswer distance_answer(Asked& asked, Question question) {
  if (asked.is_split(Disconnected::infinite)) return infinite_answer(asked);
  const auto better = [question](const ComponentDistance& a, const ComponentDistance& b) {
    return question == Question::diameter ? a.lower > b.lower : a.upper < b.upper;
  };
  DistanceAnswer answer;
  Length lower = kNoPath, upper = 0;
  std::uint64_t searches = 0;
  for (const Vertex which : asked.components_asked()) {
    const bool stopped = !answer.per_component.empty() && asked.observer().stop();
    answer.per_component.push_back(stopped ? unsearched(asked, which)
                                           : of_component(asked, question, which));
    const ComponentDistance& now = answer.per_component.back();
    if (answer.per_component.size() == 1 || better(now, answer))
      static_cast<ComponentDistance&>(answer) = now;
    lower = std::min(lower, now.lower);
    upper = std::max(upper, now.upper);
    searches += now.searches;
  }
  (question == Question::diameter ? answer.upper : answer.lower) =
      question == Question::diameter ? upper : lower;
  answer.searches = searches;
  if (!asked.is_split(Disconnected::per_component)) answer.per_component.clear();
  return answer;
}

}  // namespace

DistanceAnswer diameter(const Graph& graph, const AskOptions& options) {
  Asked asked("the diameter", graph, options, graph.is_directed() ? kOfArcs : kOfDistances,
              Sampling::none, parts_of(graph, options));
  return distance_answer(asked, Question::diameter);
}

DistanceAnswer radius(const Graph& graph, const AskOptions& options) {
  Asked asked("the radius", graph, options, graph.is_directed() ? kOfArcSets : kOfDistances,
              Sampling::none, parts_of(graph, options));
  return distance_answer(asked, Question::radius);
}

namespace {

struct AllBounds {
  std::vector<Length> lower, upper;
  bool exact = false;
  std::uint64_t searches = 0;
};

AllBounds all_bounds(Engine& engine, Observer& observer) {
  const auto found = eccentricities(engine, Question::eccentricity, Selection::together, observer);
  return {{found.lower.begin(), found.lower.end()},
          {found.upper.begin(), found.upper.end()},
          found.exact,
          found.searches};
}

AllBounds all_bounds(PathEngine& engine, Observer& observer) {
  CheckpointStore none;
  auto found = eccentricities(engine, Along::arcs, observer, none);
  return {std::move(found.lower), std::move(found.upper), found.exact, found.searches};
}

AllBounds all_bounds(Asked& asked, Vertex which) {
  const std::size_t order = asked.members(which).size();
  const Length most = (order - 1) * longest_edge(asked.graph());
  AllBounds result{.lower = std::vector<Length>(order, 0),
                   .upper = std::vector<Length>(order, most),
                   .exact = order == 1,
                   .searches = 0};
  if (order == 1 || (which != asked.parts().largest() && asked.observer().stop())) return result;
  result = asked.with_engine(asked.component(which),
                             [&](auto& engine) { return all_bounds(engine, asked.observer()); });
  for (Length& upper : result.upper) upper = std::min(upper, most);
  return result;
}

}  // namespace

EccentricityAnswer eccentricities(const Graph& graph, const AskOptions& options) {
  Asked asked("eccentricity", graph, options, graph.is_directed() ? kOfArcSets : kOfDistances,
              Sampling::none, parts_of(graph, options));
  EccentricityAnswer answer;
  answer.lower.assign(graph.order(), kNoPath);
  answer.upper = answer.lower;
  answer.exact = true;
  const bool is_infinite = asked.is_split(Disconnected::infinite),
             largest = asked.is_split(Disconnected::largest);
  answer.about = asked.about(largest ? asked.largest() : graph);
  if (is_infinite) return answer;
  for (const Vertex which : asked.components_asked()) {
    const auto members = asked.members(which);
    const AllBounds found = all_bounds(asked, which);
    for (std::size_t i = 0; i < members.size(); ++i) {
      answer.lower[members[i]] = found.lower[i];
      answer.upper[members[i]] = found.upper[i];
    }
    answer.exact &= found.exact;
    answer.searches += found.searches;
  }
  return answer;
}

namespace {

// Those of a component, by their number in it.
VertexSetAnswer set_of(const Graph&, PathEngine& engine, Question question, Observer& observer) {
  VertexSetAnswer answer;
  const auto take = [&](const auto& found, const std::vector<Vertex>& members) {
    answer.lower = found.lower;
    answer.upper = found.upper;
    answer.exact = found.exact;
    answer.searches = found.searches;
    if (found.exact) answer.vertices = members;
  };
  if (question == Question::center) {
    const PathCenter found = center(engine, question, observer);
    take(found, found.center);
  } else {
    const PathPeriphery found = periphery(engine, observer);
    take(found, found.periphery);
  }
  return answer;
}

VertexSetAnswer set_of(const Graph& part, Engine& engine, Question question, Observer& observer) {
  const auto found = eccentricities(engine, question, Selection::together, observer);
  const bool smallest = question == Question::center;
  VertexSetAnswer answer;
  answer.lower = smallest ? found.radius_lower() : found.diameter_lower();
  answer.upper = smallest ? found.radius_upper() : found.diameter_upper();
  answer.exact = found.exact;
  answer.searches = found.searches;
  const auto& attained = smallest ? found.upper : found.lower;
  for (Vertex v = 0; answer.exact && v < part.order(); ++v)
    if (attained[v] == answer.lower) answer.vertices.push_back(v);
  return answer;
}

VertexSetAnswer vertex_set(const char* what, const Graph& graph, const AskOptions& options,
                           Question question) {
  Asked asked(what, graph, options, graph.is_directed() ? kOfArcSets : kOfSets, Sampling::none,
              parts_of(graph, options));
  const Graph part = asked.largest();
  const auto members = asked.members(asked.parts().largest());
  VertexSetAnswer answer;
  answer.exact = members.size() == 1;
  if (answer.exact) {
    answer.vertices = {0};
  } else {
    answer = asked.with_engine(
        part, [&](auto& engine) { return set_of(part, engine, question, asked.observer()); });
  }
  for (Vertex& v : answer.vertices) v = members[v];
  answer.about = asked.about(part);
  answer.labels = labels_of(graph, answer.vertices);
  return answer;
}

}  // namespace

VertexSetAnswer center(const Graph& graph, const AskOptions& options) {
  return vertex_set("the center", graph, options, Question::center);
}

VertexSetAnswer periphery(const Graph& graph, const AskOptions& options) {
  return vertex_set("the periphery", graph, options, Question::periphery);
}

}  // namespace antipode
