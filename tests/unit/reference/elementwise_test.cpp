// aten::add.out, mul.out, relu.out, gelu.out, eq and where.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

class ElementwiseTest : public KernelTest {};

TEST_F(ElementwiseTest, AddScalesTheSecondOperand) {
  Value out = floats_out({2});
  ASSERT_TRUE(run("aten::add.out", {tensor<float>({2}, {1, 2}), tensor<float>({2}, {10, 20}), real(0.5)}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(6, 12));
}

TEST_F(ElementwiseTest, AddBroadcastsBothOperands) {
  Value out = floats_out({2, 3});
  const Value column = tensor<float>({2, 1}, {10, 20});
  ASSERT_TRUE(run("aten::add.out", {column, tensor<float>({3}, {1, 2, 3}), integer(1)}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(11, 12, 13, 21, 22, 23));
}

TEST_F(ElementwiseTest, MulBroadcastsAScalarTensor) {
  Value out = floats_out({2});
  ASSERT_TRUE(run("aten::mul.out", {tensor<float>({2}, {1, 2}), tensor<float>({}, {3})}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(3, 6));
}

TEST_F(ElementwiseTest, ScalarsHaveNoDimensions) {
  Value out = floats_out({});
  ASSERT_TRUE(run("aten::mul.out", {tensor<float>({}, {4}), tensor<float>({}, {3})}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(12));
}

TEST_F(ElementwiseTest, EmptyTensorsGiveEmptyTensors) {
  Value out = floats_out({0, 3});
  const Value empty = zeros(ScalarType::kFloat, {0, 3});
  EXPECT_TRUE(run("aten::add.out", {empty, tensor<float>({3}, {1, 2, 3}), integer(1)}, out).ok());
}

template <typename T>
class AddTypesTest : public KernelTest {};
using AddTypes =
    testing::Types<float, double, std::int64_t, std::int32_t, std::int16_t, std::int8_t, std::uint8_t, bool>;
TYPED_TEST_SUITE(AddTypesTest, AddTypes);

TYPED_TEST(AddTypesTest, AddAndMulWorkForTheType) {
  const Value a = tensor<TypeParam>({2}, {TypeParam(0), TypeParam(1)});
  const Value b = tensor<TypeParam>({2}, {TypeParam(1), TypeParam(1)});
  Value out = zeros(module::kScalarTypeOf<TypeParam>, {2});
  ASSERT_TRUE(this->run("aten::add.out", {a, b, integer(1)}, out).ok());
  EXPECT_THAT(elements<TypeParam>(out), ElementsAre(TypeParam(1), static_cast<TypeParam>(2)));
  ASSERT_TRUE(this->run("aten::mul.out", {a, b}, out).ok());
  EXPECT_THAT(elements<TypeParam>(out), ElementsAre(TypeParam(0), TypeParam(1)));
}

TEST_F(ElementwiseTest, IntegersWrap) {
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  Value out = zeros(ScalarType::kInt, {1});
  ASSERT_TRUE(
      run("aten::add.out", {tensor<std::int32_t>({1}, {kMax}), tensor<std::int32_t>({1}, {1}), integer(1)}, out).ok());
  EXPECT_THAT(elements<std::int32_t>(out), ElementsAre(std::numeric_limits<std::int32_t>::min()));
}

TEST_F(ElementwiseTest, IntegersTakeNoRealFactor) {
  Value out = zeros(ScalarType::kInt, {1});
  const Value one = tensor<std::int32_t>({1}, {1});
  EXPECT_EQ(message("aten::add.out", {one, one, real(0.5)}, out),
            "argument 2 of aten::add.out: expected an int, found double 0.500000");
}

TEST_F(ElementwiseTest, RefuseMixedTypes) {
  Value out = floats_out({1});
  EXPECT_EQ(message("aten::mul.out", {tensor<float>({1}, {1}), tensor<double>({1}, {1})}, out),
            "argument 1 of aten::mul.out: expected a tensor of float32, found float64[1] on the host");
  Value wide = zeros(ScalarType::kDouble, {1});
  EXPECT_EQ(message("aten::mul.out", {tensor<float>({1}, {1}), tensor<float>({1}, {1})}, wide),
            "argument 2 of aten::mul.out: expected a tensor of float32, found float64[1] on the host");
}

TEST_F(ElementwiseTest, RefuseTypesWithoutArithmetic) {
  Value out = zeros(ScalarType::kHalf, {1});
  const Value half = zeros(ScalarType::kHalf, {1});
  EXPECT_EQ(message("aten::mul.out", {half, half}, out),
            "argument 0 of aten::mul.out: expected a tensor of float32, float64, int64, int32, int16, int8, uint8 or "
            "bool, found float16[1] on the host");
}

TEST_F(ElementwiseTest, RefuseSizesThatDoNotBroadcast) {
  Value out = floats_out({2, 3});
  EXPECT_EQ(message("aten::mul.out", {tensor<float>({3}, {1, 2, 3}), tensor<float>({2}, {1, 2})}, out),
            "argument 1 of aten::mul.out: expected sizes that broadcast with [3], found float32[2] on the host");
}

TEST_F(ElementwiseTest, TakeAnyDimOrder) {
  const Value a = reordered(tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}), {1, 0});
  const Value b = tensor<float>({2, 3}, {10, 20, 30, 40, 50, 60});
  Value out = zeros(ScalarType::kFloat, {2, 3}, Dynamism::kStatic, {1, 0});
  ASSERT_TRUE(run("aten::add.out", {a, b, integer(1)}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(11, 22, 33, 44, 55, 66));
  EXPECT_FLOAT_EQ(out.to_tensor()->data<float>()[1], 44);  // the rows lie next to each other
}

TEST_F(ElementwiseTest, ReluKeepsNan) {
  Value out = floats_out({4});
  const float nan = std::nanf("");
  ASSERT_TRUE(run("aten::relu.out", {tensor<float>({4}, {-1, 0, 2, nan})}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(0, 0, 2, testing::IsNan()));
  Value integers = zeros(ScalarType::kLong, {2});
  ASSERT_TRUE(run("aten::relu.out", {tensor<std::int64_t>({2}, {-3, 3})}, integers).ok());
  EXPECT_THAT(elements<std::int64_t>(integers), ElementsAre(0, 3));
}

TEST_F(ElementwiseTest, GeluKnowsBothForms) {
  const Value in = tensor<float>({3}, {-1, 0, 2});
  Value out = floats_out({3});
  ASSERT_TRUE(run("aten::gelu.out", {in, text("none")}, out).ok());
  EXPECT_THAT(elements<float>(out), Pointwise(FloatNear(1e-6F), {-0.15865526F, 0.F, 1.9544997F}));
  ASSERT_TRUE(run("aten::gelu.out", {in, text("tanh")}, out).ok());
  EXPECT_THAT(elements<float>(out), Pointwise(FloatNear(1e-6F), {-0.15880801F, 0.F, 1.9545977F}));
  EXPECT_EQ(message("aten::gelu.out", {in, text("fast")}, out),
            "argument 1 of aten::gelu.out: expected the string 'none' or 'tanh', found string 'fast'");
  Value whole = zeros(ScalarType::kInt, {1});
  EXPECT_EQ(message("aten::gelu.out", {zeros(ScalarType::kInt, {1}), text("none")}, whole),
            "argument 0 of aten::gelu.out: expected a tensor of float32 or float64, found int32[1] on the host");
}

TEST_F(ElementwiseTest, EqComparesWithANumber) {
  Value out = zeros(ScalarType::kBool, {3});
  ASSERT_TRUE(run("aten::eq.Scalar_out", {tensor<float>({3}, {1, 2, 1}), integer(1)}, out).ok());
  EXPECT_THAT(elements<bool>(out), ElementsAre(true, false, true));
  // 2^53 + 1 is no double: integers compare as integers.
  constexpr std::int64_t kLarge = (std::int64_t{1} << 53) + 1;
  Value exact = zeros(ScalarType::kBool, {2});
  ASSERT_TRUE(
      run("aten::eq.Scalar_out", {tensor<std::int64_t>({2}, {kLarge, kLarge - 1}), integer(kLarge)}, exact).ok());
  EXPECT_THAT(elements<bool>(exact), ElementsAre(true, false));
  ASSERT_TRUE(run("aten::eq.Scalar_out", {tensor<std::int64_t>({2}, {1, 2}), real(1.5)}, exact).ok());
  EXPECT_THAT(elements<bool>(exact), ElementsAre(false, false));
  ASSERT_TRUE(run("aten::eq.Scalar_out", {tensor<float>({2}, {0.1F, 0.2F}), real(0.1)}, exact).ok());
  EXPECT_THAT(elements<bool>(exact), ElementsAre(true, false));
}

TEST_F(ElementwiseTest, EqComparesTensors) {
  Value out = zeros(ScalarType::kBool, {2});
  ASSERT_TRUE(run("aten::eq.Tensor_out", {tensor<float>({2}, {1, 2}), tensor<float>({1}, {2})}, out).ok());
  EXPECT_THAT(elements<bool>(out), ElementsAre(false, true));
  Value wrong = floats_out({2});
  EXPECT_EQ(message("aten::eq.Tensor_out", {tensor<float>({2}, {1, 2}), tensor<float>({1}, {2})}, wrong),
            "argument 2 of aten::eq.Tensor_out: expected a tensor of bool, found float32[2] on the host");
}

TEST_F(ElementwiseTest, AnyByteButZeroIsTrue) {
  Value condition = zeros(ScalarType::kBool, {2});
  condition.to_tensor()->mutable_bytes()[1] = std::byte{2};
  Value out = zeros(ScalarType::kBool, {2});
  ASSERT_TRUE(run("aten::eq.Scalar_out", {condition, boolean(true)}, out).ok());
  EXPECT_THAT(elements<bool>(out), ElementsAre(false, true));
  Value chosen = floats_out({2});
  ASSERT_TRUE(run("aten::where.self_out", {condition, tensor<float>({}, {1}), tensor<float>({}, {2})}, chosen).ok());
  EXPECT_THAT(elements<float>(chosen), ElementsAre(2, 1));
}

TEST_F(ElementwiseTest, WhereBroadcastsThreeWays) {
  const Value condition = tensor<bool>({2, 1}, {true, false});
  Value out = zeros(ScalarType::kLong, {2, 2});
  ASSERT_TRUE(run("aten::where.self_out",
                  {condition, tensor<std::int64_t>({2}, {1, 2}), tensor<std::int64_t>({1, 1}, {9})}, out)
                  .ok());
  EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(1, 2, 9, 9));
}

TEST_F(ElementwiseTest, WhereNeedsBooleans) {
  Value out = floats_out({1});
  const Value one = tensor<float>({1}, {1});
  EXPECT_EQ(message("aten::where.self_out", {one, one, one}, out),
            "argument 0 of aten::where.self_out: expected a tensor of bool, found float32[1] on the host");
  EXPECT_EQ(message("aten::where.self_out", {zeros(ScalarType::kBool, {2}), tensor<float>({3}, {1, 2, 3}), one}, out),
            "argument 0 of aten::where.self_out: expected sizes that broadcast with [3], found bool[2] on the host");
}

}  // namespace
}  // namespace berth::reference
