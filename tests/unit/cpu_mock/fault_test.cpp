// The fault schedule: when rules fire and what their effects are.
#include <chrono>
#include <stdexcept>

#include "mock.h"

namespace berth::test {
namespace {

Options faults(const std::string& schedule, std::int64_t devices = 1) {
  return {{"devices", devices}, {"faults", schedule}};
}

// One letter per allocation: x for a failure.
std::string allocate_pattern(const Device& device, int calls, std::uint64_t size = 64) {
  std::string pattern;
  for (int i = 0; i < calls; ++i) {
    berth_memory memory{};
    const Outcome outcome = device.try_allocate({.size = size}, memory);
    pattern += outcome.code == BERTH_OK ? '.' : 'x';
    if (outcome.code == BERTH_OK) device.free(memory);
  }
  return pattern;
}

TEST(FaultTest, FailsTheNthCallAndQuotesTheRule) {
  const Instance instance(faults("allocate#3=OUT_OF_DEVICE_MEMORY(-61)"));
  const Device device(instance);
  EXPECT_EQ(allocate_pattern(device, 2), "..");
  berth_memory memory{};
  const Outcome outcome = device.try_allocate({}, memory);
  EXPECT_THAT(outcome, FailsWith(BERTH_OUT_OF_DEVICE_MEMORY,
                                 "fault schedule: 'allocate#3=OUT_OF_DEVICE_MEMORY(-61)' at call 3, allocate"));
  EXPECT_EQ(outcome.error.native_code, -61);
  EXPECT_EQ(outcome.error.flags, BERTH_ERROR_RETRYABLE);
  EXPECT_EQ(memory.handle, 0U);
  EXPECT_EQ(allocate_pattern(device, 3), "...");
  EXPECT_EQ(instance.log().size(), 1U);
  EXPECT_EQ(device.info().used_bytes, 0U);
}

TEST(FaultTest, FiresByRangeRepeatLimitSizeAndDevice) {
  const auto pattern = [](const std::string& schedule) {
    const Instance instance(faults(schedule));
    const Device device(instance);
    return allocate_pattern(device, 8);
  };
  EXPECT_EQ(pattern("allocate=TOO_LARGE"), "xxxxxxxx");
  EXPECT_EQ(pattern("allocate#2-4=TOO_LARGE"), ".xxx....");
  EXPECT_EQ(pattern("allocate#6+=TOO_LARGE"), ".....xxx");
  EXPECT_EQ(pattern("allocate%3=TOO_LARGE"), "..x..x..");
  EXPECT_EQ(pattern("allocate%3!1=TOO_LARGE"), "..x.....");
  EXPECT_EQ(pattern("allocate!2=TOO_LARGE"), "xx......");
  EXPECT_EQ(pattern("allocate>63=TOO_LARGE"), "xxxxxxxx");
  EXPECT_EQ(pattern("allocate>64=TOO_LARGE"), "........");
  EXPECT_EQ(pattern("allocate@1=TOO_LARGE"), "........");
  EXPECT_EQ(pattern("allocate@0#1=TOO_LARGE; allocate#8=TOO_LARGE"), "x......x");
}

TEST(FaultTest, AFailedOpenCanBeTriedAgain) {
  const Instance instance(faults("open#1=NO_PERMISSION"));
  EXPECT_THROW(Device(instance, 0), std::runtime_error);
  const Device device(instance);
}

TEST(FaultTest, CountAndDescribeCanBeUnavailable) {
  const Instance instance(faults("count=DEPENDENCY_MISSING; describe=NO_DEVICE"));
  std::uint32_t count = 0;
  EXPECT_THAT(call(table().device->count, instance.get(), &count), HasCode(BERTH_DEPENDENCY_MISSING));
  berth_device_description description{};
  description.struct_size = sizeof(description);
  EXPECT_THAT(call(table().device->describe, instance.get(), 0U, &description), HasCode(BERTH_NO_DEVICE));
}

TEST(FaultTest, CreateCanFail) {
  EXPECT_THAT(create_fails(faults("create=OUT_OF_HOST_MEMORY")),
              FailsWith(BERTH_OUT_OF_HOST_MEMORY, "fault schedule: 'create=OUT_OF_HOST_MEMORY' at call 1, create"));
}

TEST(FaultTest, AFailedFreeConsumesTheHandleAndStrandsTheBytes) {
  const Instance instance(faults("free#1=DRIVER_FAILED"));
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 256});
  EXPECT_THAT(device.try_free(memory), HasCode(BERTH_DRIVER_FAILED));
  EXPECT_EQ(device.info().used_bytes, 256U);
  const berth_memory next = device.allocate({.size = 256});
  EXPECT_NE(next.address, memory.address);
  device.free(next);
}

TEST(FaultTest, CopiesCanDoNothing) {
  const Instance instance(faults("to_device=NOTHING"));
  const Device device(instance);
  const berth_memory memory = device.allocate({.size = 4});
  device.write(memory, 0, "abcd");
  EXPECT_EQ(device.read(memory, 0, 4), "\xFF\xFF\xFF\xFF");
  device.free(memory);
}

TEST(FaultTest, MemoryInfoCanLie) {
  const Instance instance(faults("memory_info=LIE"));
  const Device device(instance);
  const berth_memory_info info = device.info();
  EXPECT_GT(info.free_bytes, info.total_bytes);
}

TEST(FaultTest, ZeroBytesAreNotCounted) {
  const Instance instance(faults("to_device#1=DRIVER_FAILED; allocate#2=DRIVER_FAILED"));
  const Device device(instance);
  const berth_memory memory = device.allocate({});
  device.free(device.allocate({.size = 0}));
  device.write(memory, 0, "");
  EXPECT_THAT(device.try_write(memory, 0, "x"), HasCode(BERTH_DRIVER_FAILED));
  device.free(memory);
}

TEST(LostTest, AnswersAtOnceStillFreesAndOpensAnew) {
  const Instance instance(faults("to_device#1=DEVICE_LOST"));
  {
    const Device device(instance);
    const Device same(instance);
    const berth_memory memory = device.allocate({});
    const Outcome outcome = device.try_write(memory, 0, "x");
    EXPECT_THAT(outcome, HasCode(BERTH_DEVICE_LOST));
    EXPECT_EQ(outcome.error.flags, BERTH_ERROR_DEVICE_UNUSABLE);
    berth_memory none{};
    for (const Device* lost : {&device, &same})
      EXPECT_THAT(lost->try_allocate({}, none),
                  FailsWith(BERTH_DEVICE_LOST, "device 0 is lost; close it and open it again"));
    EXPECT_THAT(device.try_allocate({.size = 0}, none), HasCode(BERTH_DEVICE_LOST));
    EXPECT_EQ(device.properties().kind_count, 1U);
    device.free(memory);
  }
  const Device again(instance);
  again.free(again.allocate({}));
}

TEST(LostTest, TheStarCountsEveryCallOnADevice) {
  for (int call_number = 1; call_number <= 4; ++call_number) {
    const Instance instance(faults("*#" + std::to_string(call_number) + "=DEVICE_LOST"));
    const Device device(instance);
    berth_memory memory{};
    std::string answers;
    const auto note = [&](const Outcome& outcome) { answers += outcome.code == BERTH_OK ? '.' : 'L'; };
    note(device.try_allocate({}, memory));
    const bool allocated = memory.handle != 0;
    if (allocated) {
      note(device.try_write(memory, 0, "x"));
      note(device.try_free(memory));
    }
    note(device.try_allocate({}, memory));
    EXPECT_EQ(answers, std::vector<std::string>({"LL", ".L.L", "...L", "...L"})[call_number - 1]);
  }
}

TEST(LatencyTest, CallsTakeTheirTime) {
  const Instance instance({{"latency", "allocate=20ms"}, {"devices", 1}});
  const Device device(instance);
  const auto start = std::chrono::steady_clock::now();
  device.free(device.allocate({}));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
}

}  // namespace
}  // namespace berth::test
