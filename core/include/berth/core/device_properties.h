// What an open device is and can do, as its plugin says (ABI.md section 3) and the host has checked. Sizes in bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace berth {

// Bits of DeviceProperties::capabilities, one for each optional function group of the plugin ABI.
enum class Capability : std::uint64_t {
  kCopyWithin = 1u << 0,
  kFill = 1u << 1,
  kMemoryInfo = 1u << 2,
  kStaging = 1u << 3,
  kQueue = 1u << 4,
  kAsync = 1u << 5,
  kPeer = 1u << 6,
  kQueuePeer = 1u << 7,
  kMap = 1u << 8,
  kNative = 1u << 9,
};

// A kind of memory of one device. Kind 0 is the default.
struct MemoryKind {
  bool device_local = false;
  bool host_visible = false;
  bool coherent = false;
  bool has_address = false;      // blocks carry a device address (0 can be a valid one)
  bool address_on_host = false;  // that address means the same bytes on the host
  std::uint32_t heap = 0;        // index into DeviceProperties::heaps
  std::uint64_t size_multiple = 1;
  std::uint64_t min_alignment = 1;
  std::uint64_t max_alignment = 64;
  std::uint64_t max_allocation = UINT64_MAX;
};

struct MemoryHeap {
  std::optional<std::uint64_t> total;  // unknown is not zero
  bool device_local = false;
};

struct DeviceProperties {
  std::uint64_t capabilities = 0;  // Capability bits
  std::vector<MemoryKind> kinds;   // never empty
  std::vector<MemoryHeap> heaps;   // never empty
  std::uint64_t max_allocation_count = UINT64_MAX;
  std::uint64_t preferred_copy_alignment = 1;
  std::uint64_t bind_alignment = 1;  // offsets at which compute APIs can bind a part of a memory
  std::uint64_t max_bind_size = UINT64_MAX;
  std::uint64_t map_granularity = 1;

  [[nodiscard]] bool can(Capability capability) const noexcept {
    return (capabilities & static_cast<std::uint64_t>(capability)) != 0;
  }
};

// Memory of one heap now. Absent values are unknown, never zero.
struct MemoryInfo {
  std::optional<std::uint64_t> free;
  std::optional<std::uint64_t> total;
  std::optional<std::uint64_t> used_by_this_instance;
};

// Which hardware it is. Two devices are the same hardware when `key` is equal: PCI address, else UUID unless software,
// else plugin file, instance options and ordinal (ABI.md section 5).
struct PhysicalIdentity {
  std::string key = {};
  std::string name = {};  // the hardware's name for people
  std::string uuid = {};  // canonical text, empty when there is none
  std::string pci = {};   // "0000:65:00.0", empty when there is none
  bool software = false;
  bool integrated = false;
};

// Who serves a device, for reports.
struct ServedBy {
  std::string plugin = {};  // plugin name, "host" for cpu:0
  std::string plugin_version = {};
  std::string file = {};  // the file really opened, empty for cpu:0
  std::uint32_t ordinal = 0;
  std::string entry = {};   // id of the registry entry that serves it; differs from the device's id after a fallback
  std::string reason = {};  // why this entry: "configured", or why the fallback was taken
};

}  // namespace berth
