// Turns a finished answer into a certificate: its steps are taken again against the final value,
// and each one that removes a candidate becomes a fact. With the final value every step removes at
// least what it removed the first time (docs/definitions.md, "Certificates"), so the replay always
// closes; it costs one search per source named.
#include <algorithm>
#include <cassert>
#include <map>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "graph/folding.hpp"
#include "measure/connected.hpp"
#include "measure/labels_of.hpp"

namespace antipode {

namespace {

Certificate blank(Engine& engine, const Graph& whole, Question question) {
  if (engine.graph().order() == 0)
    throw UsageError("a graph without vertices has nothing to prove");
  require_undirected(engine.graph(), "a certificate");
  require_connected(engine, engine.search(0));
  Certificate certificate;
  certificate.question = question;
  certificate.graph = fingerprint(whole);
  certificate.component_order = engine.graph().order();
  certificate.component_size = engine.graph().size();
  return certificate;
}

// The engine's bounds, driven through the steps once more with the value known from the start.
class Replay {
 public:
  // Lanes whose source other facts have removed by then rarely matter; `skipping` leaves them out.
  enum class Lanes { skipping, all };

  Replay(Engine& engine, Distance value, Lanes lanes)
      : engine_(engine), sets_(engine.candidates()), value_(value), lanes_(lanes) {
    sets_.reset();
  }
  ~Replay() { release_rows(); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // The facts, and whether they prove the value.
  std::vector<Fact> facts(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      take(step);
      if (candidates() == 0) break;
      if (center_ != kNoVertex && sets_.census().outside == 0) {
        state_ball();
        break;
      }
    }
    return std::move(facts_);
  }
  bool is_proved() const { return sets_.census().outside == 0; }

 private:
  void take(const Step& step) {
    switch (step.rule) {
      case Step::Rule::eccentricity:
        engine_.search(step.vertex);
        shrink(Fact::Rule::eccentricity, step.vertex, step.value,
               [&] { drop(kLatest, step.value); });
        break;
      case Step::Rule::reach:
        take_reach(step.vertex);
        break;
      case Step::Rule::reach_outside:
        take_reach_outside(step.vertex);
        break;
      case Step::Rule::batch:
        if (lanes_ == Lanes::skipping && !sets_.contains(step.vertex)) break;
        take_reach(step.vertex);
        take_reach_outside(step.vertex);
        break;
      case Step::Rule::ball:
        center_ = step.vertex;
        clique_ = value_ % 2 == 1 && step.group.size() > 1 ? step.group : std::vector<Vertex>();
        stated_ = false;
        sets_.set_ball(distances_of(center_), value_ / 2);
        if (!clique_.empty()) sets_.widen_ball(distances_of(center_), value_ / 2, clique_);
        break;
      case Step::Rule::twins:
        take_twins();
        break;
      case Step::Rule::pendant_paths:
        take_stems();
        break;
    }
  }

  void take_reach(Vertex source) {
    const DistanceHandle row = distances_of(source);
    const Distance reach = sets_.farthest_in(Among::candidates, row);
    shrink(Fact::Rule::reach, source, reach, [&] { drop(row, reach); });
  }

  void take_reach_outside(Vertex source) {
    if (candidates() == sets_.census().outside) return;
    const DistanceHandle row = distances_of(source);
    const Distance reach = sets_.farthest_in(Among::outside, row);
    const std::size_t before_ball = facts_.size();
    const bool was_stated = stated_;
    state_ball();
    if (shrink(Fact::Rule::reach_outside, source, reach,
               [&] { sets_.eliminate(row, Among::outside, reach, value_); }))
      return;
    facts_.resize(before_ball);  // nothing came of it: the ball need not be stated yet
    stated_ = was_stated;
  }

  void take_stems() {
    const Vertex before = candidates();
    sets_.drop_pendant_paths();
    if (candidates() < before)
      facts_.push_back(
          {.rule = Fact::Rule::pendant_paths, .vertices = {}, .value = 0, .left = candidates()});
  }

  void take_twins() {
    Vertex left = candidates();
    const auto classes =
        twin_classes(engine_.graph().adjacency(), sets_.sample(Among::candidates, left, 0));
    sets_.drop_twins();
    for (const auto& members : classes) {
      left -= static_cast<Vertex>(members.size() - 1);
      facts_.push_back({.rule = Fact::Rule::twins,
                        .vertices = labels_of(engine_.graph(), members),
                        .value = 0,
                        .left = left});
    }
  }

  void drop(DistanceHandle row, Distance reach) {
    sets_.eliminate(row, Among::candidates, reach, value_);
  }

  template <class Eliminate>
  bool shrink(Fact::Rule rule, Vertex source, Distance value, Eliminate apply) {
    const Vertex before = candidates();
    apply();
    if (candidates() == before) return false;
    facts_.push_back({.rule = rule,
                      .vertices = {engine_.graph().label(source)},
                      .value = value,
                      .left = candidates()});
    return true;
  }

  void state_ball() {
    if (stated_) return;
    const Fact::Rule rule = clique_.empty() ? Fact::Rule::ball : Fact::Rule::clique_ball;
    const auto centers = clique_.empty() ? std::vector<Vertex>{center_} : clique_;
    facts_.push_back({.rule = rule,
                      .vertices = labels_of(engine_.graph(), centers),
                      .value = value_ / 2,
                      .left = sets_.census().outside});
    stated_ = true;
  }

  Vertex candidates() const { return sets_.census().candidates; }

  DistanceHandle distances_of(Vertex source) {
    constexpr std::size_t kRows = 32;
    const auto found = rows_.find(source);
    if (found != rows_.end()) return found->second;
    if (rows_.size() == kRows) release_rows();
    engine_.search(source);
    return rows_.emplace(source, engine_.retain()).first->second;
  }
  void release_rows() {
    for (const auto& [vertex, row] : rows_) engine_.release(row);
    rows_.clear();
  }

  Engine& engine_;
  CandidateSets& sets_;
  Distance value_;
  Lanes lanes_;
  std::map<Vertex, DistanceHandle> rows_;
  Vertex center_ = kNoVertex;
  std::vector<Vertex> clique_;
  bool stated_ = false;
  std::vector<Fact> facts_;
};

std::vector<Fact> replay(Engine& engine, const Diameter& answer) {
  for (const auto lanes : {Replay::Lanes::skipping, Replay::Lanes::all}) {
    Replay replay(engine, answer.lower, lanes);
    auto facts = replay.facts(answer.steps);
    if (replay.is_proved()) return facts;
  }
  assert(!"the replay of a finished search closes");
  return {};
}

// Does [lower, upper] leave the answer to the question open for this vertex, once the value is
// known?
bool open(Question question, Distance value, Distance lower, Distance upper) {
  switch (question) {
    case Question::radius:
      return lower < value;
    case Question::center:
      return lower <= value && upper > value;
    case Question::periphery:
      return upper >= value && lower < value;
    case Question::diameter:
    case Question::eccentricity:
      break;
  }
  return lower != upper;
}

std::vector<Fact> bounding_facts(Engine& engine, Question question, Distance value,
                                 const std::vector<Step>& steps) {
  const Vertex order = engine.graph().order();
  std::vector<Distance> lower(order, 0), upper(order, order);
  std::vector<Fact> facts;
  std::vector<Vertex> sources;
  for (const Step& step : steps) sources.push_back(step.vertex);
  auto step = steps.begin();
  engine.distances(sources, [&](Vertex source, std::span<const Distance> row) {
    Vertex left = 0;
    for (Vertex v = 0; v < order; ++v) {
      lower[v] = std::max({lower[v], row[v], step->value - std::min(step->value, row[v])});
      upper[v] = std::min(upper[v], step->value + row[v]);
      left += open(question, value, lower[v], upper[v]) ? 1 : 0;
    }
    facts.push_back({.rule = Fact::Rule::eccentricity,
                     .vertices = {engine.graph().label(source)},
                     .value = step->value,
                     .left = left});
    ++step;
  });
  return facts;
}

std::vector<Vertex> distribution_of(const std::vector<Distance>& eccentricities) {
  std::vector<Vertex> result(
      std::size_t{*std::max_element(eccentricities.begin(), eccentricities.end())} + 1, 0);
  for (const Distance e : eccentricities) ++result[e];
  return result;
}

}  // namespace

Certificate certify(Engine& engine, const Graph& whole, const Diameter& answer) {
  Certificate certificate = blank(engine, whole, Question::diameter);
  assert(answer.exact());
  certificate.value = answer.lower;
  certificate.path = labels_of(engine.graph(), answer.witness.path);
  certificate.facts = replay(engine, answer);
  return certificate;
}

Certificate certify(Engine& engine, const Graph& whole, Question question,
                    const Eccentricities& answer) {
  const Graph& graph = engine.graph();
  Certificate certificate = blank(engine, whole, question);
  assert(answer.exact);
  const bool minimum = question == Question::radius || question == Question::center;
  certificate.value = minimum ? answer.radius_upper() : answer.diameter_lower();
  const auto& attained =
      minimum ? answer.upper
              : answer.lower;  // a vertex at this bound has exactly this eccentricity
  const auto extreme =
      std::find(attained.begin(), attained.end(), certificate.value) - attained.begin();
  certificate.path = labels_of(graph, farthest_path(engine, static_cast<Vertex>(extreme)).path);
  certificate.facts = bounding_facts(engine, question, certificate.value, answer.steps);
  if (question == Question::center || question == Question::periphery) {
    std::vector<Vertex> members;
    for (Vertex v = 0; v < graph.order(); ++v)
      if (attained[v] == certificate.value) members.push_back(v);
    std::sort(members.begin(), members.end(),
              [&](Vertex a, Vertex b) { return graph.origin(a) < graph.origin(b); });
    certificate.members = labels_of(graph, members);
  }
  if (question == Question::eccentricity) certificate.distribution = distribution_of(answer.lower);
  return certificate;
}

}  // namespace antipode
