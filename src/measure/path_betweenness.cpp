// Betweenness with lengths, as betweenness.cpp of edges of length 1: pendant trees are folded away
// by the number of their vertices alone, since there is one way out of a tree, whatever its length.
// Memory: as there; a checkpoint takes the sums of arcs, too.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "antipode/path_averages.hpp"
#include "graph/limits.hpp"
#include "measure/dependency_sum.hpp"
#include "measure/source_loop.hpp"

namespace antipode {

namespace {

class PathDependencies final : public DependencySource {
 public:
  PathDependencies(PathEngine& engine, const Core& core) : engine_(engine), core_(core) {}

  void add(std::span<const Vertex> sources, Dependencies& sums) override {
    engine_.accumulate(sources, sums);
  }

  // What goes into a vertex is what passes it and what ends there; what comes out, what passes it
  // and what begins there. Where all vertices weigh the same, the lengths that all pass add up to
  // the distances: then the paths are shortest ones.
  void check(const StateReader& reader, const std::array<Part, 3>& parts) override {
    std::vector<Vertex> done;
    const Balance all = balance_of(*parts.back().sums);
    for (const Part& part : parts) {
      done.insert(done.end(), part.sources.begin(), part.sources.end());
      if (part.sums->vertices.empty()) continue;
      check_balance(reader, *part.sums, done, all);
      if (is_plain()) check_lengths(reader, *part.sums, part.sources);
    }
  }

 private:
  static constexpr double kRounding = 1e-9;

  struct Balance {
    std::vector<double> into, from;  // every vertex
  };

  Balance balance_of(const Dependencies& sums) const {
    const Adjacency adjacency = core_.graph.adjacency();
    Balance balance{.into = std::vector<double>(adjacency.order(), 0),
                    .from = std::vector<double>(adjacency.order(), 0)};
    for (Vertex v = 0; v < adjacency.order(); ++v)
      for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc) {
        balance.from[v] += sums.arcs[arc];
        balance.into[adjacency.targets[arc]] += sums.arcs[arc];
      }
    return balance;
  }

  bool is_plain() const {
    return std::all_of(core_.weight.begin(), core_.weight.end(), [](double w) { return w == 1; });
  }

  void check_balance(const StateReader& reader, const Dependencies& sums,
                     std::span<const Vertex> done, const Balance& scale) const {
    const Graph& graph = core_.graph;
    const Components parts = components(graph);
    const auto [into, from] = balance_of(sums);
    std::vector<double> begins(graph.order(), 0), sources(parts.count(), 0), all(parts.count(), 0);
    for (Vertex v = 0; v < graph.order(); ++v) all[parts.of[v]] += core_.weight[v];
    for (const Vertex v : done) {
      begins[v] = core_.weight[v];
      sources[parts.of[v]] += core_.weight[v];
    }
    for (Vertex v = 0; v < graph.order(); ++v) {
      const double weight = core_.weight[v], ends = weight * (sources[parts.of[v]] - begins[v]),
                   starts = begins[v] * (all[parts.of[v]] - weight),
                   rounding = kRounding * (1 + scale.into[v] + scale.from[v]);
      const double ended = into[v] - sums.vertices[v], started = from[v] - sums.vertices[v];
      const bool balances =
          graph.is_directed()
              ? ended >= -rounding && ended <= ends + rounding && started >= -rounding &&
                    started <= starts + rounding
              : std::abs(ended - ends) <= rounding && std::abs(started - starts) <= rounding;
      reader.require(balances, "its sums are not those of its sources");
    }
  }

  void check_lengths(const StateReader& reader, const Dependencies& sums,
                     std::span<const Vertex> more) {
    for (const PathSummary& each : engine_.summarize(more, Along::arcs)) sum_ += each.distance_sum;
    const Adjacency adjacency = core_.graph.adjacency();
    double passed = 0;
    for (EdgeOffset arc = 0; arc < adjacency.arcs(); ++arc)
      passed += sums.arcs[arc] * static_cast<double>(adjacency.length(arc));
    const double expected = static_cast<double>(sum_);
    reader.require(std::abs(passed - expected) <= kRounding * expected,
                   "its sums are not those of its sources");
  }

  PathEngine& engine_;
  const Core& core_;
  LengthSum sum_ = 0;  // of the distances of the sources checked
};

}  // namespace

Betweenness betweenness(PathEngine& engine, const Core& core, const BetweennessOptions& options,
                        Observer& observer, CheckpointStore& checkpoint) {
  const Graph& graph = core.graph;
  const bool counts_arcs = options.edges || checkpoint.is_active();
  BetweennessOptions charged = options;
  charged.edges = counts_arcs;
  refuse_bytes(betweenness_bytes(graph, charged), "betweenness of this graph");
  PathDependencies from(engine, core);
  DependencySum sum(from, core, options,
                    counts_arcs ? DependencySum::Arcs::counted : DependencySum::Arcs::none);
  Betweenness result;
  result.all_sources = graph.order();
  if (const auto saved = checkpoint.load(); !saved.empty()) try {
      const StopWhen stopping(engine, observer);
      sum.restore(saved, result.sources);
    } catch (const Interrupted&) {  // the saved state stays as it is
      result.sources = 0;
      return result;
    }
  result.finished = for_chunks(
      engine, sum.sources(), kFirstRound, result.sources, observer, checkpoint,
      [&](std::size_t begin, std::span<const Vertex> part) { sum.add(begin, part); },
      [&] { checkpoint.save(sum.state(result.sources)); });
  // One that only wants times had its sources from anywhere.
  if (observer.only_times() || !sum.has_estimate()) return result;
  finish_betweenness(sum, core, options, result);
  return result;
}

}  // namespace antipode
