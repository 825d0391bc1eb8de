// Closeness of all vertices from what each receives from all sources, and the most central ones by
// pruning.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "graph/sample.hpp"
#include "measure/connected.hpp"
#include "measure/source_loop.hpp"
#include "measure/state.hpp"

namespace antipode {

double Closeness::closeness(Vertex v, bool scaled) const {
  const double others = sums.sources[v] - 1.0, order = static_cast<double>(sums.sources.size());
  if (sums.sum[v] == 0) return 0;
  const double mean = others / static_cast<double>(sums.sum[v]);
  return scaled ? mean * others / (order - 1) : mean;
}

double Closeness::harmonic(Vertex v) const {
  return static_cast<double>(sums.inverse_sum[v]) / static_cast<double>(sums.unit);
}

namespace {

// By a search against the arcs, of the sources 0 … done - 1: how many reach the vertex (itself
// included), their largest distance, the sum of distances and that of the inverses.
std::tuple<Vertex, Distance, std::uint64_t, std::uint64_t> distances_to(const Graph& graph,
                                                                        Vertex v, Vertex done,
                                                                        std::uint64_t unit) {
  std::vector<Distance> distance(graph.order(), kUnreached);
  std::vector<Vertex> queue = {v};
  distance[v] = 0;
  Distance farthest = 0;
  Vertex count = 0;
  std::uint64_t sum = 0, inverse_sum = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Distance d = distance[queue[head]];
    if (queue[head] < done) ++count;
    if (queue[head] < done && d > 0) farthest = d, sum += d, inverse_sum += inverse_of(d, unit);
    for (const Vertex u : graph.into().neighbors(queue[head]))
      if (distance[u] == kUnreached) distance[u] = d + 1, queue.push_back(u);
  }
  return {count, farthest, sum, inverse_sum};
}

void check_sizes(const StateReader& reader, Vertex order, const Closeness& result) {
  const DistanceSums& sums = result.sums;
  reader.require(result.sources <= order, "it has more sources than there are");
  for (const std::size_t size :
       {sums.sources.size(), sums.farthest.size(), sums.sum.size(), sums.inverse_sum.size()})
    reader.require(size == order, "it has sums for another number of vertices");
}

// Sources 0 … done - 1 have been added, so a vertex has sums from those of its component; if edges
// have directions, from some of them.
void check_sources(const StateReader& reader, const Graph& graph, const Closeness& result) {
  const Components parts = components(graph);
  std::vector<Vertex> done(parts.count(), 0);
  for (Vertex v = 0; v < result.sources; ++v) ++done[parts.of[v]];
  for (Vertex v = 0; v < graph.order(); ++v) {
    const Vertex own = v < result.sources ? 1 : 0,  // a source is at distance 0 from itself
        most = done[parts.of[v]], counted = result.sums.sources[v];
    reader.require(graph.is_directed() ? own <= counted && counted <= most : counted == most,
                   "a vertex has sums from other sources than were searched");
  }
}

bool is_between(std::uint64_t least, std::uint64_t value, std::uint64_t most) {
  return least <= value && value <= most;
}

// The neighbours of v are at distance 1, one other source at the farthest distance, and the rest at
// least 2 away.
void check_range(const StateReader& reader, const Graph& graph, const Closeness& result, Vertex v) {
  const DistanceSums& sums = result.sums;
  const Vertex own = v < result.sources ? 1 : 0;
  const std::uint64_t others = sums.sources[v] - own, farthest = sums.farthest[v];
  const auto around = graph.into().neighbors(v);
  const auto near = static_cast<std::uint64_t>(
      std::lower_bound(around.begin(), around.end(), result.sources) - around.begin());
  reader.require(near <= others && farthest < graph.order() && (others == 0) == (farthest == 0) &&
                     (near == others) == (farthest <= 1),
                 "a distance is out of range");
  const std::uint64_t one = near < others ? 1 : 0, rest = others - near - one, unit = sums.unit,
                      sum = near + one * farthest,
                      last = others == 0 ? 0 : inverse_of(sums.farthest[v], unit),
                      inverse = near * unit + one * last;
  reader.require(is_between(sum + 2 * rest, sums.sum[v], sum + farthest * rest) &&
                     is_between(inverse + last * rest, sums.inverse_sum[v],
                                inverse + inverse_of(2, unit) * rest),
                 "a sum of distances is out of range");
}

// From one end of an edge to the other, the distance from a source changes by at most one, and its
// inverse by at most a half where neither end is the source. Along an arc a distance grows by at
// most one, if the same sources reach both ends.
bool is_near(const DistanceSums& sums, Vertex from, Vertex to) {
  if (sums.sources[from] > sums.sources[to]) return false;
  if (sums.sources[from] < sums.sources[to]) return true;
  const std::uint64_t sources = sums.sources[from];
  return sums.farthest[to] <= sums.farthest[from] + std::uint64_t{1} &&
         sums.sum[to] <= sums.sum[from] + sources &&
         sums.inverse_sum[from] <= sums.inverse_sum[to] + (sources + 2) * (sums.unit / 2);
}

// Some vertices are searched again, and the last source and the next: if the number of sources is
// wrong, one of these two shows it.
void check_again(const StateReader& reader, const Graph& graph, const Closeness& result) {
  const DistanceSums& sums = result.sums;
  std::vector<Vertex> again(graph.order());
  std::iota(again.begin(), again.end(), Vertex{0});
  again = any_of(again);
  if (result.sources > 0) again.push_back(result.sources - 1);
  if (result.sources < graph.order()) again.push_back(result.sources);
  for (const Vertex v : again)
    reader.require(
        distances_to(graph, v, result.sources, sums.unit) ==
            std::tuple(sums.sources[v], sums.farthest[v], sums.sum[v], sums.inverse_sum[v]),
        "a vertex shows something else when it is searched again");
}

void restore(const std::vector<unsigned char>& saved, Engine& engine, Closeness& result) {
  const Graph& graph = engine.graph();
  DistanceSums& sums = result.sums;
  StateReader reader(saved);
  reader.get(result.sources)
      .get(sums.sources)
      .get(sums.farthest)
      .get(sums.sum)
      .get(sums.inverse_sum)
      .finish();
  check_sizes(reader, graph.order(), result);
  check_sources(reader, graph, result);
  for (Vertex v = 0; v < graph.order(); ++v) check_range(reader, graph, result, v);
  for (Vertex v = 0; v < graph.order(); ++v)
    for (const Vertex u : graph.neighbors(v))
      reader.require(is_near(sums, v, u), "the sums of neighbours are too far apart");
  check_again(reader, graph, result);
}

}  // namespace

Closeness closeness(Engine& engine, Observer& observer, CheckpointStore& checkpoint) {
  const Vertex order = engine.graph().order();
  Closeness result{DistanceSums(order)};
  DistanceSums& sums = result.sums;
  if (const auto saved = checkpoint.load(); !saved.empty()) restore(saved, engine, result);
  std::vector<Vertex> all_vertices(order);
  std::iota(all_vertices.begin(), all_vertices.end(), Vertex{0});
  result.finished = for_chunks(
      engine, all_vertices, engine.batch_costs().sources, result.sources, observer, checkpoint,
      [&](std::size_t, std::span<const Vertex> part) { engine.accumulate(part, &sums); },
      [&] {
        checkpoint.save(StateWriter()
                            .put(result.sources)
                            .put(sums.sources)
                            .put(sums.farthest)
                            .put(sums.sum)
                            .put(sums.inverse_sum)
                            .sealed());
      });
  return result;
}

namespace {

// A vertex at distance i from a pivot is at least |i - j| from the pivot's level j, at least 1 from
// all, and at least 2 from all but its neighbours. Summed over the levels, that bounds its sum of
// distances.  [Bergamini et al., ACM TKDD 2019]
std::vector<std::uint64_t> bounds_by_level(const std::vector<Vertex>& levels) {
  // Σ c(j) |i - j|, from one i to the next: one farther from all before, one nearer to the rest.
  std::uint64_t sum = 0, all = 0, before = 0;
  for (std::size_t j = 0; j < levels.size(); ++j)
    sum += levels[j] * std::uint64_t{j}, all += levels[j];
  std::vector<std::uint64_t> bounds;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::uint64_t here = levels[i],
                        beside = (i > 0 ? levels[i - 1] : 0) +
                                 std::uint64_t{i + 1 < levels.size() ? levels[i + 1] : 0};
    bounds.push_back(sum + beside + 2 * here - 2);  // the vertex itself was taken to be 2 away
    before += here;
    sum = sum + before - (all - before);
  }
  return bounds;
}

bool nearer(const Central& a, const Central& b) {
  return a.distance_sum != b.distance_sum ? a.distance_sum < b.distance_sum : a.vertex < b.vertex;
}

// A lower bound of the distance sum of every vertex, from searches from a few pivots.
std::vector<std::uint64_t> bounds_from_pivots(Engine& engine, MostCentral& result) {
  constexpr std::size_t kPivots = 16;
  const Graph& graph = engine.graph();
  std::vector<Vertex> vertices(graph.order());
  std::iota(vertices.begin(), vertices.end(), Vertex{0});
  std::vector<std::uint64_t> least(graph.order(), 0);
  auto pivots = draw_sample(vertices, kPivots, 1);
  if (pivots.empty()) return least;
  pivots.front() = *std::max_element(vertices.begin(), vertices.end(), [&](Vertex a, Vertex b) {
    return graph.degree(a) < graph.degree(b);
  });
  Vertex reached = graph.order();
  engine.distances(pivots, [&](Vertex, std::span<const Distance> distances) {
    if (reached < graph.order()) return;
    reached -= static_cast<Vertex>(std::count(distances.begin(), distances.end(), kUnreached));
    if (reached < graph.order()) return;
    std::vector<Vertex> levels(
        *std::max_element(distances.begin(), distances.end()) + std::size_t{1}, 0);
    for (const Distance d : distances) ++levels[d];
    const auto bounds = bounds_by_level(levels);
    for (const Vertex v : vertices) {
      const std::uint64_t bound = bounds[distances[v]];
      least[v] = std::max(least[v], bound - std::min<std::uint64_t>(bound, graph.degree(v)));
    }
    ++result.searches;
  });
  require_connected(engine, pivots.front(), reached);
  return least;
}

// Searches by rising lower bound, until that exceeds the largest sum among the best.
void search_by_bound(Engine& engine, std::size_t count, const std::vector<std::uint64_t>& least,
                     Observer& observer, MostCentral& result) {
  std::vector<Vertex> vertices(least.size());
  std::iota(vertices.begin(), vertices.end(), Vertex{0});
  std::sort(vertices.begin(), vertices.end(),
            [&](Vertex a, Vertex b) { return least[a] != least[b] ? least[a] < least[b] : a < b; });
  std::vector<Central>& best = result.vertices;
  const std::size_t at_once = engine.batch_costs().sources;
  for (std::size_t begin = 0;
       count > 0 && begin < vertices.size() &&
       (best.size() < count || least[vertices[begin]] <= best.back().distance_sum);
       begin += at_once) {
    if (observer.stop()) throw Interrupted();
    const auto part = std::span<const Vertex>(vertices).subspan(
        begin, std::min(at_once, vertices.size() - begin));
    const auto summaries = engine.summarize(part);
    for (std::size_t i = 0; i < part.size(); ++i)
      best.push_back({part[i], summaries[i].distance_sum});
    std::sort(best.begin(), best.end(), nearer);
    best.resize(std::min(count, best.size()));
    result.searches += part.size();
    observer.progress({.searches = result.searches,
                       .candidates = static_cast<Vertex>(vertices.size() - begin - part.size())});
  }
}

}  // namespace

MostCentral most_central(Engine& engine, std::size_t count, Observer& observer) {
  require_undirected(engine.graph(), "the most central vertices by pruning");
  MostCentral result;
  StopWhen stopping(engine, observer);
  try {
    search_by_bound(engine, count, bounds_from_pivots(engine, result), observer, result);
    result.finished = true;
  } catch (const Interrupted&) {
  }
  stopping.end();
  return result;
}

}  // namespace antipode
