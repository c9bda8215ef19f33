#include "berth/program/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/test/program_builder.h"

namespace berth::program {
namespace {

using test::kCuda;
using test::MethodBuilder;
using test::ProgramBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ProgramTest, ReadsWhatTheBuilderWrote) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int host = forward.buffer(32);
  const int device = forward.buffer(16, kCuda, 1);
  const int x = forward.tensor({.sizes = {2, 2}, .memory_id = host, .offset = 16});
  const int y = forward.tensor({.sizes = {2, 2}, .memory_id = device, .device_type = kCuda, .device_index = 1});
  forward.inputs({x}).outputs({y}).call("et_copy::_h2d_copy.out", {x, y, y});

  const auto program = Program::from_bytes(builder.build(), "test.pte");
  ASSERT_TRUE(program.has_value()) << program.error().message();
  EXPECT_EQ((*program)->name(), "test.pte");
  EXPECT_FALSE((*program)->legacy());
  ASSERT_EQ((*program)->methods().size(), 1U);
  const MethodPlan& plan = (*program)->methods()[0];
  EXPECT_EQ(plan.name, "forward");
  EXPECT_THAT(plan.inputs, ElementsAre(x));
  EXPECT_THAT(plan.outputs, ElementsAre(y));
  ASSERT_EQ(plan.planned_buffers.size(), 2U);
  EXPECT_EQ(plan.planned_buffers[1].bytes, 16U);
  EXPECT_EQ(plan.planned_buffers[1].device, (ProgramDevice{1, 1}));
  ASSERT_EQ(plan.tensors.size(), 2U);
  EXPECT_EQ(plan.tensors[0].storage, Storage::kPlanned);
  EXPECT_EQ(plan.tensors[0].offset, 16U);
  EXPECT_EQ(plan.tensors[0].bytes, 16U);
  EXPECT_THAT(plan.tensors[0].sizes, ElementsAre(2, 2));
  EXPECT_THAT(plan.tensors[0].dim_order, ElementsAre(0, 1));
  EXPECT_EQ(plan.tensors[1].device, (ProgramDevice{1, 1}));
  ASSERT_EQ(plan.chains.size(), 1U);
  ASSERT_EQ(plan.chains[0].size(), 1U);
  EXPECT_THAT(plan.chains[0][0].args, ElementsAre(x, y, y));
  EXPECT_THAT(plan.delegates, IsEmpty());
}

}  // namespace
}  // namespace berth::program
