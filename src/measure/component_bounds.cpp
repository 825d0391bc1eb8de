#include "measure/component_bounds.hpp"

#include <algorithm>
#include <numeric>

#include "graph/limits.hpp"
#include "graph/subgraph.hpp"

namespace antipode {

namespace {

constexpr std::size_t kLeastPart = 8;  // a batch has at least one in so many that exceed
constexpr Vertex kBetween = 1 << 16;   // components between two questions whether to stop

}  // namespace

ComponentOrder::ComponentOrder(const Components& components)
    : of_(components.of),
      vertices_(components.of.size()),
      begin_(components.count() + std::size_t{1}, 0) {
  std::inclusive_scan(components.orders.begin(), components.orders.end(), begin_.begin() + 1,
                      std::plus<>(), std::size_t{0});
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (Vertex v = 0; v < vertices_.size(); ++v) vertices_[next[of_[v]]++] = v;
}

ComponentBounds::ComponentBounds(PathRun& run, const ComponentOrder& order,
                                 std::vector<bool> is_inside, std::vector<bool> is_tail)
    : run_(run), order_(order), is_inside_(std::move(is_inside)), is_tail_(std::move(is_tail)) {
  const std::size_t count = is_inside_.size();
  refuse_bytes(count * 44, "bounds along strong components");
  bound_ = std::make_unique_for_overwrite<Length[]>(count);
  distance_ = std::make_unique_for_overwrite<Length[]>(count);
}

void ComponentBounds::settle(Vertex v, Length bound) {
  bound_[v] = std::min(bound, known(v));
  if (bound_[v] > limit() && known(v) == kNone && (along_ == Along::reversed_arcs || is_tail_[v]))
    exceeding_.push_back(v);
}

// Along the arcs: how far v reaches at most. Against them: how far from a tail v is at most; kNone
// if no tail reaches it.
void ComponentBounds::bound_single(Vertex v) {
  Length bound = along_ == Along::arcs || is_tail_[v] ? 0 : kNone;
  for (EdgeOffset arc = leaving_.offsets[v]; arc < leaving_.offsets[v + 1]; ++arc) {
    const Vertex u = leaving_.targets[arc];
    if (!is_inside_[u] || bound_[u] == kNone) continue;
    const Length through = bound_[u] + leaving_.length(arc);
    bound = bound == kNone ? through : std::max(bound, through);
  }
  if (bound == kNone)
    bound_[v] = kNone;
  else
    settle(v, bound);
}

// The pivot must not depend on the longest distance known: certificates find it again.
Vertex ComponentBounds::pivot_of(std::span<const Vertex> members) const {
  const auto product = [&](Vertex v) {
    return std::uint64_t{leaving_.degree(v)} * entering_.degree(v);
  };
  const Graph& graph = run_.graph();
  Vertex best = members.front();
  for (const Vertex v : members)
    if (product(v) > product(best) ||
        (product(v) == product(best) && graph.origin(v) != graph.origin(best) &&
         graph.labels().is_before(graph.origin(v), graph.origin(best))))
      best = v;
  return best;
}

// Shortest distances inside a component from all in the queue.
void ComponentBounds::spread(const Adjacency& arcs, Vertex component) {
  if (arcs.lengths.empty())
    spread_by_levels(arcs, component);
  else
    spread_by_heap(arcs, component);
}

// A queue of vertices found, which is in order of distance, beside that of the starts.
void ComponentBounds::spread_by_levels(const Adjacency& arcs, Vertex component) {
  std::sort(queue_.begin(), queue_.end());
  found_.clear();
  std::size_t start = 0, next = 0;
  while (start < queue_.size() || next < found_.size()) {
    const bool takes_start =
        next == found_.size() ||
        (start < queue_.size() && queue_[start].first <= distance_[found_[next]]);
    const Vertex v = takes_start ? queue_[start].second : found_[next++];
    if (takes_start && queue_[start++].first != distance_[v]) continue;
    const Length distance = distance_[v] + 1;
    for (const Vertex u : arcs.neighbors(v)) {
      if (distance >= distance_[u] || order_.component(u) != component) continue;
      distance_[u] = distance;
      found_.push_back(u);
    }
  }
  queue_.clear();
}

void ComponentBounds::spread_by_heap(const Adjacency& arcs, Vertex component) {
  const auto later = [](const auto& a, const auto& b) { return a.first > b.first; };
  std::make_heap(queue_.begin(), queue_.end(), later);
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), later);
    const auto [distance, v] = queue_.back();
    queue_.pop_back();
    if (distance != distance_[v]) continue;
    for (EdgeOffset arc = arcs.offsets[v]; arc < arcs.offsets[v + 1]; ++arc) {
      const Vertex u = arcs.targets[arc];
      if (order_.component(u) != component || distance + arcs.length(arc) >= distance_[u]) continue;
      distance_[u] = distance + arcs.length(arc);
      queue_.emplace_back(distance_[u], u);
      std::push_heap(queue_.begin(), queue_.end(), later);
    }
  }
}

// From the pivot, whose distances are given: to the component and to what is behind it.
Length ComponentBounds::beyond(std::span<const Vertex> members) {
  const Vertex component = order_.component(members.front());
  const bool counts = along_ == Along::arcs || is_tail_[members.front()];
  Length result = kNone;
  const auto raise = [&](Length bound) {
    result = result == kNone ? bound : std::max(result, bound);
  };
  for (const Vertex v : members) {
    if (counts) raise(distance_[v]);
    for (EdgeOffset arc = leaving_.offsets[v]; arc < leaving_.offsets[v + 1]; ++arc) {
      const Vertex u = leaving_.targets[arc];
      if (is_inside_[u] && order_.component(u) != component && bound_[u] != kNone)
        raise(distance_[v] + leaving_.length(arc) + bound_[u]);
    }
  }
  return result;
}

void ComponentBounds::bound_strong(std::span<const Vertex> members) {
  const Vertex pivot = pivot_of(members), component = order_.component(pivot);
  const auto start = [&](Vertex v, Length from) {
    distance_[v] = from;
    queue_.emplace_back(from, v);
  };
  for (const Vertex v : members) distance_[v] = kNoPath;
  start(pivot, 0);
  spread(leaving_, component);
  const Length from_pivot = beyond(members);
  for (const Vertex v : members) distance_[v] = kNoPath;
  if (from_pivot == kNone) {
    for (const Vertex v : members) bound_[v] = kNone;
    return;
  }
  start(pivot, std::min(from_pivot, known(pivot)));
  for (std::size_t i = 0; i < members.size() && !known_.empty(); ++i)
    if (const Vertex v = members[i]; known_[v] != kNone && v != pivot) start(v, known_[v]);
  spread(entering_, component);
  const auto first = static_cast<std::ptrdiff_t>(exceeding_.size());
  for (const Vertex v : members) settle(v, distance_[v]);
  std::stable_sort(exceeding_.begin() + first, exceeding_.end(),
                   [this](Vertex a, Vertex b) { return bound_[a] < bound_[b]; });
}

void ComponentBounds::bound_component(std::span<const Vertex> members) {
  if (!is_inside_[members.front()]) return;
  if (members.size() == 1)
    bound_single(members.front());
  else
    bound_strong(members);
}

std::vector<Vertex> ComponentBounds::exceeding(Along along) {
  const Graph& graph = run_.graph();
  along_ = along;
  leaving_ = (along == Along::arcs ? graph : graph.into()).adjacency();
  entering_ = (along == Along::arcs ? graph.into() : graph).adjacency();
  exceeding_.clear();
  for (Vertex i = 0; i < order_.count(); ++i) {
    if (i % kBetween == kBetween - 1 && !is_stopped_) run_.stop_if_asked();
    bound_component(order_.members(along == Along::arcs ? i : order_.count() - 1 - i));
  }
  return std::move(exceeding_);
}

Length ComponentBounds::largest_bound(std::span<const Vertex> vertices) const {
  Length largest = run_.longest();
  for (const Vertex v : vertices) largest = std::max(largest, bound_[v]);
  return largest;
}

Length ComponentBounds::upper_when_stopped() {
  is_stopped_ = true;
  return largest_bound(exceeding(along_));
}

void ComponentBounds::make_part_engine() {
  place_.assign(is_inside_.size(), kNoVertex);
  for (Vertex v = 0; v < is_inside_.size(); ++v)
    if (is_inside_[v]) place_[v] = static_cast<Vertex>(part_.size()), part_.push_back(v);
  const Graph& graph = run_.graph();
  refuse_bytes(part_.size() * std::uint64_t{24} +
                   2 * graph.arcs() * (graph.has_lengths() ? std::uint64_t{12} : 4),
               "a part of the graph");
  engine_ =
      run_.engine().on(subgraph(graph, part_, place_, threads())
                           .with_entering_arcs(subgraph(graph.into(), part_, place_, threads())));
}

void ComponentBounds::search(std::span<const Vertex> sources, Along along, PathStep& step) {
  std::vector<Vertex> places;
  for (const Vertex v : sources) places.push_back(place_[v]);
  const std::vector<Length> found = run_.eccentricities(*engine_, places, along, part_);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    known_[sources[i]] = found[i];
    step.group.push_back(sources[i]);
    step.values.push_back(found[i]);
  }
}

// The first of them, as many as are worth a batch.
void ComponentBounds::search_some(std::vector<Vertex>& open, Along along, PathStep& step) {
  if (!engine_) {
    make_part_engine();
    known_.assign(is_inside_.size(), kNone);
  }
  const std::size_t most =
      std::max({engine_->costs().batch, open.size() / kLeastPart, std::size_t{1}});
  if (open.size() > most) open.resize(most);
  search(open, along, step);
}

std::vector<Vertex> ComponentBounds::attaining(Length diameter) {
  limit_ = diameter - 1;
  PathStep step{.rule = PathStep::Rule::components};
  for (auto open = exceeding(Along::arcs); !open.empty(); open = exceeding(Along::arcs)) {
    run_.report(diameter, open.size());
    search_some(open, Along::arcs, step);
  }
  std::vector<Vertex> result;
  for (Vertex v = 0; v < known_.size(); ++v)
    if (known_[v] == diameter) result.push_back(v);
  return result;
}

// From the side with fewer to search.
void ComponentBounds::run(PathStep step) {
  Along along = Along::arcs;
  std::vector<Vertex> open = exceeding(along);
  Length upper = largest_bound(open);
  if (!open.empty()) {
    auto backwards = exceeding(Along::reversed_arcs);
    if (backwards.size() < open.size()) {
      along = Along::reversed_arcs;
      open = std::move(backwards);
      upper = largest_bound(open);
    }
  }
  while (!open.empty()) {
    run_.report(upper, open.size());
    search_some(open, along, step);
    open = exceeding(along);
    upper = largest_bound(open);
  }
  step.other = along == Along::arcs ? 0 : 1;
  run_.step(std::move(step));
}

}  // namespace antipode
