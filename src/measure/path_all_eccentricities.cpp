// The largest finite distance from every vertex, or to it: by bounds in each component without
// directions, and by a search from every vertex with directions.
#include <algorithm>
#include <numeric>
#include <optional>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "measure/path_eccentricities.hpp"
#include "measure/state.hpp"

namespace antipode {

namespace {

PathEccentricities nothing_known(const Graph& graph) {
  refuse_bytes(std::uint64_t{graph.order()} * 20, "eccentricities");
  PathEccentricities result;
  result.lower.assign(graph.order(), 0);
  // Not equal where nothing is known, not even how many vertices are reached.
  result.upper.assign(graph.order(), std::max(bound_of_paths(graph), Length{1}));
  result.reached.assign(graph.order(), 0);
  return result;
}

// Sources in batches, in the order of the vertices.
class AllSources {
 public:
  AllSources(PathEngine& engine, Along along, Observer& observer, CheckpointStore& checkpoint)
      : run_(engine, observer),
        along_(along),
        checkpoint_(checkpoint),
        result_(nothing_known(engine.graph())) {}

  PathEccentricities run() {
    const Vertex order = run_.graph().order();
    try {
      if (const auto kept = checkpoint_.load(); !kept.empty()) restore(kept);
      const auto size = static_cast<Vertex>(
          std::clamp<std::size_t>(run_.engine().costs().batch, kLeastBatch, kMostBatch));
      while (done_ < order) {
        run_.report(*std::max_element(result_.upper.begin(), result_.upper.end()), order - done_);
        batch(std::min(size, order - done_));
        if (checkpoint_.is_active() && checkpoint_.is_due()) keep();
      }
    } catch (const Interrupted&) {
      if (checkpoint_.is_active()) keep();
    }
    result_.exact = done_ == order;
    result_.searches = done_;
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kLeastBatch = 64, kMostBatch = 4096;

  void batch(Vertex count) {
    std::vector<Vertex> sources(count);
    std::iota(sources.begin(), sources.end(), done_);
    const auto found = run_.engine().summarize(sources, along_);
    for (const PathSummary& each : found) {
      result_.lower[done_] = result_.upper[done_] = each.eccentricity;
      result_.reached[done_++] = each.reached;
    }
  }

  void keep() {
    const std::vector<Length> values(result_.lower.begin(), result_.lower.begin() + done_);
    const std::vector<Vertex> reached(result_.reached.begin(), result_.reached.begin() + done_);
    checkpoint_.save(StateWriter().put(values).put(reached).sealed());
  }

  void restore(const std::vector<unsigned char>& kept) {
    std::vector<Length> values;
    std::vector<Vertex> reached;
    StateReader reader(kept);
    reader.get(values).get(reached).finish();
    const Vertex order = run_.graph().order();
    reader.require(values.size() <= order && reached.size() == values.size(),
                   "it has other sources than it counts");
    const Graph& graph = along_ == Along::arcs ? run_.graph() : run_.graph().into();
    const Length longest = result_.upper.empty() ? 0 : result_.upper.front();
    std::vector<Vertex> done(values.size());
    std::iota(done.begin(), done.end(), Vertex{0});
    for (const Vertex v : done)
      reader.require(reached[v] > graph.adjacency().degree(v) && reached[v] <= order &&
                         values[v] <= longest && (reached[v] > 1 || values[v] == 0),
                     "an eccentricity is out of range");
    const auto again = any_of(done);
    const auto found = run_.engine().summarize(again, along_);
    for (std::size_t i = 0; i < again.size(); ++i)
      reader.require(
          found[i].eccentricity == values[again[i]] && found[i].reached == reached[again[i]],
          "a vertex has another eccentricity when it is searched again");
    for (const Vertex v : done) {
      result_.lower[v] = result_.upper[v] = values[v];
      result_.reached[v] = reached[v];
    }
    done_ = static_cast<Vertex>(values.size());
  }

  PathRun run_;
  Along along_;
  CheckpointStore& checkpoint_;
  PathEccentricities result_;
  Vertex done_ = 0;
};

// Of a graph in several parts: each by itself, the largest first. Only the largest has a
// checkpoint: all others together rarely take longer than it does.
class EachComponent {
 public:
  EachComponent(PathEngine& engine, Observer& observer, CheckpointStore& checkpoint)
      : engine_(engine), observer_(observer), checkpoint_(checkpoint) {}

  PathEccentricities run() {
    const Graph& graph = engine_.graph();
    PathEccentricities result = nothing_known(graph);
    const Components parts = components(graph);
    const ComponentCutter cutter(graph, parts);
    std::vector<Vertex> order(parts.count());
    std::iota(order.begin(), order.end(), Vertex{0});
    std::swap(order.front(), order[parts.largest()]);
    const Length bound = result.upper.front();
    Length longest = 0;
    CheckpointStore none;
    result.searches = 1;
    result.exact = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto members = cutter.members(order[i]);
      if (members.size() == 1) {
        result.upper[members.front()] = 0;
        result.reached[members.front()] = 1;
        continue;
      }
      if (!result.exact || observer_.stop()) {
        result.exact = false;
        break;
      }
      const auto engine = engine_.on(cutter.subgraph(order[i]));
      EccentricityElimination part(*engine, observer_, i == 0 ? checkpoint_ : none, longest, bound);
      copy(part.run(), members, result);
      for (const Vertex v : members) longest = std::max(longest, result.lower[v]);
    }
    return result;
  }

 private:
  static void copy(const PathEccentricities& part, std::span<const Vertex> members,
                   PathEccentricities& result) {
    result.searches += part.searches;
    result.exact = result.exact && part.exact;
    for (std::size_t i = 0; i < members.size(); ++i) {
      result.lower[members[i]] = part.lower[i];
      result.upper[members[i]] = part.upper[i];
      result.reached[members[i]] = part.reached[i];
    }
  }

  PathEngine& engine_;
  Observer& observer_;
  CheckpointStore& checkpoint_;
};

}  // namespace

PathEccentricities eccentricities(PathEngine& engine, Along along, Observer& observer,
                                  CheckpointStore& checkpoint) {
  const Graph& graph = engine.graph();
  if (graph.order() == 0) {
    PathEccentricities nothing;
    nothing.exact = true;
    return nothing;
  }
  if (graph.is_directed()) return AllSources(engine, along, observer, checkpoint).run();
  try {
    if (observer.stop()) throw Interrupted();
    EccentricityElimination all(engine, observer, checkpoint);
    if (all.is_connected()) return all.run();
  } catch (const Interrupted&) {
    return nothing_known(graph);
  }
  return EachComponent(engine, observer, checkpoint).run();
}

}  // namespace antipode
