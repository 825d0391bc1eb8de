#include "measure/path_claim.hpp"

#include <algorithm>

#include "antipode/error.hpp"
#include "measure/proved_bounds.hpp"

namespace antipode {

PathClaim::PathClaim(const PathCertificate& certificate, const Graph& graph, Observer& observer)
    : certificate_(certificate),
      graph_(graph),
      observer_(observer),
      search_(graph, [this](std::uint64_t steps) { work(steps); }) {}

// Asks from time to time whether to go on.
void PathClaim::work(std::uint64_t steps) {
  constexpr std::uint64_t kBetween = 1 << 16;
  if ((steps_ += steps) < kBetween) return;
  steps_ = 0;
  if (observer_.stop()) throw Interrupted();
}

void PathClaim::tell(std::uint64_t done, std::uint64_t all) {
  observer_.progress({.searches = done, .candidates = static_cast<Vertex>(all - done)});
}

void PathClaim::check_graph() {
  if (observer_.stop()) throw Interrupted();
  require_claim(graph_.is_directed() == certificate_.directed,
                "the certificate is about a graph {} directions",
                certificate_.directed ? "with" : "without");
  require_claim(graph_.has_lengths() == certificate_.weighted,
                "the certificate is about a graph {} lengths",
                certificate_.weighted ? "with" : "without");
  require_claim(fingerprint(graph_) == certificate_.graph,
                "the certificate is about another graph (fingerprints differ)");
  index_labels();
  find_scope();
  const std::string text = to_text(certificate_.value, graph_.unit());
  require_claim(certificate_.text == text, "the value is {} in the unit of the file, not {}", text,
                certificate_.text);
}

// All vertices, or the component with most vertices; of equal ones that with the first label.
void PathClaim::find_scope() {
  scope_.assign(graph_.order(), 0);
  if (certificate_.scope == PathCertificate::Scope::largest) {
    const StrongParts parts = strong_parts(search_, Along::arcs, scope_);
    std::vector<Vertex> orders(parts.count, 0), first(parts.count, kNoVertex);
    const auto is_before = [this](Vertex a, Vertex b) {
      return b == kNoVertex || graph_.labels().is_before(graph_.origin(a), graph_.origin(b));
    };
    for (Vertex v = 0; v < graph_.order(); ++v) {
      const Vertex c = parts.of[v];
      ++orders[c];
      if (is_before(v, first[c])) first[c] = v;
    }
    Vertex best = 0;
    for (Vertex c = 1; c < parts.count; ++c)
      if (orders[c] > orders[best] ||
          (orders[c] == orders[best] && is_before(first[c], first[best])))
        best = c;
    for (Vertex v = 0; v < graph_.order(); ++v) scope_[v] = parts.of[v] == best ? 0 : kNoVertex;
  }
  EdgeOffset arcs = 0;
  const Adjacency& adjacency = graph_.adjacency();
  for (Vertex v = 0; v < graph_.order(); ++v) {
    if (!contains(v)) continue;
    ++order_;
    for (const Vertex u : adjacency.neighbors(v)) arcs += contains(u) ? 1 : 0;
  }
  const EdgeOffset size = graph_.is_directed() ? arcs : arcs / 2;
  require_claim(order_ == certificate_.order, "the claim is about {} vertices, not {}", order_,
                certificate_.order);
  require_claim(size == certificate_.size, "the claim is about {} edges, not {}", size,
                certificate_.size);
}

// No way is shorter, every step is an arc that makes up for the difference.
void PathClaim::check_path() {
  const auto& path = certificate_.path;
  require_claim(!path.empty(), "the path is empty");
  const auto distance = distances(vertex(path.front()), Along::arcs);
  const Adjacency& arcs = graph_.adjacency();
  Length length = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Vertex from = vertex(path[i - 1]), to = vertex(path[i]);
    const auto around = arcs.neighbors(from);
    const auto at = std::lower_bound(around.begin(), around.end(), to);
    require_claim(at != around.end() && *at == to, "the path uses {} – {}, which is no edge",
                  path[i - 1], path[i]);
    length = plus(length,
                  arcs.length(arcs.offsets[from] + static_cast<EdgeOffset>(at - around.begin())));
    require_claim(distance[to] == length,
                  "the path is not a shortest one: {} is at distance {} from its start, not {}",
                  path[i], distance[to], length);
  }
  require_claim(length == certificate_.value, "the path has length {}, not {}", length,
                certificate_.value);
}

Length PathClaim::farthest(std::span<const Length> distances) {
  Length most = 0;
  for (const Length d : distances)
    if (d != kNoPath) most = std::max(most, d);
  return most;
}

void PathClaim::index_labels() {
  const auto want = [this](const std::string& label) { vertex_of_.emplace(label, kNoVertex); };
  std::for_each(certificate_.path.begin(), certificate_.path.end(), want);
  std::for_each(certificate_.members.begin(), certificate_.members.end(), want);
  for (const PathFact& fact : certificate_.facts) {
    want(fact.vertex);
    std::for_each(fact.group.begin(), fact.group.end(), want);
  }
  for (Vertex v = 0; v < graph_.order(); ++v) {
    work(1);
    const auto wanted = vertex_of_.find(graph_.label(v));
    if (wanted != vertex_of_.end()) wanted->second = v;
  }
}

Vertex PathClaim::vertex(const std::string& label) const {
  const Vertex v = vertex_of_.at(label);
  require_claim(v != kNoVertex, "the graph has no vertex {}", label);
  require_claim(contains(v), "vertex {} lies in another component", label);
  return v;
}

std::vector<Vertex> PathClaim::vertices(const std::vector<std::string>& labels) const {
  std::vector<Vertex> result;
  for (const auto& label : labels) result.push_back(vertex(label));
  std::vector<Vertex> sorted = result;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  require_claim(twice == sorted.end(), "a vertex is named twice: {}",
                twice == sorted.end() ? std::string() : graph_.label(*twice));
  return result;
}

}  // namespace antipode
