// A device that was lost and opened anew: the same Module goes on with the new one and lets go of the old.
#include <gtest/gtest.h>

#include <array>

#include "module_fixture.h"

namespace berth::module {
namespace {

const DeviceId kCuda0{"cuda", 0};

class DeviceLostTest : public ModuleTest {
 protected:
  // Every opening makes a device.
  DeviceLostTest() {
    device0_.reset();
    registry_ = std::make_shared<DeviceRegistry>();
    const auto open = [control = cuda0_]() -> Result<std::shared_ptr<Device>> {
      return test::make_fake_device(control, "cuda:0");
    };
    EXPECT_TRUE(registry_->add(kCuda0, open).ok());
  }
  static Status run(Module& module) {
    const std::vector<Value> inputs = {floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {1, 1, 1, 1})};
    return module.execute("forward", inputs).status();
  }
  void lose() {
    cuda0_->before = [](FakeCall call) {
      return call == FakeCall::kFill ? test::fake_failure("gone", Code::kDeviceLost) : Status();
    };
    auto buffer = DeviceBuffer::allocate(registry_->find(kCuda0).value(), {.bytes = 16});
    EXPECT_EQ(buffer->fill(0, 16, 0).code(), Code::kDeviceLost);
    cuda0_->before = nullptr;
  }
  static std::shared_ptr<Device> device_of(Module& module) { return module.find_device({kCuda, 0}).value(); }
};

TEST_F(DeviceLostTest, LoadsAgainOnTheNewDeviceWhenRetried) {
  ProgramBuilder builder;
  build_device_add(builder);
  const auto module = load(builder);
  ASSERT_EQ(message_of(run(*module)), "OK");
  const std::weak_ptr<Device> old = device_of(*module);
  lose();
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
  EXPECT_EQ(message_of(registry_->retry(kCuda0)), "OK");
  EXPECT_EQ(message_of(module->load_method("forward")), "OK");
  EXPECT_EQ(device_of(*module), registry_->find(kCuda0).value());
  EXPECT_FALSE(device_of(*module)->lost());
  EXPECT_TRUE(old.expired());
  EXPECT_EQ(message_of(run(*module)), "OK");
}

TEST_F(DeviceLostTest, KeepsTheLostDeviceWhileALoadedMethodNamesIt) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int x = forward.tensor({.sizes = {2}, .device_type = kCuda});
  forward.inputs({x}).outputs({x});
  const auto module = load(builder);
  ASSERT_EQ(message_of(module->load_method("forward")), "OK");
  const std::weak_ptr<Device> old = device_of(*module);
  lose();
  EXPECT_EQ(message_of(registry_->retry(kCuda0)), "OK");
  EXPECT_FALSE(device_of(*module)->lost());
  EXPECT_FALSE(old.expired());
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
  EXPECT_TRUE(old.expired());
}

TEST_F(DeviceLostTest, KeepsTheLostDeviceWhileMemoryOfTheCallerIsPlannedForIt) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  const int memory = forward.buffer(16, kCuda, 0);
  const int x = forward.tensor({.sizes = {4}, .memory_id = memory, .device_type = kCuda});
  forward.inputs({x}).outputs({x});
  const auto module = load(builder);
  // A device of the caller's own on the same hardware.
  DeviceBuffer buffer = *DeviceBuffer::allocate(test::make_fake_device(cuda0_, "cuda:0"), {.bytes = 16});
  const std::array<CallerMemory, 1> caller = {CallerMemory{.buffer = &buffer}};
  ASSERT_EQ(message_of(module->load_method("forward", {.planned_memory = caller})), "OK");
  const std::weak_ptr<Device> old = device_of(*module);
  lose();
  EXPECT_EQ(message_of(registry_->retry(kCuda0)), "OK");
  EXPECT_FALSE(device_of(*module)->lost());
  EXPECT_FALSE(old.expired());
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
  EXPECT_TRUE(old.expired());
}

}  // namespace
}  // namespace berth::module
