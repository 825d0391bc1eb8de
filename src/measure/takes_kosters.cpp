#include "measure/takes_kosters.hpp"

#include "antipode/error.hpp"
#include "measure/connected.hpp"
#include "measure/stop_when.hpp"

namespace antipode {

namespace {

Select rule_for(Selection selection, std::uint64_t searches) {
  switch (selection) {
    case Selection::difference:
      return Select::largest_difference;
    case Selection::farthest:
      return Select::farthest;
    case Selection::interchange:
    case Selection::together:
      break;
  }
  return searches % 2 == 1 ? Select::largest_upper : Select::smallest_lower;
}

bool is_decided(Question question, const BoundsSummary& bounds, Vertex candidates) {
  return question == Question::diameter ? bounds.max_lower == bounds.max_upper : candidates == 0;
}

}  // namespace

Progress progress_of(Question question, const BoundsSummary& bounds, std::uint64_t searches,
                     Vertex candidates) {
  const bool about_minimum = question == Question::radius || question == Question::center;
  return {.lower = about_minimum ? bounds.min_lower : bounds.max_lower,
          .upper = about_minimum ? bounds.min_upper : bounds.max_upper,
          .searches = searches,
          .candidates = candidates};
}

BoundingRun takes_kosters(Engine& engine, Question question, Vertex start, Selection selection,
                          Observer& observer) {
  BoundingRun run;
  EccentricityBounds& bounds = engine.bounds();
  bounds.reset();
  StopWhen stopping(engine, observer);
  try {
    for (Vertex source = start; !run.finished;
         source = bounds.select(rule_for(selection, run.searches), kLatest)) {
      const Search search = engine.search(source);
      if (run.searches == 0) require_connected(engine, search);
      ++run.searches;
      run.steps.push_back({Step::Rule::eccentricity, source, search.eccentricity});
      bounds.tighten(kLatest, source, search.eccentricity, search.eccentricity);
      if (run.searches == 1 || search.eccentricity > run.longest.eccentricity) {
        const DistanceHandle distances = engine.retain();
        if (run.searches > 1) engine.release(run.longest_distances);
        run.longest_distances = distances;
        run.longest = search;
      }
      const Vertex candidates = bounds.prune(question);
      run.bounds = bounds.summary();
      run.finished = is_decided(question, run.bounds, candidates);
      observer.progress(progress_of(question, run.bounds, run.searches, candidates));
    }
  } catch (const Interrupted&) {
    run.bounds = bounds.summary();
  }
  stopping.end();
  return run;
}

}  // namespace antipode
