// Graph Golf by annealing: random parts, the choice of size, temperatures and number of steps, and
// then all chains together.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "antipode/golf.hpp"
#include "graph/hash.hpp"
#include "graph/limits.hpp"
#include "graph/plane.hpp"
#include "measure/cost.hpp"
#include "measure/state.hpp"

namespace antipode::golf {

// Ends of edges are paired at random. A residue may be joined to itself, but not by an edge that is
// its own inverse.
Part random_part(Vertex order, Vertex degree, Vertex size, std::uint64_t seed,
                 const std::vector<Vertex>& group) {
  Part part = make_part(order, size, group);
  const Vertex shifts = part.shifts();
  const std::uint64_t count = std::uint64_t{size} * degree;
  refuse_bytes(count * (sizeof(Vertex) + sizeof(PartEdge)), "a random part");  // and its copy
  std::uint64_t drawn = mix(seed);
  const auto below = [&](std::uint64_t bound) { return (drawn = mix(drawn + 1)) % bound; };
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::vector<Vertex> ends;
    ends.reserve(count);
    for (Vertex r = 0; r < size; ++r) ends.insert(ends.end(), degree, r);
    for (std::size_t i = ends.size(); i > 1; --i) std::swap(ends[i - 1], ends[below(i)]);
    part.edges.clear();
    part.edges.reserve(count / 2);
    bool fits = true;
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      const PartEdge edge{ends[i], ends[i + 1], static_cast<Vertex>(below(shifts))};
      const bool has_two_ends = edge.from != edge.to || part.negative(edge.shift) != edge.shift;
      fits &= has_two_ends;
      if (has_two_ends) part.edges.push_back(edge);
    }
    if (fits) break;  // else an edge was dropped: draws again
  }
  return part;
}

// Divisors for which annealing is fast: few sources, and enough shifts to profit from the symmetry.
// If the graph is small, its order comes first.
std::vector<Vertex> part_sizes(Vertex order, Vertex degree) {
  constexpr Vertex kMost = 64, kSmall = 256;
  std::vector<Vertex> result;
  for (Vertex size = 1; size <= std::min(kMost, order); ++size)
    if (order % size == 0 && std::uint64_t{size} * degree >= 2 && order / size > 1)
      result.push_back(size);
  // Large parts first: with less symmetry, the bound can be approached more closely.
  std::reverse(result.begin(), result.end());
  if (order <= kSmall) result.insert(result.begin(), order);
  if (result.empty()) result.push_back(order);
  return result;
}

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

void put(StateWriter& writer, const Part& part) {
  writer.put(part.order).put(part.size).put(part.group).put(part.edges);
}
void get(StateReader& reader, Part& part) {
  reader.get(part.order).get(part.size).get(part.group).get(part.edges);
}

void check(const StateReader& reader, const Schedule& schedule, const Options& options) {
  const bool cools = std::isfinite(schedule.hottest) && schedule.coldest > 0 &&
                     schedule.coldest <= schedule.hottest;
  reader.require(cools, "its temperatures are no temperatures");
  reader.require(schedule.steps >= 1 && (options.steps == 0 || schedule.steps <= options.steps),
                 "it has another number of steps");
}

// Requires a part that the options allow and that an engine can take: every edge has two ends, and
// no residue exceeds the degree.
void check(const StateReader& reader, const Part& part, const Options& options) {
  reader.require(part.order == options.order && part.size > 0 && part.order % part.size == 0,
                 "a part has another order");
  reader.require(options.part == 0 || part.size == options.part, "a part has another size");
  std::uint64_t shifts = 1;
  for (const Vertex factor : part.group)
    shifts = std::min<std::uint64_t>(shifts * factor, kNoVertex);
  reader.require(!part.group.empty() && shifts == part.shifts(), "a part has another group");
  for (const PartEdge& e : part.edges) {
    reader.require(e.from < part.size && e.to < part.size && e.shift < part.shifts(),
                   "an edge leads nowhere");
    reader.require(e.from != e.to || part.negative(e.shift) != e.shift,
                   "an edge is its own way back");
  }
  const auto ends = part.ends();
  reader.require(*std::max_element(ends.begin(), ends.end()) <= options.degree,
                 "a degree is too high");
}

void check(const StateReader& reader, const Chain& chain, const Options& options,
           std::uint64_t steps) {
  check(reader, chain.part, options);
  check(reader, chain.best, options);
  reader.require(chain.best.size == chain.part.size && chain.best.group == chain.part.group,
                 "its parts do not go together");
  reader.require(chain.accepted <= chain.step && chain.step <= steps,
                 "it has taken other steps than there are");
  if (chain.places.empty()) return;
  reader.require(chain.places.size() == 2 * chain.part.edges.size(),
                 "it has other ends than edges");
  std::vector<bool> taken(std::size_t{chain.part.size} * options.degree, false);
  for (std::size_t i = 0; i < chain.places.size(); ++i) {
    const PartEdge& e = chain.part.edges[i / 2];
    const Vertex place = chain.places[i];
    const bool free = place < taken.size() && !taken[place] &&
                      place / options.degree == (i % 2 == 0 ? e.from : e.to);
    reader.require(free, "the end of an edge has no place");
    taken[place] = true;
  }
}

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

Search::Search(PartEngine& engine, const Options& options, std::vector<unsigned char> state)
    : engine_(engine), options_(options) {
  StateReader reader(std::move(state));
  std::uint64_t count = 0;
  reader.get(schedule_).get(count);
  check(reader, schedule_, options_);
  reader.require(count >= 1 && (options_.chains == 0 || count <= options_.chains),
                 "it has another number of chains");
  // One by one: a wrong count is found before memory is allocated for it.
  for (std::uint64_t i = 0; i < count; ++i) {
    Chain& chain = chains_.emplace_back();
    get(reader, chain.part);
    get(reader, chain.best);
    reader.get(chain.score)
        .get(chain.best_score)
        .get(chain.seed)
        .get(chain.step)
        .get(chain.accepted)
        .get(chain.places);
    const bool alike = chain.part.size == chains_.front().part.size &&
                       chain.part.group == chains_.front().part.group;
    reader.require(alike && chain.step == chains_.front().step, "its chains do not go together");
    check(reader, chain, options_, schedule_.steps);
    reader.require(engine.evaluate(chain.part) == chain.score &&
                       engine.evaluate(chain.best) == chain.best_score,
                   "a score is not that of its part");
  }
  reader.finish();
}

std::vector<unsigned char> Search::state() const {
  StateWriter writer;
  writer.put(schedule_).put(std::uint64_t{chains_.size()});
  for (const Chain& chain : chains_) {
    put(writer, chain.part);
    put(writer, chain.best);
    writer.put(chain.score)
        .put(chain.best_score)
        .put(chain.seed)
        .put(chain.step)
        .put(chain.accepted)
        .put(chain.places);
  }
  return writer.bytes();
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
