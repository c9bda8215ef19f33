#include "berth/loader/load_registry.h"

#include <algorithm>
#include <utility>

#include "berth/core/host_device.h"
#include "plugin/file_snapshot.h"
#include "registry/check_config.h"
#include "registry/environment.h"
#include "registry/read_config.h"
#include "registry/registry_state.h"
#include "registry/source_text.h"

namespace berth::loader {
namespace {

using detail::RegistryState;

Status check_map(const EffectiveConfig& config) {
  for (const DeviceMapping& mapping : config.map) {
    const std::string text = mapping.from.to_string() + "=" + mapping.to.to_string();
    const auto same_from = [&](const DeviceMapping& other) { return other.from == mapping.from; };
    ErrorInfo info{.code = Code::kInvalidArgument, .origin = Origin::kUsage, .where = "device map " + text};
    if (mapping.from.is_host()) {
      info.what = "cpu:0 is host memory and cannot be served by another device";
    } else if (detail::find_entry(config, mapping.to) == nullptr) {
      const std::vector<std::string> ids = detail::entry_ids(config);
      info.what = "the registry file has no [[device]] " + mapping.to.to_string();
      info.expected = detail::list_text(ids, "or");
      info.next_step = detail::nearest_step(mapping.to.to_string(), ids);
    } else if (std::ranges::count_if(config.map, same_from) > 1) {
      info.what = mapping.from.to_string() + " is mapped twice";
    }
    if (!info.what.empty()) return Status(std::move(info));
  }
  return {};
}

// Every entry under its own id, except where a mapping takes its place, then the ids that only mappings know.
Status add_devices(DeviceRegistry& registry, const std::shared_ptr<RegistryState>& state) {
  const EffectiveConfig& config = state->config();
  for (std::size_t i = 0; i < config.devices.size(); ++i) {
    const DeviceEntry& entry = config.devices[i];
    if (std::ranges::find(config.map, entry.id, &DeviceMapping::from) != config.map.end()) continue;
    BERTH_RETURN_IF_ERROR(registry.add(
        entry.id, [state, i] { return state->open(i); }, entry.policy == DevicePolicy::kRequired));
  }
  for (const DeviceMapping& mapping : config.map) {
    const std::size_t target = *state->index_of(mapping.to);
    const auto opener = [state, target, from = mapping.from]() -> Result<std::shared_ptr<Device>> {
      BERTH_ASSIGN(const std::shared_ptr<Device> device, state->open(target));
      return device->alias(from, "mapped to " + device->id().to_string() + " by the caller");
    };
    const bool required = config.devices[target].policy == DevicePolicy::kRequired;
    BERTH_RETURN_IF_ERROR(registry.add(mapping.from, opener, required));
  }
  return {};
}

}  // namespace

LoadedRegistry::LoadedRegistry(std::shared_ptr<DeviceRegistry> registry, std::shared_ptr<detail::RegistryState> state)
    : registry_(std::move(registry)), state_(std::move(state)) {}

const EffectiveConfig& LoadedRegistry::config() const noexcept { return state_->config(); }

LoadReport LoadedRegistry::report() const { return state_->report(); }

Result<LoadedRegistry> load_registry(const RegistryOptions& options) {
  BERTH_ASSIGN(ConfigSource source, choose_config(options));
  auto snapshot = detail::read_snapshot(source.path, detail::kRegistryFile);
  if (!snapshot.has_value()) {
    ErrorInfo info = snapshot.error().info();
    info.what += " (" + source.reason + ")";
    return fail(std::move(info));
  }
  const std::string_view text(reinterpret_cast<const char*>(snapshot->bytes.data()), snapshot->bytes.size());
  BERTH_ASSIGN(detail::ReadConfig read, detail::read_config(text, source.path, detail::environment_of(options)));
  EffectiveConfig& config = read.config;
  config.source = std::move(source);
  config.map = options.map;
  BERTH_FAIL_IF_ERROR(check_map(config));
  std::vector<std::string> warnings;
  config.search = detail::search_folders(std::move(config.search), options, warnings);
  for (const std::string& warning : warnings) {
    if (options.log != nullptr) options.log->log(LogLevel::kWarning, warning);
  }

  auto state = std::make_shared<RegistryState>(std::move(config), std::move(read.entry_status), options.log);
  BERTH_FAIL_IF_ERROR(state->find_plugins());
  auto registry = std::make_shared<DeviceRegistry>(make_host_device(state->config().host_limit));
  for (const auto& [byte, name] : state->config().types) BERTH_FAIL_IF_ERROR(registry->name_type(byte, name));
  BERTH_FAIL_IF_ERROR(add_devices(*registry, state));
  return LoadedRegistry(std::move(registry), std::move(state));
}

}  // namespace berth::loader
