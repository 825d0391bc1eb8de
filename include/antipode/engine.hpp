// The narrow waist. Measures choose sources and reason; engines traverse. An engine is one graph
// resident on one machine; each call covers a whole search or a whole batch, so that the
// abstraction costs nothing, and rows of distances stay where they were computed.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// One breadth-first search. Unreached vertices count nowhere.
struct Search {
  Vertex source = kNoVertex;
  Distance eccentricity = 0;
  Vertex farthest = kNoVertex;  // the first vertex (by number) at that distance
  Vertex reached = 0;           // the source included
  std::uint64_t distance_sum = 0;
  std::vector<Vertex> level_sizes;  // vertices at distance 0, 1, …
};

// One level of a search, done by a thread for each vertex and by a warp for each vertex: what Dal,
// Kosters and Takes compare.
struct LevelTrace {
  Vertex active = 0, left = 0;  // vertices at this level, and not yet reached
  double thread_seconds = 0, warp_seconds = 0;
};

struct Summary {
  Distance eccentricity = 0;
  Vertex reached = 0;
  std::uint64_t distance_sum = 0;
  friend bool operator==(const Summary&, const Summary&) = default;
};

// A row of distances held by the engine. kLatestRow is the row of the latest search, valid until
// the next one.
enum class Row : std::uint32_t {};
inline constexpr Row kLatestRow{0};

using RowSink = std::function<void(Vertex source, std::span<const Distance> row)>;

// What is asked decides which vertices still matter.
enum class Question { diameter, radius, center, periphery, eccentricity };

// Rules for the next source. Ties go to the higher degree, then to the smaller number.
enum class Select {
  largest_upper,       // a candidate that may be far from something
  smallest_lower,      // a candidate that may be near to everything
  largest_difference,  // a candidate of which least is known
  farthest,            // a candidate far from the given row's source
  outside_upper,  // a candidate outside the ball: largest upper bound, then largest lower bound
  central  // any vertex not searched yet: small lower bound, and near to the given row's source
};

enum class Among { candidates, outside };  // outside: candidates that are not in the ball

// How far the farthest of them is from a source; 0 when there is none.
struct Reach {
  Distance candidates = 0, outside = 0;
};

// The eccentricity of a source, and what was known of it before it was searched.
struct Settled {
  Distance eccentricity = 0, lower_before = 0;
};

// A row that let some candidates go: by its reach among all of them, or among those outside the
// ball.
struct Shrink {
  std::size_t row = 0;  // its place in the list
  Among among = Among::candidates;
  Distance reach = 0;
};

// What a search has shown.
struct Absorbed {
  Distance reach = 0;  // to the farthest candidate
  std::optional<std::size_t>
      center;          // which of the rows the ball is around now; none: it is what it was
  Vertex outside = 0;  // candidates left there
};

struct Explored {
  Search search;
  Row row{};
  Absorbed absorbed;
};

struct SweepPlan {
  bool may_move = true;  // the ball: it may be around the second
  // What is likely to be asked for next is the middle of the second's path, if more than
  // `worth_middle` are left outside; but not if that path has an odd length and one in `few_share`
  // or fewer are left.
  Vertex worth_middle = kNoVertex, few_share = 0;
  constexpr bool expects_middle(Distance lower, Vertex outside, Vertex order) const {
    return outside > worth_middle &&
           (few_share == 0 || lower % 2 == 0 || outside * std::uint64_t{few_share} > order);
  }
};

struct Middle {
  std::vector<Vertex> path;
  std::optional<Explored> explored;  // its middle
};

// What every vertex has received from sources that reach it, added up over as many requests as you
// like. Inverses of distances are added as whole numbers, in units of 1 / unit, so that neither the
// order nor the engine makes a difference.
struct Received {
  explicit Received(Vertex order)
      : sources(order, 0),
        farthest(order, 0),
        sum(order, 0),
        inverse_sum(order, 0),
        unit(std::uint64_t{1} << (63 - std::bit_width(order))) {}
  std::vector<Vertex> sources;  // how many
  std::vector<Distance> farthest;
  std::vector<std::uint64_t> sum, inverse_sum;  // of distances other than 0
  std::uint64_t unit;
};
constexpr std::uint64_t inverse_of(Distance distance, std::uint64_t unit) {
  return (unit + distance / 2) / distance;
}

// How much passes through vertices and along arcs when every source sends to every vertex it
// reaches, in equal shares along all shortest paths: see docs/definitions.md, "Betweenness".
struct Flow {
  std::vector<double> vertices;  // one each
  std::vector<double>
      arcs;  // one for every arc, in the order of the graph's rows; empty: not wanted
};

struct BoundsSummary {
  Distance max_lower = 0, max_upper = 0, min_lower = 0, min_upper = 0;  // over all vertices
  Vertex candidates = 0;
};

// What is known of every vertex, kept beside the rows: a lower and an upper bound of its
// eccentricity, whether it is still a candidate, and whether it lies in the ball. The measures say
// which fact follows from which search. The graph must be connected: an unreached vertex has no
// bounds.
class Bounds {
 public:
  virtual ~Bounds() = default;

  virtual void reset() = 0;  // lower 0, upper the order, all candidates, no ball
  // From a search with eccentricity e: lower >= max(d, e - d) and upper <= d + reach. With reach =
  // e both bound the eccentricity; with the largest distance to a candidate, `upper` bounds the
  // distance to candidates alone.
  virtual void tighten(Row row, Vertex source, Distance eccentricity, Distance reach) = 0;
  virtual BoundsSummary summary() const = 0;
  virtual Vertex prune(Question question) = 0;  // drops the candidates that cannot change the
                                                // answer; returns those left
  virtual Vertex select(Select rule, Row row) const = 0;  // kNoVertex when nothing is eligible
  virtual void copy(std::span<Distance> lower, std::span<Distance> upper) const = 0;
  virtual void restore(
      std::span<const Distance> lower,
      std::span<const Distance> upper) = 0;  // as after reset and what gave these bounds

  // Elimination for the diameter: see docs/definitions.md, "Why it is exact".
  virtual Vertex count(Among among) const = 0;
  virtual bool is_candidate(Vertex v) const = 0;
  virtual Distance max_upper(Among among) const = 0;  // 0 when there is none
  virtual Distance reach(Row row,
                         Among among) const = 0;  // largest distance to one of them, 0 when none
  virtual void tighten_candidates(
      Row row, Distance reach) = 0;       // as tighten, upper bounds of candidates alone
  virtual void drop(Distance limit) = 0;  // candidates with upper <= limit
  virtual void drop_inside(Row row, Distance reach,
                           Distance limit) = 0;  // those in the ball with d + reach <= limit
  virtual std::vector<Vertex> count_beyond(std::span<const Row> rows, Distance radius)
      const = 0;  // for each: candidates farther than radius
  virtual void set_ball(Row row, Distance radius) = 0;
  // The ball grows by what is within `radius` of the clique around its centre, whose row this is.
  virtual void widen_ball(Row row, Distance radius, std::span<const Vertex> clique) = 0;

  // Sets the ball around the first of these rows that leaves fewest candidates outside. Returns its
  // place in the list.
  virtual std::size_t choose_ball(std::span<const Row> centers, Distance radius);
  // A search and all that follows from it, in one request: drop, reach, tighten and drop again;
  // then, if some candidates are outside the ball still, choose_ball with half the limit.
  virtual Absorbed absorb(Row row, Vertex source, Distance eccentricity, Distance limit,
                          std::span<const Row> centers);
  // For each row: reach, tighten_candidates and drop; reach outside the ball and drop_inside. Then
  // again, at most so many rounds, as long as that lets candidates go and some lie outside. Returns
  // what did, in order.
  virtual std::vector<Shrink> refine(std::span<const Row> rows, Distance limit, int rounds);

  // Drops the stems: vertices on a chain that ends in a leaf, and those it hangs on, but no leaf.
  // Returns the candidates left.
  virtual Vertex drop_stems() = 0;
  // Of candidates with the same neighbours only the first stays. Returns the candidates left.
  virtual Vertex drop_twins() = 0;

  // Candidates none of whose neighbours has a smaller lower bound, the first `most` of them. Where
  // lower bounds are exact, these are the vertices that no search but their own can settle: see
  // docs/definitions.md, "All eccentricities".
  virtual std::vector<Vertex> lowest(std::size_t most) const = 0;
  // As tighten from each of the sources, many searches at once.
  virtual std::vector<Settled> settle(std::span<const Vertex> sources) = 0;

  // A batch: many searches at once, of which only their reach is kept. Lower bounds, of candidates
  // at least, rise to the distances seen.
  virtual std::size_t batch_size() const = 0;  // sources that one batch takes
  virtual std::vector<Vertex> sample(Among among, std::size_t most, std::uint64_t seed) const = 0;
  virtual std::vector<Reach> reach(std::span<const Vertex> sources) = 0;
  // As tighten_candidates and drop from each of the sources with its reach, and drop_inside from
  // each with its reach outside, by one search in which a source starts at the level of its reach.
  virtual void drop_around(std::span<const Vertex> sources, std::span<const Reach> reaches,
                           Distance limit) = 0;
};

// What a batch costs an engine, in searches: measured for each kind of engine, and only where a
// cost model starts from.
struct BatchCosts {
  double fixed = 1;  // a batch of no lanes
  double lane = 1;   // each lane, where all levels are wide
  double lane_and_level =
      0;                 // more for every level: lanes share work only where their frontiers meet
  double most_lane = 1;  // but never more than this
  double patience = 1;   // single searches are tried for 1 / this of a batch's cost first
  double apart = 1;  // a lane of a batch that counts levels for each of its lanes, in lanes of one
                     // that counts for all together
  std::size_t abreast = 1;  // so many searches at once take about as long as one
};

// Adds a level of a source to what those that it stands for have.
template <class Weights>
void add_weighted(const Weights& weights, std::size_t level, std::uint64_t count,
                  std::vector<std::uint64_t>& sums) {
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0) continue;
    if (sums.size() <= level + k) sums.resize(level + k + 1, 0);
    sums[level + k] += weights[k] * count;
  }
}

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string_view name() const = 0;
  virtual std::string description() const = 0;
  virtual const Graph& graph() const = 0;

  virtual Search search(Vertex source) = 0;
  virtual Row keep() = 0;  // the latest row, now valid until released
  // A search, its row kept, and what it shows absorbed by the bounds, in one request. The limit is
  // `lower` or the eccentricity found, if that is larger; among the centers kLatestRow is this
  // search's row.
  virtual Explored explore(Vertex source, Distance lower, std::span<const Row> centers);
  // The source explored; and where that needs no wait between them, and somebody is left outside
  // the ball, the farthest vertex it found. The ball is around the first, or may move. Arcs have no
  // direction. What the plan expects to be asked for next may have been begun already.
  virtual std::vector<Explored> sweep(Vertex source, const SweepPlan& plan);
  // A shortest path from the row's source to the vertex, and its middle explored, unless that is
  // one of those known.
  virtual Middle explore_middle(Row row, Vertex to, Distance lower, std::span<const Row> centers,
                                std::span<const Vertex> known);
  virtual void release(Row row) = 0;
  virtual std::vector<Vertex> path(
      Row row, Vertex to) const = 0;  // a shortest path from the row's source; empty if none

  // A clique that holds the vertex, found without much effort: neighbours of high degree, each
  // taken if it is adjacent to all before. How many are tried is the engine's affair. Arcs have no
  // direction.
  virtual std::vector<Vertex> clique(Vertex around) const;

  virtual void distances(std::span<const Vertex> sources, const RowSink& sink) = 0;
  virtual std::vector<Summary> summarize(std::span<const Vertex> sources) = 0;
  virtual Bounds& bounds() = 0;
  // How many vertices are at each distance from the sources, summed over them: [0] counts the
  // sources.
  virtual std::vector<std::uint64_t> distribution(std::span<const Vertex> sources) = 0;
  // The same of all that the sources stand for: weights[i][k] vertices have the distances of
  // sources[i], each k more.
  using Weights = std::array<Vertex, 9>;
  virtual std::vector<std::uint64_t> weighted_distribution(std::span<const Vertex> sources,
                                                           std::span<const Weights> weights) = 0;
  // Adds the sources to what every vertex has received. An interrupted request leaves nonsense
  // there.
  virtual void receive(std::span<const Vertex> sources, Received& received) = 0;

  // Adds what passes when a source s sends weight(s) weight(t) to every t; what starts or ends at a
  // vertex does not pass it. The same sources in the same order give the same sums, bit for bit,
  // whatever the threads. An interrupted request leaves nonsense.
  virtual void add_flow(std::span<const Vertex> sources, std::span<const double> weights,
                        Flow& flow);
  virtual std::size_t batch_size() {
    return bounds().batch_size();
  }  // sources that one request handles together
  virtual BatchCosts batch_costs() const { return {}; }
  virtual void finish() {}  // waits until everything asked for is done: for clocks
  virtual std::vector<LevelTrace> trace(
      Vertex source);  // UsageError where the engine knows no such levels

  // Asked between levels or between searches, from any thread; when it says yes the request ends
  // with Interrupted and the engine stays usable.
  void interrupt_when(std::function<bool()> stop) { stop_ = std::move(stop); }

 protected:
  bool interrupted() const { return stop_ && stop_(); }

 private:
  std::function<bool()> stop_;
};

struct EngineOptions {
  unsigned threads = 0;            // 0: one per core
  std::uint64_t memory_limit = 0;  // bytes; 0: what the machine has
  std::string kernel = "auto";     // how it searches: one of the engine's kernels
  std::string layout = "lists";  // of the adjacency for kernels that know several: lists or matrix
  std::string device =
      {};  // where an engine has several: a number or a part of a name; empty: the first
};

struct DeviceInfo {
  std::size_t number = 0;
  std::string platform, name, version, driver;
  std::uint64_t memory = 0;  // bytes
};

struct EngineInfo {
  std::string name;
  bool usable = false;
  std::string detail;                           // what it runs on, or why it cannot
  std::vector<std::string> kernels = {"auto"};  // what EngineOptions::kernel may name
  std::vector<DeviceInfo> devices = {};         // what EngineOptions::device may name
  bool anneals = false;                         // there is a PartEngine of this name, too
};

std::vector<EngineInfo> engines();  // best first
// `name` may be "auto": the best usable one. A named engine that is missing is a DeviceError, never
// a fallback.
std::unique_ptr<Engine> make_engine(std::string_view name, const Graph& graph,
                                    const EngineOptions& options = {});

}  // namespace antipode
