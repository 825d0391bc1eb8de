// Betweenness: dependencies within the 2-core, and those of its pendant trees. The order of the
// sources and the estimate of a stopped run are in dependency_sum.hpp and source_order.hpp. Memory:
// 32 bytes per vertex, and per arc if edges are requested.
#include <cmath>
#include <numeric>

#include "graph/limits.hpp"
#include "measure/dependency_sum.hpp"
#include "measure/dependency_total.hpp"
#include "measure/source_loop.hpp"

namespace antipode {

namespace {

// An engine for edges of length 1. The totals of the saved sums follow from the distances of their
// sources.
class EngineDependencies final : public DependencySource {
 public:
  EngineDependencies(Engine& engine, const Core& core) : engine_(engine), core_(core) {}

  void add(std::span<const Vertex> sources, Dependencies& sums) override {
    engine_.accumulate(sources, &sums);
  }

  void check(const StateReader& reader, const std::array<Part, 3>& parts) override {
    constexpr double kRounding = 1e-9;
    std::array<DependencyTotal, 3> expected;
    DependencyTotal all;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      all += dependency_total(engine_, core_.weight, parts[i].sources);
      expected[i] = all;
    }
    const auto require_total = [&](const std::vector<double>& values, double total, double of) {
      const double sum = std::accumulate(values.begin(), values.end(), 0.0);
      reader.require(values.empty() || std::abs(sum - total) <= kRounding * of,
                     "its sums are not those of its sources");
    };
    for (std::size_t i = 0; i < parts.size(); ++i) {
      require_total(parts[i].sums->vertices, expected[i].vertices, all.vertices);
      require_total(parts[i].sums->arcs, expected[i].arcs, all.arcs);
    }
  }

 private:
  Engine& engine_;
  const Core& core_;
};

}  // namespace

std::size_t sources_for(double epsilon, double delta, Vertex order, std::uint64_t values) {
  if (order < 3 || values == 0) return order;
  const double n = order, largest = n / (n - 1);
  const double wanted =
      std::ceil(largest * largest * std::log(2 * static_cast<double>(values) / delta) /
                (2 * epsilon * epsilon));
  return wanted < n ? static_cast<std::size_t>(wanted) : order;
}

Betweenness betweenness(Engine& engine, const Core& core, const BetweennessOptions& options,
                        Observer& observer, CheckpointStore& checkpoint) {
  const Graph& graph = core.graph;
  refuse_bytes(betweenness_bytes(graph, options), "betweenness of this graph");
  EngineDependencies from(engine, core);
  DependencySum sum(from, core, options,
                    options.edges ? DependencySum::Arcs::counted : DependencySum::Arcs::none);
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
