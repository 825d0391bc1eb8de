// Average, closeness and betweenness in one call.
#include "antipode/ask.hpp"

#include "measure/asked.hpp"

namespace antipode {

namespace {

constexpr Policies kOfPairs = {Disconnected::largest, Disconnected::reachable};

}  // namespace

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
