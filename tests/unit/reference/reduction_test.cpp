// aten::sum.IntList_out, mean.out, mean.dtype_out and argmax.out.
#include <gmock/gmock.h>

#include <cmath>

#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;
using testing::IsNan;

class ReductionTest : public KernelTest {
 protected:
  Value matrix_ = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
};

TEST_F(ReductionTest, MeanRunsOverTheDimensionsGiven) {
  Value rows = floats_out({2});
  ASSERT_TRUE(run("aten::mean.out", {matrix_, ints({-1}), boolean(false), none()}, rows).ok());
  EXPECT_THAT(elements<float>(rows), ElementsAre(2, 5));
  Value columns = floats_out({1, 3});
  ASSERT_TRUE(run("aten::mean.out", {matrix_, ints({0}), boolean(true), none()}, columns).ok());
  EXPECT_THAT(elements<float>(columns), ElementsAre(2.5, 3.5, 4.5));
  Value image = floats_out({1, 2});
  const Value pixels = tensor<float>({1, 2, 1, 2}, {1, 3, 5, 9});
  ASSERT_TRUE(run("aten::mean.out", {pixels, ints({2, 3}), boolean(false), none()}, image).ok());
  EXPECT_THAT(elements<float>(image), ElementsAre(2, 7));
}

TEST_F(ReductionTest, NoDimensionsAreAllDimensions) {
  Value out = floats_out({});
  ASSERT_TRUE(run("aten::sum.IntList_out", {matrix_, ints({}), boolean(false), none()}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(21));
  ASSERT_TRUE(run("aten::sum.IntList_out", {matrix_, none(), boolean(false), integer(6)}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(21));
  ASSERT_TRUE(run("aten::mean.dtype_out", {matrix_, none()}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(3.5));
}

TEST_F(ReductionTest, IntegersAddUpAsInt64) {
  Value out = zeros(ScalarType::kLong, {});
  const Value bytes = tensor<std::uint8_t>({2}, {200, 200});
  ASSERT_TRUE(run("aten::sum.IntList_out", {bytes, none(), boolean(false), none()}, out).ok());
  EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(400));
  const Value truths = tensor<bool>({3}, {true, false, true});
  ASSERT_TRUE(run("aten::sum.IntList_out", {truths, none(), boolean(false), none()}, out).ok());
  EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(2));
}

TEST_F(ReductionTest, NothingAddsUpToZeroAndHasNoMean) {
  Value out = floats_out({2});
  const Value empty = zeros(ScalarType::kFloat, {2, 0});
  ASSERT_TRUE(run("aten::sum.IntList_out", {empty, ints({1}), boolean(false), none()}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(0, 0));
  ASSERT_TRUE(run("aten::mean.out", {empty, ints({1}), boolean(false), none()}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(IsNan(), IsNan()));
}

TEST_F(ReductionTest, ScalarsReduceToThemselves) {
  Value out = floats_out({});
  ASSERT_TRUE(run("aten::mean.out", {tensor<float>({}, {4}), ints({0}), boolean(false), none()}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(4));
}

TEST_F(ReductionTest, TakesAnyDimOrder) {
  Value out = floats_out({2});
  ASSERT_TRUE(run("aten::sum.IntList_out", {reordered(matrix_, {1, 0}), ints({1}), boolean(false), none()}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(6, 15));
}

TEST_F(ReductionTest, RefusesWhatDoesNotFit) {
  Value out = floats_out({2});
  EXPECT_EQ(message("aten::mean.out", {matrix_, ints({1, -1}), boolean(false), none()}, out),
            "argument 1 of aten::mean.out: expected each dimension once, found [1, -1]");
  EXPECT_EQ(message("aten::mean.out", {matrix_, ints({2}), boolean(false), none()}, out),
            "argument 1 of aten::mean.out: expected a dimension from -2 to 1, found 2");
  EXPECT_EQ(message("aten::mean.out", {matrix_, ints({1}), boolean(false), integer(7)}, out),
            "argument 3 of aten::mean.out: expected none or out's type, 6, found int 7");
  Value whole = zeros(ScalarType::kLong, {2});
  EXPECT_EQ(message("aten::mean.out", {matrix_, ints({1}), boolean(false), none()}, whole),
            "argument 4 of aten::mean.out: expected a tensor of float32 or float64, found int64[2] on the host");
}

TEST_F(ReductionTest, ArgmaxGivesTheFirstOfTheLargest) {
  Value out = zeros(ScalarType::kLong, {2});
  const Value in = tensor<float>({2, 3}, {1, 9, 9, 7, 2, 7});
  ASSERT_TRUE(run("aten::argmax.out", {in, integer(1), boolean(false)}, out).ok());
  EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(1, 0));
  Value kept = zeros(ScalarType::kLong, {1, 3});
  ASSERT_TRUE(run("aten::argmax.out", {in, integer(0), boolean(true)}, kept).ok());
  EXPECT_THAT(elements<std::int64_t>(kept), ElementsAre(1, 0, 0));
  Value all = zeros(ScalarType::kLong, {});
  ASSERT_TRUE(run("aten::argmax.out", {in, none(), boolean(false)}, all).ok());
  EXPECT_THAT(elements<std::int64_t>(all), ElementsAre(1));
}

TEST_F(ReductionTest, ArgmaxTakesNanForTheLargest) {
  Value out = zeros(ScalarType::kLong, {});
  const float nan = std::nanf("");
  ASSERT_TRUE(run("aten::argmax.out", {tensor<float>({4}, {1, nan, 9, nan}), none(), boolean(false)}, out).ok());
  EXPECT_THAT(elements<std::int64_t>(out), ElementsAre(1));
}

TEST_F(ReductionTest, ArgmaxNeedsAnElementAndAnInt64Out) {
  Value out = zeros(ScalarType::kLong, {2});
  EXPECT_EQ(message("aten::argmax.out", {zeros(ScalarType::kFloat, {2, 0}), integer(1), boolean(false)}, out),
            "argument 0 of aten::argmax.out: expected at least one element to choose from, found float32[2, 0] on the "
            "host");
  Value narrow = zeros(ScalarType::kInt, {2});
  EXPECT_EQ(message("aten::argmax.out", {matrix_, integer(1), boolean(false)}, narrow),
            "argument 3 of aten::argmax.out: expected a tensor of int64, found int32[2] on the host");
}

}  // namespace
}  // namespace berth::reference
