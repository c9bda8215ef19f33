// The copy kernels on their own: sides, layouts, capacity, and what reaches the device.
#include "berth/module/copy_operators.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "berth/test/fake_driver.h"
#include "kernel_support.h"

namespace berth::module {
namespace {

using test::FakeCall;
using test::FakeControl;
using Sizes = std::vector<std::int32_t>;

class CopyKernelTest : public testing::Test {
 protected:
  Status call(Kernel kernel, const Tensor& self, const Tensor& out) {
    values_ = {Value::of_tensor(self), Value::of_tensor(out)};
    const std::array<Value*, 3> args = {&values_[0], &values_[1], &values_[1]};
    KernelContext context("et_copy", scratch_, copies_, values_.data(), values_.size());
    return kernel(context, args);
  }
  [[nodiscard]] const Tensor& out() const { return *values_[1].to_tensor(); }
  Tensor on_device(ScalarType type, const Sizes& sizes, Dynamism dynamism = Dynamism::kStatic) {
    return *Tensor::empty(type, sizes, device_, {}, dynamism);
  }
  [[nodiscard]] std::uint64_t copy_calls() const {
    return control_->calls(FakeCall::kToDevice) + control_->calls(FakeCall::kToHost);
  }

  std::shared_ptr<FakeControl> control_ = std::make_shared<FakeControl>();
  std::shared_ptr<Device> device_ = test::make_fake_device(control_, "cuda:1");
  PlainScratch scratch_;
  CopyReport copies_;
  std::vector<Value> values_;
};

TEST_F(CopyKernelTest, CopiesDataToTheDevice) {
  const Tensor self = *Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  ASSERT_EQ(call(h2d_copy_out, self, on_device(ScalarType::kFloat, {2, 2})).message(), "OK");
  EXPECT_EQ(out().clone_to_host()->data<float>()[3], 4);
  EXPECT_EQ(control_->calls(FakeCall::kToDevice), 1u);
  EXPECT_EQ(copies_.of(CopyDirection::kHostToDevice, CopyCause::kProgram), (CopyCount{1, 16}));
  EXPECT_EQ(copies_.total(), (CopyCount{1, 16}));
}

TEST_F(CopyKernelTest, CopiesDataToTheHost) {
  const Tensor self = *Tensor::of<std::int32_t>({3}, {7, 8, 9})->clone_to(device_);
  ASSERT_EQ(call(d2h_copy_out, self, *Tensor::empty(ScalarType::kInt, Sizes{3})).message(), "OK");
  EXPECT_EQ(out().data<std::int32_t>()[2], 9);
  EXPECT_EQ(copies_.of(CopyDirection::kDeviceToHost, CopyCause::kProgram), (CopyCount{1, 12}));
}

TEST_F(CopyKernelTest, CopiesTensorsOfAnyShape) {
  const Tensor self = *Tensor::of<double>({1, 2, 1, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_EQ(call(h2d_copy_out, self, on_device(ScalarType::kDouble, {1, 2, 1, 3})).message(), "OK");
  EXPECT_EQ(out().clone_to_host()->data<double>()[5], 6);
}

TEST_F(CopyKernelTest, ResizesOutDownToSelfWhenDynamic) {
  const Tensor self = *Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_EQ(call(h2d_copy_out, self, on_device(ScalarType::kFloat, {64, 3}, Dynamism::kBound)).message(), "OK");
  EXPECT_EQ(out().size(0), 2);
  EXPECT_EQ(copies_.total().bytes, 24u);

  const Tensor back = on_device(ScalarType::kFloat, {2, 3});
  ASSERT_EQ(call(d2h_copy_out, back, *Tensor::empty(ScalarType::kFloat, Sizes{64, 3}, nullptr, {}, Dynamism::kBound))
                .message(),
            "OK");
  EXPECT_EQ(out().size(0), 2);
}

TEST_F(CopyKernelTest, CopiesWhenADynamicTensorHasEqualSizes) {
  const Tensor self = *Tensor::of<float>({2}, {1, 2});
  ASSERT_EQ(call(h2d_copy_out, self, on_device(ScalarType::kFloat, {2}, Dynamism::kBound)).message(), "OK");
  EXPECT_EQ(copies_.total().count, 1u);
}

TEST_F(CopyKernelTest, CopiesNothingWhenSelfExceedsTheCapacityOfOut) {
  const Tensor self = *Tensor::of<float>({3}, {1, 2, 3});
  const Status to_device = call(h2d_copy_out, self, on_device(ScalarType::kFloat, {2}, Dynamism::kBound));
  EXPECT_EQ(to_device.message(),
            "the result of et_copy does not fit: a tensor has no room for these sizes: expected at most 8 bytes, found "
            "float32[3]");
  EXPECT_EQ(to_device.code(), Code::kInvalidProgram);
  EXPECT_EQ(to_device.origin(), Origin::kInput);
  const Status to_host = call(d2h_copy_out, on_device(ScalarType::kFloat, {3}),
                              *Tensor::empty(ScalarType::kFloat, Sizes{2}, nullptr, {}, Dynamism::kBound));
  EXPECT_EQ(to_host.code(), Code::kInvalidProgram);
  EXPECT_EQ(copy_calls(), 0u);
  EXPECT_EQ(copies_.total().count, 0u);
}

TEST_F(CopyKernelTest, RefusesWrongSides) {
  const Tensor host = *Tensor::of<float>({2}, {1, 2});
  const Tensor device = on_device(ScalarType::kFloat, {2});
  EXPECT_EQ(call(h2d_copy_out, device, device).message(),
            "argument 0 of et_copy: expected a tensor on the host, found float32[2] on cuda:1");
  EXPECT_EQ(call(h2d_copy_out, host, host).message(),
            "argument 1 of et_copy: expected a tensor on a device, found float32[2] on the host");
  EXPECT_EQ(call(d2h_copy_out, host, host).message(),
            "argument 0 of et_copy: expected a tensor on a device, found float32[2] on the host");
  EXPECT_EQ(call(d2h_copy_out, device, device).message(),
            "argument 1 of et_copy: expected a tensor on the host, found float32[2] on cuda:1");
  EXPECT_EQ(copy_calls(), 0u);
}

TEST_F(CopyKernelTest, RefusesOtherElementTypesAndDimOrders) {
  EXPECT_EQ(call(h2d_copy_out, *Tensor::of<float>({2}, {1, 2}), on_device(ScalarType::kInt, {2})).message(),
            "argument 1 of et_copy: expected elements of float32, found int32");
  const std::vector<std::uint8_t> order = {1, 0};
  const Tensor out = *Tensor::empty(ScalarType::kFloat, Sizes{2, 2}, device_, order);
  EXPECT_EQ(call(h2d_copy_out, *Tensor::of<float>({2, 2}, {1, 2, 3, 4}), out).message(),
            "argument 1 of et_copy: expected dim order [0, 1], found [1, 0]");
  EXPECT_EQ(copy_calls(), 0u);
}

TEST_F(CopyKernelTest, RefusesTensorsWithoutStorage) {
  Tensor self = *Tensor::of<float>({2}, {1, 2});
  self.unbind();
  EXPECT_EQ(call(h2d_copy_out, self, on_device(ScalarType::kFloat, {2})).message(),
            "argument 0 of et_copy: expected a tensor with storage, found float32[2] on the host without storage");
  Tensor out = on_device(ScalarType::kFloat, {2});
  out.unbind();
  EXPECT_EQ(call(h2d_copy_out, *Tensor::of<float>({2}, {1, 2}), out).message(),
            "argument 1 of et_copy: expected a tensor with storage, found float32[2] on cuda:1 without storage");
}

TEST_F(CopyKernelTest, RefusesArgumentsThatAreNoTensors) {
  Value number = Value::of_int(3);
  const std::array<Value*, 3> args = {&number, &number, &number};
  KernelContext context("et_copy", scratch_, copies_, nullptr, 0);
  EXPECT_EQ(h2d_copy_out(context, args).message(), "argument 0 of et_copy: expected a tensor on the host, found int 3");
  EXPECT_EQ(h2d_copy_out(context, std::span(args).first(1)).message(),
            "et_copy: expected self, out, out, found 1 arguments");
}

TEST_F(CopyKernelTest, CopiesNothingWhenEmpty) {
  const Tensor self = *Tensor::from_data(ScalarType::kFloat, Sizes{0}, {});
  EXPECT_EQ(call(h2d_copy_out, self, on_device(ScalarType::kFloat, {0})).message(), "OK");
  EXPECT_EQ(copy_calls(), 0u);
  EXPECT_EQ(copies_.total().count, 0u);
}

TEST_F(CopyKernelTest, KeepsTheDevicesFailureWithValueDirectionAndBytes) {
  const Tensor target = on_device(ScalarType::kFloat, {2});
  control_->before = [](FakeCall call) {
    return call == FakeCall::kToDevice ? test::fake_failure("the wire broke", Code::kDriverFailed, 7) : Status();
  };
  const Status status = call(h2d_copy_out, *Tensor::of<float>({2}, {1, 2}), target);
  EXPECT_EQ(status.code(), Code::kDriverFailed);
  EXPECT_EQ(status.native_code(), 7);
  EXPECT_EQ(status.message().rfind("copy of 8 bytes, host to device, from value 0 to value 1: ", 0), 0u)
      << status.message();
  EXPECT_NE(status.message().find("the wire broke"), std::string::npos);
  EXPECT_EQ(copies_.total().count, 0u);
}

}  // namespace
}  // namespace berth::module
