#include "run/durations.h"

#include <gtest/gtest.h>

namespace berth::cli {
namespace {

TEST(DurationsTest, AnswersTheExactMedianOfFew) {
  Durations durations;
  EXPECT_EQ(durations.median(), 0u);
  for (const std::uint64_t duration : {7u, 1u, 1000000u}) durations.add(duration);
  EXPECT_EQ(durations.median(), 7u);
}

TEST(DurationsTest, StaysSmallAndNearTheMedianOfMany) {
  Durations durations;
  for (std::uint64_t duration = 0; duration < 1'000'000; ++duration) durations.add(duration);
  EXPECT_LE(durations.kept(), Durations::kMost);
  EXPECT_NEAR(static_cast<double>(durations.median()), 500'000, 100);
}

}  // namespace
}  // namespace berth::cli
