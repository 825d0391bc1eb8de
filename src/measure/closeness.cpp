// Closeness of all vertices from what each receives from all sources, and the most central ones by
// pruning.
#include <algorithm>
#include <numeric>

#include "graph/sample.hpp"
#include "measure/source_loop.hpp"
#include "measure/state.hpp"

namespace antipode {

double Closeness::closeness(Vertex v, bool scaled) const {
  const double others = received.sources[v] - 1.0,
               order = static_cast<double>(received.sources.size());
  if (received.sum[v] == 0) return 0;
  const double mean = others / static_cast<double>(received.sum[v]);
  return scaled ? mean * others / (order - 1) : mean;
}

double Closeness::harmonic(Vertex v) const {
  return static_cast<double>(received.inverse_sum[v]) / static_cast<double>(received.unit);
}

Closeness closeness(Engine& engine, Observer& observer, Keeper& keeper) {
  const Vertex order = engine.graph().order();
  Closeness result{Received(order)};
  Received& received = result.received;
  if (const auto kept = keeper.kept(); !kept.empty())
    StateReader(kept)
        .get(result.sources)
        .get(received.sources)
        .get(received.farthest)
        .get(received.sum)
        .get(received.inverse_sum);
  std::vector<Vertex> everybody(order);
  std::iota(everybody.begin(), everybody.end(), Vertex{0});
  result.finished = for_parts(
      engine, everybody, engine.batch_size(), result.sources, observer, keeper,
      [&](std::size_t, std::span<const Vertex> part) { engine.receive(part, received); },
      [&] {
        keeper.keep(StateWriter()
                        .put(result.sources)
                        .put(received.sources)
                        .put(received.farthest)
                        .put(received.sum)
                        .put(received.inverse_sum)
                        .bytes());
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

}  // namespace

MostCentral most_central(Engine& engine, std::size_t count, Observer& observer) {
  constexpr std::size_t kPivots = 16;
  const Graph& graph = engine.graph();
  MostCentral result;
  std::vector<Vertex> vertices(graph.order());
  std::iota(vertices.begin(), vertices.end(), Vertex{0});
  std::vector<std::uint64_t> least(graph.order(), 0);
  engine.interrupt_when([&] { return observer.stop(); });
  try {
    auto pivots = sampled(vertices, kPivots, 1);
    if (!pivots.empty())
      pivots.front() = *std::max_element(vertices.begin(), vertices.end(), [&](Vertex a, Vertex b) {
        return graph.degree(a) < graph.degree(b);
      });
    engine.distances(pivots, [&](Vertex, std::span<const Distance> row) {
      std::vector<Vertex> levels(*std::max_element(row.begin(), row.end()) + std::size_t{1}, 0);
      for (const Distance d : row) ++levels[d];
      const auto bounds = bounds_by_level(levels);
      for (const Vertex v : vertices)
        least[v] = std::max(
            least[v], bounds[row[v]] - std::min<std::uint64_t>(bounds[row[v]], graph.degree(v)));
      ++result.searches;
    });
    std::sort(vertices.begin(), vertices.end(), [&](Vertex a, Vertex b) {
      return least[a] != least[b] ? least[a] < least[b] : a < b;
    });
    std::vector<Central>& best = result.vertices;
    const std::size_t at_once = engine.batch_size();
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
      observer.progress(
          {0, 0, result.searches, static_cast<Vertex>(vertices.size() - begin - part.size())});
    }
    result.finished = true;
  } catch (const Interrupted&) {
  }
  engine.interrupt_when(nullptr);
  return result;
}

}  // namespace antipode
