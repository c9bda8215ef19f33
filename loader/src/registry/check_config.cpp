#include "registry/check_config.h"

#include <algorithm>

#include "registry/read_entries.h"
#include "registry/source_text.h"

namespace berth::loader::detail {
namespace {

// The value of `key` in a table that was read without a mistake there; else the table itself.
SourcePosition position_of(const ConfigValue& table, const char* key) {
  const ConfigMember* member = table.find(key);
  return member == nullptr ? table.position : member->value.position;
}

std::string line_text(const ConfigValue& table, const char* key) {
  return "line " + std::to_string(position_of(table, key).line);
}

// The ids from `start` along fallbacks until one repeats or has none: "a:0 -> b:0 -> a:0"; empty unless it comes back
// to `start`.
std::string cycle_from(const EffectiveConfig& config, const DeviceEntry& start) {
  std::string text = start.id.to_string();
  const DeviceEntry* entry = &start;
  for (std::size_t steps = 0; steps < config.devices.size() && entry->fallback; ++steps) {
    text += " -> " + entry->fallback->to_string();
    if (*entry->fallback == start.id) return text;
    entry = find_entry(config, *entry->fallback);
    if (entry == nullptr) return {};
  }
  return {};
}

}  // namespace

const DeviceEntry* find_entry(const EffectiveConfig& config, const DeviceId& id) {
  const auto found = std::ranges::find(config.devices, id, &DeviceEntry::id);
  return found == config.devices.end() ? nullptr : &*found;
}

const PluginEntry* find_plugin(const EffectiveConfig& config, const std::string& name) {
  const auto found = std::ranges::find(config.plugins, name, &PluginEntry::name);
  return found == config.plugins.end() ? nullptr : &*found;
}

std::vector<std::string> entry_ids(const EffectiveConfig& config) {
  std::vector<std::string> ids;
  for (const DeviceEntry& entry : config.devices) ids.push_back(entry.id.to_string());
  return ids;
}

void check_plugin_names(Mistakes& mistakes, const EffectiveConfig& config, const Tables& tables) {
  for (std::size_t i = 1; i < tables.size(); ++i) {
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      const std::string& name = config.plugins[i].name;
      if (name.empty() || config.plugins[earlier].name != name) continue;
      mistakes.add(position_of(*tables[i], "name"),
                   {.what = "the name of a [[plugin]] twice",
                    .expected = "a name of its own for each [[plugin]]",
                    .found = "\"" + name + "\", as in " + line_text(*tables[earlier], "name")});
    }
  }
}

void add_implied_plugins(Mistakes& mistakes, EffectiveConfig& config, const Tables& tables) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string& name = config.devices[i].plugin;
    if (name.empty() || find_plugin(config, name) != nullptr) continue;
    check_plugin_file(mistakes, *tables[i]->find("plugin"));
    PluginEntry entry;
    entry.name = name;
    entry.file = name;
    entry.implied = true;
    entry.position = position_of(*tables[i], "plugin");
    config.plugins.push_back(std::move(entry));
  }
}

void check_device_ids(Mistakes& mistakes, const EffectiveConfig& config, const Tables& tables) {
  for (std::size_t i = 1; i < tables.size(); ++i) {
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      const DeviceId& id = config.devices[i].id;
      if (id.is_host() || config.devices[earlier].id != id) continue;
      mistakes.add(position_of(*tables[i], "id"),
                   {.what = "the id of a [[device]] twice",
                    .expected = "an id of its own for each [[device]]",
                    .found = "\"" + id.to_string() + "\", as in " + line_text(*tables[earlier], "id")});
    }
  }
}

void check_fallbacks(Mistakes& mistakes, const EffectiveConfig& config, const Tables& tables) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const DeviceEntry& entry = config.devices[i];
    if (!entry.fallback) continue;
    const std::string target = entry.fallback->to_string();
    const SourcePosition position = position_of(*tables[i], "fallback");
    if (find_entry(config, *entry.fallback) == nullptr) {
      const std::vector<std::string> ids = entry_ids(config);
      mistakes.add(position, {.what = "'fallback' of [[device]] " + entry.id.to_string() + " is no entry of this file",
                              .expected = list_text(ids, "or"),
                              .found = "\"" + target + "\"",
                              .next_step = nearest_step(target, ids)});
    } else if (const std::string cycle = cycle_from(config, entry); !cycle.empty()) {
      mistakes.add(position, {.what = "fallbacks go round in a circle",
                              .expected = "a last entry without 'fallback'",
                              .found = cycle,
                              .next_step = "remove one of these 'fallback' keys"});
    }
  }
}

}  // namespace berth::loader::detail
