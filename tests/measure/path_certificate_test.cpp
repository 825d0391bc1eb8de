// Certificates with lengths and directions: those of true answers are accepted, and whatever else
// is accepted is true.
#include "antipode/path_certificate.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "antipode/error.hpp"
#include "report/report.hpp"
#include "support/path_graphs.hpp"
#include "support/path_truth.hpp"

namespace antipode {
namespace {

using Json = nlohmann::ordered_json;
using Scope = PathCertificate::Scope;

Verdict verdict_on(const PathCertificate& certificate, const Graph& graph) {
  Observer observer;
  return verify_paths(certificate, graph, observer);
}

// Through JSON and back: what a reader of the file would conclude.
std::optional<PathCertificate> read_back(const std::string& text, std::string& why) {
  const auto parsed = report::parse_any_certificate("test", text, why);
  if (!parsed) return std::nullopt;
  if (const auto* certificate = std::get_if<PathCertificate>(&*parsed)) return *certificate;
  why = "another kind";
  return std::nullopt;
}

// Steps as they come, most of them useless: whatever is left a certificate has to close.
std::vector<PathStep> random_steps(const Graph& graph, Length value, std::mt19937_64& random) {
  const auto any = [&] { return static_cast<Vertex>(random() % graph.order()); };
  std::vector<PathStep> steps;
  using Rule = PathStep::Rule;
  const Rule rules[] = {Rule::hub,   Rule::hub,   Rule::hub_outside, Rule::split,
                        Rule::tails, Rule::heads, Rule::components,  Rule::eccentricity};
  for (std::uint64_t i = random() % 12; i > 0; --i) {
    PathStep step{.rule = rules[random() % std::size(rules)], .vertex = any()};
    step.value = step.rule == Rule::components ? random() % 2 : random() % (value + 2);
    step.other = random() % 2;
    for (std::uint64_t k = random() % 4; k > 0; --k) step.group.push_back(any());
    steps.push_back(std::move(step));
  }
  return steps;
}

class PathCertificates : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  struct Case {
    Graph whole, scope;
    reference::Paths paths;
    std::unique_ptr<PathEngine> engine;
  };
  template <class Check>
  void for_each_case(std::uint64_t cases, unsigned most, Check check) {
    const auto [directed, weighted] = GetParam();
    for (std::uint64_t seed = 0; seed < cases; ++seed) {
      const PathCase made = random_path_case(seed, directed, weighted, most);
      if (made.order == 0) continue;
      for (const Scope scope : {Scope::reachable, Scope::largest}) {
        SCOPED_TRACE(std::to_string(seed) + (scope == Scope::largest ? " largest" : ""));
        const Graph whole = made.graph();
        Case now{whole, scope == Scope::largest ? largest_of(whole) : whole, made.reference(),
                 nullptr};
        now.engine = make_path_engine("cpu", now.scope, {.threads = 1});
        std::mt19937_64 random(seed);
        check(now, random);
        if (HasFatalFailure()) return;
      }
    }
  }
  std::vector<PathCertificate> all(const Case& now, std::mt19937_64& random) {
    CheckpointStore none;
    std::vector<PathCertificate> result;
    PathEngine& engine = *now.engine;
    PathDiameter answer = diameter(engine, observer_);
    result.push_back(certify_paths(engine, now.whole, answer, observer_));
    for (int i = 0; i < 3; ++i) {
      answer.steps = random_steps(now.scope, answer.lower, random);
      result.push_back(certify_paths(engine, now.whole, answer, observer_));
    }
    for (const Along along : {Along::arcs, Along::reversed_arcs})
      result.push_back(certify_paths(engine, now.whole, along,
                                     eccentricities(engine, along, observer_, none), observer_));
    for (const Question question : {Question::radius, Question::center})
      result.push_back(certify_paths(engine, now.whole, question,
                                     center(engine, question, observer_), observer_));
    result.push_back(certify_paths(engine, now.whole, periphery(engine, observer_), observer_));
    return result;
  }
  Observer observer_;
};

TEST_P(PathCertificates, of_all_questions_are_accepted_and_true) {
  for_each_case(700, 24, [&](const Case& now, std::mt19937_64& random) {
    for (const PathCertificate& certificate : all(now, random)) {
      std::string why;
      const std::string text = report::to_json(certificate);
      const auto read = read_back(text, why);
      ASSERT_TRUE(read) << why << "\n" << text;
      const Verdict verdict = verdict_on(*read, now.whole);
      ASSERT_TRUE(verdict.accepted) << verdict.reason << "\n" << text;
      ASSERT_TRUE(is_true(*read, now.whole, now.paths)) << text;
    }
  });
}

// A shortest path that is not a longest one, with whatever facts the steps give for its length.
TEST_P(PathCertificates, of_a_path_too_short_are_refused) {
  for_each_case(1500, 16, [&](const Case& now, std::mt19937_64& random) {
    const Graph& graph = now.scope;
    const auto from = static_cast<Vertex>(random() % graph.order());
    const auto to = static_cast<Vertex>(random() % graph.order());
    std::vector<Length> row(graph.order());
    now.engine->search(from, Along::arcs, row);
    PathDiameter answer;
    answer.lower = answer.upper = row[to];
    if (row[to] >= Truth(now.paths, graph).diameter()) return;  // none included
    answer.witness.path = shortest_path(graph, from, row, to);
    for (int i = 0; i < 6; ++i) {
      answer.steps = random_steps(graph, answer.lower, random);
      const auto certificate = certify_paths(*now.engine, now.whole, answer, observer_);
      ASSERT_FALSE(verdict_on(certificate, now.whole).accepted) << report::to_json(certificate);
    }
  });
}

// Every value in the document, one at a time, is changed; lists lose, repeat and swap entries;
// fields vanish.
void for_each_mutation(const Json& document, const std::vector<std::string>& labels,
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
      for (const std::uint64_t other : {number + 1, number + 1000, ~std::uint64_t{0}, number / 2})
        mutate(other);
      if (number > 0) mutate(number - 1);
      mutate(Json(-1));
      mutate(Json("7"));
    } else if (value.is_boolean()) {
      mutate(!value.get<bool>());
    } else if (value.is_string()) {
      for (const std::string& other : labels) mutate(other);
      for (const char* word :
           {"", "hub", "hub-outside", "tails", "heads", "arcs", "reversed-arcs", "reachable",
            "largest", "lower", "upper", "split", "radius", "center", "diameter"})
        mutate(Json(word));
      mutate(Json(7));
    }
    if (value.is_null() || value.is_array()) continue;  // an empty list
    const auto slash = pointer.rfind('/');
    const Json::json_pointer list(pointer.substr(0, slash));
    Json changed = document;
    Json& parent = changed[list];
    if (parent.is_object()) {
      parent.erase(pointer.substr(slash + 1));
      visit(changed, pointer + " removed");
    }
  }
  std::vector<Json::json_pointer> lists{Json::json_pointer("/facts"), Json::json_pointer("/path"),
                                        Json::json_pointer("/members")};
  for (std::size_t i = 0; i < document["facts"].size(); ++i)
    for (const char* key : {"vertices", "values"})
      lists.emplace_back("/facts/" + std::to_string(i) + "/" + key);
  for (const auto& list : lists) {
    if (!document.contains(list)) continue;
    for (std::size_t i = 0; i < document[list].size(); ++i) {
      Json removed = document, repeated = document, swapped = document;
      removed[list].erase(i);
      visit(removed, list.to_string() + " less one");
      repeated[list].push_back(Json(document[list][i]));
      visit(repeated, list.to_string() + " and one again");
      std::swap(swapped[list][i], swapped[list][0]);
      visit(swapped, list.to_string() + " in another order");
    }
  }
}

TEST_P(PathCertificates, with_anything_altered_are_refused_or_still_true) {
  std::uint64_t refused = 0, accepted = 0;
  for_each_case(24, 9, [&](const Case& now, std::mt19937_64& random) {
    std::vector<std::string> labels;
    for (Vertex v = 0; v < now.whole.order(); ++v) labels.push_back(now.whole.label(v));
    for (const PathCertificate& certificate : all(now, random)) {
      const Json document = Json::parse(report::to_json(certificate));
      for_each_mutation(document, labels, [&](const Json& changed, const std::string& what) {
        if (changed == document) return;
        std::string why;
        const auto read = read_back(changed.dump(), why);
        if (!read || !verdict_on(*read, now.whole).accepted) return void(++refused);
        ++accepted;
        ASSERT_TRUE(is_true(*read, now.whole, now.paths)) << what << "\n" << changed.dump(1);
        ASSERT_EQ(read->graph, certificate.graph) << what;
        ASSERT_EQ(read->text, certificate.text) << what;
      });
    }
  });
  EXPECT_GT(refused, 10 * accepted);
}

TEST_P(PathCertificates, are_refused_for_another_graph_where_they_are_not_true) {
  const auto [directed, weighted] = GetParam();
  if (!directed && !weighted) return;
  for_each_case(300, 12, [&](const Case& now, std::mt19937_64& random) {
    PathCase other{
        .order = now.paths.order, .directed = directed, .weighted = weighted, .arcs = {}};
    const Adjacency& adjacency = now.whole.adjacency();
    for (Vertex v = 0; v < now.whole.order(); ++v)
      for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc)
        other.arcs.push_back(
            {.from = v, .to = adjacency.targets[arc], .length = adjacency.length(arc)});
    if (other.arcs.empty()) return;
    reference::Arc& arc = other.arcs[random() % other.arcs.size()];
    if (weighted)
      arc.length += arc.length > 0 && random() % 2 ? std::uint64_t{0} - 1 : 1;
    else
      std::swap(arc.from, arc.to);
    const Graph changed = other.graph();
    const reference::Paths paths = other.reference();
    for (PathCertificate& certificate : all(now, random)) {
      ASSERT_TRUE(!verdict_on(certificate, changed).accepted ||
                  is_true(certificate, changed, paths));
      certificate.graph = fingerprint(changed);  // as a forger would
      ASSERT_TRUE(!verdict_on(certificate, changed).accepted ||
                  is_true(certificate, changed, paths));
    }
  });
}

struct Impatient : Observer {
  int calls = 0;
  bool stop() override { return ++calls > 0; }
};

TEST_P(PathCertificates, are_neither_made_nor_checked_when_told_to_stop) {
  for_each_case(20, 24, [&](const Case& now, std::mt19937_64& random) {
    Impatient impatient;
    const PathCertificate certificate = all(now, random).back();
    EXPECT_THROW(verify_paths(certificate, now.whole, impatient), Interrupted);
    PathPeriphery answer = periphery(*now.engine, observer_);
    EXPECT_THROW(certify_paths(*now.engine, now.whole, answer, impatient), Interrupted);
    EXPECT_TRUE(
        verdict_on(certify_paths(*now.engine, now.whole, answer, observer_), now.whole).accepted);
  });
}

TEST_P(PathCertificates, of_nothing_are_not_made) {
  const auto [directed, weighted] = GetParam();
  const Graph none =
      PathCase{.order = 0, .directed = directed, .weighted = weighted, .arcs = {}}.graph();
  const auto engine = make_path_engine("cpu", none, {.threads = 1});
  EXPECT_THROW(certify_paths(*engine, none, diameter(*engine, observer_), observer_), UsageError);
  PathCertificate claim;
  claim.graph = fingerprint(none);
  claim.directed = directed;
  claim.weighted = weighted;
  claim.text = "0";
  EXPECT_FALSE(verdict_on(claim, none).accepted);
}

// A path of 2^62 and its half: sums of two distances exceed neither 64 bits nor what is true.
TEST(PathCertificate, of_the_longest_lengths_there_may_be) {
  const Length half = Length{1} << 61;
  for (const Direction direction : {Direction::none, Direction::forward}) {
    const Graph graph =
        build_graph(3, {{{0, 1}, {1, 2}}}, {{half, half}}, {}, Labels::sequential(0, 3), direction)
            .graph;
    const auto engine = make_path_engine("cpu", graph, {.threads = 1});
    Observer observer;
    PathDiameter answer = diameter(*engine, observer);
    ASSERT_EQ(answer.lower, half * 2);
    for (const Vertex hub : {0, 1, 2}) {
      answer.steps = {{.rule = PathStep::Rule::hub, .vertex = hub}};
      EXPECT_TRUE(verdict_on(certify_paths(*engine, graph, answer, observer), graph).accepted);
    }
    CheckpointStore none;
    EXPECT_TRUE(
        verdict_on(certify_paths(*engine, graph, Along::arcs,
                                 eccentricities(*engine, Along::arcs, observer, none), observer),
                   graph)
            .accepted);
  }
}

Graph undirected(Vertex order, const std::vector<Edge>& edges) {
  return build_graph(order, {edges}, Labels::sequential(0, order)).graph;
}
PathCertificate claim_of(const Graph& graph, Question question, Length value) {
  PathCertificate claim;
  claim.question = question;
  claim.graph = fingerprint(graph);
  claim.order = graph.order();
  claim.size = graph.size();
  claim.value = value;
  claim.text = std::to_string(value);
  return claim;
}

TEST(PathCertificate, with_a_way_round_is_refused) {
  const Graph graph = undirected(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  PathCertificate claim = claim_of(graph, Question::diameter, 3);
  claim.path = {"0", "1", "2", "3"};
  claim.facts = {{.rule = PathFact::Rule::tails, .value = 2, .group = {"0", "1", "2", "3"}}};
  EXPECT_EQ(verdict_on(claim, graph).reason,
            "the path is not a shortest one: 3 is at distance 1 from its start, not 3");
  claim.value = 2;
  claim.text = "2";
  claim.path.pop_back();
  EXPECT_TRUE(verdict_on(claim, graph).accepted) << verdict_on(claim, graph).reason;
}

TEST(PathCertificate, of_a_center_without_members_is_refused) {
  const Graph graph = undirected(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  PathCertificate claim = claim_of(graph, Question::center, 1);
  claim.reach_all = 5;
  claim.path = {"0", "1"};
  claim.facts = {{.rule = PathFact::Rule::lower, .value = 4, .group = {"0", "4"}}};
  EXPECT_EQ(verdict_on(claim, graph).reason,
            "the path's start is not known to have eccentricity 1");
  claim.value = 2;
  claim.text = "2";
  claim.path = {"2", "3", "4"};
  claim.members = {"2"};
  claim.facts.push_back({.rule = PathFact::Rule::upper, .group = {"2"}, .values = {2}});
  EXPECT_TRUE(verdict_on(claim, graph).accepted) << verdict_on(claim, graph).reason;
}

std::string name_of(const testing::TestParamInfo<std::tuple<bool, bool>>& info) {
  const auto [directed, weighted] = info.param;
  return std::string(directed ? "directed" : "undirected") + (weighted ? "_lengths" : "_edges");
}

INSTANTIATE_TEST_SUITE_P(Paths, PathCertificates,
                         testing::Combine(testing::Bool(), testing::Bool()), name_of);

}  // namespace
}  // namespace antipode
