// What a method asks of each device that it names: the allocations that loading it makes, and the devices that it uses
// without allocating.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "berth/core/device_id.h"
#include "berth/core/device_registry.h"
#include "berth/program/method_plan.h"

namespace berth::cli {

// One allocation, in bytes.
struct MemoryNeed {
  std::string what;  // "planned buffer 2", "output 0"
  std::uint64_t bytes = 0;
  bool planned = false;
};

using DeviceNeeds = std::map<DeviceId, std::vector<MemoryNeed>>;

// Every device that the method uses: those of planned buffers, tensors and delegates. In a legacy program everything is
// on the host. `registry` names device types; may be null.
[[nodiscard]] DeviceNeeds memory_needs(const program::MethodPlan& plan, bool legacy, const DeviceRegistry* registry);

}  // namespace berth::cli
