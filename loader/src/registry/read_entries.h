// Parts of read_config: one [[plugin]] and one [[device]].
#pragma once

#include "berth/core/status.h"
#include "berth/loader/effective_config.h"
#include "berth/loader/registry_options.h"
#include "registry/table_reader.h"

namespace berth::loader::detail {

// `path` as seen from the folder of the registry file, normalised.
[[nodiscard]] std::string resolve_from(const std::string& file, const std::string& path);

[[nodiscard]] PluginEntry read_plugin(Mistakes& mistakes, const ConfigValue& table);

// `out_status`: why this entry alone cannot be used.
[[nodiscard]] DeviceEntry read_device(Mistakes& mistakes, const ConfigValue& table,
                                      const EnvironmentLookup& environment, Status& out_status);

// A plugin file as a [[plugin]] or [[device]] names it: with a slash any path, else a bare name such as cpu_mock.
// Everything else is a mistake at `member`.
void check_plugin_file(Mistakes& mistakes, const ConfigMember& member);

}  // namespace berth::loader::detail
