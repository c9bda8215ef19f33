// Plugins that lie: each lie is a PluginFault with its rule, nothing is corrupted, and the device goes on.
#include "core_test.h"

namespace berth::test {
namespace {

class DeviceGuardTest : public testing::Test {
 protected:
  std::string lie(std::function<void(const AllocationRequest&, MemoryBlock&)> alter) {
    control_->alter_block = std::move(alter);
    const Status status = failure_of(device_, {.bytes = 100});
    control_->alter_block = nullptr;
    EXPECT_EQ(status.code(), Code::kPluginFault);
    EXPECT_EQ(status.origin(), Origin::kDevice);
    const DeviceBuffer next = buffer_of(device_, 100);  // the device goes on
    return status.message();
  }
  std::string expected(const std::string& text) const {
    return "fake:0 (plugin fake), allocation of 100 bytes: " + text;
  }

  std::shared_ptr<FakeControl> control_ = std::make_shared<FakeControl>();
  std::shared_ptr<Device> device_ = make_fake_device(control_);
};

constexpr const char* kReport = "; report this to the plugin's author ";

TEST_F(DeviceGuardTest, Alloc01RefusesANullHandle) {
  EXPECT_EQ(lie([](const auto&, MemoryBlock& block) { block.handle = 0; }),
            expected("the plugin answered success without a memory handle: expected a handle other than 0, found 0") +
                kReport + "[ALLOC-01]");
  EXPECT_EQ(device_->statistics().stranded_count, 0u);
  EXPECT_EQ(control_->calls(FakeCall::kFree), 1u);  // only the good block's
}

TEST_F(DeviceGuardTest, Alloc02RefusesAHandleOfALiveBlock) {
  const DeviceBuffer held = buffer_of(device_, 8, {.id = device_->intern_owner("forward"), .part = 1});
  EXPECT_EQ(lie([&](const auto&, MemoryBlock& block) { block.handle = held.block().handle; }),
            expected("the plugin gave a handle twice: expected a handle that no live block has, found 0x1, which a "
                     "live block of 'forward' has") +
                kReport + "[ALLOC-02]");
  EXPECT_EQ(device_->statistics().stranded_count, 1u);  // freeing it would free the live block
  EXPECT_TRUE(bytes_of(held).size() == 8);
}

TEST_F(DeviceGuardTest, Alloc02AllowsAHandleThatWasFreed) {
  std::uint64_t handle = 0;
  {
    const DeviceBuffer first = buffer_of(device_, 8);
    handle = first.block().handle;
  }
  control_->alter_block = [&](const auto&, MemoryBlock& block) { block.handle = handle; };
  DeviceBuffer again = buffer_of(device_, 8);
  control_->before = [](FakeCall) { return Status(); };
  EXPECT_EQ(again.block().handle, handle);
  EXPECT_FALSE(again.release().ok());  // the fake does not know the handle that the test made up
}

TEST_F(DeviceGuardTest, Alloc03RefusesAMisalignedAddressAndGivesItBack) {
  EXPECT_EQ(
      lie([](const auto&, MemoryBlock& block) { block.address = 0x1020; }),
      expected("the plugin's address is misaligned: expected a multiple of 64, found 0x1020") + kReport + "[ALLOC-03]");
  EXPECT_EQ(control_->live_blocks, 0);
  EXPECT_EQ(device_->statistics().stranded_count, 0u);
  control_->alter_block = [](const auto&, MemoryBlock& block) { block.address = 0x1040; };
  EXPECT_EQ(failure_of(device_, {.bytes = 100, .alignment = 256}).info().found, "0x1040");
}

TEST_F(DeviceGuardTest, Alloc04RefusesLessMemoryThanAsked) {
  EXPECT_EQ(lie([](const auto&, MemoryBlock& block) { block.size = 99; }),
            expected("the plugin gave less memory than asked: expected at least 100 bytes, found 99 bytes") + kReport +
                "[ALLOC-04]");
  EXPECT_EQ(control_->live_blocks, 0);
}

TEST_F(DeviceGuardTest, Alloc04AllowsMoreMemoryThanAsked) {
  control_->alter_block = [](const auto&, MemoryBlock& block) { block.size = 128; };
  const DeviceBuffer buffer = buffer_of(device_, 100);
  EXPECT_EQ(buffer.size(), 100u);
  EXPECT_EQ(buffer.block().size, 128u);
  EXPECT_EQ(device_->statistics().current_bytes, 100u);
}

TEST_F(DeviceGuardTest, Alloc05RefusesMemoryThatALiveBlockHas) {
  control_->alter_block = [](const auto&, MemoryBlock& block) { block.address = 0x10000; };
  DeviceBuffer held = buffer_of(device_, 256, {.id = device_->intern_owner("forward"), .part = 1});
  const auto lie_at = [&](std::uint64_t address) {
    return lie([=](const auto&, MemoryBlock& block) { block.address = address; });
  };
  EXPECT_EQ(lie_at(0x10040),
            expected("the plugin gave memory that is in use: expected addresses that no live block has, found "
                     "[0x10040, 0x10040 + 100), which shares bytes with [0x10000, 0x10000 + 256) of 'forward'") +
                kReport + "[ALLOC-05]");
  EXPECT_EQ(lie_at(0x10000).substr(lie_at(0x10000).size() - 10), "[ALLOC-05]");
  EXPECT_EQ(lie_at(0xFFC0).substr(lie_at(0xFFC0).size() - 10), "[ALLOC-05]");
  EXPECT_EQ(lie_at(0x100C0).substr(lie_at(0x100C0).size() - 10), "[ALLOC-05]");
  EXPECT_EQ(device_->statistics().stranded_count, 7u);
}

TEST_F(DeviceGuardTest, Alloc05AllowsNeighbours) {
  std::uint64_t address = 0x10000;
  control_->alter_block = [&](const auto&, MemoryBlock& block) { block.address = address; };
  const DeviceBuffer middle = buffer_of(device_, 64);
  address = 0x10040;
  const DeviceBuffer above = buffer_of(device_, 64);
  address = 0xFFC0;
  const DeviceBuffer below = buffer_of(device_, 64);
  EXPECT_EQ(device_->statistics().current_count, 3u);
}

TEST_F(DeviceGuardTest, Alloc05AllowsAddressZero) {
  control_->alter_block = [](const auto&, MemoryBlock& block) { block.address = 0; };
  const DeviceBuffer buffer = buffer_of(device_, 64);
  EXPECT_TRUE(buffer.block().has_address);
}

TEST_F(DeviceGuardTest, Alloc06RefusesABlockThatContradictsItsKind) {
  EXPECT_EQ(
      lie([](const auto&, MemoryBlock& block) { block.has_address = false; }),
      expected("the plugin's block contradicts its kind: expected an address, found none") + kReport + "[ALLOC-06]");
  control_->has_addresses = false;
  device_ = make_fake_device(control_);
  EXPECT_EQ(lie([](const auto&, MemoryBlock& block) {
              block.has_address = true;
              block.address = 0x40;
            }),
            expected("the plugin's block contradicts its kind: expected no address, found address 0x40") + kReport +
                "[ALLOC-06]");
}

TEST_F(DeviceGuardTest, Alloc07RefusesARangeThatWrapsAround) {
  EXPECT_EQ(lie([](const auto&, MemoryBlock& block) { block.address = UINT64_MAX - 63; }),
            expected("the plugin's block leaves the 64-bit address space: expected address plus size within 64 bits, "
                     "found 0xffffffffffffffc0 plus 100 bytes") +
                kReport + "[ALLOC-07]");
  control_->alter_block = [](const auto&, MemoryBlock& block) { block.address = UINT64_MAX - 63; };
  EXPECT_FALSE(buffer_of(device_, 64).empty());  // its last byte is the last there is
}

TEST_F(DeviceGuardTest, Alloc08RefusesAnotherKind) {
  EXPECT_EQ(lie([](const auto&, MemoryBlock& block) { block.kind = 5; }),
            expected("the plugin gave memory of another kind: expected kind 0, found kind 5") + kReport + "[ALLOC-08]");
}

TEST_F(DeviceGuardTest, StrandsAMisalignedBlockWithTheHandleOfALiveOne) {
  const DeviceBuffer held = buffer_of(device_, 8);
  lie([&](const auto&, MemoryBlock& block) {
    block.handle = held.block().handle;
    block.address = 0x1001;
  });
  EXPECT_EQ(bytes_of(held).size(), 8u);
  EXPECT_EQ(device_->statistics().stranded_count, 1u);
}

TEST_F(DeviceGuardTest, ChecksHandlesOfBlocksWithoutAddresses) {
  control_->has_addresses = false;
  device_ = make_fake_device(control_);
  const DeviceBuffer held = buffer_of(device_, 8);
  EXPECT_FALSE(held.block().has_address);
  const std::string text = lie([&](const auto&, MemoryBlock& block) { block.handle = held.block().handle; });
  EXPECT_EQ(text.substr(text.size() - 10), "[ALLOC-02]");
}

TEST_F(DeviceGuardTest, Info01RefusesMoreFreeThanTotal) {
  control_->alter_info = [](MemoryInfo& info) {
    info.total = 100;
    info.free = 101;
  };
  const Status status = device_->memory_info().status();
  EXPECT_EQ(status.code(), Code::kPluginFault);
  EXPECT_EQ(status.message(),
            "fake:0 (plugin fake), memory information of heap 0: the plugin's memory figures are impossible: expected "
            "at most 100 bytes free (the total), found 101 bytes free; report this to the plugin's author [INFO-01]");
}

TEST_F(DeviceGuardTest, Info02RefusesMoreUsedThanTotal) {
  control_->alter_info = [](MemoryInfo& info) {
    info.total = 100;
    info.used_by_this_instance = 101;
  };
  EXPECT_EQ(device_->memory_info().status().message(),
            "fake:0 (plugin fake), memory information of heap 0: the plugin's memory figures are impossible: expected "
            "at most 100 bytes used (the total), found 101 bytes used; report this to the plugin's author [INFO-02]");
}

}  // namespace
}  // namespace berth::test
