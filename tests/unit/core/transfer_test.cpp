// Copies and fills: directly, emulated, between peers, through the host.
#include <cstring>

#include "berth/core/host_device.h"
#include "core_test.h"

namespace berth::test {
namespace {

constexpr std::uint64_t kLarge = (std::uint64_t{3} << 20) + 17;  // more than two chunks of the bounce buffer

std::uint64_t without(std::initializer_list<Capability> capabilities) { return ~bits(capabilities); }

void write_counting(DeviceBuffer& buffer) {
  const auto bytes = counting(buffer.size());
  ASSERT_EQ(buffer.write(0, bytes.data(), bytes.size()).message(), "OK");
}

TEST(TransferTest, WritesAndReadsAtOffsets) {
  DeviceBuffer buffer = buffer_of(make_fake_device(std::make_shared<FakeControl>()), 10);
  write_counting(buffer);
  EXPECT_TRUE(buffer.write(8, "ab", 2).ok());
  char back[3] = {};
  EXPECT_TRUE(buffer.read(7, back, 3).ok());
  EXPECT_EQ(std::string(back, 3), "\aab");
}

TEST(TransferTest, RefusesRangesThatLeaveTheBuffer) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control);
  DeviceBuffer buffer = buffer_of(device, 10);
  DeviceBuffer other = buffer_of(device, 10);
  char byte[16] = {};
  EXPECT_EQ(buffer.write(3, byte, 8).message(),
            "fake:0 (plugin fake), copy of 8 bytes to the device: the range leaves the buffer: expected a range within "
            "10 bytes, found offset 3");
  EXPECT_EQ(buffer.read(11, byte, 0).message(),
            "fake:0 (plugin fake), copy of 0 bytes to the host: the range leaves the buffer: expected a range within "
            "10 bytes, found offset 11");
  EXPECT_EQ(buffer.fill(10, 1, 0).message(),
            "fake:0 (plugin fake), fill of 1 byte: the range leaves the buffer: expected a range within 10 bytes, "
            "found offset 10");
  EXPECT_EQ(buffer.copy_from(0, other, 9, 2).message(),
            "fake:0 (plugin fake), copy of 2 bytes from the device: the range leaves the buffer: expected a range "
            "within 10 bytes, found offset 9");
  EXPECT_FALSE(buffer.write(UINT64_MAX, byte, 2).ok());
  EXPECT_FALSE(buffer.write(2, byte, UINT64_MAX).ok());
  EXPECT_FALSE(buffer.copy_from(UINT64_MAX - 1, other, UINT64_MAX - 1, 4).ok());
  EXPECT_EQ(buffer.write(3, byte, 8).code(), Code::kInvalidArgument);
  EXPECT_EQ(control->all_calls(), 2u);
}

TEST(TransferTest, ZeroBytesNeverReachTheDriver) {
  const auto control = std::make_shared<FakeControl>();
  DeviceBuffer buffer = buffer_of(make_fake_device(control), 10);
  EXPECT_TRUE(buffer.write(10, nullptr, 0).ok());
  EXPECT_TRUE(buffer.read(0, nullptr, 0).ok());
  EXPECT_TRUE(buffer.fill(5, 0, 1).ok());
  EXPECT_TRUE(buffer.copy_from(0, buffer, 0, 0).ok());
  EXPECT_EQ(control->all_calls(), 1u);
}

TEST(TransferTest, RefusesNullHostPointers) {
  DeviceBuffer buffer = buffer_of(make_fake_device(std::make_shared<FakeControl>()), 10);
  EXPECT_EQ(buffer.write(0, nullptr, 1).message(),
            "fake:0 (plugin fake), copy of 1 byte to the device: the host pointer is null");
  EXPECT_EQ(buffer.read(0, nullptr, 2).message(),
            "fake:0 (plugin fake), copy of 2 bytes to the host: the host pointer is null");
}

TEST(TransferTest, FailuresNameDirectionBytesAndThePluginsText) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control);
  DeviceBuffer buffer = buffer_of(device, 10);
  DeviceBuffer other = buffer_of(device, 10);
  char bytes[10] = {};
  control->before = [](FakeCall) { return fake_failure("a bad day", Code::kDriverFailed, 9); };
  EXPECT_EQ(buffer.write(0, bytes, 10).message(),
            "fake:0 (plugin fake), copy of 10 bytes to the device: a bad day [native code 9]");
  EXPECT_EQ(buffer.read(0, bytes, 10).message(),
            "fake:0 (plugin fake), copy of 10 bytes to the host: a bad day [native code 9]");
  EXPECT_EQ(buffer.copy_from(0, other, 0, 10).message(),
            "fake:0 (plugin fake), copy of 10 bytes within the device: a bad day [native code 9]");
  EXPECT_EQ(buffer.fill(0, 10, 1).message(), "fake:0 (plugin fake), fill of 10 bytes: a bad day [native code 9]");
  control->before = nullptr;
}

TEST(TransferTest, CopiesWithinADeviceDirectly) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control);
  DeviceBuffer source = buffer_of(device, 20);
  DeviceBuffer target = buffer_of(device->alias({"cuda", 0}, "fallback"), 20);
  write_counting(source);
  EXPECT_TRUE(target.copy_from(5, source, 2, 10).ok());
  EXPECT_EQ(bytes_of(target)[5], 2);
  EXPECT_EQ(bytes_of(target)[14], 11);
  EXPECT_EQ(control->calls(FakeCall::kWithin), 1u);
}

TEST(TransferTest, CopiesWithinOneBufferUnlessTheRangesOverlap) {
  DeviceBuffer buffer = buffer_of(make_fake_device(std::make_shared<FakeControl>()), 20);
  write_counting(buffer);
  EXPECT_TRUE(buffer.copy_from(10, buffer, 0, 10).ok());
  EXPECT_TRUE(buffer.copy_from(0, buffer, 10, 10).ok());
  EXPECT_EQ(bytes_of(buffer)[19], 9);
  const Status status = buffer.copy_from(0, buffer, 9, 10);
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(
      status.message(),
      "fake:0 (plugin fake), copy of 10 bytes within the device: the ranges overlap: expected offsets at least 10 "
      "bytes apart, found offsets 9 and 0");
  EXPECT_FALSE(buffer.copy_from(3, buffer, 3, 1).ok());
}

TEST(TransferTest, EmulatesCopyWithinThroughTheHost) {
  const auto control = std::make_shared<FakeControl>();
  control->capabilities = without({Capability::kCopyWithin});
  const auto device = make_fake_device(control);
  DeviceBuffer source = buffer_of(device, kLarge);
  DeviceBuffer target = buffer_of(device, kLarge);
  write_counting(source);
  EXPECT_TRUE(target.copy_from(0, source, 0, kLarge).ok());
  EXPECT_EQ(bytes_of(target), counting(kLarge));
  EXPECT_EQ(control->calls(FakeCall::kWithin), 0u);
  EXPECT_EQ(control->calls(FakeCall::kToHost), 4u + 1u);
}

TEST(TransferTest, EmulatesFillAndLeavesNeighboursAlone) {
  for (const std::uint64_t size : {std::uint64_t{10}, kLarge}) {
    const auto control = std::make_shared<FakeControl>();
    control->capabilities = without({Capability::kFill});
    DeviceBuffer buffer = buffer_of(make_fake_device(control), size);
    write_counting(buffer);
    EXPECT_TRUE(buffer.fill(1, size - 2, 0xAB).ok());
    auto expected = counting(size);
    std::memset(expected.data() + 1, 0xAB, size - 2);
    EXPECT_EQ(bytes_of(buffer), expected);
    EXPECT_EQ(control->calls(FakeCall::kFill), 0u);
  }
}

TEST(TransferTest, FillsDirectlyWhereTheDriverCan) {
  const auto control = std::make_shared<FakeControl>();
  DeviceBuffer buffer = buffer_of(make_fake_device(control), 10);
  EXPECT_TRUE(buffer.fill(0, 10, 7).ok());
  EXPECT_EQ(bytes_of(buffer), std::vector<std::uint8_t>(10, 7));
  EXPECT_EQ(control->calls(FakeCall::kFill), 1u);
}

TEST(TransferTest, CopiesToAndFromTheHostDeviceInOneStep) {
  const auto control = std::make_shared<FakeControl>();
  DeviceBuffer remote = buffer_of(make_fake_device(control), kLarge);
  DeviceBuffer host = buffer_of(make_host_device(), kLarge);
  write_counting(host);
  EXPECT_TRUE(remote.copy_from(0, host, 0, kLarge).ok());
  EXPECT_EQ(control->calls(FakeCall::kToDevice), 1u);
  EXPECT_TRUE(host.fill(0, kLarge, 0).ok());
  EXPECT_TRUE(host.copy_from(0, remote, 0, kLarge).ok());
  EXPECT_EQ(control->calls(FakeCall::kToHost), 1u);
  EXPECT_EQ(bytes_of(host), counting(kLarge));
}

class PeerTest : public testing::Test {
 protected:
  void SetUp() override {
    from_->log = nullptr;
    source_ = buffer_of(first_, 100);
    target_ = buffer_of(second_, 100);
    write_counting(source_);
  }
  struct Side : FakeControl {
    std::shared_ptr<LogSink> log;
  };

  std::vector<std::string> logged_;
  std::shared_ptr<Side> from_ = std::make_shared<Side>();
  std::shared_ptr<FakeControl> to_ = std::make_shared<FakeControl>();
  std::shared_ptr<Device> first_ =
      make_fake_device(from_, "fake:0", std::nullopt,
                       make_function_sink([this](LogLevel, std::string_view text) { logged_.emplace_back(text); }));
  std::shared_ptr<Device> second_ = make_fake_device(to_, "fake:1");
  DeviceBuffer source_;
  DeviceBuffer target_;
};

TEST_F(PeerTest, TriesAPairOnceAndThenCopiesDirectly) {
  EXPECT_TRUE(target_.copy_from(0, source_, 0, 100).ok());
  EXPECT_EQ(from_->calls(FakeCall::kPeerCopy), 2u);
  EXPECT_TRUE(target_.copy_from(50, source_, 0, 50).ok());
  EXPECT_EQ(from_->calls(FakeCall::kPeerCopy), 3u);
  EXPECT_EQ(from_->calls(FakeCall::kAskPeer), 1u);
  EXPECT_EQ(from_->calls(FakeCall::kToHost), 0u);
  EXPECT_EQ(bytes_of(target_)[99], 49);
  EXPECT_EQ(first_->statistics().current_count, 1u);
  EXPECT_EQ(second_->statistics().current_count, 1u);
  EXPECT_TRUE(first_->notices().empty());
}

TEST_F(PeerTest, GoesThroughTheHostWhenAPairMovesNothingAndSaysSo) {
  from_->peer_moves_nothing = true;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(target_.fill(0, 100, 0).ok());
    EXPECT_TRUE(target_.copy_from(0, source_, 0, 100).ok());
    EXPECT_EQ(bytes_of(target_), counting(100));
  }
  EXPECT_EQ(from_->calls(FakeCall::kPeerCopy), 1u);
  const std::vector<std::string> expected{
      "fake:0 (plugin fake), peer copies to fake:1 (plugin fake): the plugin answered success and moved nothing right: "
      "copied through the host instead [PEER-01]"};
  EXPECT_EQ(first_->notices(), expected);
  EXPECT_EQ(logged_, expected);
}

TEST_F(PeerTest, GoesThroughTheHostWhenTheTrialFails) {
  from_->before = failing(FakeCall::kPeerCopy, "no link");
  EXPECT_TRUE(target_.copy_from(0, source_, 0, 100).ok());
  EXPECT_EQ(bytes_of(target_), counting(100));
  EXPECT_EQ(first_->notices(),
            std::vector<std::string>{"fake:0 (plugin fake), peer copies to fake:1 (plugin fake): no link: copied "
                                     "through the host instead"});
}

TEST_F(PeerTest, GoesThroughTheHostWhenThePairIsNotAllowed) {
  from_->peers = false;
  EXPECT_TRUE(target_.copy_from(0, source_, 0, 100).ok());
  EXPECT_EQ(bytes_of(target_), counting(100));
  EXPECT_EQ(from_->calls(FakeCall::kPeerCopy), 0u);
  EXPECT_TRUE(first_->notices().empty());
}

TEST_F(PeerTest, DecidesNothingWhenThereIsNoMemoryForTheTrial) {
  to_->before = failing(FakeCall::kAllocate, "full");
  EXPECT_TRUE(target_.copy_from(0, source_, 0, 100).ok());
  EXPECT_EQ(bytes_of(target_), counting(100));
  EXPECT_EQ(from_->calls(FakeCall::kPeerCopy), 0u);
  to_->before = nullptr;
  EXPECT_TRUE(target_.copy_from(0, source_, 0, 100).ok());
  EXPECT_EQ(from_->calls(FakeCall::kPeerCopy), 2u);
}

TEST_F(PeerTest, FailureOfATrustedPairIsAnError) {
  EXPECT_TRUE(target_.copy_from(0, source_, 0, 100).ok());
  from_->before = failing(FakeCall::kPeerCopy, "link down");
  EXPECT_EQ(target_.copy_from(0, source_, 0, 100).message(),
            "fake:0 (plugin fake), copy of 100 bytes to fake:1 (plugin fake): link down");
}

TEST_F(PeerTest, HostBounceFailuresNameTheirSide) {
  from_->peers = false;
  from_->before = failing(FakeCall::kToHost, "cannot read");
  EXPECT_EQ(target_.copy_from(0, source_, 0, 100).message(),
            "fake:0 (plugin fake), copy of 100 bytes to the host: cannot read");
  from_->before = nullptr;
  to_->before = failing(FakeCall::kToDevice, "cannot write");
  EXPECT_EQ(target_.copy_from(0, source_, 0, 100).message(),
            "fake:1 (plugin fake), copy of 100 bytes to the device: cannot write");
}

}  // namespace
}  // namespace berth::test
