#include "inspect/fit.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "inspect/memory_needs.h"
#include "report/text.h"

namespace berth::cli {
namespace {

// One open device with everything that the method asks of it, under however many names.
struct Demand {
  std::shared_ptr<Device> device;
  DeviceFit fit;
  std::vector<MemoryNeed> needs;
};

std::uint64_t saturated_add(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

// What the device really takes for `bytes`.
std::uint64_t rounded(std::uint64_t bytes, const MemoryKind& kind) {
  const std::uint64_t multiple = std::max<std::uint64_t>(kind.size_multiple, 1);
  const std::uint64_t rest = bytes % multiple;
  return rest == 0 ? bytes : saturated_add(bytes, multiple - rest);
}

std::string served_text(const Device& device) {
  std::string text = device.served_by().plugin;
  if (!device.served_by().plugin_version.empty()) text += " " + device.served_by().plugin_version;
  if (!device.identity().name.empty()) text += ", " + device.identity().name;
  return text;
}

void read_memory(DeviceFit& fit, const Device& device) {
  const MemoryKind& kind = device.properties().kinds.front();
  fit.limit = device.limit();
  if (kind.heap < device.properties().heaps.size()) fit.total = device.properties().heaps[kind.heap].total;
  if (auto memory = device.memory_info(kind.heap); memory.has_value()) {
    fit.free = memory->free;
    if (memory->total.has_value()) fit.total = memory->total;
  }
}

void judge_sizes(DeviceFit& fit, const Demand& demand) {
  const DeviceProperties& properties = demand.device->properties();
  const MemoryKind& kind = properties.kinds.front();
  std::uint64_t allocations = 0;
  for (const MemoryNeed& need : demand.needs) {
    if (need.bytes > 0) ++allocations;
    if (rounded(need.bytes, kind) > kind.max_allocation) {
      fit.problems.push_back(need.what + " of " + bytes_text(need.bytes) + " is larger than the largest allocation, " +
                             bytes_text(kind.max_allocation));
    }
  }
  if (allocations > properties.max_allocation_count) {
    fit.problems.push_back("needs " + std::to_string(allocations) + " allocations, the device has at most " +
                           std::to_string(properties.max_allocation_count));
  }
}

void judge_sums(DeviceFit& fit, const Demand& demand) {
  const MemoryKind& kind = demand.device->properties().kinds.front();
  std::uint64_t asked = 0;
  std::uint64_t taken = 0;
  for (const MemoryNeed& need : demand.needs) {
    std::uint64_t& kind_of_need = need.planned ? fit.planned_bytes : fit.other_bytes;
    kind_of_need = saturated_add(kind_of_need, need.bytes);
    asked = saturated_add(asked, need.bytes);
    taken = saturated_add(taken, rounded(need.bytes, kind));
  }
  if (fit.limit.has_value() && asked > *fit.limit) {
    fit.problems.push_back("needs " + bytes_text(asked) + ", the registry file's limit is " + bytes_text(*fit.limit));
  }
  if (!fit.total.has_value()) {
    fit.unknown.push_back("how much memory it has");
  } else if (taken > *fit.total) {
    fit.problems.push_back("needs " + bytes_text(taken) + ", the device has " + bytes_text(*fit.total) + " in all");
  }
  if (!fit.free.has_value()) {
    fit.unknown.push_back("how much memory is free");
  } else if (taken > *fit.free) {
    fit.warnings.push_back("needs " + bytes_text(taken) + ", only " + bytes_text(*fit.free) + " is free now");
  }
}

// The entry of `demands` for this device, under whatever name it came first.
Demand& demand_for(std::vector<Demand>& demands, std::shared_ptr<Device> device) {
  const auto found = std::find_if(demands.begin(), demands.end(), [&](const Demand& demand) {
    return demand.device != nullptr && demand.device->same_state(*device);
  });
  if (found != demands.end()) return *found;
  Demand demand;
  demand.fit.served_by = served_text(*device);
  demand.device = std::move(device);
  return demands.emplace_back(std::move(demand));
}

}  // namespace

MethodFit judge_fit(const program::MethodPlan& plan, bool legacy, DeviceRegistry& registry) {
  std::vector<Demand> demands;
  for (auto& [id, needs] : memory_needs(plan, legacy, &registry)) {
    auto device = registry.find(id);
    if (!device.has_value()) {
      Demand& absent = demands.emplace_back();
      absent.fit.problems.push_back("the device cannot be used: " + device.error().message());
      absent.fit.devices.push_back(id.to_string());
      for (const MemoryNeed& need : needs)
        (need.planned ? absent.fit.planned_bytes : absent.fit.other_bytes) += need.bytes;
      continue;
    }
    Demand& demand = demand_for(demands, *std::move(device));
    demand.fit.devices.push_back(id.to_string());
    demand.needs.insert(demand.needs.end(), needs.begin(), needs.end());
  }
  MethodFit result{std::string(plan.name), {}};
  for (Demand& demand : demands) {
    if (demand.device != nullptr) {
      read_memory(demand.fit, *demand.device);
      judge_sizes(demand.fit, demand);
      judge_sums(demand.fit, demand);
    }
    result.devices.push_back(std::move(demand.fit));
  }
  return result;
}

}  // namespace berth::cli
