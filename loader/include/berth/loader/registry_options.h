// What a caller can say about loading a registry file. All of it has defaults.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/core/log.h"
#include "berth/loader/effective_config.h"

namespace berth::loader {

// The value of an environment variable; none when it is unset (empty is a value).
using EnvironmentLookup = std::function<std::optional<std::string>(std::string_view name)>;

struct RegistryOptions {
  // The registry file. Empty: BERTH_CONFIG, else the packaged file.
  std::string path;
  // Warnings (fallbacks, folders left out, process state changed by plugins) and what plugins log. Null: nowhere.
  std::shared_ptr<LogSink> log;
  // `from` is served by the entry `to`, as with `berth run --map cuda:0=cuda:3`.
  std::vector<DeviceMapping> map;

  // The world outside, for callers with one of their own and for tests. Null and none: the process's own.
  EnvironmentLookup environment;
  std::optional<bool> privileged;              // true: BERTH_CONFIG and BERTH_PLUGIN_PATH are ignored (AT_SECURE)
  std::optional<std::string> install_folder;   // where plugins are installed, instead of beside libberth
  std::optional<std::string> packaged_config;  // the packaged registry file
};

}  // namespace berth::loader
