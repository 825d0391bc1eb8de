#include "report/page/part.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "antipode/error.hpp"
#include "graph/sample.hpp"

namespace antipode::page {

Part::Part(const LoadedGraph& all, std::string_view engine_name, const EngineOptions& options,
           Symmetry symmetry)
    : loaded(all), components(strong_components(all.graph)) {
  if (all.graph.order() == 0) return;
  graph = components.count() == 1 ? all.graph
                                  : component_subgraph(all.graph, components, components.largest());
  if (symmetry == Symmetry::unknown) graph = graph.materialized();
  if (!graph.has_lengths()) engine = make_engine(engine_name, graph, options);
  if (graph.has_lengths() || graph.is_directed())
    paths = make_path_engine(engine_name, graph, options);
  info = engine ? engine->info() : paths->info();
}

std::string Part::label(Vertex v) const {
  constexpr std::size_t kMost = 40;
  return shortened(graph.label(v), kMost);
}

std::vector<Vertex> Part::random_vertices(std::size_t most, std::uint64_t seed) const {
  std::vector<Vertex> all(graph.order());
  std::iota(all.begin(), all.end(), Vertex{0});
  std::vector<Vertex> chosen = draw_sample(std::move(all), most, seed);
  std::mt19937_64 random(seed);
  std::shuffle(chosen.begin(), chosen.end(), random);
  return chosen;
}

std::vector<Summed> Part::summarize(std::span<const Vertex> sources, Watch& watch) {
  constexpr std::size_t kAtOnce = 512;
  std::vector<Summed> result;
  try {
    for (std::size_t begin = 0; begin < sources.size(); begin += kAtOnce) {
      const auto some = sources.subspan(begin, std::min(kAtOnce, sources.size() - begin));
      if (watch.stop()) break;
      if (engine && is_long) {
        const Limit limit(*engine, watch);
        for (const Vertex source : some) {
          const Search search = engine->search(source);
          result.push_back({static_cast<double>(search.eccentricity),
                            static_cast<double>(search.distance_sum), search.reached});
        }
        continue;
      }
      if (engine) {
        const Limit limit(*engine, watch);
        for (const Summary& each : engine->summarize(some))
          result.push_back({static_cast<double>(each.eccentricity),
                            static_cast<double>(each.distance_sum), each.reached});
        continue;
      }
      const Limit limit(*paths, watch);
      for (const PathSummary& each : paths->summarize(some, Along::arcs))
        result.push_back({in_units(each.eccentricity),
                          sum_to_double(each.distance_sum, graph.unit()), each.reached});
    }
  } catch (const Interrupted&) {
  }
  return result;
}

Bins Part::levels_from(Vertex source, Watch& watch) {
  try {
    if (engine) {
      const Limit limit(*engine, watch);
      const Search search = engine->search(source);
      return bins_by_distance(
          std::vector<std::uint64_t>(search.level_sizes.begin(), search.level_sizes.end()));
    }
    const Limit limit(*paths, watch);
    std::vector<Length> distances(graph.order());
    paths->search(source, Along::arcs, distances);
    return bins_of(distances);
  } catch (const Interrupted&) {
    return {};
  }
}

}  // namespace antipode::page
