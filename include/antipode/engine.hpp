// The narrow waist. Measures choose sources and reason; engines traverse. An engine is one graph
// resident on one machine. Each call covers a whole search or a whole batch, so that the
// abstraction costs nothing, and distances stay where they were computed.
//
// A new engine implements seven functions. All others have defaults on the host (src/engine/host);
// an engine overrides those that it can do faster.
#pragma once

#include <array>
#include <bit>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "antipode/bounds.hpp"
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

struct Summary {
  Distance eccentricity = 0;
  Vertex reached = 0;
  std::uint64_t distance_sum = 0;
  friend bool operator==(const Summary&, const Summary&) = default;
};

using DistanceSink = std::function<void(Vertex source, std::span<const Distance> distances)>;

// Accumulators: what `accumulate` adds up over sources. An interrupted request leaves them
// undefined.

// [k]: so many vertices have the distances of a source, each k more.
using Multiplicities = std::array<Vertex, 9>;

// How many vertices are at each distance from the sources: [0] counts the sources. With
// multiplicities, one for each source: the same of all vertices that the sources stand for.
struct DistanceCounts {
  std::vector<std::uint64_t> vertices;
  std::span<const Multiplicities> multiplicities = {};

  // Adds `count` vertices at distance `level` of source number i.
  void add(std::size_t i, std::size_t level, std::uint64_t count);
  void add(std::span<const std::uint64_t> counts);
};

// Of every vertex: the sources that reach it, and their distances. Inverses of distances are added
// as whole numbers, in units of 1 / unit, so that neither the order nor the engine makes a
// difference.
struct DistanceSums {
  explicit DistanceSums(Vertex order)
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

// Dependencies of vertices and arcs when every source s sends weight(s) weight(t) to every vertex t
// that it reaches, in equal shares along all shortest paths [Brandes 2001]. What starts or ends at
// a vertex does not pass it. The same sources in the same order give the same sums, bit for bit,
// whatever the number of threads.
struct Dependencies {
  std::vector<double> vertices;  // one each
  std::vector<double> arcs;  // one for every arc, in the order of the adjacency; empty: not wanted
  std::span<const double> weights = {};  // of every vertex
};

using Accumulator = std::variant<DistanceCounts*, DistanceSums*, Dependencies*>;

// Where a search of a chain starts.
struct SearchFrom {
  enum class Kind {
    vertex,                // at `vertex`
    farthest_of_previous,  // at the farthest vertex that the search before it found
    midpoint               // at the midpoint of a shortest path, from the source of `distances` to
                           // `vertex`
  };
  Kind kind = Kind::vertex;
  Vertex vertex = kNoVertex;
  DistanceHandle distances = kLatest;
};

// When the next request is likely to be the midpoint of the last search's longest path: more than
// `worth_midpoint` candidates are left outside the ball, and either its length is even or more than
// one in `few_share` vertices are. An engine may begin with that search before it is requested.
struct LookAhead {
  Vertex worth_midpoint = kNoVertex, few_share = 0;
  constexpr bool expects_midpoint(Distance lower, Vertex outside, Vertex order) const {
    return outside > worth_midpoint &&
           (few_share == 0 || lower % 2 == 0 || outside * std::uint64_t{few_share} > order);
  }
};

// One or several searches, each followed by CandidateSets::apply_search. The limit of that is
// `lower`, or the largest eccentricity found in the chain if that is larger.
struct SearchChain {
  std::vector<SearchFrom> starts;
  Distance lower = 0;  // length of the longest path known
  // Centers the ball may have; kLatest is the search at hand. A later search of the chain adds
  // itself only if the ball may move.
  std::vector<DistanceHandle> centers = {kLatest};
  enum class Ball { may_move, stays } ball = Ball::may_move;
  std::vector<Vertex> known = {};  // a midpoint among these is not searched again
  LookAhead look_ahead = {};
};

struct Probe {
  Search search;               // its source is kNoVertex if a midpoint was known
  DistanceHandle distances{};  // retained
  SearchEffect effect;
  std::vector<Vertex> path;  // to find a midpoint: the path
  bool is_searched() const { return search.source != kNoVertex; }
};

// What a batch of searches costs an engine, in single searches: measured for each kind of engine,
// and only where a cost model starts from.
struct BatchCosts {
  std::size_t sources = 64;     // that one batch takes
  double fixed = 1;             // a batch without sources
  double source = 1;            // each source, where all levels are wide
  double source_and_level = 0;  // more for every level: searches share work where frontiers meet
  double most_source = 1;       // but never more than this
  double patience = 1;          // single searches are tried for 1 / this of a batch's cost first
  double apart = 1;  // a source of a batch that counts levels for each source, in sources of one
                     // that counts them for all together
  std::size_t concurrent = 1;  // so many searches at once take about as long as one
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

class Engine {
 public:
  Engine();
  virtual ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  virtual EngineInfo info() const = 0;  // its name, and what it runs on
  virtual const Graph& graph() const = 0;
  virtual Search search(Vertex source) = 0;
  virtual DistanceHandle retain() = 0;  // the latest distances, now valid until released
  virtual void release(DistanceHandle distances) = 0;
  virtual void read(DistanceHandle distances, std::span<Distance> out) const = 0;
  virtual std::vector<Summary> summarize(std::span<const Vertex> sources) = 0;

  // A shortest path from the source of the distances; empty if there is none.
  virtual std::vector<Vertex> path(DistanceHandle distances, Vertex to) const;
  virtual void distances(std::span<const Vertex> sources, const DistanceSink& sink);
  virtual void accumulate(std::span<const Vertex> sources, Accumulator sums);
  virtual EccentricityBounds& bounds();
  virtual CandidateSets& candidates();  // share their state with the bounds
  // The searches of the chain, until no candidate is left outside the ball. An engine may return
  // fewer than it could, but at least one; so does an interruption after the first.
  virtual std::vector<Probe> probe(const SearchChain& chain);
  // A clique that holds the vertex, found by a greedy search among neighbours of high degree.
  virtual std::vector<Vertex> clique(Vertex around) const;
  virtual BatchCosts batch_costs() const { return {}; }

  // Asked between levels or between searches, from any thread; when it says yes the request ends
  // with Interrupted and the engine stays usable.
  void interrupt_when(std::function<bool()> stop) { stop_ = std::move(stop); }

 protected:
  bool interrupted() const { return stop_ && stop_(); }

 private:
  std::function<bool()> stop_;
  struct HostState;  // what the defaults keep, made when it is first wanted
  std::unique_ptr<HostState> host_;
  HostState& host();
};

std::vector<EngineInfo> engines();  // best first
// `name` may be "auto": the best usable one. A named engine that is missing is a DeviceError, never
// a fallback.
std::unique_ptr<Engine> make_engine(std::string_view name, const Graph& graph,
                                    const EngineOptions& options = {});

}  // namespace antipode
