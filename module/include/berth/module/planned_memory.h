// What is known about the planned memory of a loaded method, and memory that a caller plans with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "berth/core/api.h"
#include "berth/core/device_buffer.h"
#include "berth/core/device_id.h"

namespace berth::module {

// One planned buffer of a loaded method. A copy; stays readable after the method is gone.
struct PlannedBufferInfo {
  std::uint32_t memory_id = 0;  // one-based, as in the file
  std::uint64_t bytes = 0;
  DeviceId program_device;    // what the program asks for
  DeviceId device;            // what the registry was asked for; differs by ModuleOptions::device_overrides
  std::string plugin;         // who serves it; "host" for cpu:0
  std::string hardware;       // the physical device's name
  std::string hardware_key;   // PhysicalIdentity::key
  std::string reason;         // why this device: "configured", or why the fallback was taken
  std::uint64_t handle = 0;   // of the block; 0 for memory that no device knows
  std::uint64_t address = 0;  // of its first byte; only if has_address
  bool has_address = false;
  bool caller_owned = false;
};

// Memory of the caller for one planned buffer: a part of a device buffer, or host bytes. Must outlive the loaded
// method and overlap no other planned buffer's. It is zero-filled when the method is loaded, as Module's own is.
struct CallerMemory {
  DeviceBuffer* buffer = nullptr;  // null: `host` is used, for planned buffers on the host
  std::uint64_t offset = 0;        // of the first byte inside `buffer`
  std::span<std::byte> host = {};
};

}  // namespace berth::module
