// Periphery: the vertices from which a path of the largest finite distance begins. The diameter
// first; then all whose bounds of the eccentricity reach it are searched. Without directions:
// bounds from a few searches, in turn from far vertices and central ones. With directions: bounds
// along the strong components (docs/paths.md, T6).
#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "measure/component_bounds.hpp"
#include "measure/path_bounds.hpp"

namespace antipode {

namespace {

// Of a connected graph without directions: all with the eccentricity `diameter`.
class Peripheral {
 public:
  Peripheral(PathRun& run, Length diameter) : diameter_(diameter), bounds_(run, all(run)) {}

  std::vector<Vertex> run() {
    bool is_central = true;
    for (std::vector<Vertex> open = candidates(); !open.empty(); open = candidates()) {
      bounds_.run().report(diameter_, open.size());
      if (bounds_.batch_pays(open.size())) {
        bounds_.search_batch(std::move(open), [this](Vertex a, Vertex b) { return before(a, b); });
        continue;
      }
      const Vertex central = is_central ? most_central() : kNoVertex;
      is_central = !is_central;
      bounds_.search(central != kNoVertex
                         ? central
                         : *std::min_element(open.begin(), open.end(),
                                             [this](Vertex a, Vertex b) { return before(a, b); }));
    }
    std::vector<Vertex> result;
    for (const Vertex v : bounds_.members())
      if (bounds_.lower(v) == diameter_) result.push_back(v);
    return result;
  }

 private:
  static std::vector<Vertex> all(PathRun& run) {
    std::vector<Vertex> result(run.graph().order());
    std::iota(result.begin(), result.end(), Vertex{0});
    return result;
  }

  bool before(Vertex a, Vertex b) const {
    return bounds_.upper(a) != bounds_.upper(b) ? bounds_.upper(a) > bounds_.upper(b) : a < b;
  }

  Vertex most_central() const {
    const Graph& graph = bounds_.graph();
    Vertex best = kNoVertex;
    for (const Vertex v : bounds_.members())
      if (!bounds_.is_searched(v) &&
          (best == kNoVertex || bounds_.lower(v) < bounds_.lower(best) ||
           (bounds_.lower(v) == bounds_.lower(best) && graph.degree(v) > graph.degree(best))))
        best = v;
    return best;
  }

  // No eccentricity is larger than the diameter, so that a lower bound may decide alone.
  std::vector<Vertex> candidates() const {
    std::vector<Vertex> open;
    for (const Vertex v : bounds_.members())
      if (bounds_.upper(v) >= diameter_ && bounds_.lower(v) < diameter_) open.push_back(v);
    return open;
  }

  Length diameter_;
  PathBounds bounds_;
};

std::vector<Vertex> with_directions(PathRun& run, Length diameter) {
  const Vertex order = run.graph().order();
  const Components strong = strong_components(run.graph());
  const ComponentOrder component_order(strong);
  ComponentBounds bounds(run, component_order, std::vector<bool>(order, true),
                         std::vector<bool>(order, true));
  return bounds.attaining(diameter);
}

// Component by component.
std::vector<Vertex> without_directions(PathRun& run, Length diameter) {
  const Components parts = components(run.graph());
  if (parts.count() == 1) return Peripheral(run, diameter).run();
  const ComponentCutter cutter(run.graph(), parts);
  std::vector<Vertex> result;
  for (Vertex which = 0; which < parts.count(); ++which) {
    run.stop_if_asked();
    const Graph part = cutter.subgraph(which);
    if (bound_of_paths(part) < diameter) continue;
    const auto engine = run.engine().on(part);
    PathRun part_run(*engine, run.observer(), diameter);
    for (const Vertex v : Peripheral(part_run, diameter).run())
      result.push_back(cutter.members(which)[v]);
    run.add_work(part_run);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

PathPeriphery periphery(PathEngine& engine, Observer& observer) {
  PathPeriphery answer;
  const Vertex order = engine.graph().order();
  answer.exact = order == 0;
  if (order == 0) return answer;
  PathDiameter longest = diameter(engine, observer);
  answer.lower = longest.lower;
  answer.upper = longest.upper;
  answer.witness = std::move(longest.witness);
  answer.searches = longest.searches + longest.lanes;
  if (!longest.exact()) return answer;
  if (longest.lower == 0) {
    answer.periphery.resize(order);
    std::iota(answer.periphery.begin(), answer.periphery.end(), Vertex{0});
    answer.exact = true;
    return answer;
  }
  PathRun run(engine, observer, longest.lower);
  try {
    answer.periphery = engine.graph().is_directed() ? with_directions(run, longest.lower)
                                                    : without_directions(run, longest.lower);
    answer.exact = true;
  } catch (const Interrupted&) {
  }
  answer.searches += run.searches() + run.lanes();
  return answer;
}

}  // namespace antipode
