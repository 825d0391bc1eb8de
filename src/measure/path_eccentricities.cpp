#include "measure/path_eccentricities.hpp"

#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "measure/state.hpp"

namespace antipode {

namespace {

constexpr int kCentral = 6;                // searches for a center before the first batch
constexpr std::size_t kLeastBatch = 64;    // sources
constexpr std::size_t kLeastPart = 8;      // a batch has at least one in so many that need a search
constexpr std::size_t kMostSurprises = 4;  // sources of a batch that are followed to their far ends

}  // namespace

EccentricityElimination::EccentricityElimination(PathEngine& engine, Observer& observer,
                                                 CheckpointStore& checkpoint,
                                                 Length least_elsewhere, Length most_elsewhere)
    : run_(engine, observer, least_elsewhere),
      checkpoint_(checkpoint),
      batch_size_(std::max(kLeastBatch, engine.costs().batch)) {
  run_.set_elsewhere(most_elsewhere);
  const Vertex order = engine.graph().order();
  refuse_bytes(std::uint64_t{order} * 29, "bounds of eccentricities");
  result_.lower.assign(order, 0);
  result_.upper.assign(order, bound_of_paths(engine.graph()));
  result_.reached.assign(order, order);
  covered_.assign(order, 0);
  far_end_.assign(order, kNoVertex);
  is_known_.assign(order, false);
}

PathRow EccentricityElimination::search(Vertex source) {
  const PathRow found = run_.search(source, Along::arcs);
  const Length eccentricity = found.search.eccentricity;
  const Length* const distance = found.distances->data();
  for (std::size_t v = 0; v < covered_.size(); ++v) {
    covered_[v] = std::max(covered_[v], distance[v]);
    result_.lower[v] = std::max(result_.lower[v], distance[v]);
    result_.upper[v] = std::min(result_.upper[v], eccentricity + distance[v]);
  }
  result_.lower[source] = eccentricity;
  far_end_[source] = found.search.farthest;
  result_.lower_sources.push_back(source);
  add_upper_source(source);
  return found;
}

void EccentricityElimination::add_upper_source(Vertex v) {
  if (!is_known_[v]) result_.upper_sources.push_back(v);
  is_known_[v] = true;
}

// The distances from the far end make the lower bounds that the source's own would give by the
// difference of two vertices, and more.
void EccentricityElimination::search_with_far_end(Vertex source) {
  if (!is_searched(source)) search(source);
  if (!is_searched(far_end_[source])) search(far_end_[source]);
}

bool EccentricityElimination::is_connected() {
  const Graph& graph = run_.graph();
  Vertex first = 0;
  for (Vertex v = 1; v < graph.order(); ++v)
    if (graph.degree(v) > graph.degree(first)) first = v;
  return search(first).search.reached == graph.order();
}

// From the far ends, and from centers until one is known.
void EccentricityElimination::sweep() {
  report();
  search_with_far_end(far_end_[result_.lower_sources.front()]);
  for (int i = 0; i < kCentral; ++i) {
    report();
    const auto central = static_cast<Vertex>(
        std::min_element(result_.lower.begin(), result_.lower.end()) - result_.lower.begin());
    if (is_searched(central)) return;
    search(central);
    if (is_searched(far_end_[central])) return;
    search(far_end_[central]);
  }
}

// By a neighbour in the lower bounds; over edges of length 0, which make no difference, by the
// smaller number.
bool EccentricityElimination::is_undercut(Vertex v) const {
  const Adjacency adjacency = run_.graph().adjacency();
  const Length lower = result_.lower[v];
  for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc) {
    const Vertex u = adjacency.targets[arc];
    const Length length = adjacency.length(arc);
    if (result_.lower[u] + length == lower && (length > 0 || u < v)) return true;
  }
  return false;
}

std::vector<Vertex> EccentricityElimination::not_undercut() const {
  std::vector<Vertex> result;
  for (Vertex v = 0; v < covered_.size(); ++v)
    if (result_.lower[v] < result_.upper[v] && !is_undercut(v)) result.push_back(v);
  return result;
}

// One search that begins at all of them.
void EccentricityElimination::lower_upper_bounds(std::span<const Vertex> sources) {
  std::vector<PathStart> starts;
  for (const Vertex v : sources) starts.push_back({.vertex = v, .from = result_.lower[v]});
  std::vector<Length> bound(covered_.size());
  run_.engine().search_from(starts, Along::arcs, bound);
  for (std::size_t v = 0; v < bound.size(); ++v)
    result_.upper[v] = std::min(result_.upper[v], bound[v]);
}

void EccentricityElimination::batch(std::vector<Vertex> sources) {
  const std::size_t most = std::max(batch_size_, sources.size() / kLeastPart);
  if (sources.size() > most) {
    const auto first = [&](Vertex a, Vertex b) {
      return result_.lower[a] != result_.lower[b] ? result_.lower[a] < result_.lower[b] : a < b;
    };
    std::nth_element(sources.begin(), sources.begin() + static_cast<std::ptrdiff_t>(most),
                     sources.end(), first);
    sources.resize(most);
    std::sort(sources.begin(), sources.end());
  }
  const auto found = run_.eccentricities(run_.engine(), sources, Along::arcs);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    result_.lower[sources[i]] = found[i];
    add_upper_source(sources[i]);
  }
  lower_upper_bounds(sources);
  raise_lower(sources);
}

// A source that turned out more eccentric than was known says where lower bounds lag: at the vertex
// farthest from it.
void EccentricityElimination::raise_lower(std::span<const Vertex> sources) {
  for (std::size_t i = 0; i < kMostSurprises; ++i) {
    const auto lag = [&](Vertex v) { return result_.lower[v] - covered_[v]; };
    const Vertex worst = *std::max_element(sources.begin(), sources.end(),
                                           [&](Vertex a, Vertex b) { return lag(a) < lag(b); });
    if (lag(worst) == 0) return;
    search_with_far_end(worst);
  }
}

// Searches for the far ends of those that no lower source is far enough from.
std::vector<Vertex> EccentricityElimination::far_ends_of_uncovered(std::size_t most) {
  std::vector<Vertex> sources, ends;
  for (Vertex v = 0; v < covered_.size() && sources.size() < most; ++v)
    if (covered_[v] < result_.lower[v]) sources.push_back(v);
  const auto is_searched_before = [this](Vertex v) { return is_searched(v); };
  const auto unknown = std::stable_partition(sources.begin(), sources.end(), is_searched_before);
  for (auto v = sources.begin(); v != unknown; ++v) ends.push_back(far_end_[*v]);
  run_.rows({unknown, sources.end()}, [&](Vertex, std::span<const Length> distances) {
    ends.push_back(static_cast<Vertex>(std::max_element(distances.begin(), distances.end()) -
                                       distances.begin()));
  });
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::erase_if(ends, is_searched_before);
  return ends;
}

// Every eccentricity is to be the distance from a lower source, so that these are a certificate.
// One vertex after the other at first, since a far end often serves many.
void EccentricityElimination::cover() {
  for (std::size_t most = 1;; most = std::min(2 * most, batch_size_)) {
    const std::vector<Vertex> ends = far_ends_of_uncovered(most);
    if (ends.empty()) return;
    run_.rows(ends, [this](Vertex source, std::span<const Length> distances) {
      for (std::size_t v = 0; v < distances.size(); ++v)
        covered_[v] = std::max(covered_[v], distances[v]);
      far_end_[source] = static_cast<Vertex>(std::max_element(distances.begin(), distances.end()) -
                                             distances.begin());
      result_.lower_sources.push_back(source);
      add_upper_source(source);
    });
    run_.stop_if_asked();
  }
}

void EccentricityElimination::report() {
  open_ = 0;
  for (std::size_t v = 0; v < covered_.size(); ++v)
    open_ += result_.lower[v] < result_.upper[v] ? 1 : 0;
  if (checkpoint_.is_active() && checkpoint_.is_due()) checkpoint_.save(state());
  run_.report(*std::max_element(result_.upper.begin(), result_.upper.end()), open_);
}

std::vector<unsigned char> EccentricityElimination::state() const {
  std::vector<Length> values;
  for (const Vertex v : result_.upper_sources) values.push_back(result_.lower[v]);
  return StateWriter().put(result_.lower_sources).put(result_.upper_sources).put(values).sealed();
}

// Lower sources are searched again, and some of the others; all bounds follow from them.
void EccentricityElimination::restore(const std::vector<unsigned char>& bytes) {
  const Vertex order = run_.graph().order();
  std::vector<Vertex> lower_sources, upper_sources;
  std::vector<Length> values;
  StateReader reader(bytes);
  reader.get(lower_sources).get(upper_sources).get(values).finish();
  reader.require(upper_sources.size() == values.size(), "its searches do not go together");
  std::vector<bool> is_source(order, false);
  for (const Vertex v : upper_sources) {
    reader.require(v < order && !is_source[v], "a source is no vertex, or twice there");
    is_source[v] = true;
  }
  for (const Vertex v : lower_sources) {
    reader.require(v < order && is_source[v], "its searches do not go together");
    if (!is_searched(v)) search(v);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Vertex v = upper_sources[i];
    reader.require(result_.lower[v] <= values[i] && values[i] <= result_.upper[v],
                   "a source has another eccentricity");
  }
  const auto again = any_of(upper_sources);
  if (!again.empty()) {
    const auto found = run_.engine().summarize(again, Along::arcs);
    for (std::size_t i = 0; i < again.size(); ++i) {
      const auto at = std::find(upper_sources.begin(), upper_sources.end(), again[i]);
      reader.require(
          found[i].eccentricity == values[static_cast<std::size_t>(at - upper_sources.begin())],
          "a vertex has another eccentricity when it is searched again");
    }
  }
  std::vector<Vertex> others;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_known_[upper_sources[i]]) continue;
    others.push_back(upper_sources[i]);
    result_.lower[upper_sources[i]] = values[i];
    add_upper_source(upper_sources[i]);
  }
  if (!others.empty()) lower_upper_bounds(others);
  for (Vertex v = 0; v < order; ++v)
    reader.require(result_.lower[v] <= result_.upper[v],
                   "its eccentricities contradict each other");
}

PathEccentricities EccentricityElimination::run() {
  try {
    if (const auto kept = checkpoint_.load(); !kept.empty()) restore(kept);
    if (result_.lower_sources.empty()) is_connected();
    if (result_.lower_sources.size() == 1) sweep();
    for (report(); open_ > 0; report()) batch(not_undercut());
    cover();
    result_.exact = true;
  } catch (const Interrupted&) {
    if (checkpoint_.is_active() && !result_.upper_sources.empty()) checkpoint_.save(state());
    result_.exact = result_.lower == result_.upper;
  }
  result_.searches = run_.searches() + run_.lanes();
  return std::move(result_);
}

}  // namespace antipode
