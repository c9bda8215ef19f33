// RegistryState: what is behind a LoadedRegistry. It knows the entries and their plugin files, opens devices when the
// DeviceRegistry asks for them, takes fallbacks, and writes the load report.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "berth/core/device.h"
#include "berth/core/log.h"
#include "berth/core/result.h"
#include "berth/loader/effective_config.h"
#include "berth/loader/load_report.h"
#include "plugin/checked_file.h"
#include "plugin/plugin_instance.h"
#include "registry/report_log.h"

namespace berth::loader::detail {

class RegistryState {
 public:
  // `entry_status` has one Status for each entry of config.devices.
  RegistryState(EffectiveConfig config, std::vector<Status> entry_status, std::shared_ptr<LogSink> log);
  RegistryState(const RegistryState&) = delete;
  RegistryState& operator=(const RegistryState&) = delete;

  // Looks for the files of all plugins that entries name, and checks that no two entries mean one device. Failures to
  // find a file are kept for the devices; kInvalidConfig is the answer when two entries mean one device.
  Status find_plugins();

  // The device of config().devices[index], opened if need be or if it is lost; its fallback when it cannot be opened.
  // Any thread.
  [[nodiscard]] Result<std::shared_ptr<Device>> open(std::size_t index);
  // The entry of that id; none when there is none.
  [[nodiscard]] std::optional<std::size_t> index_of(const DeviceId& id) const;

  [[nodiscard]] const EffectiveConfig& config() const noexcept { return config_; }
  [[nodiscard]] LoadReport report() const { return log_.report(); }

 private:
  struct PluginSlot {
    std::optional<CheckedFile> file;
    Status failure;  // why there is no file
    LoadStage stage = LoadStage::kFind;
    std::shared_ptr<const Plugin> plugin;  // once it is opened
  };
  struct EntrySlot {
    Status status;  // why the entry alone cannot be used
    std::size_t plugin = 0;
    unsigned attempts = 0;
    std::shared_ptr<Device> device;
    std::string key;  // of the hardware that the entry itself opened; empty after a fallback
  };
  struct Attempt;

  void find_plugin(std::size_t plugin);
  [[nodiscard]] std::string instance_key(std::size_t plugin) const;
  [[nodiscard]] Status check_same_devices() const;
  [[nodiscard]] Result<std::shared_ptr<Device>> open_locked(std::size_t index);
  // Under all entries that the lost device serves. It closes before this returns if nobody else has it.
  void let_go(const std::shared_ptr<Device> lost) noexcept;
  [[nodiscard]] Result<std::shared_ptr<Device>> open_entry(std::size_t index);
  [[nodiscard]] Result<std::shared_ptr<Device>> run_attempt(std::size_t index, Attempt& attempt);
  [[nodiscard]] Status open_plugin(std::size_t plugin, Attempt& attempt);
  [[nodiscard]] Result<std::shared_ptr<PluginInstance>> instance_of(std::size_t plugin);
  [[nodiscard]] Status check_hardware(std::size_t index, const DeviceDescription& description,
                                      const std::string& key) const;
  [[nodiscard]] Result<std::shared_ptr<Device>> fall_back(std::size_t index, const Status& failure);

  EffectiveConfig config_;
  ReportLog log_;
  std::shared_ptr<LogSink> sink_;
  std::mutex open_lock_;  // one opening at a time; guards everything below
  std::vector<PluginSlot> plugins_;
  std::vector<EntrySlot> entries_;
  // By file and instance options; kept from the first use on, so that ordinals stay what they are from try to try.
  std::map<std::string, std::shared_ptr<PluginInstance>> instances_;
};

}  // namespace berth::loader::detail
