#include "exit_code.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth::cli {
namespace {

struct Case {
  Code code;
  Origin origin;
  int exit_code;
};

TEST(ExitCodeTest, IsZeroForSuccess) { EXPECT_EQ(exit_code(Status()), 0); }

TEST(ExitCodeTest, FollowsFromOriginAndCode) {
  const std::vector<Case> cases = {
      {Code::kInvalidArgument, Origin::kUsage, 2},
      {Code::kIoError, Origin::kUsage, 2},
      {Code::kInvalidProgram, Origin::kInput, 3},
      {Code::kInvalidData, Origin::kInput, 3},
      {Code::kMissingOperator, Origin::kInput, 3},
      {Code::kMissingDelegate, Origin::kInput, 3},
      {Code::kNotFound, Origin::kInput, 3},
      {Code::kNoPermission, Origin::kInput, 3},
      {Code::kInvalidConfig, Origin::kRegistry, 3},
      {Code::kNotFound, Origin::kRegistry, 3},
      {Code::kIoError, Origin::kRegistry, 3},
      {Code::kNotFound, Origin::kDevice, 4},
      {Code::kNoDevice, Origin::kDevice, 4},
      {Code::kDependencyMissing, Origin::kDevice, 4},
      {Code::kDeviceLost, Origin::kDevice, 4},
      {Code::kDriverFailed, Origin::kDevice, 4},
      {Code::kPluginFault, Origin::kDevice, 4},
      {Code::kUnsupported, Origin::kDevice, 4},
      {Code::kOutOfDeviceMemory, Origin::kDevice, 4},
      {Code::kLimitExceeded, Origin::kDevice, 4},
      // Full is full, whoever noticed it.
      {Code::kOutOfHostMemory, Origin::kInput, 4},
      {Code::kOutOfHostMemory, Origin::kUsage, 4},
      {Code::kLimitExceeded, Origin::kRegistry, 4},
      {Code::kOutOfHostMemory, Origin::kInternal, 4},
      {Code::kInternal, Origin::kInternal, 70},
      {Code::kInternal, Origin::kDevice, 70},
      {Code::kDeviceLost, Origin::kInternal, 70},
  };
  for (const Case& item : cases) {
    const Status status({.code = item.code, .origin = item.origin, .what = "x"});
    EXPECT_EQ(exit_code(status), item.exit_code) << code_name(item.code) << ", " << origin_name(item.origin);
  }
}

}  // namespace
}  // namespace berth::cli
