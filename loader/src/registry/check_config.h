// Checks between the entries of a registry file. `tables` are the tables that the entries were read from, in the same
// order; mistakes stand at their keys.
#pragma once

#include <vector>

#include "berth/loader/effective_config.h"
#include "registry/table_reader.h"

namespace berth::loader::detail {

using Tables = std::vector<const ConfigValue*>;

// Names of [[plugin]] are unique.
void check_plugin_names(Mistakes& mistakes, const EffectiveConfig& config, const Tables& tables);

// A [[device]] whose `plugin` is no [[plugin]] names a file: adds an entry for each such file.
void add_implied_plugins(Mistakes& mistakes, EffectiveConfig& config, const Tables& tables);

// Ids of [[device]] are unique.
void check_device_ids(Mistakes& mistakes, const EffectiveConfig& config, const Tables& tables);

// Each fallback is another entry, and following them ends.
void check_fallbacks(Mistakes& mistakes, const EffectiveConfig& config, const Tables& tables);

// The entry of that id; null when there is none.
[[nodiscard]] const DeviceEntry* find_entry(const EffectiveConfig& config, const DeviceId& id);
[[nodiscard]] const PluginEntry* find_plugin(const EffectiveConfig& config, const std::string& name);
// Ids of all entries as text, in order.
[[nodiscard]] std::vector<std::string> entry_ids(const EffectiveConfig& config);

}  // namespace berth::loader::detail
