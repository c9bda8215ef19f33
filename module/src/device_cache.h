// DeviceCache: the devices that a Module has asked its registry for, by what the program calls them. One that was lost
// is dropped at the next find(), which asks the registry anew.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "berth/core/device_registry.h"
#include "berth/module/module.h"
#include "berth/program/method_plan.h"

namespace berth::module::detail {

class DeviceCache {
 public:
  // `overrides` must outlive the cache.
  DeviceCache(std::shared_ptr<DeviceRegistry> registry, const std::vector<DeviceOverride>& overrides)
      : registry_(std::move(registry)), overrides_(overrides) {}

  // The device that serves what the program calls `device`, opened if need be. kInvalidProgram when its type has no
  // name, otherwise as DeviceRegistry::find.
  [[nodiscard]] Result<std::shared_ptr<Device>> find(program::ProgramDevice device);
  [[nodiscard]] Result<std::shared_ptr<Device>> find(const DeviceId& id);
  // "cuda:0"; "type 7:0" when the type has no name.
  [[nodiscard]] DeviceId program_id(program::ProgramDevice device) const;
  // The id that the registry is asked for.
  [[nodiscard]] const DeviceId& overridden(const DeviceId& id) const noexcept;
  [[nodiscard]] const std::shared_ptr<DeviceRegistry>& registry() const noexcept { return registry_; }

 private:
  struct Entry {
    std::optional<program::ProgramDevice> device;
    DeviceId id;
    std::shared_ptr<Device> found;
  };
  [[nodiscard]] Result<std::shared_ptr<Device>> current(Entry& entry);
  Entry& keep(Entry entry);
  std::shared_ptr<DeviceRegistry> registry_;
  const std::vector<DeviceOverride>& overrides_;
  std::vector<Entry> entries_;
};

}  // namespace berth::module::detail
