#include "measure/elimination.hpp"

#include <algorithm>
#include <map>

#include "antipode/error.hpp"
#include "measure/connected.hpp"
#include "measure/cost.hpp"
#include "measure/stop_when.hpp"

namespace antipode {

namespace {

// Chosen on the shared graphs; see docs/performance.md.
struct Tuning {
  std::size_t kept_rows = 24;  // candidates for the centre of the ball; each costs 4 bytes a vertex
  Vertex few_outside = 10;     // so few are searched one by one, without central sources between
  Vertex worth_middle =
      3;                  // more than so many: the middle and the other end of the path come first
  Vertex few_share = 16;  // at most this share of the vertices lies outside the ball: it is good,
                          // and worth widening
  int refine_rounds = 4;
  std::uint64_t refine_work = 1;  // refine while candidates × rows <= this × order
};

class Elimination {
 public:
  Elimination(Engine& engine, const DiameterOptions& options, Observer& observer)
      : engine_(engine),
        bounds_(engine.bounds()),
        automatic_(options.strategy == Strategy::automatic),
        batching_(options.batching),
        observer_(observer),
        lanes_(options.most_lanes == 0 ? bounds_.batch_size()
                                       : std::min(options.most_lanes, bounds_.batch_size())),
        abreast_(
            !automatic_ || batching_ == Batching::never
                ? 1
                : std::min(options.abreast == 0 ? engine.batch_costs().abreast : options.abreast,
                           lanes_)),
        cost_(engine.batch_costs()) {}

  Diameter run() {
    bounds_.reset();
    StopWhen stopping(engine_, observer_);
    try {
      solve();
    } catch (const Interrupted&) {
    }
    stopping.end();
    return result();
  }

 private:
  struct Kept {
    Row row;
    Search search;
  };

  void solve() {
    sweep(
        bounds_.select(Select::largest_upper, kLatestRow));  // nothing is known: the highest degree
    if (outside() == 0) return;
    const Kept end = kept_.back();
    peripheral_ = end.row;
    if (abreast_ > 1 && is_few(outside())) {
      walk(end);  // most likely the answer's, and its row is still in the cache
      batch(abreast_);
    }
    if (automatic_ && outside() > tuning_.worth_middle) {
      const Kept far = lower() > end.search.eccentricity ? longest_ : end;
      search_middle(far);
      if (outside() > 0 && abreast_ == 1) search_if_new(far.search.farthest);
    }
    for (bool central = abreast_ == 1; outside() > 0;) {
      if (wants_batch()) {
        fold();
        if (outside() > 0) batch(lanes_);
        continue;
      }
      if (automatic_ && central && outside() > tuning_.few_outside) {
        search(bounds_.select(Select::central, peripheral_));
      } else if (abreast_ > 1) {
        batch(abreast_);
      } else {
        peripheral_ = search(bounds_.select(Select::outside_upper, kLatestRow)).row;
      }
      central = !central;
    }
  }

  // What comes after the first two searches, as far as their engine can tell.
  SweepPlan plan() const {
    return automatic_ && abreast_ == 1 ? SweepPlan{true, tuning_.worth_middle, tuning_.few_share}
                                       : SweepPlan{automatic_};
  }

  // Few enough that a better ball is not worth a search, but its widening is.
  bool is_few(Vertex outside) const {
    return outside * std::uint64_t{tuning_.few_share} <= engine_.graph().order();
  }

  // Not after the first search, since the next will find a longer path; nor where batches go as
  // fast as searches, so that everything else is slow.
  bool may_widen() const {
    return automatic_ && abreast_ == 1 && answer_.searches > 1 && lower() % 2 == 1;
  }

  bool wants_batch() const {
    if (!automatic_ || batching_ == Batching::never) return false;
    return batching_ == Batching::always || cost_.batch_pays(outside(), lanes_, lower());
  }

  bool is_walked(const Search& search) const {
    return long_path_.from == search.source && long_path_.to == search.farthest;
  }

  void walk(const Kept& kept) {
    const Search& search = kept.search;
    if (!is_walked(search))
      long_path_ = {search.source, search.farthest, engine_.path(kept.row, search.farthest)};
  }

  void search_if_new(Vertex source) {
    if (std::none_of(kept_.begin(), kept_.end(),
                     [source](const Kept& kept) { return kept.search.source == source; }))
      search(source);
  }

  // The first two: from the source, and the farthest vertex it finds.
  void sweep(Vertex source) {
    const Stopwatch stopwatch;
    const std::vector<Explored> found = engine_.sweep(source, plan());
    const double seconds = stopwatch.seconds() / static_cast<double>(found.size());
    require_all_reached(found);
    if (found.size() > 1) {  // the bounds know of both already: nobody may stop between them
      const Explored& first = found.front();
      add({first.row, first.search});
      step({Step::Rule::reach, first.search.source, first.absorbed.reach});
      ball_is_around(kept_.front());
      cost_.searched(seconds, first.absorbed.outside);
    }
    take(found.back());
    cost_.searched(seconds, outside());
    if (found.size() == 1 && outside() > 0) search(found.front().search.farthest);
  }

  // Before anything follows from what the bounds have absorbed.
  void require_all_reached(const std::vector<Explored>& found) {
    const Search& first = found.front().search;
    if (first.reached == engine_.graph().order()) return;
    for (const Explored& each : found) engine_.release(each.row);
    require_connected(engine_, first);
  }

  // From the middle of the longest path of a search; which one that is, the engine may find out by
  // itself.
  void search_middle(const Kept& far) {
    if (is_walked(far.search)) return search_if_new(long_path_.path[long_path_.path.size() / 2]);
    const Stopwatch stopwatch;
    std::vector<Vertex> known;
    for (const Kept& kept : kept_) known.push_back(kept.search.source);
    Middle found =
        engine_.explore_middle(far.row, far.search.farthest, lower(), centers_with_latest(), known);
    long_path_ = {far.search.source, far.search.farthest, std::move(found.path)};
    if (!found.explored) return;
    take(*found.explored);
    cost_.searched(stopwatch.seconds(), outside());
  }

  Kept search(Vertex source) {
    const Stopwatch stopwatch;
    take(engine_.explore(source, lower(), centers_with_latest()));
    cost_.searched(stopwatch.seconds(), outside());
    return kept_.back();
  }

  void take(const Explored& explored) {
    const Kept kept{explored.row, explored.search};
    add(kept);
    absorbed(kept, explored.absorbed);
  }

  // It may have lengthened the longest path known.
  void add(const Kept& kept) {
    kept_.push_back(kept);
    if (++answer_.searches == 1 || kept.search.eccentricity > lower()) longest_ = kept;
  }

  void absorbed(const Kept& kept, const Absorbed& absorbed) {
    step({Step::Rule::reach, kept.search.source, absorbed.reach});
    settle_round(absorbed.center);
    forget_surplus();
  }

  // Searches many candidates outside the ball at once. If all of them fit, nothing is left
  // afterwards: every longer path had an end among them.
  void batch(std::size_t lanes) {
    const Stopwatch stopwatch;
    const Vertex before = outside();
    const auto sources = bounds_.sample(Among::outside, lanes, ++answer_.batches);
    const auto reaches = bounds_.reach(sources);
    answer_.lanes += sources.size();
    const auto longest = std::max_element(
        reaches.begin(), reaches.end(),
        [](const Reach& a, const Reach& b) { return a.candidates < b.candidates; });
    const bool longer = longest->candidates > lower();
    if (longer) {  // for the path itself
      const Search search =
          engine_.search(sources[static_cast<std::size_t>(longest - reaches.begin())]);
      add({engine_.keep(), search});
    }
    bounds_.drop_around(sources, reaches,
                        lower());  // with the ball of the batch, before another is chosen
    for (std::size_t i = 0; i < sources.size(); ++i)
      step({Step::Rule::lane, sources[i], reaches[i].candidates});
    if (longer) {
      const Kept& last = kept_.back();
      absorbed(last, bounds_.absorb(last.row, last.search.source, last.search.eccentricity, lower(),
                                    centers()));
    } else {
      settle_round(outside() > 0 ? std::optional(bounds_.choose_ball(centers(), lower() / 2))
                                 : std::nullopt);
    }
    cost_.batched(stopwatch.seconds(), sources.size(), before, outside());
  }

  // Before the first large batch: candidates that are no better than others.
  void fold() {
    if (folded_ || lower() < 2) return;
    folded_ = true;
    const Vertex before = bounds_.count(Among::candidates), between = bounds_.drop_stems();
    if (between < before) step({Step::Rule::stems});
    if (bounds_.drop_twins() < between) step({Step::Rule::twins});
  }

  // After anything new: the best ball, what follows again from the rows kept, and word to the
  // observer. If nothing is left outside the old ball the proof is complete, and another ball could
  // only spoil it.
  void settle_round(std::optional<std::size_t> chosen) {
    if (chosen) {
      compete(kept_[*chosen]);
      refine();
    } else if (answer_.searches == 1) {
      set_ball(kept_.front());
    }
    observer_.progress({lower(), upper(), answer_.searches + answer_.lanes, outside()});
    if (observer_.stop()) throw Interrupted();
  }

  // The ball may be around any of them; a plain double sweep leaves it where it was first.
  std::vector<Row> centers() const {
    return automatic_ || kept_.empty() ? kept_rows() : std::vector{kept_.front().row};
  }
  std::vector<Row> centers_with_latest() const {
    std::vector<Row> rows = centers();
    if (automatic_) rows.push_back(kLatestRow);
    return rows;
  }

  // The ball around the best leaves fewest candidates outside. The one so far competes as it would
  // be now, clique and all.
  void compete(const Kept& best) {
    const Kept old = center_;
    ball_is_around(best);
    if (best.row == old.row || !may_widen() || clique_of(best).size() == 1) return;
    const Vertex left = outside();
    set_ball(old);
    if (outside() > left) set_ball(best);
  }

  void set_ball(const Kept& center) {
    bounds_.set_ball(center.row, lower() / 2);
    ball_is_around(center);
  }

  // It grows, if that is worth it.
  void ball_is_around(const Kept& center) {
    center_ = center;
    const bool widened =
        may_widen() && outside() > 0 && is_few(outside()) && clique_of(center).size() > 1;
    if (widened) bounds_.widen_ball(center.row, lower() / 2, clique_of(center));
    step({Step::Rule::ball, center.search.source, 0,
          widened ? clique_of(center) : std::vector<Vertex>()});
  }

  // Found when it is first asked for: around a hub that may take as long as a search.
  const std::vector<Vertex>& clique_of(const Kept& center) {
    const auto [at, is_new] = cliques_.try_emplace(center.search.source);
    if (is_new) at->second = engine_.clique(center.search.source);
    return at->second;
  }

  // What each search showed, shown again for the candidates that are left: fewer candidates are
  // nearer. (After two searches, which have shown it just now, that has not saved one on any graph
  // of ours.)
  void refine() {
    if (outside() == 0 || answer_.searches <= 2 ||
        bounds_.count(Among::candidates) * std::uint64_t{kept_.size()} >
            tuning_.refine_work * engine_.graph().order())
      return;
    for (const Shrink& shrink : bounds_.refine(kept_rows(), lower(), tuning_.refine_rounds))
      step({shrink.among == Among::outside ? Step::Rule::reach_outside : Step::Rule::reach,
            kept_[shrink.row].search.source, shrink.reach});
  }

  std::vector<Row> kept_rows() const {
    std::vector<Row> rows;
    for (const Kept& kept : kept_) rows.push_back(kept.row);
    return rows;
  }

  void forget_surplus() {
    if (kept_.size() <= tuning_.kept_rows) return;
    const auto surplus = std::find_if(kept_.begin(), kept_.end(), [this](const Kept& kept) {
      return kept.row != center_.row && kept.row != longest_.row && kept.row != peripheral_ &&
             kept.row != kept_.back().row;
    });
    engine_.release(surplus->row);
    kept_.erase(surplus);
  }

  void step(Step step) { answer_.steps.push_back(std::move(step)); }

  Diameter result() {
    answer_.lower = lower();
    answer_.upper = upper();
    if (answer_.searches > 0) {
      walk(longest_);
      answer_.witness = std::move(long_path_);
    }
    for (const Kept& kept : kept_) engine_.release(kept.row);
    return std::move(answer_);
  }

  Vertex outside() const { return bounds_.count(Among::outside); }
  Distance lower() const { return longest_.search.eccentricity; }
  // A longer path has one end outside the ball and the other at a candidate.
  Distance upper() const {
    return std::max(lower(),
                    std::min(bounds_.max_upper(Among::outside), engine_.graph().order() - 1));
  }

  Engine& engine_;
  Bounds& bounds_;
  bool automatic_;
  Batching batching_;
  Observer& observer_;
  std::size_t lanes_, abreast_;  // sources of a batch, and of one that takes the place of a search
  Tuning tuning_;
  CostModel cost_;
  Diameter answer_;
  std::vector<Kept> kept_;
  Kept longest_{}, center_{};
  Witness long_path_;                              // the one walked last
  std::map<Vertex, std::vector<Vertex>> cliques_;  // around those that were a centre of the ball
  Row peripheral_{};
  bool folded_ = false;
};

}  // namespace

Diameter eliminate(Engine& engine, const DiameterOptions& options, Observer& observer) {
  return Elimination(engine, options, observer).run();
}

}  // namespace antipode
