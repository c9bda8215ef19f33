#include "run/placement.h"

#include <utility>

#include "inspect/memory_needs.h"
#include "report/text.h"

namespace berth::cli {
namespace {

PlacedDevice describe(const DeviceId& id, const Device& device) {
  PlacedDevice placed;
  placed.id = id.to_string();
  const ServedBy& served = device.served_by();
  placed.entry = served.entry.empty() ? placed.id : served.entry;
  placed.plugin = served.plugin;
  placed.plugin_version = served.plugin_version;
  placed.hardware = device.identity().name;
  placed.file = served.file;
  placed.reason = served.reason;
  placed.fallback = is_fallback(served.reason);
  placed.notices = device.notices();
  return placed;
}

}  // namespace

Result<Placement> placement_of(const module::Module& module, const program::MethodPlan& plan) {
  Placement placement;
  placement.method = plan.name;
  const DeviceRegistry& registry = *module.registry();
  for (const auto& [id, needs] : memory_needs(plan, module.program()->legacy(), &registry)) {
    if (auto device = registry.find_open(id); device != nullptr) placement.devices.push_back(describe(id, *device));
  }
  BERTH_ASSIGN(const auto buffers, module.planned_buffers(plan.name));
  for (const module::PlannedBufferInfo& buffer : buffers) {
    placement.buffers.push_back({buffer.memory_id, buffer.bytes, buffer.program_device.to_string(),
                                 buffer.device.to_string(), buffer.plugin, buffer.hardware});
  }
  return placement;
}

std::vector<CopyRow> copy_rows(const module::CopyReport& copies) {
  std::vector<CopyRow> rows;
  for (std::size_t d = 0; d < module::kCopyDirections; ++d) {
    for (std::size_t c = 0; c < module::kCopyCauses; ++c) {
      const auto direction = static_cast<module::CopyDirection>(d);
      const auto cause = static_cast<module::CopyCause>(c);
      const module::CopyCount& count = copies.of(direction, cause);
      if (count.count == 0) continue;
      rows.push_back(
          {module::copy_direction_name(direction), module::copy_cause_name(cause), count.count, count.bytes});
    }
  }
  return rows;
}

}  // namespace berth::cli
