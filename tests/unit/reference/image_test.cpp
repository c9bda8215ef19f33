// aten::convolution.out and max_pool2d_with_indices.out.
#include <gmock/gmock.h>

#include <cmath>

#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;
using testing::IsNan;

class ConvolutionTest : public KernelTest {
 protected:
  // stride, padding, dilation, groups
  static std::vector<Value> arguments(Value input, Value weight, Value bias, Value stride, Value padding,
                                      Value dilation, std::int64_t groups = 1, bool transposed = false) {
    return {std::move(input),    std::move(weight),   std::move(bias), std::move(stride), std::move(padding),
            std::move(dilation), boolean(transposed), ints({0, 0}),    integer(groups)};
  }

  Value image_ = tensor<float>({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  Value ones_ = tensor<float>({1, 1, 2, 2}, {1, 1, 1, 1});
};

TEST_F(ConvolutionTest, SlidesAWindow) {
  Value out = floats_out({1, 1, 2, 2});
  ASSERT_TRUE(run("aten::convolution.out",
                  arguments(image_, ones_, tensor<float>({1}, {100}), ints({1, 1}), ints({0, 0}), ints({1, 1})), out)
                  .ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(112, 116, 124, 128));
}

TEST_F(ConvolutionTest, PadsAndStrides) {
  Value out = floats_out({1, 1, 2, 2});
  ASSERT_TRUE(
      run("aten::convolution.out", arguments(image_, ones_, none(), ints({2}), ints({1}), ints({1})), out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(1, 5, 11, 28));
}

TEST_F(ConvolutionTest, Dilates) {
  Value out = floats_out({1, 1, 1, 1});
  ASSERT_TRUE(
      run("aten::convolution.out", arguments(image_, ones_, none(), ints({1}), ints({0}), ints({2})), out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(1 + 3 + 7 + 9));
}

TEST_F(ConvolutionTest, GroupsSeeTheirOwnChannels) {
  const Value input = tensor<float>({1, 2, 1, 1}, {3, 5});
  const Value weight = tensor<float>({4, 1, 1, 1}, {1, 10, 1, 10});
  Value out = floats_out({1, 4, 1, 1});
  ASSERT_TRUE(
      run("aten::convolution.out", arguments(input, weight, none(), ints({1}), ints({0}), ints({1}), 2), out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(3, 30, 5, 50));
}

TEST_F(ConvolutionTest, TakesOneSpatialDimension) {
  Value out = floats_out({1, 1, 3});
  const Value line = tensor<float>({1, 1, 4}, {1, 2, 3, 4});
  const Value weight = tensor<float>({1, 1, 2}, {1, 10});
  ASSERT_TRUE(run("aten::convolution.out", arguments(line, weight, none(), ints({1}), ints({0}), ints({1})), out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(21, 32, 43));
}

TEST_F(ConvolutionTest, TakesChannelsLast) {
  const Value input = tensor<float>({1, 2, 1, 2}, {1, 2, 3, 4});
  const Value weight = tensor<float>({1, 2, 1, 1}, {1, 10});
  Value out = zeros(ScalarType::kFloat, {1, 1, 1, 2}, Dynamism::kStatic, {0, 2, 3, 1});
  ASSERT_TRUE(run("aten::convolution.out",
                  arguments(reordered(input, {0, 2, 3, 1}), reordered(weight, {0, 2, 3, 1}), none(), ints({1}),
                            ints({0}), ints({1})),
                  out)
                  .ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(31, 42));
}

TEST_F(ConvolutionTest, AnEmptyBatchGivesNothing) {
  Value out = floats_out({0, 1, 2, 2});
  EXPECT_TRUE(run("aten::convolution.out",
                  arguments(zeros(ScalarType::kFloat, {0, 1, 3, 3}), ones_, none(), ints({1}), ints({0}), ints({1})),
                  out)
                  .ok());
}

TEST_F(ConvolutionTest, RefusesWhatDoesNotFit) {
  Value out = floats_out({1, 1, 2, 2});
  const auto refused = [&](const std::vector<Value>& all) { return message("aten::convolution.out", all, out); };
  const Value one = ints({1});
  const Value zero = ints({0});
  EXPECT_EQ(refused(arguments(image_, ones_, none(), one, zero, one, 1, true)),
            "argument 6 of aten::convolution.out: expected false (transposed convolutions have no kernel), found bool "
            "true");
  EXPECT_EQ(refused(arguments(image_, ones_, none(), zero, zero, one)),
            "argument 3 of aten::convolution.out: expected ints from 1 to 2147483647, found 0");
  EXPECT_EQ(refused(arguments(image_, ones_, none(), one, ints({0, 0, 0}), one)),
            "argument 4 of aten::convolution.out: expected 1 or 2 ints, found [0, 0, 0]");
  EXPECT_EQ(refused(arguments(image_, ones_, none(), one, zero, ints({3}))),
            "argument 0 of aten::convolution.out: expected an image of at least 4 with its padding, found 3 in "
            "float32[1, 1, 3, 3] on the host");
  EXPECT_EQ(refused(arguments(image_, ones_, none(), one, zero, one, 2)),
            "argument 8 of aten::convolution.out: expected a number of groups that divides 1 input and 1 output "
            "channels, found int 2");
  EXPECT_EQ(refused(arguments(image_, zeros(ScalarType::kFloat, {1, 2, 2, 2}), none(), one, zero, one)),
            "argument 1 of aten::convolution.out: expected filters with 1 channels, found float32[1, 2, 2, 2] on the "
            "host");
  EXPECT_EQ(refused(arguments(image_, ones_, tensor<float>({2}, {1, 2}), one, zero, one)),
            "argument 2 of aten::convolution.out: expected a tensor of sizes [1], found float32[2] on the host");
  EXPECT_EQ(
      refused(arguments(tensor<float>({1}, {1}), ones_, none(), one, zero, one)),
      "argument 0 of aten::convolution.out: expected a tensor of 3 or 4 dimensions, found float32[1] on the host");
}

class MaxPoolTest : public KernelTest {
 protected:
  Status pool(const Value& input, const Value& kernel, const Value& stride, const Value& padding, const Value& dilation,
              bool round_up, Value& out, Value& indices) {
    std::vector<Value> values = {input, kernel, stride, padding, dilation, boolean(round_up)};
    std::vector<Value*> arguments = pointers_to(values);
    const std::vector<Value*> items = {&out, &indices};
    Value list = Value::borrow_items(module::ValueType::kTensorList, items);
    arguments.insert(arguments.end(), {&out, &indices, &list});
    return call("aten::max_pool2d_with_indices.out", arguments);
  }

  Value image_ = tensor<float>({1, 1, 3, 3}, {1, 2, 3, 4, 9, 6, 7, 8, 5});
};

TEST_F(MaxPoolTest, GivesTheLargestAndItsPlace) {
  Value out = floats_out({1, 1, 2, 2});
  Value indices = zeros(ScalarType::kLong, {1, 1, 2, 2});
  ASSERT_TRUE(pool(image_, ints({2, 2}), ints({1, 1}), ints({0, 0}), ints({1, 1}), false, out, indices).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(9, 9, 9, 9));
  EXPECT_THAT(elements<std::int64_t>(indices), ElementsAre(4, 4, 4, 4));
}

TEST_F(MaxPoolTest, AnEmptyStrideIsTheKernels) {
  Value out = floats_out({1, 1, 1, 1});
  Value indices = zeros(ScalarType::kLong, {1, 1, 1, 1});
  ASSERT_TRUE(pool(image_, ints({2}), ints({}), ints({0}), ints({1}), false, out, indices).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(9));
}

TEST_F(MaxPoolTest, RoundsUpAndPads) {
  Value out = floats_out({1, 1, 2, 2});
  Value indices = zeros(ScalarType::kLong, {1, 1, 2, 2});
  ASSERT_TRUE(pool(image_, ints({2}), ints({2}), ints({0}), ints({1}), true, out, indices).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(9, 6, 8, 5));
  ASSERT_TRUE(pool(image_, ints({2}), ints({2}), ints({1}), ints({1}), false, out, indices).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(1, 3, 7, 9));
  EXPECT_THAT(elements<std::int64_t>(indices), ElementsAre(0, 2, 6, 4));
}

TEST_F(MaxPoolTest, NanIsTheLargest) {
  const Value line = tensor<float>({1, 1, 3}, {5, std::nanf(""), 7});
  Value out = floats_out({1, 1, 1});
  Value indices = zeros(ScalarType::kLong, {1, 1, 1});
  ASSERT_TRUE(pool(line, ints({1, 3}), ints({}), ints({0}), ints({1}), false, out, indices).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(IsNan()));
  EXPECT_THAT(elements<std::int64_t>(indices), ElementsAre(1));
}

TEST_F(MaxPoolTest, RefusesWhatDoesNotFit) {
  Value out = floats_out({1, 1, 1, 1});
  Value indices = zeros(ScalarType::kLong, {1, 1, 1, 1});
  EXPECT_EQ(pool(image_, ints({2}), ints({}), ints({2}), ints({1}), false, out, indices).message(),
            "argument 3 of aten::max_pool2d_with_indices.out: expected at most half the window, 1, found 2");
  EXPECT_EQ(pool(image_, ints({4}), ints({}), ints({0}), ints({1}), false, out, indices).message(),
            "argument 0 of aten::max_pool2d_with_indices.out: expected an image of at least 4 with its padding, found "
            "3 in float32[1, 1, 3, 3] on the host");
  EXPECT_EQ(pool(image_, ints({3}), ints({}), ints({0}), ints({1}), false, out, out).message(),
            "argument 7 of aten::max_pool2d_with_indices.out: expected a tensor of int64, found float32[1, 1, 1, 1] on "
            "the host");
}

TEST_F(MaxPoolTest, RefusesAWindowThatStepsOverTheImage) {
  const Value small = tensor<float>({1, 2, 2}, {1, 2, 3, 4});
  Value out = floats_out({1, 1, 1});
  Value indices = zeros(ScalarType::kLong, {1, 1, 1});
  EXPECT_EQ(pool(small, ints({2}), ints({}), ints({1}), ints({3}), false, out, indices).message(),
            "argument 4 of aten::max_pool2d_with_indices.out: expected a dilation with which every window meets the "
            "image, found 3");
}

}  // namespace
}  // namespace berth::reference
