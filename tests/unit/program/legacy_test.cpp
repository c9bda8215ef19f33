// Programs that were exported with device planning off.
#include <gtest/gtest.h>

#include "berth/program/program.h"
#include "device_program.h"

namespace berth::program {
namespace {

using test::kCuda;
using test::MethodBuilder;
using test::ProgramBuilder;

// One delegate and one host kernel, everything planned on the host, the delegate's tensors tagged for cuda:0.
struct LegacyProgram {
  LegacyProgram() : forward(builder.method("forward")) {
    const int host = forward.buffer(64);
    x = forward.tensor({.sizes = {4}, .memory_id = host, .device_type = kCuda});
    y = forward.tensor({.sizes = {4}, .memory_id = host, .offset = 16, .device_type = kCuda});
    z = forward.tensor({.sizes = {4}, .memory_id = host, .offset = 32});
    forward.delegate("Demo", "", {{"target_device", "cuda:0"}});
    forward.inputs({x}).outputs({z});
    forward.delegate_call(0, {x, y}).call("aten::relu.out", {y, z, z});
  }
  ProgramBuilder builder;
  MethodBuilder& forward;
  int x = 0;
  int y = 0;
  int z = 0;
};

TEST(LegacyTest, ReplacesTagsByTheHostAndCountsThem) {
  const LegacyProgram legacy;
  const auto program = Program::from_bytes(legacy.builder.build(), "test.pte");
  ASSERT_TRUE(program.has_value()) << program.error().message();
  EXPECT_TRUE((*program)->legacy());
  EXPECT_EQ((*program)->unplaced_tags(), 2U);
  for (const TensorPlan& tensor : (*program)->methods()[0].tensors) EXPECT_TRUE(tensor.device.is_host());
}

TEST(LegacyTest, CountsTagsWithoutStorageToo) {
  LegacyProgram legacy;
  legacy.forward.tensor({.sizes = {4}, .device_type = kCuda});
  const auto program = Program::from_bytes(legacy.builder.build(), "test.pte");
  ASSERT_TRUE(program.has_value()) << program.error().message();
  EXPECT_TRUE((*program)->legacy());
  EXPECT_EQ((*program)->unplaced_tags(), 3U);
}

TEST(LegacyTest, IsNoneWhenAnyMethodHasADeviceBuffer) {
  LegacyProgram legacy;
  legacy.builder.method("other").buffer(16, kCuda);
  EXPECT_EQ(open_message(legacy.builder),
            "test.pte, method 'forward', value 0: the tensor is tagged for another device than its planned buffer 1: "
            "expected a tensor on the buffer's device, cpu:0, found cuda:0; export the program again");
}

TEST(LegacyTest, IsNoneWhenThereIsACopyOperator) {
  LegacyProgram legacy;
  MethodBuilder& other = legacy.builder.method("other");
  const int from = other.tensor({.sizes = {4}});
  const int to = other.tensor({.sizes = {4}, .device_type = kCuda});
  other.call("et_copy::_h2d_copy.out", {from, to, to});
  EXPECT_EQ(open_message(legacy.builder),
            "test.pte, method 'forward', value 0: the tensor is tagged for another device than its planned buffer 1: "
            "expected a tensor on the buffer's device, cpu:0, found cuda:0; export the program again");
}

TEST(LegacyTest, IsNoneWhenOnlyTensorsWithoutStorageAreTagged) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int x = forward.tensor({.sizes = {4}, .device_type = kCuda});
  const int y = forward.tensor({.sizes = {4}, .device_type = kCuda});
  forward.delegate("Demo", "", {{"target_device", "cuda:0"}});
  forward.inputs({x}).outputs({y}).delegate_call(0, {x, y});
  const auto program = Program::from_bytes(builder.build(), "test.pte");
  ASSERT_TRUE(program.has_value()) << program.error().message();
  EXPECT_FALSE((*program)->legacy());
  EXPECT_EQ((*program)->unplaced_tags(), 0U);
  EXPECT_EQ((*program)->methods()[0].tensors[0].device, (ProgramDevice{1, 0}));
}

}  // namespace
}  // namespace berth::program
