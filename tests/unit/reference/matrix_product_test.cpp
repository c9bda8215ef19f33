// aten::mm.out, bmm.out, addmm.out.
#include <gmock/gmock.h>

#include <cmath>

#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;

class MatrixProductTest : public KernelTest {
 protected:
  Value a_ = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  Value b_ = tensor<float>({3, 2}, {1, 0, 0, 1, 1, 1});
  Value out_ = floats_out({2, 2});
};

TEST_F(MatrixProductTest, MmMultiplies) {
  ASSERT_TRUE(run("aten::mm.out", {a_, b_}, out_).ok());
  EXPECT_THAT(elements<float>(out_), ElementsAre(4, 5, 10, 11));
}

TEST_F(MatrixProductTest, MmMultipliesDoubles) {
  Value out = zeros(ScalarType::kDouble, {1, 1});
  ASSERT_TRUE(run("aten::mm.out", {tensor<double>({1, 2}, {1, 2}), tensor<double>({2, 1}, {3, 4})}, out).ok());
  EXPECT_THAT(elements<double>(out), ElementsAre(11));
}

TEST_F(MatrixProductTest, AnEmptyInnerDimensionGivesZeros) {
  Value out = tensor<float>({1, 2}, {7, 7});
  ASSERT_TRUE(run("aten::mm.out", {zeros(ScalarType::kFloat, {1, 0}), zeros(ScalarType::kFloat, {0, 2})}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(0, 0));
}

TEST_F(MatrixProductTest, NoRowsGiveNoRows) {
  Value out = floats_out({0, 2});
  EXPECT_TRUE(run("aten::mm.out", {zeros(ScalarType::kFloat, {0, 3}), b_}, out).ok());
}

TEST_F(MatrixProductTest, BmmMultipliesEachPair) {
  const Value a = tensor<float>({2, 1, 2}, {1, 2, 3, 4});
  const Value b = tensor<float>({2, 2, 1}, {5, 6, 7, 8});
  Value out = floats_out({2, 1, 1});
  ASSERT_TRUE(run("aten::bmm.out", {a, b}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(17, 53));
  EXPECT_EQ(message("aten::bmm.out", {a, zeros(ScalarType::kFloat, {3, 2, 1})}, out),
            "argument 1 of aten::bmm.out: expected a tensor of sizes [2, 2, 1], found float32[3, 2, 1] on the host");
}

TEST_F(MatrixProductTest, AddmmScalesAndBroadcastsTheBias) {
  const Value bias = tensor<float>({2}, {10, 20});
  ASSERT_TRUE(run("aten::addmm.out", {bias, a_, b_, integer(1), integer(1)}, out_).ok());
  EXPECT_THAT(elements<float>(out_), ElementsAre(14, 25, 20, 31));
  ASSERT_TRUE(run("aten::addmm.out", {bias, a_, b_, real(0.5), integer(2)}, out_).ok());
  EXPECT_THAT(elements<float>(out_), ElementsAre(13, 20, 25, 32));
}

TEST_F(MatrixProductTest, AddmmIgnoresTheBiasWhenBetaIsZero) {
  const float nan = std::nanf("");
  ASSERT_TRUE(run("aten::addmm.out", {tensor<float>({2}, {nan, nan}), a_, b_, integer(0), integer(1)}, out_).ok());
  EXPECT_THAT(elements<float>(out_), ElementsAre(4, 5, 10, 11));
}

TEST_F(MatrixProductTest, AddmmMayAddToItsOut) {
  Value sum = tensor<float>({2, 2}, {1, 1, 1, 1});
  const Value same = view_of(sum, {2, 2});
  ASSERT_TRUE(run("aten::addmm.out", {same, a_, b_, integer(1), integer(1)}, sum).ok());
  EXPECT_THAT(elements<float>(sum), ElementsAre(5, 6, 11, 12));
}

TEST_F(MatrixProductTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(message("aten::mm.out", {a_, a_}, out_),
            "argument 1 of aten::mm.out: expected a tensor of sizes [3, 3], found float32[2, 3] on the host");
  EXPECT_EQ(message("aten::mm.out", {tensor<float>({3}, {1, 2, 3}), b_}, out_),
            "argument 0 of aten::mm.out: expected a tensor of 2 dimensions, found float32[3] on the host");
  EXPECT_EQ(message("aten::mm.out", {a_, zeros(ScalarType::kDouble, {3, 2})}, out_),
            "argument 1 of aten::mm.out: expected a tensor of float32, found float64[3, 2] on the host");
  EXPECT_EQ(
      message("aten::mm.out", {a_, reordered(b_, {1, 0})}, out_),
      "argument 1 of aten::mm.out: expected a tensor in the default dim order, found float32[3, 2] on the host in "
      "dim order [1, 0]");
  EXPECT_EQ(message("aten::addmm.out", {tensor<float>({3}, {1, 2, 3}), a_, b_, integer(1), integer(1)}, out_),
            "argument 0 of aten::addmm.out: expected sizes that broadcast to [2, 2], found float32[3] on the host");
  Value whole = zeros(ScalarType::kInt, {1, 1});
  EXPECT_EQ(message("aten::mm.out", {zeros(ScalarType::kInt, {1, 1}), zeros(ScalarType::kInt, {1, 1})}, whole),
            "argument 0 of aten::mm.out: expected a tensor of float32 or float64, found int32[1, 1] on the host");
}

}  // namespace
}  // namespace berth::reference
