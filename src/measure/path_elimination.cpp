#include "measure/path_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/limits.hpp"

namespace antipode {

namespace {

constexpr int kRounds = 3;                // of elimination by all rows after each search
constexpr std::size_t kFew = 10;          // so few outside are searched themselves
constexpr std::size_t kMostRows = 32;     // then the oldest are forgotten
constexpr std::size_t kMemory = 4;        // searches back, for the rate at which candidates leave
constexpr double kLeastBatch = 1.0 / 16;  // of the candidates outside

}  // namespace

Vertex PathElimination::first_search() {
  const Graph& graph = run_.graph();
  Vertex first = 0;
  for (Vertex v = 1; v < graph.order(); ++v)
    if (graph.degree(v) > graph.degree(first)) first = v;
  refuse_bytes(std::uint64_t{graph.order()} * 13, "bounds of eccentricities");
  lower_.assign(graph.order(), 0);
  is_searched_.assign(graph.order(), false);
  search({first});
  return rows_.front().search.reached;
}

// Two eccentricities differ by at most the distance of their vertices.
void PathElimination::add(PathRow row) {
  const Length eccentricity = row.search.eccentricity;
  const Length* const distance = row.distances->data();
  for (std::size_t v = 0; v < lower_.size(); ++v)
    lower_[v] = std::max(lower_[v], std::max(distance[v], eccentricity - distance[v]));
  rows_.push_back(std::move(row));
}

// Of the longest path that these searches found: the vertex nearest to its middle.
Vertex PathElimination::midpoint() const {
  const PathRow& row =
      *std::max_element(rows_.begin(), rows_.end(), [](const PathRow& a, const PathRow& b) {
        return a.search.eccentricity < b.search.eccentricity;
      });
  const Length length = row.search.eccentricity;
  Vertex best = row.search.source;
  Length least = length;
  for (const Vertex v : shortest_path(run_.graph(), best, *row.distances, row.search.farthest)) {
    const Length longer = std::max(row.at(v), length - row.at(v));
    if (longer < least) least = longer, best = v;
  }
  return best;
}

std::size_t PathElimination::count_outside(std::size_t row) const {
  const Length half = run_.longest() / 2;
  const Length* const distance = rows_[row].distances->data();
  std::size_t count = 0;
  for (const Vertex v : candidates_) count += distance[v] > half ? 1 : 0;
  return count;
}

void PathElimination::choose_center() {
  std::size_t best = candidates_.size() + 1, center = center_;
  for (std::size_t row = 0; row < rows_.size() && best > 0; ++row)
    if (const std::size_t count = count_outside(row); count < best) best = count, center = row;
  center_ = center;
  outside_ = best;
}

// Drops candidates that are near to all with whom they might be far apart.
bool PathElimination::eliminate_by(std::size_t row) {
  const Length longest = run_.longest(), half = longest / 2;
  const Length* const distance = rows_[row].distances->data();
  const Length* const from_center = rows_[center_].distances->data();
  Reach reach;
  for (const Vertex v : candidates_) {
    reach.all = std::max(reach.all, distance[v]);
    reach.outside = std::max(reach.outside, from_center[v] > half ? distance[v] : 0);
  }
  upper_ = std::min(upper_, reach.all + reach.outside);
  std::size_t left = 0;
  for (const Vertex v : candidates_) {
    const Length farthest = from_center[v] > half ? reach.all : reach.outside;
    candidates_[left] = v;
    left += distance[v] + farthest > longest ? 1 : 0;
  }
  const bool is_effective = left < candidates_.size();
  candidates_.resize(left);
  if (is_effective) {
    run_.step({.rule = PathStep::Rule::hub,
               .vertex = rows_[row].search.source,
               .value = reach.all,
               .other = reach.all});
    run_.step({.rule = PathStep::Rule::hub_outside,
               .vertex = rows_[row].search.source,
               .value = reach.outside,
               .other = reach.outside});
  }
  return is_effective;
}

void PathElimination::eliminate() {
  std::size_t described = rows_.size();  // the ball that the last step is about
  const auto describe_ball = [&] {
    if (described == center_) return;
    described = center_;
    run_.step({.rule = PathStep::Rule::split,
               .vertex = rows_[center_].search.source,
               .value = run_.longest() / 2});
  };
  choose_center();
  for (int round = 0; round < kRounds && outside_ > 0; ++round) {
    describe_ball();
    bool is_effective = eliminate_by(center_);
    for (std::size_t row = 0; row < rows_.size() && !candidates_.empty(); ++row)
      if (row != center_ && eliminate_by(row)) is_effective = true;
    choose_center();
    if (!is_effective) break;
  }
  if (outside_ == 0) describe_ball(), upper_ = run_.longest();
}

void PathElimination::report() {
  history_.push_back(outside_);
  run_.report(upper(), outside_);
}

Vertex PathElimination::most_central() const {
  Vertex best = kNoVertex;
  for (Vertex v = 0; v < lower_.size(); ++v)
    if ((best == kNoVertex || lower_[v] < lower_[best]) && !is_searched_[v]) best = v;
  return best;
}

// Those outside the ball with the largest bounds of eccentricity.
std::vector<Vertex> PathElimination::farthest_outside(std::size_t count) const {
  const Length half = run_.longest() / 2;
  std::vector<Vertex> outside;
  for (const Vertex v : candidates_)
    if (rows_[center_].at(v) > half) outside.push_back(v);
  std::vector<Length> reach(rows_.size(), 0), bound(outside.size(), kNoPath);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const Length* const distance = rows_[row].distances->data();
    for (const Vertex v : candidates_) reach[row] = std::max(reach[row], distance[v]);
    for (std::size_t i = 0; i < outside.size(); ++i)
      bound[i] = std::min(bound[i], distance[outside[i]] + reach[row]);
  }
  std::vector<std::size_t> order(outside.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return bound[a] != bound[b] ? bound[a] > bound[b] : a < b;
                    });
  std::vector<Vertex> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(outside[order[i]]);
  return result;
}

// All candidates outside, in searches.
double PathElimination::batch_cost() const {
  const PathCosts costs = run_.engine().costs();
  return (batching_ ? 0 : costs.setup) + costs.source * static_cast<double>(outside_);
}

// When the searches made so far cost as much, or those that are to be expected cost more: as many
// as it takes at the rate of the last ones until nothing is outside.
bool PathElimination::batches_pay() const {
  if (history_.size() < kMemory) return false;
  if (static_cast<double>(history_.size()) >= batch_cost()) return true;
  const auto before = static_cast<double>(history_[history_.size() - kMemory]),
             now = static_cast<double>(outside_);
  if (history_.size() < 2 * kMemory) return false;
  const double rate = std::log(std::max(before / now, 1.0)) / (kMemory - 1);
  return std::log(now + 1) > rate * batch_cost();
}

void PathElimination::batch() {
  batching_ = true;
  const Length longest = run_.longest();
  const auto part = static_cast<std::size_t>(kLeastBatch * static_cast<double>(outside_));
  std::vector<Vertex> sources =
      farthest_outside(std::max(part, std::max<std::size_t>(run_.engine().costs().batch, 1)));
  run_.eccentricities(run_.engine(), sources, Along::arcs);
  std::sort(sources.begin(), sources.end());
  std::erase_if(candidates_,
                [&](Vertex v) { return std::binary_search(sources.begin(), sources.end(), v); });
  run_.step({.rule = PathStep::Rule::tails, .group = std::move(sources)});
  if (run_.longest() > longest)
    eliminate();
  else
    choose_center();
  if (outside_ == 0) {
    run_.step({.rule = PathStep::Rule::split,
               .vertex = rows_[center_].search.source,
               .value = run_.longest() / 2});
    upper_ = run_.longest();
  }
}

void PathElimination::forget_a_row() {
  const std::size_t oldest = center_ == 0 ? 1 : 0;
  rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(oldest));
  if (center_ > oldest) --center_;
}

void PathElimination::search(std::vector<Vertex> sources) {
  std::vector<PathRun::From> searches;
  for (const Vertex v : sources)
    if (v != kNoVertex && !is_searched_[v])
      is_searched_[v] = true, searches.push_back({.source = v});
  while (rows_.size() + searches.size() > kMostRows) forget_a_row();
  for (PathRow& row : run_.search_each(searches)) add(std::move(row));
}

// A vertex of small eccentricity, and a far candidate.
void PathElimination::search_next() {
  const Vertex central = outside_ > kFew ? most_central() : kNoVertex;
  search({central, farthest_outside(1).front()});
}

void PathElimination::run() {
  candidates_.resize(run_.graph().order());
  std::iota(candidates_.begin(), candidates_.end(), Vertex{0});
  const auto finish_search = [this] {
    eliminate();
    report();
    return outside_ == 0;
  };
  if (finish_search()) return;
  search({rows_.front().search.farthest});
  if (finish_search()) return;
  search({midpoint(), rows_.back().search.farthest});
  if (finish_search()) return;
  while (outside_ > 0) {
    if (batching_ || batches_pay())
      batch();
    else
      search_next(), eliminate();
    report();
  }
}

}  // namespace antipode
