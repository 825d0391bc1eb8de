#include "measure/elimination.hpp"

#include <algorithm>

#include "antipode/error.hpp"

namespace antipode {

namespace {

// Chosen on the shared graphs; see docs/performance.md.
struct Tuning {
  std::size_t kept_rows = 24;       // candidates for the centre of the ball; each costs 4 bytes a vertex
  Vertex few_outside = 10;          // so few are searched one by one, without central sources between
  int refine_rounds = 4;
  std::uint64_t refine_work = 8;    // refine while candidates × rows <= this × order
};

class Elimination {
 public:
  Elimination(Engine& engine, Strategy strategy, Observer& observer)
      : engine_(engine), bounds_(engine.bounds()), strategy_(strategy), observer_(observer) {}

  Diameter run() {
    bounds_.reset();
    engine_.interrupt_when([this] { return observer_.stop(); });
    try {
      solve();
    } catch (const Interrupted&) {
    }
    engine_.interrupt_when(nullptr);
    return result();
  }

 private:
  struct Kept {
    Row row;
    Search search;
  };

  void solve() {
    const Kept hub = search(bounds_.select(Select::largest_upper, kLatestRow));  // nothing is known: the highest degree
    if (outside() == 0) return;
    const Kept end = search(hub.search.farthest);
    peripheral_ = end.row;
    if (outside() == 0) return;
    if (strategy_ == Strategy::automatic) {
      const auto path = engine_.path(end.row, end.search.farthest);
      search_if_new(path[path.size() / 2]);
      if (outside() > 0) search_if_new(end.search.farthest);
    }
    for (bool central = true; outside() > 0; central = !central) {
      if (strategy_ == Strategy::automatic && central && outside() > tuning_.few_outside) {
        search(bounds_.select(Select::central, peripheral_));
      } else {
        peripheral_ = search(bounds_.select(Select::outside_upper, kLatestRow)).row;
      }
    }
  }

  void search_if_new(Vertex source) {
    const auto same = [source](const Kept& kept) { return kept.search.source == source; };
    if (std::none_of(kept_.begin(), kept_.end(), same)) search(source);
  }

  Kept search(Vertex source) {
    const Search search = engine_.search(source);
    const Kept kept{engine_.keep(), search};
    ++searches_;
    kept_.push_back(kept);
    if (searches_ == 1 || search.eccentricity > longest_.search.eccentricity) longest_ = kept;
    bounds_.drop(lower());
    const Distance reach = bounds_.reach(kept.row, Among::candidates);
    bounds_.tighten(kept.row, source, search.eccentricity, reach);
    bounds_.drop(lower());
    steps_.push_back({Step::Rule::reach, source, reach});
    choose_ball();
    refine();
    forget_surplus();
    observer_.progress({lower(), upper(), searches_, outside()});
    if (observer_.stop()) throw Interrupted();
    return kept;
  }

  void choose_ball() {
    if (strategy_ == Strategy::automatic) {
      Vertex fewest = kNoVertex;
      for (const Kept& kept : kept_) {
        const Vertex beyond = bounds_.count_beyond(kept.row, lower() / 2);
        if (beyond < fewest) fewest = beyond, center_ = kept;
      }
    } else {
      center_ = kept_.front();
    }
    bounds_.set_ball(center_.row, lower() / 2);
    steps_.push_back({Step::Rule::ball, center_.search.source, 0});
  }

  // What each search showed, shown again for the candidates that are left: fewer candidates are nearer.
  void refine() {
    for (int round = 0; round < tuning_.refine_rounds; ++round) {
      const Vertex before = bounds_.count(Among::candidates);
      if (outside() == 0 || before * std::uint64_t{kept_.size()} > tuning_.refine_work * engine_.graph().order()) return;
      for (const Kept& kept : kept_) refine(kept);
      if (bounds_.count(Among::candidates) == before) return;
    }
  }

  void refine(const Kept& kept) {
    const Vertex before = bounds_.count(Among::candidates);
    const Distance reach = bounds_.reach(kept.row, Among::candidates);
    bounds_.tighten_candidates(kept.row, reach);
    bounds_.drop(lower());
    const Vertex between = bounds_.count(Among::candidates);
    if (between < before) steps_.push_back({Step::Rule::reach, kept.search.source, reach});
    const Distance reach_outside = bounds_.reach(kept.row, Among::outside);
    bounds_.drop_inside(kept.row, reach_outside, lower());
    if (bounds_.count(Among::candidates) < between) steps_.push_back({Step::Rule::reach_outside, kept.search.source, reach_outside});
  }

  void forget_surplus() {
    if (kept_.size() <= tuning_.kept_rows) return;
    const auto surplus = std::find_if(kept_.begin(), kept_.end(), [this](const Kept& kept) {
      return kept.row != center_.row && kept.row != longest_.row && kept.row != peripheral_ && kept.row != kept_.back().row;
    });
    engine_.release(surplus->row);
    kept_.erase(surplus);
  }

  Diameter result() {
    Diameter answer;
    answer.lower = lower();
    answer.upper = upper();
    answer.searches = searches_;
    answer.steps = std::move(steps_);
    if (searches_ > 0) {
      answer.witness = {longest_.search.source, longest_.search.farthest, engine_.path(longest_.row, longest_.search.farthest)};
    }
    for (const Kept& kept : kept_) engine_.release(kept.row);
    return answer;
  }

  Vertex outside() const { return bounds_.count(Among::outside); }
  Distance lower() const { return longest_.search.eccentricity; }
  // A longer path has one end outside the ball and the other at a candidate.
  Distance upper() const { return std::max(lower(), std::min(bounds_.max_upper(Among::outside), engine_.graph().order() - 1)); }

  Engine& engine_;
  Bounds& bounds_;
  Strategy strategy_;
  Observer& observer_;
  Tuning tuning_;
  std::vector<Kept> kept_;
  Kept longest_{}, center_{};
  Row peripheral_{};
  std::uint64_t searches_ = 0;
  std::vector<Step> steps_;
};

}  // namespace

Diameter eliminate(Engine& engine, Strategy strategy, Observer& observer) { return Elimination(engine, strategy, observer).run(); }

}  // namespace antipode
