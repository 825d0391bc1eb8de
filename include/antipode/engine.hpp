// The narrow waist. Measures choose sources and reason; engines traverse. An engine is one graph
// resident on one machine. Each call covers a whole search or batch, so the abstraction costs
// nothing. Distances stay where they were computed.
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

// [k]: number of vertices whose distances are those of a source, each k larger.
using Multiplicities = std::array<Vertex, 9>;

// How many vertices are at each distance from the sources; [0] counts the sources. With
// multiplicities, one entry for each source: counts for all vertices that the sources stand for.
struct DistanceCounts {
  std::vector<std::uint64_t> vertices;
  std::span<const Multiplicities> multiplicities = {};

  // Adds `count` vertices at distance `level` of source number i.
  void add(std::size_t i, std::size_t level, std::uint64_t count);
  void add(std::span<const std::uint64_t> counts);
};

// Of every vertex: how many sources reach it, and sums over their distances. Inverses of distances
// are added as whole numbers, in units of 1 / unit, so that the sums do not depend on the order or
// the engine.
struct DistanceSums {
  explicit DistanceSums(Vertex order)
      : sources(order, 0),
        farthest(order, 0),
        sum(order, 0),
        inverse_sum(order, 0),
        unit(std::uint64_t{1} << (63 - std::bit_width(order))) {}
  std::vector<Vertex> sources;  // number of sources
  std::vector<Distance> farthest;
  std::vector<std::uint64_t> sum, inverse_sum;  // of distances other than 0
  std::uint64_t unit;
};
constexpr std::uint64_t inverse_of(Distance distance, std::uint64_t unit) {
  return (unit + distance / 2) / distance;
}

// Dependencies of vertices and arcs [Brandes 2001]. Every source s sends weight(s) weight(t) to
// every vertex t that it reaches, in equal shares along all shortest paths. Paths do not count for
// their own ends. The same sources in the same order give the same sums, bit for bit, with any
// number of threads.
struct Dependencies {
  std::vector<double> vertices;          // one entry each
  std::vector<double> arcs;              // in the order of the adjacency; empty: not requested
  std::span<const double> weights = {};  // of every vertex
};

using Accumulator = std::variant<DistanceCounts*, DistanceSums*, Dependencies*>;

// Where a search of a chain starts.
struct SearchFrom {
  enum class Kind {
    vertex,                // at `vertex`
    farthest_of_previous,  // at the farthest vertex of the search before
    midpoint               // at the midpoint of a shortest path, from the source of `distances` to
                           // `vertex`
  };
  Kind kind = Kind::vertex;
  Vertex vertex = kNoVertex;
  DistanceHandle distances = kLatest;
};

// The next request is likely to be the midpoint of the last search's longest path, under two
// conditions: more than `worth_midpoint` candidates are outside the ball; and its length is even,
// or more than one in `few_share` vertices are outside. An engine may start that search before it
// is requested.
struct LookAhead {
  Vertex worth_midpoint = kNoVertex, few_share = 0;
  constexpr bool expects_midpoint(Distance lower, Vertex outside, Vertex order) const {
    return outside > worth_midpoint &&
           (few_share == 0 || lower % 2 == 0 || outside * std::uint64_t{few_share} > order);
  }
};

// One or several searches, each followed by CandidateSets::apply_search with the limit `lower`, or
// the largest eccentricity found in the chain if that is larger.
struct SearchChain {
  std::vector<SearchFrom> starts;
  Distance lower = 0;  // length of the longest path known
  // Centers the ball may have; kLatest is the present search. A later search of the chain adds
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
  std::vector<Vertex> path;  // if its source is a midpoint: the path
  bool is_searched() const { return search.source != kNoVertex; }
};

// What a batch of searches costs an engine, in single searches. Measured for each kind of engine; a
// cost model starts from these values.
struct BatchCosts {
  std::size_t sources = 64;     // capacity of one batch
  double fixed = 1;             // a batch without sources
  double source = 1;            // each source, if all levels are wide
  double source_and_level = 0;  // plus this for each level: frontiers meet more rarely
  double most_source = 1;       // at most this for each source
  double patience = 1;          // single searches are tried first, for 1 / this of a batch's cost
  double apart = 1;             // cost factor of a batch that counts levels for each source
  std::size_t concurrent = 1;   // so many concurrent searches take about as long as one
};

struct EngineOptions {
  unsigned threads = 0;            // 0: one per core
  std::uint64_t memory_limit = 0;  // bytes; 0: what the machine has
  std::string kernel = "auto";     // one of EngineInfo::kernels
  std::string layout = "lists";    // of the adjacency, if a kernel has several: lists or matrix
  std::string device = {};         // a number or a part of a name; empty: the first
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
  std::vector<std::string> kernels = {"auto"};  // choices of EngineOptions::kernel
  std::vector<DeviceInfo> devices = {};         // choices of EngineOptions::device
  bool anneals = false;                         // whether there is a PartEngine of this name
};

class Engine {
 public:
  Engine();
  virtual ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  virtual EngineInfo info() const = 0;  // its name and device
  virtual const Graph& graph() const = 0;
  virtual Search search(Vertex source) = 0;
  virtual DistanceHandle retain() = 0;  // the latest distances, valid until released
  virtual void release(DistanceHandle distances) = 0;
  virtual void read(DistanceHandle distances, std::span<Distance> out) const = 0;
  virtual std::vector<Summary> summarize(std::span<const Vertex> sources) = 0;

  // A shortest path from the source of the distances; empty if there is none.
  virtual std::vector<Vertex> path(DistanceHandle distances, Vertex to) const;
  virtual void distances(std::span<const Vertex> sources, const DistanceSink& sink);
  virtual void accumulate(std::span<const Vertex> sources, Accumulator sums);
  virtual EccentricityBounds& bounds();
  virtual CandidateSets& candidates();  // share state with the bounds
  // Makes the searches of the chain until no candidate is outside the ball. An engine may return
  // fewer of them, but at least one. An interruption after the first one ends the chain, too.
  virtual std::vector<Probe> probe(const SearchChain& chain);
  // A clique that contains the vertex, found greedily among neighbours of high degree.
  virtual std::vector<Vertex> clique(Vertex around) const;
  virtual BatchCosts batch_costs() const { return {}; }

  // Called between levels or searches, from any thread. If it returns true, the request ends with
  // Interrupted and the engine stays usable.
  void interrupt_when(std::function<bool()> stop) { stop_ = std::move(stop); }

 protected:
  bool interrupted() const { return stop_ && stop_(); }

 private:
  std::function<bool()> stop_;
  struct HostState;  // state of the defaults, created on first use
  std::unique_ptr<HostState> host_;
  HostState& host();
};

std::vector<EngineInfo> engines();  // best first
// `name` may be "auto": the best usable engine. A named engine that is missing is a DeviceError,
// never a fallback.
std::unique_ptr<Engine> make_engine(std::string_view name, const Graph& graph,
                                    const EngineOptions& options = {});

}  // namespace antipode
