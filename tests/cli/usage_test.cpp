// Help, versions, and what the command says to wrong use. All exit with 2 where the user is wrong.
#include <gtest/gtest.h>

#include <cstdlib>

#include "berth/version.h"
#include "cli_fixture.h"

namespace berth::test {
namespace {

constexpr const char* kHint = "Run with --help for more information.\n";

void expect_wrong_use(const std::vector<std::string>& arguments, const std::string& message) {
  const Answer answer = run_berth(arguments);
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err, "berth: " + message);
}

TEST(UsageTest, EveryCommandHasHelpAndVersion) {
  for (const char* command : {"", "devices", "probe", "inspect", "run"}) {
    const auto with = [&](const char* option) {
      std::vector<std::string> arguments = {option};
      if (*command != '\0') arguments.insert(arguments.begin(), command);
      return run_berth(arguments);
    };
    const Answer help = with("--help");
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_NE(help.out.find("Exit codes: 0 good; 1 the work was done and the answer is no; 2 wrong use;"),
              std::string::npos)
        << help.out;
    const Answer version_answer = with("--version");
    EXPECT_EQ(version_answer.code, 0);
    EXPECT_EQ(version_answer.out, std::string("berth ") + version() + "\n");
  }
}

TEST(UsageTest, EveryCommandTakesConfigAndJson) {
  for (const char* command : {"devices", "probe", "inspect", "run"}) {
    const Answer help = run_berth({command, "--help"});
    EXPECT_NE(help.out.find("--config FILE"), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("--json"), std::string::npos) << help.out;
  }
}

TEST(UsageTest, RefusesMissingAndUnknownWords) {
  expect_wrong_use({}, std::string("A subcommand is required\n") + kHint);
  expect_wrong_use(
      {"sail"}, std::string("unknown command: expected one of devices, probe, inspect, run, found 'sail'\n") + kHint);
  expect_wrong_use({"run"}, std::string("FILE is required\n") + kHint);
  expect_wrong_use({"run", "a.pte", "b.pte"}, std::string("The following argument was not expected: b.pte\n") + kHint);
  expect_wrong_use({"devices", "--sail"}, std::string("The following argument was not expected: --sail\n") + kHint);
}

TEST(UsageTest, RefusesImpossibleNumbers) {
  expect_wrong_use({"run", "a.pte", "--repeat", "0"},
                   std::string("--repeat: Value 0 not in range 1 to 1000000000\n") + kHint);
  expect_wrong_use({"run", "a.pte", "--rtol", "-1"},
                   std::string("--rtol: expected a number that is not negative, found '-1'\n") + kHint);
  expect_wrong_use({"run", "a.pte", "--atol", "x"},
                   std::string("--atol: expected a number that is not negative, found 'x'\n") + kHint);
}

TEST(UsageTest, RefusesAnUnknownLogLevel) {
  setenv("BERTH_LOG", "loud", 1);
  expect_wrong_use({"devices"},
                   "environment variable BERTH_LOG: unknown level: expected trace, debug, info, warning, error or off, "
                   "found 'loud'\n");
  unsetenv("BERTH_LOG");
}

TEST(UsageTest, LogsWhatIsAsked) {
  const TempDir folder;
  const std::string config =
      folder.write("mock.toml",
                   "version = 1\n[[device]]\nid = \"cuda:0\"\nplugin = \"absent\"\nfallback = \"mock:0\"\n"
                   "[[device]]\nid = \"mock:0\"\nplugin = \"cpu_mock\"\n");
  EXPECT_EQ(run_berth({"devices", "--config", config}).err, "");
  setenv("BERTH_LOG", "warning", 1);
  const Answer answer = run_berth({"devices", "--config", config});
  EXPECT_NE(answer.err.find("warning: cuda:0 is served by its fallback mock:0: "), std::string::npos) << answer.err;
  unsetenv("BERTH_LOG");
}

}  // namespace
}  // namespace berth::test
