#include "measure/asked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "antipode/error.hpp"

namespace antipode {

namespace {

const char* name_of(Disconnected policy) {
  switch (policy) {
    case Disconnected::error:
      return "error";
    case Disconnected::largest:
      return "largest";
    case Disconnected::per_component:
      return "per_component";
    case Disconnected::infinite:
      return "infinite";
    case Disconnected::reachable:
      return "reachable";
  }
  return "";
}

void check(const char* what, const Graph& graph, Vertex components, const AskOptions& options,
           Policies policies, Sampling sampling) {
  if (graph.order() == 0)
    throw UsageError(fmt::format("{} of a graph without vertices is undefined", what));
  if (sampling == Sampling::none && options.samples > 0)
    throw UsageError(fmt::format("{} cannot be asked of a sample", what));
  std::string choices;
  for (const Disconnected each : policies)
    choices += fmt::format("{}{}", choices.empty() ? "" : ", ", name_of(each));
  const Disconnected policy = options.disconnected;
  if (policy != Disconnected::error &&
      std::find(policies.begin(), policies.end(), policy) == policies.end())
    throw UsageError(
        fmt::format("{} has no form '{}': choose error, {}", what, name_of(policy), choices));
  if (policy == Disconnected::error && components > 1 && !graph.is_directed())
    throw UsageError(
        fmt::format("the graph is not connected: it has {} components; say what {} means by "
                    "AskOptions::disconnected: {}",
                    components, what, choices));
  if (policy == Disconnected::error && graph.is_directed() && options.kept.components == nullptr &&
      (components > 1 || !is_strongly_connected(graph)))
    throw UsageError(
        fmt::format("not every vertex reaches every other along the arcs: say what {} means by "
                    "AskOptions::disconnected: {}",
                    what, choices));
}

}  // namespace

Asked::Asked(const char* what, const Graph& graph, const AskOptions& options, Policies policies,
             Sampling sampling, Components parts)
    : graph_(graph), options_(options), observer_(options), parts_(std::move(parts)) {
  check(what, graph, parts_.count(), options, policies, sampling);
}

std::vector<double> Asked::on_all(std::vector<double> values) const {
  if (values.empty() || !is_split(Disconnected::largest)) return values;
  std::vector<double> result(graph_.order(), std::numeric_limits<double>::quiet_NaN());
  const auto vertices = members(parts_.largest());
  for (std::size_t i = 0; i < vertices.size(); ++i) result[vertices[i]] = values[i];
  return result;
}

About Asked::about(const Graph& graph) const {
  return {.order = graph.order(),
          .size = graph.size(),
          .components = parts_.count(),
          .unit = graph_.unit()};
}

std::vector<Vertex> Asked::components_asked() const {
  if (!is_split(Disconnected::per_component)) return {parts_.largest()};
  std::vector<Vertex> result(parts_.count());
  std::iota(result.begin(), result.end(), Vertex{0});
  std::stable_sort(result.begin(), result.end(),
                   [&](Vertex a, Vertex b) { return parts_.orders[a] > parts_.orders[b]; });
  return result;
}

Components parts_of(const Graph& graph, const AskOptions& options) {
  if (options.kept.components != nullptr) return *options.kept.components;
  if (!graph.is_directed()) return components(graph);
  if (options.disconnected != Disconnected::reachable) return strong_components(graph);
  return {.of = std::vector<Vertex>(graph.order(), 0),
          .orders = {graph.order()},
          .sizes = {graph.size()},
          .most = 0};
}

}  // namespace antipode
