#include "measure/hub_elimination.hpp"

#include <algorithm>

#include "graph/limits.hpp"

namespace antipode {

namespace {

// The limits of splits that are tried: all of 0 … longest if these are few, else so many of them.
class Limits {
 public:
  explicit Limits(Length longest) : longest_(longest), count_(std::min(longest, kMost) + 1) {}

  std::size_t count() const { return count_; }
  Length at(std::size_t i) const {
    const Length steps = count_ - 1;
    return steps == 0 ? 0 : longest_ / steps * i + longest_ % steps * i / steps;
  }
  // The first limit that is at least `distance`; count() if there is none.
  std::size_t first_from(Length distance) const {
    if (distance > longest_) return count_;
    if (count_ == longest_ + 1) return distance;
    auto i = static_cast<std::size_t>(static_cast<double>(distance) * scale());
    i = std::min(i, count_ - 1);
    while (i > 0 && at(i - 1) >= distance) --i;
    while (at(i) < distance) ++i;
    return i;
  }

 private:
  static constexpr Length kMost = 1024;
  double scale() const { return static_cast<double>(count_ - 1) / static_cast<double>(longest_); }

  Length longest_;
  std::size_t count_;
};

constexpr int kRounds = 4;              // of elimination by all hubs after each search
constexpr std::size_t kMostHubs = 16;   // then batches
constexpr std::size_t kFew = 128;       // so many outside are one batch
constexpr std::size_t kLeastPart = 16;  // a batch has at least one in so many outside

}  // namespace

HubElimination::HubElimination(PathRun& run, std::vector<Vertex> members)
    : run_(run),
      members_(std::move(members)),
      upper_(bound_of_paths(run.graph())),
      batch_size_(std::max<std::size_t>(run.engine().costs().batch, 1)) {
  const Vertex order = run.graph().order();
  refuse_bytes(std::uint64_t{order} * 26, "candidates of a directed diameter");
  is_member_.assign(order, false);
  is_hub_.assign(order, false);
  lower_out_.assign(order, 0);
  lower_in_.assign(order, 0);
  for (const Vertex v : members_) is_member_[v] = true;
}

void HubElimination::first_hub() {
  const Graph& graph = run_.graph();
  const Adjacency out = graph.adjacency(), in = graph.into().adjacency();
  const auto product = [&](Vertex v) { return std::uint64_t{out.degree(v)} * in.degree(v); };
  add_hub(*std::max_element(members_.begin(), members_.end(),
                            [&](Vertex a, Vertex b) { return product(a) < product(b); }));
  for (Vertex v = 0; v < graph.order(); ++v) {
    if (is_tail(v)) tails_.push_back(v);
    if (is_head(v)) heads_.push_back(v);
  }
  first_tails_ = tails_.size();
  first_heads_ = heads_.size();
}

void HubElimination::raise(const PathRow& row, std::vector<Length>& lower) const {
  for (const Vertex v : members_)
    if (row.at(v) != kNoPath) lower[v] = std::max(lower[v], row.at(v));
}

// Of members, whose distances are finite.
void HubElimination::add_hub(Vertex v) {
  is_hub_[v] = true;
  const PathRun::From both[] = {{v, Along::reversed_arcs}, {v, Along::arcs}};
  const std::vector<PathRow> rows = run_.search_each(both);
  const PathRow &to = rows[0], &from = rows[1];
  // An eccentricity differs from the hub's by at most the distance between the two.
  for (const Vertex u : members_) {
    const Length there = from.at(u), back = to.at(u);
    const Length e = from.search.eccentricity, f = to.search.eccentricity;
    lower_out_[u] = std::max({lower_out_[u], back, e > there ? e - there : 0});
    lower_in_[u] = std::max({lower_in_[u], there, f > back ? f - back : 0});
  }
  hubs_.push_back({v, to, from});
}

// Tails farther than a limit from the hub and heads farther than the rest: fewest over all limits.
HubElimination::Split HubElimination::split_at(std::size_t hub) const {
  const Length longest = run_.longest();
  const Limits limits(longest);
  const Length *const to = hubs_[hub].to.distances->data(), *const from =
                                                                hubs_[hub].from.distances->data();
  std::vector<std::size_t> far(limits.count() + 1, 0);   // [i]: tails beyond all before the i-th
  std::vector<std::size_t> rest(limits.count() + 1, 0);  // [i]: heads beyond the rest from there on
  for (const Vertex v : tails_) ++far[limits.first_from(to[v])];
  for (const Vertex v : heads_)
    ++rest[from[v] > longest ? 0 : limits.first_from(longest - from[v] + 1)];
  Split best{.hub = hub};
  std::size_t beyond = tails_.size(), beyond_rest = 0;
  for (std::size_t i = 0; i < limits.count(); ++i) {
    beyond -= far[i];
    beyond_rest += rest[i];
    if (beyond + beyond_rest < best.outside)
      best.limit = limits.at(i), best.outside = beyond + beyond_rest;
  }
  return best;
}

void HubElimination::choose_split() {
  split_ = {};
  for (std::size_t hub = 0; hub < hubs_.size() && split_.outside > 0; ++hub)
    if (const Split split = split_at(hub); split.outside < split_.outside) split_ = split;
}

HubElimination::Reach HubElimination::reach_of(const Side& side) {
  Reach reach{.any = !side.candidates.empty()};
  for (const Vertex v : side.candidates) {
    reach.all = std::max(reach.all, side.distance[v]);
    if (side.from_center[v] <= side.limit) continue;
    reach.any_outside = true;
    reach.outside = std::max(reach.outside, side.distance[v]);
  }
  return reach;
}

// A pair whose two ends are inside is short, so that those inside need be near to the others
// outside alone.
bool HubElimination::drop(const Side& side, const Reach& others, Length longest) {
  const std::size_t before = side.candidates.size();
  std::size_t left = 0;
  for (const Vertex v : side.candidates) {
    const bool is_outside = side.from_center[v] > side.limit;
    const bool leaves = is_outside
                            ? !others.any || side.distance[v] + others.all <= longest
                            : !others.any_outside || side.distance[v] + others.outside <= longest;
    side.candidates[left] = v;
    left += leaves ? 0 : 1;
  }
  side.candidates.resize(left);
  return left < before;
}

bool HubElimination::eliminate_by(const Hub& hub) {
  const Length longest = run_.longest();
  const Hub& center = hubs_[split_.hub];
  const Side tails{.candidates = tails_,
                   .distance = hub.to.distances->data(),
                   .from_center = center.to.distances->data(),
                   .limit = split_.limit};
  const Side heads{.candidates = heads_,
                   .distance = hub.from.distances->data(),
                   .from_center = center.from.distances->data(),
                   .limit = longest - split_.limit};
  const Reach to_heads = reach_of(heads), to_tails = reach_of(tails);
  upper_ = std::min(upper_, to_tails.all + to_heads.all);
  const bool drops_tails = drop(tails, to_heads, longest);
  const bool drops_heads = drop(heads, reach_of(tails), longest);
  if (!drops_tails && !drops_heads) return false;
  const auto step = [&](PathStep::Rule rule, Length to, Length from) {
    run_.step({.rule = rule, .vertex = hub.vertex, .value = to, .other = from});
  };
  step(PathStep::Rule::hub, to_heads.all, to_tails.all);
  step(PathStep::Rule::hub_outside, to_heads.outside, to_tails.outside);
  // Heads outside may be near to the tails that the step before left alone.
  if (drops_heads) step(PathStep::Rule::hub, to_heads.all, to_tails.all);
  return true;
}

void HubElimination::describe(const Split& split) {
  run_.step(
      {.rule = PathStep::Rule::split, .vertex = hubs_[split.hub].vertex, .value = split.limit});
}

void HubElimination::eliminate() {
  choose_split();
  for (int round = 0; round < kRounds && split_.outside > 0; ++round) {
    describe(split_);
    bool is_effective = false;
    for (const Hub& hub : hubs_)
      if (eliminate_by(hub)) is_effective = true;
    choose_split();
    if (!is_effective) break;
  }
  if (split_.outside == 0) describe(split_), upper_ = run_.longest();
  upper_ = std::max(upper_, run_.longest());
  run_.report(upper_, split_.outside);
}

// From the far ends of the first hub, and once more from the better end.
void HubElimination::sweep() {
  const Hub& hub = hubs_.front();
  const PathRun::From both[] = {{hub.from.search.farthest, Along::reversed_arcs},
                                {hub.to.search.farthest, Along::arcs}};
  const std::vector<PathRow> ends = run_.search_each(both);
  const PathRow &to_head = ends[0], &from_tail = ends[1];
  raise(to_head, lower_out_);
  raise(from_tail, lower_in_);
  if (from_tail.search.eccentricity > to_head.search.eccentricity)
    raise(run_.search(from_tail.search.farthest, Along::reversed_arcs), lower_out_);
  else
    raise(run_.search(to_head.search.farthest, Along::arcs), lower_in_);
}

// The vertex of the component nearest to the middle of the longest path.
void HubElimination::add_midpoint() {
  const std::vector<Vertex>& path = run_.longest_path();
  const Adjacency adjacency = run_.graph().adjacency();
  Vertex best = kNoVertex;
  Length nearest = kNoPath, along = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i > 0) {
      const auto around = adjacency.neighbors(path[i - 1]);
      const auto at = std::lower_bound(around.begin(), around.end(), path[i]) - around.begin();
      along += adjacency.length(adjacency.offsets[path[i - 1]] + static_cast<EdgeOffset>(at));
    }
    const Length rest = run_.longest() - along, apart = along > rest ? along - rest : rest - along;
    if (is_member_[path[i]] && apart < nearest) nearest = apart, best = path[i];
  }
  if (best != kNoVertex && !is_hub_[best]) add_hub(best);
}

// Central: of all members the one with the least bounds. Else the farthest one outside.
Vertex HubElimination::next_hub(bool central) const {
  Vertex best = kNoVertex;
  if (central) {
    const Graph& graph = run_.graph();
    const auto rank = [&](Vertex v) { return lower_out_[v] + lower_in_[v]; };
    const auto degree = [&](Vertex v) { return graph.degree(v) + graph.into().degree(v); };
    for (const Vertex v : members_) {
      if (is_hub_[v]) continue;
      if (best == kNoVertex || rank(v) < rank(best) ||
          (rank(v) == rank(best) && degree(v) > degree(best)))
        best = v;
    }
    return best;
  }
  Length farthest = 0;
  const auto consider = [&](const std::vector<Vertex>& side, const PathRow& row, Length limit) {
    for (const Vertex v : side)
      if (row.at(v) > limit && is_member_[v] && !is_hub_[v] && row.at(v) >= farthest)
        farthest = row.at(v), best = v;
  };
  const Hub& center = hubs_[split_.hub];
  consider(tails_, center.to, split_.limit);
  consider(heads_, center.from, run_.longest() - split_.limit);
  return best;
}

// The farthest outside, along the arcs or against them. What has been searched leaves.
void HubElimination::search_side(std::vector<Vertex>& side, const PathRow& row, Length limit,
                                 Along along) {
  std::vector<Vertex> sources;
  std::copy_if(side.begin(), side.end(), std::back_inserter(sources),
               [&](Vertex v) { return row.at(v) > limit; });
  if (sources.empty()) return;
  std::stable_sort(sources.begin(), sources.end(),
                   [&](Vertex a, Vertex b) { return row.at(a) > row.at(b); });
  const std::size_t most = std::max(batch_size_, split_.outside / kLeastPart);
  if (sources.size() > most) sources.resize(most);
  run_.eccentricities(run_.engine(), sources, along);
  std::sort(sources.begin(), sources.end());
  std::erase_if(side,
                [&](Vertex v) { return std::binary_search(sources.begin(), sources.end(), v); });
  run_.step({.rule = along == Along::arcs ? PathStep::Rule::tails : PathStep::Rule::heads,
             .group = std::move(sources)});
}

void HubElimination::batch() {
  const Hub& hub = hubs_[split_.hub];
  const Length limit = split_.limit, rest = run_.longest() - limit;
  search_side(tails_, hub.to, limit, Along::arcs);
  search_side(heads_, hub.from, rest, Along::reversed_arcs);
}

void HubElimination::run() {
  eliminate();
  if (split_.outside == 0) return;
  sweep();
  eliminate();
  if (split_.outside > 0) {
    add_midpoint();
    eliminate();
  }
  bool central = true;
  int slow = 0;  // rounds in a row that left more than two thirds
  for (std::size_t before = Split::kNone; split_.outside > 0;) {
    slow = before != Split::kNone && split_.outside > before - before / 3 ? slow + 1 : 0;
    before = split_.outside;
    const Vertex hub = split_.outside <= kFew || slow >= 2 || hubs_.size() >= kMostHubs
                           ? kNoVertex
                           : next_hub(central);
    central = !central;
    if (hub != kNoVertex)
      add_hub(hub);
    else
      batch(), slow = 1;
    eliminate();
  }
}

}  // namespace antipode
