// Operators between tensors and numbers, and executorch_prim::*.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

class PrimTest : public KernelTest {
 protected:
  // The result described, or the failure.
  std::string compute(std::string_view name, std::vector<Value> inputs) {
    Value result;
    std::vector<Value*> arguments = pointers_to(inputs);
    arguments.push_back(&result);
    const Status status = call(name, arguments);
    return status.ok() ? result.describe() : status.message();
  }
};

TEST_F(PrimTest, SizesAreInts) {
  const Value in = zeros(ScalarType::kFloat, {2, 5});
  EXPECT_EQ(compute("aten::sym_size.int", {in, integer(-1)}), "int 5");
  EXPECT_EQ(compute("aten::sym_numel", {in}), "int 10");
  EXPECT_EQ(compute("aten::sym_size.int", {in, integer(2)}),
            "argument 1 of aten::sym_size.int: expected a dimension from -2 to 1, found 2");
  EXPECT_EQ(compute("aten::sym_size.int", {zeros(ScalarType::kFloat, {}), integer(0)}),
            "argument 0 of aten::sym_size.int: expected a tensor with dimensions, found float32[] on the host");
  EXPECT_EQ(compute("aten::sym_numel", {integer(1)}), "argument 0 of aten::sym_numel: expected a tensor, found int 1");
}

TEST_F(PrimTest, LocalScalarDenseGivesTheElement) {
  EXPECT_EQ(compute("aten::_local_scalar_dense", {tensor<std::int64_t>({}, {7})}), "int 7");
  EXPECT_EQ(compute("aten::_local_scalar_dense", {tensor<std::uint8_t>({1, 1}, {200})}), "int 200");
  EXPECT_EQ(compute("aten::_local_scalar_dense", {tensor<bool>({1}, {true})}), "bool true");
  EXPECT_EQ(compute("aten::_local_scalar_dense", {tensor<float>({1}, {0.5F})}), "double 0.500000");
  EXPECT_EQ(compute("aten::_local_scalar_dense", {tensor<float>({2}, {1, 2})}),
            "argument 0 of aten::_local_scalar_dense: expected a tensor of one element, found float32[2] on the host");
}

TEST_F(PrimTest, ScalarTensorTakesOutsType) {
  Value out = floats_out({});
  ASSERT_TRUE(run("aten::scalar_tensor.out", {integer(3)}, out).ok());
  EXPECT_THAT(elements<float>(out), ElementsAre(3));
  Value wide = zeros(ScalarType::kLong, {});
  ASSERT_TRUE(run("aten::scalar_tensor.out", {integer(kHighest)}, wide).ok());
  EXPECT_THAT(elements<std::int64_t>(wide), ElementsAre(kHighest));
  Value list = floats_out({1});
  EXPECT_EQ(message("aten::scalar_tensor.out", {integer(3)}, list),
            "the result of aten::scalar_tensor.out does not fit: a tensor cannot take these sizes: expected [1], the "
            "tensor is static, found []");
}

TEST_F(PrimTest, ArithmeticKeepsIntsAndMixesDoubles) {
  EXPECT_EQ(compute("executorch_prim::add.Scalar", {integer(3), integer(4)}), "int 7");
  EXPECT_EQ(compute("executorch_prim::sub.Scalar", {integer(3), integer(4)}), "int -1");
  EXPECT_EQ(compute("executorch_prim::mul.Scalar", {integer(3), real(0.5)}), "double 1.500000");
  EXPECT_EQ(compute("executorch_prim::truediv.Scalar", {integer(3), integer(4)}), "double 0.750000");
  EXPECT_EQ(compute("executorch_prim::sym_max.Scalar", {integer(3), integer(4)}), "int 4");
  EXPECT_EQ(compute("executorch_prim::sym_min.Scalar", {integer(3), integer(4)}), "int 3");
  EXPECT_EQ(compute("executorch_prim::neg.Scalar", {integer(3)}), "int -3");
  EXPECT_EQ(compute("executorch_prim::neg.Scalar", {real(0.5)}), "double -0.500000");
  EXPECT_EQ(compute("executorch_prim::sym_float.Scalar", {integer(3)}), "double 3.000000");
}

TEST_F(PrimTest, FloorDivisionGoesDown) {
  EXPECT_EQ(compute("executorch_prim::floordiv.Scalar", {integer(7), integer(2)}), "int 3");
  EXPECT_EQ(compute("executorch_prim::floordiv.Scalar", {integer(-7), integer(2)}), "int -4");
  EXPECT_EQ(compute("executorch_prim::floordiv.Scalar", {integer(-8), integer(2)}), "int -4");
  EXPECT_EQ(compute("executorch_prim::floordiv.Scalar", {real(-7), integer(2)}), "double -4.000000");
  EXPECT_EQ(compute("executorch_prim::floordiv.int", {integer(-7), integer(2)}), "int -3");
  EXPECT_EQ(compute("executorch_prim::mod.Scalar", {integer(7), integer(4)}), "int 3");
  EXPECT_EQ(compute("executorch_prim::mod.int", {integer(7), integer(4)}), "int 3");
}

TEST_F(PrimTest, ResultsThatAreNoIntsAreRefused) {
  EXPECT_EQ(compute("executorch_prim::add.Scalar", {integer(kHighest), integer(1)}),
            "executorch_prim::add.Scalar: no int64 is the result of int 9223372036854775807 and int 1");
  EXPECT_EQ(compute("executorch_prim::floordiv.Scalar", {integer(1), integer(0)}),
            "executorch_prim::floordiv.Scalar: no int64 is the result of int 1 and int 0");
  EXPECT_EQ(compute("executorch_prim::neg.Scalar", {integer(kLowest)}),
            "executorch_prim::neg.Scalar: no int64 is the result of int -9223372036854775808");
  for (const char* name : {"executorch_prim::floordiv.int", "executorch_prim::floordiv.Scalar"}) {
    EXPECT_THAT(compute(name, {integer(kLowest), integer(-1)}), testing::HasSubstr("no int64 is the result of"));
  }
  EXPECT_EQ(compute("executorch_prim::mod.int", {integer(kLowest), integer(-1)}), "int 0");
  EXPECT_EQ(compute("executorch_prim::mod.int", {integer(1), integer(0)}),
            "executorch_prim::mod.int: no int64 is the result of int 1 and int 0");
  EXPECT_EQ(compute("executorch_prim::ceil.Scalar", {real(1e19)}),
            "executorch_prim::ceil.Scalar: no int64 is the result of double 10000000000000000000.000000");
  EXPECT_EQ(compute("executorch_prim::add.Scalar", {text("1"), integer(1)}),
            "argument 0 of executorch_prim::add.Scalar: expected a number, found string '1'");
}

TEST_F(PrimTest, ComparisonsGiveBools) {
  EXPECT_EQ(compute("executorch_prim::eq.Scalar", {integer(3), real(3)}), "bool true");
  EXPECT_EQ(compute("executorch_prim::eq.Scalar", {boolean(true), boolean(false)}), "bool false");
  EXPECT_EQ(compute("executorch_prim::gt.Scalar", {integer(3), integer(4)}), "bool false");
  EXPECT_EQ(compute("executorch_prim::lt.Scalar", {integer(3), integer(4)}), "bool true");
  EXPECT_EQ(compute("executorch_prim::ge.Scalar", {integer(4), integer(4)}), "bool true");
  EXPECT_EQ(compute("executorch_prim::le.Scalar", {real(4.5), integer(4)}), "bool false");
}

TEST_F(PrimTest, RoundingGivesInts) {
  const std::vector<double> inputs = {0.25, 0.5, 0.75, 1.5, 2.5, -0.5, -1.5, 9.999999};
  const std::vector<std::int64_t> up = {1, 1, 1, 2, 3, 0, -1, 10};
  const std::vector<std::int64_t> nearest = {0, 0, 1, 2, 2, 0, -2, 10};
  const std::vector<std::int64_t> cut = {0, 0, 0, 1, 2, 0, -1, 9};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(compute("executorch_prim::ceil.Scalar", {real(inputs[i])}), integer(up[i]).describe());
    EXPECT_EQ(compute("executorch_prim::round.Scalar", {real(inputs[i])}), integer(nearest[i]).describe());
    EXPECT_EQ(compute("executorch_prim::trunc.Scalar", {real(inputs[i])}), integer(cut[i]).describe());
  }
  EXPECT_EQ(compute("executorch_prim::trunc.Scalar", {integer(4)}), "int 4");
}

TEST_F(PrimTest, EtViewShowsTheSameBytes) {
  Value self = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  Value sizes = ints({-1, 2});
  Value out = zeros(ScalarType::kFloat, {4, 2}, Dynamism::kBound);
  ASSERT_TRUE(call("executorch_prim::et_view.default", {&self, &sizes, &out}).ok());
  EXPECT_THAT(sizes_of(out), ElementsAre(3, 2));
  EXPECT_EQ(out.to_tensor()->bytes().data(), self.to_tensor()->bytes().data());
  Value wrong = ints({4, 2});
  EXPECT_EQ(call("executorch_prim::et_view.default", {&self, &wrong, &out}).message(),
            "argument 1 of executorch_prim::et_view.default: expected sizes of 6 elements, found [4, 2]");
}

TEST_F(PrimTest, EtCopyIndexCollectsRows) {
  Value rows = zeros(ScalarType::kFloat, {3, 2}, Dynamism::kBound);
  for (std::int64_t i = 0; i < 2; ++i) {
    Value row = tensor<float>({2}, {static_cast<float>(i), static_cast<float>(10 * i)});
    Value index = integer(i);
    ASSERT_TRUE(call("executorch_prim::et_copy_index.tensor", {&rows, &row, &index}).ok());
  }
  EXPECT_THAT(sizes_of(rows), ElementsAre(2, 2));
  EXPECT_THAT(elements<float>(rows), ElementsAre(0, 0, 1, 10));
}

TEST_F(PrimTest, EtCopyIndexStaysInItsTarget) {
  Value rows = floats_out({2, 2});
  Value row = tensor<float>({2}, {5, 6});
  Value index = integer(1);
  ASSERT_TRUE(call("executorch_prim::et_copy_index.tensor", {&rows, &row, &index}).ok());
  EXPECT_THAT(elements<float>(rows), ElementsAre(0, 0, 5, 6));
  Value many = floats_out({3, 2});  // a static target keeps its rows behind the index
  ASSERT_TRUE(call("executorch_prim::et_copy_index.tensor", {&many, &row, &index}).ok());
  EXPECT_THAT(elements<float>(many), ElementsAre(0, 0, 5, 6, 0, 0));
  index = integer(2);
  EXPECT_EQ(call("executorch_prim::et_copy_index.tensor", {&rows, &row, &index}).message(),
            "the result of executorch_prim::et_copy_index.tensor does not fit: a tensor cannot take these sizes: "
            "expected [2, 2], the tensor is static, found [3, 2]");
  index = integer(-1);
  EXPECT_EQ(
      call("executorch_prim::et_copy_index.tensor", {&rows, &row, &index}).message(),
      "argument 2 of executorch_prim::et_copy_index.tensor: expected an index from 0 to 2147483646, found int -1");
  index = integer(1);
  Value wide = tensor<float>({3}, {1, 2, 3});
  EXPECT_EQ(call("executorch_prim::et_copy_index.tensor", {&rows, &wide, &index}).message(),
            "argument 1 of executorch_prim::et_copy_index.tensor: expected the sizes of the entries before it, found "
            "float32[3] on the host");
}

}  // namespace
}  // namespace berth::reference
