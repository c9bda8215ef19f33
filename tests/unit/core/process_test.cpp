// What happens to devices in forked children and in processes that exit: the driver is not called, nothing hangs.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "berth/core/device_registry.h"
#include "berth/core/fork.h"
#include "berth/core/queue.h"
#include "core_test.h"

namespace berth::test {
namespace {

// The exit code of a forked child that runs `body`, -1 when it took more than a second (then it is killed).
template <typename Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) body();  // leaves the process
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return -1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

constexpr const char* kForked =
    "fake:0 (plugin fake): the device cannot be used any more: expected use by the process that opened it, found a "
    "child "
    "that was forked after it was opened; open devices after the fork, with a registry of the child's own";

TEST(ForkTest, GenerationCountsForks) {
  const std::uint32_t here = fork_generation();
  EXPECT_EQ(in_child([&] { _exit(fork_generation() == here + 1 ? 0 : 1); }), 0);
  EXPECT_EQ(fork_generation(), here);
}

TEST(ForkTest, ChildIsRefusedWithinASecondAndCallsNoDriver) {
  const auto control = std::make_shared<FakeControl>();
  auto device = make_fake_device(control);
  DeviceBuffer buffer = buffer_of(device, 8);
  DeviceBuffer dropped = buffer_of(device, 8);
  auto queue = std::make_unique<Queue>(Queue::create(device).value());
  auto event = std::make_unique<Event>(queue->record().value());
  const std::uint64_t calls = control->all_calls();
  const int code = in_child([&] {
    char byte = 0;
    int wrong = 0;
    const auto refused = [&](const Status& status) { wrong += status.message() == kForked ? 0 : 1; };
    refused(DeviceBuffer::allocate(device, {.bytes = 1}).status());
    refused(buffer.write(0, &byte, 1));
    refused(buffer.read(0, &byte, 1));
    refused(buffer.fill(0, 1, 0));
    refused(buffer.copy_from(0, dropped, 0, 1));
    refused(buffer.native().status());
    refused(device->native().status());
    refused(device->memory_info().status());
    refused(device->allocate_address({.bytes = 1}).status());
    refused(device->free_address(1));
    refused(Queue::create(device).status());
    refused(queue->synchronize());
    refused(queue->record().status());
    refused(event->wait());
    refused(event->done().status());
    refused(buffer.release());
    dropped = DeviceBuffer();
    event.reset();
    queue.reset();
    wrong += device->statistics().current_count == 2 ? 0 : 1;
    wrong += device->usage().empty() ? 0 : 1;
    wrong += device->intern_owner("child") == 0 ? 0 : 1;
    device.reset();
    wrong += control->closed ? 1 : 0;
    wrong += control->all_calls() == calls ? 0 : 1;
    wrong += control->queues_alive == 1 && control->events_alive == 1 ? 0 : 1;
    _exit(wrong);
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(buffer.write(0, "x", 1).message(), "OK");
}

TEST(ForkTest, ChildMayOpenWhatTheParentOnlyConfigured) {
  DeviceRegistry registry;
  const auto control = std::make_shared<FakeControl>();
  ASSERT_TRUE(registry.add({"fake", 0}, [&] { return make_fake_device(control); }).ok());
  EXPECT_EQ(in_child([&] {
              const auto device = registry.find({"fake", 0});
              _exit(device.has_value() && DeviceBuffer::allocate(*device, {.bytes = 1}).has_value() ? 0 : 1);
            }),
            0);
  EXPECT_FALSE(buffer_of(registry.find({"fake", 0}).value(), 1).empty());
}

TEST(ForkTest, ChildDoesNotHangOnARegistryThatWasOpening) {
  DeviceRegistry registry;
  const auto control = std::make_shared<FakeControl>();
  std::atomic<bool> opening{false};
  std::atomic<bool> go_on{false};
  ASSERT_TRUE(registry
                  .add({"fake", 0},
                       [&] {
                         opening = true;
                         while (!go_on) std::this_thread::yield();
                         return make_fake_device(control);
                       })
                  .ok());
  std::thread other([&] { EXPECT_TRUE(registry.find({"fake", 0}).has_value()); });
  while (!opening) std::this_thread::yield();
  EXPECT_EQ(in_child([&] {
              _exit(registry.find({"fake", 0}).status().message() ==
                            "fake:0: another thread was opening a device when this process forked; read the registry "
                            "file again in the child"
                        ? 0
                        : 1);
            }),
            0);
  go_on = true;
  other.join();
}

// Ends the process with code 8 when it is called after its device was made.
class UntouchableDriver final : public DeviceDriver {
 public:
  UntouchableDriver() {
    properties_.kinds.emplace_back();
    properties_.heaps.emplace_back();
  }
  ~UntouchableDriver() override { _exit(8); }
  const DeviceProperties& properties() const noexcept override { return properties_; }
  Status allocate(const AllocationRequest& request, MemoryBlock& out) noexcept override {
    out.handle = 1;
    out.size = request.bytes;
    return {};
  }
  Status free(const MemoryBlock&) noexcept override { _exit(8); }
  Status copy_to_device(const MemoryBlock&, std::uint64_t, const void*, std::uint64_t) noexcept override { return {}; }
  Status copy_to_host(void*, const MemoryBlock&, std::uint64_t, std::uint64_t) noexcept override { return {}; }

 private:
  DeviceProperties properties_;
};

struct LateUser {
  std::shared_ptr<Device> device;
  DeviceBuffer buffer;
  ~LateUser() {
    if (device == nullptr) return;
    const Status status = DeviceBuffer::allocate(device, {.bytes = 1}).status();
    if (status.message().find("found a process that is exiting; release devices before main returns") ==
        std::string::npos) {
      _exit(9);
    }
  }
};

[[noreturn]] void exit_with_a_live_device() {
  static LateUser user;
  DeviceOptions options;
  options.id = {"fake", 0};
  user.device = Device::create(options, std::make_unique<UntouchableDriver>());
  user.buffer = DeviceBuffer::allocate(user.device, {.bytes = 8}).value();
  std::exit(0);
}

// In a process of its own, so that no earlier test has opened a device in it.
TEST(ExitDeathTest, SkipsTheTeardownOfDevicesThatStaticsStillHold) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_a_live_device(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace berth::test
