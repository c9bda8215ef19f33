// Tensors on devices: making, cloning both ways, reading and writing through the device.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <numeric>
#include <vector>

#include "berth/core/host_device.h"
#include "berth/module/tensor.h"
#include "berth/test/fake_driver.h"

namespace berth::module {
namespace {

using test::FakeCall;
using test::FakeControl;
using Sizes = std::vector<std::int32_t>;

class TensorDeviceTest : public testing::Test {
 protected:
  std::shared_ptr<FakeControl> control_ = std::make_shared<FakeControl>();
  std::shared_ptr<Device> device_ = test::make_fake_device(control_, "cuda:0");
};

template <typename T>
std::vector<T> elements_of(const Tensor& tensor) {
  const auto host = tensor.clone_to_host();
  EXPECT_TRUE(host.has_value());
  return {host->data<T>().begin(), host->data<T>().end()};
}

TEST_F(TensorDeviceTest, MovesDataToDeviceWhenCloned) {
  const Tensor host = *Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  const auto tensor = host.clone_to(device_);
  ASSERT_TRUE(tensor.has_value()) << tensor.error().message();
  EXPECT_TRUE(tensor->on_device());
  EXPECT_FALSE(tensor->is_host());
  EXPECT_EQ(tensor->device(), device_.get());
  EXPECT_EQ(tensor->describe(), "float32[2, 2] on cuda:0");
  EXPECT_TRUE(tensor->bytes().empty());
  EXPECT_TRUE(tensor->data<float>().empty());
  EXPECT_EQ(control_->calls(FakeCall::kAllocate), 1u);
  EXPECT_EQ(control_->calls(FakeCall::kToDevice), 1u);
}

TEST_F(TensorDeviceTest, MovesDataBackWhenCloned) {
  const Tensor tensor = *Tensor::of<float>({4}, {1, 2, 3, 4})->clone_to(device_);
  const auto host = tensor.clone_to_host();
  ASSERT_TRUE(host.has_value());
  EXPECT_TRUE(host->is_host());
  EXPECT_FALSE(host->on_device());
  EXPECT_EQ(host->data<float>()[3], 4);
  EXPECT_EQ(control_->calls(FakeCall::kToHost), 1u);
}

TEST_F(TensorDeviceTest, KeepsDataInRoundTripsOfEveryScalarType) {
  for (int number = 0; number < 32; ++number) {
    const auto type = static_cast<ScalarType>(number);
    std::vector<std::byte> bytes(std::size_t{program::element_size(type)} * 5);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + 1);
    if (bytes.empty()) continue;
    const auto tensor = Tensor::from_data(type, Sizes{5}, bytes)->clone_to(device_);
    ASSERT_TRUE(tensor.has_value()) << number;
    std::vector<std::byte> back(bytes.size());
    EXPECT_TRUE(tensor->read(back).ok());
    EXPECT_EQ(back, bytes) << program::scalar_type_name(type);
  }
}

TEST_F(TensorDeviceTest, KeepsScalarsInRoundTrips) {
  const Tensor tensor = *Tensor::of<std::int64_t>({}, {42})->clone_to(device_);
  EXPECT_EQ(tensor.rank(), 0u);
  EXPECT_EQ(elements_of<std::int64_t>(tensor), std::vector<std::int64_t>{42});
}

TEST_F(TensorDeviceTest, KeepsEmptyTensorsInRoundTrips) {
  const auto tensor = Tensor::from_data(ScalarType::kFloat, Sizes{0, 3}, {})->clone_to(device_);
  ASSERT_TRUE(tensor.has_value()) << tensor.error().message();
  EXPECT_EQ(tensor->clone_to_host()->numel(), 0);
  EXPECT_EQ(control_->calls(FakeCall::kToDevice) + control_->calls(FakeCall::kToHost), 0u);
}

TEST_F(TensorDeviceTest, KeepsLargeAndHighDimensionalTensorsInRoundTrips) {
  std::vector<double> elements(4 * 5 * 6 * 7 * 8);
  std::iota(elements.begin(), elements.end(), 0.5);
  const Tensor tensor = *Tensor::of<double>(Sizes{4, 5, 6, 7, 8}, std::span<const double>(elements))->clone_to(device_);
  EXPECT_EQ(elements_of<double>(tensor), elements);
}

TEST_F(TensorDeviceTest, KeepsDimOrderAndDynamismWhenCloned) {
  std::array<float, 24> elements = {};
  const Tensor host =
      *Tensor::borrow(ScalarType::kFloat, Sizes{1, 2, 3, 4}, std::as_writable_bytes(std::span(elements)),
                      std::vector<std::uint8_t>{0, 2, 3, 1}, Dynamism::kBound);
  const Tensor tensor = *host.clone_to(device_);
  EXPECT_EQ(tensor.strides(), host.strides());
  EXPECT_EQ(tensor.dynamism(), Dynamism::kBound);
  EXPECT_EQ(tensor.clone_to_host()->dynamism(), Dynamism::kBound);
}

TEST_F(TensorDeviceTest, ClonesBetweenDevicesWhereUpstreamAborts) {
  const auto other_control = std::make_shared<FakeControl>();
  const auto other = test::make_fake_device(other_control, "cuda:1");
  const Tensor tensor = *Tensor::of<float>({3}, {1, 2, 3})->clone_to(device_);
  const auto copy = tensor.clone_to(other);
  ASSERT_TRUE(copy.has_value()) << copy.error().message();
  EXPECT_EQ(copy->device(), other.get());
  EXPECT_EQ(elements_of<float>(*copy), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(elements_of<float>(*tensor.clone_to(device_)), (std::vector<float>{1, 2, 3}));
}

TEST_F(TensorDeviceTest, FreesMemoryWithTheLastCopyOfTheTensor) {
  std::optional<Tensor> tensor = *Tensor::empty(ScalarType::kFloat, Sizes{8}, device_);
  std::optional<Tensor> copy = tensor;
  tensor.reset();
  EXPECT_EQ(control_->live_blocks, 1);
  copy.reset();
  EXPECT_EQ(control_->live_blocks, 0);
  EXPECT_EQ(control_->calls(FakeCall::kFree), 1u);
}

TEST_F(TensorDeviceTest, GivesMemoryOfItsOwnToEachClone) {
  const Tensor host = *Tensor::of<float>({2}, {1, 2});
  const Tensor first = *host.clone_to(device_);
  const Tensor second = *host.clone_to(device_);
  ASSERT_TRUE(first.write(std::as_bytes(std::span<const float>(std::array<float, 2>{8, 9}))).ok());
  EXPECT_EQ(elements_of<float>(second), (std::vector<float>{1, 2}));
  EXPECT_NE(first.memory().handle, second.memory().handle);
}

TEST_F(TensorDeviceTest, IsZeroFilledWhenEmpty) {
  const Tensor tensor = *Tensor::empty(ScalarType::kInt, Sizes{3}, device_);
  EXPECT_EQ(elements_of<std::int32_t>(tensor), (std::vector<std::int32_t>{0, 0, 0}));
}

TEST_F(TensorDeviceTest, LivesInAPartOfABuffer) {
  auto buffer = std::make_shared<DeviceBuffer>(*DeviceBuffer::allocate(device_, {.bytes = 64}));
  ASSERT_TRUE(buffer->fill(0, 64, 0).ok());
  const Tensor tensor = *Tensor::on_buffer(ScalarType::kFloat, Sizes{2}, buffer, 16);
  ASSERT_TRUE(tensor.write(std::as_bytes(std::span<const float>(std::array<float, 2>{5, 6}))).ok());
  std::array<float, 16> all = {};
  ASSERT_TRUE(buffer->read(0, all.data(), 64).ok());
  EXPECT_EQ(all[3], 0);
  EXPECT_EQ(all[4], 5);
  EXPECT_EQ(all[5], 6);
  const TensorMemory memory = tensor.memory();
  EXPECT_EQ(memory.buffer, buffer.get());
  EXPECT_EQ(memory.offset, 16u);
  EXPECT_EQ(memory.bytes, 8u);
  EXPECT_EQ(memory.address, buffer->block().address + 16);
}

TEST_F(TensorDeviceTest, RefusesPartsThatLeaveTheBuffer) {
  auto buffer = std::make_shared<DeviceBuffer>(*DeviceBuffer::allocate(device_, {.bytes = 64}));
  EXPECT_EQ(Tensor::on_buffer(ScalarType::kFloat, Sizes{2}, buffer, 60).error().message(),
            "float32[2] leaves the device buffer: expected at most 64 bytes, found 8 bytes at offset 60");
  EXPECT_EQ(Tensor::on_buffer(ScalarType::kFloat, Sizes{2}, buffer, UINT64_MAX).error().message(),
            "float32[2] leaves the device buffer: expected at most 64 bytes, found 8 bytes at offset "
            "18446744073709551615");
  EXPECT_EQ(Tensor::on_buffer(ScalarType::kFloat, Sizes{2}, buffer, 6).error().message(),
            "misaligned offset for float32[2]: expected a multiple of 4, found 6");
  EXPECT_EQ(Tensor::on_buffer(ScalarType::kFloat, Sizes{2}, nullptr).error().message(),
            "no device buffer: expected one that owns memory, found none");
}

TEST_F(TensorDeviceTest, IsAHostTensorOnTheBuiltInHostDevice) {
  const auto host = make_host_device(100);
  const auto tensor = Tensor::of<float>({4}, {1, 2, 3, 4})->clone_to(host);
  ASSERT_TRUE(tensor.has_value()) << tensor.error().message();
  EXPECT_TRUE(tensor->is_host());
  EXPECT_EQ(tensor->data<float>()[2], 3);
  EXPECT_EQ(Tensor::empty(ScalarType::kFloat, Sizes{100}, host).error().code(), Code::kLimitExceeded);
}

TEST_F(TensorDeviceTest, PassesTheDevicesFailureThrough) {
  const Tensor host = *Tensor::of<float>({2}, {1, 2});
  control_->before = [](FakeCall call) {
    return call == FakeCall::kToDevice ? test::fake_failure("the wire broke", Code::kDeviceLost, 7) : Status();
  };
  const auto tensor = host.clone_to(device_);
  ASSERT_FALSE(tensor.has_value());
  EXPECT_EQ(tensor.error().code(), Code::kDeviceLost);
  EXPECT_EQ(tensor.error().native_code(), 7);
  EXPECT_NE(tensor.error().message().find("the wire broke"), std::string::npos);
  EXPECT_EQ(control_->live_blocks, 0);
}

TEST_F(TensorDeviceTest, PassesAFullDeviceThrough) {
  control_->before = [](FakeCall call) {
    return call == FakeCall::kAllocate ? test::fake_failure("full", Code::kOutOfDeviceMemory, 2) : Status();
  };
  EXPECT_EQ(Tensor::empty(ScalarType::kFloat, Sizes{2}, device_).error().code(), Code::kOutOfDeviceMemory);
}

}  // namespace
}  // namespace berth::module
