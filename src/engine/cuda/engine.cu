// The CUDA engine's requests. Rows stay on the GPU, in buffers that are used again.
// Memory: the graph, 4 bytes a vertex and row, 9 for the bounds, 12 for a search, 12 more and 32
// for every 128 lanes once a batch is asked for; the paper's kernels add a padded copy of the
// graph.
#include "engine/cuda/engine.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

#include "antipode/error.hpp"
#include "engine/cuda/batch/lanes.hpp"
#include "engine/cuda/batch/waves.hpp"
#include "engine/cuda/bounds/bounds.hpp"
#include "engine/cuda/brandes/dependencies.hpp"
#include "engine/cuda/layout/packed_adjacency.hpp"
#include "engine/cuda/paper/variant.hpp"
#include "engine/cuda/search/cliques.hpp"
#include "engine/cuda/search/grid/traversal.hpp"
#include "engine/cuda/search/paths.hpp"
#include "engine/host/distance_slots.hpp"
#include "engine/host/evaluation.hpp"
#include "engine/host/probe.hpp"

namespace antipode::cuda {

namespace {

struct Plan {
  SearchPlan search;
  std::size_t lanes = Lanes::kMost;
  PaddedGraph::Layout layout = PaddedGraph::Layout::lists;
  bool padded = false;             // a kernel of the paper was asked for
  std::uint64_t memory_limit = 0;  // what the engine was allowed; 0: all there is
  std::uint64_t bytes = 0;         // what it planned for
};

class CudaEngine final : public Engine, public EvaluationHooks {
 public:
  CudaEngine(const Graph& graph, const Plan& plan, const std::string& kernel)
      : graph_(graph),
        plan_(plan),
        device_graph_(context_, graph),
        into_(graph.is_directed() ? std::make_unique<DeviceGraph>(context_, graph.into())
                                  : nullptr),
        kernels_(context_, graph_, device_graph_.view(), plan.search),
        traversal_(context_, device_graph_.view(), into(), kernels_),
        paths_(context_, into()),
        waves_(context_, device_graph_.view(), traversal_.queue()),
        lanes_(context_, graph_, device_graph_.view(), into(), plan.lanes, kernels_,
               [this] { return interrupted(); }),
        dependencies_(context_, device_graph_.view(), into(), device_graph_.positions(),
                      [this] { return interrupted(); }),
        cliques_(context_, device_graph_.view()) {
    plan_.search.resident.reset();  // the layout is on the GPU now
    if (plan.padded) variant_.emplace(context_, padded(), kernel);
  }

  ~CudaEngine() override {
    for (const cudaStream_t stream : {context_.stream(), context_.side_stream()})
      cudaStreamSynchronize(stream);  // kernels may still use the buffers
  }

  EngineInfo info() const override;
  const Graph& graph() const override { return graph_; }
  void finish() override { context_.finish(); }
  std::vector<LevelTrace> trace(Vertex source) override {
    const Search found = search(source);
    return traced_levels(context_, padded(), view_of(kLatest).data, found.level_sizes);
  }

  Search search(Vertex source) override {
    Distance* const row = next_row(source);
    return variant_ ? variant_->run(source, row, [this] { return interrupted(); })
                    : traversal_.search(source, row);
  }
  DistanceHandle retain() override { return rows_.retain(); }
  void release(DistanceHandle distances) override { rows_.release(distances); }
  void read(DistanceHandle distances, std::span<Distance> out) const override {
    context_.download(out, view_of(distances).data);
  }
  std::vector<Summary> summarize(std::span<const Vertex> sources) override {
    return lanes_.summarize(sources);
  }

  std::vector<Vertex> path(DistanceHandle distances, Vertex to) const override {
    const PackedAdjacency packed = into_ ? PackedAdjacency() : kernels_.packed_adjacency();
    return packed.halves != nullptr
               ? backtrack(context_, device_graph_.view(), packed, view_of(distances).data, to)
               : paths_.path_to(view_of(distances), to);
  }
  void accumulate(std::span<const Vertex> sources, Accumulator sums) override {
    if (DistanceCounts** const counts = std::get_if<DistanceCounts*>(&sums))
      return lanes_.count(sources, **counts);
    if (DistanceSums** const distances = std::get_if<DistanceSums*>(&sums))
      return lanes_.add_distances(sources, **distances);
    add_dependencies(sources, *std::get<Dependencies*>(sums));
  }
  EccentricityBounds& bounds() override { return all_bounds(); }
  CandidateSets& candidates() override { return all_bounds(); }

  std::vector<Probe> probe(const SearchChain& chain) override {
    if (is_double_sweep(chain)) return double_sweep(chain);
    if (auto found = probe_midpoint(chain)) return std::move(*found);
    return host::interpret(
        *this, chain,
        [this](Vertex source, Distance lower, std::span<const DistanceHandle> centers) {
          return search_and_apply(source, lower, centers);
        });
  }
  std::vector<Vertex> clique(Vertex around) const override {
    return cliques_.around(around, graph_.rows().degree(around));
  }
  BatchCosts batch_costs() const override {
    return kernels_.has_block() ? BatchCosts{.sources = lanes_.most(),
                                             .source = 0.005,
                                             .concurrent = lanes_.concurrent()}
                                : BatchCosts{.sources = lanes_.most(),
                                             .fixed = 2,
                                             .source = 0.004,
                                             .source_and_level = 1e-4,
                                             .apart = 1.5};
  }

 private:
  // Distances on the GPU, and the serial number of the search that they are of; 0: nothing yet.
  struct RowBuffer {
    Buffer<Distance> data;
    std::uint64_t serial = 0;
    std::size_t size() const { return data.size(); }
  };

  // A search and what follows from it; where the whole GPU searches, both are started at once, and
  // the host waits once.
  Probe search_and_apply(Vertex source, Distance lower, std::span<const DistanceHandle> centers) {
    if (variant_ || !traversal_.is_whole_gpu() || centers.size() > CudaBounds::kMostRows)
      return host::search_and_apply(*this, source, lower, centers);
    Distance* const row = next_row(source);
    all_bounds();
    const SearchOutcome* const ends = traversal_.start(source, row, bounds_->watch(nullptr, lower));
    bounds_->start_round({row, ends}, {lower, true}, centers);
    bounds_->await_round();
    const Search found = traversal_.outcome();
    return {.search = found, .distances = retain(), .effect = bounds_->round_outcome(), .path = {}};
  }

  // Two searches of which nothing is known before: both are started at once.
  bool is_double_sweep(const SearchChain& chain) {
    using Kind = SearchFrom::Kind;
    return chain.starts.size() == 2 && chain.starts[0].kind == Kind::vertex &&
           chain.starts[1].kind == Kind::farthest_of_previous && chain.lower == 0 &&
           chain.centers == std::vector{kLatest} && !variant_ && traversal_.can_follow() &&
           all_bounds().is_reset_pending();
  }

  // The host waits once. A search from the farthest vertex finds no smaller eccentricity; and that
  // vertex is outside the ball around the source.
  std::vector<Probe> double_sweep(const SearchChain& chain) {
    const Vertex source = chain.starts.front().vertex;
    const bool looks_ahead = chain.look_ahead.worth_midpoint != kNoVertex;
    if (looks_ahead && midpoint_distances_.size() == 0)
      midpoint_distances_ = rows_.spare(make_row());
    Distance* const first = next_row(source);
    const SearchOutcome* const ends = traversal_.start(source, first);
    const DistanceHandle kept = retain();
    const DistanceHandle centers[] = {kept, kLatest};
    Distance* const second = other_row();  // the first cannot be stopped any more
    const SearchOutcome* const next_ends =
        traversal_.start_next(ends, second, {}, AnswerSlot::second_search);
    paths_.start_ahead(view_of(kLatest), next_ends, source);
    const bool may_move = chain.ball == SearchChain::Ball::may_move;
    bounds_->start_sweep({first, ends}, {second, next_ends},
                         std::span(centers).first(may_move ? 2 : 1), chain.look_ahead,
                         AnswerSlot::second_search);
    if (looks_ahead) search_midpoint_ahead();
    bounds_->await_round();
    const Search here = traversal_.outcome(), there = traversal_.outcome(AnswerSlot::second_search);
    paths_.set_ends(there.source, there.farthest);
    const Vertex outside = std::accumulate(here.level_sizes.begin() + here.eccentricity / 2 + 1,
                                           here.level_sizes.end(), Vertex{0});
    const std::vector<Probe> result{
        {.search = here,
         .distances = kept,
         .effect = {.farthest = here.eccentricity, .center = 0, .outside = outside},
         .path = {}},
        {.search = there,
         .distances = retain(),
         .effect = bounds_->round_outcome(AnswerSlot::second_search),
         .path = {}}};
    is_midpoint_searched_ = chain.look_ahead.expects_midpoint(
        there.eccentricity, result.back().effect.outside, graph_.order());
    return result;
  }

  // A path, and the search from its midpoint, which may have been made ahead. Nothing if the host
  // has to do it step by step.
  std::optional<std::vector<Probe>> probe_midpoint(const SearchChain& chain) {
    const SearchFrom& start = chain.starts.front();
    if (start.kind != SearchFrom::Kind::midpoint || chain.starts.size() > 1 || variant_ ||
        !traversal_.can_follow() || chain.centers.size() > CudaBounds::kMostRows ||
        chain.known.size() > Paths::kMostKnown)
      return std::nullopt;
    const DistanceView from = view_of(start.distances);
    const auto latest = rows_.latest();
    const bool is_searched =
        is_midpoint_searched_ && paths_.is_ahead(from, start.vertex, chain.known);
    const AnswerSlot slot = is_searched ? AnswerSlot::look_ahead : AnswerSlot::search;
    Distance* const next = is_searched ? searched_row() : next_row(start.vertex);
    all_bounds();
    const Paths::Midpoint middle = paths_.start(from, start.vertex, chain.known);
    if (next == from.data) paths_.join();  // distances that were not retained are overwritten
    if (!is_searched)
      traversal_.start_next(middle.ends, next, {middle.cancel}, slot,
                            bounds_->watch(nullptr, chain.lower));
    paths_.join();
    bounds_->start_round({next, traversal_.ends(slot)}, {chain.lower, true}, chain.centers,
                         middle.cancel);
    bounds_->await_round();
    const auto is_not_searched = [&] {
      if (is_searched) rows_.swap_next(midpoint_distances_);
      rows_.set_latest(latest);
    };
    auto path = paths_.outcome();
    if (!path) {
      is_not_searched();
      return std::nullopt;
    }
    Probe result;
    result.path = std::move(*path);
    const Vertex midpoint = result.path[result.path.size() / 2];
    if (std::find(chain.known.begin(), chain.known.end(), midpoint) != chain.known.end()) {
      is_not_searched();
    } else {
      result.search = traversal_.outcome(slot);
      result.distances = retain();
      result.effect = bounds_->round_outcome();
    }
    return std::vector{std::move(result)};
  }

  void add_dependencies(std::span<const Vertex> sources, Dependencies& sums) {
    const std::uint64_t room = memory_left();
    if (sources.empty()) return;
    if (!dependencies_.fits(!sums.arcs.empty(), room)) return Engine::accumulate(sources, &sums);
    const std::vector<Vertex> left = dependencies_.add(sources, graph_, room, sums);
    if (!left.empty()) Engine::accumulate(left, &sums);
  }

  CudaBounds& all_bounds() {
    if (!bounds_)
      bounds_.emplace(
          context_, graph_, device_graph_.view(),
          [this](DistanceHandle distances) { return view_of(distances); }, traversal_, waves_,
          lanes_);
    return *bounds_;
  }

  // Where the distances of a search from this source are to go.
  Distance* next_row([[maybe_unused]] Vertex source) {
    assert(source < graph_.order());
    if (interrupted()) throw Interrupted();
    return other_row();
  }

  // Begun before it is requested, if the look-ahead expects that it will be.
  void search_midpoint_ahead() {
    midpoint_distances_.serial = ++serial_;
    const Paths::Midpoint middle = paths_.midpoint_ahead();
    traversal_.start_next(middle.ends, midpoint_distances_.data.data(),
                          {middle.cancel, bounds_->cancels_midpoint()}, AnswerSlot::look_ahead,
                          bounds_->watch(traversal_.ends(AnswerSlot::second_search), 0));
  }

  // The row of that search is the latest now.
  Distance* searched_row() {
    if (interrupted()) throw Interrupted();
    is_midpoint_searched_ = false;
    return rows_.swap_next(midpoint_distances_).data.data();
  }

  Distance* other_row() {
    is_midpoint_searched_ = false;
    paths_.join();
    RowBuffer& row = rows_.next(make_row());
    row.serial = ++serial_;
    return row.data.data();
  }

  std::function<RowBuffer()> make_row() const {
    return [this] { return RowBuffer{Buffer<Distance>(graph_.order())}; };
  }
  DistanceView view_of(DistanceHandle distances) const {
    const RowBuffer& row = rows_[distances];
    return {row.data.data(), row.serial};
  }

  GraphView into() const { return into_ ? into_->view() : device_graph_.view(); }

  // For what is asked for later; a little is left to others.
  std::uint64_t memory_left() const {
    const std::uint64_t free = free_memory() / 8 * 7;
    return plan_.memory_limit == 0
               ? free
               : std::min<std::uint64_t>(
                     free, plan_.memory_limit - std::min(plan_.memory_limit, plan_.bytes));
  }

  const PaddedGraph& padded() {
    if (!padded_) padded_.emplace(context_, graph_, device_graph_.view(), plan_.layout);
    return *padded_;
  }

  Graph graph_;
  Plan plan_;
  Context context_;
  DeviceGraph device_graph_;
  std::unique_ptr<DeviceGraph> into_;  // where arcs have a direction
  SearchKernels kernels_;
  Traversal traversal_;
  mutable Paths paths_;
  Waves waves_;
  Lanes lanes_;
  DependencyBatches dependencies_;
  Cliques cliques_;
  std::optional<PaddedGraph> padded_;
  std::optional<VariantSearch> variant_;
  host::DistanceSlots<RowBuffer> rows_;
  RowBuffer midpoint_distances_;       // of a search that was begun before it was asked for
  bool is_midpoint_searched_ = false;  // it is of the path walked ahead
  std::uint64_t serial_ = 0;           // of the last search
  std::optional<CudaBounds> bounds_;
};

std::uint64_t bytes_needed(const Graph& graph, const Plan& plan) {
  constexpr std::uint64_t kRows = 13;  // what the diameter keeps on a typical graph
  return (graph.is_directed() ? 2 : 1) * DeviceGraph::bytes(graph) + Traversal::bytes(graph) +
         CudaBounds::bytes(graph, plan.search.concurrent) + plan.search.bytes(graph) +
         Lanes::bytes(graph, plan.lanes) + kRows * 4 * graph.order() +
         (plan.padded ? PaddedGraph::bytes(graph, plan.layout) : 0);
}

EngineInfo CudaEngine::info() const { return cuda::info(); }

}  // namespace

std::unique_ptr<Engine> make_engine(const Graph& graph, const EngineOptions& options) {
  Plan plan{.search = SearchPlan::of(graph, options.kernel), .memory_limit = options.memory_limit};
  plan.padded =
      std::find(std::begin(kVariants), std::end(kVariants), options.kernel) != std::end(kVariants);
  if (options.layout != "lists" && options.layout != "matrix")
    throw UsageError("unknown layout '" + options.layout + "': choose lists or matrix");
  if (options.layout == "matrix") plan.layout = PaddedGraph::Layout::matrix;
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the memory left");
  const std::uint64_t limit =
      options.memory_limit == 0 ? free : std::min<std::uint64_t>(free, options.memory_limit);
  const auto fits = [&] { return (plan.bytes = bytes_needed(graph, plan)) <= limit; };
  while (!fits() && plan.search.shrink()) {
  }
  while (!fits() && plan.lanes > Lanes::kLeast) plan.lanes /= 2;
  if (!fits())
    throw DeviceError(
        "the cuda engine needs about " + std::to_string(plan.bytes) + " bytes for this graph; " +
        std::to_string(free) + " of the GPU's " + std::to_string(total) + " are free" +
        (limit < free
             ? ", and the memory limit is " + std::to_string(limit) + ": raise --memory-limit"
             : ": use --engine cpu"));
  return std::make_unique<CudaEngine>(graph, plan, options.kernel);
}

EngineInfo info() {
  EngineInfo result;
  result.name = "cuda";
  result.kernels.emplace_back(
      "wide");  // the whole GPU a search, even on graphs where one block would do
  result.kernels.emplace_back("cluster");  // a cluster of blocks, even where one would do; the
                                           // whole GPU where rows are long
  result.kernels.emplace_back("slices");   // the graph in the shared memory of all blocks, even
                                          // where one would do; the whole GPU where it does not fit
  for (const auto name : kVariants) result.kernels.emplace_back(name);
  int devices = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&devices);
      status != cudaSuccess || devices == 0) {
    cudaGetLastError();
    result.detail = status == cudaErrorInsufficientDriver
                        ? "no NVIDIA driver, or one too old for this build"
                    : status == cudaSuccess ? "no GPU found"
                                            : cudaGetErrorString(status);
    return result;
  }
  cudaDeviceProp properties{};
  if (const cudaError_t status = cudaGetDeviceProperties(&properties, 0); status != cudaSuccess) {
    cudaGetLastError();
    result.detail = cudaGetErrorString(status);
    return result;
  }
  result.detail = std::string(properties.name) + ", " +
                  std::to_string(properties.totalGlobalMem >> 20) + " MiB, compute capability " +
                  std::to_string(properties.major) + "." + std::to_string(properties.minor);
  result.usable = properties.major >= 8;
  if (!result.usable) result.detail += "; 8.0 or later is needed";
  return result;
}

}  // namespace antipode::cuda
