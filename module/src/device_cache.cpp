#include "device_cache.h"

#include <string>

namespace berth::module::detail {

Result<std::shared_ptr<Device>> DeviceCache::find(program::ProgramDevice device) {
  if (device.is_host()) return registry_->host();
  for (Entry& entry : entries_) {
    if (entry.device == device) return current(entry);
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
  return current(keep({device, {*type, device.index}, nullptr}));
}

Result<std::shared_ptr<Device>> DeviceCache::find(const DeviceId& id) {
  if (id.is_host()) return registry_->host();
  for (Entry& entry : entries_) {
    if (entry.id == id) return current(entry);
  }
  return current(keep({std::nullopt, id, nullptr}));
}

Result<std::shared_ptr<Device>> DeviceCache::current(Entry& entry) {
  if (entry.found != nullptr && !entry.found->lost()) return entry.found;
  entry.found = nullptr;
  BERTH_ASSIGN(entry.found, registry_->find(overridden(entry.id)));
  return entry.found;
}

DeviceCache::Entry& DeviceCache::keep(Entry entry) {
  if (entries_.capacity() == 0) entries_.reserve(4);
  return entries_.emplace_back(std::move(entry));
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
