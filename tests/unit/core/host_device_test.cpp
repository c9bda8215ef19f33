#include "berth/core/host_device.h"

#include <cstring>

#include "core_test.h"

namespace berth::test {
namespace {

TEST(HostDeviceTest, IsTheProcessesOwnMemory) {
  const auto host = make_host_device();
  EXPECT_EQ(host->id().to_string(), "cpu:0");
  EXPECT_TRUE(host->is_host());
  EXPECT_EQ(host->served_by().plugin, "host");
  EXPECT_EQ(host->limit(), std::nullopt);
  DeviceBuffer buffer = buffer_of(host, 16);
  ASSERT_NE(buffer.host_data(), nullptr);
  std::memcpy(buffer.host_data(), "0123456789abcdef", 16);
  EXPECT_TRUE(buffer.copy_from(8, buffer, 0, 8).ok());
  EXPECT_TRUE(buffer.write(0, "ABCD", 4).ok());
  char back[12] = {};
  EXPECT_TRUE(buffer.read(0, back, 12).ok());
  EXPECT_EQ(std::string(back, 12), "ABCD45670123");
  EXPECT_TRUE(buffer.fill(1, 2, '-').ok());
  EXPECT_EQ(std::memcmp(buffer.host_data(), "A--D", 4), 0);
}

TEST(HostDeviceTest, AlignsToAtLeastSixtyFour) {
  const auto host = make_host_device();
  for (const std::uint64_t alignment : {0u, 1u, 64u, 4096u, 1u << 21}) {
    auto buffer = DeviceBuffer::allocate(host, {.bytes = 3, .alignment = alignment});
    ASSERT_TRUE(buffer.has_value());
    EXPECT_EQ(buffer->block().address % std::max<std::uint64_t>(alignment, 64), 0u);
  }
  EXPECT_EQ(DeviceBuffer::allocate(host, {.bytes = 3, .alignment = 1u << 22}).status().message(),
            "cpu:0, allocation of 3 bytes: the alignment is above what this kind of memory can: expected at most "
            "2097152, found 4194304");
}

TEST(HostDeviceTest, KeepsToItsLimit) {
  const auto host = make_host_device(64);
  const DeviceBuffer held = buffer_of(host, 60);
  EXPECT_EQ(failure_of(host, {.bytes = 5}).message(),
            "cpu:0, allocation of 5 bytes: the limit of the registry file would be exceeded: expected at most 4 bytes "
            "(limit 64 bytes, in use 60 bytes), found 5 bytes; free memory or raise `limit` of [host]");
}

TEST(HostDeviceTest, AbsurdSizesAreFailuresAndNothingElse) {
  const auto host = make_host_device();
  const auto limited = make_host_device(1000);
  for (const std::uint64_t bytes : {UINT64_MAX, UINT64_MAX - 63, std::uint64_t{1} << 63, std::uint64_t{1} << 55}) {
    const Status status = failure_of(host, {.bytes = bytes});
    EXPECT_EQ(status.code(), Code::kOutOfHostMemory);
    EXPECT_EQ(status.info().what, "the host has not enough memory");
    EXPECT_EQ(failure_of(limited, {.bytes = bytes}).code(), Code::kLimitExceeded);
  }
  EXPECT_EQ(host->statistics().current_count, 0u);
}

TEST(HostDeviceTest, KnowsItsMemory) {
  const auto host = make_host_device();
  const DeviceBuffer held = buffer_of(host, 100);
  const MemoryInfo info = host->memory_info().value();
  EXPECT_GT(info.total.value_or(0), std::uint64_t{1} << 20);
  EXPECT_LE(info.free.value_or(UINT64_MAX), info.total.value_or(0));
  EXPECT_EQ(info.used_by_this_instance, 100u);
}

TEST(HostDeviceTest, GivesPointersAsNativeHandles) {
  const auto host = make_host_device();
  const DeviceBuffer buffer = buffer_of(host, 8);
  EXPECT_EQ(host->native()->api, "host");
  EXPECT_EQ(buffer.native()->api, "host");
  EXPECT_EQ(buffer.native()->value[0], reinterpret_cast<std::uintptr_t>(buffer.host_data()));
}

}  // namespace
}  // namespace berth::test
