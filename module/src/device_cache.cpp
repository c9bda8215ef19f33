#include "device_cache.h"

#include <string>

namespace berth::module::detail {

Result<std::shared_ptr<Device>> DeviceCache::find(program::ProgramDevice device) {
  if (device.is_host()) return registry_->host();
  for (const Entry& entry : entries_) {
    if (entry.device == device) return entry.found;
  }
  const auto type = registry_->type_name(device.type);
  if (!type) {
    const std::string number = std::to_string(device.type);
    return fail({.code = Code::kInvalidProgram,
                 .origin = Origin::kInput,
                 .what = "device type " + number + " has no name",
                 .expected = "0 (cpu), 1 (cuda), or a type that the registry file names",
                 .found = number,
                 .next_step = "add a line `" + number + " = \"...\"` under [types] of the registry file"});
  }
  DeviceId id{*type, device.index};
  BERTH_ASSIGN(std::shared_ptr<Device> found, registry_->find(overridden(id)));
  return keep({device, std::move(id), std::move(found)});
}

Result<std::shared_ptr<Device>> DeviceCache::find(const DeviceId& id) {
  if (id.is_host()) return registry_->host();
  for (const Entry& entry : entries_) {
    if (entry.id == id) return entry.found;
  }
  BERTH_ASSIGN(std::shared_ptr<Device> found, registry_->find(overridden(id)));
  return keep({std::nullopt, id, std::move(found)});
}

const std::shared_ptr<Device>& DeviceCache::keep(Entry entry) {
  if (entries_.capacity() == 0) entries_.reserve(4);
  return entries_.emplace_back(std::move(entry)).found;
}

DeviceId DeviceCache::program_id(program::ProgramDevice device) const {
  if (device.is_host()) return {};
  const auto type = registry_->type_name(device.type);
  return {type ? *type : "type " + std::to_string(device.type), device.index};
}

const DeviceId& DeviceCache::overridden(const DeviceId& id) const noexcept {
  for (const DeviceOverride& entry : overrides_) {
    if (entry.from == id) return entry.to;
  }
  return id;
}

}  // namespace berth::module::detail
