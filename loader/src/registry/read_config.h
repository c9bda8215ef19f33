// The text of a registry file -> EffectiveConfig, with every mistake that can be seen without looking at a plugin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "berth/core/result.h"
#include "berth/loader/effective_config.h"
#include "berth/loader/registry_options.h"

namespace berth::loader::detail {

struct ReadConfig {
  EffectiveConfig config;  // without `source` and the folders that do not come from the file
  // One for each of config.devices: why this entry alone cannot be used (its environment variable has no usable value).
  std::vector<Status> entry_status;
};

// `file` is absolute; relative paths inside are relative to its folder. kInvalidConfig for the first mistake.
// `environment` answers none for everything when the process is privileged.
[[nodiscard]] Result<ReadConfig> read_config(std::string_view text, const std::string& file,
                                             const EnvironmentLookup& environment);

}  // namespace berth::loader::detail
