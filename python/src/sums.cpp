// Sums over all sources, or over some of them: average distance, closeness and betweenness. Of the
// whole graph: Python's side has chosen the component. Pairs without a path do not count.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "antipode/path_averages.hpp"
#include "arrays.hpp"
#include "bind.hpp"

namespace antipode::python {

namespace {

nb::object integer(LengthSum sum) {
  const nb::object high = nb::cast(static_cast<std::uint64_t>(sum >> 64)),
                   low = nb::cast(static_cast<std::uint64_t>(sum));
  return (high << nb::cast(64)) | low;
}

// Work for the graph's engine, and Python's form of its answer, which an exception carries, too.
template <class Work, class Shape>
nb::object ask_for(GraphObject& object, const Ask& ask, Work work, Shape shape) {
  Watch watch(ask.progress, ask.time_limit);
  KeptState kept(ask.checkpoint);
  auto found = alone(object, watch, [&] { return work(watch, kept); });
  kept.warn();
  if (!found) throw Interrupted();
  nb::object answer = shape(*found);
  watch.rethrow(answer);
  return answer;
}

// The measure, and its checkpoint only until it is finished.
template <class Measure>
auto keeping(KeptState& kept, const std::string& question, const Graph& graph, Measure measure) {
  kept.open(question, graph);
  auto found = measure();
  if (found.finished) kept.remove();
  return found;
}

struct Sampling {
  std::size_t samples;
  std::uint64_t seed;
  std::string text() const {
    return std::to_string(samples) + " samples, seed " + std::to_string(seed) + ",";
  }
};

nb::object average_in_edges(GraphObject& object, const Sampling& sampling, const Ask& ask) {
  return ask_for(
      object, ask,
      [&](Watch& watch, KeptState& kept) {
        Engine& engine = object.engine(ask.machine);
        std::string question = "average, " + sampling.text();
        if (sampling.samples == 0 && kept.is_wanted())
          question =
              "average from " + std::to_string(sources_of_average(engine)) + " sources by weight";
        return keeping(kept, question, object.graph(), [&] {
          return average(engine, sampling.samples, sampling.seed, watch, kept);
        });
      },
      [](Average& found) -> nb::object {
        return nb::make_tuple(found.sum, found.reachable, found.unreachable, found.sources,
                              found.finished, found.exact(), found.error,
                              to_array(std::move(found.pairs)), 1);
      });
}

nb::object average_in_lengths(GraphObject& object, const Sampling& sampling, const Ask& ask) {
  return ask_for(
      object, ask,
      [&](Watch& watch, KeptState& kept) {
        const PathAverageOptions options{
            .samples = sampling.samples, .seed = sampling.seed, .spread = Spread::distribution};
        return keeping(
            kept, "average with lengths and distribution, " + sampling.text(), object.graph(),
            [&] { return average(object.path_engine(ask.machine), options, watch, kept); });
      },
      [](PathAverage& found) -> nb::object {
        auto bins = found.distribution.value_or(PathAverage::Distribution{});
        return nb::make_tuple(integer(found.sum), found.reachable, found.unreachable, found.sources,
                              found.finished, found.exact(), found.error,
                              to_array(std::move(bins.pairs)), bins.width);
      });
}

nb::object average_of(GraphObject& object, std::size_t samples, std::uint64_t seed,
                      const Ask& ask) {
  const bool all = samples == 0 || samples >= object.graph().order();
  // Without a sample, the seed has no effect on an average in lengths.
  const Sampling sampling{all ? 0 : samples, all && object.graph().has_lengths() ? 0 : seed};
  return object.graph().has_lengths() ? average_in_lengths(object, sampling, ask)
                                      : average_in_edges(object, sampling, ask);
}

// Python asks the transposed graph, the key names the one that its caller has.
Graph asked_graph(const Graph& graph, const KeptState& kept) {
  return graph.is_directed() && kept.is_wanted() ? graph.transpose() : graph;
}

// Of every vertex: how many reach it, itself included, and the sum of their distances to it and of
// the inverses of these.
nb::object closeness_in_edges(GraphObject& object, const Ask& ask) {
  return ask_for(
      object, ask,
      [&](Watch& watch, KeptState& kept) {
        return keeping(kept, "closeness", asked_graph(object.graph(), kept),
                       [&] { return closeness(object.engine(ask.machine), watch, kept); });
      },
      [&](Closeness& found) -> nb::object {
        std::vector<double> harmonic(found.finished ? object.graph().order() : 0);
        for (Vertex v = 0; v < harmonic.size(); ++v) harmonic[v] = found.harmonic(v);
        return nb::make_tuple(to_array(std::move(found.sums.sources)),
                              to_array(std::move(found.sums.sum)), to_array(std::move(harmonic)),
                              found.finished, found.sources);
      });
}

enum class Sums { distances, inverses };

// The sums that are not wanted stay empty.
nb::object closeness_in_lengths(GraphObject& object, Sums sums, const Ask& ask) {
  const bool harmonic = sums == Sums::inverses;
  return ask_for(
      object, ask,
      [&](Watch& watch, KeptState& kept) {
        PathEngine& engine = object.path_engine(ask.machine);
        const Graph& graph = object.graph();
        auto back = graph.is_directed() ? engine.on(graph.transpose()) : nullptr;
        return keeping(
            kept, harmonic ? "harmonic closeness with lengths" : "closeness with lengths",
            asked_graph(graph, kept), [&] {
              return closeness(back ? *back : engine,
                               harmonic ? ClosenessFormula::harmonic : ClosenessFormula::classic,
                               watch, kept);
            });
      },
      [&](PathCloseness& found) -> nb::object {
        std::vector<double> distances, inverses;
        for (const LengthSum sum : found.sum) distances.push_back(static_cast<double>(sum));
        for (Vertex v = 0; harmonic && found.finished && v < object.graph().order(); ++v)
          inverses.push_back(found.value(v));
        const Vertex sources = found.sources();
        return nb::make_tuple(to_array(std::move(found.reached)), to_array(std::move(distances)),
                              to_array(std::move(inverses)), found.finished, sources);
      });
}

nb::object closeness_of(GraphObject& object, bool harmonic, const Ask& ask) {
  if (!object.graph().has_lengths()) return closeness_in_edges(object, ask);
  return closeness_in_lengths(object, harmonic ? Sums::inverses : Sums::distances, ask);
}

// The graph is connected, without directions or lengths.
nb::object most_central_of(GraphObject& object, std::size_t count, const Ask& ask) {
  return ask_for(
      object, ask,
      [&](Watch& watch, KeptState&) {
        return most_central(object.engine(ask.machine), count, watch);
      },
      [](MostCentral& found) -> nb::object {
        std::vector<Vertex> vertices;
        std::vector<std::uint64_t> sums;
        for (const Central& each : found.vertices) {
          vertices.push_back(each.vertex);
          sums.push_back(each.distance_sum);
        }
        return nb::make_tuple(to_array(std::move(vertices)), to_array(std::move(sums)),
                              found.searches, found.finished);
      });
}

nb::object betweenness_of(GraphObject& object, bool edges, std::size_t samples, std::uint64_t seed,
                          const Ask& ask) {
  const BetweennessOptions options{.edges = edges, .samples = samples, .seed = seed};
  const Graph& graph = object.graph();
  return ask_for(
      object, ask,
      [&](Watch& watch, KeptState& kept) {
        // Pendant trees of directed graphs may have no way back, and a sample is of all vertices.
        const Core core =
            samples > 0 || graph.is_directed() ? without_folding(graph) : core_of(graph);
        const std::string question =
            std::string("betweenness") + (graph.has_lengths() ? " with lengths" : "") +
            (edges ? " of edges" : "") + " in two strata, " + Sampling{samples, seed}.text();
        return keeping(kept, question, graph, [&] {
          if (graph.has_lengths())
            return betweenness(*object.path_engine(ask.machine).on(core.graph), core, options,
                               watch, kept);
          const auto engine = make_engine(ask.machine.engine, core.graph, ask.machine.options());
          return betweenness(*engine, core, options, watch, kept);
        });
      },
      [](Betweenness& found) -> nb::object {
        std::vector<Vertex> from, to;
        std::vector<double> values;
        for (const auto& each : found.edges) {
          from.push_back(each.edge.from);
          to.push_back(each.edge.to);
          values.push_back(each.value);
        }
        return nb::make_tuple(to_array(std::move(found.vertices)), to_array(std::move(from)),
                              to_array(std::move(to)), to_array(std::move(values)),
                              found.finished && !found.sampled, found.epsilon, found.sources);
      });
}

// Dependencies of vertices, and of arcs if asked for, on these sources.
nb::object dependencies_of(GraphObject& object, const Given<Vertex>& sources,
                           const Given<double>& weights, bool arcs, const Ask& ask) {
  const Graph& graph = object.graph();
  const auto list = span_of(sources);
  if (weights.shape(0) != graph.order()) throw UsageError("every vertex needs a weight");
  for (const Vertex v : list)
    if (v >= graph.order()) throw nb::index_error("there is no such vertex");
  return ask_for(
      object, ask,
      [&](Watch& watch, KeptState&) {
        Dependencies sums{.vertices = std::vector<double>(graph.order(), 0),
                          .arcs = std::vector<double>(arcs ? graph.arcs() : 0, 0),
                          .weights = span_of(weights)};
        const auto stop = [&watch] { return watch.stop(); };
        if (graph.has_lengths()) {
          PathEngine& engine = object.path_engine(ask.machine);
          const Interruption interruption(engine, stop);
          engine.accumulate(list, sums);
        } else {
          Engine& engine = object.engine(ask.machine);
          const Interruption interruption(engine, stop);
          engine.accumulate(list, &sums);
        }
        return sums;
      },
      [](Dependencies& sums) -> nb::object {
        return nb::make_tuple(to_array(std::move(sums.vertices)), to_array(std::move(sums.arcs)));
      });
}

}  // namespace

void bind_sums(GraphClass& graph, nb::module_& module) {
  module.def("sources_for", &sources_for, nb::arg("epsilon"), nb::arg("delta"), nb::arg("order"),
             nb::arg("values"));
  graph.def("average", &average_of, nb::arg("samples"), nb::arg("seed"), nb::arg("ask"))
      .def("closeness", &closeness_of, nb::arg("harmonic"), nb::arg("ask"))
      .def("most_central", &most_central_of, nb::arg("count"), nb::arg("ask"))
      .def("betweenness", &betweenness_of, nb::arg("edges"), nb::arg("samples"), nb::arg("seed"),
           nb::arg("ask"))
      .def("dependencies", &dependencies_of, nb::arg("sources"), nb::arg("weights"),
           nb::arg("arcs"), nb::arg("ask"));
}

}  // namespace antipode::python
