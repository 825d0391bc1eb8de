#include "measure/residues.hpp"

#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "measure/connected.hpp"
#include "measure/stop_when.hpp"

namespace antipode {

namespace {

// Of each remainder; none if it was stopped.
std::vector<Distance> reaches(Engine& engine, Observer& observer) {
  std::vector<Vertex> sources(engine.graph().residues());
  std::iota(sources.begin(), sources.end(), Vertex{0});
  std::vector<Distance> result;
  StopWhen stopping(engine, observer);
  try {
    const auto summaries = engine.summarize(sources);
    require_connected(engine, sources.front(), summaries.front().reached);
    for (const Summary& summary : summaries) result.push_back(summary.eccentricity);
  } catch (const Interrupted&) {
  }
  stopping.end();
  return result;
}

}  // namespace

// One batch; several where all eccentricities are wanted, which takes more searches than other
// questions.
bool few_stand_for_all(Engine& engine, Question question) {
  constexpr Vertex kShare = 8;
  const std::size_t residues = engine.graph().residues();
  return residues > 0 &&
         (residues <= engine.batch_costs().sources ||
          (question == Question::eccentricity && residues <= engine.graph().order() / kShare));
}

std::uint64_t most_sources(Engine& engine, Question question) {
  return few_stand_for_all(engine, question) ? engine.graph().residues() : engine.graph().order();
}

Diameter diameter_by_residues(Engine& engine, Observer& observer) {
  Diameter answer;
  const Search first = engine.search(0);  // a path, and bounds if it is stopped
  require_connected(engine, first);
  answer.witness = {0, first.farthest, engine.path(kLatest, first.farthest)};
  answer.searches = 1;
  answer.lower = static_cast<Distance>(answer.witness.path.size() - 1);
  answer.upper = std::min(2 * answer.lower, engine.graph().order() - 1);
  observer.progress({.lower = answer.lower,
                     .upper = answer.upper,
                     .searches = answer.searches,
                     .candidates = engine.graph().residues()});
  const auto known = reaches(engine, observer);
  if (known.empty()) return answer;
  answer.batches = 1;
  answer.lanes = known.size();
  const auto longest = std::max_element(known.begin(), known.end());
  if (*longest > answer.lower) {
    answer.witness = farthest_path(engine, static_cast<Vertex>(longest - known.begin()));
    ++answer.searches;
  }
  answer.lower = answer.upper = *longest;
  return answer;
}

Eccentricities eccentricities_by_residues(Engine& engine, Observer& observer) {
  const Vertex order = engine.graph().order();
  Eccentricities answer;
  answer.lower.assign(order, 0);
  answer.upper.assign(order, order - 1);
  const auto known = reaches(engine, observer);
  if (known.empty()) return answer;
  for (Vertex v = 0; v < order; ++v) answer.lower[v] = answer.upper[v] = known[v % known.size()];
  answer.exact = true;
  answer.searches = known.size();
  return answer;
}

}  // namespace antipode
