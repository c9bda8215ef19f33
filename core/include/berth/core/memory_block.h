// MemoryBlock: one allocation of one device as its driver names it. Not an owner; DeviceBuffer is.
#pragma once

#include <cstdint>

namespace berth {

struct MemoryBlock {
  std::uint64_t handle = 0;   // non-zero, unique among the device's live blocks
  std::uint64_t address = 0;  // device address; only meaningful if has_address
  std::uint64_t size = 0;     // usable bytes, at least what was asked
  std::uint32_t kind = 0;
  bool has_address = false;
};

struct AllocationRequest {
  std::uint64_t bytes = 0;      // 0 is allowed and never reaches the driver's memory
  std::uint64_t alignment = 0;  // power of two; 0 is the kind's minimum
  std::uint32_t kind = 0;
};

}  // namespace berth
