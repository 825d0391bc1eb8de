// The cost model decides between single searches and a batch. Times are given, never measured.
#include "measure/cost.hpp"

#include <gtest/gtest.h>

namespace antipode::testing {
namespace {

// A batch of 64 costs as much as 8 + 0.03 · 64 ≈ 10 searches.
constexpr BatchCosts kCosts{.sources = 64, .fixed = 8, .source = 0.03, .patience = 8};

CostModel after_searches(int searches, Vertex outside) {
  CostModel model(kCosts);
  for (int i = 0; i < searches; ++i) model.add_search(0.01, outside);
  return model;
}

TEST(CostModel, wants_no_batch_before_the_first_search) {
  EXPECT_FALSE(CostModel(kCosts).batch_pays(1'000'000, 64, 5));
}

TEST(CostModel, searches_one_by_one_while_few_candidates_are_left) {
  EXPECT_FALSE(after_searches(20, 5).batch_pays(5, 64, 5));
}

TEST(CostModel, batches_when_searches_do_not_thin_the_candidates_out) {
  EXPECT_TRUE(after_searches(20, 1000).batch_pays(1000, 64, 5));
}

TEST(CostModel, is_patient_before_the_first_batch) {
  EXPECT_FALSE(after_searches(1, 1000).batch_pays(1000, 64, 5));  // a batch costs ten searches
  EXPECT_TRUE(after_searches(2, 1000).batch_pays(1000, 64, 5));
}

TEST(CostModel, trusts_searches_that_halve_the_candidates) {
  CostModel model(kCosts);
  Vertex outside = 4000;
  for (int i = 0; i < 6; ++i) model.add_search(0.01, outside /= 4);
  EXPECT_FALSE(model.batch_pays(outside, 64, 5));
}

TEST(CostModel, learns_that_batches_cost_more_than_guessed) {
  CostModel model = after_searches(20, 100);
  ASSERT_TRUE(model.batch_pays(100, 64, 5));
  model.add_batch(10, 64, 100, 90);  // a hundred times the guess, and it removed next to nothing
  EXPECT_FALSE(model.batch_pays(90, 64, 5));
}

TEST(CostModel, charges_deep_graphs_for_every_level) {
  BatchCosts costs = kCosts;
  costs.source_and_level = 1.0 / 400;
  costs.most_source = 1.25;
  CostModel shallow(costs), deep(costs);
  for (int i = 0; i < 20; ++i) shallow.add_search(0.01, 60), deep.add_search(0.01, 60);
  EXPECT_TRUE(shallow.batch_pays(60, 64, 5));
  EXPECT_FALSE(deep.batch_pays(60, 64, 2000));
}

}  // namespace
}  // namespace antipode::testing
