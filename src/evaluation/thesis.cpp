// Penders' evaluation of one graph: a step for each figure.
#include "evaluation/thesis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

std::vector<Vertex> spread(Vertex order, std::size_t most) {
  const std::size_t count = std::min<std::size_t>(order, most);
  std::vector<Vertex> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<Vertex>(i * order / count);
  return result;
}

void expect_same(std::span<const Distance> distances, std::span<const Distance> expected,
                 std::string_view what) {
  if (!std::equal(distances.begin(), distances.end(), expected.begin(), expected.end()))
    throw Error("thesis: " + std::string(what) +
                " gives other distances than Algorithm 2 on one thread");
}

// One graph's measurements, a step for each figure.
class ThesisRun {
 public:
  ThesisRun(const Graph& graph, const ThesisOptions& options)
      : graph_(graph),
        options_(options),
        edges_(arc_list(graph)),
        expected_(graph.order()),
        distances_(graph.order()) {}

  ThesisGraph run(const std::function<void(std::string_view)>& progress) {
    describe();
    measure_sequential();
    progress("searches");
    measure_searches();
    progress("work-items");
    sweep_items();
    progress("work-groups");
    sweep_groups();
    progress("relaxed");
    measure_relaxed();
    progress("orders of edges");
    measure_orders();
    progress("other representations");
    result_.vertex = engine_search("vertex");
    result_.ours = engine_search("auto");
    progress("all pairs");
    sources_ = spread(order(), options_.samples);
    result_.all_pairs.sources = result_.betweenness.sources = sources_.size();
    measure_all_pairs();
    progress("betweenness");
    measure_betweenness();
    return std::move(result_);
  }

 private:
  static constexpr Vertex kSource = 0;
  static constexpr Vertex kFirst[] = {kSource};

  Vertex order() const { return graph_.order(); }
  double scale_to_all(std::size_t sources) const {
    return static_cast<double>(order()) / static_cast<double>(sources);
  }
  // Rounds that all sources take, one in each work-group.
  double rounds() const {
    return std::ceil(static_cast<double>(order()) / static_cast<double>(searches_->most_groups()));
  }

  void describe() {
    result_.order = order();
    result_.edges = graph_.arcs();
    for (Vertex v = 0; v < order(); ++v) {
      if (result_.degrees.size() <= graph_.degree(v))
        result_.degrees.resize(graph_.degree(v) + std::size_t{1}, 0);
      ++result_.degrees[graph_.degree(v)];
    }
  }

  void measure_sequential() {
    result_.sequential =
        median_of(options_, [&] { return sequential_search_seconds(edges_, kSource, expected_); });
    for (const Distance d : expected_)
      if (d != kUnreached) result_.levels = std::max(result_.levels, d);
  }

  // Seconds of a search, whose distances are checked.
  double timed(EdgeSearches& on, const EdgeSettings& settings, bool* by_host = nullptr) {
    stop_if_asked();
    on.search(kSource, settings, distances_);  // compiled and warm
    return median_of(options_, [&] {
      const EdgeRun run = on.search(kSource, settings, distances_);
      expect_same(distances_, expected_, "a search");
      if (by_host != nullptr) *by_host = run.by_host;
      return run.seconds;
    });
  }

  void measure_searches() {
    result_.initialise =
        seconds_of([&] { searches_ = make_edge_searches(options_.device, order(), edges_); });
    result_.memory = searches_->device().memory;
    result_.search = timed(*searches_, {EdgeSync::global});
  }

  std::size_t most_items() const { return std::min<std::size_t>(1024, searches_->most_items()); }

  void sweep_items() {
    for (std::size_t items = most_items(); items > 0; items /= 2) {  // from the fast end
      result_.items.push_back({items, timed(*searches_, {EdgeSync::local, 1, items})});
      if (result_.items.back().seconds > options_.patience) break;
    }
    std::reverse(result_.items.begin(), result_.items.end());
  }

  void sweep_groups() {
    const std::size_t most = std::max<std::size_t>(14, searches_->most_groups());
    for (std::size_t groups = 1; groups <= most; groups = groups < 16 ? groups + 1 : groups * 2) {
      Sweep sweep{groups};
      sweep.seconds = timed(*searches_, {EdgeSync::global, groups, most_items()}, &sweep.by_host);
      result_.groups.push_back(sweep);
    }
  }

  void measure_relaxed() {
    const auto reached = static_cast<Vertex>(std::count_if(
        expected_.begin(), expected_.end(), [](Distance d) { return d != kUnreached; }));
    result_.relaxed = median_of(options_, [&] {
      const Relaxed relaxed = searches_->relaxed(kSource, {});
      result_.relaxed_passes = relaxed.run.passes;
      if (relaxed.reached != reached)
        throw Error("thesis: a relaxed search reaches other vertices than Algorithm 2");
      return relaxed.run.seconds;
    });
  }

  void measure_order(const std::string& name, EdgeOrder how, std::uint64_t seed = 0) {
    const auto other = make_edge_searches(options_.device, order(), in_order(edges_, how, seed));
    result_.orders.push_back({name, timed(*other, {EdgeSync::global})});
  }

  void measure_orders() {
    measure_order("as read", EdgeOrder::as_read);
    measure_order("by source", EdgeOrder::by_source);
    measure_order("by destination", EdgeOrder::by_destination);
    for (std::uint64_t seed = 1; seed <= 9; ++seed)
      measure_order("shuffle " + std::to_string(seed), EdgeOrder::shuffled, seed);
    measure_order("scattered", EdgeOrder::scattered);
  }

  double engine_search(const std::string& kernel) const {
    const auto engine =
        make_engine("opencl", graph_, {.kernel = kernel, .device = options_.device});
    engine->search(kSource);  // compiled and warm
    return median_of(options_, [&] { return seconds_of([&] { engine->search(kSource); }); });
  }

  void measure_all_pairs() {
    const EdgeSettings settings{EdgeSync::local, searches_->most_groups(), 0};
    const auto ignore_distances = [](Vertex, std::span<const Distance>) {};
    Application& all = result_.all_pairs;
    all.measured = scale_to_all(sources_.size()) *
                   searches_->all_pairs(sources_, settings, ignore_distances).seconds;
    all.predicted =
        rounds() * searches_->all_pairs(kFirst, {EdgeSync::local, 1, 0},
                                        ignore_distances)
                       .seconds;  // equation 5.1
    all.sequential = order() * result_.sequential;
    engine_ = make_engine("opencl", graph_, {.device = options_.device});
    const auto many =
        spread(order(), std::max<std::size_t>(engine_->batch_costs().sources, options_.samples));
    engine_->summarize(many);
    all.ours = scale_to_all(many.size()) * seconds_of([&] { engine_->summarize(many); });
  }

  void measure_betweenness() {
    const std::vector<double> weights(order(), 1);
    Dependencies sums{.vertices = std::vector<double>(order(), 0), .arcs = {}, .weights = weights};
    engine_->accumulate(kFirst, &sums);
    const double one = seconds_of([&] { engine_->accumulate(kFirst, &sums); });
    Application& between = result_.betweenness;
    between.predicted = rounds() * one;  // equation 6.3
    between.measured =
        scale_to_all(sources_.size()) * seconds_of([&] { engine_->accumulate(sources_, &sums); });
    std::vector<double> centrality(order(), 0);
    between.sequential = order() * sequential_betweenness_seconds(edges_, kSource, centrality);
  }

  const Graph& graph_;
  const ThesisOptions& options_;
  const std::vector<Edge> edges_;
  std::vector<Distance> expected_,
      distances_;  // by Algorithm 2 on one thread, and of the latest search
  std::unique_ptr<EdgeSearches> searches_;
  std::unique_ptr<Engine> engine_;
  std::vector<Vertex> sources_;  // of all pairs and betweenness
  ThesisGraph result_;
};

}  // namespace

ThesisGraph thesis_run(const std::string& name, const Graph& graph, double read,
                       const ThesisOptions& options,
                       const std::function<void(std::string_view)>& progress) {
  ThesisGraph result = ThesisRun(graph, options).run(progress);
  result.name = name;
  result.read = read;
  return result;
}

}  // namespace antipode
