// One call, one answer: components are found first, so that no measure sees a graph it has no
// answer for.
#include "antipode/ask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <numeric>

#include "antipode/error.hpp"
#include "measure/connected.hpp"
#include "measure/cost.hpp"

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

// The caller's observer, if there is one, and the limit of time.
class Limited final : public Observer {
 public:
  explicit Limited(const AskOptions& options) : options_(options) {}
  void progress(const Progress& progress) override {
    if (options_.observer != nullptr) options_.observer->progress(progress);
  }
  bool stop() override {
    if (options_.time_limit > 0 && clock_.seconds() >= options_.time_limit) return true;
    return options_.observer != nullptr && options_.observer->stop();
  }

 private:
  const AskOptions& options_;
  Stopwatch clock_;
};

enum class Sampling { none, possible };
using Policies = std::initializer_list<Disconnected>;
constexpr Policies kOfDistances = {Disconnected::largest, Disconnected::per_component,
                                   Disconnected::infinite};
constexpr Policies kOfSets = {Disconnected::largest};
constexpr Policies kOfPairs = {Disconnected::largest, Disconnected::reachable};

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
  if (policy == Disconnected::error && components > 1)
    throw UsageError(
        fmt::format("the graph is not connected: it has {} components; say what {} means by "
                    "AskOptions::disconnected: {}",
                    components, what, choices));
  if (policy == Disconnected::error && graph.is_directed() && !is_strongly_connected(graph))
    throw UsageError(
        fmt::format("not every vertex reaches every other along the arcs: say what {} means by "
                    "AskOptions::disconnected: {}",
                    what, choices));
}

// What is asked, its components known and its options checked.
class Asked {
 public:
  Asked(const char* what, const Graph& graph, const AskOptions& options, Policies policies,
        Sampling sampling)
      : graph_(graph),
        options_(options),
        observer_(options),
        parts_(components(graph)),
        cutter_(graph, parts_) {
    check(what, graph, parts_.count(), options, policies, sampling);
  }

  const Graph& graph() const { return graph_; }
  const Components& parts() const { return parts_; }
  Observer& observer() { return observer_; }
  std::span<const Vertex> members(Vertex which) const { return cutter_.members(which); }
  bool is_split(Disconnected policy) const {
    return parts_.count() > 1 && options_.disconnected == policy;
  }

  Graph component(Vertex which) const { return cutter_.subgraph(which); }
  Graph largest() const { return component(parts_.largest()); }
  // The graph whose pairs of vertices count: the largest component, or the whole graph.
  Graph part() const { return is_split(Disconnected::largest) ? largest() : graph_; }
  // One value for every vertex of the graph, from those of the part.
  std::vector<double> on_all(std::vector<double> values) const {
    if (values.empty() || !is_split(Disconnected::largest)) return values;
    std::vector<double> result(graph_.order(), std::numeric_limits<double>::quiet_NaN());
    const auto vertices = members(parts_.largest());
    for (std::size_t i = 0; i < vertices.size(); ++i) result[vertices[i]] = values[i];
    return result;
  }
  std::unique_ptr<Engine> engine(const Graph& graph) const {
    return make_engine(options_.engine, graph, options_.engine_options);
  }
  About about(const Graph& graph) const { return {graph.order(), graph.size(), parts_.count()}; }

  // The components that the policy asks for, largest first.
  std::vector<Vertex> components_asked() const {
    if (!is_split(Disconnected::per_component)) return {parts_.largest()};
    std::vector<Vertex> result(parts_.count());
    std::iota(result.begin(), result.end(), Vertex{0});
    std::stable_sort(result.begin(), result.end(),
                     [&](Vertex a, Vertex b) { return parts_.orders[a] > parts_.orders[b]; });
    return result;
  }

 private:
  const Graph& graph_;
  const AskOptions& options_;
  Limited observer_;
  Components parts_;
  ComponentCutter cutter_;
};

std::vector<std::string> labels_of(const Graph& graph, const std::vector<Vertex>& path) {
  std::vector<std::string> result;
  for (const Vertex v : path) result.push_back(graph.label(v));
  return result;
}

ComponentDistance diameter_of(const Graph& graph, Engine& engine, Observer& observer) {
  const Diameter found = diameter(engine, {}, observer);
  return {.lower = found.lower,
          .upper = found.upper,
          .path = labels_of(graph, found.witness.path),
          .searches = found.searches + found.lanes,
          .about = {}};
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
  result.upper = order - 1;
  if (order == 1) result.path = {asked.graph().label(asked.members(which).front())};
  result.about = {order, asked.parts().sizes[which], asked.parts().count()};
  return result;
}

ComponentDistance of_component(Asked& asked, Question question, Vertex which) {
  ComponentDistance result = unsearched(asked, which);
  if (result.exact()) return result;
  const Graph part = asked.component(which);
  const auto engine = asked.engine(part);
  result = question == Question::diameter ? diameter_of(part, *engine, asked.observer())
                                          : radius_of(part, *engine, asked.observer());
  result.about = asked.about(part);
  return result;
}

DistanceAnswer infinite_answer(const Asked& asked) {
  const auto& of = asked.parts().of;
  const auto apart =
      std::find_if(of.begin(), of.end(), [](Vertex part) { return part != 0; }) - of.begin();
  DistanceAnswer answer;
  answer.infinite = true;
  answer.lower = answer.upper = kUnreached;
  answer.path = labels_of(asked.graph(), {0, static_cast<Vertex>(apart)});
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
  Distance lower = kUnreached, upper = 0;
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
  require_undirected(graph, "the diameter");
  Asked asked("the diameter", graph, options, kOfDistances, Sampling::none);
  return distance_answer(asked, Question::diameter);
}

DistanceAnswer radius(const Graph& graph, const AskOptions& options) {
  require_undirected(graph, "the radius");
  Asked asked("the radius", graph, options, kOfDistances, Sampling::none);
  return distance_answer(asked, Question::radius);
}

EccentricityAnswer eccentricities(const Graph& graph, const AskOptions& options) {
  require_undirected(graph, "eccentricity");
  Asked asked("eccentricity", graph, options, kOfDistances, Sampling::none);
  EccentricityAnswer answer;
  answer.lower.assign(graph.order(), kUnreached);
  answer.upper = answer.lower;
  answer.exact = true;
  const bool is_infinite = asked.is_split(Disconnected::infinite),
             largest = asked.is_split(Disconnected::largest);
  answer.about = asked.about(largest ? asked.largest() : graph);
  if (is_infinite) return answer;
  for (const Vertex which : asked.components_asked()) {
    const auto members = asked.members(which);
    Eccentricities found;
    found.lower.assign(members.size(), 0);
    found.upper.assign(members.size(), static_cast<Distance>(members.size() - 1));
    found.exact = members.size() == 1;
    if (members.size() > 1 && (which == asked.parts().largest() || !asked.observer().stop()))
      found = eccentricities(*asked.engine(asked.component(which)), Question::eccentricity,
                             Selection::together, asked.observer());
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

VertexSetAnswer vertex_set(const char* what, const Graph& graph, const AskOptions& options,
                           Question question) {
  require_undirected(graph, what);
  Asked asked(what, graph, options, kOfSets, Sampling::none);
  const auto members = asked.members(asked.parts().largest());
  VertexSetAnswer answer;
  answer.about = asked.about(asked.largest());
  answer.exact = members.size() == 1;
  if (answer.exact) {
    answer.vertices = {members.front()};
  } else {
    const auto found = eccentricities(*asked.engine(asked.largest()), question, Selection::together,
                                      asked.observer());
    const bool smallest = question == Question::center;
    answer.lower = smallest ? found.radius_lower() : found.diameter_lower();
    answer.upper = smallest ? found.radius_upper() : found.diameter_upper();
    answer.exact = found.exact;
    answer.searches = found.searches;
    const auto& attained = smallest ? found.upper : found.lower;
    for (std::size_t i = 0; answer.exact && i < members.size(); ++i)
      if (attained[i] == answer.lower) answer.vertices.push_back(members[i]);
  }
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

AverageAnswer average(const Graph& graph, const AskOptions& options) {
  Asked asked("the average distance", graph, options, kOfPairs, Sampling::possible);
  const Graph part = asked.part();
  const auto engine = asked.engine(part);
  return {average(*engine, options.samples, options.seed, asked.observer()), asked.about(part)};
}

CentralityAnswer closeness(const Graph& graph, const AskOptions& options) {
  Asked asked("closeness", graph, options, kOfPairs, Sampling::none);
  const Graph part = asked.part();
  const auto engine = asked.engine(
      part.transpose());  // what a vertex receives there is how far it is from the others here
  CheckpointStore checkpoint;
  const Closeness all = closeness(*engine, asked.observer(), checkpoint);
  CentralityAnswer answer{.values = {},
                          .exact = all.finished,
                          .epsilon = std::nullopt,
                          .searches = all.sources,
                          .about = asked.about(part)};
  for (Vertex v = 0; all.finished && v < part.order(); ++v)
    answer.values.push_back(all.closeness(v, true));
  answer.values = asked.on_all(std::move(answer.values));
  return answer;
}

CentralityAnswer betweenness(const Graph& graph, const AskOptions& options) {
  Asked asked("betweenness", graph, options, kOfPairs, Sampling::possible);
  // A sample is one of all vertices, so nothing is folded away then; and a pendant
  // vertex of a directed graph may have no path back.
  const Graph part = asked.part();
  const Core core =
      options.samples > 0 || part.is_directed() ? without_folding(part) : core_of(part);
  const auto engine = asked.engine(core.graph);
  CheckpointStore checkpoint;
  Betweenness all = betweenness(*engine, core, {false, options.samples, options.seed},
                                asked.observer(), checkpoint);
  const bool exact = all.finished && !all.sampled;
  return {.values = asked.on_all(std::move(all.vertices)),
          .exact = exact,
          .epsilon = all.epsilon,
          .searches = all.sources,
          .about = asked.about(part)};
}

}  // namespace antipode
