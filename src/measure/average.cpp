// The average distance and the whole distribution: all sources in batches, but for those that
// others stand for; or a sample of them.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "graph/sample.hpp"
#include "measure/folded_sources.hpp"
#include "measure/ratio_error.hpp"
#include "measure/source_loop.hpp"
#include "measure/state.hpp"

namespace antipode {

namespace {

std::vector<Vertex> chosen_sources(Vertex order, std::size_t samples, std::uint64_t seed) {
  std::vector<Vertex> all(order);
  std::iota(all.begin(), all.end(), Vertex{0});
  return samples == 0 ? all : draw_sample(std::move(all), samples, seed);
}

// What a sample shows of each source.
std::vector<SampledSource> sampled_sources(const std::vector<Summary>& summaries) {
  std::vector<SampledSource> result;
  for (const Summary& each : summaries)
    result.push_back({static_cast<double>(each.distance_sum), each.reached - 1.0});
  return result;
}

}  // namespace

double Average::variance() const {
  double squares = 0;
  for (std::size_t d = 1; d < pairs.size(); ++d)
    squares += static_cast<double>(pairs[d]) * (static_cast<double>(d) - mean()) *
               (static_cast<double>(d) - mean());
  return reachable == 0 ? 0 : squares / static_cast<double>(reachable);
}

Distance Average::median() const {
  std::uint64_t within = 0;
  for (std::size_t d = 0; d < pairs.size(); ++d)
    if ((within += pairs[d]) * 2 >= reachable && within > 0) return static_cast<Distance>(d);
  return 0;
}

double Average::effective_diameter(double share) const {
  const double wanted = share * static_cast<double>(reachable);
  double within = 0;
  for (std::size_t d = 1; d < pairs.size(); ++d) {
    const double here = static_cast<double>(pairs[d]);
    if (here > 0 && within + here >= wanted)
      return static_cast<double>(d - 1) + (wanted - within) / here;
    within += here;
  }
  return 0;
}

Average average(Engine& engine, std::size_t samples, std::uint64_t seed, Observer& observer) {
  CheckpointStore no_checkpoint;
  return average(engine, samples, seed, observer, no_checkpoint);
}

namespace {

// Number of leading sources that represent equally many vertices, all at the same distances. Their
// counts may be added up before they are multiplied.
std::size_t count_alike(std::span<const Multiplicities> weights) {
  if (weights.empty()) return 0;
  const Multiplicities alike{weights.front()[0]};
  return static_cast<std::size_t>(
      std::find_if(weights.begin(), weights.end(),
                   [&](const Multiplicities& each) { return each != alike; }) -
      weights.begin());
}

// No plan if folding costs more than it saves: a batch that counts levels for each source is
// slower. None for a directed graph either, since its pendant trees may have arcs in one direction
// only.
std::optional<FoldedSources> fold_sources(const Engine& engine) {
  if (engine.graph().is_directed()) return std::nullopt;
  FoldedSources plan = folded_sources(engine.graph());
  const std::size_t alike = count_alike(plan.weights), others = plan.sources.size() - alike;
  const double price =
      static_cast<double>(alike) + engine.batch_costs().apart * static_cast<double>(others);
  return price < engine.graph().order() ? std::optional(std::move(plan)) : std::nullopt;
}

std::vector<std::uint64_t> count_weighted(Engine& engine, std::span<const Vertex> sources,
                                          std::span<const Multiplicities> weights) {
  const std::size_t alike = count_alike(weights);
  DistanceCounts all, like_the_first;
  if (alike < sources.size()) {
    all.multiplicities = weights.subspan(alike);
    engine.accumulate(sources.subspan(alike), &all);
  }
  engine.accumulate(sources.first(alike), &like_the_first);
  for (std::uint64_t& count : like_the_first.vertices) count *= weights.front()[0];
  all.add(like_the_first.vertices);
  return std::move(all.vertices);
}

// What the sources done reach: at most all others of their components, and all of them where edges
// have no direction.
struct Reach {
  std::uint64_t most = 0, neighbors = 0;
};

// Some of the sources are searched again: the pairs of all are at least theirs, and without
// directions in a connected graph no path is longer than twice the longest of any.
void check_pairs(const StateReader& reader, Engine& engine, std::span<const Vertex> done,
                 const Reach& reach, const std::vector<std::uint64_t>& pairs) {
  const Graph& graph = engine.graph();
  const std::uint64_t counted = sum_of(pairs);
  reader.require(pairs.size() <= graph.order() && (pairs.empty() || pairs[0] == 0),
                 "a distance is out of range");
  reader.require(graph.is_directed() ? counted <= reach.most : counted == reach.most,
                 "it has other pairs than its sources reach");
  reader.require((pairs.size() > 1 ? pairs[1] : 0) == reach.neighbors,
                 "it has other pairs of neighbours than its sources have");
  for (std::size_t d = 1; d < pairs.size(); ++d)
    reader.require(pairs[d] > 0, "it has no pairs at a distance, but some farther apart");
  if (done.empty()) return;
  const auto again = any_of(done);
  DistanceCounts own;
  engine.accumulate(again, &own);
  for (std::size_t d = 1; d < own.vertices.size(); ++d)
    reader.require(own.vertices[d] == 0 || (d < pairs.size() && own.vertices[d] <= pairs[d]),
                   "some sources have more pairs at a distance than all of them");
  for (const Summary& each : engine.summarize(again))
    reader.require(graph.is_directed() || each.reached < graph.order() ||
                       pairs.size() <= 2 * std::size_t{each.eccentricity} + 1,
                   "it has pairs farther apart than the graph allows");
}

std::vector<std::uint64_t> others_in_component(const Graph& graph) {
  const Components parts = components(graph);
  std::vector<std::uint64_t> result;
  for (const Vertex part : parts.of) result.push_back(parts.orders[part] - 1);
  return result;
}

void restore(const std::vector<unsigned char>& saved, Engine& engine, const FoldedSources& plan,
             Vertex& done, Average& result) {
  const Graph& graph = engine.graph();
  StateReader reader(saved);
  reader.get(done).get(result.sources).get(result.pairs).finish();
  reader.require(done <= plan.sources.size(), "it has more sources than there are");
  const auto others = others_in_component(graph);
  std::uint64_t represented = 0;
  Reach reach;
  for (std::size_t i = 0; i < done; ++i) {
    represented += plan.multiplicity(i);
    reach.most += plan.multiplicity(i) * others[plan.sources[i]];
    reach.neighbors += plan.neighbors(graph, i);
  }
  reader.require(result.sources == represented, "it has other sources than it counts");
  check_pairs(reader, engine, std::span(plan.sources).first(done), reach, result.pairs);
}

// Adds what every source stands for.
void add_folded(Engine& engine, const FoldedSources& plan, Average& result,
                const std::vector<unsigned char>& saved, Observer& observer,
                CheckpointStore& checkpoint) {
  Vertex done = 0;
  if (!saved.empty()) restore(saved, engine, plan, done, result);
  result.finished = for_chunks(
      engine, plan.sources, engine.batch_costs().sources, done, observer, checkpoint,
      [&](std::size_t begin, std::span<const Vertex> part) {
        const std::size_t end = begin + part.size();
        plan.add(begin, end,
                 count_weighted(engine, part, std::span(plan.weights).subspan(begin, part.size())),
                 result.pairs);
        for (std::size_t i = begin; i < end; ++i)
          result.sources += static_cast<Vertex>(plan.multiplicity(i));
      },
      [&] {
        checkpoint.save(StateWriter().put(done).put(result.sources).put(result.pairs).sealed());
      });
}

void restore(const std::vector<unsigned char>& saved, Engine& engine,
             std::span<const Vertex> sources, Average& result, std::vector<Summary>& summaries) {
  const Graph& graph = engine.graph();
  StateReader reader(saved);
  reader.get(result.sources).get(result.pairs).get(summaries).finish();
  reader.require(result.sources <= sources.size(), "it has more sources than there are");
  const auto others = others_in_component(graph);
  const auto done = sources.first(result.sources);
  Reach reach;
  for (const Vertex source : done)
    reach.most += others[source], reach.neighbors += graph.degree(source);
  check_pairs(reader, engine, done, reach, result.pairs);
  reader.require(summaries.size() == (result.sampled ? result.sources : 0),
                 "it has other sources than it counts");
  if (!result.sampled) return;
  std::uint64_t reached = 0, sum = 0, expected = 0;
  for (std::size_t d = 0; d < result.pairs.size(); ++d) expected += d * result.pairs[d];
  for (const Summary& each : summaries) {
    reader.require(
        each.reached >= 1 && each.reached <= graph.order() && each.eccentricity < each.reached,
        "a search is out of range");
    reached += each.reached - 1;
    sum += each.distance_sum;
  }
  reader.require(reached == sum_of(result.pairs) && sum == expected,
                 "its searches have other distances than it counts");
  std::vector<Vertex> places(done.size()), again;
  std::iota(places.begin(), places.end(), Vertex{0});
  for (const Vertex place : places = any_of(places)) again.push_back(done[place]);
  const auto found = engine.summarize(again);
  for (std::size_t i = 0; i < again.size(); ++i)
    reader.require(summaries[places[i]] == found[i],
                   "a source shows something else when it is searched again");
}

void add_all(Engine& engine, std::span<const Vertex> sources, Average& result,
             std::vector<Summary>& summaries, const std::vector<unsigned char>& saved,
             Observer& observer, CheckpointStore& checkpoint) {
  if (!saved.empty()) restore(saved, engine, sources, result, summaries);
  result.finished = for_chunks(
      engine, sources, engine.batch_costs().sources, result.sources, observer, checkpoint,
      [&](std::size_t, std::span<const Vertex> part) {
        DistanceCounts found;
        engine.accumulate(part, &found);
        const auto& counts = found.vertices;
        if (result.sampled) {
          const auto more = engine.summarize(part);
          summaries.insert(summaries.end(), more.begin(), more.end());
        }
        result.pairs.resize(std::max(result.pairs.size(), counts.size()), 0);
        for (std::size_t d = 1; d < counts.size(); ++d) result.pairs[d] += counts[d];
      },
      [&] {
        checkpoint.save(
            StateWriter().put(result.sources).put(result.pairs).put(summaries).sealed());
      });
}

}  // namespace

std::uint64_t sources_of_average(const Engine& engine) {
  const auto plan = fold_sources(engine);
  return plan ? plan->sources.size() : engine.graph().order();
}

Average average(Engine& engine, std::size_t samples, std::uint64_t seed, Observer& observer,
                CheckpointStore& checkpoint) {
  const Vertex order = engine.graph().order();
  if (order == 0) throw UsageError("the average distance of a graph without vertices is undefined");
  Average result;
  result.sampled = samples > 0 && samples < order;
  std::vector<Summary> summaries;  // of a sample
  const auto plan = result.sampled ? std::nullopt : fold_sources(engine);
  if (plan)
    add_folded(engine, *plan, result, checkpoint.load(), observer, checkpoint);
  else
    add_all(engine, chosen_sources(order, samples, seed), result, summaries, checkpoint.load(),
            observer, checkpoint);
  for (std::size_t d = 1; d < result.pairs.size(); ++d) {
    result.reachable += result.pairs[d];
    result.sum += d * result.pairs[d];
  }
  result.unreachable = std::uint64_t{result.sources} * (order - 1) - result.reachable;
  if (result.sampled) result.error = ratio_error(sampled_sources(summaries), order, result.mean());
  return result;
}

}  // namespace antipode
