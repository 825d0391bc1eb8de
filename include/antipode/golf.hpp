// Graph Golf, the order/degree problem: among the graphs of n vertices and degree at most d, find
// one of least diameter, then of least average distance. Candidates are voltage graphs (part-shift
// graphs in Graph Golf's words); annealing changes the part. [Terao 2018]
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode::golf {

// (from, q) – (to, q + shift) for every q of the group.
struct PartEdge {
  Vertex from = 0, to = 0, shift = 0;
  friend bool operator==(const PartEdge&, const PartEdge&) = default;
};

// From any (r, q) to (to, q + shift).
struct PartStep {
  Vertex shift = 0, to = 0;
  friend auto operator<=>(const PartStep&, const PartStep&) = default;
};

// A voltage graph: order = size × (product of the sizes of the group). Vertex (r, q) has number q ×
// size + r. The group is a product of cyclic groups; in the numbers of its elements the last factor
// varies fastest. All vertices with the same r have the same distances.
struct Part {
  Vertex order = 0, size = 0;
  std::vector<Vertex> group;  // sizes of the cyclic groups
  std::vector<PartEdge> edges;

  Vertex shifts() const { return order / size; }
  Vertex sum(Vertex a, Vertex b) const;  // in the group
  Vertex negative(Vertex a) const;
  // Of each residue: its neighbours, sorted, each once.
  std::vector<std::vector<PartStep>> steps() const;
  std::vector<Vertex> degrees() const;  // of each residue: number of different neighbours
  std::vector<Vertex> ends() const;     // of each residue: ends of edges; a loop has two
  friend bool operator==(const Part&, const Part&) = default;
};
// Without edges; a UsageError if the numbers do not fit. No group: one cyclic group.
Part make_part(Vertex order, Vertex size, std::vector<Vertex> group = {});
Graph to_graph(const Part& part);     // its adjacency is computed when it is requested
bool is_connected(const Part& part);  // without adjacency
Part whole_part(const Graph& graph);  // without symmetry: every vertex is in the part
std::string to_text(const Part& part);
Part parse_part(const std::string& name, std::string_view text);  // InputError names the line

// Over all ordered pairs (u, v) with u in the part; by symmetry these stand for all pairs.
struct PartScore {
  std::uint64_t unreached = 0;  // pairs without a path
  Distance diameter = 0;
  std::uint64_t sum = 0;   // of distances
  std::uint64_t last = 0;  // pairs whose distance is the diameter
  // Less is better: connected first, then diameter, then average.
  friend auto operator<=>(const PartScore&, const PartScore&) = default;
};
// The average distance as a fraction.
struct Fraction {
  std::uint64_t numerator = 0, denominator = 1;
  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};
Fraction average_of(const Part& part, const PartScore& score);

// Lower bounds for all graphs of this order and degree.
struct MooreBounds {
  Distance diameter = 0;
  Fraction average;
};
MooreBounds moore_bounds(Vertex order, Vertex degree);

// What annealing minimizes: the sum of distances. If the diameter exceeds the aim, pairs at that
// distance count more. A pair without a path counts as distance `order`.
inline constexpr std::uint64_t kTooFar = 256;
inline std::uint64_t energy(const Part& part, const PartScore& score, Distance aim) {
  return score.sum + score.unreached * part.order +
         (score.diameter > aim ? kTooFar * score.last : 0);
}

// One annealing chain. Its course depends on the seed and the number of steps alone.
struct Chain {
  Part part, best;
  PartScore score, best_score;
  std::uint64_t seed = 1, step = 0, accepted = 0;
  std::vector<Vertex> places;  // the engine's place of each end of an edge; empty: any
};

// The temperature falls exponentially over all steps.
struct Schedule {
  double hottest = 1, coldest = 0.1;
  std::uint64_t steps = 1;
  Distance aim = 0;  // smaller diameters than this are not rewarded
};

// Evaluates and changes parts on one machine.
class PartEngine {
 public:
  virtual ~PartEngine() = default;
  virtual std::string_view name() const = 0;
  virtual PartScore evaluate(const Part& part) = 0;
  virtual std::size_t chains(const Part& like) const = 0;  // that it runs concurrently
  virtual void anneal(std::span<Chain> chains, Vertex degree, const Schedule& schedule,
                      std::uint64_t steps) = 0;  // more steps of each chain
};
std::unique_ptr<PartEngine> make_part_engine(std::string_view name,
                                             unsigned threads = 0);  // as make_engine

// A random part in which as many vertices as possible have the full degree.
Part random_part(Vertex order, Vertex degree, Vertex size, std::uint64_t seed,
                 const std::vector<Vertex>& group = {});
// Part sizes worth trying for this order and degree.
std::vector<Vertex> part_sizes(Vertex order, Vertex degree);

struct Options {
  Vertex order = 0, degree = 0;
  Vertex part = 0;                 // size of the part; 0: several are tried
  std::vector<Vertex> group = {};  // of shifts, as sizes of cyclic groups; empty: one group
  std::size_t chains = 0;          // 0: as many as the engine runs concurrently
  std::uint64_t steps = 0;         // of each chain; 0: as many as the time allows
  double seconds = 60;
  std::uint64_t seed = 1;
  std::function<bool()> stop = {};  // asked while sizes and temperatures are tried
  // Chains start here, and colder. Without edges: at random parts, or at a projective plane.
  Part start = {};
  Distance diameter = 0;  // to aim for; 0: what a short trial reaches
};

// Chains from random starts, cooled together. With given `steps` and `chains`, the same options
// give the same graphs on the same kind of engine.
class Search {
 public:
  Search(PartEngine& engine, const Options& options);  // tries part sizes and temperatures
  Search(PartEngine& engine, const Options& options,
         std::vector<unsigned char> state);  // resumes
  std::vector<unsigned char> state() const;

  bool round(double seconds);         // anneals for about so long; false: all steps are done
  const Chain& best() const;          // the chain with the best part so far
  std::uint64_t evaluations() const;  // of all chains
  double progress() const {
    return static_cast<double>(chains_.front().step) / static_cast<double>(schedule_.steps);
  }
  double temperature() const;
  double acceptance() const;  // in the last round
  Vertex part_size() const { return chains_.front().part.size; }
  std::size_t chains() const { return chains_.size(); }
  double mean_average() const;  // average distance, over the present parts of the chains

 private:
  void anneal(std::vector<Chain>& chains, const Schedule& schedule) const;
  void anneal(std::vector<Chain>& chains, const Schedule& schedule, double seconds,
              std::uint64_t& at_once) const;
  double rate(std::span<Chain> chains, const Schedule& schedule) const;  // steps per second
  double rate_at(double temperature, std::span<Chain> chains, Distance aim) const;
  Vertex chosen_size() const;
  Distance reached_diameter() const;  // in a short trial

  PartEngine& engine_;
  Options options_;
  Schedule schedule_;
  std::vector<Chain> chains_;
  std::uint64_t round_steps_ = 1, accepted_before_ = 0, stepped_before_ = 0;
  double acceptance_ = 0;
};

}  // namespace antipode::golf
