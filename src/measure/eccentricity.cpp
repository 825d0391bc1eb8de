// Eccentricities of all vertices, or as many of them as decide radius, center or periphery.
#include <algorithm>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "measure/takes_kosters.hpp"

namespace antipode {

Distance Eccentricities::radius_lower() const { return *std::min_element(lower.begin(), lower.end()); }
Distance Eccentricities::radius_upper() const { return *std::min_element(upper.begin(), upper.end()); }
Distance Eccentricities::diameter_lower() const { return *std::max_element(lower.begin(), lower.end()); }
Distance Eccentricities::diameter_upper() const { return *std::max_element(upper.begin(), upper.end()); }

Eccentricities eccentricities(Engine& engine, Question question, Selection selection, Observer& observer) {
  const Vertex order = engine.graph().order();
  if (order == 0) throw UsageError("the eccentricities of a graph without vertices are undefined");
  engine.bounds().reset();
  const Vertex start = engine.bounds().select(Select::largest_upper, kLatestRow);  // nothing is known: the highest degree
  BoundingRun run = takes_kosters(engine, question, start, selection, observer);
  if (run.searches > 0) engine.release(run.longest_row);
  Eccentricities answer;
  answer.exact = run.finished;
  answer.searches = run.searches;
  answer.steps = std::move(run.steps);
  answer.lower.resize(order);
  answer.upper.resize(order);
  engine.bounds().copy(answer.lower, answer.upper);
  for (Distance& upper : answer.upper) upper = std::min(upper, order - 1);
  return answer;
}

Witness farthest_path(Engine& engine, Vertex from) {
  const Search search = engine.search(from);
  return {from, search.farthest, engine.path(kLatestRow, search.farthest)};
}

}  // namespace antipode
