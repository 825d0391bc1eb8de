#include "evaluation/thesis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "measure/cost.hpp"

namespace antipode {

namespace {

// The median of what `measured` returns; once is enough where it takes long.
template <class Measured>
double median_of(const ThesisOptions& options, Measured measured) {
  std::vector<double> all{measured()};
  while (all[0] <= options.patience && all.size() < static_cast<std::size_t>(options.runs) &&
         std::accumulate(all.begin(), all.end(), 0.0) <= options.patience)
    all.push_back(measured());
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

// The edges of one source as far apart as possible: first edge of every source, then every
// second edge, and so on.
std::vector<Edge> interleave(std::vector<Edge> edges) {
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& a, const Edge& b) { return a.from < b.from; });
  std::vector<std::pair<std::size_t, std::size_t>> turn(
      edges.size());  // the how-manieth of its source, and which
  for (std::size_t i = 0; i < edges.size(); ++i)
    turn[i] = {i > 0 && edges[i - 1].from == edges[i].from ? turn[i - 1].first + 1 : 0, i};
  std::sort(turn.begin(), turn.end());
  std::vector<Edge> result;
  for (const auto& [nth, which] : turn) result.push_back(edges[which]);
  return result;
}

std::vector<Vertex> spread(Vertex order, std::size_t most) {
  const std::size_t count = std::min<std::size_t>(order, most);
  std::vector<Vertex> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<Vertex>(i * order / count);
  return result;
}

void expect_same(std::span<const Distance> row, std::span<const Distance> expected,
                 std::string_view what) {
  if (!std::equal(row.begin(), row.end(), expected.begin(), expected.end()))
    throw Error("thesis: " + std::string(what) +
                " gives other distances than Algorithm 2 on one thread");
}

}  // namespace

std::vector<Edge> in_order(std::vector<Edge> edges, EdgeOrder order, std::uint64_t seed) {
  switch (order) {
    case EdgeOrder::as_read:
      break;
    case EdgeOrder::by_source:
      std::stable_sort(edges.begin(), edges.end(),
                       [](const Edge& a, const Edge& b) { return a.from < b.from; });
      break;
    case EdgeOrder::by_destination:
      std::stable_sort(edges.begin(), edges.end(),
                       [](const Edge& a, const Edge& b) { return a.to < b.to; });
      break;
    case EdgeOrder::shuffled:
      std::shuffle(edges.begin(), edges.end(), std::mt19937_64(seed));
      break;
    case EdgeOrder::scattered:
      return interleave(std::move(edges));
  }
  return edges;
}

double sequential_search_seconds(std::span<const Edge> edges, Vertex source,
                                 std::vector<Distance>& row) {
  std::vector<unsigned char> visited(edges.size(), 0);
  std::vector<Vertex> in_counts(row.size(), 0), out_counts(row.size(), 0);
  std::fill(row.begin(), row.end(), kUnreached);
  row[source] = 0;
  return seconds_of([&] {
    bool changed = true;
    for (Distance level = 0; changed; ++level) {
      stop_if_asked();
      changed = false;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const auto [from, to] = edges[e];
        if (visited[e] != 0 || row[from] != level) continue;
        visited[e] = 1;
        ++out_counts[from];
        ++in_counts[to];
        if (row[to] != kUnreached) continue;
        row[to] = level + 1;
        changed = true;
      }
    }
  });
}

double sequential_betweenness_seconds(std::span<const Edge> edges, Vertex source,
                                      std::vector<double>& centrality) {
  std::vector<Distance> row(centrality.size(), kUnreached);
  std::vector<double> paths(centrality.size(), 0), share(centrality.size(), 0);
  row[source] = 0;
  paths[source] = 1;
  return seconds_of([&] {
    Distance level = 0;
    for (bool changed = true; changed; ++level) {
      stop_if_asked();
      changed = false;
      for (const auto& [from, to] : edges) {
        if (row[from] != level || row[to] <= level) continue;
        changed |= row[to] == kUnreached;
        row[to] = level + 1;
        paths[to] += paths[from];
      }
    }
    while (level-- > 0)
      for (const auto& [from, to] : edges)
        if (row[from] == level && row[to] == level + 1)
          share[from] += paths[from] / paths[to] * (1 + share[to]);
    for (Vertex v = 0; v < centrality.size(); ++v)
      if (v != source) centrality[v] += share[v];
  });
}

ThesisGraph thesis_run(const std::string& name, const Graph& graph, double read,
                       const ThesisOptions& options,
                       const std::function<void(std::string_view)>& progress) {
  ThesisGraph result;
  result.name = name;
  result.order = graph.order();
  result.edges = graph.arcs();
  result.read = read;
  const Vertex order = graph.order(), source = 0;
  for (Vertex v = 0; v < order; ++v) {
    if (result.degrees.size() <= graph.degree(v))
      result.degrees.resize(graph.degree(v) + std::size_t{1}, 0);
    ++result.degrees[graph.degree(v)];
  }
  const std::vector<Edge> edges = arc_list(graph);
  std::vector<Distance> expected(order), row(order);
  result.sequential =
      median_of(options, [&] { return sequential_search_seconds(edges, source, expected); });
  for (const Distance d : expected)
    if (d != kUnreached) result.levels = std::max(result.levels, d);

  progress("searches");
  std::unique_ptr<EdgeSearches> searches;
  result.initialise =
      seconds_of([&] { searches = make_edge_searches(options.device, order, edges); });
  result.memory = searches->device().memory;
  const auto timed = [&](EdgeSearches& on, const EdgeSettings& settings, bool* by_host = nullptr) {
    stop_if_asked();
    on.search(source, settings, row);  // compiled and warm
    return median_of(options, [&] {
      const EdgeRun run = on.search(source, settings, row);
      expect_same(row, expected, "a search");
      if (by_host != nullptr) *by_host = run.by_host;
      return run.seconds;
    });
  };
  result.search = timed(*searches, {EdgeSync::global});
  progress("work-items");
  for (std::size_t items = std::min<std::size_t>(1024, searches->most_items()); items > 0;
       items /= 2) {  // from the fast end
    result.items.push_back({items, timed(*searches, {EdgeSync::local, 1, items})});
    if (result.items.back().seconds > options.patience) break;
  }
  std::reverse(result.items.begin(), result.items.end());
  progress("work-groups");
  for (std::size_t groups = 1; groups <= std::max<std::size_t>(14, searches->most_groups());
       groups = groups < 16 ? groups + 1 : groups * 2) {
    Sweep sweep{groups};
    sweep.seconds = timed(
        *searches, {EdgeSync::global, groups, std::min<std::size_t>(1024, searches->most_items())},
        &sweep.by_host);
    result.groups.push_back(sweep);
  }
  progress("relaxed");
  result.relaxed = median_of(options, [&] {
    const Relaxed relaxed = searches->relaxed(source, {});
    result.relaxed_passes = relaxed.run.passes;
    if (relaxed.reached !=
        static_cast<Vertex>(std::count_if(expected.begin(), expected.end(),
                                          [](Distance d) { return d != kUnreached; })))
      throw Error("thesis: a relaxed search reaches other vertices than Algorithm 2");
    return relaxed.run.seconds;
  });

  progress("orders of edges");
  const auto ordered = [&](const std::string& as, EdgeOrder how, std::uint64_t seed) {
    const auto other = make_edge_searches(options.device, order, in_order(edges, how, seed));
    result.orders.push_back({as, timed(*other, {EdgeSync::global})});
  };
  ordered("as read", EdgeOrder::as_read, 0);
  ordered("by source", EdgeOrder::by_source, 0);
  ordered("by destination", EdgeOrder::by_destination, 0);
  for (std::uint64_t seed = 1; seed <= 9; ++seed)
    ordered("shuffle " + std::to_string(seed), EdgeOrder::shuffled, seed);
  ordered("scattered", EdgeOrder::scattered, 0);

  progress("other representations");
  const auto engine_search = [&](const std::string& kernel) {
    const auto engine = make_engine("opencl", graph, {.kernel = kernel, .device = options.device});
    engine->search(source);  // compiled and warm
    return median_of(options, [&] { return seconds_of([&] { engine->search(source); }); });
  };
  result.vertex = engine_search("vertex");
  result.ours = engine_search("auto");

  progress("all pairs");
  const auto sources = spread(order, options.samples);
  const double scale = static_cast<double>(order) / static_cast<double>(sources.size());
  const auto rounds = [&](std::size_t groups) {
    return std::ceil(static_cast<double>(order) / static_cast<double>(groups));
  };
  const std::size_t groups = searches->most_groups();
  const EdgeSettings all{EdgeSync::local, groups, 0};
  const auto ignore_distances = [](Vertex, std::span<const Distance>) {};
  result.all_pairs.sources = result.betweenness.sources = sources.size();
  result.all_pairs.measured = scale * searches->all_pairs(sources, all, ignore_distances).seconds;
  const Vertex first[] = {source};
  result.all_pairs.predicted =
      rounds(groups) * searches->all_pairs(first, {EdgeSync::local, 1, 0}, ignore_distances)
                           .seconds;  // equation 5.1
  result.all_pairs.sequential = order * result.sequential;
  const auto engine = make_engine("opencl", graph, {.device = options.device});
  const auto many =
      spread(order, std::max<std::size_t>(engine->batch_costs().sources, options.samples));
  engine->summarize(many);
  result.all_pairs.ours = static_cast<double>(order) / static_cast<double>(many.size()) *
                          seconds_of([&] { engine->summarize(many); });

  progress("betweenness");
  const std::vector<double> weights(order, 1);
  Dependencies sums{.vertices = std::vector<double>(order, 0), .arcs = {}, .weights = weights};
  engine->accumulate(first, &sums);
  const double one = seconds_of([&] { engine->accumulate(first, &sums); });
  result.betweenness.predicted = rounds(groups) * one;  // equation 6.3
  result.betweenness.measured = scale * seconds_of([&] { engine->accumulate(sources, &sums); });
  std::vector<double> centrality(order, 0);
  result.betweenness.sequential = order * sequential_betweenness_seconds(edges, source, centrality);
  return result;
}

}  // namespace antipode
