// RegistryState's way from an entry to an open device: one attempt, step by step, everything given back on failure.
#include <utility>

#include "plugin/process_state.h"
#include "registry/claim.h"
#include "registry/registry_state.h"
#include "registry/select_device.h"
#include "registry/source_text.h"
#include "registry/stopwatch.h"

namespace berth::loader::detail {
namespace {

// What a device keeps alive: closing comes before both are let go.
struct KeepAlive {
  std::shared_ptr<PluginInstance> instance;
  std::shared_ptr<Claim> claim;
};

std::string configured_reason(const DeviceSelector& selector) {
  if (selector.environment.empty() || !selector.ordinal) return "configured";
  return "configured, ordinal " + std::to_string(*selector.ordinal) + " from " + selector.environment;
}

}  // namespace

struct RegistryState::Attempt {
  LoadStage stage = LoadStage::kConfig;
  std::string path_opened;
  std::string detail;
};

Result<std::shared_ptr<Device>> RegistryState::open_entry(std::size_t index) {
  const DeviceEntry& entry = config_.devices[index];
  EntrySlot& slot = entries_[index];
  PluginSlot& plugin = plugins_[slot.plugin];
  // A second try looks at the disk again.
  if (slot.attempts++ > 0 && plugin.plugin == nullptr) find_plugin(slot.plugin);

  const Stopwatch watch;
  Attempt attempt;
  ProcessStateGuard guard;
  auto device = run_attempt(index, attempt);
  for (const std::string& change : guard.restore()) {
    const std::string text = "plugin " + entry.plugin + " changed " + change + " while it was opened for " +
                             entry.id.to_string() + "; it was restored";
    log_.warn(text);
    attempt.detail += (attempt.detail.empty() ? "" : "; ") + text;
  }
  const Status status = device.status().at(place_text(config_.source.path, entry.position) + ", device " +
                                           entry.id.to_string() + ", stage " + stage_name(attempt.stage));
  LoadRecord record;
  record.device = entry.id.to_string();
  record.plugin = entry.plugin;
  record.path_tried = plugin.file ? plugin.file->info.path : "";
  record.path_opened = attempt.path_opened;
  record.stage = attempt.stage;
  record.status = status;
  record.detail = attempt.detail;
  record.duration_ns = watch.elapsed_ns();
  log_.add(std::move(record));
  if (!status.ok()) return fail(status);
  return device;
}

Result<std::shared_ptr<Device>> RegistryState::run_attempt(std::size_t index, Attempt& attempt) {
  const DeviceEntry& entry = config_.devices[index];
  EntrySlot& slot = entries_[index];
  BERTH_FAIL_IF_ERROR(slot.status);
  BERTH_FAIL_IF_ERROR(open_plugin(slot.plugin, attempt));
  attempt.stage = LoadStage::kInstance;
  BERTH_ASSIGN(const std::shared_ptr<PluginInstance> instance, instance_of(slot.plugin));

  attempt.stage = LoadStage::kDevice;
  BERTH_ASSIGN(const DeviceDescription description, select_device(*instance, entry.selector));
  attempt.detail = description.name;
  DeviceOptions options;
  options.id = entry.id;
  options.identity = identity_from(description, instance_key(slot.plugin));
  options.limit = entry.limit;
  BERTH_FAIL_IF_ERROR(check_hardware(index, description, options.identity.key));
  auto keep_alive = std::make_shared<KeepAlive>();
  keep_alive->instance = instance;
  if (!entry.claim.empty()) {
    BERTH_ASSIGN(keep_alive->claim, Claim::take(entry.claim, options.identity.key));
  }
  BERTH_ASSIGN(std::unique_ptr<DeviceDriver> driver,
               instance->open(description.ordinal, {entry.options, config_.source.path}));

  options.served_by.plugin = entry.plugin;
  options.served_by.plugin_version = instance->plugin().answer().version;
  options.served_by.file = instance->plugin().mapped_path();
  options.served_by.ordinal = description.ordinal;
  options.served_by.entry = entry.id.to_string();
  options.served_by.reason = configured_reason(entry.selector);
  std::string key = options.identity.key;
  auto device = Device::create(std::move(options), std::move(driver), std::move(keep_alive));
  slot.key = std::move(key);
  return device;
}

Status RegistryState::open_plugin(std::size_t plugin, Attempt& attempt) {
  PluginSlot& slot = plugins_[plugin];
  attempt.stage = slot.stage;
  if (!slot.file) return slot.failure;
  if (slot.plugin == nullptr) {
    BERTH_ASSIGN_OR_STATUS(slot.plugin, Plugin::open(*slot.file, attempt.stage));
    if (slot.plugin->mapped_path() != slot.file->info.path) {
      log_.warn("plugin file " + slot.file->info.path + " was opened as " + slot.plugin->mapped_path());
    }
  }
  attempt.stage = LoadStage::kTable;
  attempt.path_opened = slot.plugin->mapped_path();
  return {};
}

Result<std::shared_ptr<PluginInstance>> RegistryState::instance_of(std::size_t plugin) {
  const std::string key = instance_key(plugin);
  if (const auto found = instances_.find(key); found != instances_.end()) return found->second;
  auto instance =
      PluginInstance::create(plugins_[plugin].plugin, {config_.plugins[plugin].options, config_.source.path}, sink_);
  if (instance.has_value()) instances_.emplace(key, *instance);
  return instance;
}

Status RegistryState::check_hardware(std::size_t index, const DeviceDescription& description,
                                     const std::string& key) const {
  const DeviceEntry& entry = config_.devices[index];
  if (description.software && !entry.allow_software) {
    return Status({.code = Code::kFailedPrecondition,
                   .origin = Origin::kDevice,
                   .what = "the device '" + description.name + "' computes on the CPU",
                   .expected = "hardware, as allow_software is false",
                   .found = "a software device",
                   .next_step = "set allow_software = true in this [[device]] to use it all the same"});
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const DeviceEntry& other = config_.devices[i];
    if (i == index || entries_[i].key != key || entries_[i].device == nullptr || (entry.shared && other.shared)) {
      continue;
    }
    return Status({.code = Code::kInvalidConfig,
                   .origin = Origin::kRegistry,
                   .what = entry.id.to_string() + " and " + other.id.to_string() + " are one physical device",
                   .expected = "different devices, or shared = true in both",
                   .found = key + " (" + description.name + ") in both",
                   .next_step = "correct the identity in one of them"});
  }
  return {};
}

}  // namespace berth::loader::detail
