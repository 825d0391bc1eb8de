// Turns radius, center, periphery and eccentricities with lengths or directions into certificates:
// vertices whose distances give lower bounds, and vertices whose eccentricities give upper bounds
// (docs/paths.md, "Certificates"). [Dragan, Habib & Viennot 2018] Those that the answer names come
// first; what they leave open is searched. Memory: about 60 bytes per vertex.
#include "measure/path_certify.hpp"

#include <algorithm>
#include <cassert>

#include "antipode/error.hpp"

namespace antipode {

Along reversed(Along along) { return along == Along::arcs ? Along::reversed_arcs : Along::arcs; }

PathCertificate blank_path_certificate(const PathEngine& engine, const Graph& whole,
                                       Question question, Length value) {
  const Graph& graph = engine.graph();
  if (graph.order() == 0) throw UsageError("a graph without vertices has nothing to prove");
  PathCertificate certificate;
  certificate.question = question;
  certificate.graph = fingerprint(whole);
  certificate.directed = whole.is_directed();
  certificate.weighted = whole.has_lengths();
  certificate.scope = graph.order() < whole.order() ? PathCertificate::Scope::largest
                                                    : PathCertificate::Scope::reachable;
  certificate.order = graph.order();
  certificate.size = graph.size();
  certificate.value = value;
  certificate.text = to_text(value, whole.unit());
  return certificate;
}

namespace {

class BoundsProof {
 public:
  BoundsProof(PathEngine& engine, Along along, Observer& observer)
      : engine_(engine),
        graph_(engine.graph()),
        along_(along),
        observer_(observer),
        search_(graph_, [this](std::uint64_t steps) { work(steps); }),
        all_(graph_.order(), 0),
        lower_(graph_.order(), 0),
        row_(graph_.order()) {}

  void add_lower(Vertex target) {
    if (!lower_sources_.empty() && is_lower_source_[target]) return;
    is_lower_source_.resize(graph_.order(), false);
    is_lower_source_[target] = true;
    lower_sources_.push_back(target);
    longest_ = std::max(longest_, engine_.search(target, reversed(along_), row_).eccentricity);
    for (Vertex v = 0; v < graph_.order(); ++v)
      if (row_[v] != kNoPath) lower_[v] = std::max(lower_[v], row_[v]);
  }
  // Makes lower bounds exact, until none is below what it should be: of the vertices below it
  // always the first one.
  template <class IsBelow, class IsBefore>
  void raise_lower(IsBelow is_below, IsBefore is_before) {
    std::vector<bool> is_exact(graph_.order(), false);
    for (;;) {
      Vertex open = kNoVertex;
      for (Vertex v = 0; v < graph_.order(); ++v)
        if (!is_exact[v] && is_below(v) && (open == kNoVertex || is_before(v, open))) open = v;
      if (open == kNoVertex) return;
      is_exact[open] = true;
      add_lower(engine_.search(open, along_, row_).farthest);
    }
  }

  void add_upper(std::span<const Vertex> sources) {
    const auto found = engine_.summarize(sources, along_);
    for (std::size_t i = 0; i < sources.size(); ++i)
      known_.push_back({sources[i], found[i].eccentricity});
  }
  const std::vector<Length>& lower() const { return lower_; }
  std::vector<Length> upper() {
    const std::vector<bool> ends(graph_.order(), true);
    return proved_bounds(search_, graph_, all_, along_, all_, ends, known_).upper;
  }

  // Searches, first one by one and then in growing rounds, of those whose upper bound is too large
  // the ones that come first.
  template <class IsOpen, class IsBefore>
  void close_upper(IsOpen is_open, IsBefore is_before) {
    constexpr std::size_t kSingly = 16;
    for (std::size_t round = 0, most = 1;; ++round, most += round < kSingly ? 0 : (most + 1) / 2) {
      const auto bounds = upper();
      std::vector<bool> is_known(graph_.order(), false);
      for (const auto& start : known_) is_known[start.vertex] = true;
      std::vector<Vertex> open;
      for (Vertex v = 0; v < graph_.order(); ++v)
        if (is_open(v, bounds[v]) && !is_known[v]) open.push_back(v);
      if (open.empty()) return;
      std::stable_sort(open.begin(), open.end(), is_before);
      open.resize(std::min(most, open.size()));
      add_upper(open);
    }
  }

  std::vector<PathFact> facts() const {
    std::vector<PathFact> result;
    if (!lower_sources_.empty()) {
      PathFact fact{.rule = PathFact::Rule::lower};
      fact.group = labels_of(graph_, lower_sources_);
      fact.value = longest_;
      result.push_back(std::move(fact));
    }
    if (!known_.empty()) {
      PathFact fact{.rule = PathFact::Rule::upper};
      for (const auto& [v, e] : known_) {
        fact.group.push_back(graph_.label(v));
        fact.values.push_back(e);
      }
      result.push_back(std::move(fact));
    }
    return result;
  }

 private:
  void work(std::uint64_t steps) {
    constexpr std::uint64_t kBetween = 1 << 16;
    if ((steps_ += steps) < kBetween) return;
    steps_ = 0;
    if (observer_.stop()) throw Interrupted();
  }

  PathEngine& engine_;
  const Graph& graph_;
  Along along_;
  Observer& observer_;
  std::uint64_t steps_ = 0;
  ProvedSearch search_;
  Parts all_;
  std::vector<Length> lower_, row_;
  std::vector<bool> is_lower_source_;
  std::vector<Vertex> lower_sources_;
  std::vector<PathStart> known_;
  Length longest_ = 0;
};

// Those that the others may rest on: vertices without a neighbour, in the same component, that is
// nearer to a farthest vertex along an edge of positive length.
std::vector<Vertex> core_of(const Graph& graph, Along along, const StrongParts& components,
                            const std::vector<Length>& eccentricities) {
  const Adjacency& arcs = (along == Along::arcs ? graph : graph.into()).adjacency();
  std::vector<Vertex> core;
  for (Vertex v = 0; v < graph.order(); ++v) {
    bool is_core = true;
    Length most = 0;  // a vertex that is a component by itself has it from its neighbours
    for (EdgeOffset arc = arcs.offsets[v]; arc < arcs.offsets[v + 1]; ++arc) {
      const Vertex u = arcs.targets[arc];
      const Length by_way = eccentricities[u] + arcs.length(arc);
      most = std::max(most, by_way);
      if (components.of[u] == components.of[v] && arcs.length(arc) > 0 &&
          by_way == eccentricities[v])
        is_core = false;
    }
    if (is_core && most != eccentricities[v]) core.push_back(v);
  }
  return core;
}

std::vector<Vertex> in_file_order(const Graph& graph, std::vector<Vertex> vertices) {
  std::sort(vertices.begin(), vertices.end(),
            [&](Vertex a, Vertex b) { return graph.origin(a) < graph.origin(b); });
  return vertices;
}

}  // namespace

PathCertificate certify_paths(PathEngine& engine, const Graph& whole, Along along,
                              const PathEccentricities& answer, Observer& observer) {
  const Graph& graph = engine.graph();
  const auto longest = std::max_element(answer.lower.begin(), answer.lower.end());
  PathCertificate certificate = blank_path_certificate(
      engine, whole, Question::eccentricity, longest == answer.lower.end() ? 0 : *longest);
  assert(answer.exact);
  certificate.along = along;
  certificate.digest = eccentricity_digest(graph, answer.lower);
  const StopPathsWhen watched(engine, observer);
  std::vector<Length> row(graph.order());
  const auto extreme = static_cast<Vertex>(longest - answer.lower.begin());
  Vertex from = extreme, to = engine.search(extreme, along, row).farthest;
  if (along == Along::reversed_arcs) {
    std::swap(from, to);
    engine.search(from, Along::arcs, row);
  }
  certificate.path = labels_of(graph, shortest_path(graph, from, row, to));
  BoundsProof proof(engine, along, observer);
  for (const Vertex v : answer.lower_sources) proof.add_lower(v);
  proof.raise_lower([&](Vertex v) { return proof.lower()[v] < answer.lower[v]; },
                    [&](Vertex a, Vertex b) { return answer.lower[a] > answer.lower[b]; });
  std::vector<Vertex> upper = answer.upper_sources;
  if (upper.empty()) {
    const ProvedSearch plain(graph, [&](std::uint64_t) {});
    upper =
        core_of(graph, along, strong_parts(plain, along, Parts(graph.order(), 0)), answer.lower);
  }
  proof.add_upper(upper);
  proof.close_upper([&](Vertex v, Length bound) { return bound > answer.lower[v]; },
                    [&](Vertex a, Vertex b) { return answer.lower[a] < answer.lower[b]; });
  certificate.facts = proof.facts();
  return certificate;
}

PathCertificate certify_paths(PathEngine& engine, const Graph& whole, Question question,
                              const PathCenter& answer, Observer& observer) {
  const Graph& graph = engine.graph();
  assert(answer.exact);
  const Length radius = answer.reach_all == 0 ? 0 : answer.lower;
  PathCertificate certificate = blank_path_certificate(engine, whole, question, radius);
  certificate.reach_all = answer.reach_all;
  if (answer.reach_all == 0) return certificate;
  const StopPathsWhen watched(engine, observer);
  certificate.path = labels_of(graph, answer.witness.path);
  BoundsProof proof(engine, Along::arcs, observer);
  // Those that reach all are a strong component; whatever reaches one of them reaches all.
  std::vector<Length> row(graph.order());
  engine.search(answer.center.front(), Along::reversed_arcs, row);
  std::vector<Vertex> members{answer.witness.from};
  if (question == Question::center) members = answer.center;
  std::vector<bool> is_member(graph.order(), false);
  for (const Vertex v : members) is_member[v] = true;
  const Length beyond = question == Question::center ? radius + 1 : radius;
  proof.raise_lower(
      [&](Vertex v) { return row[v] != kNoPath && !is_member[v] && proof.lower()[v] < beyond; },
      [&](Vertex a, Vertex b) { return proof.lower()[a] < proof.lower()[b]; });
  proof.add_upper(members);  // nothing else bounds the least eccentricities from above
  certificate.facts = proof.facts();
  if (question == Question::center)
    certificate.members = labels_of(graph, in_file_order(graph, members));
  return certificate;
}

PathCertificate certify_paths(PathEngine& engine, const Graph& whole, const PathPeriphery& answer,
                              Observer& observer) {
  const Graph& graph = engine.graph();
  assert(answer.exact);
  PathCertificate certificate =
      blank_path_certificate(engine, whole, Question::periphery, answer.lower);
  const StopPathsWhen watched(engine, observer);
  certificate.path = labels_of(graph, answer.witness.path);
  certificate.members = labels_of(graph, in_file_order(graph, answer.periphery));
  BoundsProof proof(engine, Along::arcs, observer);
  std::vector<bool> is_member(graph.order(), false);
  for (const Vertex v : answer.periphery) is_member[v] = true;
  proof.raise_lower([&](Vertex v) { return is_member[v] && proof.lower()[v] < answer.lower; },
                    [](Vertex, Vertex) { return false; });
  // Small lower bounds: eccentricities that bound others well from above.
  proof.close_upper(
      [&](Vertex v, Length bound) {
        return is_member[v] ? bound > answer.lower : bound >= answer.lower;
      },
      [&](Vertex a, Vertex b) { return proof.lower()[a] < proof.lower()[b]; });
  certificate.facts = proof.facts();
  return certificate;
}

}  // namespace antipode
