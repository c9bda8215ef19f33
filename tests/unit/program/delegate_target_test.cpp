#include "berth/program/delegate_target.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace berth::program {
namespace {

std::string target_of(std::string_view text) {
  const std::array<CompileSpec, 3> specs = {
      CompileSpec{"max_value", std::as_bytes(std::span(text).first(0))},
      CompileSpec{"target_device", std::as_bytes(std::span(text))},
      CompileSpec{"target_device", std::as_bytes(std::span(std::string_view("cuda:9")))}};
  const DelegatePlan delegate{.id = "Demo", .blob = {}, .compile_specs = specs};
  const auto target = delegate_target(delegate);
  if (!target) return target.error().message();
  return target->has_value() ? (*target)->to_string() : "none";
}

TEST(DelegateTargetTest, ReadsTypeAndIndexInAnyCase) {
  EXPECT_EQ(target_of("cuda:0"), "cuda:0");
  EXPECT_EQ(target_of("cuda"), "cuda:0");
  EXPECT_EQ(target_of("  CUDA : 1\n"), "cuda:1");
  EXPECT_EQ(target_of("Npu_2:127"), "npu_2:127");
  EXPECT_EQ(target_of("cpu:0"), "cpu:0");
}

TEST(DelegateTargetTest, RefusesWhatIsNoDevice) {
  for (const std::string text : {"", ":", ":1", "cuda:", "cuda:-1", "cuda:128", "cuda:99999999999", "cuda:1x",
                                 "cuda:1:2", "2cuda", "cu da", "cpu:1", "a_name_of_more_than_31_characters"}) {
    EXPECT_EQ(target_of(text),
              "delegate 'Demo': compile spec target_device names no device: expected a device such as cuda:0, with an "
              "index from 0 to 127 (cpu: 0), found '" +
                  text + "'; export the program again with a device that exists");
  }
}

TEST(DelegateTargetTest, IsNoneWithoutTheSpec) {
  const DelegatePlan delegate{.id = "Demo", .blob = {}, .compile_specs = {}};
  const auto target = delegate_target(delegate);
  ASSERT_TRUE(target.has_value());
  EXPECT_FALSE(target->has_value());
}

TEST(DelegateTargetTest, FindsTheFirstArgumentElsewhere) {
  std::array<TensorPlan, 2> tensors;
  tensors[1].device = {1, 0};
  std::array<ValuePlan, 4> values;
  values[0].type = ValueType::kTensor;
  values[1].type = ValueType::kTensor;
  values[1].integer = 1;
  values[2].type = ValueType::kInt;
  values[2].integer = 7;
  const std::array<std::int32_t, 2> items = {-1, 1};
  values[3].type = ValueType::kOptionalTensorList;
  values[3].tensor_items = items;
  MethodPlan method;
  method.values = values;
  method.tensors = tensors;
  const std::array<std::int32_t, 4> args = {2, 0, 1, 3};
  const std::array<std::int32_t, 3> on_device = {2, 1, 3};
  EXPECT_EQ(argument_elsewhere(method, {.args = args}, {0, 0}), 1);
  EXPECT_EQ(argument_elsewhere(method, {.args = args}, {1, 0}), 0);
  EXPECT_EQ(argument_elsewhere(method, {.args = on_device}, {1, 0}), std::nullopt);
  EXPECT_EQ(argument_elsewhere(method, {.args = on_device}, {1, 1}), 1);
}

}  // namespace
}  // namespace berth::program
