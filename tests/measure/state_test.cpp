// A checkpoint is only bytes: whatever they are, a measure that goes on from them ends with an
// InputError or with the right answer. Its checksum is the file's affair; here states are handed
// over as they are, or with totals and a seal that fit what was changed.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "antipode/io.hpp"
#include "antipode/measures.hpp"
#include "support/factories.hpp"
#include "support/forged_state.hpp"

namespace antipode::testing {
namespace {

using Bytes = std::vector<unsigned char>;

class GivenKeeper final : public CheckpointStore {
 public:
  explicit GivenKeeper(Bytes state) : state_(std::move(state)) {}
  Bytes load() override { return state_; }

 private:
  Bytes state_;
};

class LastKeeper final : public CheckpointStore {
 public:
  bool is_active() const override { return true; }
  bool is_due() override { return true; }
  void save(std::span<const unsigned char> state) override {
    last.assign(state.begin(), state.end());
  }
  Bytes last;
};

class AfterOneRound final : public Observer {
 public:
  void progress(const Progress&) override { done_ = true; }
  bool stop() override { return done_; }

 private:
  bool done_ = false;
};

// A measure that goes on from a state and says what it found, in full.
struct Measure {
  Layout layout;
  std::function<std::string(Observer&, CheckpointStore&)> run;
  std::string operator()(Observer& o, CheckpointStore& k) const { return run(o, k); }
};

template <class Value>
void add(std::string& text, const std::vector<Value>& values) {
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
}

struct Named {
  const char* name;
  std::size_t first_sum;  // bytes before the sums, in which nothing may be wrong; the rest may hide
                          // a wrong sum
  bool counts;            // or has whole numbers that any zero or very large one contradicts
  Measure measure;
};

Measure average_of(Engine& engine, std::size_t samples) {
  const bool folds = samples == 0 && sources_of_average(engine) < engine.graph().order();
  return {folds ? kAverageState : kAverageOfAllState, [&engine, samples](auto& o, auto& k) {
            const Average a = average(engine, samples, 3, o, k);
            std::string text = std::to_string(a.sources);
            add(text, a.pairs);
            return text;
          }};
}

Measure closeness_of(Engine& engine) {
  return {kClosenessState, [&engine](auto& o, auto& k) {
            const Closeness c = closeness(engine, o, k);
            std::string text;
            add(text, c.sums.sum);
            add(text, c.sums.inverse_sum);
            return text;
          }};
}

Measure forward_eccentricities_of(Engine& engine) {
  return {kForwardState, [&engine](auto& o, auto& k) {
            const ForwardEccentricities found = forward_eccentricities(engine, o, k);
            std::string text;
            add(text, found.value);
            add(text, found.reached);
            return text;
          }};
}

Measure betweenness_of(Engine& engine, const Core& core) {
  return {kBetweennessState, [&core, &engine](auto& o, auto& k) {
            const Betweenness b = betweenness(engine, core, {true}, o, k);
            std::string text = b.finished ? "finished" : "stopped";
            add(text, b.vertices);
            return text;
          }};
}

Measure eccentricities_of(Engine& engine) {
  return {kBoundsState, [&engine](auto& o, auto& k) {
            std::string text;
            add(text, eccentricities(engine, Question::eccentricity, o, k).lower);
            return text;
          }};
}

std::vector<Named> all_measures(Engine& engine, Engine& directed, const Core& core,
                                Engine& core_engine) {
  return {
      {"average", 8, true, average_of(engine, 0)},
      {"average of a sample", 4, true, average_of(engine, 700)},
      {"average of arcs", 4, true, average_of(directed, 0)},
      {"closeness", 4, false, closeness_of(engine)},
      {"closeness of arcs", 4, false, closeness_of(directed)},
      {"betweenness", 4, false, betweenness_of(core_engine, core)},
      {"forward eccentricities", 4, true, forward_eccentricities_of(directed)},
      {"eccentricities", 8, false, eccentricities_of(engine)},
  };
}

// "wrong": an answer that is not the right one.
std::string outcome_of_state(const Measure& measure, const Bytes& state, const std::string& right) {
  Observer observer;
  GivenKeeper checkpoint(state);
  try {
    return measure(observer, checkpoint) == right ? "right" : "wrong";
  } catch (const InputError& error) {
    return std::string(error.what()).find("remove it and start again without --resume") !=
                   std::string::npos
               ? "refused"
               : error.what();
  }
}

// Of fields that have been changed, with the totals and the seal that belong to them.
std::string outcome(const Measure& measure, const Bytes& fields, const std::string& right) {
  return outcome_of_state(measure, forged(fields, measure.layout), right);
}

Bytes with_word(Bytes state, std::size_t at, std::uint32_t word) {
  std::memcpy(state.data() + at, &word, sizeof(word));
  return state;
}

// The first that is stopped after one part.
Bytes first_state_with_seal(const Measure& measure) {
  LastKeeper last;
  AfterOneRound stops;
  measure(stops, last);
  return last.last;
}
Bytes first_state(const Measure& measure) {
  return fields_of(first_state_with_seal(measure), measure.layout);
}

TEST(States, that_are_short_long_or_altered_are_refused) {
  const Graph graph = generated("geometric?n=900&degree=9");
  const Core core = core_of(graph);
  const Components parts = components(graph);
  const Graph connected = component_subgraph(graph, parts, parts.largest());
  const auto engine = make_engine("cpu", connected, {1}),
             core_engine = make_engine("cpu", core.graph, {1}),
             directed = make_engine("cpu", generated("er?n=900&degree=3", Direction::forward), {1});
  for (const auto& [name, first_sum, counts, measure] :
       all_measures(*engine, *directed, core, *core_engine)) {
    Observer observer;
    CheckpointStore no_checkpoint;
    const std::string right = measure(observer, no_checkpoint);
    const Bytes last = first_state(measure);
    ASSERT_FALSE(last.empty()) << name;
    EXPECT_EQ(outcome(measure, last, right), "right") << name;
    const std::size_t size = last.size();
    for (const std::size_t shorter :
         {size - 1, size / 2, std::size_t{9}, std::size_t{3}, std::size_t{1}})
      EXPECT_EQ(
          outcome(measure, Bytes(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(shorter)),
                  right),
          "refused")
          << name << ", " << shorter << " bytes";
    Bytes longer = last;
    longer.push_back(0);
    EXPECT_EQ(outcome(measure, longer, right), "refused") << name << ", a byte more";
    EXPECT_EQ(outcome(measure, Bytes(size, 0xff), right), "refused") << name << ", all bits set";
    for (std::size_t at = 0; at < first_sum; at += 4)
      for (const std::uint32_t word : {0xffffffffu, 0u, 7u, 901u}) {
        const std::string found = outcome(measure, with_word(last, at, word), right);
        EXPECT_TRUE(found == "refused" || found == "right")
            << name << ", " << word << " at " << at << ": " << found;
      }
    // Anywhere else a wrong sum may pass for a right one, and nothing may crash.
    for (std::size_t at = 0; at + 4 <= size; at += std::max<std::size_t>(4, size / 25 / 4 * 4))
      for (const std::uint32_t word : {0xffffffffu, 0u}) {
        const std::string found = outcome(measure, with_word(last, at, word), right);
        EXPECT_TRUE(!counts || found == "refused" || found == "right")
            << name << ", " << word << " at " << at << ": " << found;
      }
  }
}

template <class Value>
Value at(const Bytes& state, std::size_t place) {
  Value value;
  std::memcpy(&value, state.data() + place, sizeof(value));
  return value;
}
template <class Value>
void set(Bytes& state, std::size_t place, Value value) {
  std::memcpy(state.data() + place, &value, sizeof(value));
}

void expect_refused(const Measure& measure, const Bytes& state) {
  EXPECT_EQ(outcome(measure, state, ""), "refused");
}

// Whatever single word is changed, the seal shows it, or the totals if the seal is made to fit.
TEST(States, with_any_word_changed_are_refused) {
  const Graph graph = generated("er?n=700&degree=4");
  const Core core = core_of(graph);
  const Components parts = components(graph);
  const auto engine = make_engine("cpu", component_subgraph(graph, parts, parts.largest()), {1}),
             core_engine = make_engine("cpu", core.graph, {1}),
             directed = make_engine("cpu", generated("er?n=700&degree=3", Direction::forward), {1});
  std::mt19937_64 random(5);
  for (const auto& [name, first_sum, counts, measure] :
       all_measures(*engine, *directed, core, *core_engine)) {
    Observer observer;
    CheckpointStore no_checkpoint;
    const std::string right = measure(observer, no_checkpoint);
    const Bytes state = first_state_with_seal(measure);
    ASSERT_FALSE(state.empty()) << name;
    EXPECT_EQ(outcome_of_state(measure, state, right), "right") << name;
    const std::size_t content = state.size() - sizeof(std::uint64_t);
    for (std::size_t place = 0; place < state.size(); place += 1 + random() % 40) {
      Bytes changed = state;
      changed[place] = static_cast<unsigned char>(changed[place] + 1 + random() % 255);
      EXPECT_EQ(outcome_of_state(measure, changed, right), "refused") << name << ", " << place;
      set(changed, content, seal_of(changed.data(), content));
      EXPECT_NE(outcome_of_state(measure, changed, right), "wrong")
          << name << ", " << place << " with another seal";
    }
  }
}

// Sums of a vertex that those of its neighbours contradict, and pairs that no source has.
TEST(States, of_closeness_with_a_sum_far_from_those_of_neighbours_are_refused) {
  const auto engine = make_engine("cpu", generated("ws?n=900&p=0.1"), {1});
  const Measure measure = closeness_of(*engine);
  const Bytes state = first_state(measure);
  const std::size_t sum = 4 + 2 * (8 + 4 * 900) + 8;
  Bytes moved = state;  // so that the totals stay the same, had they not been made to fit
  set(moved, sum + 8 * 10, at<std::uint64_t>(state, sum + 8 * 10) + 2000);
  set(moved, sum + 8 * 500, at<std::uint64_t>(state, sum + 8 * 500) - 100);
  expect_refused(measure, moved);
}

// Sources that were not searched count as done, or the other way round; all else is as it was.
TEST(States, with_other_sources_done_give_no_wrong_answer) {
  const Graph graph = generated("er?n=1800&degree=2&seed=4");  // it has pendant trees
  const Core core = core_of(graph), weightless = without_folding(graph);
  ASSERT_LT(core.graph.order(), graph.order() * 3 / 4);
  const Components parts = components(graph);
  const Graph connected = component_subgraph(graph, parts, parts.largest()),
              arcs = generated("er?n=900&degree=1.5&seed=2", Direction::forward);
  const Core directed_core = without_folding(arcs);
  const auto engine = make_engine("cpu", connected, {1}),
             core_engine = make_engine("cpu", core.graph, {1}),
             weightless_engine = make_engine("cpu", weightless.graph, {1}),
             directed = make_engine("cpu", arcs, {1});
  auto measures = all_measures(*engine, *directed, core, *core_engine);
  measures.push_back(
      {"betweenness without folding", 4, false, betweenness_of(*weightless_engine, weightless)});
  measures.push_back({"betweenness of arcs", 4, false, betweenness_of(*directed, directed_core)});
  for (const auto& [name, first_sum, counts, measure] : measures) {
    Observer observer;
    CheckpointStore no_checkpoint;
    const std::string right = measure(observer, no_checkpoint);
    const Bytes state = first_state(measure);
    ASSERT_FALSE(state.empty()) << name << " is done in one batch";
    const auto done = at<Vertex>(state, 0);
    for (const Vertex other :
         {done + 1, done - 1, done + 32, done - 32, done + 100, core.graph.order(),
          connected.order(), graph.order(), arcs.order(), core.graph.order() / 32 * 32}) {
      const std::string found = outcome(measure, with_word(state, 0, other), right);
      EXPECT_TRUE(found == "refused" || found == "right")
          << name << ", " << other << " instead of " << done << ": " << found;
    }
  }
}

// Sources done, then the number of distances, then a count for each.
TEST(States, of_an_average_of_arcs_with_other_sources_or_pairs_are_refused) {
  const auto engine =
      make_engine("cpu", generated("er?n=3000&degree=3&seed=1", Direction::forward), {1});
  const Measure measure = average_of(*engine, 0);
  const Bytes state = first_state(measure);
  const auto done = at<Vertex>(state, 0);
  ASSERT_LT(done, 2000u);
  for (const Vertex other : {done + 1000, 3000u})
    expect_refused(measure, with_word(state, 0, other));
  Bytes changed = state;
  for (std::size_t place = 12; place + 16 < changed.size(); place += 8)
    set<std::uint64_t>(changed, place, 0);
  expect_refused(measure, changed);  // no pairs
  changed = state;
  const std::size_t places = at<std::uint64_t>(state, 4);
  ASSERT_GT(places, 4u);
  set<std::uint64_t>(changed, 12 + 8 * (places - 1), 0);
  expect_refused(measure, changed);  // none at the largest distance
}

TEST(States, of_an_average_with_pairs_farther_apart_than_any_search_shows_are_refused) {
  const auto engine = make_engine("cpu", generated("ws?n=4000&p=0.1"), {1});
  const Measure measure = average_of(*engine, 0);
  const Bytes state = first_state(measure);
  const std::size_t places = at<std::uint64_t>(state, 4);
  ASSERT_EQ(state.size(), 12 + 8 * places + 8);
  std::uint64_t moved = 0;
  for (std::size_t d = 2; d < places; ++d) moved += at<std::uint64_t>(state, 12 + 8 * d);
  Bytes far(state.begin(), state.begin() + 12);
  far.resize(12 + 8 * 4000 + 8, 0);
  set<std::uint64_t>(far, 4, 4000);
  set(far, 20, at<std::uint64_t>(state, 20));
  for (std::size_t d = 2; d < 4000; ++d)
    set<std::uint64_t>(far, 12 + 8 * d, d == 2 ? moved - 3997 : 1);
  expect_refused(measure, far);
  for (std::size_t d = 2; d < 4000; ++d) set<std::uint64_t>(far, 12 + 8 * d, d == 3999 ? moved : 0);
  expect_refused(measure, far);
}

// Sources done, then a list of eccentricities, then one of how many vertices each reaches.
TEST(States, of_forward_eccentricities_that_no_search_shows_are_refused) {
  const auto engine =
      make_engine("cpu", generated("er?n=3000&degree=3&seed=1", Direction::forward), {1});
  const Measure measure = forward_eccentricities_of(*engine);
  const Bytes state = first_state(measure);
  const std::size_t done = at<Vertex>(state, 0);
  Bytes zeros = state, larger = state;
  for (std::size_t i = 0; i < done; ++i) {
    set<Distance>(zeros, 12 + 4 * i, 0);
    const auto e = at<Distance>(state, 12 + 4 * i);
    if (e > 2) set<Distance>(larger, 12 + 4 * i, e + 1);
  }
  expect_refused(measure, zeros);
  expect_refused(measure, larger);  // in range: only a search can tell
}

// Searches, then bounds of all from both sides, then the sources and what they showed.
TEST(States, of_eccentricities_with_bounds_that_no_search_shows_are_refused) {
  constexpr Vertex kOrder = 2000;
  const auto engine = make_engine("cpu", generated("ws?n=2000&p=0.05"), {1});
  const Measure measure = eccentricities_of(*engine);
  Observer observer;
  CheckpointStore no_checkpoint;
  const Eccentricities truth =
      eccentricities(*engine, Question::eccentricity, observer, no_checkpoint);
  const Bytes state = first_state(measure);
  const std::size_t lower = 16, upper = lower + 4 * kOrder + 8;
  Bytes decided = state, below = state;
  Vertex changed = 0;
  for (Vertex v = 0; v < kOrder; ++v) {
    const auto l = at<Distance>(state, lower + 4 * v), u = at<Distance>(state, upper + 4 * v);
    if (l == u) continue;
    ++changed;
    for (const std::size_t place : {lower, upper}) {
      set(decided, place + 4 * v, truth.lower[v] + 1);
      set(below, place + 4 * v, l);
    }
  }
  ASSERT_GT(changed, 100u);
  expect_refused(measure, decided);
  expect_refused(measure, below);
}

TEST(States, of_closeness_that_are_as_if_most_were_neighbours_are_refused) {
  for (const Direction direction : {Direction::none, Direction::forward}) {
    constexpr Vertex kOrder = 2000;
    const Graph graph = generated("ws?n=2000&p=0.1", direction);
    const auto engine = make_engine("cpu", graph, {1});
    const Measure measure = closeness_of(*engine);
    const Bytes state = first_state(measure);
    const std::size_t sources = 12, sum = sources + 2 * (4 * kOrder + 8),
                      inverse = sum + 8 * kOrder + 8;
    const std::uint64_t unit = DistanceSums(kOrder).unit;
    const std::uint64_t others = at<Vertex>(state, sources + 4 * 1999);
    Bytes near = state;  // of vertex 1999, which is no source yet
    ASSERT_LT(at<Vertex>(state, 0), kOrder);
    set<std::uint64_t>(near, sum + 8 * 1999, others);
    set<std::uint64_t>(near, inverse + 8 * 1999, others * unit);
    expect_refused(measure, near);
  }
}

// Stops when it is asked for the n-th time, which may be in the middle of a batch; keeps nothing
// before.
class StopsAtAsk final : public Observer {
 public:
  explicit StopsAtAsk(std::uint64_t ask) : ask_(ask) {}
  void progress(const Progress&) override { has_round = true; }
  bool stop() override { return ++asked >= ask_; }
  std::uint64_t asked = 0;
  bool has_round = false;

 private:
  std::uint64_t ask_;
};

class StoppedKeeper final : public CheckpointStore {
 public:
  bool is_active() const override { return true; }
  void save(std::span<const unsigned char> state) override {
    last.assign(state.begin(), state.end());
  }
  Bytes last;
};

TEST(States, of_a_run_that_is_stopped_inside_a_batch_are_those_of_the_round_before) {
  for (const char* spec : {"er?n=1500&degree=4", "grid?rows=4&cols=250"}) {
    const Graph all = generated(spec);
    const Components parts = components(all);
    const Graph graph = component_subgraph(all, parts, parts.largest());
    const auto engine = make_engine("cpu", graph, {1});
    const auto certified = [&](Observer& observer, CheckpointStore& checkpoint) {
      const auto found = eccentricities(*engine, Question::eccentricity, observer, checkpoint);
      std::string text;
      add(text, found.lower);
      if (found.exact) {
        EXPECT_TRUE(verify(certify(*engine, graph, Question::eccentricity, found), graph).accepted);
      }
      return text;
    };
    const Measure measure{kBoundsState, certified};
    StopsAtAsk never(~std::uint64_t{0});
    CheckpointStore no_checkpoint;
    const std::string right = measure(never, no_checkpoint);
    std::uint64_t kept = 0;
    for (std::uint64_t ask = 1; ask < never.asked; ask += 1 + never.asked / 40) {
      StopsAtAsk stops(ask);
      StoppedKeeper checkpoint;
      measure(stops, checkpoint);
      ASSERT_EQ(checkpoint.last.empty(), !stops.has_round) << spec << ", " << ask;
      if (checkpoint.last.empty()) continue;
      ++kept;
      EXPECT_EQ(outcome_of_state(measure, checkpoint.last, right), "right") << spec << ", " << ask;
    }
    EXPECT_GT(kept, 10u) << spec;
  }
}

TEST(States, with_all_sources_done_and_nothing_counted_are_refused) {
  const Graph graph = generated("ws?n=200&p=0.1");
  const auto engine = make_engine("cpu", graph, {1});
  for (const std::uint32_t done : {200u, 0xffffffffu}) {
    Bytes state(4 + 4 + 8, 0);
    std::memcpy(state.data(), &done, 4);
    std::memcpy(state.data() + 4, &done, 4);
    GivenKeeper checkpoint(forged(state, kAverageState));
    Observer observer;
    EXPECT_THROW(average(*engine, 0, 1, observer, checkpoint), InputError);
  }
}

TEST(States, of_no_bytes_are_refused) {
  const std::string path = ::testing::TempDir() + "state_of_no_bytes";
  Checkpoint checkpoint(path, "key", Checkpoint::Begin::anew);
  checkpoint.save({});
  EXPECT_THROW(checkpoint.load(), InputError);
  checkpoint.remove();
}

TEST(States, of_golf_that_are_altered_are_refused) {
  const auto engine = golf::make_part_engine("cpu", 1);
  golf::Options options;
  options.order = 96;
  options.degree = 4;
  options.part = 6;
  options.chains = 2;
  options.steps = 400;
  golf::Search search(*engine, options);
  search.round(0.001);
  EXPECT_EQ(golf::Search(*engine, options, search.state()).best().best_score,
            search.best().best_score);
  const Bytes state = fields_of(search.state(), kGolfState);
  EXPECT_EQ(forged(state, kGolfState), search.state());
  EXPECT_EQ(golf::Search(*engine, options, forged(state, kGolfState)).best().best_score,
            search.best().best_score);
  const auto refused = [&](const Bytes& changed) {
    try {
      golf::Search resumed(*engine, options, forged(changed, kGolfState));
      for (int rounds = 0; rounds < 3 && resumed.round(0.001);) ++rounds;
      return false;
    } catch (const InputError&) {
      return true;
    }
  };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, state.size() / 2, state.size() - 1})
    EXPECT_TRUE(refused(Bytes(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(size))))
        << size;
  EXPECT_TRUE(refused(Bytes(state.size(), 0xff)));
  EXPECT_TRUE(refused(Bytes(state.size(), 0)));
  Bytes none(state.begin(), state.begin() + sizeof(golf::Schedule) + 8);  // no chains
  std::memset(none.data() + sizeof(golf::Schedule), 0, 8);
  EXPECT_TRUE(refused(none));
  for (std::size_t at = 0; at + 4 <= state.size(); at += 4)
    refused(with_word(state, at, 0xffffffffu));  // and nothing crashes
}

}  // namespace
}  // namespace antipode::testing
