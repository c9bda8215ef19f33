#include "berth/core/status.h"

#include <gtest/gtest.h>

#include <set>

#include "berth/core/result.h"

namespace berth {
namespace {

ErrorInfo full_info() {
  return {.code = Code::kOutOfDeviceMemory,
          .origin = Origin::kDevice,
          .where = "cuda:0",
          .what = "no memory",
          .expected = "at most 48 bytes",
          .found = "64 bytes",
          .next_step = "free some",
          .rule = "ALLOC-04",
          .native_code = -2};
}

TEST(StatusTest, IsOnePointerAndSuccessByDefault) {
  static_assert(sizeof(Status) == sizeof(void*));
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_TRUE(static_cast<bool>(status));
  EXPECT_EQ(status.code(), Code::kOk);
  EXPECT_EQ(status.origin(), Origin::kInternal);
  EXPECT_EQ(status.native_code(), 0);
  EXPECT_EQ(status.info().what, "");
  EXPECT_EQ(status.message(), "OK");
}

TEST(StatusTest, WritesEveryPartInOneLine) {
  EXPECT_EQ(Status(full_info()).message(),
            "cuda:0: no memory: expected at most 48 bytes, found 64 bytes; free some [ALLOC-04] [native code -2]");
}

TEST(StatusTest, LeavesOutPartsThatAreEmpty) {
  EXPECT_EQ(Status({.code = Code::kIoError, .what = "gone"}).message(), "gone");
  EXPECT_EQ(Status({.code = Code::kIoError, .where = "a.pte", .what = "gone"}).message(), "a.pte: gone");
  EXPECT_EQ(Status({.code = Code::kIoError, .what = "gone", .expected = "a file"}).message(), "gone: expected a file");
  EXPECT_EQ(Status({.code = Code::kIoError, .what = "gone", .found = "a folder"}).message(), "gone: found a folder");
  EXPECT_EQ(Status({.code = Code::kIoError, .what = "gone", .next_step = "look"}).message(), "gone; look");
  EXPECT_EQ(Status({.code = Code::kIoError, .where = "a.pte", .found = "a folder"}).message(), "a.pte: found a folder");
  EXPECT_EQ(Status({.code = Code::kIoError}).message(), "IO_ERROR");
}

TEST(StatusTest, TurnsAFailureWithCodeOkIntoInternal) {
  const Status status({.code = Code::kOk, .what = "odd"});
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::kInternal);
}

TEST(StatusTest, PutsWhereInFrontAndKeepsTheRest) {
  const Status outer = Status(full_info()).at("method 'forward'");
  EXPECT_EQ(outer.info().where, "method 'forward': cuda:0");
  EXPECT_EQ(outer.code(), Code::kOutOfDeviceMemory);
  EXPECT_EQ(outer.native_code(), -2);
  EXPECT_EQ(outer.info().rule, "ALLOC-04");
  EXPECT_EQ(Status({.code = Code::kIoError, .what = "gone"}).at("a.pte").message(), "a.pte: gone");
  EXPECT_TRUE(Status().at("anywhere").ok());
}

TEST(StatusTest, CopiesShareAndMovesTake) {
  Status first(full_info());
  Status copy = first;
  EXPECT_EQ(&copy.info(), &first.info());
  const Status moved = std::move(first);
  EXPECT_EQ(&moved.info(), &copy.info());
  EXPECT_TRUE(first.ok());  // NOLINT(bugprone-use-after-move): a moved-from Status is success
  Status& alias = copy;
  copy = alias;
  EXPECT_EQ(copy.code(), Code::kOutOfDeviceMemory);
  copy = std::move(alias);
  EXPECT_EQ(copy.code(), Code::kOutOfDeviceMemory);
  copy = Status();
  EXPECT_TRUE(copy.ok());
}

TEST(StatusTest, NamesEveryCodeAndOriginDifferently) {
  std::set<std::string> names;
  for (int code = 0; code <= static_cast<int>(Code::kInternal); ++code)
    names.insert(code_name(static_cast<Code>(code)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Code::kInternal) + 1);
  EXPECT_EQ(names.count("UNKNOWN"), 0u);
  EXPECT_STREQ(code_name(static_cast<Code>(999)), "UNKNOWN");
  EXPECT_STREQ(code_name(Code::kOk), "OK");
  EXPECT_STREQ(code_name(Code::kOutOfDeviceMemory), "OUT_OF_DEVICE_MEMORY");
  EXPECT_STREQ(code_name(Code::kNotFound), "NOT_FOUND");
  EXPECT_STREQ(code_name(Code::kPluginFault), "PLUGIN_FAULT");
  EXPECT_STREQ(code_name(Code::kMissingDelegate), "MISSING_DELEGATE");
  EXPECT_STREQ(code_name(Code::kInternal), "INTERNAL");
  EXPECT_STREQ(origin_name(Origin::kUsage), "usage");
  EXPECT_STREQ(origin_name(Origin::kInput), "input");
  EXPECT_STREQ(origin_name(Origin::kRegistry), "registry");
  EXPECT_STREQ(origin_name(Origin::kDevice), "device");
  EXPECT_STREQ(origin_name(Origin::kInternal), "internal");
  EXPECT_STREQ(origin_name(static_cast<Origin>(99)), "unknown");
}

Result<int> half_of(int value) {
  if (value % 2 != 0) return fail({.code = Code::kInvalidArgument, .what = "odd"});
  return value / 2;
}

Result<int> quarter_of(int value) {
  BERTH_ASSIGN(const int half, half_of(value));
  return half_of(half);
}

Status check_quarter(int value) {
  BERTH_ASSIGN_OR_STATUS(const int quarter, quarter_of(value));
  return quarter > 0 ? Status() : Status({.code = Code::kInternal, .what = "nothing left"});
}

TEST(ResultTest, CarriesAValueOrTheFailure) {
  EXPECT_EQ(quarter_of(8).value(), 2);
  EXPECT_TRUE(quarter_of(8).status().ok());
  EXPECT_EQ(quarter_of(6).status().message(), "odd");
  EXPECT_TRUE(check_quarter(4).ok());
  EXPECT_EQ(check_quarter(0).message(), "nothing left");
  EXPECT_EQ(check_quarter(3).message(), "odd");
}

}  // namespace
}  // namespace berth
