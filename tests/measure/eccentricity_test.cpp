#include <gtest/gtest.h>

#include "antipode/error.hpp"
#include "antipode/measures.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

constexpr Question kQuestions[] = {Question::radius, Question::center, Question::periphery,
                                   Question::eccentricity};

void expect_answer(Question question, const Eccentricities& answer,
                   const std::vector<unsigned>& truth) {
  const Distance radius = *std::min_element(truth.begin(), truth.end()),
                 diameter = *std::max_element(truth.begin(), truth.end());
  for (std::size_t v = 0; v < truth.size(); ++v) {
    ASSERT_LE(answer.lower[v], truth[v]);
    ASSERT_GE(answer.upper[v], truth[v]);
  }
  if (question == Question::radius || question == Question::center) {
    ASSERT_EQ(answer.radius_lower(), radius);
    ASSERT_EQ(answer.radius_upper(), radius);
  } else {
    ASSERT_EQ(answer.diameter_lower(), diameter);
    ASSERT_EQ(answer.diameter_upper(), diameter);
  }
  for (std::size_t v = 0; v < truth.size(); ++v) {
    if (question == Question::center) {
      ASSERT_EQ(answer.upper[v] == radius, truth[v] == radius);
    }
    if (question == Question::periphery) {
      ASSERT_EQ(answer.lower[v] == diameter, truth[v] == diameter);
    }
    if (question == Question::eccentricity) {
      ASSERT_EQ(answer.lower[v], answer.upper[v]);
    }
  }
}

TEST(Eccentricities, settle_every_question_as_the_reference_does) {
  RandomConnectedGraphs graphs(31);
  Observer observer;
  for (int round = 0; round < 5000; ++round) {
    const Graph graph = graphs.next();
    const auto truth = reference_of(graph).eccentricities();
    const auto engine = make_engine("cpu", graph, {.threads = 1});
    for (const Question question : kQuestions)
      for (const Selection selection : {Selection::interchange, Selection::difference,
                                        Selection::farthest, Selection::together}) {
        const Eccentricities answer = eccentricities(*engine, question, selection, observer);
        ASSERT_TRUE(answer.exact);
        ASSERT_LE(answer.searches,
                  selection == Selection::together ? 2 * graph.order() + 8 : graph.order());
        ASSERT_NO_FATAL_FAILURE(expect_answer(question, answer, truth))
            << "graph " << round << ", question " << static_cast<int>(question);
      }
  }
}

TEST(Eccentricities, of_no_vertices_are_undefined) {
  const auto engine = make_engine("auto", Graph());
  Observer observer;
  EXPECT_THROW(eccentricities(*engine, Question::radius, Selection::interchange, observer),
               UsageError);
}

TEST(Eccentricities, stopped_at_once_still_hold) {
  struct : Observer {
    bool stop() override { return true; }
  } observer;
  const auto engine = make_engine("auto", generated("grid?rows=5&cols=5"));
  const Eccentricities answer =
      eccentricities(*engine, Question::eccentricity, Selection::interchange, observer);
  EXPECT_FALSE(answer.exact);
  EXPECT_EQ(answer.radius_lower(), 0u);
  EXPECT_EQ(answer.diameter_upper(), 24u);
}

}  // namespace
}  // namespace antipode::testing
