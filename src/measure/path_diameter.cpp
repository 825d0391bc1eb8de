// The longest finite distance. Without directions: elimination of candidates in each component.
// With directions: pairs that pass by a strong component by hubs in it, all others by bounds along
// the strong components (docs/paths.md, T4 to T6).
#include <algorithm>
#include <numeric>
#include <optional>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "measure/component_bounds.hpp"
#include "measure/hub_elimination.hpp"
#include "measure/path_elimination.hpp"

namespace antipode {

namespace {

// `elsewhere`: no distance in other components is longer.
PathDiameter of_component(PathEngine& engine, Observer& observer, Length known, Length elsewhere) {
  PathRun run(engine, observer, known);
  run.set_elsewhere(elsewhere);
  PathElimination elimination(run);
  try {
    run.stop_if_asked();
    elimination.first_search();
    elimination.run();
  } catch (const Interrupted&) {
  }
  return run.finish(elimination.upper());
}

// All components, those that may have the longest distance first.
class AllComponents {
 public:
  AllComponents(PathRun& run) : run_(run), parts_(components(run.graph())) {
    const Adjacency adjacency = run.graph().adjacency();
    bound_.assign(parts_.count(), 0);
    if (adjacency.lengths.empty()) {
      for (Vertex i = 0; i < parts_.count(); ++i) bound_[i] = parts_.orders[i] - 1;
    } else {
      std::vector<Length> longest(parts_.count(), 0);
      for (Vertex v = 0; v < adjacency.order(); ++v)
        for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc)
          longest[parts_.of[v]] = std::max(longest[parts_.of[v]], adjacency.lengths[arc]);
      for (Vertex i = 0; i < parts_.count(); ++i) bound_[i] = (parts_.orders[i] - 1) * longest[i];
    }
  }

  Length run() {
    const ComponentCutter cutter(run_.graph(), parts_);
    std::vector<Vertex> order(parts_.count());
    std::iota(order.begin(), order.end(), Vertex{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Vertex a, Vertex b) { return bound_[a] > bound_[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Vertex which = order[i];
      if (bound_[which] <= run_.longest()) break;
      if (run_.observer().stop()) return bound_[which];
      const auto engine = run_.engine().on(cutter.subgraph(which));
      PathDiameter found = of_component(*engine, run_.observer(), run_.longest(),
                                        i + 1 < order.size() ? bound_[order[i + 1]] : 0);
      const Length upper = found.upper;
      run_.add(std::move(found), cutter.members(which));
      if (upper > run_.longest()) return std::max(upper, bound_[which]);
    }
    return run_.longest();
  }

 private:
  PathRun& run_;
  Components parts_;
  std::vector<Length> bound_;  // of distances inside each
};

Length without_directions(PathRun& run) {
  PathElimination elimination(run);
  try {
    run.stop_if_asked();
    if (elimination.first_search() == run.graph().order()) {
      elimination.run();
      return run.longest();
    }
  } catch (const Interrupted&) {
    return elimination.upper();
  }
  return AllComponents(run).run();
}

// Of all pairs of a directed graph.
class DirectedDiameter {
 public:
  explicit DirectedDiameter(PathRun& run)
      : run_(run), bound_(bound_of_paths(run.graph())), strong_(strong_components(run.graph())) {}

  Length run() {
    const ComponentOrder order(strong_);
    const auto members = order.members(core());
    HubElimination through(run_, {members.begin(), members.end()});
    try {
      run_.stop_if_asked();
      through.first_hub();
    } catch (const Interrupted&) {
      return bound_;
    }
    const bool is_all = through.is_all_tails() && through.is_all_heads();
    if (!is_all) run_.set_elsewhere(bound_);
    try {
      through.run();
    } catch (const Interrupted&) {
    }
    return is_all ? through.upper() : std::max(through.upper(), beside(through, order));
  }

 private:
  static constexpr Vertex kSmall = 2;         // a component that few paths pass by
  static constexpr Vertex kSmallShare = 128;  // of the vertices

  // The largest component; if that is small, one that no arc enters: it leaves nearly all to the
  // bounds.
  Vertex core() const {
    const Vertex largest = strong_.largest();
    return strong_.orders[largest] <= kSmall + strong_.of.size() / kSmallShare ? strong_.count() - 1
                                                                               : largest;
  }

  // Pairs whose tail does not reach the core, and of the others those whose head it does not reach.
  Length beside(const HubElimination& through, const ComponentOrder& order) {
    const Vertex count = run_.graph().order();
    Length upper = through.upper();
    if (!through.is_all_tails()) {
      std::vector<bool> is_inside(count);
      for (Vertex v = 0; v < count; ++v) is_inside[v] = !through.is_tail(v);
      run_.set_elsewhere(through.is_all_heads() ? upper : bound_);
      upper = std::max(
          upper, bound({.rule = PathStep::Rule::components, .vertex = through.first(), .value = 0},
                       order, is_inside, is_inside));
    }
    std::vector<bool> is_inside(count), is_tail(count);
    bool any = false;
    for (Vertex v = 0; v < count; ++v) {
      is_inside[v] = !through.is_head(v);
      is_tail[v] = is_inside[v] && through.is_tail(v);
      any = any || is_tail[v];
    }
    if (!any) return upper;
    run_.set_elsewhere(upper);
    return std::max(
        upper, bound({.rule = PathStep::Rule::components, .vertex = through.first(), .value = 1},
                     order, std::move(is_inside), std::move(is_tail)));
  }

  // Of the distances in a part from a tail.
  Length bound(PathStep step, const ComponentOrder& order, std::vector<bool> is_inside,
               std::vector<bool> is_tail) {
    ComponentBounds bounds(run_, order, std::move(is_inside), std::move(is_tail));
    try {
      bounds.run(std::move(step));
      return run_.longest();
    } catch (const Interrupted&) {
    }
    return bounds.upper_when_stopped();
  }

  PathRun& run_;
  Length bound_;
  Components strong_;
};

}  // namespace

PathDiameter diameter(PathEngine& engine, Observer& observer) {
  if (engine.graph().order() == 0) return {};
  PathRun run(engine, observer);
  const Length upper =
      engine.graph().is_directed() ? DirectedDiameter(run).run() : without_directions(run);
  return run.finish(upper);
}

}  // namespace antipode
