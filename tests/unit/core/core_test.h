// What the core's tests share.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "berth/core/device_buffer.h"
#include "berth/test/fake_driver.h"

namespace berth::test {

inline DeviceBuffer buffer_of(const std::shared_ptr<Device>& device, std::uint64_t bytes, Owner owner = {}) {
  auto buffer = DeviceBuffer::allocate(device, {.bytes = bytes}, owner);
  EXPECT_TRUE(buffer.has_value()) << buffer.status().message();
  return buffer.has_value() ? *std::move(buffer) : DeviceBuffer();
}

// The failure of an allocation that must fail.
inline Status failure_of(const std::shared_ptr<Device>& device, const AllocationRequest& request) {
  auto buffer = DeviceBuffer::allocate(device, request);
  EXPECT_FALSE(buffer.has_value());
  return buffer.status();
}

inline std::vector<std::uint8_t> bytes_of(const DeviceBuffer& buffer) {
  std::vector<std::uint8_t> bytes(buffer.size());
  EXPECT_EQ(buffer.read(0, bytes.data(), bytes.size()).message(), "OK");
  return bytes;
}

// 0, 1, 2, ... modulo 251.
inline std::vector<std::uint8_t> counting(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i % 251);
  return bytes;
}

inline std::uint64_t bits(std::initializer_list<Capability> capabilities) {
  std::uint64_t all = 0;
  for (const Capability each : capabilities) all |= static_cast<std::uint64_t>(each);
  return all;
}

// Fails every call of one kind.
inline std::function<Status(FakeCall)> failing(FakeCall which, const std::string& what, Code code = Code::kDriverFailed,
                                               std::int64_t native_code = 0) {
  return [=](FakeCall call) { return call == which ? fake_failure(what, code, native_code) : Status(); };
}

}  // namespace berth::test
