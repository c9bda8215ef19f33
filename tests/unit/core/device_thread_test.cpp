// Many threads on one device; for the thread sanitizer.
#include <array>
#include <thread>

#include "berth/core/device_registry.h"
#include "core_test.h"

namespace berth::test {
namespace {

template <typename Body>
void in_threads(int count, Body body) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) threads.emplace_back([&body, i] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

TEST(DeviceThreadTest, AllocatesFreesAndReportsFromManyThreads) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control, "fake:0", 1 << 20);
  in_threads(4, [&](int thread) {
    const OwnerId owner = device->intern_owner("thread " + std::to_string(thread % 2));
    std::array<DeviceBuffer, 8> held;
    for (std::size_t i = 0; i < 400; ++i) {
      held[i % held.size()] = buffer_of(device, 64 + i % 100, {.id = owner, .part = 0});
      EXPECT_TRUE(held[i % held.size()].fill(0, 64, static_cast<std::uint8_t>(i)).ok());
      if (i % 50 == 0) {
        EXPECT_LE(device->usage().size(), 3u);
        EXPECT_LE(device->statistics().current_count, 33u);
        EXPECT_TRUE(device->memory_info().has_value());
      }
    }
  });
  EXPECT_EQ(device->statistics().current_count, 0u);
  EXPECT_EQ(device->statistics().current_bytes, 0u);
  EXPECT_EQ(device->statistics().total_count, 1600u);
  EXPECT_EQ(control->live_blocks, 0);
}

// A driver that gives a freed handle and address to the next caller at once: the ledger must have forgotten them.
class EagerDriver final : public DeviceDriver {
 public:
  EagerDriver() {
    properties_.kinds.push_back({});
    properties_.kinds[0].has_address = true;
    properties_.heaps.emplace_back();
    for (std::uint64_t i = 8; i > 0; --i) free_.push_back(i * 4096);
  }
  const DeviceProperties& properties() const noexcept override { return properties_; }
  Status allocate(const AllocationRequest& request, MemoryBlock& out) noexcept override {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return fake_failure("full", Code::kOutOfDeviceMemory);
    out = {.handle = free_.back(), .address = free_.back(), .size = request.bytes, .kind = 0, .has_address = true};
    free_.pop_back();
    return {};
  }
  Status free(const MemoryBlock& block) noexcept override {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(block.address);
    }
    std::this_thread::yield();  // another thread takes it before this call returns
    return {};
  }
  Status copy_to_device(const MemoryBlock&, std::uint64_t, const void*, std::uint64_t) noexcept override { return {}; }
  Status copy_to_host(void*, const MemoryBlock&, std::uint64_t, std::uint64_t) noexcept override { return {}; }

 private:
  DeviceProperties properties_;
  std::mutex mutex_;
  std::vector<std::uint64_t> free_;
};

TEST(DeviceThreadTest, HandlesThatComeBackAtOnceAreNoFault) {
  DeviceOptions options;
  options.id = {"fake", 0};
  const auto device = Device::create(options, std::make_unique<EagerDriver>());
  in_threads(4, [&](int) {
    for (int i = 0; i < 5000; ++i) {
      const auto buffer = DeviceBuffer::allocate(device, {.bytes = 64});
      ASSERT_TRUE(buffer.has_value() || buffer.error().code() == Code::kOutOfDeviceMemory) << buffer.error().message();
    }
  });
  EXPECT_EQ(device->statistics().current_count, 0u);
}

TEST(DeviceThreadTest, LimitHoldsBetweenThreads) {
  const auto control = std::make_shared<FakeControl>();
  const auto device = make_fake_device(control, "fake:0", 1000);
  std::atomic<std::uint64_t> most{0};
  in_threads(4, [&](int) {
    for (int i = 0; i < 1000; ++i) {
      const auto buffer = DeviceBuffer::allocate(device, {.bytes = 400});
      const std::uint64_t now = control->live_bytes;
      if (now > most) most = now;
    }
  });
  EXPECT_LE(most, 1000u);
  EXPECT_FALSE(buffer_of(device, 1000).empty());
}

TEST(DeviceThreadTest, PeersAreTriedOnce) {
  const auto control = std::make_shared<FakeControl>();
  const auto first = make_fake_device(control, "fake:0");
  const auto second = make_fake_device(control, "fake:1");
  in_threads(4, [&](int) {
    DeviceBuffer source = buffer_of(first, 64);
    DeviceBuffer target = buffer_of(second, 64);
    EXPECT_TRUE(target.copy_from(0, source, 0, 64).ok());
    EXPECT_TRUE(source.copy_from(0, target, 0, 64).ok());
  });
  EXPECT_EQ(control->calls(FakeCall::kAskPeer), 2u);
  EXPECT_EQ(control->calls(FakeCall::kPeerCopy), 2u + 8u);
}

TEST(DeviceRegistryThreadTest, OpensOnceForManyThreads) {
  DeviceRegistry registry;
  const auto control = std::make_shared<FakeControl>();
  std::atomic<int> opened{0};
  ASSERT_TRUE(registry
                  .add({"fake", 0},
                       [&] {
                         ++opened;
                         return make_fake_device(control);
                       })
                  .ok());
  ASSERT_TRUE(
      registry.add({"bad", 0}, []() -> Result<std::shared_ptr<Device>> { return fail(fake_failure("no")); }).ok());
  in_threads(4, [&](int thread) {
    for (int i = 0; i < 200; ++i) {
      EXPECT_TRUE(registry.find({"fake", 0}).has_value());
      EXPECT_EQ(registry.find({"bad", 0}).status().message(), "no");
      (void)registry.find_open({"fake", 0});
      (void)registry.retry({"bad", 0});
      (void)registry.leaks();
      if (i % 20 == 0) {
        const DeviceId added{"added", thread * 1000 + i};
        EXPECT_TRUE(registry.add(added, [&] { return make_fake_device(control, "added:0"); }).ok());
        EXPECT_TRUE(registry.find(added).has_value());
      }
      (void)registry.name_type(static_cast<std::uint8_t>(2 + i % 100), "npu");
      (void)registry.type_name(7);
    }
  });
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(registry.ids().size(), 43u);
}

TEST(DeviceLostThreadTest, RetriesAndLookUpsMayCross) {
  const DeviceId id{"cuda", 0};
  DeviceRegistry registry;
  std::atomic<int> opened{0};
  ASSERT_TRUE(registry
                  .add(id,
                       [&]() -> Result<std::shared_ptr<Device>> {
                         ++opened;
                         const auto control = std::make_shared<FakeControl>();
                         control->before = failing(FakeCall::kInfo, "gone", Code::kDeviceLost);
                         return make_fake_device(control, "cuda:0");
                       })
                  .ok());
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        const auto device = registry.find(id).value();
        const DeviceBuffer buffer = buffer_of(device, 8);
        EXPECT_FALSE(device->memory_info().has_value());
        EXPECT_TRUE(device->lost());
        EXPECT_TRUE(registry.retry(id).ok());
        (void)registry.find_open(id);
      }
    });
  }
  threads.clear();
  EXPECT_GE(opened, 2);
  EXPECT_LE(opened, 2001);
}

}  // namespace
}  // namespace berth::test
