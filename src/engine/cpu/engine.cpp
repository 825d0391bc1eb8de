// The CPU engine's requests: a search or a batch of lanes on all threads; rows in buffers that are
// used again. Memory: 4 bytes a vertex and row, 13 for the bounds, 8 for a search, up to 205 for
// lanes once a batch is asked for.
#include "engine/cpu/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "antipode/error.hpp"
#include "engine/cpu/bounds.hpp"
#include "engine/cpu/brandes.hpp"
#include "engine/cpu/lanes.hpp"
#include "engine/cpu/traversal.hpp"
#include "engine/row_slots.hpp"
#include "graph/limits.hpp"
#include "graph/machine.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

namespace {

using RowBuffer = std::vector<Distance>;

class CpuEngine final : public Engine {
 public:
  CpuEngine(const Graph& graph, unsigned threads, std::size_t most_lanes)
      : graph_(graph),
        threads_(threads),
        traversal_(graph_, graph.arcs() < kWorthThreads ? 1 : threads),
        lanes_({graph_, static_cast<int>(threads), [this] { return interrupted(); }, most_lanes}) {}

  std::string_view name() const override { return "cpu"; }
  std::string description() const override {
    return fmt::format("{} thread{}", threads_, threads_ == 1 ? "" : "s");
  }
  const Graph& graph() const override { return graph_; }

  Search search(Vertex source) override {
    assert(source < graph_.order());
    return traversal_.run(source, rows_.next([this] { return RowBuffer(graph_.order()); }),
                          [this] { return interrupted(); });
  }

  Row keep() override { return rows_.keep(); }
  void release(Row row) override { rows_.release(row); }

  std::vector<Vertex> path(Row handle, Vertex to) const override {
    const auto row = row_of(handle);
    if (row[to] == kUnreached) return {};
    std::vector<Vertex> result{to};
    while (row[result.back()] != 0) {
      const auto around = graph_.into().neighbors(result.back());
      result.push_back(*std::find_if(around.begin(), around.end(),
                                     [&](Vertex u) { return row[u] + 1 == row[result.back()]; }));
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

  void distances(std::span<const Vertex> sources, const RowSink& sink) override {
    for (const Vertex source : sources) {
      search(source);
      sink(source, row_of(kLatestRow));
    }
  }

  std::vector<Summary> summarize(std::span<const Vertex> sources) override {
    std::vector<Summary> result(sources.size());
    lanes_.summarize(sources, result);
    return result;
  }

  std::vector<std::uint64_t> distribution(std::span<const Vertex> sources) override {
    return lanes_.distribution(sources);
  }
  std::vector<std::uint64_t> weighted_distribution(std::span<const Vertex> sources,
                                                   std::span<const Weights> weights) override {
    return lanes_.weighted_distribution(sources, weights);
  }
  void receive(std::span<const Vertex> sources, Received& received) override {
    lanes_.receive(sources, received);
  }

  void add_flow(std::span<const Vertex> sources, std::span<const double> weights,
                Flow& flow) override {
    cpu::add_flow(graph_, static_cast<int>(threads_), sources, weights, flow,
                  [this] { return interrupted(); });
  }

  BatchCosts batch_costs() const override {
    return {8, 0.03, 1.0 / 400, 1.25, 8};
  }  // chosen on the shared graphs; lanes that never meet cost more than searches
  Bounds& bounds() override {
    if (!bounds_)
      bounds_ = std::make_unique<CpuBounds>(
          graph_, static_cast<int>(threads_), [this](Row row) { return row_of(row); }, lanes_,
          [this] { return interrupted(); });
    return *bounds_;
  }

 private:
  std::span<const Distance> row_of(Row row) const { return rows_[row]; }

  Graph graph_;
  unsigned threads_;
  Traversal traversal_;  // of a small graph: one thread, done before a second one is awake
  Lanes lanes_;
  RowSlots<RowBuffer> rows_;
  std::unique_ptr<CpuBounds> bounds_;
};

}  // namespace

// On a graph this small (order times arcs), a search from every vertex takes about a millisecond:
// one thread is enough, unless more are asked for.
constexpr std::uint64_t kSmallGraph = 1 << 20;

std::unique_ptr<Engine> make_engine(const Graph& graph, const EngineOptions& options) {
  const bool is_small = std::uint64_t{graph.order()} * graph.arcs() < kSmallGraph;
  const unsigned threads = options.threads == 0 && is_small ? 1 : thread_count(options.threads);
  constexpr std::uint64_t kRows = 12;  // what the diameter keeps on a typical graph
  const std::uint64_t limit = options.memory_limit != 0 ? options.memory_limit : memory_limit(),
                      in_use = resident_memory();
  const auto need = [&](std::size_t lanes) {
    return graph.order() * (std::uint64_t{8} + 9 + 4 * kRows + 8 + lane_bytes(lanes));
  };  // beside the graph
  std::size_t lanes = kMostLanes;
  const auto fits = [&] { return in_use + need(lanes) <= limit; };
  while (!fits() && lanes > 64) lanes = lanes == 512 ? 256 : 64;
  if (!fits()) {
    throw DeviceError(
        fmt::format("the cpu engine needs about {} bytes beside the {} in use, and the memory "
                    "limit is {}: raise --memory-limit",
                    need(lanes), in_use, limit));
  }
  return std::make_unique<CpuEngine>(graph, threads, lanes);
}

EngineInfo info() {
  return {"cpu", true, fmt::format("{} cores", usable_processors()), {"auto"}, {}, true};
}

}  // namespace antipode::cpu
