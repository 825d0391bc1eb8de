// The CUDA engine: it owns the graph and the distances on the GPU, and passes
// each request to the class that answers it. Memory: see docs/cuda.md, section 3.
#include "engine/cuda/engine.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

#include "antipode/error.hpp"
#include "engine/cuda/batch/lanes.hpp"
#include "engine/cuda/batch/offset_searches.hpp"
#include "engine/cuda/bounds/bounds.hpp"
#include "engine/cuda/brandes/dependencies.hpp"
#include "engine/cuda/device/description.hpp"
#include "engine/cuda/engine_plan.hpp"
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

class CudaEngine final : public Engine, public EvaluationHooks {
 public:
  CudaEngine(const Graph& graph, const EnginePlan& plan)
      : graph_(graph),
        plan_(plan),
        device_graph_(context_, graph),
        into_(graph.is_directed() ? std::make_unique<DeviceGraph>(context_, graph.into())
                                  : nullptr),
        kernels_(context_, graph_, device_graph_.view(), plan.search),
        traversal_(context_, device_graph_.view(), into(), kernels_),
        paths_(context_, into()),
        offset_searches_(context_, device_graph_.view(), traversal_.queue()),
        lanes_(context_, graph_, device_graph_.view(), into(), plan.lanes, kernels_,
               [this] { return interrupted(); }),
        dependencies_(context_, device_graph_.view(), into(), device_graph_.positions(),
                      [this] { return interrupted(); }),
        cliques_(context_, device_graph_.view()) {
    plan_.search.resident.reset();  // the layout has been copied to the GPU
    if (!plan.variant.empty()) variant_.emplace(context_, padded(), plan.variant);
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
    return trace_levels(context_, padded(), view_of(kLatest).data, found.level_sizes);
  }

  Search search(Vertex source) override {
    Distance* const distances = distances_for(source);
    return variant_ ? variant_->run(source, distances, [this] { return interrupted(); })
                    : traversal_.search(source, distances);
  }
  DistanceHandle retain() override { return slots_.retain(); }
  void release(DistanceHandle distances) override { slots_.release(distances); }
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
    return cliques_.around(around, graph_.adjacency().degree(around));
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
  // Distances on the GPU, and the serial number of their search; 0: none yet.
  struct DistanceBuffer {
    Buffer<Distance> data;
    std::uint64_t serial = 0;
    std::size_t size() const { return data.size(); }
  };

  // A search and its effect. If the whole GPU searches, both are launched together, and the host
  // waits once.
  Probe search_and_apply(Vertex source, Distance lower, std::span<const DistanceHandle> centers) {
    if (variant_ || !traversal_.is_whole_gpu() || centers.size() > CudaBounds::kMostSearches)
      return host::search_and_apply(*this, source, lower, centers);
    Distance* const distances = distances_for(source);
    all_bounds();
    const SearchOutcome* const ends =
        traversal_.start(source, distances, bounds_->start_probe(nullptr, lower));
    bounds_->start_round({distances, ends}, {lower, true}, centers);
    bounds_->await_round();
    const Search found = traversal_.outcome();
    return {.search = found, .distances = retain(), .effect = bounds_->round_outcome(), .path = {}};
  }

  // A double sweep while a reset is pending can be launched at once.
  bool is_double_sweep(const SearchChain& chain) {
    using Kind = SearchFrom::Kind;
    return chain.starts.size() == 2 && chain.starts[0].kind == Kind::vertex &&
           chain.starts[1].kind == Kind::farthest_of_previous && chain.lower == 0 &&
           chain.centers == std::vector{kLatest} && !variant_ && traversal_.can_follow() &&
           all_bounds().is_reset_pending();
  }

  // The host waits once. The second eccentricity is not smaller than the first, since its source is
  // at that distance; and that source is outside the ball around the first.
  std::vector<Probe> double_sweep(const SearchChain& chain) {
    const Vertex source = chain.starts.front().vertex;
    const bool looks_ahead = chain.look_ahead.worth_midpoint != kNoVertex;
    if (looks_ahead && midpoint_distances_.size() == 0)
      midpoint_distances_ = slots_.spare(make_buffer());
    Distance* const first = distances_for(source);
    const SearchOutcome* const ends = traversal_.start(source, first);
    const DistanceHandle first_handle = retain();
    const DistanceHandle centers[] = {first_handle, kLatest};
    Distance* const second = reuse_buffer();  // from here on the first search cannot be interrupted
    const SearchOutcome* const next_ends =
        traversal_.start_next(ends, second, {}, AnswerSlot::second_search);
    paths_.start_ahead(view_of(kLatest), next_ends, source);
    const bool may_move = chain.ball == SearchChain::Ball::may_move;
    bounds_->start_sweep({first, ends}, {second, next_ends},
                         std::span(centers).first(may_move ? 2 : 1), chain.look_ahead,
                         AnswerSlot::second_search);
    if (looks_ahead) search_midpoint_ahead();
    bounds_->await_round();
    const Search found = traversal_.outcome(),
                 second_found = traversal_.outcome(AnswerSlot::second_search);
    paths_.set_ends(second_found.source, second_found.farthest);
    const Vertex outside = std::accumulate(found.level_sizes.begin() + found.eccentricity / 2 + 1,
                                           found.level_sizes.end(), Vertex{0});
    const std::vector<Probe> result{
        {.search = found,
         .distances = first_handle,
         .effect = {.farthest = found.eccentricity, .center = 0, .outside = outside},
         .path = {}},
        {.search = second_found,
         .distances = retain(),
         .effect = bounds_->round_outcome(AnswerSlot::second_search),
         .path = {}}};
    is_midpoint_searched_ = chain.look_ahead.expects_midpoint(
        second_found.eccentricity, result.back().effect.outside, graph_.order());
    return result;
  }

  // Backtracks a path and searches from its midpoint, unless that search was begun ahead. Nothing
  // if the host has to interpret the request step by step.
  std::optional<std::vector<Probe>> probe_midpoint(const SearchChain& chain) {
    const SearchFrom& start = chain.starts.front();
    if (start.kind != SearchFrom::Kind::midpoint || chain.starts.size() > 1 || variant_ ||
        !traversal_.can_follow() || chain.centers.size() > CudaBounds::kMostSearches ||
        chain.known.size() > Paths::kMostKnown)
      return std::nullopt;
    const DistanceView from = view_of(start.distances);
    const auto latest = slots_.latest();
    const bool is_searched =
        is_midpoint_searched_ && paths_.is_ahead(from, start.vertex, chain.known);
    const AnswerSlot slot = is_searched ? AnswerSlot::look_ahead : AnswerSlot::search;
    Distance* const distances =
        is_searched ? take_midpoint_distances() : distances_for(start.vertex);
    all_bounds();
    const Paths::Midpoint midpoint = paths_.start(from, start.vertex, chain.known);
    if (distances == from.data)
      paths_.join();  // distances that were not retained will be overwritten
    if (!is_searched)
      traversal_.start_next(midpoint.ends, distances, {midpoint.cancel}, slot,
                            bounds_->start_probe(nullptr, chain.lower));
    paths_.join();
    bounds_->start_round({distances, traversal_.ends(slot)}, {chain.lower, true}, chain.centers,
                         midpoint.cancel);
    bounds_->await_round();
    const auto restore_latest = [&] {
      if (is_searched) slots_.swap_next(midpoint_distances_);
      slots_.set_latest(latest);
    };
    auto path = paths_.outcome();
    if (!path) {
      restore_latest();
      return std::nullopt;
    }
    Probe result;
    result.path = std::move(*path);
    const Vertex center = result.path[result.path.size() / 2];
    if (std::find(chain.known.begin(), chain.known.end(), center) != chain.known.end()) {
      restore_latest();
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
    const std::vector<Vertex> remaining = dependencies_.add(sources, graph_, room, sums);
    if (!remaining.empty()) Engine::accumulate(remaining, &sums);
  }

  CudaBounds& all_bounds() {
    if (!bounds_)
      bounds_.emplace(
          context_, graph_, device_graph_.view(),
          [this](DistanceHandle distances) { return view_of(distances); }, traversal_,
          offset_searches_, lanes_);
    return *bounds_;
  }

  // The buffer for the distances of a search from this source.
  Distance* distances_for([[maybe_unused]] Vertex source) {
    assert(source < graph_.order());
    if (interrupted()) throw Interrupted();
    return reuse_buffer();
  }

  // Begins the midpoint search before it is requested. The kernel returns early if the look-ahead
  // does not expect a request.
  void search_midpoint_ahead() {
    midpoint_distances_.serial = ++serial_;
    const Paths::Midpoint midpoint = paths_.midpoint_ahead();
    traversal_.start_next(midpoint.ends, midpoint_distances_.data.data(),
                          {midpoint.cancel, bounds_->cancels_midpoint()}, AnswerSlot::look_ahead,
                          bounds_->start_probe(traversal_.ends(AnswerSlot::second_search), 0));
  }

  // Makes the distances of that search the latest.
  Distance* take_midpoint_distances() {
    if (interrupted()) throw Interrupted();
    is_midpoint_searched_ = false;
    return slots_.swap_next(midpoint_distances_).data.data();
  }

  Distance* reuse_buffer() {
    is_midpoint_searched_ = false;
    paths_.join();
    DistanceBuffer& buffer = slots_.next(make_buffer());
    buffer.serial = ++serial_;
    return buffer.data.data();
  }

  std::function<DistanceBuffer()> make_buffer() const {
    return [this] { return DistanceBuffer{Buffer<Distance>(graph_.order())}; };
  }
  DistanceView view_of(DistanceHandle distances) const {
    const DistanceBuffer& buffer = slots_[distances];
    return {buffer.data.data(), buffer.serial};
  }

  GraphView into() const { return into_ ? into_->view() : device_graph_.view(); }

  // Bytes for later requests; an eighth of the free memory is left to other processes.
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
  EnginePlan plan_;
  Context context_;
  DeviceGraph device_graph_;
  std::unique_ptr<DeviceGraph> into_;  // only if the graph is directed
  SearchKernels kernels_;
  Traversal traversal_;
  mutable Paths paths_;
  OffsetSearches offset_searches_;
  Lanes lanes_;
  DependencyBatches dependencies_;
  Cliques cliques_;
  std::optional<PaddedGraph> padded_;
  std::optional<VariantSearch> variant_;
  host::DistanceSlots<DistanceBuffer> slots_;
  DistanceBuffer midpoint_distances_;  // of a search that was begun ahead
  bool is_midpoint_searched_ = false;  // they belong to the path that was backtracked ahead
  std::uint64_t serial_ = 0;           // of the last search
  std::optional<CudaBounds> bounds_;
};

EngineInfo CudaEngine::info() const { return cuda::info(); }

}  // namespace

std::unique_ptr<Engine> make_engine(const Graph& graph, const EngineOptions& options) {
  return std::make_unique<CudaEngine>(graph, EnginePlan::of(graph, options));
}

EngineInfo info() {
  EngineInfo result;
  result.name = "cuda";
  // Each of them also where `auto` would take another search; docs/cuda.md, section 1.
  for (const char* kernel : {"wide", "cluster", "slices"}) result.kernels.emplace_back(kernel);
  for (const auto name : kVariants) result.kernels.emplace_back(name);
  DeviceDescription device = describe_device();
  result.detail = std::move(device.detail);
  result.usable = device.is_usable;
  return result;
}

}  // namespace antipode::cuda
