// aten::_softmax.out, _log_softmax.out and native_layer_norm.out.
#include <gmock/gmock.h>

#include <cmath>

#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

class SoftmaxTest : public KernelTest {};

TEST_F(SoftmaxTest, NormalisesAlongADimension) {
  Value out = floats_out({2, 3});
  const Value in = tensor<float>({2, 3}, {1, 2, 3, 1001, 1002, 1003});
  ASSERT_TRUE(run("aten::_softmax.out", {in, integer(-1), boolean(false)}, out).ok());
  const std::vector<float> expected = {0.0900306F, 0.2447285F, 0.6652410F, 0.0900306F, 0.2447285F, 0.6652410F};
  EXPECT_THAT(elements<float>(out), Pointwise(FloatNear(1e-6F), expected));
  ASSERT_TRUE(run("aten::_log_softmax.out", {in, integer(1), boolean(false)}, out).ok());
  const std::vector<float> logarithms = {-2.407606F, -1.407606F, -0.407606F, -2.407606F, -1.407606F, -0.407606F};
  EXPECT_THAT(elements<float>(out), Pointwise(FloatNear(1e-5F), logarithms));
}

TEST_F(SoftmaxTest, NormalisesAlongAnOuterDimensionInAnyOrder) {
  const Value in = tensor<float>({2, 2}, {1, 5, 1, 5});
  Value out = zeros(ScalarType::kFloat, {2, 2}, Dynamism::kStatic, {1, 0});
  ASSERT_TRUE(run("aten::_softmax.out", {reordered(in, {1, 0}), integer(0), boolean(false)}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(0.5, 0.5, 0.5, 0.5));
}

TEST_F(SoftmaxTest, WorksInPlaceOnScalarsAndOnNothing) {
  Value values = tensor<float>({2}, {3, 3});
  const Value same = view_of(values, {2});
  ASSERT_TRUE(run("aten::_softmax.out", {same, integer(0), boolean(false)}, values).ok());
  EXPECT_THAT(elements<float>(values), ElementsAre(0.5, 0.5));
  Value scalar = floats_out({});
  ASSERT_TRUE(run("aten::_softmax.out", {tensor<float>({}, {7}), integer(0), boolean(false)}, scalar).ok());
  EXPECT_THAT(elements<float>(scalar), ElementsAre(1));
  Value empty = floats_out({0, 3});
  EXPECT_TRUE(run("aten::_softmax.out", {zeros(ScalarType::kFloat, {0, 3}), integer(1), boolean(false)}, empty).ok());
}

TEST_F(SoftmaxTest, RefusesWhatDoesNotFit) {
  Value out = floats_out({2});
  const Value in = tensor<float>({2}, {1, 2});
  EXPECT_EQ(message("aten::_softmax.out", {in, integer(1), boolean(false)}, out),
            "argument 1 of aten::_softmax.out: expected a dimension from -1 to 0, found 1");
  EXPECT_EQ(message("aten::_softmax.out", {in, integer(0), boolean(true)}, out),
            "argument 2 of aten::_softmax.out: expected false (float16 has no kernel), found bool true");
}

class LayerNormTest : public KernelTest {
 protected:
  Status norm(const Value& input, const Value& shape, const Value& weight, const Value& bias) {
    std::vector<Value> values = {input, shape, weight, bias, real(1e-5)};
    std::vector<Value*> arguments = pointers_to(values);
    const std::vector<Value*> items = {&out_, &mean_, &inverse_};
    Value list = Value::borrow_items(module::ValueType::kTensorList, items);
    arguments.insert(arguments.end(), {&out_, &mean_, &inverse_, &list});
    return call("aten::native_layer_norm.out", arguments);
  }

  Value input_ = tensor<float>({2, 4}, {1, 2, 3, 4, 0, 0, 4, 4});
  Value out_ = floats_out({2, 4});
  Value mean_ = floats_out({2, 1});
  Value inverse_ = floats_out({2, 1});
  std::vector<float> plain_ = {-1.3416354F, -0.4472118F, 0.4472118F, 1.3416354F,
                               -0.9999987F, -0.9999987F, 0.9999987F, 0.9999987F};
};

TEST_F(LayerNormTest, NormalisesRowsWithoutWeightAndBias) {
  ASSERT_TRUE(norm(input_, ints({4}), none(), none()).ok());
  EXPECT_THAT(elements<float>(out_), Pointwise(FloatNear(1e-5F), plain_));
  EXPECT_THAT(elements<float>(mean_), ElementsAre(2.5, 2));
  EXPECT_THAT(elements<float>(inverse_), Pointwise(FloatNear(1e-5F), {0.8944236F, 0.4999994F}));
}

TEST_F(LayerNormTest, ScalesWithEitherOfWeightAndBias) {
  const Value weight = tensor<float>({4}, {1, 2, 1, 2});
  const Value bias = tensor<float>({4}, {10, 10, 20, 20});
  ASSERT_TRUE(norm(input_, ints({4}), weight, none()).ok());
  EXPECT_NEAR(elements<float>(out_)[1], 2 * plain_[1], 1e-5);
  ASSERT_TRUE(norm(input_, ints({4}), none(), bias).ok());
  EXPECT_NEAR(elements<float>(out_)[2], plain_[2] + 20, 1e-5);
  ASSERT_TRUE(norm(input_, ints({4}), weight, bias).ok());
  EXPECT_NEAR(elements<float>(out_)[7], 2 * plain_[7] + 20, 1e-5);
}

TEST_F(LayerNormTest, NormalisesSeveralDimensionsAtOnce) {
  mean_ = floats_out({1, 1});
  inverse_ = floats_out({1, 1});
  ASSERT_TRUE(norm(input_, ints({2, 4}), none(), none()).ok());
  EXPECT_THAT(elements<float>(mean_), ElementsAre(2.25));
}

TEST_F(LayerNormTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(
      norm(input_, ints({3}), none(), none()).message(),
      "argument 1 of aten::native_layer_norm.out: expected the last sizes of float32[2, 4] on the host, found [3]");
  EXPECT_EQ(norm(input_, ints({4}), tensor<float>({2}, {1, 2}), none()).message(),
            "argument 2 of aten::native_layer_norm.out: expected a tensor of sizes [4], found float32[2] on the host");
  EXPECT_EQ(norm(input_, ints({4}), none(), tensor<double>({4}, {1, 2, 3, 4})).message(),
            "argument 3 of aten::native_layer_norm.out: expected a tensor of float32, found float64[4] on the host");
  EXPECT_EQ(
      norm(input_, ints({}), none(), none()).message(),
      "argument 1 of aten::native_layer_norm.out: expected the last sizes of float32[2, 4] on the host, found []");
  mean_ = floats_out({2});
  EXPECT_EQ(norm(input_, ints({4}), none(), none()).message(),
            "the result of aten::native_layer_norm.out does not fit: a tensor cannot take these sizes: expected [2], "
            "the tensor is static, found [2, 1]");
}

}  // namespace
}  // namespace berth::reference
