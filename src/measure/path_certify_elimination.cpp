// Turns a diameter with lengths or directions into a certificate. The steps of the answer are taken
// again against its final value, with which each removes at least what it removed the first time
// (docs/paths.md, "Why a replay closes"); those beside a component come first. Candidates that the
// steps leave are searched, so that the proof closes whatever the steps are. Memory: 16 bytes per
// vertex and hub.
#include <algorithm>
#include <map>
#include <optional>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "graph/subgraph.hpp"
#include "measure/path_candidates.hpp"
#include "measure/path_certify.hpp"

namespace antipode {

namespace {

class Replay {
 public:
  Replay(PathEngine& engine, Length value, Observer& observer)
      : engine_(engine),
        graph_(engine.graph()),
        observer_(observer),
        search_(graph_, [this](std::uint64_t steps) { work(steps); }),
        all_(graph_.order(), 0),
        limit_(value),
        candidates_(graph_, all_, value) {}

  std::vector<PathFact> facts(const std::vector<PathStep>& steps) {
    take_components(steps);
    for (const PathStep& step : steps) {
      if (candidates_.is_proved()) break;
      take(step);
    }
    if (!graph_.is_directed() && !candidates_.is_proved()) take_other_components(steps);
    finish();
    return std::move(facts_);
  }

 private:
  struct Kept {
    std::vector<Length> to, from;
  };
  using Rule = PathFact::Rule;
  using Side = PathFact::Side;

  void work(std::uint64_t steps) {
    constexpr std::uint64_t kBetween = 1 << 16;
    if ((steps_ += steps) < kBetween) return;
    steps_ = 0;
    if (observer_.stop()) throw Interrupted();
  }

  void take(const PathStep& step) {
    switch (step.rule) {
      case PathStep::Rule::eccentricity:
      case PathStep::Rule::hub:
        return take_hub(step.vertex, Rule::hub);
      case PathStep::Rule::hub_outside:
        return take_hub(step.vertex, Rule::hub_outside);
      case PathStep::Rule::split:
        return take_split(step);
      case PathStep::Rule::tails:
        return search_group(step.group, Rule::tails);
      case PathStep::Rule::heads:
        return search_group(step.group, graph_.is_directed() ? Rule::heads : Rule::tails);
      case PathStep::Rule::components:
        return;  // taken already
    }
  }

  void take_hub(Vertex v, Rule rule) {
    if (rule == Rule::hub_outside && !candidates_.has_split()) return;
    const auto before = candidates_.left();
    const auto rows = rows_of(v);
    const auto reach = rule == Rule::hub ? candidates_.hub(rows) : candidates_.hub_outside(rows);
    if (candidates_.left() == before) return;
    PathFact fact{.rule = rule, .vertex = graph_.label(v)};
    fact.value = reach.heads;
    fact.other = reach.tails;
    add(std::move(fact));
  }

  void take_split(const PathStep& step) {
    PathFact fact{.rule = Rule::split, .vertex = graph_.label(step.vertex)};
    fact.value = graph_.is_directed() ? std::min(step.value, limit_) : limit_ / 2;
    candidates_.split(rows_of(step.vertex), fact.value);
    add(std::move(fact));
  }

  // A split from which nothing has followed until the next one is left out.
  void add(PathFact fact) {
    const bool is_split = fact.rule == Rule::split;
    fact.left = is_split ? candidates_.outside() : candidates_.left();
    if (is_split) {
      if (unused_split_) facts_.erase(facts_.begin() + *unused_split_);
      unused_split_ = static_cast<std::ptrdiff_t>(facts_.size());
    }
    if (fact.rule == Rule::hub_outside) unused_split_.reset();
    facts_.push_back(std::move(fact));
    if (candidates_.finish_component()) unused_split_.reset();
  }

  void search_group(const std::vector<Vertex>& group, Rule rule) {
    std::vector<Vertex> sources;
    for (const Vertex v : group)
      if (rule == Rule::tails ? candidates_.is_tail(v) : candidates_.is_head(v))
        sources.push_back(v);
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    if (sources.empty()) return;
    PathFact fact{.rule = rule};
    fact.group = labels_of(graph_, sources);
    const Along along = rule == Rule::tails ? Along::arcs : Along::reversed_arcs;
    for (const PathSummary& found : engine_.summarize(sources, along))
      fact.value = std::max(fact.value, found.eccentricity);
    for (const Vertex v : sources)
      rule == Rule::tails ? candidates_.drop_tail(v) : candidates_.drop_head(v);
    add(std::move(fact));
  }

  // What the steps have left: the farthest candidates outside the split, or all of them.
  void finish() {
    while (!candidates_.is_proved()) {
      std::vector<Vertex> tails, heads;
      for (Vertex v = 0; v < graph_.order(); ++v) {
        if (candidates_.is_far_tail(v)) tails.push_back(v);
        if (graph_.is_directed() && candidates_.is_far_head(v)) heads.push_back(v);
      }
      // Without a split one side is enough.
      const bool one_side = !candidates_.has_split() && graph_.is_directed();
      if (!one_side || tails.size() <= heads.size()) search_group(tails, Rule::tails);
      if (!one_side || tails.size() > heads.size()) search_group(heads, Rule::heads);
    }
  }

  // Beside the vertex that the steps name, or else beside their first hub.
  void take_components(const std::vector<PathStep>& steps) {
    if (!graph_.is_directed()) return;
    bool named = false;
    Vertex hub = kNoVertex;
    for (const PathStep& step : steps) {
      if (step.rule == PathStep::Rule::components) {
        named = true;
        prove_beside(step.vertex, step.value == 0 ? Side::tails : Side::heads,
                     step.other == 0 ? Along::arcs : Along::reversed_arcs, step.group);
      } else if (hub == kNoVertex && step.vertex != kNoVertex) {
        hub = step.vertex;
      }
    }
    if (named || hub == kNoVertex) return;
    prove_beside(hub, Side::tails, std::nullopt, {});
    prove_beside(hub, Side::heads, std::nullopt, {});
  }

  // Without directions: the steps say nothing of components that are too small.
  void take_other_components(const std::vector<PathStep>& steps) {
    const auto hub = std::find_if(steps.begin(), steps.end(),
                                  [](const PathStep& step) { return step.vertex != kNoVertex; });
    const Vertex v = hub == steps.end() ? 0 : hub->vertex;
    const auto row = rows_of(v).to;
    for (Vertex u = 0; u < graph_.order(); ++u)
      if (row[u] == kNoPath && candidates_.is_tail(u))
        return prove_beside(v, Side::tails, Along::arcs, {});
  }

  // A part of the graph beside a vertex, in one direction.
  struct Part {
    Along along = Along::arcs;
    Parts of;
    std::vector<bool> is_end;
    std::vector<PathStart> known;
  };

  void prove_beside(Vertex v, Side side, std::optional<Along> along,
                    const std::vector<Vertex>& searched) {
    const bool tails = side == Side::tails;
    const auto rows = rows_of(v);
    Part part{.along = along.value_or(Along::arcs),
              .of = Parts(graph_.order(), kNoVertex),
              .is_end = {},
              .known = {}};
    std::vector<Vertex> members;
    for (Vertex u = 0; u < graph_.order(); ++u)
      if ((tails ? rows.to : rows.from)[u] == kNoPath) part.of[u] = 0, members.push_back(u);
    if (members.empty()) return;
    std::vector<Vertex> open = exceeding(part);
    if (!along && !open.empty()) {
      Part other = part;
      other.along = Along::reversed_arcs;
      if (auto there = exceeding(other); there.size() < open.size())
        part = std::move(other), open = std::move(there);
    }
    if (!open.empty()) search_beside(part, members, searched, open);
    PathFact fact{.rule = Rule::components, .vertex = graph_.label(v)};
    fact.side = side;
    fact.along = part.along;
    for (const auto& [u, e] : part.known) {
      fact.group.push_back(graph_.label(u));
      fact.value = std::max(fact.value, e);
    }
    for (const Vertex u : members) tails ? candidates_.drop_tail(u) : candidates_.drop_head(u);
    add(std::move(fact));
  }

  // Those of the part whose bounds exceed the limit, lowest first: what is found lowers all above.
  std::vector<Vertex> exceeding(Part& part) {
    const bool along = part.along == Along::arcs;
    part.is_end.assign(graph_.order(), false);
    for (Vertex v = 0; v < graph_.order(); ++v)
      if (part.of[v] != kNoVertex)
        part.is_end[v] = along ? candidates_.is_head(v) : candidates_.is_tail(v);
    const auto bounds =
        proved_bounds(search_, graph_, all_, part.along, part.of, part.is_end, part.known);
    std::vector<bool> is_known(graph_.order(), false);
    for (const PathStart& start : part.known) is_known[start.vertex] = true;
    std::vector<Vertex> result;
    for (Vertex v = 0; v < graph_.order(); ++v)
      if (part.of[v] != kNoVertex && bounds.upper[v] > limit_ && !is_known[v] &&
          (along ? candidates_.is_tail(v) : candidates_.is_head(v)))
        result.push_back(v);
    std::stable_sort(result.begin(), result.end(),
                     [&](Vertex a, Vertex b) { return bounds.upper[a] < bounds.upper[b]; });
    return result;
  }

  void search_beside(Part& part, const std::vector<Vertex>& members,
                     const std::vector<Vertex>& searched, std::vector<Vertex> open) {
    constexpr std::size_t kMost = 512;
    std::vector<Vertex> place(graph_.order(), kNoVertex);
    for (std::size_t i = 0; i < members.size(); ++i) place[members[i]] = static_cast<Vertex>(i);
    refuse_bytes(graph_.arcs() * 24, "a part of the graph");
    Graph inside = subgraph(graph_, members, place, 1);
    if (graph_.is_directed())
      inside = inside.with_entering_arcs(subgraph(graph_.into(), members, place, 1));
    const auto engine = engine_.on(inside);
    const StopPathsWhen watched(*engine, observer_);
    std::vector<Vertex> next;
    for (const Vertex v : searched)
      if (part.of[v] != kNoVertex) next.push_back(v);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    while (!open.empty()) {
      if (next.empty())
        next.assign(open.begin(),
                    open.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, open.size())));
      std::vector<Vertex> sources;
      for (const Vertex v : next) sources.push_back(place[v]);
      const auto found = engine->summarize(sources, part.along);
      for (std::size_t i = 0; i < next.size(); ++i)
        part.known.push_back({next[i], found[i].eccentricity});
      next.clear();
      open = exceeding(part);
    }
  }

  PathCandidates::Rows rows_of(Vertex v) {
    constexpr std::size_t kRows = 16;
    if (!rows_.contains(v)) {
      if (rows_.size() == kRows) rows_.clear();
      refuse_bytes(std::uint64_t{graph_.order()} * 16, "distances of a search");
      Kept& rows = rows_[v];
      rows.to.resize(graph_.order());
      engine_.search(v, Along::reversed_arcs, rows.to);
      if (graph_.is_directed()) {
        rows.from.resize(graph_.order());
        engine_.search(v, Along::arcs, rows.from);
      }
    }
    const Kept& rows = rows_[v];
    return {rows.to, graph_.is_directed() ? rows.from : rows.to};
  }

  PathEngine& engine_;
  const Graph& graph_;
  Observer& observer_;
  std::uint64_t steps_ = 0;
  ProvedSearch search_;
  Parts all_;
  Length limit_;
  PathCandidates candidates_;
  std::map<Vertex, Kept> rows_;
  std::vector<PathFact> facts_;
  std::optional<std::ptrdiff_t> unused_split_;
};

}  // namespace

PathCertificate certify_paths(PathEngine& engine, const Graph& whole, const PathDiameter& answer,
                              Observer& observer) {
  PathCertificate certificate =
      blank_path_certificate(engine, whole, Question::diameter, answer.lower);
  certificate.path = labels_of(engine.graph(), answer.witness.path);
  const StopPathsWhen watched(engine, observer);
  certificate.facts = Replay(engine, answer.lower, observer).facts(answer.steps);
  return certificate;
}

}  // namespace antipode
