#include "berth/core/log.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace berth {
namespace {

TEST(LogTest, FunctionSinkPassesEveryMessageOn) {
  std::vector<std::pair<LogLevel, std::string>> seen;
  const auto sink = make_function_sink([&](LogLevel level, std::string_view text) { seen.emplace_back(level, text); });
  sink->log(LogLevel::kWarning, "careful");
  sink->log(LogLevel::kTrace, "{not a format}");
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0], std::pair(LogLevel::kWarning, std::string("careful")));
  EXPECT_EQ(seen[1], std::pair(LogLevel::kTrace, std::string("{not a format}")));
}

TEST(LogTest, FunctionSinkSurvivesAFunctionThatThrowsOrIsEmpty) {
  make_function_sink([](LogLevel, std::string_view) { throw std::runtime_error("no"); })->log(LogLevel::kError, "x");
  make_function_sink(nullptr)->log(LogLevel::kError, "x");
}

TEST(LogTest, StderrSinkWritesFromItsLevelUp) {
  testing::internal::CaptureStderr();
  const auto sink = make_stderr_sink(LogLevel::kWarning);
  sink->log(LogLevel::kInfo, "quiet");
  sink->log(LogLevel::kWarning, "loud {}");
  sink->log(LogLevel::kOff, "nothing");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[berth] [warning] loud {}\n");
}

TEST(LogTest, StderrSinkWritesNothingWhenOff) {
  testing::internal::CaptureStderr();
  make_stderr_sink(LogLevel::kOff)->log(LogLevel::kError, "x");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(LogTest, ParsesLevelNames) {
  LogLevel level = LogLevel::kOff;
  EXPECT_TRUE(parse_log_level("trace", level));
  EXPECT_EQ(level, LogLevel::kTrace);
  EXPECT_TRUE(parse_log_level("debug", level));
  EXPECT_EQ(level, LogLevel::kDebug);
  EXPECT_TRUE(parse_log_level("info", level));
  EXPECT_EQ(level, LogLevel::kInfo);
  EXPECT_TRUE(parse_log_level("warning", level));
  EXPECT_EQ(level, LogLevel::kWarning);
  EXPECT_TRUE(parse_log_level("error", level));
  EXPECT_EQ(level, LogLevel::kError);
  EXPECT_TRUE(parse_log_level("off", level));
  EXPECT_EQ(level, LogLevel::kOff);
  EXPECT_FALSE(parse_log_level("Warning", level));
  EXPECT_FALSE(parse_log_level("", level));
}

}  // namespace
}  // namespace berth
