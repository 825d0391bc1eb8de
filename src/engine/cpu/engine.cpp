// The CPU engine's requests: a search or a batch in bit lanes on all threads; distances in buffers
// that are reused. Memory: 4 bytes per vertex and retained search, 13 for the bounds, 8 for a
// search, up to 205 for bit lanes once a batch is requested.
#include "engine/cpu/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "antipode/error.hpp"
#include "engine/cpu/bounds.hpp"
#include "engine/cpu/lanes.hpp"
#include "engine/cpu/traversal.hpp"
#include "engine/host/backtrack.hpp"
#include "engine/host/brandes.hpp"
#include "engine/host/distance_slots.hpp"
#include "graph/limits.hpp"
#include "graph/machine.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

namespace {

using DistanceBuffer = std::vector<Distance>;

class CpuEngine final : public Engine {
 public:
  CpuEngine(const Graph& graph, unsigned threads, std::size_t most_per_batch)
      : graph_(graph),
        threads_(threads),
        traversal_(graph_, graph.arcs() < kWorthThreads ? 1 : threads),
        lanes_({.graph = graph_,
                .threads = static_cast<int>(threads),
                .interrupted = [this] { return interrupted(); },
                .most = most_per_batch}) {}

  EngineInfo info() const override {
    return {.name = "cpu",
            .usable = true,
            .detail = fmt::format("{} thread{}", threads_, threads_ == 1 ? "" : "s")};
  }
  const Graph& graph() const override { return graph_; }

  Search search(Vertex source) override {
    assert(source < graph_.order());
    return traversal_.run(source, slots_.next([this] { return DistanceBuffer(graph_.order()); }),
                          [this] { return interrupted(); });
  }

  DistanceHandle retain() override { return slots_.retain(); }
  void release(DistanceHandle distances) override { slots_.release(distances); }
  void read(DistanceHandle distances, std::span<Distance> out) const override {
    std::copy(slots_[distances].begin(), slots_[distances].end(), out.begin());
  }

  std::vector<Vertex> path(DistanceHandle distances, Vertex to) const override {
    return host::backtrack(graph_, slots_[distances], to);
  }

  void distances(std::span<const Vertex> sources, const DistanceSink& sink) override {
    for (const Vertex source : sources) {
      search(source);
      sink(source, slots_[kLatest]);
    }
  }

  std::vector<Summary> summarize(std::span<const Vertex> sources) override {
    std::vector<Summary> result(sources.size());
    lanes_.summarize(sources, result);
    return result;
  }

  void accumulate(std::span<const Vertex> sources, Accumulator sums) override {
    if (DistanceCounts** const counts = std::get_if<DistanceCounts*>(&sums))
      return lanes_.count(sources, **counts);
    if (DistanceSums** const distances = std::get_if<DistanceSums*>(&sums))
      return lanes_.add_distances(sources, **distances);
    host::add_dependencies(graph_, static_cast<int>(threads_), sources,
                           *std::get<Dependencies*>(sums), [this] { return interrupted(); });
  }

  // Measured on the shared graphs; bit lanes that never meet cost more than searches.
  BatchCosts batch_costs() const override {
    return {.sources = lanes_.most(),
            .fixed = 8,
            .source = 0.03,
            .source_and_level = 1.0 / 400,
            .most_source = 1.25,
            .patience = 8};
  }
  EccentricityBounds& bounds() override { return all_bounds(); }
  CandidateSets& candidates() override { return all_bounds(); }

 private:
  CpuBounds& all_bounds() {
    if (!bounds_)
      bounds_ = std::make_unique<CpuBounds>(
          graph_, static_cast<int>(threads_),
          [this](DistanceHandle distances) -> std::span<const Distance> {
            return slots_[distances];
          },
          lanes_, [this] { return interrupted(); });
    return *bounds_;
  }

  Graph graph_;
  unsigned threads_;
  Traversal traversal_;  // one thread if the graph is small: done before a second one is awake
  Lanes lanes_;
  host::DistanceSlots<DistanceBuffer> slots_;
  std::unique_ptr<CpuBounds> bounds_;
};

}  // namespace

// On a graph this small (order times arcs), a search from every vertex takes about a millisecond:
// one thread is enough, unless the caller asks for more.
constexpr std::uint64_t kSmallGraph = 1 << 20;

std::unique_ptr<Engine> make_engine(const Graph& graph, const EngineOptions& options) {
  const bool is_small = std::uint64_t{graph.order()} * graph.arcs() < kSmallGraph;
  const unsigned threads = options.threads == 0 && is_small ? 1 : thread_count(options.threads);
  constexpr std::uint64_t kRetained = 12;  // searches that the diameter retains, typically
  const std::uint64_t limit = options.memory_limit != 0 ? options.memory_limit : memory_limit(),
                      in_use = resident_memory();
  const auto need = [&](std::size_t lanes) {  // besides the graph
    return graph.order() * (std::uint64_t{8} + 9 + 4 * kRetained + 8 + lane_bytes(lanes));
  };
  std::size_t lanes = kMostLanes;
  const auto fits = [&] { return in_use + need(lanes) <= limit; };
  while (!fits() && lanes > 64) lanes = lanes == 512 ? 256 : 64;
  if (!fits()) {
    throw OutOfMemory(
        fmt::format("the cpu engine needs about {} bytes beside the {} in use, and the memory "
                    "limit is {}: raise --memory-limit",
                    need(lanes), in_use, limit));
  }
  return std::make_unique<CpuEngine>(graph, threads, lanes);
}

EngineInfo info() {
  return {.name = "cpu",
          .usable = true,
          .detail = fmt::format("{} cores", usable_processors()),
          .anneals = true};
}

}  // namespace antipode::cpu
