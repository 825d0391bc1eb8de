// Default implementations of requests, in terms of the seven required functions. An engine may
// override them with faster ones; the contract suite requires the same results.
#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "engine/host/backtrack.hpp"
#include "engine/host/bounds.hpp"
#include "engine/host/brandes.hpp"
#include "engine/host/clique.hpp"
#include "engine/host/multiplicities.hpp"
#include "engine/host/probe.hpp"

namespace antipode {

namespace {

// Bounds in host memory, with distances and batches from the engine.
class DefaultBounds final : public host::HostBounds {
 public:
  explicit DefaultBounds(Engine& engine)
      : HostBounds(engine.graph(), static_cast<int>(threads())),
        engine_(engine),
        copy_(engine.graph().order()) {}

 private:
  std::span<const Distance> distances_of(DistanceHandle handle) const override {
    engine_.read(handle, copy_);
    return copy_;
  }
  void find_farthest(std::span<const Vertex> sources,
                     const host::FarthestRequest& request) override {
    std::size_t i = 0;
    engine_.distances(sources, [&](Vertex, std::span<const Distance> distances) {
      FarthestDistance& farthest = request.farthest[i++];
      for (std::size_t v = 0; v < distances.size(); ++v) {
        const Distance d = distances[v];
        request.lower[v] = std::max(request.lower[v], d);
        if (request.marks[v] & host::kMarkCandidate)
          farthest.candidates = std::max(farthest.candidates, d);
        if (request.marks[v] & host::kMarkOutside) farthest.outside = std::max(farthest.outside, d);
      }
    });
  }

  Engine& engine_;
  mutable std::vector<Distance> copy_;
};

void add_distances(std::span<const Distance> distances, DistanceSums& sums) {
  for (std::size_t v = 0; v < distances.size(); ++v) {
    const Distance d = distances[v];
    if (d == kUnreached) continue;
    ++sums.sources[v];
    if (d == 0) continue;
    sums.farthest[v] = std::max(sums.farthest[v], d);
    sums.sum[v] += d;
    sums.inverse_sum[v] += inverse_of(d, sums.unit);
  }
}

}  // namespace

void DistanceCounts::add(std::size_t i, std::size_t level, std::uint64_t count) {
  constexpr Multiplicities kOne{1};
  host::add_multiplied(multiplicities.empty() ? kOne : multiplicities[i], level, count, vertices);
}

void DistanceCounts::add(std::span<const std::uint64_t> counts) {
  if (vertices.size() < counts.size()) vertices.resize(counts.size(), 0);
  std::transform(counts.begin(), counts.end(), vertices.begin(), vertices.begin(), std::plus<>());
}

struct Engine::HostState {
  explicit HostState(Engine& engine) : bounds(engine) {}
  DefaultBounds bounds;
};

Engine::Engine() = default;
Engine::~Engine() = default;

Engine::HostState& Engine::host() {
  if (!host_) host_ = std::make_unique<HostState>(*this);
  return *host_;
}

EccentricityBounds& Engine::bounds() { return host().bounds; }
CandidateSets& Engine::candidates() { return host().bounds; }

std::vector<Vertex> Engine::path(DistanceHandle handle, Vertex to) const {
  std::vector<Distance> distances(graph().order());
  read(handle, distances);
  return host::backtrack(graph(), distances, to);
}

void Engine::distances(std::span<const Vertex> sources, const DistanceSink& sink) {
  std::vector<Distance> found(graph().order());
  for (const Vertex source : sources) {
    search(source);
    read(kLatest, found);
    sink(source, found);
  }
}

void Engine::accumulate(std::span<const Vertex> sources, Accumulator sums) {
  if (DistanceCounts** const counts = std::get_if<DistanceCounts*>(&sums)) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Search found = search(sources[i]);
      for (std::size_t d = 0; d < found.level_sizes.size(); ++d)
        (*counts)->add(i, d, found.level_sizes[d]);
    }
  } else if (DistanceSums** const distance_sums = std::get_if<DistanceSums*>(&sums)) {
    distances(sources, [&](Vertex, std::span<const Distance> found) {
      add_distances(found, **distance_sums);
    });
  } else {
    host::add_dependencies(graph(), static_cast<int>(threads()), sources,
                           *std::get<Dependencies*>(sums), [this] { return interrupted(); });
  }
}

std::vector<Vertex> Engine::clique(Vertex around) const {
  return host::greedy_clique(graph(), around);
}

std::vector<Probe> Engine::probe(const SearchChain& chain) {
  return host::interpret(
      *this, chain, [this](Vertex source, Distance lower, std::span<const DistanceHandle> centers) {
        return host::search_and_apply(*this, source, lower, centers);
      });
}

std::size_t CandidateSets::choose_ball(std::span<const DistanceHandle> centers, Distance radius) {
  std::size_t best = 0;
  Vertex fewest = kNoVertex;
  for (std::size_t c = 0; c < centers.size(); ++c) {
    set_ball(centers[c], radius);
    if (const Vertex outside = census().outside; outside < fewest) best = c, fewest = outside;
  }
  set_ball(centers[best], radius);
  return best;
}

SearchEffect CandidateSets::apply_search(DistanceHandle distances, Vertex source,
                                         Distance eccentricity, Distance limit,
                                         std::span<const DistanceHandle> centers) {
  drop(limit);
  SearchEffect effect;
  effect.farthest = farthest_in(Among::candidates, distances);
  tighten(distances, source, eccentricity, effect.farthest);
  drop(limit);
  if (census().outside > 0) effect.center = choose_ball(centers, limit / 2);
  effect.outside = census().outside;
  return effect;
}

std::vector<RefineStep> CandidateSets::refine(std::span<const DistanceHandle> distances,
                                              Distance limit, int rounds) {
  std::vector<RefineStep> steps;
  for (std::size_t found = 1; rounds > 0 && found > 0 && census().outside > 0; --rounds) {
    const std::size_t before = steps.size();
    for (std::size_t i = 0; i < distances.size(); ++i)
      for (const Among among : {Among::candidates, Among::outside}) {
        const Vertex candidates = census().candidates;
        const Distance farthest = farthest_in(among, distances[i]);
        eliminate(distances[i], among, farthest, limit);
        if (census().candidates < candidates) steps.push_back({i, among, farthest});
      }
    found = steps.size() - before;
  }
  return steps;
}

}  // namespace antipode
