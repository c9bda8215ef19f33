// What every kernel checks, shown with aten::add.out and aten::mm.out.
#include <gmock/gmock.h>

#include <cstring>

#include "berth/core/device_registry.h"
#include "berth/test/fake_driver.h"
#include "kernel_fixture.h"

namespace berth::reference {
namespace {

using testing::ElementsAre;

class ArgumentsTest : public KernelTest {
 protected:
  Value a_ = tensor<float>({2, 2}, {1, 2, 3, 4});
  Value b_ = tensor<float>({2, 2}, {10, 20, 30, 40});
  Value one_ = integer(1);
  Value out_ = floats_out({2, 2});
};

TEST_F(ArgumentsTest, FailuresAreFaultsOfTheProgram) {
  const Status status = call("aten::add.out", {&a_, &b_, &one_, &out_});
  EXPECT_EQ(status.code(), Code::kInvalidProgram);
  EXPECT_EQ(status.origin(), Origin::kInput);
  EXPECT_EQ(status.message(), "aten::add.out: expected 5 arguments, found 4");
}

TEST_F(ArgumentsTest, RefusesAValueOfAnotherKind) {
  Value number = integer(3);
  EXPECT_EQ(call("aten::add.out", {&number, &b_, &one_, &out_, &out_}).message(),
            "argument 0 of aten::add.out: expected a tensor, found int 3");
  EXPECT_EQ(call("aten::add.out", {&a_, &b_, &b_, &out_, &out_}).message(),
            "argument 2 of aten::add.out: expected a number, found float32[2, 2] on the host");
}

TEST_F(ArgumentsTest, RefusesAResultThatDoesNotRepeatTheOut) {
  Value other = floats_out({2, 2});
  EXPECT_EQ(call("aten::add.out", {&a_, &b_, &one_, &out_, &other}).message(),
            "argument 4 of aten::add.out: expected the same tensor as argument 3, found float32[2, 2] on the host");
}

TEST_F(ArgumentsTest, RefusesATensorThatTheHostCannotRead) {
  const auto control = std::make_shared<test::FakeControl>();
  const auto device = test::make_fake_device(control);
  Value elsewhere = Value::of_tensor(Tensor::empty(ScalarType::kFloat, {{2, 2}}, device).value());
  EXPECT_EQ(call("aten::add.out", {&elsewhere, &b_, &one_, &out_, &out_}).message(),
            "argument 0 of aten::add.out: expected a tensor that the host can read, found float32[2, 2] on fake:0");
  EXPECT_EQ(call("aten::add.out", {&a_, &b_, &one_, &elsewhere, &elsewhere}).message(),
            "argument 3 of aten::add.out: expected a tensor that the host can write, found float32[2, 2] on fake:0");
}

TEST_F(ArgumentsTest, RefusesToWriteAConstant) {
  module::TensorStorage storage = out_.to_tensor()->storage();
  storage.read_only = true;
  out_.to_tensor()->bind(storage);
  EXPECT_EQ(message("aten::add.out", {a_, b_, one_}, out_),
            "argument 3 of aten::add.out: expected a tensor that the host can write, found float32[2, 2] on the host");
}

TEST_F(ArgumentsTest, RefusesMisalignedElements) {
  std::byte* const bytes = b_.to_tensor()->mutable_bytes().data();
  a_.to_tensor()->bind(module::TensorStorage::of_host(bytes + 2, 16));
  EXPECT_EQ(message("aten::add.out", {a_, b_, one_}, out_),
            "argument 0 of aten::add.out: expected elements at a multiple of 4 bytes, found float32[2, 2] on the host");
}

TEST_F(ArgumentsTest, ComputesInPlaceWhenOutIsAnInput) {
  Value out = view_of(a_, {2, 2});
  ASSERT_TRUE(run("aten::add.out", {a_, b_, one_}, out).ok());
  EXPECT_THAT(elements<float>(a_), ElementsAre(11, 22, 33, 44));
}

TEST_F(ArgumentsTest, RefusesAnOutThatOverlapsAnInput) {
  const Value shared = zeros(ScalarType::kFloat, {8});
  const Value input = view_of(shared, {4});
  Value shifted = view_of(shared, {4}, 4);
  EXPECT_EQ(message("aten::add.out", {input, input, one_}, shifted),
            "argument 3 of aten::add.out: expected an out that does not share memory with an input, found float32[4] "
            "on the host");
  const Value square = view_of(shared, {2, 2});
  Value same = view_of(shared, {2, 2});
  EXPECT_EQ(message("aten::mm.out", {square, b_}, same),
            "argument 2 of aten::mm.out: expected an out that does not share memory with an input, found "
            "float32[2, 2] on the host");
}

TEST_F(ArgumentsTest, RefusesABroadcastInPlace) {
  const Value shared = zeros(ScalarType::kFloat, {4});
  const Value row = view_of(shared, {1, 2});
  Value out = view_of(shared, {2, 2});
  EXPECT_FALSE(run("aten::add.out", {row, b_, one_}, out).ok());
}

TEST_F(ArgumentsTest, ResizesADynamicOutWithinItsRoom) {
  Value out = zeros(ScalarType::kFloat, {3, 2}, Dynamism::kBound);
  ASSERT_TRUE(run("aten::add.out", {a_, b_, one_}, out).ok());
  EXPECT_THAT(sizes_of(out), ElementsAre(2, 2));
  EXPECT_THAT(elements<float>(out), ElementsAre(11, 22, 33, 44));
}

TEST_F(ArgumentsTest, RefusesAnOutWithoutRoom) {
  Value small = zeros(ScalarType::kFloat, {1, 2}, Dynamism::kBound);
  EXPECT_EQ(message("aten::add.out", {a_, b_, one_}, small),
            "the result of aten::add.out does not fit: a tensor has no room for these sizes: expected at most 8 bytes, "
            "found float32[2, 2]");
  Value fixed = floats_out({2, 3});
  EXPECT_EQ(message("aten::add.out", {a_, b_, one_}, fixed),
            "the result of aten::add.out does not fit: a tensor cannot take these sizes: expected [2, 3], the tensor "
            "is static, found [2, 2]");
}

}  // namespace
}  // namespace berth::reference
