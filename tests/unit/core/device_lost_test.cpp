// A device that is lost: the core notices at whatever call it is, the registry goes on handing it out until retry(),
// and everything on it can be given back in any order, beside the device that took its place.
#include <vector>

#include "berth/core/device_registry.h"
#include "berth/core/queue.h"
#include "core_test.h"

namespace berth::test {
namespace {

const DeviceId kCuda0{"cuda", 0};
const DeviceId kMock0{"mock", 0};

std::function<Status(FakeCall)> losing(FakeCall which) { return failing(which, "gone", Code::kDeviceLost); }

// Opens a new fake, with a control of its own, at each call.
class Opener {
 public:
  DeviceRegistry::Opener operator()(std::string id) {
    return [this, id]() -> Result<std::shared_ptr<Device>> {
      if (!failure.ok()) return fail(failure);
      controls.push_back(std::make_shared<FakeControl>());
      return make_fake_device(controls.back(), id);
    };
  }
  void lose_last() {
    controls.back()->before = [](FakeCall call) {
      return call == FakeCall::kFree ? Status() : fake_failure("gone", Code::kDeviceLost);
    };
  }
  std::vector<std::shared_ptr<FakeControl>> controls;
  Status failure;
};

struct LosingCall {
  FakeCall call;
  std::function<Status(const std::shared_ptr<Device>&, DeviceBuffer&)> run;
};

std::vector<LosingCall> losing_calls() {
  using DevicePointer = const std::shared_ptr<Device>&;
  static char byte = 0;
  return {
      {FakeCall::kAllocate, [](DevicePointer device, DeviceBuffer&) { return failure_of(device, {.bytes = 8}); }},
      {FakeCall::kFree, [](DevicePointer, DeviceBuffer& buffer) { return buffer.release(); }},
      {FakeCall::kToDevice, [](DevicePointer, DeviceBuffer& buffer) { return buffer.write(0, &byte, 1); }},
      {FakeCall::kToHost, [](DevicePointer, DeviceBuffer& buffer) { return buffer.read(0, &byte, 1); }},
      {FakeCall::kWithin, [](DevicePointer, DeviceBuffer& buffer) { return buffer.copy_from(0, buffer, 8, 8); }},
      {FakeCall::kFill, [](DevicePointer, DeviceBuffer& buffer) { return buffer.fill(0, 8, 1); }},
      {FakeCall::kInfo, [](DevicePointer device, DeviceBuffer&) { return device->memory_info().status(); }},
      {FakeCall::kNative, [](DevicePointer, DeviceBuffer& buffer) { return buffer.native().status(); }},
      {FakeCall::kQueue, [](DevicePointer device, DeviceBuffer&) { return Queue::create(device).status(); }},
      {FakeCall::kQueueWork,
       [](DevicePointer device, DeviceBuffer& buffer) { return Queue::create(device)->fill(buffer, 0, 8, 1); }},
      {FakeCall::kRecord, [](DevicePointer device, DeviceBuffer&) { return Queue::create(device)->record().status(); }},
  };
}

TEST(DeviceLostTest, IsNoticedAtWhateverCall) {
  for (const LosingCall& each : losing_calls()) {
    SCOPED_TRACE(static_cast<int>(each.call));
    const auto control = std::make_shared<FakeControl>();
    const auto device = make_fake_device(control);
    const auto alias = device->alias(kCuda0, "fallback");
    DeviceBuffer buffer = buffer_of(device, 16);
    EXPECT_FALSE(device->lost());
    control->before = losing(each.call);
    const std::string message = each.run(device, buffer).message();
    EXPECT_TRUE(message.ends_with(": gone; call registry.retry(fake:0) to open the device again")) << message;
    EXPECT_TRUE(device->lost());
    EXPECT_TRUE(alias->lost());
  }
}

TEST(DeviceLostTest, OtherFailuresAreNoLoss) {
  for (const LosingCall& each : losing_calls()) {
    const auto control = std::make_shared<FakeControl>();
    const auto device = make_fake_device(control);
    DeviceBuffer buffer = buffer_of(device, 16);
    control->before = failing(each.call, "failed");
    EXPECT_FALSE(each.run(device, buffer).ok());
    EXPECT_FALSE(device->lost());
  }
}

TEST(DeviceLostTest, ACopyBetweenDevicesLosesBoth) {
  const auto control = std::make_shared<FakeControl>();
  const auto source = make_fake_device(control, "fake:0");
  const auto target = make_fake_device(std::make_shared<FakeControl>(), "fake:1");
  const DeviceBuffer from = buffer_of(source, 8);
  DeviceBuffer to = buffer_of(target, 8);
  ASSERT_TRUE(to.copy_from(0, from, 0, 8).ok());  // tries the pair
  control->before = losing(FakeCall::kPeerCopy);
  EXPECT_EQ(to.copy_from(0, from, 0, 8).message(),
            "fake:0 (plugin fake), copy of 8 bytes to fake:1 (plugin fake): gone; call registry.retry(fake:0) to open "
            "the device again");
  EXPECT_TRUE(source->lost());
  EXPECT_TRUE(target->lost());
}

TEST(DeviceLostTest, IsHandedOutUntilRetryOpensAnother) {
  DeviceRegistry registry;
  Opener opener;
  ASSERT_TRUE(registry.add(kCuda0, opener("cuda:0")).ok());
  const auto old = registry.find(kCuda0).value();
  DeviceBuffer kept = buffer_of(old, 8);
  opener.lose_last();
  EXPECT_FALSE(kept.fill(0, 8, 1).ok());
  EXPECT_EQ(registry.find(kCuda0).value(), old);
  EXPECT_EQ(registry.find_open(kCuda0), old);
  ASSERT_TRUE(registry.retry(kCuda0).ok());
  const auto fresh = registry.find(kCuda0).value();
  EXPECT_EQ(registry.find_open(kCuda0), fresh);
  EXPECT_FALSE(fresh->same_state(*old));
  EXPECT_FALSE(fresh->lost());
  EXPECT_TRUE(buffer_of(fresh, 8).fill(0, 8, 1).ok());
  EXPECT_TRUE(registry.retry(kCuda0).ok());
  EXPECT_EQ(opener.controls.size(), 2u);
  EXPECT_TRUE(kept.release().ok());
}

TEST(DeviceLostTest, ClosesBeforeTheNextOneOpensWhenNobodyHasIt) {
  DeviceRegistry registry;
  Opener opener;
  std::vector<bool> closed;
  ASSERT_TRUE(registry
                  .add(kCuda0,
                       [&, open = opener("cuda:0")] {
                         if (!opener.controls.empty()) closed.push_back(opener.controls.back()->closed);
                         return open();
                       })
                  .ok());
  ASSERT_TRUE(registry.find(kCuda0).has_value());
  opener.lose_last();
  EXPECT_FALSE(registry.find(kCuda0).value()->memory_info().has_value());
  ASSERT_TRUE(registry.retry(kCuda0).ok());
  EXPECT_EQ(closed, std::vector<bool>{true});
}

TEST(DeviceLostTest, WhatIsOnItOutlivesTheRegistryToo) {
  Opener opener;
  DeviceBuffer buffer;
  std::optional<Event> event;
  {
    DeviceRegistry registry;
    ASSERT_TRUE(registry.add(kCuda0, opener("cuda:0")).ok());
    buffer = buffer_of(registry.find(kCuda0).value(), 8);
    event = Queue::create(registry.find(kCuda0).value())->record().value();
    opener.lose_last();
    EXPECT_FALSE(buffer.fill(0, 8, 1).ok());
    ASSERT_TRUE(registry.retry(kCuda0).ok());
  }
  EXPECT_TRUE(opener.controls[1]->closed);
  EXPECT_FALSE(opener.controls[0]->closed);
  EXPECT_TRUE(buffer.release().ok());
  EXPECT_FALSE(opener.controls[0]->closed);
  event.reset();
  EXPECT_TRUE(opener.controls[0]->closed);
  EXPECT_EQ(opener.controls[0]->live_at_close, 0);
}

TEST(DeviceLostTest, AFailedRetryIsStored) {
  DeviceRegistry registry;
  Opener opener;
  ASSERT_TRUE(registry.add(kCuda0, opener("cuda:0")).ok());
  const auto old = registry.find(kCuda0).value();
  opener.lose_last();
  EXPECT_FALSE(old->memory_info().has_value());
  opener.failure = fake_failure("not back yet");
  EXPECT_EQ(registry.retry(kCuda0).message(), "not back yet");
  EXPECT_EQ(registry.find(kCuda0).status().message(), "not back yet");
  EXPECT_EQ(registry.find_open(kCuda0), nullptr);
  opener.failure = Status();
  EXPECT_TRUE(registry.retry(kCuda0).ok());
}

TEST(DeviceLostTest, IsLetGoUnderAllItsIds) {
  DeviceRegistry registry;
  Opener opener;
  ASSERT_TRUE(registry.add(kMock0, opener("mock:0")).ok());
  const auto fall_back = [&]() -> Result<std::shared_ptr<Device>> {
    BERTH_ASSIGN(const auto device, registry.find(kMock0));
    return device->alias(kCuda0, "no driver");
  };
  ASSERT_TRUE(registry.add(kCuda0, fall_back).ok());
  for (const DeviceId& id : {kCuda0, kMock0}) {
    EXPECT_TRUE(registry.find(kCuda0).value()->same_state(*registry.find(kMock0).value()));
    opener.lose_last();
    EXPECT_FALSE(registry.find(kMock0).value()->memory_info().has_value());
    ASSERT_TRUE(registry.retry(id).ok());
    EXPECT_FALSE(registry.find(kCuda0).value()->lost());
    EXPECT_TRUE(registry.find(kCuda0).value()->same_state(*registry.find(kMock0).value()));
  }
  EXPECT_EQ(opener.controls.size(), 3u);
}

}  // namespace
}  // namespace berth::test
