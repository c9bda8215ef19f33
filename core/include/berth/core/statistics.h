// What the host counted for one device. Bytes are bytes asked for, not rounded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace berth {

struct DeviceStatistics {
  std::uint64_t current_bytes = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t current_count = 0;
  std::uint64_t total_count = 0;     // successful allocations so far
  std::uint64_t failures = 0;        // refused or failed allocations so far
  std::uint64_t stranded_count = 0;  // blocks whose free failed
  std::uint64_t stranded_bytes = 0;
};

// Live or stranded bytes of one owner on one device.
struct OwnerUsage {
  std::string owner;  // the interned name, "unnamed" for none
  std::uint32_t part = 0;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
  std::uint64_t peak_bytes = 0;  // of the owner as a whole
  std::uint64_t failures = 0;    // of the owner as a whole
  bool stranded = false;
};

}  // namespace berth
