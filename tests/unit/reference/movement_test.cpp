// Operators that move elements: copies, conversions, permute, view, expand, slice, cat, embedding.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;

class MovementTest : public KernelTest {
 protected:
  Value matrix_ = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
};

TEST_F(MovementTest, CopyBroadcastsAndConvertsIntoItsFirstArgument) {
  Value self = floats_out({2, 2});
  Value source = tensor<std::int64_t>({2}, {7, 8});
  Value blocking = boolean(false);
  ASSERT_TRUE(call("aten::copy_", {&self, &source, &blocking, &self}).ok());
  EXPECT_THAT(elements<float>(self), ElementsAre(7, 8, 7, 8));
  EXPECT_EQ(call("aten::copy_", {&source, &self, &blocking, &source}).message(),
            "argument 1 of aten::copy_: expected sizes that broadcast to [2], found float32[2, 2] on the host");
  EXPECT_EQ(call("aten::copy_", {&self, &source, &blocking, &source}).message(),
            "argument 3 of aten::copy_: expected the same tensor as argument 0, found int64[2] on the host");
}

TEST_F(MovementTest, CloneKeepsTheTypeAndTakesOutsOrder) {
  Value out = zeros(ScalarType::kFloat, {2, 3}, Dynamism::kStatic, {1, 0});
  ASSERT_TRUE(run("aten::clone.out", {matrix_, none()}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 3, 4, 5, 6));
  Value half = zeros(ScalarType::kHalf, {2});
  EXPECT_TRUE(run("aten::clone.out", {zeros(ScalarType::kHalf, {2}), none()}, half).ok());
  EXPECT_EQ(message("aten::clone.out", {matrix_, none()}, half),
            "argument 2 of aten::clone.out: expected a tensor of float32, found float16[2] on the host");
}

TEST_F(MovementTest, ToDimOrderCopyConvertsToOutsType) {
  Value out = zeros(ScalarType::kInt, {4});
  const float infinity = std::numeric_limits<float>::infinity();
  const Value in = tensor<float>({4}, {-1.9F, 2.9F, std::nanf(""), infinity});
  ASSERT_TRUE(run("dim_order_ops::_to_dim_order_copy.out", {in, boolean(false), ints({0})}, out).ok());
  EXPECT_THAT(elements<std::int32_t>(out), ElementsAre(-1, 2, 0, std::numeric_limits<std::int32_t>::max()));
  Value scalar = floats_out({});
  ASSERT_TRUE(
      run("dim_order_ops::_to_dim_order_copy.out", {tensor<std::int64_t>({}, {2}), boolean(false), ints({})}, scalar)
          .ok());
  EXPECT_THAT(elements<float>(scalar), ElementsAre(2));
  Value truth = zeros(ScalarType::kBool, {2});
  ASSERT_TRUE(
      run("dim_order_ops::_to_dim_order_copy.out", {tensor<double>({2}, {0, 0.5}), boolean(false), none()}, truth)
          .ok());
  EXPECT_THAT(elements<bool>(truth), ElementsAre(false, true));
}

TEST_F(MovementTest, DimOrderOperatorsRefuseAnotherOrderThanOuts) {
  Value out = floats_out({2, 3});
  EXPECT_EQ(
      message("dim_order_ops::_clone_dim_order.out", {matrix_, boolean(false), ints({1, 0})}, out),
      "argument 2 of dim_order_ops::_clone_dim_order.out: expected the dim order of the out, float32[2, 3] on the "
      "host, found [1, 0]");
  Value half = zeros(ScalarType::kHalf, {2, 3});
  EXPECT_EQ(message("dim_order_ops::_to_dim_order_copy.out", {matrix_, boolean(false), none()}, half),
            "argument 3 of dim_order_ops::_to_dim_order_copy.out: expected a type that float32[2, 3] on the host "
            "converts to, found float16[2, 3] on the host");
  ASSERT_TRUE(run("dim_order_ops::_clone_dim_order.out", {matrix_, boolean(false), ints({0, 1})}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(MovementTest, PermuteMovesDimensions) {
  Value out = floats_out({3, 2});
  ASSERT_TRUE(run("aten::permute_copy.out", {matrix_, ints({1, -2})}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(1, 4, 2, 5, 3, 6));
  Value scalar = floats_out({});
  EXPECT_TRUE(run("aten::permute_copy.out", {tensor<float>({}, {1}), ints({})}, scalar).ok());
  EXPECT_EQ(message("aten::permute_copy.out", {matrix_, ints({0, 0})}, out),
            "argument 1 of aten::permute_copy.out: expected each of the 2 dimensions once, found [0, 0]");
  EXPECT_EQ(message("aten::permute_copy.out", {matrix_, ints({0})}, out),
            "argument 1 of aten::permute_copy.out: expected each of the 2 dimensions once, found [0]");
}

TEST_F(MovementTest, MovesElementsOfEverySize) {
  for (const ScalarType type : {ScalarType::kByte, ScalarType::kHalf, ScalarType::kInt, ScalarType::kDouble}) {
    Value in = zeros(type, {2, 2});
    const auto bytes = in.to_tensor()->mutable_bytes();
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
    Value once = zeros(type, {2, 2});
    ASSERT_TRUE(run("aten::permute_copy.out", {in, ints({1, 0})}, once).ok());
    EXPECT_EQ(once.to_tensor()->bytes()[once.to_tensor()->element_size()], bytes[bytes.size() / 2]);
  }
}

TEST_F(MovementTest, ViewInfersOneSize) {
  Value out = floats_out({3, 2});
  ASSERT_TRUE(run("aten::view_copy.out", {matrix_, ints({3, -1})}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 3, 4, 5, 6));
  for (const Value& wrong : {ints({4, 2}), ints({4, -1}), ints({-1, -1}), ints({-2, -3}), ints({0, -1})}) {
    EXPECT_THAT(message("aten::view_copy.out", {matrix_, wrong}, out),
                testing::StartsWith("argument 1 of aten::view_copy.out: expected sizes of 6 elements, found ["));
  }
  EXPECT_EQ(message("aten::view_copy.out", {reordered(matrix_, {1, 0}), ints({3, 2})}, out),
            "argument 0 of aten::view_copy.out: expected a tensor in the default dim order, found float32[2, 3] on the "
            "host in dim order [1, 0]");
}

TEST_F(MovementTest, ExpandRepeats) {
  Value out = floats_out({2, 3, 2});
  const Value column = tensor<float>({3, 1}, {1, 2, 3});
  ASSERT_TRUE(run("aten::expand_copy.out", {column, ints({2, -1, 2}), boolean(false)}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3));
  EXPECT_EQ(message("aten::expand_copy.out", {column, ints({-1, 3, 2}), boolean(false)}, out),
            "argument 1 of aten::expand_copy.out: expected sizes that float32[3, 1] on the host expands to, found [-1, "
            "3, 2]");
  EXPECT_EQ(message("aten::expand_copy.out", {column, ints({4, 1}), boolean(false)}, out),
            "argument 1 of aten::expand_copy.out: expected sizes that float32[3, 1] on the host expands to, found [4, "
            "1]");
}

TEST_F(MovementTest, SliceFollowsPython) {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  Value two = floats_out({2, 2});
  ASSERT_TRUE(
      run("aten::slice_copy.Tensor_out", {matrix_, integer(1), integer(0), integer(kEnd), integer(2)}, two).ok());
  EXPECT_THAT(elements<float>(two), ElementsAre(1, 3, 4, 6));
  ASSERT_TRUE(run("aten::slice_copy.Tensor_out", {matrix_, integer(-1), integer(-2), none(), integer(1)}, two).ok());
  EXPECT_THAT(elements<float>(two), ElementsAre(2, 3, 5, 6));
  Value none_left = floats_out({0, 3});
  EXPECT_TRUE(
      run("aten::slice_copy.Tensor_out", {matrix_, integer(0), integer(2), integer(1), integer(1)}, none_left).ok());
  Value row = floats_out({1, 3});
  ASSERT_TRUE(
      run("aten::slice_copy.Tensor_out", {matrix_, integer(0), none(), integer(kEnd), integer(kEnd)}, row).ok());
  EXPECT_THAT(elements<float>(row), ElementsAre(1, 2, 3));
}

TEST_F(MovementTest, SliceRefusesWhatDoesNotFit) {
  Value out = floats_out({2, 3});
  EXPECT_EQ(message("aten::slice_copy.Tensor_out", {matrix_, integer(0), none(), none(), integer(0)}, out),
            "argument 4 of aten::slice_copy.Tensor_out: expected a step above 0, found int 0");
  EXPECT_EQ(message("aten::slice_copy.Tensor_out", {matrix_, integer(2), none(), none(), integer(1)}, out),
            "argument 1 of aten::slice_copy.Tensor_out: expected a dimension from -2 to 1, found 2");
  Value scalar = floats_out({});
  EXPECT_EQ(
      message("aten::slice_copy.Tensor_out", {tensor<float>({}, {1}), integer(0), none(), none(), integer(1)}, scalar),
      "argument 0 of aten::slice_copy.Tensor_out: expected a tensor with dimensions, found float32[] on the host");
}

Value list_of(std::initializer_list<Value> items) {
  std::vector<Tensor> tensors;
  for (const Value& item : items) tensors.push_back(*item.to_tensor());
  return Value::of_tensors(tensors);
}

TEST_F(MovementTest, CatJoinsAlongADimension) {
  Value out = floats_out({2, 4});
  const Value column = tensor<float>({2, 1}, {7, 8});
  ASSERT_TRUE(run("aten::cat.out", {list_of({matrix_, column}), integer(1)}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(1, 2, 3, 7, 4, 5, 6, 8));
  Value stacked = floats_out({3, 3});
  const Value row = tensor<float>({1, 3}, {7, 8, 9});
  const Value empty = zeros(ScalarType::kFloat, {0});
  ASSERT_TRUE(run("aten::cat.out", {list_of({empty, row, reordered(matrix_, {1, 0})}), integer(-2)}, stacked).ok());
  EXPECT_THAT(elements<float>(stacked), ElementsAre(7, 8, 9, 1, 2, 3, 4, 5, 6));
}

TEST_F(MovementTest, CatRefusesWhatDoesNotFit) {
  Value out = floats_out({2, 4});
  EXPECT_EQ(message("aten::cat.out", {list_of({}), integer(1)}, out),
            "argument 0 of aten::cat.out: expected at least one tensor, found tensor list of 0");
  EXPECT_EQ(message("aten::cat.out", {list_of({matrix_, tensor<float>({1, 1}, {7})}), integer(1)}, out),
            "argument 0 of aten::cat.out: expected tensors of one type and the same sizes but in dimension 1, found "
            "float32[1, 1] on the host at 1");
  EXPECT_EQ(message("aten::cat.out", {list_of({tensor<float>({}, {7})}), integer(0)}, out),
            "argument 0 of aten::cat.out: expected tensors with dimensions, found float32[] on the host");
}

TEST_F(MovementTest, EmbeddingTakesRows) {
  Value out = floats_out({1, 3, 2});
  const Value table = tensor<float>({3, 2}, {0, 1, 10, 11, 20, 21});
  const auto look_up = [&](const Value& indices, Value& target) {
    return run("aten::embedding.out", {table, indices, integer(-1), boolean(false), boolean(false)}, target);
  };
  ASSERT_TRUE(look_up(tensor<std::int64_t>({1, 3}, {2, 0, 2}), out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(20, 21, 0, 1, 20, 21));
  Value one = floats_out({2});
  ASSERT_TRUE(look_up(tensor<std::int32_t>({}, {1}), one).ok());
  EXPECT_THAT(elements<float>(one), ElementsAre(10, 11));
  EXPECT_EQ(look_up(tensor<std::int64_t>({}, {3}), one).message(),
            "argument 1 of aten::embedding.out: expected row indices from 0 to 2, found row 3");
  EXPECT_EQ(look_up(tensor<std::int64_t>({}, {-1}), one).message(),
            "argument 1 of aten::embedding.out: expected row indices from 0 to 2, found row -1");
  EXPECT_THAT(elements<float>(one), ElementsAre(10, 11));  // nothing was written
  EXPECT_EQ(look_up(tensor<float>({}, {1}), one).message(),
            "argument 1 of aten::embedding.out: expected a tensor of int64 or int32, found float32[] on the host");
}

}  // namespace
}  // namespace berth::reference
