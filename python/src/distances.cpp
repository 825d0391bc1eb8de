// Diameter, radius, eccentricities, center and periphery, by the one-call forms of ask.hpp.
// Distances are whole numbers of the graph's unit; -1 stands for an infinite or unknown one.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "antipode/ask.hpp"
#include "antipode/error.hpp"
#include "antipode/path_measures.hpp"
#include "arrays.hpp"
#include "bind.hpp"

namespace antipode::python {

namespace {

Disconnected policy_of(std::string_view name) {
  constexpr std::pair<std::string_view, Disconnected> kPolicies[] = {
      {"error", Disconnected::error},
      {"largest", Disconnected::largest},
      {"per_component", Disconnected::per_component},
      {"infinite", Disconnected::infinite},
      {"reachable", Disconnected::reachable}};
  for (const auto& [known, policy] : kPolicies)
    if (name == known) return policy;
  throw UsageError("disconnected='" + std::string(name) +
                   "' is none of error, largest, per_component, infinite, reachable");
}

AskOptions options_of(const Ask& ask, const std::string& disconnected, Watch& watch) {
  AskOptions options;
  options.disconnected = policy_of(disconnected);
  options.engine = ask.machine.engine;
  options.engine_options = ask.machine.options();
  options.observer = &watch;
  return options;
}

nb::object length(Length length) { return length == kNoPath ? nb::cast(-1) : nb::cast(length); }

nb::object lengths(const std::vector<Length>& values) {
  std::vector<std::int64_t> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    result[i] = values[i] == kNoPath ? -1 : static_cast<std::int64_t>(values[i]);
  return to_array(std::move(result));
}

std::vector<Vertex> numbers_of(const Graph& graph, const std::vector<std::string>& labels) {
  std::vector<Vertex> result;
  for (const std::string& label : labels) result.push_back(graph.find(label));
  return result;
}

nb::tuple about(const About& about) {
  return nb::make_tuple(about.order, about.size, about.components);
}

nb::tuple answer_of(const Graph& graph, const ComponentDistance& found) {
  return nb::make_tuple(length(found.lower), length(found.upper), numbers_of(graph, found.path),
                        found.searches, about(found.about), found.undefined);
}

// Asks with the GIL released; `shape` makes Python's answer, which an exception carries, too.
template <class Measure, class Shape>
nb::object ask_for(GraphObject& object, const std::string& disconnected, const Ask& ask,
                   Measure measure, Shape shape) {
  Watch watch(ask.progress, ask.time_limit);
  AskOptions options = options_of(ask, disconnected, watch);
  const auto found = alone(object, watch, [&] {
    options.kept = object.kept(ask.machine);
    return measure(object.graph(), options);
  });
  if (!found) throw Interrupted();
  nb::object answer = shape(*found);
  watch.rethrow(answer);
  return answer;
}

using AskDistance = DistanceAnswer (*)(const Graph&, const AskOptions&);
using AskSet = VertexSetAnswer (*)(const Graph&, const AskOptions&);
using AskAll = EccentricityAnswer (*)(const Graph&, const AskOptions&);

template <AskDistance measure>
nb::object distance(GraphObject& object, const std::string& disconnected, const Ask& ask) {
  return ask_for(object, disconnected, ask, measure,
                 [&](const DistanceAnswer& found) -> nb::object {
                   nb::list parts;
                   for (const ComponentDistance& part : found.per_component)
                     parts.append(answer_of(object.graph(), part));
                   return nb::make_tuple(answer_of(object.graph(), found), parts);
                 });
}

template <AskSet measure>
nb::object vertex_set(GraphObject& object, const std::string& disconnected, const Ask& ask) {
  return ask_for(
      object, disconnected, ask, measure, [](const VertexSetAnswer& found) -> nb::object {
        return nb::make_tuple(to_array(found.vertices), length(found.lower), length(found.upper),
                              found.exact, found.searches, about(found.about));
      });
}

nb::object eccentricity(GraphObject& object, const std::string& disconnected, const Ask& ask) {
  return ask_for(object, disconnected, ask, static_cast<AskAll>(eccentricities),
                 [](const EccentricityAnswer& found) -> nb::object {
                   return nb::make_tuple(lengths(found.lower), lengths(found.upper), found.exact,
                                         found.searches, about(found.about));
                 });
}

struct AllBounds {
  std::vector<Length> lower, upper;
  bool exact = false;
  std::uint64_t searches = 0;
};

AllBounds bounds_of(GraphObject& object, const Ask& ask, Watch& watch, KeptState& kept) {
  const Graph& graph = object.graph();
  if (graph.is_directed() || graph.has_lengths()) {
    kept.open("eccentricity along arcs", graph);
    auto found = eccentricities(object.path_engine(ask.machine), Along::arcs, watch, kept);
    return {std::move(found.lower), std::move(found.upper), found.exact, found.searches};
  }
  kept.open("eccentricity", graph);
  const auto found =
      eccentricities(object.engine(ask.machine), Question::eccentricity, watch, kept);
  return {{found.lower.begin(), found.lower.end()},
          {found.upper.begin(), found.upper.end()},
          found.exact,
          found.searches};
}

// Of this graph, which is one component or asked about what is reachable, with a checkpoint.
nb::object kept_eccentricity(GraphObject& object, const Ask& ask) {
  Watch watch(ask.progress, ask.time_limit);
  KeptState kept(ask.checkpoint);
  auto found = alone(object, watch, [&] {
    AllBounds bounds = bounds_of(object, ask, watch, kept);
    if (bounds.exact) kept.remove();
    Length longest = object.graph().has_lengths() ? 0 : 1;
    for (const Length each : object.graph().adjacency().lengths) longest = std::max(longest, each);
    for (Length& upper : bounds.upper)
      upper = std::min(upper, (object.graph().order() - 1) * longest);
    return bounds;
  });
  kept.warn();
  if (!found) throw Interrupted();
  nb::object answer = nb::make_tuple(lengths(found->lower), lengths(found->upper), found->exact,
                                     found->searches, nb::none());
  watch.rethrow(answer);
  return answer;
}

}  // namespace

void bind_distances(GraphClass& graph) {
  const auto policy = nb::arg("disconnected");
  graph.def("diameter", &distance<antipode::diameter>, policy, nb::arg("ask"))
      .def("radius", &distance<antipode::radius>, policy, nb::arg("ask"))
      .def("center", &vertex_set<antipode::center>, policy, nb::arg("ask"))
      .def("periphery", &vertex_set<antipode::periphery>, policy, nb::arg("ask"))
      .def("eccentricity", &eccentricity, policy, nb::arg("ask"))
      .def("kept_eccentricity", &kept_eccentricity, nb::arg("ask"));
}

}  // namespace antipode::python
