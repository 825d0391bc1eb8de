// The questions Antipode answers, each a fold over searches. Results carry their witness, the work
// done and the facts that prove them; graphs must be connected (see components in graph.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "antipode/engine.hpp"
#include "antipode/graph.hpp"

namespace antipode {

struct Progress {
  Length lower = 0, upper = 0;  // both 0: nothing is bounded
  std::uint64_t searches = 0;   // lanes of batches included
  Vertex candidates = 0;
};

// Receives progress and decides whether to continue. stop() may be called from any thread.
class Observer {
 public:
  virtual ~Observer() = default;
  // Whether the observer measures times only. Then the answer is not used, and its sources
  // are taken from all over the list.
  virtual bool only_times() const { return false; }
  virtual void progress(const Progress&) {}
  virtual bool stop() { return false; }
};

// Saves the state of a long measure, and returns it to the same question about the same graph. The
// state is the measure's own affair.
class CheckpointStore {
 public:
  virtual ~CheckpointStore() = default;
  virtual bool is_active() const { return false; }  // otherwise nothing is saved
  virtual bool is_due() { return false; }
  virtual void save(std::span<const unsigned char>) {}
  virtual std::vector<unsigned char> load() { return {}; }  // empty: nothing
};

// A shortest path as long as the answer claims.
struct Witness {
  Vertex from = kNoVertex, to = kNoVertex;
  std::vector<Vertex> path;
};

// One step of a proof, in the order taken. Which bound follows is written in docs/definitions.md.
struct Step {
  enum class Rule {
    eccentricity,   // the eccentricity of `vertex` is `value`
    reach,          // every candidate is within `value` of `vertex`
    reach_outside,  // every candidate outside the ball is within `value` of `vertex`
    batch,          // by a batch: both of these
    ball,  // the ball is centred at `vertex`, and widened around the clique `group` if there is one
    twins,         // all but one of each set of twins are dropped
    pendant_paths  // bases of pendant paths are dropped
  };
  Rule rule;
  Vertex vertex = kNoVertex;
  Distance value = 0;
  std::vector<Vertex> group = {};
};

enum class Strategy { automatic, takes_kosters, sweep, exhaustive };
enum class Start { degree, random };
enum class Selection {
  interchange,
  difference,
  farthest,
  together
};  // together: many sources at once, for eccentricities()
enum class Batching { by_cost, always, never };

struct DiameterOptions {
  Strategy strategy = Strategy::automatic;
  Start start = Start::degree;                   // takes_kosters
  Selection selection = Selection::interchange;  // takes_kosters
  std::uint64_t seed = 1;                        // random starts
  Batching batching = Batching::by_cost;         // automatic
  std::size_t most_per_batch = 0;  // automatic: sources in a batch; 0: as many as the engine takes
  std::size_t concurrent =
      0;  // automatic: sources in a batch that takes the place of a search; 0: as the engine says
};

struct Diameter {
  Distance lower = 0, upper = 0;  // equal when the search was not stopped
  bool exact() const { return lower == upper; }
  Witness witness;                       // of length `lower`; empty before the first search
  std::uint64_t searches = 0;            // one at a time
  std::uint64_t batches = 0, lanes = 0;  // many at once: how often, how many in all
  std::vector<Step> steps;
};

Diameter diameter(Engine& engine, const DiameterOptions& options, Observer& observer);

// Bounds of all eccentricities, closed as far as the question needs: all of them for
// `eccentricity`; for the others those that decide radius, center or periphery.
struct Eccentricities {
  std::vector<Distance> lower, upper;
  bool exact = false;  // the question is decided
  std::uint64_t searches = 0;
  std::vector<Step> steps;  // of rule `eccentricity` alone

  Distance radius_lower() const;
  Distance radius_upper() const;
  Distance diameter_lower() const;
  Distance diameter_upper() const;
};

// `together` searches many candidates at once when that pays; all eccentricities by as few searches
// as the graph allows.
Eccentricities eccentricities(Engine& engine, Question question, Selection selection,
                              Observer& observer);
Eccentricities eccentricities(Engine& engine, Question question, Observer& observer,
                              CheckpointStore& checkpoint);  // together

std::uint64_t most_sources(
    Engine& engine, Question question);  // that are searched in the worst case; they stand for all

// How far each vertex reaches along the arcs of a directed graph, by a search from every one; those
// it does not reach do not count.
struct ForwardEccentricities {
  std::vector<Distance> value;
  std::vector<Vertex> reached;  // by each, itself included
  Vertex sources = 0;           // searched
  bool finished = false;
};
ForwardEccentricities forward_eccentricities(Engine& engine, Observer& observer,
                                             CheckpointStore& checkpoint);

// How far apart vertices are on average. All counts are of ordered pairs of different vertices, (u,
// v) and (v, u).
struct Average {
  std::vector<std::uint64_t> pairs;                       // at distance 0 (none), 1, 2, …
  std::uint64_t reachable = 0, unreachable = 0, sum = 0;  // of the sources searched
  Vertex sources = 0;    // counted; all of them, unless sampled or stopped
  bool sampled = false;  // an estimate, once finished
  bool finished =
      false;  // otherwise stopped early: what is counted is true of the first sources alone
  bool exact() const { return finished && !sampled; }
  // Sampled: half the width of a 95 % confidence interval of the mean; none from one source, nor
  // where all are alike, nor where a few of them make most of the difference.
  std::optional<double> error;

  double mean() const {
    return reachable == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(reachable);
  }
  double variance() const;
  Distance median() const;  // the least distance within which half of the reachable pairs lie
  double effective_diameter(double share) const;  // see docs/definitions.md
  Distance diameter() const { return pairs.empty() ? 0 : static_cast<Distance>(pairs.size() - 1); }
};

// `samples` = 0: all sources, exactly. Otherwise so many drawn without repeats, and an estimate.
// The graph need not be connected.
Average average(Engine& engine, std::size_t samples, std::uint64_t seed, Observer& observer);
Average average(Engine& engine, std::size_t samples, std::uint64_t seed, Observer& observer,
                CheckpointStore& checkpoint);
std::uint64_t sources_of_average(const Engine& engine);  // that are searched; they stand for all

// How near every vertex is to those it reaches. The graph need not be connected.
struct Closeness {
  DistanceSums sums;   // from all vertices, if finished
  Vertex sources = 0;  // searched
  bool finished = false;

  // Of n vertices v reaches r others, at distances that sum to s: (r / s) (r / (n - 1)), or r / s
  // alone if not scaled; 0 if r = 0.
  double closeness(Vertex v, bool scaled) const;
  double harmonic(Vertex v) const;  // the sum of 1 / distance
};
Closeness closeness(Engine& engine, Observer& observer, CheckpointStore& checkpoint);

// The `count` vertices with the smallest sum of distances, nearest first; of equal ones those with
// the smaller numbers. The graph must be connected. Vertices that cannot be among them are not
// searched.
struct Central {
  Vertex vertex = kNoVertex;
  std::uint64_t distance_sum = 0;
};
struct MostCentral {
  std::vector<Central> vertices;
  std::uint64_t searches = 0;
  bool finished = false;
};
MostCentral most_central(Engine& engine, std::size_t count, Observer& observer);

// The share of shortest paths between others that passes a vertex or an edge, summed over unordered
// pairs.
struct Betweenness {
  std::vector<double> vertices;
  struct EdgeValue {
    Edge edge;
    double value;
  };
  std::vector<EdgeValue> edges;  // each once, from < to; empty if not asked for
  Vertex sources = 0;            // searched
  Vertex counted = 0;            // of these: those that the values are from
  Vertex all_sources = 0;        // that an exact answer takes
  bool sampled = false;          // scaled up from some of the sources: an estimate
  bool finished = false;         // otherwise stopped early: an estimate, if there are values
  // Of an estimate: every value divided by the number of pairs is within this of the exact one,
  // with probability 1 - delta.
  std::optional<double> epsilon;
  double delta = 0.1;
};

// From the core of a graph, whose vertices the engine has: exactly from all of them, or estimated
// from `samples` of them drawn without repeats. Sampling wants a core without folding. Sources come
// in a random order, so that a run that is stopped has a sample of them.
struct BetweennessOptions {
  bool edges = false;
  std::size_t samples = 0;  // 0: all
  std::uint64_t seed = 1;
};
Betweenness betweenness(Engine& engine, const Core& core, const BetweennessOptions& options,
                        Observer& observer, CheckpointStore& checkpoint);

// So many sources, drawn without repeats, put every one of `values` normalized values within
// epsilon of the exact one, with probability at least 1 - delta: see docs/definitions.md,
// "Betweenness". At most `order`, which is all of them.
std::size_t sources_for(double epsilon, double delta, Vertex order, std::uint64_t values);

// Gives the distances from the sources from number `done` on to the sink, in their order, and
// advances `done`. save() is called when the checkpoint is due; the state is the caller's. Returns
// whether all sources are done.
bool all_distances(Engine& engine, std::span<const Vertex> sources, Vertex& done,
                   const DistanceSink& sink, Observer& observer, CheckpointStore& checkpoint,
                   const std::function<void()>& save);

// A component other than the largest that has vertices farther apart than `diameter`: the one with
// the largest distance found. Exactly, but for components that would take long, and those that are
// left when `stop` says so.
struct WiderComponent {
  Vertex order = 0;  // 0: none is known
  Distance at_least = 0;
  Vertex undecided = 0;  // so many components may be wider still
};
std::optional<WiderComponent> wider_component(const Graph& graph, const Components& components,
                                              Distance diameter,
                                              const std::function<bool()>& stop = nullptr);

// A shortest path from `from` to a vertex farthest from it.
Witness farthest_path(Engine& engine, Vertex from);

}  // namespace antipode
