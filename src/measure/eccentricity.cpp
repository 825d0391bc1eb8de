// Eccentricities of all vertices, or as many of them as decide radius, center or periphery.
#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "measure/cost.hpp"
#include "measure/residues.hpp"
#include "measure/source_loop.hpp"
#include "measure/state.hpp"
#include "measure/takes_kosters.hpp"

namespace antipode {

namespace {

// Searches many candidates at once as soon as that is cheaper than one after the other.
//
// Radius, center and periphery: any candidates will do, since all of them must be settled or
// excluded by bounds. All eccentricities: the upper bound of v is exact as soon as that of a
// neighbour with e(v) - 1 is, so only vertices without such a neighbour must be searched
// themselves: a few hundred of a hundred thousand on roads. Where lower bounds are exact, they are
// the candidates that no neighbour undercuts; so raise the lower bounds first, then search those. A
// source that turns out more eccentric than its lower bound says where lower bounds lag: at the
// vertex farthest from it.
class Settlement {
 public:
  Settlement(Engine& engine, Question question, Observer& observer, Keeper& keeper)
      : engine_(engine),
        bounds_(engine.bounds()),
        question_(question),
        observer_(observer),
        keeper_(keeper) {}

  BoundingRun run() {
    bounds_.reset();
    engine_.interrupt_when([this] { return observer_.stop(); });
    try {
      if (const auto kept = keeper_.kept(); !kept.empty()) restore(kept);
      for (Vertex source = bounds_.select(Select::largest_upper, kLatestRow);
           candidates_ > 0 && !batch_pays(); source = next_source())
        search(source);
      while (candidates_ > 0) batch();
      run_.finished = true;
    } catch (const Interrupted&) {
    }
    engine_.interrupt_when(nullptr);
    return std::move(run_);
  }

 private:
  static constexpr std::uint64_t kWarmUp = 8;

  Vertex next_source() const {
    return bounds_.select(run_.searches % 2 == 1 ? Select::largest_upper : Select::smallest_lower,
                          kLatestRow);
  }

  bool batch_pays() const {
    if (run_.searches < kWarmUp) return false;
    return question_ == Question::eccentricity ||
           cost_.batch_pays(candidates_, bounds_.batch_size(), run_.bounds.max_lower);
  }

  void batch() {
    if (question_ == Question::eccentricity) {
      const auto sources = bounds_.lowest(bounds_.batch_size());
      settle(sources);
      raise_lower_bounds(sources);
    } else {
      settle(bounds_.sample(Among::candidates, bounds_.batch_size(), run_.searches));
    }
  }

  Search search(Vertex source) {
    const Stopwatch stopwatch;
    const Search search = engine_.search(source);
    bounds_.tighten(kLatestRow, source, search.eccentricity, search.eccentricity);
    note(source, search.eccentricity);
    close_round();
    cost_.searched(stopwatch.seconds(), candidates_);
    return search;
  }

  void settle(const std::vector<Vertex>& sources) {
    settled_ = bounds_.settle(sources);
    for (std::size_t i = 0; i < sources.size(); ++i) note(sources[i], settled_[i].eccentricity);
    close_round();
  }

  void raise_lower_bounds(const std::vector<Vertex>& sources) {
    const auto gap = [](const Settled& s) { return s.eccentricity - s.lower_before; };
    const auto worst =
        std::max_element(settled_.begin(), settled_.end(),
                         [&](const Settled& a, const Settled& b) { return gap(a) < gap(b); });
    if (candidates_ == 0 || gap(*worst) == 0) return;
    ++run_.searches;  // a second time, now for the row
    const Vertex farthest =
        engine_.search(sources[static_cast<std::size_t>(worst - settled_.begin())]).farthest;
    search(farthest);
  }

  void note(Vertex source, Distance eccentricity) {
    ++run_.searches;
    run_.steps.push_back({Step::Rule::eccentricity, source, eccentricity});
  }

  void close_round() {
    candidates_ = bounds_.prune(question_);
    run_.bounds = bounds_.summary();
    observer_.progress(progress_of(question_, run_.bounds, run_.searches, candidates_));
    if (candidates_ == 0) return;
    const bool stopped = observer_.stop();
    if (keeper_.active() && (stopped || keeper_.due())) keep();
    if (stopped) throw Interrupted();
  }

  // The bounds, and the searches they come from: a proof needs them.
  void keep() const {
    std::vector<Distance> lower(engine_.graph().order()), upper(lower.size()), found;
    std::vector<Vertex> sources;
    bounds_.copy(lower, upper);
    for (const Step& step : run_.steps) sources.push_back(step.vertex), found.push_back(step.value);
    keeper_.keep(
        StateWriter().put(run_.searches).put(lower).put(upper).put(sources).put(found).bytes());
  }
  void restore(const std::vector<unsigned char>& kept) {
    std::vector<Distance> lower, upper, found;
    std::vector<Vertex> sources;
    StateReader(kept).get(run_.searches).get(lower).get(upper).get(sources).get(found);
    bounds_.restore(lower, upper);
    for (std::size_t i = 0; i < sources.size(); ++i)
      run_.steps.push_back({Step::Rule::eccentricity, sources[i], found[i]});
    candidates_ = bounds_.prune(question_);
    run_.bounds = bounds_.summary();
  }

  Engine& engine_;
  Bounds& bounds_;
  Question question_;
  Observer& observer_;
  Keeper& keeper_;
  CostModel cost_{engine_.batch_costs()};
  BoundingRun run_;
  Vertex candidates_ = kNoVertex;
  std::vector<Settled> settled_;
};

BoundingRun bounded(Engine& engine, Question question, Selection selection, Observer& observer) {
  engine.bounds().reset();
  const Vertex start = engine.bounds().select(Select::largest_upper,
                                              kLatestRow);  // nothing is known: the highest degree
  BoundingRun run = takes_kosters(engine, question, start, selection, observer);
  if (run.searches > 0) engine.release(run.longest_row);
  return run;
}

}  // namespace

Distance Eccentricities::radius_lower() const {
  return *std::min_element(lower.begin(), lower.end());
}
Distance Eccentricities::radius_upper() const {
  return *std::min_element(upper.begin(), upper.end());
}
Distance Eccentricities::diameter_lower() const {
  return *std::max_element(lower.begin(), lower.end());
}
Distance Eccentricities::diameter_upper() const {
  return *std::max_element(upper.begin(), upper.end());
}

namespace {

Eccentricities described(Engine& engine, BoundingRun run) {
  const Vertex order = engine.graph().order();
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

void refuse_nothing(const Engine& engine) {
  if (engine.graph().order() == 0)
    throw UsageError("the eccentricities of a graph without vertices are undefined");
}

}  // namespace

Eccentricities eccentricities(Engine& engine, Question question, Selection selection,
                              Observer& observer) {
  Keeper nobody;
  if (selection == Selection::together) return eccentricities(engine, question, observer, nobody);
  refuse_nothing(engine);
  return described(engine, bounded(engine, question, selection, observer));
}

Eccentricities eccentricities(Engine& engine, Question question, Observer& observer,
                              Keeper& keeper) {
  refuse_nothing(engine);
  if (few_stand_for_all(engine, question)) {
    keeper.kept();  // of no use, but one that is not there is an error all the same
    return eccentricities_by_residues(engine, observer);
  }
  return described(engine, Settlement(engine, question, observer, keeper).run());
}

ForwardEccentricities forward_eccentricities(Engine& engine, Observer& observer, Keeper& keeper) {
  ForwardEccentricities result;
  if (const auto kept = keeper.kept(); !kept.empty())
    StateReader(kept).get(result.sources).get(result.value).get(result.reached);
  std::vector<Vertex> everybody(engine.graph().order());
  std::iota(everybody.begin(), everybody.end(), Vertex{0});
  result.finished = for_parts(
      engine, everybody, engine.batch_size(), result.sources, observer, keeper,
      [&](std::size_t, std::span<const Vertex> part) {
        for (const Summary& each : engine.summarize(part)) {
          result.value.push_back(each.eccentricity);
          result.reached.push_back(each.reached);
        }
      },
      [&] {
        keeper.keep(
            StateWriter().put(result.sources).put(result.value).put(result.reached).bytes());
      });
  return result;
}

Witness farthest_path(Engine& engine, Vertex from) {
  const Search search = engine.search(from);
  return {from, search.farthest, engine.path(kLatestRow, search.farthest)};
}

}  // namespace antipode
