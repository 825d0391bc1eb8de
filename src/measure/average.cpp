// The average distance and the whole distribution: all sources in batches, but for those that
// others stand for; or a sample of them.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "graph/sample.hpp"
#include "measure/folded_sources.hpp"
#include "measure/source_loop.hpp"
#include "measure/state.hpp"

namespace antipode {

namespace {

std::vector<Vertex> chosen_sources(Vertex order, std::size_t samples, std::uint64_t seed) {
  std::vector<Vertex> all(order);
  std::iota(all.begin(), all.end(), Vertex{0});
  return samples == 0 ? all : sampled(std::move(all), samples, seed);
}

// Half a 95 % interval of a ratio of sums over sources drawn without repeats: the residuals sum_i -
// mean * reached_i vary about 0.
double ratio_error(const std::vector<Summary>& summaries, Vertex order, double mean) {
  const double count = static_cast<double>(summaries.size());
  double squares = 0, reached = 0;
  for (const Summary& summary : summaries) {
    const double residual =
        static_cast<double>(summary.distance_sum) - mean * (summary.reached - 1.0);
    squares += residual * residual;
    reached += summary.reached - 1.0;
  }
  if (count < 2 || reached == 0) return 0;
  const double drawn = 1 - count / order;  // a sample of everything has no error
  return 1.96 * std::sqrt(drawn * squares / (count - 1) / count) / (reached / count);
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
  Keeper nobody;
  return average(engine, samples, seed, observer, nobody);
}

namespace {

// Sources that all stand for as many need not be told apart: those at the front.
std::size_t count_alike(std::span<const Engine::Weights> weights) {
  if (weights.empty()) return 0;
  const Engine::Weights alike{weights.front()[0]};
  return static_cast<std::size_t>(
      std::find_if(weights.begin(), weights.end(),
                   [&](const Engine::Weights& each) { return each != alike; }) -
      weights.begin());
}

// Nothing where folding does not pay: telling sources apart has a price. Nor where arcs may lead
// back another way.
std::optional<FoldedSources> folded(const Engine& engine) {
  if (engine.graph().is_directed()) return std::nullopt;
  FoldedSources plan = folded_sources(engine.graph());
  const std::size_t alike = count_alike(plan.weights), others = plan.sources.size() - alike;
  const double price =
      static_cast<double>(alike) + engine.batch_costs().apart * static_cast<double>(others);
  return price < engine.graph().order() ? std::optional(std::move(plan)) : std::nullopt;
}

std::vector<std::uint64_t> weighted(Engine& engine, std::span<const Vertex> sources,
                                    std::span<const Engine::Weights> weights) {
  const std::size_t alike = count_alike(weights);
  auto counts = alike < sources.size()
                    ? engine.weighted_distribution(sources.subspan(alike), weights.subspan(alike))
                    : std::vector<std::uint64_t>();
  const auto more = engine.distribution(sources.first(alike));
  counts.resize(std::max(counts.size(), more.size()), 0);
  for (std::size_t d = 0; d < more.size(); ++d) counts[d] += more[d] * weights.front()[0];
  return counts;
}

// Adds what every source stands for.
void add_folded(Engine& engine, const FoldedSources& plan, Average& result,
                const std::vector<unsigned char>& kept, Observer& observer, Keeper& keeper) {
  Vertex done = 0;
  if (!kept.empty()) StateReader(kept).get(done).get(result.sources).get(result.pairs);
  result.finished = for_parts(
      engine, plan.sources, engine.batch_size(), done, observer, keeper,
      [&](std::size_t begin, std::span<const Vertex> part) {
        const std::size_t end = begin + part.size();
        plan.add(begin, end,
                 weighted(engine, part, std::span(plan.weights).subspan(begin, part.size())),
                 result.pairs);
        for (std::size_t i = begin; i < end; ++i)
          result.sources += static_cast<Vertex>(plan.represented(i));
      },
      [&] { keeper.keep(StateWriter().put(done).put(result.sources).put(result.pairs).bytes()); });
}

void add_all(Engine& engine, std::span<const Vertex> sources, Average& result,
             std::vector<Summary>& summaries, const std::vector<unsigned char>& kept,
             Observer& observer, Keeper& keeper) {
  if (!kept.empty()) StateReader(kept).get(result.sources).get(result.pairs).get(summaries);
  result.finished = for_parts(
      engine, sources, engine.batch_size(), result.sources, observer, keeper,
      [&](std::size_t, std::span<const Vertex> part) {
        const auto counts = engine.distribution(part);
        if (result.sampled) {
          const auto more = engine.summarize(part);
          summaries.insert(summaries.end(), more.begin(), more.end());
        }
        result.pairs.resize(std::max(result.pairs.size(), counts.size()), 0);
        for (std::size_t d = 1; d < counts.size(); ++d) result.pairs[d] += counts[d];
      },
      [&] {
        keeper.keep(StateWriter().put(result.sources).put(result.pairs).put(summaries).bytes());
      });
}

}  // namespace

std::uint64_t sources_of_average(const Engine& engine) {
  const auto plan = folded(engine);
  return plan ? plan->sources.size() : engine.graph().order();
}

Average average(Engine& engine, std::size_t samples, std::uint64_t seed, Observer& observer,
                Keeper& keeper) {
  const Vertex order = engine.graph().order();
  if (order == 0) throw UsageError("the average distance of a graph without vertices is undefined");
  Average result;
  result.sampled = samples > 0 && samples < order;
  std::vector<Summary> summaries;  // of a sample
  const auto plan = result.sampled ? std::nullopt : folded(engine);
  if (plan)
    add_folded(engine, *plan, result, keeper.kept(), observer, keeper);
  else
    add_all(engine, chosen_sources(order, samples, seed), result, summaries, keeper.kept(),
            observer, keeper);
  for (std::size_t d = 1; d < result.pairs.size(); ++d) {
    result.reachable += result.pairs[d];
    result.sum += d * result.pairs[d];
  }
  result.unreachable = std::uint64_t{result.sources} * (order - 1) - result.reachable;
  if (result.sampled) result.error = ratio_error(summaries, order, result.mean());
  return result;
}

}  // namespace antipode
