// Planned memory of the caller: used as it is, after the device check that upstream lacks.
#include <gtest/gtest.h>

#include <array>

#include "module_fixture.h"

namespace berth::module {
namespace {

class PlannedMemoryTest : public ModuleTest {
 protected:
  DeviceBuffer buffer(const std::shared_ptr<Device>& device, std::uint64_t bytes) {
    return *DeviceBuffer::allocate(device, {.bytes = bytes, .alignment = 64});
  }
  std::string failure(std::span<const CallerMemory> memory) {
    const auto module = load_file("add_cuda0");
    const Status status = module->load_method("forward", {.planned_memory = memory});
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << status.message();
    EXPECT_EQ(status.origin(), Origin::kUsage);
    EXPECT_FALSE(module->is_loaded("forward"));
    const std::string message = status.message();
    return message.substr(std::min(message.size(), message.find("method '")));
  }
  alignas(64) std::array<std::byte, 128> host_ = {};
};

TEST_F(PlannedMemoryTest, UsesMemoryOfTheCaller) {
  DeviceBuffer device = buffer(device0_, 128);
  ASSERT_TRUE(device.fill(0, 128, 0xEE).ok());
  host_.fill(std::byte{0xEE});
  const std::array<CallerMemory, 2> memory = {CallerMemory{.host = host_},
                                              CallerMemory{.buffer = &device, .offset = 64}};
  const auto module = load_file("add_cuda0");
  ASSERT_EQ(message_of(module->load_method("forward", {.planned_memory = memory})), "OK");
  EXPECT_EQ(cuda0_->calls(FakeCall::kAllocate), 1u);
  EXPECT_EQ(host_[31], std::byte{0});
  EXPECT_EQ(host_[32], std::byte{0xEE});
  const auto outputs =
      module->execute("forward", std::vector{Value::of_tensor(corpus_array("add_cuda0.forward.input0")),
                                             Value::of_tensor(corpus_array("add_cuda0.forward.input1"))});
  ASSERT_TRUE(outputs.has_value()) << outputs.error().message();
  EXPECT_EQ(floats_of(outputs->at(0)), floats_of(Value::of_tensor(corpus_array("add_cuda0.forward.output0"))));
  const std::byte* const at = outputs->at(0).to_tensor()->bytes().data();
  EXPECT_TRUE(at >= host_.data() && at < host_.data() + 32);
  EXPECT_TRUE(module->planned_buffers("forward")->at(1).caller_owned);
  EXPECT_EQ(message_of(module->unload_method("forward")), "OK");
  EXPECT_EQ(cuda0_->live_blocks, 1);
}

TEST_F(PlannedMemoryTest, RefusesMemoryOnTheWrongDevice) {
  DeviceBuffer wrong = buffer(device1_, 64);
  const std::array<CallerMemory, 2> other = {CallerMemory{.host = host_}, CallerMemory{.buffer = &wrong}};
  EXPECT_EQ(failure(other),
            "method 'forward': planned buffer 2 (48 bytes on cuda:0): the caller's memory is on the wrong device: "
            "expected cuda:0, found cuda:1");
  const std::array<CallerMemory, 2> on_host = {CallerMemory{.host = host_}, CallerMemory{.host = host_}};
  EXPECT_EQ(failure(on_host),
            "method 'forward': planned buffer 2 (48 bytes on cuda:0): the caller's memory is on the wrong device: "
            "expected cuda:0, found host memory");
  const std::array<CallerMemory, 2> far = {CallerMemory{.buffer = &wrong}, CallerMemory{.host = host_}};
  EXPECT_EQ(failure(far),
            "method 'forward': planned buffer 1 (32 bytes on cpu:0): the caller's memory is on the wrong device: "
            "expected cpu:0, found cuda:1");
}

TEST_F(PlannedMemoryTest, RefusesMemoryThatOverlaps) {
  ProgramBuilder builder;
  MethodBuilder& forward = builder.method("forward");
  forward.buffer(48);
  forward.buffer(48, kCuda, 0);
  forward.buffer(48);
  forward.buffer(48, kCuda, 0);
  const auto module = load(builder);
  DeviceBuffer device = buffer(device0_, 128);
  const auto load_with = [&](std::size_t host_offset, std::uint64_t device_offset) {
    const std::array<CallerMemory, 4> memory = {CallerMemory{.host = host_}, CallerMemory{.buffer = &device},
                                                CallerMemory{.host = std::span(host_).subspan(host_offset)},
                                                CallerMemory{.buffer = &device, .offset = device_offset}};
    return module->load_method("forward", {.planned_memory = memory});
  };
  const Status host = load_with(32, 48);
  EXPECT_EQ(host.code(), Code::kInvalidArgument);
  EXPECT_EQ(host.message(),
            "test.pte, method 'forward': planned buffer 3 (48 bytes on cpu:0): the caller's memory overlaps: expected "
            "memory of its own, found bytes of planned buffer 1 as well");
  EXPECT_EQ(load_with(48, 32).message(),
            "test.pte, method 'forward': planned buffer 4 (48 bytes on cuda:0): the caller's memory overlaps: expected "
            "memory of its own, found bytes of planned buffer 2 as well");
  EXPECT_EQ(message_of(load_with(48, 48)), "OK");
}

TEST_F(PlannedMemoryTest, RefusesTooLittleMisalignedOrTooFewMemory) {
  DeviceBuffer device = buffer(device0_, 64);
  const std::array<CallerMemory, 1> one = {CallerMemory{.host = host_}};
  EXPECT_EQ(failure(one), "method 'forward': wrong number of planned buffers from the caller: expected 2, found 1");
  const std::array<CallerMemory, 2> small = {CallerMemory{.host = host_},
                                             CallerMemory{.buffer = &device, .offset = 32}};
  EXPECT_EQ(failure(small),
            "method 'forward': planned buffer 2 (48 bytes on cuda:0): the caller's memory is too small: expected at "
            "least 48 bytes, found 32");
  const std::array<CallerMemory, 2> beyond = {CallerMemory{.host = host_},
                                              CallerMemory{.buffer = &device, .offset = 6400}};
  EXPECT_EQ(failure(beyond),
            "method 'forward': planned buffer 2 (48 bytes on cuda:0): the caller's memory is too small: expected at "
            "least 48 bytes, found 0");
  const std::array<CallerMemory, 2> crooked = {CallerMemory{.host = std::span(host_).subspan(8)},
                                               CallerMemory{.buffer = &device}};
  EXPECT_EQ(failure(crooked),
            "method 'forward': planned buffer 1 (32 bytes on cpu:0): the caller's memory is misaligned: expected a "
            "multiple of 16, found an address that is none");
  const std::array<CallerMemory, 2> shifted = {CallerMemory{.host = host_},
                                               CallerMemory{.buffer = &device, .offset = 8}};
  EXPECT_EQ(failure(shifted),
            "method 'forward': planned buffer 2 (48 bytes on cuda:0): the caller's memory is misaligned: expected an "
            "offset that is a multiple of 16, found 8");
  DeviceBuffer nothing;
  const std::array<CallerMemory, 2> empty = {CallerMemory{.host = host_}, CallerMemory{.buffer = &nothing}};
  EXPECT_EQ(failure(empty),
            "method 'forward': planned buffer 2 (48 bytes on cuda:0): the caller's buffer is empty: expected one that "
            "owns memory, found none");
}

}  // namespace
}  // namespace berth::module
