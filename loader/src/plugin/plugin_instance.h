// PluginInstance: one instance of a plugin, made by create with instance options, ended by destroy when its last device
// is closed.
#pragma once

#define BERTH_HOST
#include <berth/plugin.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/core/device_driver.h"
#include "berth/core/log.h"
#include "berth/core/result.h"
#include "berth/loader/option_value.h"
#include "plugin/plugin.h"

namespace berth::loader::detail {

// What a plugin says of a device before it is opened.
struct DeviceDescription {
  std::uint32_t ordinal = 0;
  std::string name;
  std::string driver;
  std::string uuid;         // canonical, empty when there is none
  bool uuid_exact = false;  // it tells this device from all others
  std::string pci;          // canonical, empty when there is none
  bool pci_exact = false;
  bool software = false;
  bool integrated = false;
  std::optional<std::uint64_t> total_bytes;
};

// Options and the file that they stand in, for messages.
struct OptionSource {
  const std::vector<PluginOption>& options;
  const std::string& file;
};

class PluginInstance : public std::enable_shared_from_this<PluginInstance> {
 public:
  // The caller holds a ProcessStateGuard here and in count, describe and open. Errors: what the plugin answers; a
  // refused option is kInvalidConfig at its place.
  [[nodiscard]] static Result<std::shared_ptr<PluginInstance>> create(std::shared_ptr<const Plugin> plugin,
                                                                      OptionSource options,
                                                                      std::shared_ptr<LogSink> log);
  ~PluginInstance();
  PluginInstance(const PluginInstance&) = delete;
  PluginInstance& operator=(const PluginInstance&) = delete;

  [[nodiscard]] Result<std::uint32_t> count() const;
  [[nodiscard]] Result<DeviceDescription> describe(std::uint32_t ordinal) const;
  // Opens a device; nothing is left behind on failure.
  [[nodiscard]] Result<std::unique_ptr<DeviceDriver>> open(std::uint32_t ordinal, OptionSource options);

  [[nodiscard]] const Plugin& plugin() const noexcept { return *plugin_; }
  [[nodiscard]] berth_instance* handle() const noexcept { return handle_; }
  // In a forked child, and once exit handlers run: nothing of the plugin may be called, destroy and close included.
  [[nodiscard]] bool is_abandoned() const noexcept;
  void warn(const std::string& text) const;

 private:
  struct Host;  // what the plugin may call
  PluginInstance(std::shared_ptr<const Plugin> plugin, std::unique_ptr<Host> host);
  std::shared_ptr<const Plugin> plugin_;
  std::unique_ptr<Host> host_;
  berth_instance* handle_ = nullptr;
  std::uint32_t fork_generation_;
};

}  // namespace berth::loader::detail
