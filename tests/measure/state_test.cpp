// A checkpoint is only bytes: whatever they are, a measure that goes on from them ends with an
// InputError or with the right answer. Its checksum is the file's affair; here states are handed
// over as they are.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "antipode/measures.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

using Bytes = std::vector<unsigned char>;

class GivenKeeper final : public Keeper {
 public:
  explicit GivenKeeper(Bytes state) : state_(std::move(state)) {}
  Bytes kept() override { return state_; }

 private:
  Bytes state_;
};

class LastKeeper final : public Keeper {
 public:
  bool active() const override { return true; }
  bool due() override { return true; }
  void keep(std::span<const unsigned char> state) override {
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
using Measure = std::function<std::string(Observer&, Keeper&)>;

template <class Value>
void add(std::string& text, const std::vector<Value>& values) {
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
}

struct Named {
  const char* name;
  std::size_t first_sum;  // bytes before the sums, in which nothing may be wrong; the rest may hide
                          // a wrong sum
  Measure measure;
};

std::vector<Named> all_measures(Engine& engine, const Core& core, Engine& core_engine) {
  const auto average_from = [&engine](std::size_t samples) {
    return [&engine, samples](Observer& o, Keeper& k) {
      const Average a = average(engine, samples, 3, o, k);
      std::string text = std::to_string(a.sources);
      add(text, a.pairs);
      return text;
    };
  };
  const auto eccentricities_of = [&engine](Observer& o, Keeper& k) {
    std::string text;
    add(text, eccentricities(engine, Question::eccentricity, o, k).lower);
    return text;
  };
  return {
      {"average", 8, average_from(0)},
      {"average of a sample", 4, average_from(700)},
      {"closeness", 4,
       [&engine](Observer& o, Keeper& k) {
         const Closeness c = closeness(engine, o, k);
         std::string text;
         add(text, c.received.sum);
         return text;
       }},
      {"betweenness", 4,
       [&core, &core_engine](Observer& o, Keeper& k) {
         const Betweenness b = betweenness(core_engine, core, {true}, o, k);
         std::string text = b.finished ? "finished" : "stopped";
         add(text, b.vertices);
         return text;
       }},
      {"forward eccentricities", 4,
       [&engine](Observer& o, Keeper& k) {
         std::string text;
         add(text, forward_eccentricities(engine, o, k).value);
         return text;
       }},
      {"eccentricities", 8, eccentricities_of},
  };
}

// "wrong": an answer that is not the right one.
std::string outcome(const Measure& measure, const Bytes& state, const std::string& right) {
  Observer observer;
  GivenKeeper keeper(state);
  try {
    return measure(observer, keeper) == right ? "right" : "wrong";
  } catch (const InputError& error) {
    return std::string(error.what()).find("remove it and start again without --resume") !=
                   std::string::npos
               ? "refused"
               : error.what();
  }
}

Bytes with_word(Bytes state, std::size_t at, std::uint32_t word) {
  std::memcpy(state.data() + at, &word, sizeof(word));
  return state;
}

TEST(States, that_are_short_long_or_altered_are_refused) {
  const Graph graph = generated("geometric?n=900&degree=9");
  const Core core = core_of(graph);
  const Components parts = components(graph);
  const Graph connected = component_subgraph(graph, parts, parts.largest());
  const auto engine = make_engine("cpu", connected, {1}),
             core_engine = make_engine("cpu", core.graph, {1});
  for (const auto& [name, first_sum, measure] : all_measures(*engine, core, *core_engine)) {
    Observer observer;
    Keeper nobody;
    LastKeeper last;
    const std::string right = measure(observer, nobody);
    AfterOneRound stops;
    measure(stops, last);
    ASSERT_FALSE(last.last.empty()) << name;
    EXPECT_EQ(outcome(measure, last.last, right), "right") << name;
    const std::size_t size = last.last.size();
    for (const std::size_t shorter :
         {size - 1, size / 2, std::size_t{9}, std::size_t{3}, std::size_t{1}})
      EXPECT_EQ(outcome(measure,
                        Bytes(last.last.begin(),
                              last.last.begin() + static_cast<std::ptrdiff_t>(shorter)),
                        right),
                "refused")
          << name << ", " << shorter << " bytes";
    Bytes longer = last.last;
    longer.push_back(0);
    EXPECT_EQ(outcome(measure, longer, right), "refused") << name << ", a byte more";
    EXPECT_EQ(outcome(measure, Bytes(size, 0xff), right), "refused") << name << ", all bits set";
    for (std::size_t at = 0; at < first_sum; at += 4)
      for (const std::uint32_t word : {0xffffffffu, 0u, 7u, 901u}) {
        const std::string found = outcome(measure, with_word(last.last, at, word), right);
        EXPECT_TRUE(found == "refused" || found == "right")
            << name << ", " << word << " at " << at << ": " << found;
      }
    // Anywhere else a wrong sum may pass for a right one; but nothing may crash, and no count may
    // be wrong.
    for (std::size_t at = 0; at + 4 <= size; at += std::max<std::size_t>(4, size / 25 / 4 * 4))
      for (const std::uint32_t word : {0xffffffffu, 0u})
        outcome(measure, with_word(last.last, at, word), right);
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

class StoppedKeeper final : public Keeper {
 public:
  bool active() const override { return true; }
  void keep(std::span<const unsigned char> state) override {
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
    const auto measure = [&](Observer& observer, Keeper& keeper) {
      const auto found = eccentricities(*engine, Question::eccentricity, observer, keeper);
      std::string text;
      add(text, found.lower);
      if (found.exact) {
        EXPECT_TRUE(verify(certify(*engine, graph, Question::eccentricity, found), graph).accepted);
      }
      return text;
    };
    StopsAtAsk never(~std::uint64_t{0});
    Keeper nobody;
    const std::string right = measure(never, nobody);
    std::uint64_t kept = 0;
    for (std::uint64_t ask = 1; ask < never.asked; ask += 1 + never.asked / 40) {
      StopsAtAsk stops(ask);
      StoppedKeeper keeper;
      measure(stops, keeper);
      ASSERT_EQ(keeper.last.empty(), !stops.has_round) << spec << ", " << ask;
      if (keeper.last.empty()) continue;
      ++kept;
      EXPECT_EQ(outcome(measure, keeper.last, right), "right") << spec << ", " << ask;
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
    GivenKeeper keeper(state);
    Observer observer;
    EXPECT_THROW(average(*engine, 0, 1, observer, keeper), InputError);
  }
}

TEST(States, of_golf_that_are_altered_are_refused) {
  const auto engine = make_part_engine("cpu", 1);
  GolfOptions options;
  options.order = 96;
  options.degree = 4;
  options.part = 6;
  options.chains = 2;
  options.steps = 400;
  GolfSearch search(*engine, options);
  search.round(0.001);
  const Bytes state = search.state();
  EXPECT_EQ(GolfSearch(*engine, options, state).best().best_score, search.best().best_score);
  const auto refused = [&](const Bytes& changed) {
    try {
      GolfSearch resumed(*engine, options, changed);
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
  Bytes none(state.begin(), state.begin() + sizeof(Schedule) + 8);  // no chains
  std::memset(none.data() + sizeof(Schedule), 0, 8);
  EXPECT_TRUE(refused(none));
  for (std::size_t at = 0; at + 4 <= state.size(); at += 4)
    refused(with_word(state, at, 0xffffffffu));  // and nothing crashes
}

}  // namespace
}  // namespace antipode::testing
