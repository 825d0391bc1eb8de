// The checker of certificates with lengths and directions. It trusts nothing but the graph: it
// searches with a plain heap, proves its distances by a scan of all arcs, recomputes every fact,
// and draws the conclusion itself. Here: bounds of eccentricities, which answer all questions but
// the diameter (path_verify_elimination.cpp). Memory: about 100 bytes per vertex.
#include <algorithm>

#include "antipode/error.hpp"
#include "graph/hash.hpp"
#include "graph/limits.hpp"
#include "measure/path_claim.hpp"
#include "measure/proved_bounds.hpp"

namespace antipode {

namespace {

class Bounds {
 public:
  explicit Bounds(PathClaim& claim)
      : claim_(claim), graph_(claim.graph()), certificate_(claim.certificate()) {}

  void check() {
    const bool of_center =
        certificate_.question == Question::radius || certificate_.question == Question::center;
    if (of_center) {
      find_those_that_reach_all();
      if (certificate_.reach_all == 0) return check_nothing();
    } else {
      reaches_all_.assign(graph_.order(), true);
    }
    claim_.check_path();
    check_facts();
    conclude();
  }

 private:
  // The vertices that reach all others are a component that reaches all, if there is one: the last
  // one, as no arc goes to it.
  void find_those_that_reach_all() {
    const StrongParts parts = strong_parts(claim_.search(), Along::arcs, claim_.scope());
    reaches_all_.assign(graph_.order(), false);
    Vertex count = 0;
    const auto some = std::find_if(parts.of.begin(), parts.of.end(), [&](Vertex c) {
      return c != kNoVertex && c + 1 == parts.count;
    });
    if (some != parts.of.end()) {
      const auto row = claim_.distances(static_cast<Vertex>(some - parts.of.begin()), Along::arcs);
      bool all = true;
      for (Vertex v = 0; v < graph_.order(); ++v)
        all = all && (!claim_.contains(v) || row[v] != kNoPath);
      for (Vertex v = 0; all && v < graph_.order(); ++v)
        if (parts.of[v] + 1 == parts.count) reaches_all_[v] = true, ++count;
    }
    require_claim(count == certificate_.reach_all, "{} vertices reach all others, not {}", count,
                  certificate_.reach_all);
  }

  void check_nothing() const {
    require_claim(certificate_.path.empty() && certificate_.facts.empty() &&
                      certificate_.members.empty() && certificate_.value == 0,
                  "no vertex reaches all others, so there is no radius to prove");
  }

  void check_facts() {
    lower_.assign(graph_.order(), 0);
    const Along against = certificate_.along == Along::arcs ? Along::reversed_arcs : Along::arcs;
    std::vector<PathStart> known;
    std::uint64_t checked = 0, checks = 0;
    for (const PathFact& fact : certificate_.facts) checks += fact.group.size();
    for (const PathFact& fact : certificate_.facts) {
      const auto group = claim_.vertices(fact.group);
      if (fact.rule == PathFact::Rule::lower) {
        Length most = 0;
        for (const Vertex target : group) {
          claim_.tell(checked++, checks);
          const auto row = claim_.distances(target, against);
          most = std::max(most, PathClaim::farthest(row));
          for (Vertex v = 0; v < graph_.order(); ++v)
            if (row[v] != kNoPath) lower_[v] = std::max(lower_[v], row[v]);
        }
        require_claim(fact.value == most, "the longest path to those named is {}, not {}", most,
                      fact.value);
        continue;
      }
      require_claim(fact.rule == PathFact::Rule::upper, "only bounds prove this question");
      require_claim(group.size() == fact.values.size(), "{} eccentricities of {} vertices",
                    fact.values.size(), group.size());
      for (std::size_t i = 0; i < group.size(); ++i) {
        claim_.tell(checked++, checks);
        const Length e = PathClaim::farthest(claim_.distances(group[i], certificate_.along));
        require_claim(e == fact.values[i], "the eccentricity of {} is {}, not {}", fact.group[i], e,
                      fact.values[i]);
        lower_[group[i]] = std::max(lower_[group[i]], e);
        known.push_back({group[i], e});
      }
    }
    const std::vector<bool> all(graph_.order(), true);
    upper_ = proved_bounds(claim_.search(), graph_, claim_.scope(), certificate_.along,
                           claim_.scope(), all, known)
                 .upper;
  }

  void conclude() const {
    std::vector<bool> is_member(graph_.order(), false);
    for (const Vertex v : claim_.vertices(certificate_.members)) {
      require_claim(reaches_all_[v], "member {} does not reach all", graph_.label(v));
      is_member[v] = true;
    }
    Length largest = 0;
    for (Vertex v = 0; v < graph_.order(); ++v) {
      if (!claim_.contains(v) || !reaches_all_[v]) continue;
      require_claim(decides(v, is_member[v]),
                    "nothing decides {}: its eccentricity is between {} and {}", graph_.label(v),
                    lower_[v], upper_[v]);
      largest = std::max(largest, upper_[v]);
    }
    const Vertex start = claim_.vertex(certificate_.path.front());
    if (certificate_.question == Question::radius || certificate_.question == Question::center)
      require_claim(reaches_all_[start] && upper_[start] <= certificate_.value,
                    "the path's start is not known to have eccentricity {}", certificate_.value);
    if (certificate_.question != Question::eccentricity) return;
    require_claim(largest == certificate_.value, "the largest eccentricity is {}, not {}", largest,
                  certificate_.value);
    std::vector<Length> values(graph_.order(), kNoPath);
    for (Vertex v = 0; v < graph_.order(); ++v)
      if (claim_.contains(v)) values[v] = upper_[v];
    const std::uint64_t digest = eccentricity_digest(graph_, values);
    require_claim(digest == certificate_.digest, "the eccentricities are others ({:016x})", digest);
  }

  bool decides(Vertex v, bool is_member) const {
    const Length value = certificate_.value;
    switch (certificate_.question) {
      case Question::radius:
        return lower_[v] >= value;
      case Question::center:
        return is_member ? lower_[v] >= value && upper_[v] <= value : lower_[v] > value;
      case Question::periphery:
        return is_member ? lower_[v] >= value && upper_[v] <= value : upper_[v] < value;
      default:
        return lower_[v] == upper_[v];
    }
  }

  PathClaim& claim_;
  const Graph& graph_;
  const PathCertificate& certificate_;
  std::vector<bool> reaches_all_;
  std::vector<Length> lower_, upper_;
};

// Fields that the question has no use for say nothing else.
void check_form(const PathCertificate& certificate) {
  const Question question = certificate.question;
  const bool is_center = question == Question::radius || question == Question::center;
  const bool lists = question == Question::center || question == Question::periphery;
  require_claim(lists || certificate.members.empty(),
                "members are listed, but the question has none");
  require_claim(is_center || certificate.reach_all == 0,
                "vertices that reach all are counted, but the question has none");
  require_claim(question == Question::eccentricity ||
                    (certificate.digest == 0 && certificate.along == Along::arcs),
                "eccentricities are given, but the question has none");
}

}  // namespace

void check_bounds(PathClaim& claim) { Bounds(claim).check(); }

std::uint64_t eccentricity_digest(const Graph& graph, std::span<const Length> eccentricities) {
  std::uint64_t sum = 0;
  for (Vertex v = 0; v < graph.order(); ++v)
    if (eccentricities[v] != kNoPath)
      sum += mix(graph.labels().hash(graph.origin(v)) ^ mix(eccentricities[v]));
  return sum;
}

Verdict verify_paths(const PathCertificate& certificate, const Graph& whole, Observer& observer) {
  refuse_bytes(std::uint64_t{whole.order()} * 100, "checking a certificate");
  PathClaim claim(certificate, whole, observer);
  try {
    check_form(certificate);
    claim.check_graph();
    if (certificate.question == Question::diameter) {
      claim.check_path();
      check_elimination(claim);
    } else {
      check_bounds(claim);
    }
    return {true, {}, claim.search().count()};
  } catch (const ClaimRefused& refused) {
    return {false, refused.reason, claim.search().count()};
  }
}

}  // namespace antipode
