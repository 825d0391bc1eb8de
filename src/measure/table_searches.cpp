// Closeness, harmonic closeness and eccentricities from the same searches, one from every vertex;
// eccentricities without these from as few as bounds allow, component by component.
#include "measure/table_searches.hpp"

#include <array>

#include "antipode/path_measures.hpp"

namespace antipode {

void TableSearches::sums(const Graph& part, ClosenessFormula formula, PartColumns& columns) {
  part.has_lengths() ? sums_of_lengths(part, formula, columns) : sums_of_edges(part, columns);
}

void TableSearches::sums_of_edges(const Graph& part, PartColumns& columns) {
  // What a vertex receives there is how far it is from the others here.
  const auto engine = engine_for(part.transpose());
  CheckpointStore none;
  const Closeness all = closeness(*engine, observer_, none);
  result_.searches += all.sources;
  if (!all.finished) return;
  columns.eccentricity.emplace(all.sums.farthest.begin(), all.sums.farthest.end());
  columns.closeness.emplace(part.order());
  columns.harmonic.emplace(part.order());
  for (Vertex v = 0; v < part.order(); ++v) {
    (*columns.closeness)[v] = all.closeness(v, true);
    (*columns.harmonic)[v] = all.harmonic(v);
  }
}

// The searches for the harmonic one have all that the other needs, but take longer.
void TableSearches::sums_of_lengths(const Graph& part, ClosenessFormula formula,
                                    PartColumns& columns) {
  const auto engine = path_engine_for(part);
  CheckpointStore none;
  PathCloseness all = closeness(*engine, formula, observer_, none);
  result_.searches += all.sources();
  if (!all.finished) return;
  columns.eccentricity = std::move(all.eccentricity);
  const auto values = [&](ClosenessFormula wanted) {
    all.formula = wanted;
    std::vector<double> found(part.order());
    for (Vertex v = 0; v < part.order(); ++v) found[v] = all.value(v);
    return found;
  };
  if (formula == ClosenessFormula::harmonic) columns.harmonic = values(formula);
  columns.closeness = values(ClosenessFormula::wasserman_faust);
}

bool TableSearches::of_component(const Graph& component, std::span<const Vertex> members,
                                 std::vector<Length>& values) {
  bool exact = false;
  const auto take = [&](const auto& found) {
    for (std::size_t i = 0; i < members.size(); ++i) values[members[i]] = found.lower[i];
    result_.searches += found.searches;
    exact = found.exact;
  };
  if (component.has_lengths()) {
    CheckpointStore none;
    take(antipode::eccentricities(*path_engine_for(component), Along::arcs, observer_, none));
  } else {
    take(antipode::eccentricities(*engine_for(component), Question::eccentricity,
                                  Selection::together, observer_));
  }
  return exact;
}

// From every vertex of a component of up to kSmall vertices, whose numbers `place` has room for: an
// engine for each would take longer than its searches, and there may be millions.
void TableSearches::of_small_component(const Graph& part, std::span<const Vertex> members,
                                       std::vector<Vertex>& place, std::vector<Length>& values) {
  const Adjacency rows = part.adjacency();
  for (Vertex i = 0; i < members.size(); ++i) place[members[i]] = i;
  std::array<Vertex, kSmall> queue{};
  std::array<Distance, kSmall> distance{};
  for (const Vertex source : members) {
    distance.fill(kUnreached);
    distance[place[source]] = 0;
    queue[0] = source;
    std::size_t found = 1;
    for (std::size_t at = 0; at < found; ++at)
      for (const Vertex v : rows.neighbors(queue[at]))
        if (Distance& d = distance[place[v]]; d == kUnreached) {
          d = distance[place[queue[at]]] + 1;
          queue[found++] = v;
        }
    values[source] = distance[place[queue[found - 1]]];
  }
  result_.searches += members.size();
}

std::optional<std::vector<Length>> TableSearches::eccentricities(const Graph& part, Along along) {
  if (part.is_directed()) {
    CheckpointStore none;
    auto found = antipode::eccentricities(*path_engine_for(part), along, observer_, none);
    result_.searches += found.searches;
    return found.exact ? std::optional(std::move(found.lower)) : std::nullopt;
  }
  std::vector<Length> values(part.order(), 0);
  std::vector<Vertex> place(part.order());
  const Components components = antipode::components(part);
  const ComponentCutter cutter(part, components);
  for (Vertex which = 0; which < components.count(); ++which) {
    if (components.orders[which] == 1) continue;
    if (observer_.stop()) return std::nullopt;
    if (components.orders[which] <= kSmall && which != components.largest() &&
        !part.has_lengths()) {
      of_small_component(part, cutter.members(which), place, values);
      continue;
    }
    const Graph component = components.count() == 1 ? part : cutter.subgraph(which);
    if (!of_component(component, cutter.members(which), values)) return std::nullopt;
  }
  return values;
}

std::optional<std::vector<double>> TableSearches::betweenness(const Graph& part) {
  const Core core =
      options_.samples > 0 || part.is_directed() ? without_folding(part) : core_of(part);
  const BetweennessOptions measure{
      .edges = false, .samples = options_.samples, .seed = options_.seed};
  CheckpointStore none;
  Betweenness all =
      part.has_lengths()
          ? antipode::betweenness(*path_engine_for(core.graph), core, measure, observer_, none)
          : antipode::betweenness(*engine_for(core.graph), core, measure, observer_, none);
  result_.searches += all.sources;
  return all.finished ? std::optional(std::move(all.vertices)) : std::nullopt;
}

}  // namespace antipode
