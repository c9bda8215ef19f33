// The options of the mock, read and checked. Every key is documented in README.md.
#pragma once

#include <berth/plugin.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "faults.h"
#include "identity.h"
#include "kinds.h"
#include "latency.h"

namespace berth::mock {

inline constexpr std::uint64_t kAllCapabilities = BERTH_CAN_COPY_WITHIN | BERTH_CAN_FILL | BERTH_CAN_MEMORY_INFO |
                                                  BERTH_CAN_STAGING | BERTH_CAN_QUEUE | BERTH_CAN_ASYNC |
                                                  BERTH_CAN_PEER | BERTH_CAN_QUEUE_PEER | BERTH_CAN_MAP;

// Which pairs of different ordinals copy directly; a device and its own ordinal always do.
struct Peers {
  bool all = true;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;

  bool allow(std::uint32_t a, std::uint32_t b) const;
};

struct InstanceOptions {
  std::uint32_t devices = 1;
  std::uint64_t pinned_capacity = std::uint64_t{256} << 20;
  std::uint64_t bind_alignment = 64;
  std::uint64_t max_bind_size = BERTH_NO_LIMIT;
  std::uint64_t copy_alignment = 64;
  std::uint64_t map_granularity = 64;
  std::uint64_t max_allocations = BERTH_NO_LIMIT;
  bool software = false;
  bool integrated = false;
  bool cross_wait = true;
  bool native = true;
  std::uint64_t capabilities = kAllCapabilities;
  std::uint32_t known_figures = BERTH_INFO_FREE | BERTH_INFO_TOTAL | BERTH_INFO_USED;
  std::string device_name = "Berth mock device";
  std::optional<Uuid> uuid_base;
  std::optional<Pci> pci_base;
  std::vector<Kind> kinds;
  std::vector<std::uint64_t> heaps;
  Peers peers;
  Latency latency;
  FaultSchedule faults;
};

// Options of one open device: they only narrow what the instance says.
struct DeviceOptions {
  std::uint64_t capacity = BERTH_NO_LIMIT;  // of every heap
  std::uint64_t max_allocations = BERTH_NO_LIMIT;
  std::uint64_t pinned_capacity = BERTH_NO_LIMIT;
};

// Throw plugin::Failure: NOT_UNDERSTOOD (unknown key, wrong type) and INVALID_ARGUMENT (value), with the option's
// index.
InstanceOptions read_instance_options(const berth_option* options, std::uint64_t count);
DeviceOptions read_device_options(const berth_option* options, std::uint64_t count);

}  // namespace berth::mock
