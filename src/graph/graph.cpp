// The immutable graph, and the number of threads that builds it.
#include "antipode/graph.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "graph/machine.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

struct OwnedAdjacency {
  std::vector<EdgeOffset> offsets;
  std::vector<Vertex> targets;
};

unsigned requested_threads = 0;

}  // namespace

Graph::Graph() : Graph(std::vector<EdgeOffset>{0}, {}, Labels()) {}

Graph::Graph(std::vector<EdgeOffset> offsets, std::vector<Vertex> targets, Labels labels) {
  auto rows = std::make_shared<const OwnedAdjacency>(
      OwnedAdjacency{std::move(offsets), std::move(targets)});
  *this = Graph(rows, rows->offsets, rows->targets, std::move(labels));
  assert(labels_->count() == order());
}

Graph::Graph(std::shared_ptr<const void> owner, std::span<const EdgeOffset> offsets,
             std::span<const Vertex> targets, Labels labels)
    : order_(static_cast<Vertex>(offsets.size() - 1)),
      arcs_(targets.size()),
      owner_(std::move(owner)),
      adjacency_{offsets, targets},
      labels_(std::make_shared<const Labels>(std::move(labels))) {}

Graph Graph::with_adjacency(std::vector<EdgeOffset> offsets, std::vector<Vertex> targets,
                            const std::vector<Vertex>& old_of_new,
                            std::vector<Length> lengths) const {
  auto origins = std::make_shared<std::vector<Vertex>>(old_of_new.size());
  for (std::size_t v = 0; v < old_of_new.size(); ++v) (*origins)[v] = origin(old_of_new[v]);
  const auto rows = std::make_shared<const OwnedAdjacency>(
      OwnedAdjacency{std::move(offsets), std::move(targets)});
  Graph graph(rows, rows->offsets, rows->targets, Labels());
  graph.labels_ = labels_;
  graph.origin_ = std::move(origins);
  return has_lengths() ? graph.with_lengths(std::move(lengths), unit_) : graph;
}

namespace {

// Lengths of the entering arcs, from those of the leaving arcs. Adjacencies are sorted, so that the
// arcs into a vertex come in the order of its entering arcs.
std::vector<Length> entering_lengths(const Adjacency& leaving, const Adjacency& entering) {
  refuse_bytes(entering.order() * sizeof(EdgeOffset) + entering.arcs() * sizeof(Length),
               "lengths of entering arcs");
  std::vector<Length> lengths(entering.arcs());
  std::vector<EdgeOffset> next(entering.offsets.begin(), entering.offsets.end());
  for (Vertex v = 0; v < leaving.order(); ++v)
    for (EdgeOffset arc = leaving.offsets[v]; arc < leaving.offsets[v + 1]; ++arc)
      lengths[next[leaving.targets[arc]]++] = leaving.length(arc);
  return lengths;
}

}  // namespace

Graph Graph::with_entering_arcs(const Graph& into) const {
  auto rows = std::make_shared<Graph>(into.materialized());
  rows->into_ = nullptr;
  Graph graph = materialized();
  if (has_lengths() && !rows->has_lengths())
    *rows = rows->with_lengths(entering_lengths(graph.adjacency_, rows->adjacency_), unit_);
  graph.into_ = std::move(rows);
  return graph;
}

Graph Graph::with_lengths(std::vector<Length> lengths, const LengthUnit& unit) const {
  Graph graph = materialized();
  assert(lengths.size() == graph.arcs());
  const Length longest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  if (longest > 0 && order_ - 1 > (kNoPath >> 1) / longest)
    throw UsageError("a path may be as long as 2^63: the lengths are too large for exact sums");
  graph.lengths_ = std::make_shared<const std::vector<Length>>(std::move(lengths));
  graph.adjacency_.lengths = *graph.lengths_;
  graph.unit_ = unit;
  if (graph.into_) graph = graph.with_entering_arcs(graph.into_->without_lengths());
  return graph;
}

Graph Graph::without_lengths() const {
  Graph graph = *this;
  graph.lengths_ = nullptr;
  graph.adjacency_.lengths = {};
  graph.unit_ = {};
  if (into_) graph.into_ = std::make_shared<const Graph>(into_->without_lengths());
  return graph;
}

Graph Graph::transpose() const { return is_directed() ? into_->with_entering_arcs(*this) : *this; }

Vertex Graph::find(std::string_view label) const {
  const Vertex at = labels_->find(label);
  if (!origin_ || at == kNoVertex) return at;
  for (Vertex v = 0; v < order(); ++v)
    if ((*origin_)[v] == at) return v;
  return kNoVertex;
}

void set_threads(unsigned count) { requested_threads = count; }

unsigned threads() { return thread_count(requested_threads); }

int threads_for(std::size_t work) { return work > kWorthThreads ? static_cast<int>(threads()) : 1; }

std::vector<Edge> arc_list(const Graph& graph) {
  std::vector<Edge> result;
  result.reserve(graph.arcs());
  for (Vertex v = 0; v < graph.order(); ++v)
    for (const Vertex u : graph.neighbors(v)) result.push_back({v, u});
  return result;
}

}  // namespace antipode
