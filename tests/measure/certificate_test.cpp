#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "report/report.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

using Json = nlohmann::ordered_json;

constexpr Question kQuestions[] = {Question::radius, Question::center, Question::periphery,
                                   Question::eccentricity};

struct Case {
  Graph whole, part;
  std::unique_ptr<Engine> engine;

  explicit Case(const Graph& graph) : whole(graph) {
    const Components parts = components(graph);
    part = component_subgraph(graph, parts, parts.largest());
    engine = make_engine("cpu", part, {.threads = 1});
  }
  Certificate diameter_certificate(const DiameterOptions& options) const {
    Observer observer;
    return certify(*engine, whole, diameter(*engine, options, observer));
  }
  Certificate certificate(Question question) const {
    Observer observer;
    return certify(*engine, whole, question,
                   eccentricities(*engine, question, Selection::together, observer));
  }
  std::vector<Certificate> all() const {
    std::vector<Certificate> result;
    for (const Strategy strategy :
         {Strategy::automatic, Strategy::sweep, Strategy::takes_kosters, Strategy::exhaustive})
      result.push_back(diameter_certificate({strategy}));
    for (const std::size_t lanes : {0, 3}) {
      DiameterOptions batched;
      batched.batching = Batching::always;
      batched.most_per_batch = lanes;
      result.push_back(diameter_certificate(batched));
    }
    DiameterOptions concurrent;
    concurrent.concurrent = 3;
    result.push_back(diameter_certificate(concurrent));
    for (const Question question : kQuestions) result.push_back(certificate(question));
    return result;
  }
};

// Through JSON and back, then checked: what a reader of the file would conclude.
Verdict verdict_on(const std::string& text, const Graph& graph) {
  std::string why;
  const auto certificate = report::parse_certificate("test", text, why);
  return certificate ? verify(*certificate, graph) : Verdict{false, why, 0};
}

TEST(Certificates, of_all_questions_are_accepted_on_random_graphs) {
  RandomGraphs graphs(41);
  for (int round = 0; round < 1600; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const Case now(graph);
    for (const Certificate& certificate : now.all()) {
      const Verdict verdict = verdict_on(report::to_json(certificate), now.whole);
      ASSERT_TRUE(verdict.accepted) << "graph " << round << ": " << verdict.reason;
    }
  }
}

TEST(Certificates, hold_for_the_same_graph_stored_in_another_order) {
  const Case now(generated("geometric?n=300&degree=4"));
  EXPECT_TRUE(verify(now.diameter_certificate({}), reorder(now.whole, VertexOrder::rcm)).accepted);
}

TEST(Certificates, are_refused_for_another_graph) {
  const Case now(generated("grid?rows=4&cols=5"));
  EXPECT_FALSE(verify(now.diameter_certificate({}), generated("grid?rows=5&cols=4")).accepted);
}

// Every value in the document, one at a time, is changed; lists lose, gain and swap entries; fields
// vanish.
void for_each_mutation(const Json& document,
                       const std::function<void(const Json&, const std::string&)>& visit) {
  const Json flat = document.flatten();
  for (const auto& item : flat.items()) {
    const std::string& pointer = item.key();
    const Json& value = item.value();
    const auto mutate = [&](const Json& other) {
      Json changed = document;
      changed[Json::json_pointer(pointer)] = other;
      visit(changed, pointer + " := " + other.dump());
    };
    if (value.is_number_unsigned()) {
      const auto number = value.get<std::uint64_t>();
      mutate(number + 1);
      mutate(number + 1000);
      if (number > 0) mutate(number - 1);
      mutate(Json(-1));
      mutate(Json("7"));
    } else if (value.is_string()) {
      mutate(value.get<std::string>() + "0");
      mutate(Json(""));
      mutate(Json(7));
      for (const std::string rule :
           {"eccentricity", "reach", "reach-outside", "ball", "twins", "clique-ball", "stems"})
        if (pointer.ends_with("/rule") && value != rule) mutate(rule);
    }
    const auto slash = pointer.rfind('/');
    Json changed = document;
    Json& parent = changed[Json::json_pointer(pointer.substr(0, slash))];
    if (parent.is_object()) {
      parent.erase(pointer.substr(slash + 1));
    } else {
      parent.erase(static_cast<std::size_t>(std::stoul(pointer.substr(slash + 1))));
    }
    visit(changed, pointer + " removed");
  }
}

TEST(Certificates, with_any_field_altered_are_refused_or_still_true) {
  RandomGraphs graphs(42);
  std::uint64_t refused = 0, still_true = 0;
  for (int round = 0; round < 96; ++round) {
    const Graph graph = graphs.next();
    if (graph.order() == 0) continue;
    const Case now(graph);
    const auto reference = reference_of(now.part);
    for (const Certificate& certificate : now.all()) {
      if (certificate.facts.size() > 12) continue;
      for_each_mutation(Json::parse(report::to_json(certificate)), [&](const Json& changed,
                                                                       const std::string& what) {
        const Verdict verdict = verdict_on(changed.dump(), now.whole);
        if (!verdict.accepted) {
          ++refused;
          return;
        }
        // Accepted: then the claim must be true all the same, and only a redundant fact or an equal
        // choice was touched.
        ++still_true;
        ASSERT_EQ(changed["value"], certificate.value) << what;
        ASSERT_EQ(changed["question"], Json::parse(report::to_json(certificate))["question"])
            << what;
        ASSERT_EQ(changed["graph"], Json::parse(report::to_json(certificate))["graph"]) << what;
        ASSERT_EQ(changed["component"], Json::parse(report::to_json(certificate))["component"])
            << what;
        ASSERT_TRUE(what.find("/facts/") != std::string::npos ||
                    what.find("/path/") != std::string::npos)
            << what;
      });
    }
  }
  EXPECT_GT(refused, 20 * still_true);
}

TEST(Certificates, with_any_number_altered_are_refused) {
  const Case now(generated("geometric?n=60&degree=5"));
  for (const Certificate& certificate : now.all()) {
    const Json document = Json::parse(report::to_json(certificate));
    const Json flat = document.flatten();
    for (const auto& [pointer, value] : flat.items()) {
      if (!value.is_number_unsigned()) continue;
      for (const std::int64_t change : {-1, 1}) {
        Json changed = document;
        changed[Json::json_pointer(pointer)] = value.get<std::int64_t>() + change;
        EXPECT_FALSE(verdict_on(changed.dump(), now.whole).accepted) << pointer << " " << change;
      }
    }
  }
}

TEST(Certificates, with_a_path_or_conclusion_that_does_not_follow_are_refused) {
  const Case now(generated("path?n=9"));
  const Certificate sound = now.diameter_certificate({});
  Certificate short_path = sound;  // a true path, but not of the claimed length
  short_path.path.pop_back();
  EXPECT_FALSE(verify(short_path, now.whole).accepted);
  Certificate no_facts = sound;
  no_facts.facts.clear();
  EXPECT_FALSE(verify(no_facts, now.whole).accepted);
  Certificate walk = sound;  // edges all right, but no shortest path
  walk.path = {"0", "1", "2", "1", "2", "3", "4", "5", "6"};
  EXPECT_FALSE(verify(walk, now.whole).accepted);
}

// The richer rules, written by hand: a ball around a clique, and twins.
TEST(Certificates, prove_by_a_ball_around_a_clique) {
  // A triangle 0 1 2 with a leaf at each corner: diameter 3; everything is within 1 of the
  // triangle.
  const Graph graph = graph_of(6, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 4}, {2, 5}});
  Certificate certificate{
      Question::diameter, fingerprint(graph), 6, 6, 3, {"3", "0", "1", "4"}, {}, {}, {}};
  certificate.facts = {{Fact::Rule::clique_ball, {"0", "1", "2"}, 1, 0}};
  EXPECT_TRUE(verify(certificate, graph).accepted) << verify(certificate, graph).reason;
  certificate.facts = {{Fact::Rule::clique_ball, {"0", "1", "5"}, 1, 0}};
  EXPECT_FALSE(verify(certificate, graph).accepted);
  certificate.facts = {{Fact::Rule::clique_ball, {"0", "1", "2"}, 2, 0}};
  EXPECT_FALSE(verify(certificate, graph).accepted);
  certificate.facts = {{Fact::Rule::clique_ball, {}, 1, 0}};
  EXPECT_FALSE(verify(certificate, graph).accepted);
}

TEST(Certificates, prove_by_twins) {
  const Graph graph = generated("star?n=5");
  Certificate certificate{
      Question::diameter, fingerprint(graph), 5, 4, 2, {"1", "0", "2"}, {}, {}, {}};
  certificate.facts = {{Fact::Rule::twins, {"1", "2", "3", "4"}, 0, 2},
                       {Fact::Rule::eccentricity, {"0"}, 1, 0}};
  EXPECT_TRUE(verify(certificate, graph).accepted) << verify(certificate, graph).reason;
  certificate.facts[0].vertices = {"1", "2", "3", "0"};
  EXPECT_FALSE(verify(certificate, graph).accepted);
  certificate.facts[0].vertices = {"1", "2", "3", "1"};
  EXPECT_FALSE(verify(certificate, graph).accepted);
}

// Twins may stand for each other only while the one that stays is a candidate.
TEST(Certificates, refuse_twins_of_a_vertex_that_is_gone) {
  const Graph graph = generated("star?n=4");
  Certificate certificate{
      Question::diameter, fingerprint(graph), 4, 3, 2, {"1", "0", "2"}, {}, {}, {}};
  certificate.facts = {{Fact::Rule::eccentricity, {"1"}, 2, 3},
                       {Fact::Rule::twins, {"1", "2", "3"}, 0, 1},
                       {Fact::Rule::eccentricity, {"0"}, 1, 0}};
  EXPECT_FALSE(verify(certificate, graph).accepted);
}

// A star of five and a path of five: which of them is meant follows from the labels.
TEST(Certificates, speak_of_the_first_of_two_largest_components) {
  const reference::Pairs star{{0, 1}, {0, 2}, {0, 3}, {0, 4}}, path{{5, 6}, {6, 7}, {7, 8}, {8, 9}};
  reference::Pairs both = star;
  both.insert(both.end(), path.begin(), path.end());
  const Graph graph = graph_of(10, both);
  const Components parts = components(graph);
  Observer observer;
  for (const Vertex which : {0u, 1u}) {
    const auto engine = make_engine("cpu", component_subgraph(graph, parts, which), {1});
    const Certificate certificate = certify(*engine, graph, diameter(*engine, {}, observer));
    EXPECT_EQ(certificate.value, which == 0 ? 2u : 4u);
    EXPECT_EQ(verify(certificate, graph).accepted, which == parts.largest())
        << verify(certificate, graph).reason;
    EXPECT_EQ(verify(certificate, reorder(graph, VertexOrder::degree)).accepted,
              which == parts.largest());
  }
}

TEST(Certificates, with_a_field_twice_or_without_end_are_refused) {
  const Case now(generated("path?n=9"));
  const std::string sound = report::to_json(now.diameter_certificate({}));
  EXPECT_TRUE(verdict_on(sound, now.whole).accepted);
  const auto with_first = [&](const std::string& before, const std::string& more) {
    std::string text = sound;
    return text.insert(text.find(before), more);
  };
  EXPECT_FALSE(verdict_on(with_first("\"schema\"", "\"value\": 7, "), now.whole).accepted);
  EXPECT_NE(verdict_on(with_first("\"schema\"", "\"value\": 8, "), now.whole)
                .reason.find("'value' twice"),
            std::string::npos);
  EXPECT_FALSE(verdict_on(with_first("\"rule\"", "\"left\": 0, "), now.whole).accepted);
  EXPECT_FALSE(verdict_on(with_first("\"hash\"", "\"vertices\": 9, "), now.whole).accepted);
  std::string wide = "{\"0\": 0";
  for (int i = 1; i < 40; ++i) wide += ", \"" + std::to_string(i) + "\": 0";
  EXPECT_NE(verdict_on(wide + "}", now.whole).reason.find("too many fields"), std::string::npos);
  EXPECT_NE(verdict_on(std::string(20'000'000, '['), now.whole).reason.find("nested"),
            std::string::npos);
  EXPECT_THROW(verdict_on("[[[", now.whole), InputError);
}

TEST(Certificates, are_checked_only_as_long_as_the_observer_wants) {
  struct Patient final : Observer {
    explicit Patient(int times) : left(times) {}
    bool stop() override { return --left < 0; }
    int left;
  };
  const Case now(generated("grid?rows=300&cols=300"));
  const Certificate certificate = now.diameter_certificate({});
  for (const int times : {0, 1, 3, 5}) {
    Patient observer(times);
    EXPECT_THROW(verify(certificate, now.whole, observer), Interrupted) << times;
  }
  Patient forever(1 << 30);
  EXPECT_TRUE(verify(certificate, now.whole, forever).accepted);
}

TEST(Certificates, prove_by_stems) {
  const Graph graph = generated("path?n=5");
  Certificate certificate{
      Question::diameter, fingerprint(graph), 5, 4, 4, {"0", "1", "2", "3", "4"}, {}, {}, {}};
  certificate.facts = {{Fact::Rule::pendant_paths, {}, 0, 2},
                       {Fact::Rule::eccentricity, {"2"}, 2, 0}};
  EXPECT_TRUE(verify(certificate, graph).accepted) << verify(certificate, graph).reason;
  certificate.facts = {{Fact::Rule::eccentricity, {"0"}, 4, 4},
                       {Fact::Rule::pendant_paths, {}, 0, 1},
                       {Fact::Rule::eccentricity, {"4"}, 4, 0}};
  EXPECT_TRUE(verify(certificate, graph).accepted) << verify(certificate, graph).reason;
  certificate.facts = {{Fact::Rule::pendant_paths, {}, 0, 0}};
  EXPECT_FALSE(verify(certificate, graph).accepted);
}

}  // namespace
}  // namespace antipode::testing
