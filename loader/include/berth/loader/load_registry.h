// load_registry: from a registry file to a DeviceRegistry whose devices open when they are first asked for.
//
// Reading the file parses it and reads the notes of the plugin files that device entries name; no plugin code runs. At
// the first DeviceRegistry::find of an id its plugin is opened, checked and asked for the device. Whatever fails is
// given back, stored by the registry and tried again by DeviceRegistry::retry. A fallback that is taken is logged as a
// warning and recorded.
//
// While a plugin is opened, the signal actions, locale, working directory, standard streams and environment variables
// of the process are watched and restored afterwards: a change that another thread makes meanwhile may be undone, too.
#pragma once

#include <memory>
#include <string>

#include "berth/core/api.h"
#include "berth/core/device_registry.h"
#include "berth/core/result.h"
#include "berth/loader/effective_config.h"
#include "berth/loader/load_report.h"
#include "berth/loader/registry_options.h"

namespace berth::loader {

namespace detail {
class RegistryState;
}

// Copies share one state. Thread rules: every function may be called from any thread at once.
class BERTH_API LoadedRegistry {
 public:
  // Outlives this object as long as it is held; open devices outlive both.
  [[nodiscard]] const std::shared_ptr<DeviceRegistry>& registry() const noexcept { return registry_; }
  [[nodiscard]] const EffectiveConfig& config() const noexcept;
  // A copy of the report as of now.
  [[nodiscard]] LoadReport report() const;

 private:
  friend Result<LoadedRegistry> load_registry(const RegistryOptions& options);
  LoadedRegistry(std::shared_ptr<DeviceRegistry> registry, std::shared_ptr<detail::RegistryState> state);
  std::shared_ptr<DeviceRegistry> registry_;
  std::shared_ptr<detail::RegistryState> state_;
};

// Reads a registry file. Errors, each with file:line:column, expected, found and the next step:
//   kInvalidConfig (origin kRegistry)  the first mistake in the file; two entries that mean one device
//   kIoError (origin kRegistry)        the file cannot be read
//   kNotFound (origin kRegistry)       there is no such file
//   kInvalidArgument (origin kUsage)   options.map names an entry that does not exist, or cpu:0
// A plugin that is missing or broken is not an error here, but of the devices that need it.
[[nodiscard]] BERTH_API Result<LoadedRegistry> load_registry(const RegistryOptions& options = {});

// Which registry file load_registry would read, and why. kNotFound when there is none.
[[nodiscard]] BERTH_API Result<ConfigSource> choose_config(const RegistryOptions& options = {});

}  // namespace berth::loader
