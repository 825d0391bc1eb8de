// What the larger requests mean, in terms of the smaller ones. An engine may do the same faster.
#include <algorithm>

#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "engine/cpu/brandes.hpp"
#include "engine/cpu/clique.hpp"

namespace antipode {

std::vector<LevelTrace> Engine::trace(Vertex) {
  throw UsageError("engine '" + std::string(name()) +
                   "' does not search level by level in two manners");
}

void Engine::add_flow(std::span<const Vertex> sources, std::span<const double> weights,
                      Flow& flow) {
  cpu::add_flow(graph(), static_cast<int>(threads()), sources, weights, flow,
                [this] { return interrupted(); });
}

Explored Engine::explore(Vertex source, Distance lower, std::span<const Row> centers) {
  Explored result;
  result.search = search(source);
  result.absorbed = bounds().absorb(kLatestRow, source, result.search.eccentricity,
                                    std::max(lower, result.search.eccentricity), centers);
  result.row = keep();
  return result;
}

std::vector<Explored> Engine::sweep(Vertex source, const SweepPlan&) {
  const Row latest[] = {kLatestRow};
  return {explore(source, 0, latest)};
}

Middle Engine::explore_middle(Row row, Vertex to, Distance lower, std::span<const Row> centers,
                              std::span<const Vertex> known) {
  Middle result{path(row, to), std::nullopt};
  const Vertex middle = result.path[result.path.size() / 2];
  if (std::find(known.begin(), known.end(), middle) == known.end())
    result.explored = explore(middle, lower, centers);
  return result;
}

std::vector<Vertex> Engine::clique(Vertex around) const {
  return cpu::greedy_clique(graph(), around);
}

std::size_t Bounds::choose_ball(std::span<const Row> centers, Distance radius) {
  const auto beyond = count_beyond(centers, radius);
  const auto best =
      static_cast<std::size_t>(std::min_element(beyond.begin(), beyond.end()) - beyond.begin());
  set_ball(centers[best], radius);
  return best;
}

Absorbed Bounds::absorb(Row row, Vertex source, Distance eccentricity, Distance limit,
                        std::span<const Row> centers) {
  drop(limit);
  Absorbed result;
  result.reach = reach(row, Among::candidates);
  tighten(row, source, eccentricity, result.reach);
  drop(limit);
  if (count(Among::outside) > 0) result.center = choose_ball(centers, limit / 2);
  result.outside = count(Among::outside);
  return result;
}

std::vector<Shrink> Bounds::refine(std::span<const Row> rows, Distance limit, int rounds) {
  std::vector<Shrink> result;
  const auto shrinks = [&](std::size_t i, Among among, auto drops) {
    const Vertex before = count(Among::candidates);
    const Distance farthest = reach(rows[i], among);
    drops(farthest);
    if (count(Among::candidates) < before) result.push_back({i, among, farthest});
  };
  for (std::size_t found = 1; rounds > 0 && found > 0 && count(Among::outside) > 0; --rounds) {
    const std::size_t before = result.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      shrinks(i, Among::candidates, [&](Distance farthest) {
        tighten_candidates(rows[i], farthest);
        drop(limit);
      });
      shrinks(i, Among::outside, [&](Distance farthest) { drop_inside(rows[i], farthest, limit); });
    }
    found = result.size() - before;
  }
  return result;
}

}  // namespace antipode
