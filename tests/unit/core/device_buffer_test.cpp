#include "berth/core/device_buffer.h"

#include <utility>

#include "core_test.h"

namespace berth::test {
namespace {

TEST(DeviceBufferTest, OwnsWhatItAllocatedAndFreesIt) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control);
  {
    const DeviceBuffer buffer = buffer_of(device, 100);
    EXPECT_FALSE(buffer.empty());
    EXPECT_EQ(buffer.size(), 100u);
    EXPECT_EQ(buffer.block().size, 100u);
    EXPECT_NE(buffer.block().handle, 0u);
    EXPECT_TRUE(buffer.block().has_address);
    EXPECT_EQ(buffer.block().address % 64, 0u);
    EXPECT_EQ(buffer.device(), device);
    EXPECT_EQ(buffer.host_data(), nullptr);
    EXPECT_EQ(control->live_blocks, 1);
  }
  EXPECT_EQ(control->live_blocks, 0);
}

TEST(DeviceBufferTest, EmptyOneOwnsNothing) {
  DeviceBuffer buffer;
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.size(), 0u);
  EXPECT_EQ(buffer.host_data(), nullptr);
  EXPECT_EQ(buffer.device(), nullptr);
  EXPECT_TRUE(buffer.release().ok());
  EXPECT_TRUE(buffer.write(0, nullptr, 0).ok());
  char byte = 0;
  EXPECT_EQ(
      buffer.write(0, &byte, 1).message(),
      "copy of 1 byte to the device: the range leaves the buffer: expected a range within 0 bytes, found offset 0");
}

TEST(DeviceBufferTest, NeedsADevice) {
  EXPECT_EQ(failure_of(nullptr, {.bytes = 1}).message(), "DeviceBuffer::allocate: there is no device");
}

TEST(DeviceBufferTest, ZeroBytesSucceedOnAFullDeviceWithoutTheDriver) {
  const auto control = std::make_shared<FakeControl>();
  control->capacity = 0;
  const auto device = make_fake_device(control, "fake:0", 0);
  DeviceBuffer first = buffer_of(device, 0);
  DeviceBuffer second = buffer_of(device, 0);
  EXPECT_NE(first.block().handle, 0u);
  EXPECT_NE(first.block().handle, second.block().handle);
  EXPECT_FALSE(first.block().has_address);
  EXPECT_EQ(first.block().size, 0u);
  EXPECT_EQ(device->statistics().current_count, 2u);
  EXPECT_EQ(first.native().status().message(),
            "fake:0 (plugin fake), native handle of 0 bytes: a buffer without bytes has no native handle");
  EXPECT_TRUE(first.release().ok());
  EXPECT_TRUE(second.copy_from(0, second, 0, 0).ok());
  EXPECT_EQ(control->all_calls(), 0u);
}

TEST(DeviceBufferTest, MovesWithoutCallingTheDriver) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control);
  DeviceBuffer first = buffer_of(device, 8);
  const std::uint64_t handle = first.block().handle;
  DeviceBuffer second = std::move(first);
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.size(), 0u);
  EXPECT_EQ(first.block().handle, 0u);
  EXPECT_EQ(second.block().handle, handle);
  DeviceBuffer& alias = second;
  second = std::move(alias);
  EXPECT_EQ(second.block().handle, handle);
  EXPECT_EQ(control->live_blocks, 1);
  second = buffer_of(device, 8);
  EXPECT_NE(second.block().handle, handle);
  EXPECT_EQ(control->live_blocks, 1);
  second = DeviceBuffer();
  EXPECT_EQ(control->live_blocks, 0);
}

TEST(DeviceBufferTest, AnyOrderOfDestructionIsRight) {
  const auto control = std::make_shared<FakeControl>();
  auto alive = std::make_shared<int>(1);
  const std::weak_ptr<int> instance = alive;
  DeviceOptions options;
  options.id = {"fake", 0};
  auto device = Device::create(options, std::make_unique<FakeDriver>(control), std::move(alive));
  auto alias = device->alias({"cuda", 0}, "a fallback");
  DeviceBuffer first = buffer_of(device, 8);
  DeviceBuffer second = buffer_of(alias, 8);
  device.reset();
  first = DeviceBuffer();
  alias.reset();
  EXPECT_FALSE(control->closed);
  EXPECT_FALSE(instance.expired());
  EXPECT_TRUE(second.write(0, "1234567", 8).ok());
  second = DeviceBuffer();
  EXPECT_TRUE(control->closed);
  EXPECT_TRUE(instance.expired());
  EXPECT_EQ(control->live_at_close, 0);
}

TEST(DeviceBufferTest, FailureNamesDeviceBytesAndThePluginsText) {
  const auto control = std::make_shared<FakeControl>();
  control->capacity = 100;
  const auto device = make_fake_device(control);
  const Status status = failure_of(device, {.bytes = 101});
  EXPECT_EQ(status.code(), Code::kOutOfDeviceMemory);
  EXPECT_EQ(status.origin(), Origin::kDevice);
  EXPECT_EQ(status.message(), "fake:0 (plugin fake), allocation of 101 bytes: the fake device is full [native code 2]");
  EXPECT_EQ(device->statistics().failures, 1u);
  EXPECT_EQ(device->statistics().current_count, 0u);
}

TEST(DeviceBufferTest, RefusesImpossibleRequestsBeforeTheDriver) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control);
  const std::string head = "fake:0 (plugin fake), allocation of 8 bytes: ";
  EXPECT_EQ(failure_of(device, {.bytes = 8, .alignment = 48}).message(),
            head + "the alignment is impossible: expected a power of two, found 48");
  EXPECT_EQ(failure_of(device, {.bytes = 8, .alignment = 8192}).message(),
            head + "the alignment is above what this kind of memory can: expected at most 4096, found 8192");
  EXPECT_EQ(failure_of(device, {.bytes = 8, .kind = 1}).message(),
            head + "the device has no such kind of memory: expected a kind below 1, found 1");
  EXPECT_EQ(failure_of(device, {.bytes = 8, .kind = 1}).code(), Code::kInvalidArgument);
  EXPECT_EQ(control->all_calls(), 0u);
  EXPECT_EQ(device->statistics().failures, 4u);
}

TEST(DeviceBufferTest, AlignsAsAsked) {
  const auto device = make_fake_device(std::make_shared<FakeControl>());
  for (const std::uint64_t alignment : {0u, 1u, 64u, 4096u}) {
    auto buffer = DeviceBuffer::allocate(device, {.bytes = 10, .alignment = alignment});
    ASSERT_TRUE(buffer.has_value());
    EXPECT_EQ(buffer->block().address % std::max<std::uint64_t>(alignment, 64), 0u);
  }
}

TEST(DeviceBufferTest, SizesNearTheEndOfTheNumbersFail) {
  const auto device = make_fake_device(std::make_shared<FakeControl>(), "fake:0", 1000);
  const DeviceBuffer held = buffer_of(device, 10);
  for (const std::uint64_t bytes : {UINT64_MAX, UINT64_MAX - 9, UINT64_MAX - 63, std::uint64_t{1} << 63}) {
    EXPECT_EQ(failure_of(device, {.bytes = bytes}).code(), Code::kLimitExceeded);
  }
  const auto unlimited = make_fake_device(std::make_shared<FakeControl>());
  EXPECT_EQ(failure_of(unlimited, {.bytes = UINT64_MAX}).code(), Code::kOutOfDeviceMemory);
}

TEST(DeviceBufferTest, FailedFreeIsStrandedAndSaidByRelease) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control);
  const OwnerId owner = device->intern_owner("forward");
  DeviceBuffer buffer = buffer_of(device, 24, {.id = owner, .part = 2});
  control->before = failing(FakeCall::kFree, "stuck", Code::kDriverFailed, 7);
  const Status status = buffer.release();
  EXPECT_EQ(status.message(), "fake:0 (plugin fake), free of 24 bytes: stuck [native code 7]");
  EXPECT_TRUE(buffer.empty());
  EXPECT_TRUE(buffer.release().ok());
  { const DeviceBuffer quiet = buffer_of(device, 8); }
  const DeviceStatistics statistics = device->statistics();
  EXPECT_EQ(statistics.current_count, 0u);
  EXPECT_EQ(statistics.stranded_count, 2u);
  EXPECT_EQ(statistics.stranded_bytes, 32u);
  const auto usage = device->usage();
  ASSERT_EQ(usage.size(), 2u);
  EXPECT_EQ(usage[0].owner, "forward");
  EXPECT_EQ(usage[0].part, 2u);
  EXPECT_EQ(usage[0].bytes, 24u);
  EXPECT_TRUE(usage[0].stranded);
  EXPECT_EQ(usage[1].owner, "unnamed");
}

TEST(DeviceBufferTest, LostDeviceFreesQuietly) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control);
  DeviceBuffer buffer = buffer_of(device, 8);
  control->before = [](FakeCall call) {
    return call == FakeCall::kFree ? Status() : fake_failure("the device is lost", Code::kDeviceLost);
  };
  EXPECT_EQ(buffer.fill(0, 8, 0).message(),
            "fake:0 (plugin fake), fill of 8 bytes: the device is lost; call "
            "registry.retry(fake:0) to open the device again");
  EXPECT_EQ(failure_of(device, {.bytes = 8}).code(), Code::kDeviceLost);
  EXPECT_TRUE(buffer.release().ok());
  EXPECT_EQ(device->statistics().stranded_count, 0u);
}

TEST(DeviceBufferTest, GivesTheNativeHandle) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control);
  const DeviceBuffer buffer = buffer_of(device, 8);
  EXPECT_EQ(buffer.native()->api, "fake");
  EXPECT_EQ(buffer.native()->value[0], buffer.block().handle);
  EXPECT_EQ(device->native()->value[0], 1u);
  control->alter_native = [](NativeHandle& handle) { handle.api.clear(); };
  EXPECT_EQ(device->native().status().message(),
            "fake:0 (plugin fake), native handle of the device: the plugin answered success without naming its API: "
            "expected an API name, found none; report this to the plugin's author [NATIVE-01]");
  control->before = failing(FakeCall::kNative, "not now");
  EXPECT_EQ(buffer.native().status().message(), "fake:0 (plugin fake), native handle of the buffer: not now");
}

TEST(DeviceBufferTest, HasNoNativeHandleWhereThePluginGivesNone) {
  const auto control = std::make_shared<FakeControl>();
  control->capabilities = 0;
  const DeviceBuffer buffer = buffer_of(make_fake_device(control), 8);
  EXPECT_EQ(buffer.native().status().message(),
            "fake:0 (plugin fake), native handle of the buffer: the plugin gives no native handles");
  EXPECT_EQ(buffer.native().status().code(), Code::kUnsupported);
}

}  // namespace
}  // namespace berth::test
