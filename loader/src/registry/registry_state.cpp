#include "registry/registry_state.h"

#include <algorithm>
#include <utility>

#include "plugin/plugin_options.h"
#include "registry/check_config.h"
#include "registry/find_plugin_file.h"
#include "registry/select_device.h"
#include "registry/source_text.h"

namespace berth::loader::detail {

RegistryState::RegistryState(EffectiveConfig config, std::vector<Status> entry_status, std::shared_ptr<LogSink> log)
    : config_(std::move(config)), log_(log), sink_(std::move(log)), plugins_(config_.plugins.size()) {
  for (std::size_t i = 0; i < config_.devices.size(); ++i) {
    EntrySlot slot;
    slot.status = std::move(entry_status[i]);
    const PluginEntry* plugin = detail::find_plugin(config_, config_.devices[i].plugin);
    slot.plugin = static_cast<std::size_t>(plugin - config_.plugins.data());
    entries_.push_back(std::move(slot));
  }
  LoadRecord record;
  record.path_tried = config_.source.path;
  record.path_opened = config_.source.path;
  record.detail = config_.source.reason;
  log_.add(std::move(record));
}

void RegistryState::find_plugin(std::size_t plugin) {
  PluginSlot& slot = plugins_[plugin];
  std::vector<LoadRecord> records;
  auto file = find_plugin_file(config_.plugins[plugin], config_, records, slot.stage);
  slot.failure = file.status();
  slot.file.reset();
  if (file.has_value()) slot.file = std::move(*file);
  for (LoadRecord& record : records) {
    // A broken file before a good one is passed over, but not in silence.
    if (file.has_value() && record.stage == LoadStage::kMetadata && !record.status.ok()) {
      log_.warn("plugin file passed over: " + record.status.message());
    }
    log_.add(std::move(record));
  }
}

Status RegistryState::find_plugins() {
  const std::lock_guard guard(open_lock_);
  for (std::size_t i = 0; i < plugins_.size(); ++i) {
    const auto names_it = [&](const EntrySlot& entry) { return entry.plugin == i; };
    if (std::ranges::none_of(entries_, names_it)) continue;
    find_plugin(i);
    if (plugins_[i].file) config_.plugins[i].resolved = plugins_[i].file->info.path;
  }
  return check_same_devices();
}

std::string RegistryState::instance_key(std::size_t plugin) const {
  const PluginEntry& entry = config_.plugins[plugin];
  if (plugins_[plugin].file) return instance_key_of(plugins_[plugin].file->identity, entry.options);
  return entry.file + "\n" + canonical_text(entry.options);
}

// Entries of equal file, options and ordinal mean one device; those of equal PCI address or UUID are found on opening.
Status RegistryState::check_same_devices() const {
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> seen;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const DeviceEntry& entry = config_.devices[i];
    if (!entry.selector.ordinal) continue;
    const auto [first, added] = seen.emplace(std::pair(instance_key(entries_[i].plugin), *entry.selector.ordinal), i);
    const DeviceEntry& other = config_.devices[first->second];
    if (added || (entry.shared && other.shared)) continue;
    return Status({.code = Code::kInvalidConfig,
                   .origin = Origin::kRegistry,
                   .where = place_text(config_.source.path, entry.position),
                   .what = entry.id.to_string() + " and " + other.id.to_string() + " are one physical device",
                   .expected = "different devices, or shared = true in both",
                   .found = "ordinal " + std::to_string(*entry.selector.ordinal) + " of plugin '" + entry.plugin +
                            "' in both (line " + std::to_string(other.position.line) + ")",
                   .next_step = "correct one of the ordinals"});
  }
  return {};
}

std::optional<std::size_t> RegistryState::index_of(const DeviceId& id) const {
  const DeviceEntry* entry = find_entry(config_, id);
  if (entry == nullptr) return std::nullopt;
  return static_cast<std::size_t>(entry - config_.devices.data());
}

Result<std::shared_ptr<Device>> RegistryState::open(std::size_t index) {
  const std::lock_guard guard(open_lock_);
  return open_locked(index);
}

Result<std::shared_ptr<Device>> RegistryState::open_locked(std::size_t index) {
  EntrySlot& slot = entries_[index];
  if (slot.device != nullptr && slot.device->lost()) let_go(slot.device);
  if (slot.device != nullptr) return slot.device;
  auto device = open_entry(index);
  if (!device.has_value()) device = fall_back(index, device.error());
  if (device.has_value()) slot.device = *device;
  return device;
}

// By value: the caller's reference is to a slot that is reset here.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void RegistryState::let_go(const std::shared_ptr<Device> lost) noexcept {
  for (EntrySlot& slot : entries_) {
    if (slot.device == nullptr || !slot.device->same_state(*lost)) continue;
    slot.device.reset();
    slot.key.clear();
  }
}

Result<std::shared_ptr<Device>> RegistryState::fall_back(std::size_t index, const Status& failure) {
  const DeviceEntry& entry = config_.devices[index];
  // A mistake in the file is to be corrected, not to be covered.
  if (!entry.fallback || failure.code() == Code::kInvalidConfig) return fail(failure);
  const std::string target = entry.fallback->to_string();
  auto device = open_locked(*index_of(*entry.fallback));
  if (!device.has_value()) {
    ErrorInfo info = failure.info();
    info.next_step = "its fallback " + target + " failed too: " + device.error().message();
    return fail(std::move(info));
  }
  LoadRecord record;
  record.device = entry.id.to_string();
  record.plugin = (*device)->served_by().plugin;
  record.path_opened = (*device)->served_by().file;
  record.stage = LoadStage::kDevice;
  record.detail = "served by the fallback " + target;
  log_.add(std::move(record));
  log_.warn(entry.id.to_string() + " is served by its fallback " + target + ": " + failure.message());
  return (*device)->alias(entry.id, "fallback: " + failure.message());
}

}  // namespace berth::loader::detail
