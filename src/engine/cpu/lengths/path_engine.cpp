// A search by buckets on one thread; many searches on all threads, each its own. An undirected
// graph is folded once that many sources were asked for as it costs; then they are swept, a line at
// a time.
#include "engine/cpu/lengths/path_engine.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "engine/cpu/lengths/folded_searches.hpp"
#include "engine/cpu/lengths/search_team.hpp"
#include "engine/host/length_dependencies.hpp"
#include "engine/host/length_paths.hpp"
#include "graph/machine.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

namespace {

constexpr std::size_t kFoldingCost = 64;  // single searches; measured on road networks
constexpr std::uint64_t kRoadDegree = 3, kMeshDegree = 5;  // arcs per vertex
constexpr std::size_t kLine = 16;                          // sources swept at once

template <class Key>
Length to_length(Key key, Length base) {
  return key == std::numeric_limits<Key>::max() ? kNoPath : base + key;
}

template <class Key>
void to_lengths(std::span<const Key> keys, Length base, std::span<Length> lengths) {
  for (std::size_t v = 0; v < keys.size(); ++v) lengths[v] = to_length(keys[v], base);
}

template <class Key>
PathSearch to_search(Vertex source, std::span<const Key> keys) {
  PathSearch result{.source = source, .farthest = kNoVertex};
  for (std::size_t v = 0; v < keys.size(); ++v) {
    if (keys[v] == std::numeric_limits<Key>::max()) continue;
    ++result.reached;
    if (keys[v] > result.eccentricity || result.farthest == kNoVertex)
      result.eccentricity = keys[v], result.farthest = static_cast<Vertex>(v);
  }
  return result;
}

template <class Key>
PathSummary to_summary(std::span<const Key> keys) {
  PathSummary result;
  for (const Key key : keys) {
    if (key == std::numeric_limits<Key>::max()) continue;
    ++result.reached;
    result.eccentricity = std::max<Length>(result.eccentricity, key);
    result.distance_sum += key;
  }
  return result;
}

class CpuPaths final : public PathEngine {
 public:
  CpuPaths(const Graph& graph, const EngineOptions& options, int threads)
      : graph_(graph), options_(options), threads_(threads) {}

  EngineInfo info() const override {
    return {.name = "cpu",
            .usable = true,
            .detail = fmt::format("{} thread{}", threads_, threads_ == 1 ? "" : "s")};
  }
  const Graph& graph() const override { return graph_; }

  PathSearch search(Vertex source, Along along, std::span<Length> distances) override {
    const PathStart start{.vertex = source};
    if (folded_ && folded_->is_complete() && folded_->search_from({&start, 1}, distances))
      return host::to_search(source, distances);
    return search_unfolded(0, {.source = source, .along = along, .distances = distances});
  }

  std::vector<PathSearch> search_each(std::span<const PathRequest> requests) override {
    if (folded_ && folded_->is_complete()) return PathEngine::search_each(requests);
    std::vector<PathSearch> result(requests.size());
    for (const PathRequest& each : requests) team(each.along);  // made by one thread
    in_pieces(requests.size(), 1, threads_, [&](std::size_t i, std::size_t, int member) {
      result[i] = search_unfolded(member, requests[i]);
    });
    return result;
  }

  void search_from(std::span<const PathStart> starts, Along along,
                   std::span<Length> distances) override {
    if (folded_ && folded_->is_complete() && folded_->search_from(starts, distances)) return;
    team(along).run(0, starts, stop_,
                    [&](auto keys, Length base) { to_lengths(keys, base, distances); });
  }

  std::vector<PathSummary> summarize(std::span<const Vertex> sources, Along along) override {
    if (FoldedSearches* const folded = folding_for(sources.size()))
      return folded->summarize(sources);
    std::vector<PathSummary> result(sources.size());
    search_each(sources, along, [&](std::size_t i, auto keys) { result[i] = to_summary(keys); });
    return result;
  }

  void rows(std::span<const Vertex> sources, Along along, const LengthSink& sink) override {
    if (FoldedSearches* const folded = folding_for(sources.size()))
      return folded->rows(sources, sink);
    refuse_bytes(graph_.order() * sizeof(Length), "distances with lengths");
    std::mutex one_at_a_time;
    std::vector<Length> lengths(graph_.order());
    search_each(sources, along, [&](std::size_t i, auto keys) {
      const std::lock_guard lock(one_at_a_time);
      to_lengths(keys, 0, lengths);
      sink(sources[i], lengths);
    });
  }

  void accumulate(std::span<const Vertex> sources, Dependencies& sums) override {
    const auto stop = [&] { return stop_ && stop_(); };
    if (!dependencies_) dependencies_.emplace(graph_, threads_, stop);
    dependencies_->add(sources, sums, stop);
  }

  PathCosts costs() const override {
    const auto batch = kLine * static_cast<std::size_t>(threads_);
    if (folded_ && folded_->source_cost() < 1)
      return {.batch = batch, .source = folded_->source_cost() / threads_};
    if (!folded_ && may_fold()) {
      // Before the folding: measured on road networks, and on grids, where it costs the more the
      // larger they are.
      const bool is_road = graph_.arcs() <= kRoadDegree * std::uint64_t{graph_.order()};
      return {.batch = batch,
              .source = (is_road ? 0.04 : 0.08) / threads_,
              .setup = is_road ? kFoldingCost : 8 * std::sqrt(static_cast<double>(graph_.order()))};
    }
    return {.batch = static_cast<std::size_t>(threads_), .source = 1.0 / threads_};
  }

  std::unique_ptr<PathEngine> on(const Graph& graph) const override {
    auto result = cpu::make_path_engine(graph, options_);
    result->interrupt_when(stop_);
    return result;
  }
  void interrupt_when(std::function<bool()> stop) override { stop_ = std::move(stop); }

 private:
  // At most one search of a member at a time.
  PathSearch search_unfolded(int member, const PathRequest& request) {
    const PathStart start{.vertex = request.source};
    PathSearch result;
    team(request.along).run(member, {&start, 1}, stop_, [&](auto keys, Length base) {
      result = to_search(request.source, keys);
      to_lengths(keys, base, request.distances);
    });
    return result;
  }

  // visit(index of the source, distances), on any thread.
  template <class Visit>
  void search_each(std::span<const Vertex> sources, Along along, Visit visit) {
    SearchTeam& searches = team(along);
    in_pieces(sources.size(), 1, threads_, [&](std::size_t begin, std::size_t, int member) {
      const PathStart start{.vertex = sources[begin]};
      searches.run(member, {&start, 1}, stop_, [&](auto keys, Length) { visit(begin, keys); });
    });
  }

  bool may_fold() const {
    return !graph_.is_directed() && !tried_folding_ &&
           graph_.arcs() <= kMeshDegree * std::uint64_t{graph_.order()};
  }

  // Null: searches one by one. A graph is folded when as many sources were asked for as that costs,
  // with as many steps as searches would have cost; and again when four times as many were.
  FoldedSearches* folding_for(std::size_t sources) {
    if (graph_.is_directed() || graph_.order() == 0) return nullptr;
    asked_ += sources;
    if (!tried_folding_ ? asked_ >= kFoldingCost
                        : folded_ && folded_->may_fold_further() && asked_ >= 4 * folded_at_)
      fold();
    if (!folded_) return nullptr;
    const double lines = static_cast<double>((sources + kLine - 1) / kLine);
    const bool is_cheaper = lines * kLine * folded_->source_cost() < static_cast<double>(sources);
    return is_cheaper ? folded_.get() : nullptr;
  }

  // No distance is longer than twice the eccentricity of a vertex of its component.
  void fold() {
    std::vector<PathStart> starts{{.vertex = 0}};
    PathSearch found;
    const auto search_starts = [&] {
      team(Along::arcs).run(0, starts, stop_, [&](auto keys, Length) {
        found = to_search(0, keys);
      });
    };
    search_starts();
    const auto reach = found.reached == graph_.order() ? Reach::all : Reach::some;
    if (reach == Reach::some) {
      const Components parts = components(graph_);
      std::vector<unsigned char> has_start(parts.count(), 0);
      starts.clear();
      for (Vertex v = 0; v < graph_.order(); ++v)
        if (!std::exchange(has_start[parts.of[v]], 1)) starts.push_back({.vertex = v});
      search_starts();
    }
    constexpr double kStep = 3;  // nanoseconds
    const double steps = search_cost(graph_) / kStep * static_cast<double>(asked_);
    folded_ = fold_searches({.graph = graph_,
                             .longest = std::min(2 * found.eccentricity, kNoPath / 2),
                             .reach = reach,
                             .threads = threads_,
                             .most_steps = static_cast<std::uint64_t>(std::min(steps, 1e18)),
                             .stop = [this] { return stop_ && stop_(); }});
    tried_folding_ = true;
    folded_at_ = asked_;
    if (folded_ && folded_->source_cost() >= 1 && !folded_->may_fold_further()) folded_.reset();
  }

  SearchTeam& team(Along along) {
    auto& made = along == Along::arcs || !graph_.is_directed() ? forward_ : backward_;
    if (!made)
      made = std::make_unique<SearchTeam>(along == Along::arcs ? graph_ : graph_.into(), threads_);
    return *made;
  }

  Graph graph_;
  EngineOptions options_;
  int threads_;
  std::unique_ptr<SearchTeam> forward_, backward_;
  std::size_t asked_ = 0, folded_at_ = 0;  // sources, in batches
  bool tried_folding_ = false;
  std::unique_ptr<FoldedSearches> folded_;
  std::optional<host::LengthDependencies> dependencies_;
  std::function<bool()> stop_;
};

}  // namespace

// Order times arcs: one thread searches from every vertex in milliseconds.
constexpr std::uint64_t kSmallGraph = 1 << 18;

std::unique_ptr<PathEngine> make_path_engine(const Graph& graph, const EngineOptions& options) {
  const bool is_small = std::uint64_t{graph.order()} * graph.arcs() < kSmallGraph;
  const unsigned threads = options.threads == 0 && is_small ? 1 : thread_count(options.threads);
  const std::uint64_t limit = options.memory_limit != 0 ? options.memory_limit : memory_limit(),
                      need = graph.arcs() * 8 + graph.order() * std::uint64_t{24};
  if (need > limit || resident_memory() > limit - need)
    throw OutOfMemory(
        fmt::format("the cpu engine needs about {} bytes beside the {} in use, and the memory "
                    "limit is {}: raise --memory-limit",
                    need, resident_memory(), limit));
  return std::make_unique<CpuPaths>(graph, options, static_cast<int>(threads));
}

}  // namespace antipode::cpu
