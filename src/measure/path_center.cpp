// Radius and center: the least eccentricity of those that reach all others. Only the strong
// component that no arc enters can have such vertices. Bounds exclude most of its vertices: in turn
// one with the least lower bound is searched, and the vertex farthest from it (docs/paths.md, "The
// diameter with directions").
#include <algorithm>
#include <numeric>

#include "antipode/error.hpp"
#include "measure/path_bounds.hpp"

namespace antipode {

namespace {

class CenterSearch {
 public:
  CenterSearch(PathRun& run, std::vector<Vertex> members, Question question)
      : question_(question), bounds_(run, std::move(members)) {}

  bool reaches_all() { return search(first()).reached == bounds_.graph().order(); }

  void run() {
    for (std::vector<Vertex> open = candidates(); !open.empty(); open = candidates()) {
      bounds_.run().report(bounds_.least_lower(), bounds_.least_upper(), open.size());
      if (bounds_.batch_pays(open.size()))
        bounds_.search_batch(std::move(open), [this](Vertex a, Vertex b) { return before(a, b); });
      else
        search(*std::min_element(open.begin(), open.end(),
                                 [this](Vertex a, Vertex b) { return before(a, b); }));
    }
  }

  void copy_to(PathCenter& answer) const {
    answer.lower = bounds_.least_lower();
    answer.upper = bounds_.least_upper();
    answer.reach_all = static_cast<Vertex>(bounds_.members().size());
    for (const Vertex v : bounds_.members())
      if (!bounds_.is_open(v) && bounds_.lower(v) == answer.upper) answer.center.push_back(v);
  }

 private:
  Vertex first() const {
    const Graph& graph = bounds_.graph();
    return *std::max_element(bounds_.members().begin(), bounds_.members().end(),
                             [&](Vertex a, Vertex b) { return graph.degree(a) < graph.degree(b); });
  }

  // With the far end, whose distances raise the lower bounds of all.
  PathSearch search(Vertex v) {
    const PathSearch found = bounds_.search(v);
    if (std::find(far_ends_.begin(), far_ends_.end(), found.farthest) == far_ends_.end()) {
      far_ends_.push_back(found.farthest);
      bounds_.search_to(found.farthest);
    }
    return found;
  }

  bool before(Vertex a, Vertex b) const {
    if (bounds_.lower(a) != bounds_.lower(b)) return bounds_.lower(a) < bounds_.lower(b);
    return bounds_.upper(a) != bounds_.upper(b) ? bounds_.upper(a) < bounds_.upper(b) : a < b;
  }

  // Those that may have a smaller eccentricity than is known; or the same, if all of the center is
  // asked for.
  std::vector<Vertex> candidates() const {
    const Length radius = bounds_.least_upper();
    std::vector<Vertex> open;
    for (const Vertex v : bounds_.members())
      if (bounds_.is_open(v) &&
          (question_ == Question::center ? bounds_.lower(v) <= radius : bounds_.lower(v) < radius))
        open.push_back(v);
    return open;
  }

  Question question_;
  PathBounds bounds_;
  std::vector<Vertex> far_ends_;
};

// Those that all others might be reached from.
std::vector<Vertex> sources_of_all(const Graph& graph) {
  std::vector<Vertex> members;
  if (!graph.is_directed()) {
    members.resize(graph.order());
    std::iota(members.begin(), members.end(), Vertex{0});
    return members;
  }
  const Components strong = strong_components(graph);
  for (Vertex v = 0; v < graph.order(); ++v)
    if (strong.of[v] == strong.count() - 1) members.push_back(v);
  return members;
}

Witness farthest_path(PathEngine& engine, Vertex from) {
  std::vector<Length> distances(engine.graph().order());
  const PathSearch found = engine.search(from, Along::arcs, distances);
  return {from, found.farthest, shortest_path(engine.graph(), from, distances, found.farthest)};
}

}  // namespace

PathCenter center(PathEngine& engine, Question question, Observer& observer) {
  PathCenter answer;
  answer.upper = bound_of_paths(engine.graph());
  if (engine.graph().order() == 0) {
    answer.exact = true;
    return answer;
  }
  PathRun run(engine, observer);
  bool is_known = false;  // whether there are vertices that reach all
  try {
    run.stop_if_asked();
    CenterSearch search(run, sources_of_all(engine.graph()), question);
    if (!search.reaches_all()) {
      answer.lower = answer.upper = kNoPath;
      answer.exact = true;
    } else {
      is_known = true;
      try {
        search.run();
        answer.exact = true;
      } catch (const Interrupted&) {
      }
      search.copy_to(answer);
    }
  } catch (const Interrupted&) {
  }
  answer.searches = run.searches() + run.lanes();
  if (is_known && answer.exact) {
    engine.interrupt_when(nullptr);
    answer.witness = farthest_path(engine, answer.center.front());
  }
  return answer;
}

}  // namespace antipode
