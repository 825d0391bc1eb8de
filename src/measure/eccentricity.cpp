// Eccentricities of all vertices, or as many of them as decide radius, center or periphery.
#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "measure/connected.hpp"
#include "measure/cost.hpp"
#include "measure/residues.hpp"
#include "measure/source_loop.hpp"
#include "measure/state.hpp"
#include "measure/stop_when.hpp"
#include "measure/takes_kosters.hpp"

namespace antipode {

namespace {

// Searches many candidates at once as soon as that is cheaper than one after the other.
//
// Radius, center and periphery: a batch takes any candidates, since the bounds must decide all of
// them. All eccentricities: the upper bound of v becomes exact with that of a neighbour of
// eccentricity e(v) - 1. So only vertices without such a neighbour (the eccentricity core) must be
// searched: a few hundred of a hundred thousand on roads. Where lower bounds are exact, these are
// the candidates without a neighbour of smaller lower bound. So lower bounds are raised first, and
// then these candidates are searched. If the eccentricity of a source exceeds its lower bound,
// lower bounds are raised again, by a search from the vertex farthest from it.
class BatchedBounding {
 public:
  BatchedBounding(Engine& engine, Question question, Observer& observer,
                  CheckpointStore& checkpoint)
      : engine_(engine),
        bounds_(engine.bounds()),
        question_(question),
        observer_(observer),
        checkpoint_(checkpoint) {}

  BoundingRun run() {
    bounds_.reset();
    StopWhen stopping(engine_, observer_);
    try {
      if (const auto saved = checkpoint_.load(); !saved.empty()) restore(saved);
      for (Vertex source = bounds_.select(Select::largest_upper, kLatest);
           candidates_ > 0 && !batch_pays(); source = next_source())
        search(source);
      while (candidates_ > 0) batch();
      run_.finished = true;
    } catch (const Interrupted&) {
      if (!round_lower_.empty()) save();
    }
    stopping.end();
    return std::move(run_);
  }

 private:
  static constexpr std::uint64_t kWarmUp = 8;

  Vertex next_source() const {
    return bounds_.select(run_.searches % 2 == 1 ? Select::largest_upper : Select::smallest_lower,
                          kLatest);
  }

  bool batch_pays() const {
    if (run_.searches < kWarmUp) return false;
    return question_ == Question::eccentricity ||
           cost_.batch_pays(candidates_, batch_size_, run_.bounds.max_lower);
  }

  void batch() {
    if (question_ == Question::eccentricity) {
      const auto sources = bounds_.lowest(batch_size_);
      search_batch(sources);
      raise_lower_bounds(sources);
    } else {
      search_batch(candidate_sets_.sample(Among::candidates, batch_size_, run_.searches));
    }
  }

  Search search(Vertex source) {
    const Stopwatch stopwatch;
    const Search search = engine_.search(source);
    if (run_.searches == 0) require_connected(engine_, search);
    bounds_.tighten(kLatest, source, search.eccentricity, search.eccentricity);
    note(source, search.eccentricity);
    close_round();
    cost_.add_search(stopwatch.seconds(), candidates_);
    return search;
  }

  void search_batch(const std::vector<Vertex>& sources) {
    outcomes_ = bounds_.tighten_from(sources);
    for (std::size_t i = 0; i < sources.size(); ++i) note(sources[i], outcomes_[i].eccentricity);
    close_round();
  }

  void raise_lower_bounds(const std::vector<Vertex>& sources) {
    const auto gap = [](const SourceOutcome& s) { return s.eccentricity - s.lower_before; };
    const auto worst = std::max_element(
        outcomes_.begin(), outcomes_.end(),
        [&](const SourceOutcome& a, const SourceOutcome& b) { return gap(a) < gap(b); });
    if (candidates_ == 0 || gap(*worst) == 0) return;
    ++run_.searches;  // a second time, now for its distances
    const Vertex farthest =
        engine_.search(sources[static_cast<std::size_t>(worst - outcomes_.begin())]).farthest;
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
    if (checkpoint_.is_active()) end_round();
    if (observer_.stop()) throw Interrupted();
    if (checkpoint_.is_due()) save();
  }

  // An interrupted batch leaves bounds of no whole search, so the bounds before it are saved.
  void end_round() {
    round_lower_.resize(engine_.graph().order());
    round_upper_.resize(round_lower_.size());
    bounds_.copy(round_lower_, round_upper_);
  }
  // The bounds, and the searches they come from: a proof needs them.
  void save() const {
    std::vector<Distance> found;
    std::vector<Vertex> sources;
    for (const Step& step : run_.steps) sources.push_back(step.vertex), found.push_back(step.value);
    checkpoint_.save(StateWriter()
                         .put(run_.searches)
                         .put(round_lower_)
                         .put(round_upper_)
                         .put(sources)
                         .put(found)
                         .sealed());
  }
  void restore(const std::vector<unsigned char>& saved) {
    std::vector<Distance> lower, upper, found;
    std::vector<Vertex> sources;
    StateReader reader(saved);
    reader.get(run_.searches).get(lower).get(upper).get(sources).get(found).finish();
    check_bounds(reader, lower, upper);
    // Every search is a step; a few sources were searched a second time.
    reader.require(!sources.empty() && found.size() == sources.size(),
                   "its searches do not go together");
    reader.require(run_.searches >= sources.size() && run_.searches / 2 <= sources.size(),
                   "it counts other searches than it has");
    for (std::size_t i = 0; i < sources.size(); ++i) {
      reader.require(sources[i] < lower.size(), "a source is no vertex");
      const Distance least = lower[sources[i]], most = upper[sources[i]];
      reader.require(least == found[i] && most == found[i],
                     "a source has other bounds than it showed");
    }
    check_search(reader, sources.front(), lower, upper);
    check_upper(reader, sources, upper);
    check_some(reader, sources, lower, upper);
    bounds_.restore(lower, upper);
    for (std::size_t i = 0; i < sources.size(); ++i)
      run_.steps.push_back({Step::Rule::eccentricity, sources[i], found[i]});
    candidates_ = bounds_.prune(question_);
    run_.bounds = bounds_.summary();
  }

  // Bounds from searches are in range, and change by at most one from a vertex to its neighbour:
  // engines count on it.
  void check_bounds(const StateReader& reader, std::span<const Distance> lower,
                    std::span<const Distance> upper) const {
    const Graph& graph = engine_.graph();
    const Vertex order = graph.order();
    reader.require(lower.size() == order && upper.size() == order,
                   "it has bounds for another number of vertices");
    for (Vertex v = 0; v < order; ++v)
      reader.require(lower[v] <= upper[v] && upper[v] <= order, "a bound is out of range");
    const auto near = [](Distance a, Distance b) { return a <= b + 1 && b <= a + 1; };
    for (Vertex v = 0; v < order; ++v)
      for (const Vertex u : graph.neighbors(v))
        reader.require(near(lower[u], lower[v]) && near(upper[u], upper[v]),
                       "the bounds of neighbours are too far apart");
  }

  // They follow from searches: at least what the first one shows, taken again, and nothing against
  // it.
  void check_search(const StateReader& reader, Vertex source, std::span<const Distance> lower,
                    std::span<const Distance> upper) {
    const Search search = engine_.search(source);
    require_connected(engine_, search);
    const Distance e = search.eccentricity;
    reader.require(e == lower[source], "a source has another eccentricity");
    engine_.distances(std::span(&source, 1), [&](Vertex, std::span<const Distance> row) {
      for (std::size_t v = 0; v < row.size(); ++v) {
        const Distance d = row[v], least = std::max(d, e - d);
        reader.require(least <= lower[v] && upper[v] <= e + d,
                       "a bound is not what its searches show");
      }
    });
  }

  // An upper bound is that of a source, or one more than a neighbour's: no others fit the sources.
  void check_upper(const StateReader& reader, std::span<const Vertex> sources,
                   std::span<const Distance> upper) const {
    const Graph& graph = engine_.graph();
    std::vector<bool> is_source(graph.order(), false);
    for (const Vertex source : sources) is_source[source] = true;
    for (Vertex v = 0; v < graph.order(); ++v) {
      Distance shown = is_source[v] ? upper[v] : graph.order();
      for (const Vertex u : graph.neighbors(v)) shown = std::min(shown, upper[u] + 1);
      reader.require(upper[v] == shown, "a bound is not what its searches show");
    }
  }

  // Sources, and others that are decided, searched again.
  void check_some(const StateReader& reader, std::span<const Vertex> sources,
                  std::span<const Distance> lower, std::span<const Distance> upper) {
    std::vector<bool> is_source(lower.size(), false);
    for (const Vertex source : sources) is_source[source] = true;
    std::vector<Vertex> decided;
    for (Vertex v = 0; v < lower.size(); ++v)
      if (!is_source[v] && lower[v] == upper[v]) decided.push_back(v);
    std::vector<Vertex> again = any_of(sources);
    for (const Vertex v : any_of(decided)) again.push_back(v);
    const auto found = engine_.summarize(again);
    for (std::size_t i = 0; i < again.size(); ++i)
      reader.require(found[i].eccentricity == lower[again[i]],
                     "a vertex has another eccentricity when it is searched again");
  }

  Engine& engine_;
  EccentricityBounds& bounds_;
  CandidateSets& candidate_sets_{engine_.candidates()};
  Question question_;
  Observer& observer_;
  CheckpointStore& checkpoint_;
  CostModel cost_{engine_.batch_costs()};
  std::size_t batch_size_ = engine_.batch_costs().sources;
  BoundingRun run_;
  Vertex candidates_ = kNoVertex;
  std::vector<SourceOutcome> outcomes_;
  std::vector<Distance> round_lower_, round_upper_;  // after the latest round, if they are saved
};

BoundingRun bounded(Engine& engine, Question question, Selection selection, Observer& observer) {
  engine.bounds().reset();
  const Vertex start = engine.bounds().select(Select::largest_upper,
                                              kLatest);  // nothing is known: the highest degree
  BoundingRun run = takes_kosters(engine, question, start, selection, observer);
  if (run.searches > 0) engine.release(run.longest_distances);
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

Eccentricities to_eccentricities(Engine& engine, BoundingRun run) {
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

void require_bounds(const Engine& engine) {
  if (engine.graph().order() == 0)
    throw UsageError("the eccentricities of a graph without vertices are undefined");
  require_undirected(engine.graph(), "eccentricity by bounds");
}

}  // namespace

Eccentricities eccentricities(Engine& engine, Question question, Selection selection,
                              Observer& observer) {
  CheckpointStore no_checkpoint;
  if (selection == Selection::together)
    return eccentricities(engine, question, observer, no_checkpoint);
  require_bounds(engine);
  return to_eccentricities(engine, bounded(engine, question, selection, observer));
}

Eccentricities eccentricities(Engine& engine, Question question, Observer& observer,
                              CheckpointStore& checkpoint) {
  require_bounds(engine);
  if (few_stand_for_all(engine, question)) {
    checkpoint.load();  // of no use, but one that is not there is an error all the same
    return eccentricities_by_residues(engine, observer);
  }
  return to_eccentricities(engine, BatchedBounding(engine, question, observer, checkpoint).run());
}

namespace {

void restore(const std::vector<unsigned char>& saved, Engine& engine,
             ForwardEccentricities& result) {
  const Graph& graph = engine.graph();
  StateReader reader(saved);
  reader.get(result.sources).get(result.value).get(result.reached).finish();
  reader.require(result.sources <= graph.order(), "it has more sources than there are");
  reader.require(result.value.size() == result.sources && result.reached.size() == result.sources,
                 "it has other sources than it counts");
  const Components parts = components(graph);
  std::vector<Vertex> done(result.sources);
  std::iota(done.begin(), done.end(), Vertex{0});
  for (const Vertex v : done) {
    const Vertex near = 1 + graph.degree(v), reached = result.reached[v];
    const Distance e = result.value[v], least = reached > near ? 2 : near > 1 ? 1 : 0;
    reader.require(near <= reached && (near > 1 || reached == 1) &&
                       reached <= parts.orders[parts.of[v]] && least <= e &&
                       e <= reached - near + std::min(least, Distance{1}),
                   "an eccentricity is out of range");
  }
  constexpr std::size_t kLeast = 16, kShare = 64;  // batches make a share of the sources cheap
  const auto again = any_of(done, std::max(kLeast, done.size() / kShare));
  const auto found = engine.summarize(again);
  for (std::size_t i = 0; i < again.size(); ++i)
    reader.require(found[i].eccentricity == result.value[again[i]] &&
                       found[i].reached == result.reached[again[i]],
                   "a vertex has another eccentricity when it is searched again");
}

}  // namespace

ForwardEccentricities forward_eccentricities(Engine& engine, Observer& observer,
                                             CheckpointStore& checkpoint) {
  ForwardEccentricities result;
  if (const auto saved = checkpoint.load(); !saved.empty()) restore(saved, engine, result);
  std::vector<Vertex> all_vertices(engine.graph().order());
  std::iota(all_vertices.begin(), all_vertices.end(), Vertex{0});
  result.finished = for_chunks(
      engine, all_vertices, engine.batch_costs().sources, result.sources, observer, checkpoint,
      [&](std::size_t, std::span<const Vertex> part) {
        for (const Summary& each : engine.summarize(part)) {
          result.value.push_back(each.eccentricity);
          result.reached.push_back(each.reached);
        }
      },
      [&] {
        checkpoint.save(
            StateWriter().put(result.sources).put(result.value).put(result.reached).sealed());
      });
  return result;
}

Witness farthest_path(Engine& engine, Vertex from) {
  const Search search = engine.search(from);
  return {from, search.farthest, engine.path(kLatest, search.farthest)};
}

}  // namespace antipode
