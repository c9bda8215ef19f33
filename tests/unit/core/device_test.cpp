// Limits, owners, statistics, memory figures, aliases, and the raw-address entry of a Device.
#include "berth/core/device.h"

#include "core_test.h"

namespace berth::test {
namespace {

TEST(DeviceTest, LimitIsExactAndSaidInFull) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control, "fake:0", 100);
  EXPECT_EQ(device->limit(), 100u);
  DeviceBuffer first = buffer_of(device, 60);
  const DeviceBuffer second = buffer_of(device, 40);
  const Status status = failure_of(device, {.bytes = 1});
  EXPECT_EQ(status.code(), Code::kLimitExceeded);
  EXPECT_EQ(status.origin(), Origin::kDevice);
  EXPECT_EQ(status.message(),
            "fake:0 (plugin fake), allocation of 1 byte: the limit of the registry file would be exceeded: expected at "
            "most 0 bytes (limit 100 bytes, in use 100 bytes), found 1 byte; free memory or raise `limit` of "
            "[[device]] fake:0");
  EXPECT_EQ(control->calls(FakeCall::kAllocate), 2u);
  EXPECT_TRUE(first.release().ok());
  EXPECT_FALSE(buffer_of(device, 60).empty());
}

TEST(DeviceTest, LimitIsGivenBackWhenTheDriverFailsOrLies) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control, "fake:0", 100);
  control->before = failing(FakeCall::kAllocate, "no");
  EXPECT_FALSE(DeviceBuffer::allocate(device, {.bytes = 100}).has_value());
  control->before = nullptr;
  control->alter_block = [](const auto&, MemoryBlock& block) { block.address += 1; };
  EXPECT_FALSE(DeviceBuffer::allocate(device, {.bytes = 100}).has_value());
  control->alter_block = [](const auto&, MemoryBlock& block) { block.handle = 0; };
  EXPECT_FALSE(DeviceBuffer::allocate(device, {.bytes = 100}).has_value());
  control->alter_block = nullptr;
  EXPECT_FALSE(buffer_of(device, 100).empty());
}

TEST(DeviceTest, StrandedBytesStayCharged) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control, "fake:0", 100);
  DeviceBuffer buffer = buffer_of(device, 60);
  control->before = failing(FakeCall::kFree, "stuck");
  EXPECT_FALSE(buffer.release().ok());
  EXPECT_EQ(failure_of(device, {.bytes = 41}).info().expected, "at most 40 bytes (limit 100 bytes, in use 60 bytes)");
}

TEST(DeviceTest, NeedsADriver) { EXPECT_EQ(Device::create({}, nullptr), nullptr); }

TEST(DeviceTest, CountsByDevice) {
  const auto device = make_fake_device(std::make_shared<FakeControl>());
  {
    const DeviceBuffer first = buffer_of(device, 100);
    const DeviceBuffer second = buffer_of(device, 50);
  }
  const DeviceBuffer third = buffer_of(device, 10);
  (void)DeviceBuffer::allocate(device, {.bytes = 1, .alignment = 3});
  const DeviceStatistics statistics = device->statistics();
  EXPECT_EQ(statistics.current_bytes, 10u);
  EXPECT_EQ(statistics.peak_bytes, 150u);
  EXPECT_EQ(statistics.current_count, 1u);
  EXPECT_EQ(statistics.total_count, 3u);
  EXPECT_EQ(statistics.failures, 1u);
}

TEST(DeviceTest, NamesLiveBytesByOwnerAndPartLargestFirst) {
  const auto device = make_fake_device(std::make_shared<FakeControl>());
  const OwnerId forward = device->intern_owner("add.pte/forward");
  EXPECT_EQ(device->intern_owner("add.pte/forward"), forward);
  EXPECT_EQ(device->intern_owner("unnamed"), 0u);
  const DeviceBuffer a = buffer_of(device, 10, {.id = forward, .part = 1});
  const DeviceBuffer b = buffer_of(device, 30, {.id = forward, .part = 2});
  const DeviceBuffer c = buffer_of(device, 5, {.id = forward, .part = 1});
  const DeviceBuffer d = buffer_of(device, 20);
  const DeviceBuffer e = buffer_of(device, 1, {.id = 12345, .part = 0});
  { const DeviceBuffer gone = buffer_of(device, 100, {.id = forward, .part = 3}); }
  (void)DeviceBuffer::allocate(device, {.bytes = 1, .alignment = 3}, {.id = forward, .part = 1});
  const auto usage = device->usage();
  ASSERT_EQ(usage.size(), 3u);
  EXPECT_EQ(usage[0].owner, "add.pte/forward");
  EXPECT_EQ(usage[0].part, 2u);
  EXPECT_EQ(usage[0].bytes, 30u);
  EXPECT_EQ(usage[0].peak_bytes, 145u);
  EXPECT_EQ(usage[0].failures, 1u);
  EXPECT_EQ(usage[1].owner, "unnamed");
  EXPECT_EQ(usage[1].bytes, 21u);
  EXPECT_EQ(usage[1].count, 2u);
  EXPECT_EQ(usage[2].part, 1u);
  EXPECT_EQ(usage[2].bytes, 15u);
  EXPECT_EQ(usage[2].count, 2u);
  EXPECT_FALSE(usage[2].stranded);
}

TEST(DeviceTest, MemoryInfoKeepsUnknownApartFromZero) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control);
  const DeviceBuffer buffer = buffer_of(device, 10);
  const MemoryInfo info = device->memory_info().value();
  EXPECT_FALSE(info.total.has_value());
  EXPECT_FALSE(info.free.has_value());
  EXPECT_EQ(info.used_by_this_instance, 10u);
  EXPECT_EQ(device->memory_info(1).status().message(),
            "fake:0 (plugin fake), memory information of heap 1: the device has no such heap: expected a heap below 1, "
            "found 1");
  control->before = failing(FakeCall::kInfo, "no figures");
  EXPECT_EQ(device->memory_info().status().message(), "fake:0 (plugin fake), memory information of heap 0: no figures");
}

TEST(DeviceTest, MemoryInfoFallsBackToPropertiesWithoutTheGroup) {
  const auto control = std::make_shared<FakeControl>();
  control->capabilities = 0;
  control->capacity = 1000;
  const auto device = make_fake_device(control);
  const MemoryInfo info = device->memory_info().value();
  EXPECT_EQ(info.total, 1000u);
  EXPECT_FALSE(info.free.has_value());
  EXPECT_EQ(info.used_by_this_instance, 0u);
  EXPECT_EQ(control->calls(FakeCall::kInfo), 0u);
}

TEST(DeviceTest, AliasIsTheSameDeviceUnderAnotherId) {
  const auto control = std::make_shared<FakeControl>();
  const auto mock = make_fake_device(control, "mock:0");
  const auto cuda = mock->alias({"cuda", 0}, "fallback: no driver");
  EXPECT_EQ(cuda->id().to_string(), "cuda:0");
  EXPECT_EQ(cuda->served_by().reason, "fallback: no driver");
  EXPECT_EQ(cuda->served_by().entry, "mock:0");
  EXPECT_TRUE(cuda->same_state(*mock));
  EXPECT_TRUE(cuda->same_hardware(*mock));
  const DeviceBuffer buffer = buffer_of(cuda, 10);
  EXPECT_EQ(mock->statistics().current_bytes, 10u);
  control->before = failing(FakeCall::kAllocate, "no");
  EXPECT_EQ(failure_of(cuda, {.bytes = 1}).message(), "cuda:0 (plugin fake), allocation of 1 byte: no");
  const auto other = make_fake_device(control, "mock:1");
  EXPECT_FALSE(other->same_state(*mock));
  EXPECT_FALSE(other->same_hardware(*mock));
}

class DeviceAddressTest : public testing::Test {
 protected:
  std::string problem_with(std::uint64_t address) { return device_->free_address(address).message(); }

  std::shared_ptr<FakeControl> control_ = std::make_shared<FakeControl>();
  std::shared_ptr<Device> device_ = make_fake_device(control_);
};

std::string refused(const std::string& address, const std::string& found) {
  return "fake:0 (plugin fake), free of address " + address +
         ": the address cannot be freed: expected the address of a live block from allocate_address, found " + found;
}

TEST_F(DeviceAddressTest, AllocatesAndFreesByAddress) {
  const MemoryBlock block = device_->allocate_address({.bytes = 100}).value();
  EXPECT_EQ(control_->live_blocks, 1);
  EXPECT_TRUE(device_->free_address(block.address).ok());
  EXPECT_EQ(control_->live_blocks, 0);
}

TEST_F(DeviceAddressTest, TellsForeignInteriorAndDoubleFreedApart) {
  std::uint64_t address = 0x10000;
  control_->alter_block = [&](const auto&, MemoryBlock& block) { block.address = address; };
  ASSERT_TRUE(device_->allocate_address({.bytes = 100}).has_value());
  EXPECT_EQ(problem_with(0xFFFF), refused("0xffff", "an address that this device never gave out"));
  EXPECT_EQ(problem_with(0x10064), refused("0x10064", "an address that this device never gave out"));
  EXPECT_EQ(problem_with(0x10001), refused("0x10001", "an address 1 byte inside the block at 0x10000"));
  EXPECT_EQ(problem_with(0x10063), refused("0x10063", "an address 99 bytes inside the block at 0x10000"));
  EXPECT_EQ(control_->calls(FakeCall::kFree), 0u);
  EXPECT_TRUE(device_->free_address(0x10000).ok());
  EXPECT_EQ(problem_with(0x10000), refused("0x10000", "an address that was freed before"));
  EXPECT_EQ(control_->calls(FakeCall::kFree), 1u);
  EXPECT_EQ(device_->free_address(0x10000).code(), Code::kInvalidArgument);
  EXPECT_EQ(device_->free_address(0x10000).origin(), Origin::kUsage);
}

TEST_F(DeviceAddressTest, RemembersAFreedAddressWhenItsRangeIsUsedAgain) {
  std::uint64_t address = 0x10040;
  control_->alter_block = [&](const auto&, MemoryBlock& block) { block.address = address; };
  ASSERT_TRUE(device_->allocate_address({.bytes = 64}).has_value());
  ASSERT_TRUE(device_->free_address(0x10040).ok());
  address = 0x10000;
  const DeviceBuffer around = buffer_of(device_, 64);
  EXPECT_EQ(problem_with(0x10040), refused("0x10040", "an address that was freed before"));
  address = 0x10040;
  ASSERT_TRUE(device_->allocate_address({.bytes = 64}).has_value());
  EXPECT_TRUE(device_->free_address(0x10040).ok());
}

TEST_F(DeviceAddressTest, DoesNotFreeWhatADeviceBufferOwns) {
  const DeviceBuffer buffer = buffer_of(device_, 8);
  EXPECT_EQ(device_->free_address(buffer.block().address).info().found,
            "the address of a block that a DeviceBuffer owns");
  EXPECT_EQ(control_->live_blocks, 1);
}

TEST_F(DeviceAddressTest, StrandsWhatTheDriverDoesNotTakeBack) {
  const MemoryBlock block = device_->allocate_address({.bytes = 100}).value();
  control_->before = failing(FakeCall::kFree, "stuck");
  const std::string text = problem_with(block.address);
  EXPECT_EQ(text.substr(text.find(": ")), ": stuck");
  EXPECT_EQ(device_->statistics().stranded_bytes, 100u);
}

TEST_F(DeviceAddressTest, NeedsAKindWithAddresses) {
  control_->has_addresses = false;
  const auto opaque = make_fake_device(control_);
  const Status status = opaque->allocate_address({.bytes = 1}).status();
  EXPECT_EQ(status.code(), Code::kUnsupported);
  EXPECT_EQ(status.message(),
            "fake:0 (plugin fake): kind 0 of this device has no addresses; use DeviceBuffer, which needs none");
}

TEST_F(DeviceAddressTest, ZeroBytesNeedNoFree) {
  const MemoryBlock block = device_->allocate_address({.bytes = 0}).value();
  EXPECT_FALSE(block.has_address);
  EXPECT_EQ(device_->statistics().current_count, 0u);
}

TEST_F(DeviceAddressTest, BlocksLeftBehindAreFreedAndNamedAtClose) {
  std::vector<std::string> log;
  device_ = make_fake_device(control_, "fake:1", std::nullopt,
                             make_function_sink([&](LogLevel, std::string_view text) { log.emplace_back(text); }));
  ASSERT_TRUE(device_->allocate_address({.bytes = 100}, {.id = device_->intern_owner("adapter"), .part = 0}));
  device_.reset();
  EXPECT_EQ(control_->live_at_close, 0);
  EXPECT_EQ(log,
            std::vector<std::string>{"fake:1 (plugin fake): freed 1 block (100 bytes) that 'adapter' left behind"});
}

}  // namespace
}  // namespace berth::test
