#include "device_names.h"

#include <optional>

namespace berth::cli {

DeviceId device_id_of(program::ProgramDevice device, const DeviceRegistry* registry) {
  std::optional<std::string> type;
  if (registry != nullptr) type = registry->type_name(device.type);
  if (!type.has_value() && device.type == 0) type = "cpu";
  if (!type.has_value() && device.type == 1) type = "cuda";
  return DeviceId{type.value_or("type" + std::to_string(device.type)), device.index};
}

std::string device_name(program::ProgramDevice device, const DeviceRegistry* registry) {
  return device_id_of(device, registry).to_string();
}

}  // namespace berth::cli
