#include "measure/path_bounds.hpp"

#include <algorithm>

#include "graph/limits.hpp"

namespace antipode {

PathBounds::PathBounds(PathRun& run, std::vector<Vertex> members)
    : run_(run),
      members_(std::move(members)),
      batch_size_(std::max<std::size_t>(run.engine().costs().batch, 1)) {
  const Vertex order = run.graph().order();
  refuse_bytes(std::uint64_t{order} * 17, "bounds of eccentricities");
  lower_.assign(order, 0);
  upper_.assign(order, bound_of_paths(run.graph()));
  is_searched_.assign(order, false);
}

Length PathBounds::least_lower() const {
  Length least = kNoPath;
  for (const Vertex v : members_) least = std::min(least, lower_[v]);
  return least;
}

Length PathBounds::least_upper() const {
  Length least = kNoPath;
  for (const Vertex v : members_) least = std::min(least, upper_[v]);
  return least;
}

Length PathBounds::most_upper() const {
  Length most = 0;
  for (const Vertex v : members_) most = std::max(most, upper_[v]);
  return most;
}

PathSearch PathBounds::search(Vertex member) {
  const PathRow from = run_.search(member, Along::arcs);
  const PathRow to = run_.graph().is_directed() ? run_.search(member, Along::reversed_arcs) : from;
  const Length eccentricity = from.search.eccentricity;
  for (const Vertex v : members_) {
    const Length there = from.at(v), back = to.at(v);
    if (there == kNoPath) continue;  // not connected: of no use
    lower_[v] = std::max({lower_[v], back, eccentricity - there});
    upper_[v] = std::min(upper_[v], eccentricity + back);
  }
  lower_[member] = upper_[member] = eccentricity;
  is_searched_[member] = true;
  return from.search;
}

void PathBounds::search_to(Vertex v) {
  if (!run_.graph().is_directed()) {
    search(v);
    return;
  }
  const PathRow to = run_.search(v, Along::reversed_arcs);
  for (const Vertex u : members_) lower_[u] = std::max(lower_[u], to.at(u));
}

void PathBounds::search_all(std::span<const Vertex> sources) {
  const auto found = run_.eccentricities(run_.engine(), sources, Along::arcs);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    lower_[sources[i]] = upper_[sources[i]] = found[i];
    is_searched_[sources[i]] = true;
  }
}

bool PathBounds::batch_pays(std::size_t open) const {
  const PathCosts costs = run_.engine().costs();
  return costs.setup + costs.source * static_cast<double>(open) <=
         static_cast<double>(run_.searches());
}

}  // namespace antipode
