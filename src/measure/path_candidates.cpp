#include "measure/path_candidates.hpp"

#include <algorithm>

namespace antipode {

namespace {

std::uint64_t count(const std::vector<bool>& set) {
  return static_cast<std::uint64_t>(std::count(set.begin(), set.end(), true));
}

struct Farthest {
  Length distance = 0;
  bool is_whole = true;
};
Farthest farthest(std::span<const Length> distances, const std::vector<bool>& among) {
  Farthest result;
  for (Vertex v = 0; v < among.size(); ++v) {
    if (!among[v]) continue;
    if (distances[v] == kNoPath)
      result.is_whole = false;
    else
      result.distance = std::max(result.distance, distances[v]);
  }
  return result;
}

}  // namespace

PathCandidates::PathCandidates(const Graph& graph, const Parts& part, Length limit)
    : is_directed_(graph.is_directed()), limit_(limit), tails_(graph.order(), false) {
  for (Vertex v = 0; v < graph.order(); ++v) tails_[v] = part[v] != kNoVertex;
  far_tails_.assign(graph.order(), false);
  if (!is_directed_) return;
  heads_ = tails_;
  far_heads_ = far_tails_;
}

// A tail leaves if it is near enough to the vertex for all heads that matter: all of them, or for
// tails inside the split those outside. A head that the vertex does not reach may still be reached
// by a tail; but without directions no tail that reaches the vertex reaches it.
PathCandidates::Reach PathCandidates::apply(const Rows& rows, const Set& far_tails,
                                            const Set& far_heads) {
  const bool outside_only = &far_tails == &far_tails_;
  Reach reach;
  const Farthest ends = farthest(rows.from, far_heads);
  reach.heads = ends.distance;
  if (is_directed_) reach.is_whole = ends.is_whole && farthest(rows.to, far_tails).is_whole;
  if (!reach.is_whole) return reach;
  const Vertex order = static_cast<Vertex>(tails_.size());
  for (Vertex v = 0; v < order; ++v)
    if (tails_[v] && !(outside_only && far_tails_[v]) && rows.to[v] != kNoPath &&
        plus(rows.to[v], reach.heads) <= limit_)
      drop(tails_, far_tails_, v);
  if (!is_directed_) return reach.tails = reach.heads, reach;
  reach.tails = farthest(rows.to, far_tails).distance;  // of those left
  for (Vertex v = 0; v < order; ++v)
    if (heads_[v] && !(outside_only && far_heads[v]) && rows.from[v] != kNoPath &&
        plus(rows.from[v], reach.tails) <= limit_)
      drop(heads_, far_heads_, v);
  return reach;
}

void PathCandidates::split(const Rows& rows, Length near) {
  has_split_ = true;
  const Length rest = limit_ - near;
  for (Vertex v = 0; v < tails_.size(); ++v) far_tails_[v] = tails_[v] && rows.to[v] > near;
  for (Vertex v = 0; v < heads_.size(); ++v) far_heads_[v] = heads_[v] && rows.from[v] > rest;
  if (is_directed_) return;
  beside_.assign(tails_.size(), false);
  for (Vertex v = 0; v < tails_.size(); ++v) beside_[v] = rows.to[v] != kNoPath;
}

bool PathCandidates::finish_component() {
  if (is_directed_ || !has_split_) return false;
  bool any = false;
  for (Vertex v = 0; v < tails_.size(); ++v) {
    if (!beside_[v]) continue;
    if (far_tails_[v]) return false;
    any = any || tails_[v];
  }
  for (Vertex v = 0; v < tails_.size(); ++v)
    if (beside_[v]) tails_[v] = false;
  return any;
}

bool PathCandidates::drop_tail(Vertex v) {
  const bool was = tails_[v];
  drop(tails_, far_tails_, v);
  return was;
}

bool PathCandidates::drop_head(Vertex v) {
  const bool was = heads()[v];
  drop(heads(), far_heads(), v);
  return was;
}

std::uint64_t PathCandidates::left() const { return count(tails_) + count(heads_); }
std::uint64_t PathCandidates::outside() const { return count(far_tails_) + count(far_heads_); }

bool PathCandidates::is_proved() const {
  return count(tails_) == 0 || count(heads()) == 0 || (has_split_ && outside() == 0);
}

}  // namespace antipode
