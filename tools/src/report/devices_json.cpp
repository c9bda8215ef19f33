#include <type_traits>
#include <variant>

#include "report/devices_report.h"
#include "report/json.h"

namespace berth::cli {
namespace {

Json object_of(const std::vector<loader::PluginOption>& options) {
  Json json = Json::object();
  for (const loader::PluginOption& option : options) {
    std::visit([&](const auto& value) { json[option.key] = value; }, option.value);
  }
  return json;
}

Json object_of(const DeviceRow& row) {
  Json json;
  json["id"] = row.id.to_string();
  json["state"] = device_state_name(row.state);
  json["policy"] = row.policy;
  json["required"] = row.counts;
  json["plugin"] = json_text(row.plugin);
  json["plugin_version"] = json_text(row.plugin_version);
  json["file"] = json_text(row.file);
  json["served_by"] = json_text(row.entry);
  json["reason"] = json_text(row.reason);
  json["hardware"] = json_text(row.hardware);
  json["uuid"] = json_text(row.uuid);
  json["pci"] = json_text(row.pci);
  json["software"] = row.software;
  json["free_bytes"] = json_of(row.free);
  json["total_bytes"] = json_of(row.total);
  json["limit_bytes"] = json_of(row.limit);
  json["notices"] = row.notices;
  json["failure"] = json_of(row.failure);
  return json;
}

Json object_of(const loader::PluginEntry& plugin) {
  Json json;
  json["name"] = plugin.name;
  json["file"] = plugin.file;
  json["resolved"] = json_text(plugin.resolved);
  json["sha256"] = json_text(plugin.sha256.value_or(""));
  json["options"] = object_of(plugin.options);
  return json;
}

Json object_of(const loader::DeviceEntry& device) {
  Json json;
  json["id"] = device.id.to_string();
  json["plugin"] = device.plugin;
  json["ordinal"] = device.selector.ordinal.has_value() ? Json(*device.selector.ordinal) : Json(nullptr);
  json["uuid"] = json_text(device.selector.uuid.value_or(""));
  json["pci"] = json_text(device.selector.pci.value_or(""));
  json["ordinal_from"] = json_text(device.selector.environment);
  json["policy"] = device.policy == loader::DevicePolicy::kRequired ? "required" : "optional";
  json["fallback"] = device.fallback.has_value() ? Json(device.fallback->to_string()) : Json(nullptr);
  json["shared"] = device.shared;
  json["allow_software"] = device.allow_software;
  json["claim"] = json_text(device.claim);
  json["limit_bytes"] = json_of(device.limit);
  json["pool"] = device.pool;
  json["options"] = object_of(device.options);
  return json;
}

Json object_of(const loader::EffectiveConfig& config) {
  Json json;
  Json search = Json::array();
  for (const loader::SearchFolder& folder : config.search) {
    search.push_back({{"path", folder.path}, {"origin", folder.origin}});
  }
  json["search"] = std::move(search);
  json["host_limit_bytes"] = json_of(config.host_limit);
  Json types = Json::object();
  for (const auto& [type, name] : config.types) types[std::to_string(type)] = name;
  json["types"] = std::move(types);
  Json plugins = Json::array();
  for (const loader::PluginEntry& plugin : config.plugins) plugins.push_back(object_of(plugin));
  json["plugins"] = std::move(plugins);
  Json devices = Json::array();
  for (const loader::DeviceEntry& device : config.devices) devices.push_back(object_of(device));
  json["devices"] = std::move(devices);
  return json;
}

Json object_of(const loader::LoadReport& report) {
  Json json = Json::array();
  for (const loader::LoadRecord& record : report.records) {
    Json entry;
    entry["stage"] = loader::stage_name(record.stage);
    entry["device"] = json_text(record.device);
    entry["plugin"] = json_text(record.plugin);
    entry["path_tried"] = json_text(record.path_tried);
    entry["path_opened"] = json_text(record.path_opened);
    entry["detail"] = json_text(record.detail);
    entry["duration_ns"] = record.duration_ns;
    entry["failure"] = json_of(record.status);
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace

void print_json(std::ostream& out, const DevicesReport& report) {
  Json json = json_head("devices");
  json["config"] = json_of(report.config.source);
  Json devices = Json::array();
  for (const DeviceRow& row : report.devices) devices.push_back(object_of(row));
  json["devices"] = std::move(devices);
  if (report.explain) {
    json["effective"] = object_of(report.config);
    json["load_report"] = object_of(report.load);
  }
  print_json(out, json);
}

}  // namespace berth::cli
