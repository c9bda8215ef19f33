// Moving bytes: the checks that every copy and fill shares, and the ways around what a driver cannot do. Nothing here
// holds a lock or allocates for small ranges.
#pragma once

#include <cstdint>
#include <string>

#include "berth/core/device_buffer.h"
#include "berth/core/status.h"
#include "device_state.h"

namespace berth::detail {

// An operation in words: "copy of 64 bytes to the device".
struct Action {
  const char* verb;
  const char* direction = "";
};
inline constexpr Action kToDevice{"copy", " to the device"};
inline constexpr Action kToHost{"copy", " to the host"};
inline constexpr Action kWithin{"copy", " within the device"};
inline constexpr Action kFromDevice{"copy", " from the device"};
inline constexpr Action kFill{"fill"};

// kInvalidArgument unless [offset, offset + bytes) lies inside `buffer`.
[[nodiscard]] Status check_range(const DeviceBuffer& buffer, const Action& action, std::uint64_t offset,
                                 std::uint64_t bytes);
// kInvalidArgument for a null host pointer.
[[nodiscard]] Status check_host_pointer(const DeviceBuffer& buffer, const Action& action, const void* pointer,
                                        std::uint64_t bytes);
// kInvalidArgument when both ranges, inside their buffers, share bytes of one buffer.
[[nodiscard]] Status check_apart(const DeviceBuffer& target, std::uint64_t target_offset, const DeviceBuffer& source,
                                 std::uint64_t source_offset, std::uint64_t bytes);

// "cuda:0 (plugin x), copy of 64 bytes to the device".
[[nodiscard]] std::string transfer_label(const DeviceBuffer& buffer, const Action& action, std::uint64_t bytes);

// A failure of the driver of the buffer's device, which there is, at that operation.
[[nodiscard]] Status transfer_failure(const DeviceBuffer& buffer, const Action& action, std::uint64_t bytes,
                                      const Status& failure);

// Both expect checked ranges of at least one byte and usable devices.
Status copy_between(DeviceBuffer& target, std::uint64_t target_offset, const DeviceBuffer& source,
                    std::uint64_t source_offset, std::uint64_t bytes);
Status fill_range(DeviceBuffer& target, std::uint64_t offset, std::uint64_t bytes, std::uint8_t value);

}  // namespace berth::detail
