// Graph Golf by annealing: the choice of size, temperatures and number of steps, and then all
// chains together.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "antipode/golf.hpp"
#include "graph/hash.hpp"
#include "graph/limits.hpp"
#include "graph/plane.hpp"
#include "measure/cost.hpp"

namespace antipode::golf {

namespace {

bool is_stopped(const Options& options) { return options.stop && options.stop(); }

// Bytes of so many chains, each with a part and its best part.
std::uint64_t copies_bytes(std::size_t chains, const Part& part) {
  return std::uint64_t{chains} * part.edges.size() * 2 * sizeof(PartEdge);
}

std::vector<Chain> start_chains(PartEngine& engine, const Options& options, Vertex size,
                                std::size_t count, std::uint64_t seed) {
  const bool is_given = !options.start.edges.empty();
  std::vector<Chain> chains(count);
  if (is_given) refuse_bytes(copies_bytes(count, options.start), "the chains");
  for (std::size_t i = 0; i < count; ++i) {
    Chain& chain = chains[i];
    chain.seed = mix(seed + i);
    chain.part = chain.best =
        is_given ? options.start
                 : random_part(options.order, options.degree, size, chain.seed, options.group);
    chain.score = chain.best_score =
        is_given && i > 0 ? chains[0].score : engine.evaluate(chain.part);
    if (i > 0 && is_stopped(options)) {  // fewer chains will do
      chains.resize(i + 1);
      break;
    }
  }
  return chains;
}

Distance aim_of(const Options& options) {
  return options.diameter != 0 ? options.diameter
                               : moore_bounds(options.order, options.degree).diameter + 1;
}

// At a temperature so high that every move is accepted, random parts show the typical difference of
// energy between neighbours. It depends on order, degree and size alone. Cooling starts at a
// twelfth of it (lower from a good start), where one move in a hundred is accepted. It ends at a
// thirty-sixth, where hardly any is.
Schedule schedule_for(PartEngine& engine, Options options, Vertex size) {
  constexpr int kTrials = 8, kChains = 8;
  const bool is_good = !options.start.edges.empty();
  if (is_good) options.group = std::exchange(options.start, {}).group;
  std::vector<Chain> chains = start_chains(engine, options, size, kChains, options.seed);
  double changes = 0;
  std::uint64_t count = 0;
  for (int trial = 0; trial < kTrials && !is_stopped(options); ++trial) {
    std::vector<double> before;
    for (const Chain& chain : chains) before.push_back(static_cast<double>(chain.score.sum));
    engine.anneal(chains, options.degree,
                  {.hottest = 1e300, .coldest = 1e300, .steps = 1, .aim = 0}, 1);
    for (std::size_t i = 0; i < chains.size(); ++i) {
      const double change = std::abs(static_cast<double>(chains[i].score.sum) - before[i]);
      if (change > 0 && chains[i].score.unreached == 0) changes += change, ++count;
    }
  }
  const double typical = count == 0 ? 1 : std::max(1.0, changes / static_cast<double>(count));
  return {.hottest = is_good ? typical / 15 : typical / 12,
          .coldest = typical / 36,
          .steps = 1,
          .aim = aim_of(options)};
}

// If a projective plane, perhaps with some vertices left out, has the least possible diameter,
// annealing of random parts does not come close to it.
Part plane_for(const Options& options) {
  if (options.part != 0 || !options.group.empty() || !has_plane(options.order, options.degree))
    return {};
  if (plane_diameter(options.order, options.degree) >
      moore_bounds(options.order, options.degree).diameter)
    return {};
  Part plane = make_part(options.order, options.order);
  for (const Edge& e : plane_edges(options.order, options.degree))
    plane.edges.push_back({e.from, e.to, 0});
  return plane;
}

constexpr std::uint64_t kShare = 20;  // a trial takes 1 / this of the steps

double mean_temperature(const Schedule& schedule) {
  return std::sqrt(schedule.hottest * schedule.coldest);
}

bool is_better(const Chain& a, const Chain& b) { return a.best_score < b.best_score; }

}  // namespace

Search::Search(PartEngine& engine, const Options& options) : engine_(engine), options_(options) {
  const Stopwatch stopwatch;
  Part& start = options_.start;
  if (start.edges.empty()) start = plane_for(options_);
  const Vertex size = !start.edges.empty() ? start.size
                      : options_.part != 0 ? options_.part
                                           : chosen_size();
  const Part like =
      make_part(options_.order, size, start.edges.empty() ? options_.group : start.group);
  const std::size_t count = options_.chains != 0 ? options_.chains : engine.chains(like);
  chains_ = start_chains(engine, options_, size, count, options_.seed);
  // So large that there is time for one or two moves only.
  if (!start.edges.empty() && options_.steps == 0 && stopwatch.seconds() > options_.seconds / 20) {
    chains_.resize(1);
    schedule_ = {.hottest = 1, .coldest = 1, .steps = 1, .aim = aim_of(options_)};
    return;
  }
  schedule_ = schedule_for(engine, options_, size);
  schedule_.steps = options_.steps;
  if (options_.steps == 0) {
    const double steps_a_second = rate(chains_, schedule_),
                 seconds = std::max(options_.seconds / 2, options_.seconds - stopwatch.seconds());
    const std::uint64_t trials = options_.diameter == 0 ? 1 : 0;
    schedule_.steps = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(steps_a_second * seconds * kShare /
                                      static_cast<double>(kShare + trials)));
  }
  if (options_.diameter == 0) schedule_.aim = reached_diameter();
}

// Steps per second. Hot steps are slower, since evaluation stops later. As many steps are hotter
// than the geometric mean as colder: Simpson's rule.
double Search::rate(std::span<Chain> chains, const Schedule& schedule) const {
  const auto seconds = [&](double temperature) {
    return 1 / rate_at(temperature, chains, schedule.aim);
  };
  return 6 / (seconds(schedule.hottest) + 4 * seconds(mean_temperature(schedule)) +
              seconds(schedule.coldest));
}

// Measured on copies, so that the chains do not change. The first request shows the fixed cost.
double Search::rate_at(double temperature, std::span<Chain> chains, Distance aim) const {
  refuse_bytes(copies_bytes(chains.size(), chains.front().part), "a trial of the chains");
  std::vector<Chain> trial(chains.begin(), chains.end());
  double fixed = 0;
  for (std::uint64_t steps = 1;; steps *= 4) {
    const Stopwatch stopwatch;
    engine_.anneal(trial, options_.degree,
                   {.hottest = temperature, .coldest = temperature, .steps = 1, .aim = aim}, steps);
    const double seconds = stopwatch.seconds();
    if (is_stopped(options_)) return 1;
    if (steps == 1)
      fixed = seconds;
    else if (seconds > 0.05 && seconds > 2 * fixed)
      return static_cast<double>(steps - 1) / (seconds - fixed);
    else if (seconds > 1)
      return static_cast<double>(steps) / seconds;
  }
}

// A fifth of the time, shared among the sizes: a short annealing of each; the best wins.
Vertex Search::chosen_size() const {
  constexpr std::size_t kChains = 4;  // fixed: the choice must not depend on the machine
  const auto sizes = part_sizes(options_.order, options_.degree);
  if (sizes.size() == 1) return sizes.front();
  // Less is better: pairs without a path, diameter, average.
  using Worth = std::tuple<std::uint64_t, Distance, double>;
  Vertex best = sizes.front();
  Worth least{~std::uint64_t{0}, 0, 0};
  for (const Vertex size : sizes) {
    if (is_stopped(options_)) break;
    auto chains = start_chains(engine_, options_, size, kChains, options_.seed);
    Schedule schedule = schedule_for(engine_, options_, size);
    schedule.steps = options_.steps != 0
                         ? std::max<std::uint64_t>(1, options_.steps / 5 / sizes.size())
                         : std::max<std::uint64_t>(
                               1, static_cast<std::uint64_t>(
                                      rate_at(mean_temperature(schedule), chains, schedule.aim) *
                                      options_.seconds / 5 / static_cast<double>(sizes.size())));
    anneal(chains, schedule);
    for (const Chain& chain : chains) {
      const Worth worth{chain.best_score.unreached, chain.best_score.diameter,
                        average_of(chain.best, chain.best_score).value()};
      if (worth < least) least = worth, best = size;
    }
  }
  return best;
}

// If the aim is out of reach, a chain pays for it with a worse average. So a short trial finds the
// diameter that can be reached.
Distance Search::reached_diameter() const {
  constexpr std::uint64_t kFew = 1000;  // fewer steps are no evidence
  Schedule schedule = schedule_;
  schedule.steps /= kShare;
  if (schedule.steps < kFew) return schedule.aim;
  refuse_bytes(copies_bytes(chains_.size(), chains_.front().part), "a trial of the chains");
  std::vector<Chain> trial = chains_;
  anneal(trial, schedule);
  const Chain& best = *std::min_element(trial.begin(), trial.end(), is_better);
  return std::max(schedule.aim, best.best_score.diameter);
}

// As many steps as take about `seconds`; updates the estimate `at_once`.
void Search::anneal(std::vector<Chain>& chains, const Schedule& schedule, double seconds,
                    std::uint64_t& at_once) const {
  const std::uint64_t steps = std::min(schedule.steps - chains.front().step, at_once);
  const Stopwatch stopwatch;
  engine_.anneal(chains, options_.degree, schedule, steps);
  at_once = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(
             static_cast<double>(steps) *
             std::clamp(seconds / std::max(stopwatch.seconds(), 1e-6), 0.25, 8.0)));
}

// All steps of the schedule, unless it is stopped.
void Search::anneal(std::vector<Chain>& chains, const Schedule& schedule) const {
  for (std::uint64_t at_once = 1; chains.front().step < schedule.steps && !is_stopped(options_);)
    anneal(chains, schedule, 0.3, at_once);
}

bool Search::round(double seconds) {
  if (chains_.front().step == schedule_.steps) return false;
  anneal(chains_, schedule_, seconds, round_steps_);
  std::uint64_t accepted = 0;
  for (const Chain& chain : chains_) accepted += chain.accepted;
  const std::uint64_t stepped = evaluations();
  acceptance_ = static_cast<double>(accepted - accepted_before_) /
                static_cast<double>(std::max<std::uint64_t>(1, stepped - stepped_before_));
  accepted_before_ = accepted, stepped_before_ = stepped;
  return chains_.front().step < schedule_.steps;
}

const Chain& Search::best() const {
  return *std::min_element(chains_.begin(), chains_.end(), is_better);
}

std::uint64_t Search::evaluations() const { return chains_.front().step * chains_.size(); }
double Search::temperature() const {
  return schedule_.hottest * std::pow(schedule_.coldest / schedule_.hottest, progress());
}
double Search::acceptance() const { return acceptance_; }

double Search::mean_average() const {
  double sum = 0;
  for (const Chain& chain : chains_) sum += average_of(chain.part, chain.score).value();
  return sum / static_cast<double>(chains_.size());
}

}  // namespace antipode::golf
