#include "measure/elimination.hpp"

#include <algorithm>
#include <map>

#include "antipode/error.hpp"
#include "measure/connected.hpp"
#include "measure/cost.hpp"
#include "measure/stop_when.hpp"

namespace antipode {

namespace {

// Chosen on real graphs; the trials are in docs/notebook.md.
struct Tuning {
  std::size_t retained = 24;  // searches that may be the center of the ball: 4 bytes a vertex each
  Vertex few_outside = 10;    // so few are searched one by one, without central sources between
  Vertex worth_midpoint = 3;  // more than so many: the midpoint and the other end come first
  Vertex few_share = 16;  // at most this share of the vertices lies outside the ball: it is good,
                          // and worth widening
  int refine_rounds = 4;
  std::uint64_t refine_work = 1;  // refine while candidates × sources <= this × order
};

class Elimination {
 public:
  Elimination(Engine& engine, const DiameterOptions& options, Observer& observer)
      : engine_(engine),
        candidates_(engine.candidates()),
        automatic_(options.strategy == Strategy::automatic),
        batching_(options.batching),
        observer_(observer),
        cost_(engine.batch_costs()),
        batch_size_(most_sources(engine.batch_costs().sources, options.most_per_batch)),
        concurrent_(!automatic_ || batching_ == Batching::never
                        ? 1
                        : std::min(options.concurrent == 0 ? engine.batch_costs().concurrent
                                                           : options.concurrent,
                                   batch_size_)) {}

  Diameter run() {
    candidates_.reset();
    StopWhen stopping(engine_, observer_);
    try {
      solve();
    } catch (const Interrupted&) {
    }
    stopping.end();
    return result();
  }

 private:
  // A search whose distances are retained.
  struct Source {
    DistanceHandle distances;
    Search search;
  };

  static std::size_t most_sources(std::size_t of_engine, std::size_t wanted) {
    return wanted == 0 ? of_engine : std::min(wanted, of_engine);
  }

  void solve() {
    // Nothing is known yet: from the vertex of highest degree.
    double_sweep(candidates_.select(Select::largest_upper, kLatest));
    if (outside() == 0) return;
    const Source end = sources_.back();
    peripheral_ = end.distances;
    if (concurrent_ > 1 && is_few(outside())) {
      backtrack(end);  // most likely the answer's, and its distances are still in the cache
      batch(concurrent_);
    }
    if (automatic_ && outside() > tuning_.worth_midpoint) {
      const Source far = lower() > end.search.eccentricity ? longest_ : end;
      search_midpoint(far);
      if (outside() > 0 && concurrent_ == 1) search_if_new(far.search.farthest);
    }
    for (bool central = concurrent_ == 1; outside() > 0;) {
      if (wants_batch()) {
        fold();
        if (outside() > 0) batch(batch_size_);
        continue;
      }
      if (automatic_ && central && outside() > tuning_.few_outside) {
        search(candidates_.select(Select::central, peripheral_));
      } else if (concurrent_ > 1) {
        batch(concurrent_);
      } else {
        peripheral_ = search(candidates_.select(Select::outside_upper, kLatest)).distances;
      }
      central = !central;
    }
  }

  // Few enough that a better ball is not worth a search, but its widening is.
  bool is_few(Vertex outside) const {
    return outside * std::uint64_t{tuning_.few_share} <= engine_.graph().order();
  }

  // Not after the first search, since the next will find a longer path; nor where batches go as
  // fast as searches, so that everything else is slow.
  bool may_widen() const {
    return automatic_ && concurrent_ == 1 && answer_.searches > 1 && lower() % 2 == 1;
  }

  bool wants_batch() const {
    if (!automatic_ || batching_ == Batching::never) return false;
    return batching_ == Batching::always || cost_.batch_pays(outside(), batch_size_, lower());
  }

  bool is_backtracked(const Search& search) const {
    return long_path_.from == search.source && long_path_.to == search.farthest;
  }

  void backtrack(const Source& source) {
    const Search& search = source.search;
    if (!is_backtracked(search))
      long_path_ = {search.source, search.farthest,
                    engine_.path(source.distances, search.farthest)};
  }

  void search_if_new(Vertex source) {
    if (std::none_of(sources_.begin(), sources_.end(),
                     [source](const Source& known) { return known.search.source == source; }))
      search(source);
  }

  // From the source, and from the farthest vertex that this finds.
  void double_sweep(Vertex source) {
    using Kind = SearchFrom::Kind;
    SearchChain chain{.starts = {{.vertex = source}, {.kind = Kind::farthest_of_previous}}};
    if (!automatic_) chain.ball = SearchChain::Ball::stays;
    if (automatic_ && concurrent_ == 1)
      chain.look_ahead = {.worth_midpoint = tuning_.worth_midpoint, .few_share = tuning_.few_share};
    const Stopwatch stopwatch;
    const std::vector<Probe> found = engine_.probe(chain);
    const double seconds = stopwatch.seconds() / static_cast<double>(found.size());
    require_all_reached(found);
    if (found.size() > 1) {  // the sets know of both already: no stop between them
      const Probe& first = found.front();
      add({first.distances, first.search});
      step({Step::Rule::reach, first.search.source, first.effect.farthest});
      ball_is_around(sources_.front());
      cost_.add_search(seconds, first.effect.outside);
    }
    take(found.back());
    cost_.add_search(seconds, outside());
    if (found.size() == 1 && outside() > 0) search(found.front().search.farthest);
  }

  // Before anything follows from what the searches have shown.
  void require_all_reached(const std::vector<Probe>& found) {
    const Search& first = found.front().search;
    if (first.reached == engine_.graph().order()) return;
    for (const Probe& each : found) engine_.release(each.distances);
    require_connected(engine_, first);
  }

  // From the midpoint of the longest path of a search, unless that was searched before.
  void search_midpoint(const Source& far) {
    if (is_backtracked(far.search))
      return search_if_new(long_path_.path[long_path_.path.size() / 2]);
    SearchChain chain{.starts = {{.kind = SearchFrom::Kind::midpoint,
                                  .vertex = far.search.farthest,
                                  .distances = far.distances}},
                      .lower = lower(),
                      .centers = centers_with_latest()};
    for (const Source& known : sources_) chain.known.push_back(known.search.source);
    const Stopwatch stopwatch;
    std::vector<Probe> found = engine_.probe(chain);
    long_path_ = {far.search.source, far.search.farthest, std::move(found.front().path)};
    if (!found.front().is_searched()) return;
    take(found.front());
    cost_.add_search(stopwatch.seconds(), outside());
  }

  Source search(Vertex source) {
    const Stopwatch stopwatch;
    take(engine_
             .probe({.starts = {{.vertex = source}},
                     .lower = lower(),
                     .centers = centers_with_latest()})
             .front());
    cost_.add_search(stopwatch.seconds(), outside());
    return sources_.back();
  }

  void take(const Probe& probe) {
    const Source source{probe.distances, probe.search};
    add(source);
    close_search(source, probe.effect);
  }

  // It may have lengthened the longest path known.
  void add(const Source& source) {
    sources_.push_back(source);
    if (++answer_.searches == 1 || source.search.eccentricity > lower()) longest_ = source;
  }

  void close_search(const Source& source, const SearchEffect& effect) {
    step({Step::Rule::reach, source.search.source, effect.farthest});
    close_round(effect.center);
    release_surplus();
  }

  // Searches many candidates outside the ball at once. If all of them fit, nothing is left
  // afterwards: every longer path had an end among them.
  void batch(std::size_t most) {
    const Stopwatch stopwatch;
    const Vertex before = outside();
    const auto sources = candidates_.sample(Among::outside, most, ++answer_.batches);
    const auto farthest = candidates_.farthest_from(sources);
    answer_.lanes += sources.size();
    const auto longest = std::max_element(farthest.begin(), farthest.end(),
                                          [](const FarthestDistance& a, const FarthestDistance& b) {
                                            return a.candidates < b.candidates;
                                          });
    const bool longer = longest->candidates > lower();
    if (longer) {  // for the path itself
      const Search search =
          engine_.search(sources[static_cast<std::size_t>(longest - farthest.begin())]);
      add({engine_.retain(), search});
    }
    // With the ball of the batch, before another is chosen.
    candidates_.eliminate_around(sources, farthest, lower());
    for (std::size_t i = 0; i < sources.size(); ++i)
      step({Step::Rule::batch, sources[i], farthest[i].candidates});
    if (longer) {
      const Source& last = sources_.back();
      close_search(last, candidates_.apply_search(last.distances, last.search.source,
                                                  last.search.eccentricity, lower(), centers()));
    } else {
      close_round(outside() > 0 ? std::optional(candidates_.choose_ball(centers(), lower() / 2))
                                : std::nullopt);
    }
    cost_.add_batch(stopwatch.seconds(), sources.size(), before, outside());
  }

  // Before the first large batch: candidates that are no better than others.
  void fold() {
    if (folded_ || lower() < 2) return;
    folded_ = true;
    const auto candidates = [&] { return candidates_.census().candidates; };
    const Vertex before = candidates();
    candidates_.drop_pendant_paths();
    const Vertex between = candidates();
    if (between < before) step({Step::Rule::pendant_paths});
    candidates_.drop_twins();
    if (candidates() < between) step({Step::Rule::twins});
  }

  // After each search or batch: chooses the best ball, applies the retained distances again, and
  // reports progress. If no candidate is left outside the old ball, the proof is complete, and
  // `chosen` is empty: another ball might leave candidates outside.
  void close_round(std::optional<std::size_t> chosen) {
    if (chosen) {
      compete(sources_[*chosen]);
      refine();
    } else if (answer_.searches == 1) {
      set_ball(sources_.front());
    }
    observer_.progress({.lower = lower(),
                        .upper = upper(),
                        .searches = answer_.searches + answer_.lanes,
                        .candidates = outside()});
    if (observer_.stop()) throw Interrupted();
  }

  // The ball may be around any of them; a plain double sweep leaves it where it was first.
  std::vector<DistanceHandle> centers() const {
    return automatic_ || sources_.empty() ? handles() : std::vector{sources_.front().distances};
  }
  std::vector<DistanceHandle> centers_with_latest() const {
    std::vector<DistanceHandle> result = centers();
    if (automatic_) result.push_back(kLatest);
    return result;
  }

  // Compares the ball around `best` with the one so far, both with the present radius and widened
  // around their cliques. The one with fewer candidates outside becomes the ball.
  void compete(const Source& best) {
    const Source old = center_;
    ball_is_around(best);
    if (best.distances == old.distances || !may_widen() || clique_of(best).size() == 1) return;
    const Vertex left = outside();
    set_ball(old);
    if (outside() > left) set_ball(best);
  }

  void set_ball(const Source& center) {
    candidates_.set_ball(center.distances, lower() / 2);
    ball_is_around(center);
  }

  // It grows, if that is worth it.
  void ball_is_around(const Source& center) {
    center_ = center;
    const bool widened =
        may_widen() && outside() > 0 && is_few(outside()) && clique_of(center).size() > 1;
    if (widened) candidates_.widen_ball(center.distances, lower() / 2, clique_of(center));
    step({.rule = Step::Rule::ball,
          .vertex = center.search.source,
          .value = 0,
          .group = widened ? clique_of(center) : std::vector<Vertex>()});
  }

  // Found when it is first asked for: around a hub that may take as long as a search.
  const std::vector<Vertex>& clique_of(const Source& center) {
    const auto [at, is_new] = cliques_.try_emplace(center.search.source);
    if (is_new) at->second = engine_.clique(center.search.source);
    return at->second;
  }

  // Applies every retained search again: the candidates that are left may be nearer to its source.
  // (After only two searches this has not saved a search on any of the real graphs.)
  void refine() {
    if (outside() == 0 || answer_.searches <= 2 ||
        candidates_.census().candidates * std::uint64_t{sources_.size()} >
            tuning_.refine_work * engine_.graph().order())
      return;
    for (const RefineStep& found : candidates_.refine(handles(), lower(), tuning_.refine_rounds))
      step({found.among == Among::outside ? Step::Rule::reach_outside : Step::Rule::reach,
            sources_[found.index].search.source, found.farthest});
  }

  std::vector<DistanceHandle> handles() const {
    std::vector<DistanceHandle> result;
    for (const Source& source : sources_) result.push_back(source.distances);
    return result;
  }

  void release_surplus() {
    if (sources_.size() <= tuning_.retained) return;
    const auto surplus =
        std::find_if(sources_.begin(), sources_.end(), [this](const Source& source) {
          return source.distances != center_.distances && source.distances != longest_.distances &&
                 source.distances != peripheral_ && source.distances != sources_.back().distances;
        });
    engine_.release(surplus->distances);
    sources_.erase(surplus);
  }

  void step(Step step) { answer_.steps.push_back(std::move(step)); }

  Diameter result() {
    answer_.lower = lower();
    answer_.upper = upper();
    if (answer_.searches > 0) {
      backtrack(longest_);
      answer_.witness = std::move(long_path_);
    }
    for (const Source& source : sources_) engine_.release(source.distances);
    return std::move(answer_);
  }

  Vertex outside() const { return candidates_.census().outside; }
  Distance lower() const { return longest_.search.eccentricity; }
  // A longer path has one end outside the ball and the other at a candidate.
  Distance upper() const {
    return std::max(lower(),
                    std::min(candidates_.census().max_upper_outside, engine_.graph().order() - 1));
  }

  Engine& engine_;
  CandidateSets& candidates_;
  bool automatic_;
  Batching batching_;
  Observer& observer_;
  Tuning tuning_;
  CostModel cost_;
  std::size_t batch_size_, concurrent_;  // sources of a batch, and of one in place of a search
  Diameter answer_;
  std::vector<Source> sources_;
  Source longest_{}, center_{};
  Witness long_path_;                              // the one found last
  std::map<Vertex, std::vector<Vertex>> cliques_;  // around those that were a centre of the ball
  DistanceHandle peripheral_{};
  bool folded_ = false;
};

}  // namespace

Diameter eliminate(Engine& engine, const DiameterOptions& options, Observer& observer) {
  return Elimination(engine, options, observer).run();
}

}  // namespace antipode
