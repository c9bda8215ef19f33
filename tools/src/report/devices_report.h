// What `berth devices` says: every entry of the registry file, the device that serves it, and with --explain how it
// came to that.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "berth/core/device_id.h"
#include "berth/core/status.h"
#include "berth/loader/effective_config.h"
#include "berth/loader/load_report.h"
#include "report/style.h"

namespace berth::cli {

enum class DeviceState : std::uint8_t {
  kReady,     // served by its own entry
  kFallback,  // served by another one
  kFailed,
};

struct DeviceRow {
  DeviceId id;
  DeviceState state = DeviceState::kFailed;
  std::string policy;  // "required", "optional", "fallback mock:0"; "built in" for cpu:0
  bool counts = true;  // a failure makes the exit code 1
  Status failure;      // kFailed

  // Who serves it; empty when nobody does.
  std::string plugin;
  std::string plugin_version;
  std::string file;
  std::string entry;     // the [[device]] that serves it
  std::string reason;    // why that one
  std::string hardware;  // name
  std::string uuid;
  std::string pci;
  bool software = false;
  std::optional<std::uint64_t> free;   // bytes of the device's first heap; none: unknown
  std::optional<std::uint64_t> total;  // bytes
  std::optional<std::uint64_t> limit;  // bytes, of the registry file; none: unlimited
  std::vector<std::string> notices;
};

struct DevicesReport {
  loader::EffectiveConfig config;
  std::vector<DeviceRow> devices;  // cpu:0 first, then in the order of the file
  loader::LoadReport load;
  bool explain = false;
};

[[nodiscard]] const char* device_state_name(DeviceState state) noexcept;

void print_text(std::ostream& out, const DevicesReport& report, const Style& style);
void print_json(std::ostream& out, const DevicesReport& report);

}  // namespace berth::cli
