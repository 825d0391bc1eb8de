#include <gtest/gtest.h>

#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "support/factories.hpp"

namespace antipode::testing {
namespace {

TEST(Registry, auto_is_the_first_usable_engine) {
  const auto list = engines();
  const auto usable =
      std::find_if(list.begin(), list.end(), [](const EngineInfo& info) { return info.usable; });
  ASSERT_NE(usable, list.end());
  EXPECT_EQ(make_engine("auto", generated("karate"))->info().name, usable->name);
}

TEST(Registry, a_named_engine_that_is_missing_is_an_error_and_no_fallback) {
  EXPECT_THROW(make_engine("abacus", generated("karate")), DeviceError);
}

TEST(Registry, the_cpu_engine_is_always_there) {
  EXPECT_EQ(make_engine("cpu", generated("karate"))->info().name, "cpu");
}

}  // namespace
}  // namespace antipode::testing
