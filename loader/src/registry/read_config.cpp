#include "registry/read_config.h"

#include <charconv>
#include <filesystem>

#include "registry/check_config.h"
#include "registry/read_entries.h"
#include "registry/source_text.h"
#include "registry/toml_document.h"

namespace berth::loader::detail {
namespace {

constexpr std::int64_t kVersion = 1;

// A file of another version is not looked at any further: its keys may mean something else.
Status check_version(Mistakes& mistakes, const ConfigValue& document) {
  const ConfigMember* version = document.find("version");
  if (version == nullptr) {
    mistakes.add({1, 1}, {.what = "the registry file does not say its version",
                          .expected = "version = 1",
                          .next_step = "add it as the first line"});
  } else if (version->value.kind != ConfigValue::Kind::kInteger) {
    mistakes.add(version->value.position, {.what = "wrong type of 'version' in the top level",
                                           .expected = "the integer 1",
                                           .found = kind_text(version->value.kind)});
  } else if (const auto number = *std::get_if<std::int64_t>(&version->value.scalar); number != kVersion) {
    mistakes.add(version->value.position, {.what = "the version of this registry file is not known here",
                                           .expected = "version 1",
                                           .found = "version " + std::to_string(number),
                                           .next_step = "use a Berth that reads it, or write version = 1"});
  }
  return mistakes.status();
}

// The items of [[key]]; a mistake when it is no array of tables.
std::vector<const ConfigValue*> tables_of(const TableReader& top, const std::string& key) {
  std::vector<const ConfigValue*> tables;
  const ConfigMember* member = top.any(key);
  if (member == nullptr) return tables;
  if (member->value.kind == ConfigValue::Kind::kTable) {
    top.mistakes().add(member->value.position, {.what = "a single table where there can be several",
                                                .expected = "[[" + key + "]]",
                                                .found = "[" + key + "]",
                                                .next_step = "double the brackets"});
    return tables;
  }
  if (member->value.kind != ConfigValue::Kind::kArray) {
    top.wrong_type(*member, "tables, each under [[" + key + "]]");
    return tables;
  }
  for (const ConfigValue& item : member->value.items) {
    if (item.kind == ConfigValue::Kind::kTable) {
      tables.push_back(&item);
    } else {
      top.mistakes().add(item.position, {.what = "wrong type in '" + key + "' in the top level",
                                         .expected = "a table under [[" + key + "]]",
                                         .found = kind_text(item.kind)});
    }
  }
  return tables;
}

// The table [key]; null when absent, a mistake when it is something else.
const ConfigValue* table_of(const TableReader& top, const std::string& key) {
  const ConfigMember* member = top.any(key);
  if (member == nullptr) return nullptr;
  if (member->value.kind == ConfigValue::Kind::kTable) return &member->value;
  if (member->value.kind == ConfigValue::Kind::kArray) {
    top.mistakes().add(member->value.position, {.what = "several tables where there can be one",
                                                .expected = "[" + key + "]",
                                                .found = "[[" + key + "]]",
                                                .next_step = "use single brackets, once"});
    return nullptr;
  }
  top.wrong_type(*member, "a table under [" + key + "]");
  return nullptr;
}

void read_plugins_table(Mistakes& mistakes, const ConfigValue& table, EffectiveConfig& out) {
  const TableReader reader(mistakes, table, plugins_schema());
  const ConfigMember* path = reader.array("path");
  if (path == nullptr) return;
  for (const ConfigValue& item : path->value.items) {
    const auto* text = std::get_if<std::string>(&item.scalar);
    if (item.kind != ConfigValue::Kind::kString || text->empty() || text->find('\0') != std::string::npos) {
      mistakes.add(item.position,
                   {.what = "wrong folder in 'path' in [plugins]",
                    .expected = "the path of a folder, as a string",
                    .found = item.kind == ConfigValue::Kind::kString ? "no usable path" : kind_text(item.kind)});
      continue;
    }
    out.search.push_back({resolve_from(mistakes.file(), *text), "[plugins] path"});
  }
}

// What is wrong with a line of [types]; an empty mistake when nothing is.
Mistake type_mistake(const ConfigMember& member, std::uint8_t& out_byte, const EffectiveConfig& config) {
  const char* end_of_key = member.key.data() + member.key.size();
  const auto [end, error] = std::from_chars(member.key.data(), end_of_key, out_byte);
  if (error != std::errc() || end != end_of_key || out_byte < 2) {
    return {.what = "wrong key in [types]",
            .expected = "a device type byte from 2 to 255; 0 is cpu and 1 is cuda, built in",
            .found = "'" + member.key + "'"};
  }
  const auto* name = std::get_if<std::string>(&member.value.scalar);
  if (member.value.kind != ConfigValue::Kind::kString) {
    return {.what = "wrong type of '" + member.key + "' in [types]",
            .expected = "the name of a device type, as a string",
            .found = kind_text(member.value.kind)};
  }
  const bool is_name = name->find(':') == std::string::npos && DeviceId::parse(*name).has_value();
  if (!is_name || *name == "cpu" || *name == "cuda") {
    return {.what = "wrong name of a device type in [types]",
            .expected = "lower-case letters, digits and underscores, other than cpu and cuda",
            .found = "\"" + *name + "\""};
  }
  for (const auto& [byte, other] : config.types) {
    if (other != *name) continue;
    return {.what = "the same name twice in [types]",
            .expected = "a name of its own for each device type byte",
            .found = "\"" + *name + "\" for " + std::to_string(byte) + " and " + member.key};
  }
  return {};
}

void read_types(Mistakes& mistakes, const ConfigValue& table, EffectiveConfig& out) {
  for (const ConfigMember& member : table.members) {
    std::uint8_t byte = 0;
    if (Mistake mistake = type_mistake(member, byte, out); !mistake.what.empty()) {
      mistakes.add(member.position, std::move(mistake));
    } else {
      out.types.emplace(byte, *std::get_if<std::string>(&member.value.scalar));
    }
  }
}

}  // namespace

Result<ReadConfig> read_config(std::string_view text, const std::string& file, const EnvironmentLookup& environment) {
  BERTH_ASSIGN(const ConfigValue document, parse_toml(text, file));
  Mistakes mistakes(file);
  BERTH_FAIL_IF_ERROR(check_version(mistakes, document));

  ReadConfig read;
  const TableReader top(mistakes, document, top_schema());
  if (const ConfigValue* plugins = table_of(top, "plugins")) read_plugins_table(mistakes, *plugins, read.config);
  if (const ConfigValue* host = table_of(top, "host")) {
    read.config.host_limit = TableReader(mistakes, *host, host_schema()).size("limit");
  }
  if (const ConfigValue* types = table_of(top, "types")) read_types(mistakes, *types, read.config);
  const std::vector<const ConfigValue*> plugin_tables = tables_of(top, "plugin");
  for (const ConfigValue* table : plugin_tables) read.config.plugins.push_back(read_plugin(mistakes, *table));
  const std::vector<const ConfigValue*> device_tables = tables_of(top, "device");
  for (const ConfigValue* table : device_tables) {
    Status entry_status;
    read.config.devices.push_back(read_device(mistakes, *table, environment, entry_status));
    read.entry_status.push_back(std::move(entry_status));
  }
  check_plugin_names(mistakes, read.config, plugin_tables);
  add_implied_plugins(mistakes, read.config, device_tables);
  check_device_ids(mistakes, read.config, device_tables);
  check_fallbacks(mistakes, read.config, device_tables);
  BERTH_FAIL_IF_ERROR(mistakes.status());
  return read;
}

}  // namespace berth::loader::detail
