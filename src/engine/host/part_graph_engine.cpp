// An engine for voltage graphs. Searches without adjacency answer what they can; all other
// requests, and graphs with long paths, go to an ordinary engine with the materialized adjacency.
// All vertices of a residue have the same distance counts, which are kept.
#include <algorithm>
#include <optional>
#include <utility>

#include "antipode/error.hpp"
#include "engine/host/evaluation.hpp"
#include "engine/host/part_searches.hpp"

namespace antipode {

namespace {

using Levels = std::vector<Vertex>;  // vertices at distance 0, 1, …

class PartGraphEngine final : public Engine, public EvaluationHooks {
 public:
  PartGraphEngine(const Graph& graph, std::string name, std::unique_ptr<PartSearches> searches,
                  std::function<std::unique_ptr<Engine>(const Graph&)> make)
      : graph_(graph),
        part_(*graph_.part()),
        steps_(part_),
        name_(std::move(name)),
        searches_(std::move(searches)),
        make_(std::move(make)),
        known_(part_.size) {
    if (!searches_) materialized();
  }

  EngineInfo info() const override {
    if (materialized_) return materialized_->info();
    return {.name = name_, .usable = true, .detail = searches_->description()};
  }
  const Graph& graph() const override { return graph_; }
  void finish() override {
    if (materialized_) antipode::finish(*materialized_);
  }
  std::vector<LevelTrace> trace(Vertex source) override {
    return antipode::trace(materialized(), source);
  }

  Search search(Vertex source) override {
    if (materialized_ || !find_distances(source)) return materialized().search(source);
    const Levels& levels = known_[source % part_.size];
    const Summary all = summary_of(levels);
    const auto farthest = static_cast<Vertex>(
        std::find(distances_.begin(), distances_.end(), all.eccentricity) - distances_.begin());
    return {.source = source,
            .eccentricity = all.eccentricity,
            .farthest = farthest,
            .reached = all.reached,
            .distance_sum = all.distance_sum,
            .level_sizes = levels};
  }
  DistanceHandle retain() override { return materialized().retain(); }
  void release(DistanceHandle distances) override { materialized().release(distances); }
  void read(DistanceHandle distances, std::span<Distance> out) const override {
    if (materialized_) return materialized_->read(distances, out);
    std::copy(distances_.begin(), distances_.end(), out.begin());
  }

  std::vector<Vertex> path(DistanceHandle distances, Vertex to) const override {
    if (materialized_) return materialized_->path(distances, to);
    if (distances_[to] == kUnreached) return {};
    std::vector<Vertex> result{to};
    for (Distance d = distances_[to]; d > 0; --d)
      result.push_back(neighbor_at(result.back(), d - 1));
    std::reverse(result.begin(), result.end());
    return result;
  }

  void distances(std::span<const Vertex> sources, const DistanceSink& sink) override {
    if (sources.size() > kFewSources) return materialized().distances(sources, sink);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (materialized_ || !find_distances(sources[i]))
        return materialized().distances(sources.subspan(i), sink);
      sink(sources[i], distances_);
    }
  }
  std::vector<Summary> summarize(std::span<const Vertex> sources) override {
    if (!know(sources)) return materialized().summarize(sources);
    std::vector<Summary> result;
    for (const Vertex source : sources) result.push_back(summary_of(known_[source % part_.size]));
    return result;
  }
  void accumulate(std::span<const Vertex> sources, Accumulator sums) override {
    DistanceCounts** const counts = std::get_if<DistanceCounts*>(&sums);
    if (counts == nullptr || !know(sources)) return materialized().accumulate(sources, sums);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Levels& levels = known_[sources[i] % part_.size];
      for (std::size_t d = 0; d < levels.size(); ++d) (*counts)->add(i, d, levels[d]);
    }
  }

  std::vector<Probe> probe(const SearchChain& chain) override {
    return materialized().probe(chain);
  }
  std::vector<Vertex> clique(Vertex around) const override {
    return materialized_ ? materialized_->clique(around) : Engine::clique(around);
  }
  EccentricityBounds& bounds() override { return materialized().bounds(); }
  CandidateSets& candidates() override { return materialized().candidates(); }
  BatchCosts batch_costs() const override {
    if (materialized_) return materialized_->batch_costs();
    return {.sources = std::max<std::size_t>(part_.size, PartSearches::kLanes)};
  }

 private:
  // With more levels, searches that read all vertices in every level are slow.
  static constexpr Distance kMostLevels = 64;
  // So many single searches take less time than materializing the adjacency.
  static constexpr std::size_t kFewSources = 8;

  // The engine for the materialized adjacency, used from now on; it then has the latest distances.
  Engine& materialized() {
    if (materialized_) return *materialized_;
    materialized_graph_ = graph_.materialized();
    auto engine = make_(materialized_graph_);
    engine->interrupt_when([this] { return interrupted(); });
    if (latest_ != kNoVertex) engine->search(latest_);
    searches_.reset();
    distances_ = {};
    materialized_ = std::move(engine);
    return *materialized_;
  }

  // The number of vertices at each distance from each of a few sources; nothing if paths are long.
  std::optional<std::vector<Levels>> levels(std::span<const Vertex> sources,
                                            PartSearches::FirstDistances first) {
    if (interrupted()) throw Interrupted();
    std::vector<Levels> result(sources.size(), Levels{1});
    searches_->begin(sources, first);
    for (Distance level = 1; level <= kMostLevels; ++level) {
      const PartSearches::Counts fresh = searches_->next(level);
      bool is_done = true;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        if (fresh[i] == 0) continue;
        result[i].push_back(fresh[i]);
        is_done = false;
      }
      if (is_done) return result;
      if (interrupted()) throw Interrupted();
    }
    return std::nullopt;
  }

  bool find_distances(Vertex source) {
    auto found = levels(std::span(&source, 1), PartSearches::FirstDistances::stored);
    if (!found) return false;
    known_[source % part_.size] = std::move(found->front());
    distances_.resize(part_.order);
    searches_->copy_distances(distances_);
    latest_ = source;
    return true;
  }

  // Finds the counts of all residues of the sources; those of one residue are equal.
  bool know(std::span<const Vertex> sources) {
    if (!searches_) return false;
    std::vector<Vertex> unknown;
    for (const Vertex source : sources)
      if (known_[source % part_.size].empty()) unknown.push_back(source % part_.size);
    std::sort(unknown.begin(), unknown.end());
    unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
    for (std::size_t begin = 0; begin < unknown.size(); begin += PartSearches::kLanes) {
      const auto some =
          std::span(unknown).subspan(begin, std::min(PartSearches::kLanes, unknown.size() - begin));
      auto found = levels(some, PartSearches::FirstDistances::dropped);
      if (!found) return false;
      for (std::size_t i = 0; i < some.size(); ++i) known_[some[i]] = std::move((*found)[i]);
    }
    return true;
  }

  static Summary summary_of(const Levels& levels) {
    Summary result{static_cast<Distance>(levels.size() - 1)};
    for (std::size_t d = 0; d < levels.size(); ++d)
      result.reached += levels[d], result.distance_sum += d * levels[d];
    return result;
  }

  Vertex neighbor_at(Vertex v, Distance distance) const {
    for (const golf::PartStep& step : steps_.of(v % part_.size))
      if (const Vertex u = part_.sum(v / part_.size, step.shift) * part_.size + step.to;
          distances_[u] == distance)
        return u;
    return kNoVertex;
  }

  Graph graph_, materialized_graph_;  // without and with adjacency
  const golf::Part& part_;
  PartSteps steps_;
  std::string name_;
  std::unique_ptr<PartSearches> searches_;
  std::function<std::unique_ptr<Engine>(const Graph&)> make_;
  std::unique_ptr<Engine> materialized_;
  std::vector<Levels> known_;        // of each residue; empty: not yet
  std::vector<Distance> distances_;  // of the latest search
  Vertex latest_ = kNoVertex;        // its source
};

}  // namespace

std::unique_ptr<Engine> part_graph_engine(
    const Graph& graph, std::string name, std::unique_ptr<PartSearches> searches,
    std::function<std::unique_ptr<Engine>(const Graph&)> make) {
  return std::make_unique<PartGraphEngine>(graph, std::move(name), std::move(searches),
                                           std::move(make));
}

}  // namespace antipode
