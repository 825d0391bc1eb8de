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
#include "engine/cuda/bounds.hpp"
#include "engine/cuda/cliques.hpp"
#include "engine/cuda/flows.hpp"
#include "engine/cuda/paths.hpp"
#include "engine/cuda/search/variant.hpp"
#include "engine/cuda/traversal.hpp"

namespace antipode::cuda {

namespace {

struct RowBuffer {
  Buffer<Distance> data;
  std::uint64_t serial = 0;  // of what it holds; 0: nothing yet
};

struct Plan {
  std::size_t lanes = Lanes::kMost;
  PaddedGraph::Layout layout = PaddedGraph::Layout::lists;
  std::uint64_t memory_limit = 0,
                bytes =
                    0;  // what the engine was allowed, 0 for all there is, and what it planned for
  bool padded = false;  // a kernel of the paper was asked for
  bool blocks = false;  // one block a search, where a frontier outgrows none
  bool leafless =
      false;  // there is room for the graph without leaves, should these have many sources
  bool clusters = false;  // a cluster of blocks a search, where one is too small
  std::shared_ptr<const SliceLayout>
      slices;               // the graph in the shared memory of all blocks, where it fits
  std::size_t abreast = 1;  // searches, a block each, whose rows are there at the same time
};

class CudaEngine final : public Engine {
 public:
  CudaEngine(const Graph& graph, const Plan& plan, const std::string& kernel)
      : graph_(graph),
        plan_(plan),
        device_graph_(context_, graph),
        into_(graph.is_directed() ? std::make_unique<DeviceGraph>(context_, graph.into())
                                  : nullptr),
        traversal_(context_, device_graph_.view(), into(), blocks_, clusters_, slices_),
        paths_(context_, into()),
        waves_(context_, device_graph_.view(), traversal_.queue()),
        lanes_(context_, graph_, device_graph_.view(), into(), plan.lanes, plan.abreast, blocks_,
               [this] { return interrupted(); }),
        flows_(context_, device_graph_.view(), into(), device_graph_.positions(),
               [this] { return interrupted(); }),
        cliques_(context_, device_graph_.view()),
        rows_(1) {
    if (plan.blocks) blocks_.emplace(context_, graph_, device_graph_.view(), plan.leafless);
    if (plan.clusters) clusters_.emplace(context_, device_graph_.view());
    if (plan.slices) slices_.emplace(context_, *plan.slices, device_graph_.view());
    plan_.slices.reset();
    if (plan.padded) variant_.emplace(context_, padded(), kernel);
  }

  ~CudaEngine() override {
    for (const cudaStream_t stream : {context_.stream(), context_.side_stream()})
      cudaStreamSynchronize(stream);  // buffers go when nobody uses them any more
  }

  std::string_view name() const override { return "cuda"; }
  std::string description() const override { return info().detail; }
  const Graph& graph() const override { return graph_; }
  void finish() override { context_.finish(); }

  Search search(Vertex source) override {
    Distance* const row = next_row(source);
    return variant_ ? variant_->run(source, row, [this] { return interrupted(); })
                    : traversal_.search(source, row);
  }

  Explored explore(Vertex source, Distance lower, std::span<const Row> centers) override {
    if (variant_ || !traversal_.is_by_all() || centers.size() > CudaBounds::kMostRows)
      return Engine::explore(source, lower, centers);
    Distance* const row = next_row(source);
    bounds();
    const SearchEnds* const ends = traversal_.start(source, row, bounds_->watch(nullptr, lower));
    bounds_->start_round({row, ends}, {lower, true}, centers);
    bounds_->await_round();
    const Search found = traversal_.outcome();
    return {found, keep(), bounds_->round_outcome()};
  }

  // The host waits once. A search from the farthest vertex finds no smaller eccentricity; and that
  // vertex is outside the ball around the source.
  std::vector<Explored> sweep(Vertex source, const SweepPlan& plan) override {
    bounds();
    if (variant_ || !traversal_.can_follow() || !bounds_->is_untouched())
      return Engine::sweep(source, plan);
    const bool looks_ahead = plan.worth_middle != kNoVertex;
    if (looks_ahead && middle_row_.data.size() == 0) middle_row_ = fresh_row();
    Distance* const first = next_row(source);
    const SearchEnds* const ends = traversal_.start(source, first);
    const Row kept = keep();
    const Row centers[] = {kept, kLatestRow};
    Distance* const second = other_row();  // the first cannot be stopped any more
    const SearchEnds* const next_ends = traversal_.start_next(ends, second, {}, kSweepTurn);
    paths_.start_ahead(row_of(kLatestRow), next_ends, source);
    bounds_->start_sweep({first, ends}, {second, next_ends},
                         std::span(centers).first(plan.may_move ? 2 : 1), plan, kSweepTurn);
    if (looks_ahead) search_middle_ahead();
    bounds_->await_round();
    const Search here = traversal_.outcome(), there = traversal_.outcome(kSweepTurn);
    paths_.name_ends(there.source, there.farthest);
    const Absorbed absorbed{here.eccentricity, 0,
                            std::accumulate(here.level_sizes.begin() + here.eccentricity / 2 + 1,
                                            here.level_sizes.end(), Vertex{0})};
    const std::vector<Explored> result{{here, kept, absorbed},
                                       {there, keep(), bounds_->round_outcome(kSweepTurn)}};
    is_middle_searched_ =
        plan.expects_middle(there.eccentricity, result.back().absorbed.outside, graph_.order());
    return result;
  }

  Middle explore_middle(Row row, Vertex to, Distance lower, std::span<const Row> centers,
                        std::span<const Vertex> known) override {
    if (variant_ || !traversal_.can_follow() || centers.size() > CudaBounds::kMostRows ||
        known.size() > Paths::kMostKnown)
      return Engine::explore_middle(row, to, lower, centers, known);
    const RowView from = row_of(row);
    const std::uint32_t latest = latest_;
    const bool is_searched = is_middle_searched_ && paths_.is_ahead(from, to, known);
    const unsigned turn = is_searched ? kMiddleTurn : 0;
    Distance* const next = is_searched ? searched_row() : next_row(to);
    bounds();
    const Paths::Middle middle = paths_.start(from, to, known);
    if (next == from.data) paths_.join();  // a row that nobody keeps is overwritten
    if (!is_searched)
      traversal_.start_next(middle.ends, next, {middle.skips}, turn,
                            bounds_->watch(nullptr, lower));
    paths_.join();
    bounds_->start_round({next, traversal_.ends(turn)}, {lower, true}, centers, middle.skips);
    bounds_->await_round();
    const auto is_not_explored = [&] {
      if (is_searched) std::swap(rows_[0], middle_row_);
      latest_ = latest;
    };
    Middle result;
    if (auto path = paths_.outcome()) {
      result.path = std::move(*path);
      if (std::find(known.begin(), known.end(), result.path[result.path.size() / 2]) !=
          known.end()) {
        is_not_explored();
      } else {
        const Search found = traversal_.outcome(turn);
        result.explored = {found, keep(), bounds_->round_outcome()};
      }
      return result;
    }
    is_not_explored();
    return Engine::explore_middle(row, to, lower, centers, known);
  }

  Row keep() override {
    if (latest_ != 0) return Row{latest_};
    auto slot = std::find_if(rows_.begin() + 1, rows_.end(),
                             [](const RowBuffer& row) { return row.data.size() == 0; });
    if (slot == rows_.end()) slot = rows_.emplace(rows_.end());
    latest_ = static_cast<std::uint32_t>(slot - rows_.begin());
    std::swap(rows_[latest_], rows_[0]);
    return Row{latest_};
  }

  void release(Row row) override {
    auto& buffer = rows_[static_cast<std::uint32_t>(row)];
    if (static_cast<std::uint32_t>(row) == latest_) {
      std::swap(rows_[0], buffer);  // still the latest, no longer kept
      if (buffer.data.size() != 0) spare_.push_back(std::exchange(buffer, RowBuffer()));
      latest_ = 0;
    } else {
      spare_.push_back(std::move(buffer));
    }
  }

  std::vector<Vertex> clique(Vertex around) const override {
    return cliques_.around(around, graph_.rows().degree(around));
  }
  std::vector<Vertex> path(Row row, Vertex to) const override {
    const PackedRows packed = into_       ? PackedRows()
                              : blocks_   ? blocks_->rows()
                              : clusters_ ? clusters_->rows()
                                          : PackedRows();
    return packed.halves != nullptr
               ? walked_back(context_, device_graph_.view(), packed, row_of(row).data, to)
               : paths_.walk(row_of(row), to);
  }

  void distances(std::span<const Vertex> sources, const RowSink& sink) override {
    std::vector<Distance> row(graph_.order());
    for (const Vertex source : sources) {
      search(source);
      context_.download(std::span<Distance>(row), row_of(kLatestRow).data);
      sink(source, row);
    }
  }

  std::vector<Summary> summarize(std::span<const Vertex> sources) override {
    return lanes_.summarize(sources);
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
    const std::uint64_t room = memory_left();
    if (sources.empty()) return;
    if (!flows_.fits(!flow.arcs.empty(), room)) return Engine::add_flow(sources, weights, flow);
    const std::vector<Vertex> left = flows_.add(sources, weights, graph_, room, flow);
    if (!left.empty()) Engine::add_flow(left, weights, flow);
  }

  BatchCosts batch_costs() const override {
    return blocks_ ? BatchCosts{1, 0.005, 0, 1, 1, 1, lanes_.abreast()}
                   : BatchCosts{2, 0.004, 1e-4, 1, 1, 1.5};
  }
  Bounds& bounds() override {
    if (!bounds_)
      bounds_.emplace(
          context_, graph_, device_graph_.view(), [this](Row row) { return row_of(row); },
          traversal_, waves_, lanes_);
    return *bounds_;
  }

  std::vector<LevelTrace> trace(Vertex source) override {
    const Search found = search(source);
    return traced_levels(context_, padded(), row_of(kLatestRow).data, found.level_sizes);
  }

 private:
  static constexpr unsigned kSweepTurn = 1;   // of the second search of a sweep
  static constexpr unsigned kMiddleTurn = 2;  // of a search that was begun before it was asked for

  // Where the distances of a search from this source are to go.
  Distance* next_row([[maybe_unused]] Vertex source) {
    assert(source < graph_.order());
    if (interrupted()) throw Interrupted();
    return other_row();
  }

  // Begun before anybody has asked for it, if the plan expects that somebody will.
  void search_middle_ahead() {
    middle_row_.serial = ++serial_;
    const Paths::Middle middle = paths_.middle_ahead();
    traversal_.start_next(middle.ends, middle_row_.data.data(),
                          {middle.skips, bounds_->skips_middle()}, kMiddleTurn,
                          bounds_->watch(traversal_.ends(kSweepTurn), 0));
  }

  // The row of that search is the latest now.
  Distance* searched_row() {
    if (interrupted()) throw Interrupted();
    is_middle_searched_ = false;
    std::swap(rows_[0], middle_row_);
    latest_ = 0;
    return rows_[0].data.data();
  }

  Distance* other_row() {
    is_middle_searched_ = false;
    paths_.join();
    if (rows_[0].data.size() == 0) rows_[0] = fresh_row();
    latest_ = 0;
    rows_[0].serial = ++serial_;
    return rows_[0].data.data();
  }

  RowView row_of(Row row) const {
    const auto slot = row == kLatestRow ? latest_ : static_cast<std::uint32_t>(row);
    assert(rows_[slot].data.size() != 0);
    return {rows_[slot].data.data(), rows_[slot].serial};
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

  RowBuffer fresh_row() {
    if (spare_.empty()) return {Buffer<Distance>(graph_.order())};
    RowBuffer row = std::move(spare_.back());
    spare_.pop_back();
    return row;
  }

  const PaddedGraph& padded() {
    if (!padded_) padded_.emplace(context_, graph_, device_graph_.view(), plan_.layout);
    return *padded_;
  }

  Graph graph_;
  Plan plan_;
  Context context_;
  DeviceGraph device_graph_;
  std::unique_ptr<DeviceGraph> into_;    // where arcs have a direction
  std::optional<BlockSearches> blocks_;  // before those who use them
  std::optional<ClusterSearch> clusters_;
  std::optional<SliceSearch> slices_;
  Traversal traversal_;
  mutable Paths paths_;
  Waves waves_;
  Lanes lanes_;
  Flows flows_;
  Cliques cliques_;
  std::optional<PaddedGraph> padded_;
  std::optional<VariantSearch> variant_;
  std::vector<RowBuffer> rows_;  // slot 0: the latest row while it is not kept
  std::vector<RowBuffer> spare_;
  RowBuffer middle_row_;             // of a search that was begun before it was asked for
  bool is_middle_searched_ = false;  // it is of the path walked ahead
  std::uint32_t latest_ = 0;
  std::uint64_t serial_ = 0;  // of the last search
  std::optional<CudaBounds> bounds_;
};

std::uint64_t bytes_needed(const Graph& graph, const Plan& plan) {
  constexpr std::uint64_t kRows = 13;  // what the diameter keeps on a typical graph
  return (graph.is_directed() ? 2 : 1) * DeviceGraph::bytes(graph) + Traversal::bytes(graph) +
         CudaBounds::bytes(graph, plan.abreast) + (plan.blocks ? BlockSearches::bytes(graph) : 0) +
         (plan.leafless ? Leafless::bytes(graph) : 0) +
         (plan.clusters ? ClusterSearch::bytes(graph) : 0) +
         (plan.slices ? SliceSearch::bytes(graph, *plan.slices) : 0) +
         Lanes::bytes(graph, plan.lanes) + kRows * 4 * graph.order() +
         (plan.padded ? PaddedGraph::bytes(graph, plan.layout) : 0);
}

}  // namespace

std::unique_ptr<Engine> make_engine(const Graph& graph, const EngineOptions& options) {
  Plan plan;
  const bool automatic = options.kernel == "auto", clusters = options.kernel == "cluster",
             slices = options.kernel == "slices";
  plan.padded = !automatic && !clusters && !slices && options.kernel != "wide";
  plan.blocks = automatic && BlockSearches::suits(graph);
  plan.clusters = (clusters || (automatic && !plan.blocks)) && ClusterSearch::suits(graph);
  if (slices || (automatic && !plan.blocks && !plan.clusters))
    plan.slices = SliceSearch::layout(graph);
  if (options.layout != "lists" && options.layout != "matrix")
    throw UsageError("unknown layout '" + options.layout + "': choose lists or matrix");
  if (options.layout == "matrix") plan.layout = PaddedGraph::Layout::matrix;
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the memory left");
  const std::uint64_t limit =
      options.memory_limit == 0 ? free : std::min<std::uint64_t>(free, options.memory_limit);
  plan.abreast =
      plan.blocks
          ? std::min<std::size_t>(
                static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount)), Lanes::kMost)
          : 1;
  plan.leafless = plan.blocks;
  if (bytes_needed(graph, plan) > limit) plan.leafless = false;
  if (bytes_needed(graph, plan) > limit) plan.abreast = 1;
  if (bytes_needed(graph, plan) > limit) plan.slices = nullptr;
  while (bytes_needed(graph, plan) > limit && plan.lanes > Lanes::kLeast) plan.lanes /= 2;
  if (const std::uint64_t need = bytes_needed(graph, plan); need > limit) {
    throw DeviceError(
        "the cuda engine needs about " + std::to_string(need) + " bytes for this graph; " +
        std::to_string(free) + " of the GPU's " + std::to_string(total) + " are free" +
        (limit < free
             ? ", and the memory limit is " + std::to_string(limit) + ": raise --memory-limit"
             : ": use --engine cpu"));
  }
  plan.memory_limit = options.memory_limit;
  plan.bytes = bytes_needed(graph, plan);
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
