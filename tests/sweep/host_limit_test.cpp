// [host] limit, from nothing to enough: what programs ask of the host is bounded, every refusal is LIMIT_EXCEEDED and
// names what was to be allocated, and nothing is lost on the way.
#include <gmock/gmock.h>

#include "sweep_case.h"

namespace berth::sweep {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kEnough = 1 << 20;

class HostLimitTest : public testing::TestWithParam<SweepCase> {
 protected:
  struct Outcome {
    std::size_t failures = 0;
    std::uint64_t peak = 0;  // bytes of the host at once
  };

  Outcome run(std::uint64_t limit) {
    SCOPED_TRACE("limit " + std::to_string(limit));
    SessionOptions setup = GetParam().setup();
    setup.host_limit = std::to_string(limit) + "B";
    Session session(setup);
    Outcome outcome;
    for (const Step& step : session.steps()) {
      SCOPED_TRACE(step.name);
      const Session::Usage before = session.usage();
      const Status status = step.run();
      if (status.ok()) continue;
      ++outcome.failures;
      EXPECT_EQ(status.code(), Code::kLimitExceeded) << status.message();
      EXPECT_EQ(status.origin(), Origin::kDevice);
      EXPECT_THAT(status.message(), testing::ContainsRegex("cpu:0, allocation of [0-9]+ bytes: "));
      EXPECT_THAT(status.message(), HasSubstr("(limit " + std::to_string(limit) + " byte"));
      EXPECT_THAT(status.message(), HasSubstr("; free memory or raise `limit` of [host]"));
      if (step.name.starts_with("load")) {
        EXPECT_EQ(session.usage(), before);
      }
    }
    outcome.peak = session.registry().host()->statistics().peak_bytes;
    EXPECT_LE(outcome.peak, limit);
    session.end_module();
    expect_nothing_left(session);
    return outcome;
  }

  // The smallest limit that is enough, at most `enough`: less than the peak of a run with room to spare, since scratch
  // memory grows by doubling only while there is room.
  std::uint64_t least_limit(std::uint64_t enough) {
    std::uint64_t too_little = 0;
    while (enough - too_little > 1) {
      const std::uint64_t middle = too_little + (enough - too_little) / 2;
      (run(middle).failures == 0 ? enough : too_little) = middle;
    }
    return enough;
  }
};

TEST_P(HostLimitTest, IsKeptAtEverySize) {
  const Outcome good = run(kEnough);
  ASSERT_EQ(good.failures, 0U);
  ASSERT_GT(good.peak, 0U);
  const std::uint64_t least = least_limit(good.peak);
  constexpr std::uint64_t kSteps = 40;
  for (std::uint64_t i = 0; i < kSteps; ++i) EXPECT_GT(run(least * i / kSteps).failures, 0U);
  EXPECT_GT(run(least - 1).failures, 0U);
  EXPECT_EQ(run(least).peak, least);
}

INSTANTIATE_TEST_SUITE_P(Programs, HostLimitTest, testing::ValuesIn(sweep_cases()), case_name);

}  // namespace
}  // namespace berth::sweep
