// The checker of diameters with lengths and directions. Every vertex may begin or end a path longer
// than the claimed value, until the facts show that none does. Rules and their proofs:
// docs/paths.md, "Certificates".
#include <algorithm>
#include <map>

#include "measure/path_candidates.hpp"
#include "measure/path_claim.hpp"
#include "measure/proved_bounds.hpp"

namespace antipode {

namespace {

class Elimination {
 public:
  explicit Elimination(PathClaim& claim)
      : claim_(claim),
        graph_(claim.graph()),
        limit_(claim.certificate().value),
        candidates_(graph_, claim.scope(), limit_) {}

  void check() {
    for (const PathFact& fact : claim_.certificate().facts) {
      claim_.search().work(graph_.order());
      apply(fact);
      const bool counts_outside = fact.rule == PathFact::Rule::split;
      const auto left = counts_outside ? candidates_.outside() : candidates_.left();
      require_claim(fact.left == left, "a fact leaves {} candidates, not {}", left, fact.left);
      candidates_.finish_component();
    }
    require_claim(candidates_.is_proved(),
                  "{} candidates are left, so a path may be longer than {}", candidates_.left(),
                  limit_);
  }

 private:
  void apply(const PathFact& fact) {
    switch (fact.rule) {
      case PathFact::Rule::hub:
        return check_reach(fact, candidates_.hub(rows_of(fact)));
      case PathFact::Rule::hub_outside:
        require_claim(candidates_.has_split(), "no split has an outside yet");
        return check_reach(fact, candidates_.hub_outside(rows_of(fact)));
      case PathFact::Rule::split:
        return check_split(fact);
      case PathFact::Rule::tails:
      case PathFact::Rule::heads:
        return check_searched(fact);
      case PathFact::Rule::components:
        return check_components(fact);
      case PathFact::Rule::lower:
      case PathFact::Rule::upper:
        break;
    }
    require_claim(false, "bounds of eccentricities prove no diameter");
  }

  void check_reach(const PathFact& fact, const PathCandidates::Reach& reach) {
    require_claim(reach.is_whole, "{} does not reach all heads, or not all tails reach it",
                  fact.vertex);
    require_claim(fact.value == reach.heads, "the farthest head from {} is at {}, not {}",
                  fact.vertex, reach.heads, fact.value);
    require_claim(fact.other == reach.tails, "the farthest tail is at {} to {}, not {}",
                  reach.tails, fact.vertex, fact.other);
  }

  void check_split(const PathFact& fact) {
    if (graph_.is_directed())
      require_claim(fact.value <= limit_, "a split at {} exceeds {}", fact.value, limit_);
    else
      require_claim(fact.value == limit_ / 2, "without directions a split is at {}, not {}",
                    limit_ / 2, fact.value);
    candidates_.split(rows_of(fact), fact.value);
  }

  void check_searched(const PathFact& fact) {
    const bool tails = fact.rule == PathFact::Rule::tails;
    require_claim(tails || graph_.is_directed(), "without directions all candidates are tails");
    Length most = 0;
    for (const Vertex v : claim_.vertices(fact.group)) {
      require_claim(tails ? candidates_.is_tail(v) : candidates_.is_head(v),
                    "{} is no candidate any more", graph_.label(v));
      most = std::max(most, PathClaim::farthest(
                                claim_.distances(v, tails ? Along::arcs : Along::reversed_arcs)));
      tails ? candidates_.drop_tail(v) : candidates_.drop_head(v);
    }
    require_claim(most <= limit_, "a path of a vertex searched has length {}", most);
    require_claim(fact.value == most, "the longest path of those searched is {}, not {}", most,
                  fact.value);
  }

  // Beside a vertex: paths from a vertex that does not reach it stay among such vertices, and so
  // do paths to a vertex that it does not reach, so that distances in that part are those of the
  // graph.
  void check_components(const PathFact& fact) {
    const bool tails = fact.side == PathFact::Side::tails, along = fact.along == Along::arcs;
    require_claim(graph_.is_directed() || (tails && along), "without directions all are tails");
    const auto row =
        claim_.distances(claim_.vertex(fact.vertex), tails ? Along::reversed_arcs : Along::arcs);
    Parts part(graph_.order(), kNoVertex);
    std::vector<bool> is_end(graph_.order(), false);
    for (Vertex v = 0; v < graph_.order(); ++v) {
      if (!claim_.contains(v) || row[v] != kNoPath) continue;
      part[v] = 0;
      is_end[v] = along ? candidates_.is_head(v) : candidates_.is_tail(v);
    }
    const auto known = searched_in(fact, part);
    const auto bounds =
        proved_bounds(claim_.search(), graph_, claim_.scope(), fact.along, part, is_end, known);
    for (Vertex v = 0; v < graph_.order(); ++v) {
      if (part[v] == kNoVertex) continue;
      const bool is_begin = along ? candidates_.is_tail(v) : candidates_.is_head(v);
      require_claim(!is_begin || bounds.upper[v] <= limit_,
                    "beside {} a path of {} may have length {}", fact.vertex, graph_.label(v),
                    bounds.upper[v]);
    }
    for (Vertex v = 0; v < graph_.order(); ++v)
      if (part[v] != kNoVertex) tails ? candidates_.drop_tail(v) : candidates_.drop_head(v);
  }

  std::vector<PathStart> searched_in(const PathFact& fact, const Parts& part) {
    std::vector<PathStart> known;
    Length most = 0;
    for (const Vertex v : claim_.vertices(fact.group)) {
      require_claim(part[v] != kNoVertex, "{} does not lie beside {}", graph_.label(v),
                    fact.vertex);
      const Length e = PathClaim::farthest(claim_.search().distances(v, fact.along, part));
      known.push_back({v, e});
      most = std::max(most, e);
    }
    require_claim(fact.value == most, "the longest path of those searched is {}, not {}", most,
                  fact.value);
    return known;
  }

  // A proof names a vertex again when fewer candidates are left; its distances are kept while
  // memory is no question.
  PathCandidates::Rows rows_of(const PathFact& fact) {
    constexpr std::size_t kRows = 32;
    const Vertex v = claim_.vertex(fact.vertex);
    if (!rows_.contains(v)) {
      if (rows_.size() == kRows) rows_.clear();
      Kept& rows = rows_[v];
      rows.to = claim_.distances(v, Along::reversed_arcs);
      if (graph_.is_directed()) rows.from = claim_.distances(v, Along::arcs);
    }
    const Kept& rows = rows_[v];
    return {rows.to, graph_.is_directed() ? rows.from : rows.to};
  }

  struct Kept {
    std::vector<Length> to, from;
  };
  PathClaim& claim_;
  const Graph& graph_;
  Length limit_;
  PathCandidates candidates_;
  std::map<Vertex, Kept> rows_;
};

}  // namespace

void check_elimination(PathClaim& claim) { Elimination(claim).check(); }

}  // namespace antipode
