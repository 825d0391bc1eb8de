// The searches that the columns of a table of vertices share.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "antipode/path_averages.hpp"
#include "measure/asked.hpp"

namespace antipode {

// Of the vertices of the part that is asked about; nothing where it was stopped.
struct PartColumns {
  std::optional<std::vector<Length>> eccentricity, in_eccentricity;
  std::optional<std::vector<double>> closeness, harmonic, betweenness;
};

// The searches, with the engines they take.
class TableSearches {
 public:
  TableSearches(const Asked& asked, const AskOptions& options, Observer& observer,
                VertexTable& result)
      : asked_(asked), options_(options), observer_(observer), result_(result) {}

  // All that the searches for the formula show.
  void sums(const Graph& part, ClosenessFormula formula, PartColumns& columns);
  std::optional<std::vector<Length>> eccentricities(const Graph& part, Along along);
  std::optional<std::vector<double>> betweenness(const Graph& part);

 private:
  std::unique_ptr<Engine> engine_for(const Graph& graph) {
    auto engine = asked_.engine(graph);
    result_.engine = engine->info();
    return engine;
  }
  std::unique_ptr<PathEngine> path_engine_for(const Graph& graph) {
    auto engine = make_path_engine(options_.engine, graph, options_.engine_options);
    result_.engine = engine->info();
    return engine;
  }
  void sums_of_edges(const Graph& part, PartColumns& columns);
  void sums_of_lengths(const Graph& part, ClosenessFormula formula, PartColumns& columns);
  static constexpr Vertex kSmall = 64;
  void of_small_component(const Graph& part, std::span<const Vertex> members,
                          std::vector<Vertex>& place, std::vector<Length>& values);
  bool of_component(const Graph& component, std::span<const Vertex> members,
                    std::vector<Length>& values);

  const Asked& asked_;
  const AskOptions& options_;
  Observer& observer_;
  VertexTable& result_;
};

}  // namespace antipode
