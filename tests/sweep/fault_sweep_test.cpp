// For each function of the plugin, the 1st, 2nd, ... call fails, until a run has no failure. Every failure is a Status
// that says what was being done, nothing stays allocated, and the same step succeeds when it is tried again.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>

#include "leak_check_pause.h"
#include "sweep_case.h"

namespace berth::sweep {
namespace {

using testing::EndsWith;
using testing::StartsWith;

constexpr std::uint64_t kMostCalls = 1000;  // of one function in one run; more is no end

// All functions of the table that a fault rule can name.
const std::vector<std::string>& all_functions() {
  static const std::vector<std::string> kAll = {
      "create",        "destroy",       "count",       "describe",     "open",
      "close",         "properties",    "kind",        "heap",         "allocate",
      "free",          "to_device",     "to_host",     "copy_within",  "fill",
      "memory_info",   "host_allocate", "host_free",   "queue_create", "queue_destroy",
      "queue_fill",    "record",        "wait",        "can_wait",     "queue_to_device",
      "queue_to_host", "event_query",   "synchronize", "event_wait",   "queue_copy_within",
      "event_destroy", "allocate_on",   "free_on",     "can_access",   "queue_copy_between",
      "copy_between",  "map",           "unmap",       "work"};
  return kAll;
}

// How often a run calls each function at least: what the sweep must have hit. Two runs of each method; one planned
// buffer on each of the two devices. two_methods also has an unplanned device output, which is held over the second run
// (so that it takes another one) and read by the test.
std::map<std::string, std::uint64_t> least_calls(const SweepCase& sweep) {
  const bool outputs = sweep.program == "two_methods";
  std::map<std::string, std::uint64_t> calls = {{"create", 1},     {"destroy", 1}, {"count", 2}, {"describe", 2},
                                                {"open", 2},       {"close", 2},   {"kind", 2},  {"heap", 2},
                                                {"properties", 2}, {"fill", 2},    {"free", 2},  {"allocate", 2}};
  calls["to_device"] = outputs ? 20 : 8;
  calls["to_host"] = outputs ? 20 : 8;
  if (outputs) calls["allocate"] = calls["free"] = calls["fill"] = 4;
  if (!sweep.can_fill) {
    calls["to_device"] += calls["fill"];
    calls["fill"] = 0;
  }
  return calls;
}

class FaultSweepTest : public testing::TestWithParam<SweepCase> {
 protected:
  // The outputs of a run without faults.
  std::vector<std::byte> good_results() {
    Session session(GetParam().setup());
    for (const Step& step : session.steps()) {
      const Status status = step.run();
      EXPECT_TRUE(status.ok()) << step.name << ": " << status.message();
    }
    session.end_module();
    expect_nothing_left(session);
    session.end_registry();
    EXPECT_THAT(session.warnings(), testing::IsEmpty());
    return session.results();
  }

  // One life with the n-th call of `function` failing; whether there was such a call.
  bool run(const std::string& function, std::uint64_t n) {
    const std::string call = std::to_string(n);
    const std::string rule = function + "#" + call + "=DRIVER_FAILED(-36)";
    text_ = "fault schedule: '" + rule + "' at call " + call + ", " + function + " [native code -36]";
    SCOPED_TRACE(rule);
    const LeakCheckPause pause(function == "close" || function == "destroy");
    Session session(GetParam().setup(rule));
    bool hit = false;
    for (const Step& step : session.steps()) {
      SCOPED_TRACE(step.name);
      const Session::Usage before = session.usage();
      const Status status = step.run();
      if (status.ok()) continue;
      EXPECT_FALSE(hit) << "one fault, two failures: " << status.message();
      hit = true;
      check_status(status, function, step);
      if (step.name.starts_with("load")) {
        EXPECT_EQ(session.usage(), before);
      }
      // Every new instance of the mock has a schedule of its own, whose first create fails again.
      if (function == "create") {
        check_stays_failed(session, step, status);
        session.end_module();
        expect_nothing_left(session);
        return true;
      }
      try_again(session, step, status);
    }
    EXPECT_EQ(session.results(), good_);
    hit = check_end(session, function) || hit;
    return hit;
  }

  std::vector<std::byte> good_ = good_results();

 private:
  [[nodiscard]] std::string where() const { return program_path(GetParam().program) + ", method '"; }

  static bool opens(const std::string& function) {
    const auto all = {"create", "count", "describe", "open", "properties", "kind", "heap"};
    return std::find(all.begin(), all.end(), function) != all.end();
  }

  void check_status(const Status& status, const std::string& function, const Step& step) {
    EXPECT_EQ(status.code(), Code::kDriverFailed);
    EXPECT_EQ(status.origin(), Origin::kDevice);
    EXPECT_EQ(status.native_code(), -36);
    const std::string message = status.message();
    EXPECT_THAT(message, EndsWith("plugin cpu_mock, " + function + ": " + text_));
    const std::string method = step.name.substr(step.name.rfind(' ') + 1);
    // Reading an output is the test's own doing, after the run.
    const bool reads_output = function == "to_host" && message.starts_with("cuda:");
    EXPECT_THAT(message, StartsWith(reads_output ? "cuda:0 " : where() + method + "': "));
    const std::string planned = "': planned buffer [0-9]+ \\([0-9]+ bytes on cuda:[01]\\): ";
    if (opens(function)) {
      const std::string stage = function == "create" ? "instance" : "device";
      EXPECT_THAT(message, testing::ContainsRegex(planned + "/.*, device cuda:[01], stage " + stage + ": "));
    } else if (function == "allocate") {
      EXPECT_THAT(message, testing::ContainsRegex("': (planned buffer [0-9]+ \\(|output [0-9]+: )[0-9]+ bytes on "));
      EXPECT_THAT(message, testing::ContainsRegex(": cuda:[01] \\(plugin mock\\), allocation of [0-9]+ bytes: "));
    } else if (message.find(", fill of ") != std::string::npos) {  // also by copies, where the device cannot
      EXPECT_THAT(message, testing::ContainsRegex("': (planned buffer [0-9]+ \\(|output [0-9]+: )"));
      EXPECT_THAT(message, testing::ContainsRegex(": cuda:[01] \\(plugin mock\\), fill of [0-9]+ bytes: "));
    } else if (function == "free") {
      EXPECT_THAT(message, testing::ContainsRegex("': (planned buffer|output) [0-9]+: "));
      EXPECT_THAT(message, testing::ContainsRegex(": cuda:[01] \\(plugin mock\\), free of [0-9]+ bytes: "));
    } else {
      check_copy(message, function, reads_output);
    }
  }

  static void check_copy(const std::string& message, const std::string& function, bool reads_output) {
    const std::string direction = function == "to_device" ? "to the device" : "to the host";
    EXPECT_THAT(message, testing::ContainsRegex("cuda:[01] \\(plugin mock\\), copy of [0-9]+ bytes " + direction));
    if (reads_output) return;
    const std::string values = "from value [0-9]+ to value [0-9]+: |argument [0-9]+: |output [0-9]+: ";
    EXPECT_THAT(message, testing::ContainsRegex("instruction [0-9]+ \\(.* on values .*(" + values + ")"));
  }

  // The failure of opening a device is stored; retry() makes another attempt, which fails too.
  static void check_stays_failed(Session& session, const Step& step, const Status& status) {
    EXPECT_EQ(step.run().message(), status.message());
    for (const DeviceId& id : session.registry().ids()) EXPECT_EQ(session.registry().retry(id).ok(), id.is_host());
  }

  static void try_again(Session& session, const Step& step, const Status& status) {
    if (status.message().find(", stage ") != std::string::npos) {
      EXPECT_EQ(step.run().message(), status.message()) << "the failure of opening is stored";
      for (const DeviceId& id : session.registry().ids()) {
        const Status retried = session.registry().retry(id);
        EXPECT_TRUE(retried.ok()) << retried.message();
      }
    }
    const Status again = step.run();
    EXPECT_TRUE(again.ok()) << again.message();
  }

  // Nothing is left but a block whose free failed, which is listed. Whether the fault was met at the end or in silence.
  bool check_end(Session& session, const std::string& function) {
    session.end_module();
    EXPECT_EQ(session.usage(), Session::Usage());
    const auto leaks = session.registry().leaks();
    EXPECT_LE(leaks.size(), function == "free" ? 1U : 0U);
    for (const auto& report : leaks) {
      EXPECT_EQ(report.usage.size(), 1U);
      const OwnerUsage& usage = report.usage.front();
      EXPECT_TRUE(usage.stranded);
      EXPECT_EQ(usage.count, 1U);
      EXPECT_GT(usage.bytes, 0U);
      EXPECT_THAT(usage.owner, StartsWith(GetParam().program + ".pte/"));
    }
    session.end_registry();
    const std::vector<std::string> warnings = session.warnings();
    if (function == "close" || function == "destroy") {
      if (warnings.empty()) return false;
      EXPECT_EQ(warnings.front(), "plugin cpu_mock, " + function + ": " + text_);
      return true;
    }
    EXPECT_THAT(warnings, testing::IsEmpty());
    return !leaks.empty();
  }

  std::string text_;  // what the plugin says
};

TEST_P(FaultSweepTest, EachCallOfEachFunction) {
  const std::map<std::string, std::uint64_t> least = least_calls(GetParam());
  for (const std::string& function : all_functions()) {
    std::uint64_t hits = 0;
    while (hits < kMostCalls && run(function, hits + 1)) ++hits;
    EXPECT_LT(hits, kMostCalls) << function;
    const auto expected = least.find(function);
    EXPECT_GE(hits, expected == least.end() ? 0U : expected->second) << function << " was called less often";
    RecordProperty(function, static_cast<int>(hits));
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, FaultSweepTest, testing::ValuesIn(sweep_cases()), case_name);

}  // namespace
}  // namespace berth::sweep
