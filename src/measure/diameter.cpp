// Exact diameter of a connected graph: one strategy's answer.
#include <algorithm>
#include <random>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "measure/connected.hpp"
#include "measure/elimination.hpp"
#include "measure/residues.hpp"
#include "measure/stop_when.hpp"
#include "measure/takes_kosters.hpp"

namespace antipode {

namespace {

Vertex start_vertex(Engine& engine, const DiameterOptions& options) {
  if (options.start == Start::random) {
    std::mt19937_64 random(options.seed);
    return static_cast<Vertex>(random() % engine.graph().order());
  }
  engine.bounds().reset();
  return engine.bounds().select(Select::largest_upper,
                                kLatest);  // nothing is known: the highest degree
}

Diameter by_bounding(Engine& engine, const DiameterOptions& options, Observer& observer) {
  BoundingRun run = takes_kosters(engine, Question::diameter, start_vertex(engine, options),
                                  options.selection, observer);
  Diameter answer;
  answer.searches = run.searches;
  answer.steps = std::move(run.steps);
  answer.upper = std::min(run.bounds.max_upper, engine.graph().order() - 1);
  if (run.searches > 0) {
    answer.lower = run.longest.eccentricity;
    answer.witness = {run.longest.source, run.longest.farthest,
                      engine.path(run.longest_distances, run.longest.farthest)};
    engine.release(run.longest_distances);
  }
  return answer;
}

// The textbook: every vertex is a source. Kept as the yardstick of all others, and for proofs by
// exhaustion.
Diameter by_exhaustion(Engine& engine, Observer& observer) {
  constexpr Vertex kAtOnce = 4096;
  const Vertex order = engine.graph().order();
  Diameter answer;
  answer.upper = order - 1;
  Vertex longest = kNoVertex;
  StopWhen stopping(engine, observer);
  try {
    std::vector<Vertex> sources;
    for (Vertex done = 0; done < order; done += static_cast<Vertex>(sources.size())) {
      sources.clear();
      for (Vertex v = done; v < order && sources.size() < kAtOnce; ++v) sources.push_back(v);
      const auto summaries = engine.summarize(sources);
      require_connected(engine, sources.front(), summaries.front().reached);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        answer.steps.push_back({Step::Rule::eccentricity, sources[i], summaries[i].eccentricity});
        if (longest != kNoVertex && summaries[i].eccentricity <= answer.lower) continue;
        longest = sources[i];
        answer.lower = summaries[i].eccentricity;
      }
      answer.searches += sources.size();
      observer.progress({.lower = answer.lower,
                         .upper = answer.upper,
                         .searches = answer.searches,
                         .candidates = order - done - static_cast<Vertex>(sources.size())});
      if (observer.stop() && answer.searches < order) throw Interrupted();
    }
    answer.upper = answer.lower;
  } catch (const Interrupted&) {
  }
  stopping.end();
  if (longest != kNoVertex) answer.witness = farthest_path(engine, longest);
  return answer;
}

}  // namespace

Diameter diameter(Engine& engine, const DiameterOptions& options, Observer& observer) {
  if (engine.graph().order() == 0)
    throw UsageError("the diameter of a graph without vertices is undefined");
  require_undirected(engine.graph(), "the diameter");
  switch (options.strategy) {
    case Strategy::takes_kosters:
      return by_bounding(engine, options, observer);
    case Strategy::exhaustive:
      return by_exhaustion(engine, observer);
    case Strategy::automatic:
      if (options.batching == Batching::by_cost && options.most_per_batch == 0 &&
          few_stand_for_all(engine, Question::diameter))
        return diameter_by_residues(engine, observer);
      break;
    case Strategy::sweep:
      break;
  }
  return eliminate(engine, options, observer);
}

}  // namespace antipode
