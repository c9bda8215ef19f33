// The device is lost at the 1st, 2nd, ... call, whatever it is. What needs the device then fails with DEVICE_LOST, what
// gives something back still works, and everything is given back. After a retry of the devices the program runs on the
// same registry.
#include <gmock/gmock.h>

#include "leak_check_pause.h"
#include "sweep_case.h"

namespace berth::sweep {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kMostCalls = 1000;
// Calls on open devices: properties, kind and heap of two, allocate, fill and free of two buffers, the copies, close.
constexpr std::uint64_t kLeastCalls = 6 + 6 + 16 + 2;

class DeviceLostTest : public testing::TestWithParam<SweepCase> {
 protected:
  // How many calls on devices a run without faults makes: the first number at which no fault is met.
  std::uint64_t count_calls() {
    std::uint64_t calls = 0;
    while (calls < kMostCalls && fails_at(calls + 1)) ++calls;
    return calls;
  }

  // One life with the device lost at the n-th call; how many steps failed.
  std::size_t lose_at(std::uint64_t n) {
    const std::string call = std::to_string(n);
    SCOPED_TRACE("lost at call " + call);
    Session session(GetParam().setup("*#" + call + "=DEVICE_LOST"));
    std::size_t failures = 0;
    for (const Step& step : session.steps()) {
      SCOPED_TRACE(step.name);
      const Status status = step.run();
      if (status.ok()) continue;
      ++failures;
      EXPECT_FALSE(step.name.starts_with("unload")) << status.message();
      EXPECT_EQ(status.code(), Code::kDeviceLost) << status.message();
      EXPECT_EQ(status.origin(), Origin::kDevice);
      EXPECT_THAT(status.message(), testing::ContainsRegex("cuda:[01]"));
      EXPECT_THAT(status.message(), testing::AnyOf(HasSubstr(" is lost; close it and open it again; "),
                                                   HasSubstr("fault schedule: '*#" + call + "=DEVICE_LOST' at call ")));
      EXPECT_THAT(status.message(), testing::AnyOf(testing::ContainsRegex("; call registry.retry\\(cuda:[01]\\) to"),
                                                   HasSubstr(", stage device: ")));
      EXPECT_EQ(step.run().code(), Code::kDeviceLost) << "a lost device stays lost";
    }
    recover(session, n % 2 == 0);
    session.end_module();
    expect_nothing_left(session);
    session.end_registry();
    EXPECT_THAT(session.warnings(), testing::IsEmpty());
    return failures;
  }

  // What a run without faults gives.
  std::vector<std::byte> right_results() {
    Session session(GetParam().setup());
    for (const Step& step : session.steps()) EXPECT_EQ(step.run().message(), "OK") << step.name;
    return session.results();
  }

 private:
  // Opens the lost devices anew and runs everything on the same registry, while the old Module lives or after it.
  void recover(Session& session, bool keep_old) {
    std::unique_ptr<module::Module> old = session.replace_module();
    if (!keep_old) old.reset();
    retry(session);
    // A loss that only a free or the like met is noticed at the next call, as those answer OK.
    bool noticed = false;
    for (const Step& step : session.steps()) noticed = !step.run().ok() || noticed;
    if (noticed) retry(session);
    (void)session.replace_module();
    for (const Step& step : session.steps()) EXPECT_EQ(step.run().message(), "OK") << "after a retry: " << step.name;
    EXPECT_EQ(session.results(), right_);
  }

  static void retry(Session& session) {
    for (const char* const id : {"cuda:0", "cuda:1"}) {
      const Status status = session.registry().retry(DeviceId::parse(id).value());
      EXPECT_TRUE(status.ok()) << status.message();
      EXPECT_FALSE(session.registry().find_open(DeviceId::parse(id).value())->lost());
    }
  }

  bool fails_at(std::uint64_t n) {
    const LeakCheckPause pause(true);  // the last calls close
    Session session(GetParam().setup("*#" + std::to_string(n) + "=DRIVER_FAILED"));
    bool met = false;
    for (const Step& step : session.steps()) met = !step.run().ok() || met;
    session.end_module();
    met = met || !session.registry().leaks().empty();
    session.end_registry();
    return met || !session.warnings().empty();
  }

 protected:
  const std::vector<std::byte> right_ = right_results();
};

TEST_P(DeviceLostTest, AtEachCall) {
  const std::uint64_t calls = count_calls();
  EXPECT_LT(calls, kMostCalls);
  EXPECT_GE(calls, kLeastCalls);
  std::uint64_t seen = 0;
  for (std::uint64_t n = 1; n <= calls; ++n) seen += lose_at(n) != 0 ? 1 : 0;
  // Only the calls that give back, at the end, are not hindered: free and close.
  EXPECT_GE(seen + 6, calls);
  EXPECT_EQ(lose_at(calls + 1), 0U);
}

INSTANTIATE_TEST_SUITE_P(Programs, DeviceLostTest, testing::ValuesIn(sweep_cases()), case_name);

}  // namespace
}  // namespace berth::sweep
