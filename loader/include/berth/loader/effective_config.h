// What a registry file says after defaults, paths and environment are filled in: plain structs for reports. Nothing
// here is read back; changing a copy changes nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "berth/core/device_id.h"
#include "berth/loader/option_value.h"

namespace berth::loader {

// Which registry file was read, and why that one.
struct ConfigSource {
  std::string path;    // absolute
  std::string reason;  // "given by the caller", "BERTH_CONFIG", "the packaged file, as BERTH_CONFIG is not set", ...
};

// One folder where plugin files are looked for, in order.
struct SearchFolder {
  std::string path;    // absolute
  std::string origin;  // "[plugins] path", "BERTH_PLUGIN_PATH" or "install folder"
};

// One [[plugin]], or the plugin that a [[device]] names by its file alone (then `implied`, without options and pin).
struct PluginEntry {
  std::string name;
  std::string file;  // as written: a bare name or a path with a slash
  bool implied = false;
  std::string resolved;               // the file found, absolute; empty when none was (the load report says why)
  std::optional<std::string> sha256;  // pinned, 64 lower-case hex digits
  std::vector<PluginOption> options;  // for create
  SourcePosition position;
};

enum class DevicePolicy : std::uint8_t { kRequired, kOptional };

// How an entry says which of the plugin's devices it means. Exactly one of the three is set.
struct DeviceSelector {
  std::optional<std::uint32_t> ordinal;
  std::optional<std::string> uuid;  // 1 to 32 lower-case hex digits, no dashes: a prefix is enough if it is unique
  std::optional<std::string> pci;   // "0000:65:00.0"
  std::string environment;          // the variable that the ordinal is read from; empty when written out
};

// One [[device]].
struct DeviceEntry {
  DeviceId id;
  std::string plugin;  // name of a PluginEntry
  // With `environment` set and `ordinal` absent, the variable had no usable value; find() says what is wrong with it.
  DeviceSelector selector;
  DevicePolicy policy = DevicePolicy::kRequired;
  std::optional<DeviceId> fallback;  // another entry
  bool shared = false;
  bool allow_software = false;
  std::string claim;                   // folder of claim files, absolute; empty: none
  std::optional<std::uint64_t> limit;  // bytes
  std::string pool = "none";
  std::vector<PluginOption> options;  // for open
  SourcePosition position;
};

// `from` is served by the entry `to` for this registry (RegistryOptions::map).
struct DeviceMapping {
  DeviceId from;
  DeviceId to;
};

struct EffectiveConfig {
  ConfigSource source;
  std::vector<SearchFolder> search;
  std::optional<std::uint64_t> host_limit;    // bytes; none: unlimited
  std::map<std::uint8_t, std::string> types;  // the file's [types], without the built-in 0 and 1
  std::vector<PluginEntry> plugins;           // in the order of the file, implied ones last
  std::vector<DeviceEntry> devices;           // in the order of the file
  std::vector<DeviceMapping> map;
};

}  // namespace berth::loader
